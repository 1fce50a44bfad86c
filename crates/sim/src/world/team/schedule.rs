//! Counts of a run in parts: the work that more cores would do at the same time.

use std::sync::atomic::{AtomicI64, Ordering};

use pacesim_core::net::Probe;

use crate::cut::loads::{CROSSING, WAIT};
use crate::world::{World, WorldNetwork};

/// The work of a run in parts. Only counts, which are the same on any machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Rounds, in each of which every part runs alone once.
    pub rounds: u64,
    /// Packet-hops of all parts.
    pub packet_hops: u64,
    /// Packets that crossed into another part.
    pub crossings: u64,
    /// Packet-hops on the longest chain of rounds that wait for each other: the critical path.
    pub critical_hops: u64,
    /// The same with the work of crossings and waits, in packet-hops as measured on two cores.
    pub critical_work: u64,
}

impl Schedule {
    /// The speed on as many cores as parts against one, from the counts alone: packets cross for nothing,
    /// and a wait costs nothing but its length.
    pub fn bound(&self) -> f64 {
        self.packet_hops as f64 / self.critical_hops.max(1) as f64
    }

    /// The speed with the work of crossings and waits.
    pub fn speed_up(&self) -> f64 {
        self.packet_hops as f64 / self.critical_work.max(1) as f64
    }
}

/// The chain of rounds that ends with the last of a part: its packet-hops, and its work.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain([i64; 2]);

/// The work of one part so far in a slice of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    rounds: u64,
    /// A packet that has come from another part and is not yet due makes them one less until it is.
    packet_hops: i64,
    crossings: u64,
    chain: Chain,
}

/// Counts the work of one part.
pub(super) struct Counter {
    work: Work,
    /// The packet-hops of its network at the end of the last round.
    before: u64,
}

impl Counter {
    pub(super) fn of(network: &WorldNetwork) -> Counter {
        Counter {
            work: Work::default(),
            before: network.packet_hops(),
        }
    }

    /// Adds a round.
    pub(super) fn add(&mut self, network: &WorldNetwork, crossings: u64) {
        let all = network.packet_hops();
        let hops = all.wrapping_sub(self.before) as i64;
        self.before = all;
        self.work.rounds += 1;
        self.work.packet_hops += hops;
        self.work.crossings += crossings;
        let more = CROSSING * crossings as f64 + WAIT;
        let chain = &mut self.work.chain.0;
        *chain = [chain[0] + hops, chain[1] + hops + more as i64];
    }

    /// The next round begins when those of others have ended.
    pub(super) fn wait_for<'c>(&mut self, others: impl Iterator<Item = &'c SharedChain>) {
        let chain = &mut self.work.chain.0;
        for other in others {
            let other = other.get().0;
            *chain = [0, 1].map(|of| chain[of].max(other[of]));
        }
    }

    pub(super) fn chain(&self) -> Chain {
        self.work.chain
    }

    pub(super) fn work(self) -> Work {
        self.work
    }
}

impl Schedule {
    /// Adds a slice of a run, at whose end all parts meet.
    pub(super) fn add(&mut self, works: &[Work]) {
        let hops: i64 = works.iter().map(|work| work.packet_hops).sum();
        self.packet_hops = self.packet_hops.wrapping_add(hops as u64);
        self.crossings += works.iter().map(|work| work.crossings).sum::<u64>();
        if let Some(Work { rounds, chain, .. }) = works.first() {
            self.rounds += rounds;
            self.critical_hops += chain.0[0] as u64;
            self.critical_work += chain.0[1] as u64;
        }
    }
}

/// A chain that other threads read.
#[derive(Debug, Default)]
pub(super) struct SharedChain([AtomicI64; 2]);

impl SharedChain {
    pub(super) fn set(&self, chain: Chain) {
        for (shared, own) in self.0.iter().zip(chain.0) {
            shared.store(own, Ordering::Relaxed);
        }
    }

    pub(super) fn get(&self) -> Chain {
        Chain([0, 1].map(|of| self.0[of].load(Ordering::Relaxed)))
    }
}

impl<P: Probe> World<P> {
    /// The work so far of a world whose [division counts](crate::Cut::counting) it.
    pub fn schedule(&self) -> Option<&Schedule> {
        self.team.as_ref()?.schedule.as_ref()
    }
}
