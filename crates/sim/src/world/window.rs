//! The measured part of a run, from the end of the warm-up.

use pacesim_core::net::{Counters, HoldCounters, MemoryCounters, MiddleboxId, PauseCounters};
use pacesim_pacers::{Pacer, Use};
use pacesim_units::{LinkId, Time};

use super::WorldNetwork;
use super::pairs::PairCounters;
use super::tally::{FlowTally, Tallies};
use super::totals::Totals;

/// The counters at the start of statistics. The hot path only counts up; readers subtract these.
pub(super) struct Window {
    pub(super) start: Time,
    is_open: bool,
    /// `None` if statistics started with the run, when all counters were zero.
    at_start: Option<AtStart>,
}

pub(super) struct AtStart {
    pub(super) links: Vec<Counters>,
    /// The counters of links that have such a stage, in the order of links.
    pacers: Vec<(LinkId, HoldCounters)>,
    queues: Vec<(LinkId, HoldCounters)>,
    /// Shared memories of ports.
    pauses: Vec<(LinkId, PauseCounters)>,
    memories: Vec<(LinkId, MemoryCounters)>,
    /// The use of pacers that have a rate of their own.
    rates: Vec<(LinkId, Use)>,
    /// The counts of encoders and decoders.
    pub(super) pairs: Vec<PairCounters>,
    pub(super) flows: Vec<FlowTally>,
    /// The total counts of each TCP flow's connections.
    pub(super) sessions: Vec<Totals>,
}

impl Window {
    pub(super) fn new(start: Time) -> Window {
        Window {
            start,
            is_open: false,
            at_start: None,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(super) fn at_start(&self) -> Option<&AtStart> {
        self.at_start.as_ref()
    }

    /// The last instant that is not measured.
    pub(super) fn last_before(&self) -> Option<Time> {
        self.start.as_ps().checked_sub(1).map(Time::from_ps)
    }

    /// Starts statistics: the counts so far are subtracted later.
    pub(super) fn open(
        &mut self,
        network: &mut WorldNetwork,
        tallies: &mut Tallies,
        sessions: impl FnOnce() -> Vec<Totals>,
        pairs: impl Iterator<Item = [MiddleboxId; 2]>,
    ) {
        let now = self.start;
        self.is_open = true;
        if now == Time::ZERO {
            return;
        }
        network.restart_maxima(now);
        tallies.restart_delays();
        let pairs = pairs.map(|ids| PairCounters::restarted(network, ids));
        let pairs = pairs.collect();
        let links = (0..network.links()).map(LinkId::from_index);
        let of_pacer = |link| Some((link, network.gate_counters(link, now)?));
        let of_rate = |link| Some((link, network.gate(link)?.pacer.in_use(now)?));
        let of_queue = |link| Some((link, network.queue_counters(link, now)?));
        let of_pauses = |link| Some((link, network.pause_counters(link, now)?));
        let of_memory = |link| Some((link, network.memory_counters(link, now)?));
        self.at_start = Some(AtStart {
            links: links
                .clone()
                .map(|link| network.counters(link, now))
                .collect(),
            pacers: links.clone().filter_map(of_pacer).collect(),
            rates: links.clone().filter_map(of_rate).collect(),
            queues: links.clone().filter_map(of_queue).collect(),
            memories: links.clone().filter_map(of_memory).collect(),
            pauses: links.filter_map(of_pauses).collect(),
            pairs,
            flows: tallies.all().collect(),
            sessions: sessions(),
        });
    }
}

/// The same of a world in parts.
impl Window {
    /// Sets the packets that had reached the far end of each link, which no part knows alone.
    pub(super) fn set_reached(&mut self, reached: &[u64]) {
        let links = self.at_start.iter_mut().flat_map(|start| &mut start.links);
        for (link, reached) in links.zip(reached) {
            link.reached = *reached;
        }
    }

    /// Adds the tallies of flows in another part.
    pub(super) fn add_tallies(&mut self, other: &Window) {
        if let (Some(ours), Some(theirs)) = (&mut self.at_start, &other.at_start) {
            for (sum, more) in ours.flows.iter_mut().zip(&theirs.flows) {
                *sum += more;
            }
        }
    }

    /// Takes the counts of a TCP flow whose sender, receiver or both are in another part.
    pub(super) fn take_totals(&mut self, other: &Window, session: usize, ends: [bool; 2]) {
        let (Some(ours), Some(theirs)) = (&mut self.at_start, &other.at_start) else {
            return;
        };
        let (ours, theirs) = (&mut ours.sessions[session], &theirs.sessions[session]);
        let [sends, receives] = ends;
        let goodput_bytes = match receives {
            true => theirs.goodput_bytes,
            false => ours.goodput_bytes,
        };
        if sends {
            *ours = *theirs;
        }
        ours.goodput_bytes = goodput_bytes;
    }
}

impl AtStart {
    /// The counters of a link's pacer.
    pub(super) fn pacer(&self, link: LinkId) -> Option<HoldCounters> {
        find(&self.pacers, link)
    }

    /// The use of its pacer's rate.
    pub(super) fn rate(&self, link: LinkId) -> Option<Use> {
        find(&self.rates, link)
    }

    /// The counters of a link's queue discipline.
    pub(super) fn queue(&self, link: LinkId) -> Option<HoldCounters> {
        find(&self.queues, link)
    }

    /// The counters of requests at a link's port to hold packets.
    pub(super) fn pauses(&self, link: LinkId) -> Option<PauseCounters> {
        find(&self.pauses, link)
    }

    /// The counters of the memory that a link's port shares.
    pub(super) fn memory(&self, link: LinkId) -> Option<MemoryCounters> {
        find(&self.memories, link)
    }
}

fn find<T: Copy>(all: &[(LinkId, T)], link: LinkId) -> Option<T> {
    let place = all.binary_search_by_key(&link, |(link, _)| *link);
    Some(all[place.ok()?].1)
}
