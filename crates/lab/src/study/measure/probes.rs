//! The probes of all measures of a run.

use pacesim::model::Model;
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{LinkId, Time};
use pacesim_study::measure::Measure;

use super::autocovariance::Products;
use super::burstiness::Spreads;
use super::delays::Distribution;
use super::gaps::Between;
use super::queue::Levels;
use super::queue_autocovariance::Looks;
use super::queue_length::Followed;
use super::tap::Tap;
use super::volumes::{Rates, SelfSimilarity};
use super::{Found, asked};

/// What watches a run for one measure. It exists only in runs that measure something; others have
/// no probe at all in its place.
pub(in crate::study) enum Watching {
    Burstiness(Tap<Spreads>),
    Autocovariance(Tap<Products>),
    Hurst(Tap<SelfSimilarity>),
    Gaps(Tap<Between>),
    Throughput(Tap<Rates>),
    Queue(Box<Followed<Levels>>),
    QueueAutocovariance(Box<Followed<Looks>>),
    Delays(Box<Distribution>),
    /// It follows from the results of flows or transfers.
    Nothing,
}

/// Passes a call on to the probe.
macro_rules! each {
    ($probes:ident, $probe:ident => $call:expr) => {
        for watching in &mut $probes.0 {
            match watching {
                Watching::Burstiness($probe) => $call,
                Watching::Autocovariance($probe) => $call,
                Watching::Hurst($probe) => $call,
                Watching::Gaps($probe) => $call,
                Watching::Throughput($probe) => $call,
                Watching::Queue($probe) => $call,
                Watching::QueueAutocovariance($probe) => $call,
                Watching::Delays($probe) => $call,
                Watching::Nothing => (),
            }
        }
    };
}

/// A probe for each measure, in their order.
#[derive(Default)]
pub(in crate::study) struct Probes(Vec<Watching>);

impl Probes {
    pub(super) fn new(model: &Model, measures: &[Measure]) -> Probes {
        let watch = |measure: &Measure| asked(&measure.kind).watch(model);
        let all = measures.iter().map(watch);
        Probes(
            all.map(|found| found.unwrap_or(Watching::Nothing))
                .collect(),
        )
    }

    /// What each has found by the end of the run.
    pub(super) fn found(self, end: Time) -> impl Iterator<Item = Found> {
        self.0.into_iter().map(move |watching| match watching {
            Watching::Burstiness(tap) => tap.found(end),
            Watching::Autocovariance(tap) => tap.found(end),
            Watching::Hurst(tap) => tap.found(end),
            Watching::Gaps(tap) => tap.found(end),
            Watching::Throughput(tap) => tap.found(end),
            Watching::Queue(queue) => queue.found(end),
            Watching::QueueAutocovariance(queue) => queue.found(end),
            Watching::Delays(delays) => delays.found(),
            Watching::Nothing => Found::default(),
        })
    }
}

impl Probe for Probes {
    /// Where nothing watches packets, the network may work ahead of time.
    fn in_order(&self) -> bool {
        !self.0.iter().all(|one| matches!(one, Watching::Nothing))
    }

    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        each!(self, probe => probe.accepted(now, link, packet, passage));
    }

    #[inline]
    fn held(&mut self, now: Time, link: LinkId, packet: &Packet) {
        each!(self, probe => probe.held(now, link, packet));
    }

    #[inline]
    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        each!(self, probe => probe.released(now, link, packet, arrived));
    }

    #[inline]
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        each!(self, probe => probe.queued(now, link, packet));
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        each!(self, probe => probe.dropped(now, link, packet, cause));
    }

    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet) {
        each!(self, probe => probe.delivered(now, packet));
    }
}
