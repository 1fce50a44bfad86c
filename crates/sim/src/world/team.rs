//! A world in parts, each of which runs on a thread of its own.
//!
//! Each part is a world of the same model that starts only the flows of its own nodes, and hands packets
//! on to the others (`team/course.rs`). Links, flows and timers have the same numbers everywhere, so the
//! order of events in a part is the total order without those of other nodes, and every port sees the
//! packets that it would see in one world. The first part is the face: it reads counters of
//! links from the part of their port, and has all flows at the end.

mod course;
mod flows;
mod hesitation;
mod rounds;
mod schedule;
mod ways;

use std::sync::Arc;

use pacesim_core::net::{Counters, Probe, fingerprint_of_all};
use pacesim_units::{FlowId, LinkId, NodeId, Time};

use super::beginning::Share;
use super::build;
use super::tally::FlowTally;
use super::{BuildError, World};
use crate::cut::Cut;
use crate::lanes::joined;
use crate::model::Model;
use course::{Common, run_parts};
pub use schedule::Schedule;

/// A probe of which each part of a world has one. It needs no order in time.
pub trait Divisible: Probe + Send {
    /// An empty probe for another part.
    fn for_part(&self) -> Self;

    /// Adds the observations of another part.
    fn absorb(&mut self, part: &mut Self);
}

impl Divisible for () {
    fn for_part(&self) {}

    fn absorb(&mut self, (): &mut ()) {}
}

impl<A: Divisible, B: Divisible> Divisible for (A, B) {
    fn for_part(&self) -> (A, B) {
        (self.0.for_part(), self.1.for_part())
    }

    fn absorb(&mut self, part: &mut (A, B)) {
        self.0.absorb(&mut part.0);
        self.1.absorb(&mut part.1);
    }
}

/// The parts of a world beside its face.
pub(super) struct Team<P: Probe> {
    cut: Cut,
    common: Common,
    others: Vec<World<P>>,
    /// True once the face has all flows.
    is_gathered: bool,
    /// Counts of the work, if they are wanted.
    schedule: Option<Schedule>,
    // Functions that need more of the probe than other worlds do.
    run: Run<P>,
    absorb: fn(&mut P, &mut P),
}

type Run<P> = fn(&mut [&mut World<P>], &Common, [Time; 2], Option<&mut Schedule>);

impl<P: Divisible> World<P> {
    /// A world whose parts run on threads of their own, with the results of a world on one thread. It
    /// runs [to times](World::run_towards), but not step by step.
    pub fn on_threads(model: Model, probe: P, cut: &Cut) -> Result<World<P>, BuildError> {
        let model = Arc::new(model);
        let build = |model, probe, part| build::build(model, probe, Some(Share { cut, part }));
        let (face, others) = std::thread::scope(|scope| {
            let spawn = |part| {
                let (model, probe) = (model.clone(), probe.for_part());
                scope.spawn(move || build(model, probe, part))
            };
            let others: Vec<_> = (1..cut.parts()).map(spawn).collect();
            let face = build(model, probe, 0);
            (face, others.into_iter().map(joined).collect())
        });
        let (mut face, others): (_, Result<Vec<_>, BuildError>) = (face?, others);
        let others = others?;
        face.team = Some(Box::new(Team {
            common: Common::of(cut, &face.model),
            cut: cut.clone(),
            others,
            is_gathered: false,
            schedule: cut.is_counting().then(Schedule::default),
            run: run_parts,
            absorb: P::absorb,
        }));
        Ok(face)
    }
}

impl<P: Probe> Team<P> {
    /// All parts but the face.
    pub(super) fn others_mut(&mut self) -> &mut [World<P>] {
        &mut self.others
    }

    fn part<'w>(&'w self, face: &'w World<P>, node: NodeId) -> &'w World<P> {
        match self.cut.part_of(node) {
            0 => face,
            part => &self.others[part as usize - 1],
        }
    }
}

impl<P: Probe> World<P> {
    /// The number of threads that the world runs on.
    pub fn threads(&self) -> usize {
        self.parts().count()
    }

    /// All parts, the face first; the world itself if it has no others.
    pub(super) fn parts(&self) -> impl Iterator<Item = &World<P>> {
        let others = self.team.iter().flat_map(|team| &team.others);
        std::iter::once(self).chain(others)
    }

    /// The part that has a node.
    pub(super) fn at_node(&self, node: NodeId) -> &World<P> {
        match &self.team {
            None => self,
            Some(team) => team.part(self, node),
        }
    }

    /// The part that has the port of a link.
    pub(super) fn at_port(&self, link: LinkId) -> &World<P> {
        match &self.team {
            None => self,
            Some(team) => team.part(self, self.model.links[link.index()].from),
        }
    }

    /// The counters of a link, wherever its port is.
    pub(super) fn counters(&self, link: LinkId) -> Counters {
        let at_port = self.at_port(link).network.counters(link, self.now);
        Counters {
            reached: self.reached(link),
            ..at_port
        }
    }

    fn reached(&self, link: LinkId) -> u64 {
        let all = self.parts().map(|part| part.network.reached(link));
        all.fold(0, u64::wrapping_add)
    }

    /// The counters of a flow since the start, from all parts.
    pub(super) fn tally(&self, flow: FlowId) -> FlowTally {
        let mut sum = self.tallies.of(flow);
        for other in self.parts().skip(1) {
            sum += &other.tallies.of(flow);
        }
        sum
    }

    /// The fingerprint of all links.
    pub(super) fn fingerprint_of_links(&self) -> u64 {
        if self.team.is_none() {
            return self.network.fingerprint();
        }
        let links = (0..self.model.links.len()).map(LinkId::from_index);
        fingerprint_of_all(links.map(|link| self.link_fingerprint(link)))
    }

    /// Runs all parts up to `until`, as [`World::run_towards`] runs one.
    pub(super) fn run_team(&mut self, until: Time, next_look: Time) -> bool {
        let until = until.min(self.end);
        if self.window.start <= until && !self.window.is_open() {
            let before = self.window.last_before();
            let before = before.expect("a run without warm-up is measured from the start");
            self.advance_team(before, before);
            self.open_windows();
        }
        let look = match self.window.last_before() {
            Some(before) if !self.window.is_open() => next_look.min(before),
            _ => next_look,
        };
        self.advance_team(until, look.min(self.end).max(until));
        if self.now == self.end {
            self.gather();
        }
        true
    }

    fn advance_team(&mut self, until: Time, horizon: Time) {
        let Some(mut team) = self.team.take().filter(|_| self.gave_up.is_none()) else {
            return;
        };
        let others = team.others.iter_mut();
        let mut parts: Vec<&mut World<P>> = std::iter::once(&mut *self).chain(others).collect();
        let schedule = team.schedule.as_mut();
        let times = [until, horizon];
        (team.run)(&mut parts, &team.common, times, schedule);
        for part in parts {
            part.now = part.now.max(until);
        }
        let stopped = team.others.iter().filter_map(|part| part.gave_up.clone());
        self.gave_up = stopped.chain(self.gave_up.take()).min_by_key(|of| of.at);
        self.team = Some(team);
        self.stop_if_beyond(until);
    }

    /// Starts statistics in all parts.
    fn open_windows(&mut self) {
        let Some(mut team) = self.team.take() else {
            return;
        };
        for part in std::iter::once(&mut *self).chain(&mut team.others) {
            part.now = part.window.start;
            part.open_window();
        }
        self.team = Some(team);
        // Packets on a wire between parts are counted by two of them.
        let reached: Vec<u64> = (0..self.model.links.len())
            .map(|link| self.reached(LinkId::from_index(link)))
            .collect();
        let mut team = self.team.take().expect("it has just been put back");
        for part in std::iter::once(&mut *self).chain(&mut team.others) {
            part.window.set_reached(&reached);
        }
        self.team = Some(team);
    }

    /// Fails while flows are spread over parts.
    pub(super) fn must_have_flows(&self) {
        let is_spread = self.team.as_ref().is_some_and(|team| !team.is_gathered);
        assert!(
            !is_spread,
            "a world on several threads reads its flows at the end"
        );
    }

    /// Fails for what worlds in parts cannot do.
    pub(super) fn must_be_whole(&self, deed: &str) {
        assert!(self.team.is_none(), "a world on several threads {deed}");
    }
}
