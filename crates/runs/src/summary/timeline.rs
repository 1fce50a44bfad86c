//! One link over time, coarse enough for a line of text.

use pacesim::World;
use pacesim::measure::loss_ratio;
use pacesim::model::Model;
use pacesim::net::Probe;
use pacesim::units::{LinkId, Span};
use serde::Serialize;

use crate::sampler::{Sample, Sampler};
use crate::summary::links;

/// Number of intervals in a timeline.
const INTERVALS: u64 = 60;
/// The number of links watched, since the most loaded one is known only at the end.
const WATCHED: usize = 64;

/// A link over the whole run, warm-up included, at equal intervals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// Name of the link.
    pub link: String,
    /// Length of an interval, in seconds.
    pub interval_s: f64,
    /// Share of the interval in which the line was busy.
    pub utilisation: Vec<f64>,
    /// Share of packets not delivered in the interval; null if there were none.
    pub loss_ratio: Vec<Option<f64>>,
}

/// The timelines of all links that may turn out to be the most loaded.
pub struct Timelines {
    sampler: Sampler,
    timelines: Vec<Timeline>,
}

impl Timelines {
    /// Timelines of a model, without samples.
    pub fn new(model: &Model) -> Timelines {
        let mut watched = links::notable(model);
        watched.truncate(WATCHED);
        let interval = Span::from_ps((model.duration.as_ps() / INTERVALS).max(1));
        let timeline = |place: &usize| Timeline {
            link: model.links[*place].name.to_string(),
            interval_s: interval.as_secs_f64(),
            utilisation: Vec::new(),
            loss_ratio: Vec::new(),
        };
        Timelines {
            timelines: watched.iter().map(timeline).collect(),
            sampler: Sampler::new(watched.into_iter().map(LinkId::from_index), interval),
        }
    }

    pub(crate) fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    pub(crate) fn sample<P: Probe>(&mut self, world: &World<P>) {
        for (timeline, sample) in self.timelines.iter_mut().zip(self.sampler.take(world)) {
            timeline.add(&sample);
        }
    }

    /// The timeline of the link with this name, if it was watched.
    pub(crate) fn into_one(self, link: &str) -> Option<Timeline> {
        self.timelines
            .into_iter()
            .find(|timeline| timeline.link == link)
    }
}

impl Timeline {
    fn add(&mut self, sample: &Sample) {
        self.utilisation.push(sample.utilisation);
        let at_port = (sample.dropped_pkts, sample.arrived_pkts);
        let on_wire = (sample.lost_pkts, sample.reached_pkts);
        self.loss_ratio.push(loss_ratio(at_port, on_wire));
    }
}
