//! The measured part of a run: from the warm-up's end on.

use pacesim_core::net::{Counters, Network};
use pacesim_units::Time;

use super::tally::{FlowTally, Tallies};

/// The counters as they were when statistics started. The hot path only counts up; the
/// difference is taken when somebody asks.
pub(super) struct Window {
    pub(super) start: Time,
    at_start: Option<AtStart>,
}

pub(super) struct AtStart {
    pub(super) links: Vec<Counters>,
    pub(super) flows: Vec<FlowTally>,
}

impl Window {
    pub(super) fn new(start: Time) -> Window {
        Window {
            start,
            at_start: None,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.at_start.is_some()
    }

    pub(super) fn at_start(&self) -> Option<&AtStart> {
        self.at_start.as_ref()
    }

    pub(super) fn open(&mut self, now: Time, network: &mut Network, tallies: &mut Tallies) {
        network.restart_maxima(now);
        tallies.restart_delays();
        let (links, pool) = network.links();
        self.at_start = Some(AtStart {
            links: links
                .iter()
                .map(|link| link.counters_at(pool, now))
                .collect(),
            flows: tallies.all().to_vec(),
        });
    }
}
