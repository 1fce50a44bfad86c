//! Changes of the numbers that senders other than TCP declare.

use pacesim_core::net::Probe;
use pacesim_measure::record::EndRow;
use pacesim_units::{FlowId, Time};

use super::World;
use super::ends::SourceEnd;

/// The changes of a flow that have not been taken yet, and the last values.
#[derive(Debug, Default)]
pub(super) struct EndLog {
    rows: Vec<EndRow>,
    last: Vec<Option<f64>>,
}

impl EndLog {
    /// Notes the numbers that differ from those before.
    fn note(&mut self, now: Time, flow: FlowId, names: &[&'static str], values: Vec<Option<f64>>) {
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
}

impl<P: Probe> World<P> {
    /// Records each change of the numbers that a flow's sending ends declare, until they are taken.
    /// Call it before time starts; it ignores flows whose ends declare none.
    pub fn record_ends(&mut self, flow: FlowId) {
        let Some(place) = self.session_of(flow) else {
            return;
        };
        let session = &mut self.sessions[place];
        let declares =
            |transport: &crate::model::transport::OwnTransport| !transport.numbers().is_empty();
        if session.transport.as_ref().is_some_and(declares) {
            session.numbers = Some(Box::default());
        }
    }

    /// Takes the changes since the last call. In order of time for each flow.
    pub fn take_end_rows(&mut self) -> impl Iterator<Item = EndRow> + '_ {
        let logs = self
            .sessions
            .iter_mut()
            .filter_map(|session| session.numbers.as_mut());
        logs.flat_map(|log| log.rows.drain(..))
    }

    /// Notes the numbers of a connection's sending end, if they are recorded.
    pub(super) fn note_numbers(&mut self, id: u32, now: Time) {
        let connection = &self.connections[id as usize];
        let session = &mut self.sessions[connection.session as usize];
        if let (Some(log), SourceEnd::Own(end), Some(transport)) =
            (&mut session.numbers, &connection.sender, &session.transport)
        {
            log.note(now, session.flow, transport.numbers(), end.numbers());
        }
    }
}
