//! Samples of links at equal intervals.

use pacesim::World;
use pacesim::net::{Counters, Probe, Volume};
use pacesim::units::{LinkId, Span, Time};

/// The counts of a link so far, and the packets that wait at its port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    counters: Counters,
    pub(crate) arrived_pkts: u64,
    pub(crate) dropped_pkts: u64,
    pub(crate) lost_pkts: u64,
    pub(crate) reached_pkts: u64,
    pub(crate) waiting_pkts: u64,
    pub(crate) waiting_bytes: u64,
    /// The packets that its pacer holds, if it has one.
    pub held: Option<Volume>,
    /// The state of its queue discipline, if it exposes one.
    state: Option<f64>,
    /// The packets that wait in each class, if its queue discipline keeps classes apart.
    classes: Option<[u64; 4]>,
    /// The bytes in use of the memory that the port shares, if it does.
    shared_bytes: Option<u64>,
}

/// The counts of a link in one interval, and the packets that wait at its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) link: LinkId,
    pub(crate) arrived_pkts: u64,
    pub(crate) dropped_pkts: u64,
    pub(crate) lost_pkts: u64,
    pub(crate) reached_pkts: u64,
    pub(crate) left_bytes: u64,
    /// Share of the interval in which the line was busy.
    pub utilisation: f64,
    pub(crate) waiting_pkts: u64,
    pub(crate) waiting_bytes: u64,
    /// The packets that its pacer holds, if it has one.
    pub held: Option<Volume>,
    pub(crate) marked_pkts: u64,
    /// The state of its queue discipline, if it exposes one.
    pub(crate) state: Option<f64>,
    /// The packets that wait in each class, if its queue discipline keeps classes apart.
    pub(crate) classes: Option<[u64; 4]>,
    /// The bytes in use of the memory that the port shares, if it does.
    pub(crate) shared_bytes: Option<u64>,
}

/// Samples some links at the end of each interval.
pub(crate) struct Sampler {
    interval: Span,
    /// The end of the current interval.
    due: Time,
    links: Vec<(LinkId, Reading)>,
}

impl Sampler {
    /// A sampler of these links, from the start of the run.
    pub(crate) fn new(links: impl IntoIterator<Item = LinkId>, interval: Span) -> Sampler {
        assert!(!interval.is_zero(), "a checked interval is not zero");
        Sampler {
            interval,
            due: Time::ZERO.saturating_add(interval),
            links: links
                .into_iter()
                .map(|link| (link, Reading::default()))
                .collect(),
        }
    }

    pub(crate) fn interval(&self) -> Span {
        self.interval
    }

    /// The time of the next sample.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// The samples of the interval that ends, link by link; starts the next one.
    pub(crate) fn take<P: Probe>(&mut self, world: &World<P>) -> impl Iterator<Item = Sample> {
        self.due = self.due.saturating_add(self.interval);
        self.links.iter_mut().map(|(link, before)| {
            let now = read(world, *link);
            let sample = now.since(before, *link, self.interval);
            *before = now;
            sample
        })
    }
}

impl Reading {
    fn since(&self, before: &Reading, link: LinkId, interval: Span) -> Sample {
        Sample {
            link,
            arrived_pkts: self.arrived_pkts - before.arrived_pkts,
            dropped_pkts: self.dropped_pkts - before.dropped_pkts,
            lost_pkts: self.lost_pkts - before.lost_pkts,
            reached_pkts: self.reached_pkts - before.reached_pkts,
            left_bytes: self.counters.left.bytes - before.counters.left.bytes,
            utilisation: self.counters.utilisation_since(&before.counters, interval),
            waiting_pkts: self.waiting_pkts,
            waiting_bytes: self.waiting_bytes,
            held: self.held,
            marked_pkts: (self.counters.marked - before.counters.marked).packets,
            state: self.state,
            classes: self.classes,
            shared_bytes: self.shared_bytes,
        }
    }
}

fn read<P: Probe>(world: &World<P>, link: LinkId) -> Reading {
    let counters = world.link(link);
    let (waiting_pkts, waiting_bytes) = world.waiting(link);
    let held = world.held(link).map(|hold| hold.held());
    let queued = world.queued(link).map(|hold| hold.held());
    // Packets held by a pacer or a queue discipline are not yet accepted.
    let staged = [held, queued].into_iter().flatten();
    let staged_pkts: u64 = staged.map(|volume| volume.packets).sum();
    let state = world.queue(link).and_then(|queue| queue.state());
    Reading {
        held,
        state: state.map(|state| state.value),
        classes: world.waiting_in_classes(link),
        shared_bytes: world.shared_memory(link).map(|memory| memory.used),
        arrived_pkts: staged_pkts + counters.accepted.packets + counters.dropped.packets,
        dropped_pkts: counters.dropped.packets,
        lost_pkts: counters.lost.packets,
        reached_pkts: counters.reached,
        counters,
        waiting_pkts,
        waiting_bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::model::{Model, PortQueue};
    use pacesim::scenario::load;

    /// Two packets arrive for each that leaves, behind a pacer that holds them first.
    fn overloaded() -> Model {
        let text = r#"
            run = { duration = "1s" }
            node = [{ name = "a" }, { name = "b" }]
            [[link]]
            name = "l"
            from = "a"
            to = "b"
            rate = "1Mbps"
            pacer = { kind = "leaky_bucket", rate = "1500kbps" }
            [[flow]]
            name = "f"
            from = "a"
            to = "b"
            stop = "500ms"
            traffic = { kind = "cbr", rate = "2Mbps", size = "1000B" }
        "#;
        let checked = load("overloaded.toml", text, &[], &()).expect("it is sound");
        checked.expand(1, 0)
    }

    fn arrivals(model: Model) -> Vec<u64> {
        let mut world = World::new(model).expect("a connected network");
        let mut sampler = Sampler::new([LinkId(0)], Span::from_ms(100));
        let mut arrivals = Vec::new();
        while sampler.due() <= Time::ZERO + Span::from_secs(1) {
            world.run_until(sampler.due());
            arrivals.extend(sampler.take(&world).map(|sample| sample.arrived_pkts));
        }
        arrivals
    }

    #[test]
    fn what_a_queue_discipline_holds_has_arrived() {
        let mut staged = overloaded();
        staged.links[0].extras.queue = Some(PortQueue::DropTail);
        assert_eq!(arrivals(staged), arrivals(overloaded()));
    }
}
