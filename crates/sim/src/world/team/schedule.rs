//! Counts of a run in parts, window by window: the work that more cores would do at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use pacesim_core::net::Probe;

use crate::cut::loads::{CROSSING, WAIT};
use crate::world::World;

/// The work of a run in parts. Only counts, which are the same on any machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Windows in which all parts run at the same time.
    pub windows: u64,
    /// Packet-hops of all parts.
    pub packet_hops: u64,
    /// Packet-hops of the busiest part of each window: the critical path.
    pub critical_hops: u64,
    /// Packets that crossed into another part.
    pub crossings: u64,
    /// The most packets that crossed out of one part in each window.
    pub critical_crossings: u64,
}

impl Schedule {
    /// The speed on as many cores as parts against one, from the counts alone: nothing waits and packets
    /// cross for nothing.
    pub fn bound(&self) -> f64 {
        self.packet_hops as f64 / self.critical_hops.max(1) as f64
    }

    /// The speed with the work of crossings and waits, in packet-hops as measured on two cores.
    pub fn speed_up(&self) -> f64 {
        let crossings = CROSSING * self.critical_crossings as f64;
        let time = self.critical_hops as f64 + crossings + WAIT * self.windows as f64;
        self.packet_hops as f64 / time.max(1.0)
    }
}

/// The work of each part in a window.
pub(super) struct Counts {
    hops: Vec<AtomicU64>,
    crossings: Vec<AtomicU64>,
}

impl Counts {
    pub(super) fn new(parts: usize) -> Counts {
        let numbers = || (0..parts).map(|_| AtomicU64::new(0)).collect();
        Counts {
            hops: numbers(),
            crossings: numbers(),
        }
    }

    /// Notes the work of one part. A packet that has come from another part and is not yet due makes
    /// its hops one less, which may wrap, until it is.
    pub(super) fn note(&self, me: usize, [hops, crossings]: [u64; 2]) {
        self.hops[me].store(hops, Ordering::Relaxed);
        self.crossings[me].store(crossings, Ordering::Relaxed);
    }

    /// Adds a window of all parts.
    pub(super) fn add_to(&self, schedule: &mut Schedule) {
        let [hops, crossings] = [&self.hops, &self.crossings].map(|counts| {
            let counts = counts
                .iter()
                .map(|count| count.load(Ordering::Relaxed) as i64);
            counts.fold((0, 0), |(sum, most): (i64, i64), count| {
                (sum.wrapping_add(count), most.max(count))
            })
        });
        schedule.windows += 1;
        schedule.packet_hops = schedule.packet_hops.wrapping_add(hops.0 as u64);
        schedule.critical_hops += hops.1 as u64;
        schedule.crossings += crossings.0 as u64;
        schedule.critical_crossings += crossings.1 as u64;
    }
}

impl<P: Probe> World<P> {
    /// The work so far of a world whose [division counts](crate::Cut::counting) it.
    pub fn schedule(&self) -> Option<&Schedule> {
        self.team.as_ref()?.schedule.as_ref()
    }
}
