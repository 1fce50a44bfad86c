//! The probes of all measures of a run.

use pacesim::model::Model;
use pacesim::net::{DropCause, HeldClasses, Packet, Passage, Probe};
use pacesim::units::{LinkId, Time};
use pacesim_study::measure::Measure;

use crate::measuring;
use crate::schema::Watching;

/// The probe of each measure, in their order; `None` for measures derived from the results of
/// flows, links or transfers. It exists only in runs with measures.
#[derive(Default)]
pub struct Probes(pub(crate) Vec<Option<Box<dyn Watching>>>);

impl Probes {
    pub(crate) fn new(model: &Model, measures: &[Measure]) -> Probes {
        let probe = |measure: &Measure| measuring(&measure.kind).probe(model);
        Probes(measures.iter().map(probe).collect())
    }

    /// The bytes of the samples that they will have kept at the end of the run.
    pub(crate) fn kept_bytes(&self) -> u64 {
        let each = self.0.iter().flatten();
        each.map(|probe| probe.kept_bytes()).sum()
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Box<dyn Watching>> {
        self.0.iter_mut().flatten()
    }
}

impl Probe for Probes {
    /// True if a probe watches packets; otherwise the network may work ahead of time.
    fn in_order(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        self.each()
            .for_each(|probe| probe.accepted(now, link, packet, passage));
    }

    fn held(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.each().for_each(|probe| probe.held(now, link, packet));
    }

    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        self.each()
            .for_each(|probe| probe.released(now, link, packet, arrived));
    }

    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        self.each()
            .for_each(|probe| probe.queued(now, link, packet));
    }

    fn trimmed(&mut self, now: Time, link: LinkId, packet: &Packet, bytes: u32) {
        self.each()
            .for_each(|probe| probe.trimmed(now, link, packet, bytes));
    }

    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        self.each()
            .for_each(|probe| probe.dropped(now, link, packet, cause));
    }

    fn paused(&mut self, now: Time, link: LinkId, held: HeldClasses) {
        self.each().for_each(|probe| probe.paused(now, link, held));
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.each().for_each(|probe| probe.delivered(now, packet));
    }
}
