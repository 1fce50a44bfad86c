//! The probes of all measures of a run.

use pacesim::model::Model;
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{LinkId, Time};
use pacesim_study::measure::{Measure, MeasureKind};

use crate::autocovariance::Products;
use crate::burstiness::Spreads;
use crate::delays::Distribution;
use crate::gaps::Between;
use crate::queue::Levels;
use crate::queue_autocovariance::Looks;
use crate::queue_length::Followed;
use crate::schema::{Measurement, Watched};
use crate::tap::Tap;
use crate::volumes::{Rates, SelfSimilarity};

/// The probe of one measure. It exists only in runs that measure something; others have
/// no probe at all in its place.
pub(crate) enum Watching {
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

impl Watching {
    /// The probe of a kind of measure in this model, if the model can have it.
    fn of(kind: &MeasureKind, model: &Model) -> Option<Watching> {
        Some(match kind {
            MeasureKind::Burstiness(asked) => Watching::Burstiness(asked.probe(model)?),
            MeasureKind::Autocovariance(asked) => Watching::Autocovariance(asked.probe(model)?),
            MeasureKind::Hurst(asked) => Watching::Hurst(asked.probe(model)?),
            MeasureKind::Gaps(asked) => Watching::Gaps(asked.probe(model)?),
            MeasureKind::Throughput(asked) => Watching::Throughput(asked.probe(model)?),
            MeasureKind::Queue(asked) => Watching::Queue(asked.probe(model)?.into()),
            MeasureKind::QueueAutocovariance(asked) => {
                Watching::QueueAutocovariance(asked.probe(model)?.into())
            }
            MeasureKind::Delays(asked) => Watching::Delays(asked.probe(model)?.into()),
            MeasureKind::Completions(_)
            | MeasureKind::Fairness(_)
            | MeasureKind::Losses(_)
            | MeasureKind::Loads(_) => Watching::Nothing,
        })
    }
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
pub struct Probes(Vec<Watching>);

impl Probes {
    pub(crate) fn new(model: &Model, measures: &[Measure]) -> Probes {
        let watch = |measure: &Measure| Watching::of(&measure.kind, model);
        let all = measures.iter().map(watch);
        Probes(
            all.map(|found| found.unwrap_or(Watching::Nothing))
                .collect(),
        )
    }

    /// The findings of each by the end of the run.
    pub(crate) fn found(self, end: Time) -> impl Iterator<Item = Measurement> {
        self.0.into_iter().map(move |watching| match watching {
            Watching::Burstiness(tap) => tap.found(end),
            Watching::Autocovariance(tap) => tap.found(end),
            Watching::Hurst(tap) => tap.found(end),
            Watching::Gaps(tap) => tap.found(end),
            Watching::Throughput(tap) => tap.found(end),
            Watching::Queue(queue) => queue.found(end),
            Watching::QueueAutocovariance(queue) => queue.found(end),
            Watching::Delays(delays) => delays.found(),
            Watching::Nothing => Measurement::default(),
        })
    }
}

impl Probe for Probes {
    /// True if a probe watches packets; otherwise the network may work ahead of time.
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
