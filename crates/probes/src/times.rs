//! The completion times of transfers during a run.

use pacesim::measure::Completions;
use pacesim::measure::record::TransferRow;
use pacesim::units::Bytes;

use crate::values::ValueStatistics;

/// Transfers of some flows.
pub(crate) struct CompletionTimes {
    pub(crate) flows: Vec<bool>,
    pub(crate) edges: Vec<Bytes>,
    pub(crate) all: Completions,
    pub(crate) classes: Vec<Completions>,
    /// The times one by one, for their distribution.
    pub(crate) values: Option<ValueStatistics>,
}

impl CompletionTimes {
    /// No transfers yet of these flows, in classes divided at these sizes.
    pub(crate) fn new(flows: Vec<bool>, edges: Vec<Bytes>) -> CompletionTimes {
        CompletionTimes {
            flows,
            all: Completions::new(),
            classes: vec![Completions::new(); edges.len() + 1],
            values: None,
            edges,
        }
    }

    /// Adds a transfer that has ended, or was cut off by the end of the run.
    pub(crate) fn add(&mut self, row: &TransferRow) {
        if row.began_in_warmup || !self.flows[row.flow_id as usize] {
            return;
        }
        if let (Some(values), Some(end)) = (&mut self.values, row.end_ps) {
            values.add(end - row.start_ps);
        }
        let class = self
            .edges
            .partition_point(|edge| edge.get() <= row.size_bytes);
        for class in [&mut self.all, &mut self.classes[class]] {
            add(class, row);
        }
    }
}

fn add(class: &mut Completions, row: &TransferRow) {
    match row.end_ps {
        Some(end) => class.add(end - row.start_ps, (row.ideal_s * 1e12 + 0.5) as u64),
        None => class.unfinished += 1,
    }
}
