//! Changes of the numbers that senders other than TCP declare.

use pacesim_measure::record::EndRow;
use pacesim_units::{FlowId, Time};

/// The changes of a flow that have not been taken yet, and the last values.
#[derive(Debug, Default)]
pub(super) struct EndLog {
    rows: Vec<EndRow>,
    last: Vec<Option<f64>>,
}

impl EndLog {
    /// Notes the numbers that differ from those before.
    pub(super) fn note(
        &mut self,
        now: Time,
        flow: FlowId,
        names: &[&'static str],
        values: Vec<Option<f64>>,
    ) {
        for (i, (name, value)) in names.iter().zip(&values).enumerate() {
            if self.last.get(i) != Some(value) {
                self.rows.push(EndRow {
                    t_ps: now.as_ps(),
                    flow_id: flow.0,
                    name,
                    value: *value,
                });
            }
        }
        self.last = values;
    }

    /// Takes the changes.
    pub(super) fn take(&mut self) -> impl Iterator<Item = EndRow> + '_ {
        self.rows.drain(..)
    }
}
