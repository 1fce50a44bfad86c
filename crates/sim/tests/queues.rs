//! Queue disciplines before lines: the reference equals the plain port, and drops and marks by a
//! user-defined discipline are accounted for.

use std::collections::{BTreeMap, VecDeque};

use crate::common::models;
use pacesim::World;
use pacesim::measure::record::LinkRow;
use pacesim::model::{Arrival, Buffer, Counts, Model, PortQueue, Sizes, Traffic};
use pacesim::net::{DropCause, Ecn, Middlebox, Packet, Passage, Probe, Step};
use pacesim::queue::OwnQueue;
use pacesim::queues::{DropTail, Line, Mark, Pending, Queue, Reason, Turn, Waiting, laws};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};
use proptest::prelude::*;

/// Link, flow, kind and number of a packet.
type Name = (u32, u32, u8, u32);
/// Arrival at a port and at its queue, and departure unless dropped.
type Fate = (Time, Time, Option<Time>);

/// The fate of each packet at each link.
#[derive(Clone, Default, Debug, PartialEq)]
struct Fates(BTreeMap<Name, Vec<Fate>>);

impl Fates {
    fn note(&mut self, link: LinkId, packet: &Packet, fate: Fate) {
        let name = (link.0, packet.flow.0, packet.kind() as u8, packet.seq);
        self.0.entry(name).or_default().push(fate);
    }
}

/// Notes fates and arrivals.
#[derive(Default)]
struct Watch {
    fates: Fates,
    deliveries: Vec<(Time, u32, u32)>,
}

impl Probe for Watch {
    fn accepted(&mut self, _: Time, link: LinkId, packet: &Packet, passage: Passage) {
        let fate = (passage.arrived, passage.joined, Some(passage.departure));
        self.fates.note(link, packet, fate);
    }
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        let arrived = match cause {
            DropCause::Full { arrived } => arrived,
            DropCause::Gate | DropCause::Wire => now,
            other => panic!("drop-tail has no cause {other:?}"),
        };
        self.fates.note(link, packet, (arrived, now, None));
    }
    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.deliveries.push((now, packet.flow.0, packet.seq));
    }
}

fn run(model: Model) -> World<Watch> {
    let mut world = World::watched(model, Watch::default()).expect("a connected network");
    world.run();
    world
}

/// The same model with a discipline at every link whose bit is set in the mask.
fn with_queues(model: &Model, queue: &PortQueue, mask: u32) -> Model {
    let mut queued = model.clone();
    for (i, link) in queued.links.iter_mut().enumerate() {
        link.extras.queue = (mask >> (i % 32) & 1 == 1).then(|| queue.clone());
    }
    queued
}

/// The plain port knows at once when a packet will leave; both know only of departures that have
/// happened.
fn settled(mut fates: Fates, end: Time) -> Fates {
    for of_packet in fates.0.values_mut() {
        of_packet.retain(|(_, _, departure)| departure.is_none_or(|departure| departure <= end));
    }
    fates.0.retain(|_, of_packet| !of_packet.is_empty());
    fates
}

fn equal_runs(model: Model, mask: u32) {
    let end = Time::ZERO + model.duration;
    let plain = run(model.clone());
    for queue in [PortQueue::DropTail, own_drop_tail().into()] {
        let queued = run(with_queues(&model, &queue, mask));
        assert_eq!(plain.probe().deliveries, queued.probe().deliveries);
        assert_eq!(plain.flow_rows(), queued.flow_rows());
        assert_eq!(plain.packet_hops(), queued.packet_hops());
        assert_eq!(plain.in_flight(), queued.in_flight());
        for (i, (before, after)) in plain.link_rows().iter().zip(queued.link_rows()).enumerate() {
            // At rates at which a byte takes a fraction of a picosecond, busy time is rounded at
            // either end.
            let rounding = 4.0 / plain.measured().as_ps() as f64;
            assert!(
                (before.utilisation - after.utilisation).abs() <= rounding,
                "link {i}: busy for {} and {}",
                before.utilisation,
                after.utilisation
            );
            let utilisation = before.utilisation;
            // Causes, reasons for marks and sojourn times are known only for a discipline.
            let after = LinkRow {
                utilisation,
                full_pkts: None,
                early_pkts: None,
                pushed_out_pkts: None,
                departure_pkts: None,
                threshold_marked_pkts: None,
                law_marked_pkts: None,
                probability_marked_pkts: None,
                coupled_marked_pkts: None,
                forced_marked_pkts: None,
                sojourn_mean_s: None,
                sojourn_p50_s: None,
                sojourn_p99_s: None,
                ..after
            };
            assert_eq!(*before, after, "link {i}");
            let link = LinkId::from_index(i);
            assert_eq!(plain.waiting(link), queued.waiting(link), "link {i}");
        }
        let mut links = (0..model.links.len()).map(|i| plain.link(LinkId::from_index(i)));
        let loses = links.any(|link| (link.dropped + link.lost).packets > 0);
        if !loses && plain.in_flight() == 0 {
            assert_eq!(plain.fingerprint(), queued.fingerprint());
        }
        let [plain, queued] =
            [&plain, &queued].map(|world| settled(world.probe().fates.clone(), end));
        assert_eq!(plain, queued);
    }
}

fn own_drop_tail() -> OwnQueue {
    OwnQueue::new("fifo", |port| {
        let counts_sending = port.buffer.counts == Counts::System;
        DropTail::new(port.buffer.capacity, counts_sending)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_reference_discipline_equals_the_plain_port_packet_by_packet(
        model in models(),
        mask in any::<u32>(),
        warmup_ps in 0u64..10_000_000_000,
    ) {
        let warm = Model { warmup: Span::from_ps(warmup_ps), ..model.clone() };
        equal_runs(model, mask);
        equal_runs(warm, u32::MAX);
    }

    /// Few times and sizes on lines in step, so that everything happens at the same instants.
    #[test]
    fn ties_fall_as_at_the_plain_port(
        arrivals in prop::collection::vec(
            prop::collection::vec((0u64..12, 1u64..4), 0..30), 1..4),
        waiting in 0u64..4,
        system in any::<bool>(),
        in_bytes in any::<bool>(),
        mask in any::<u32>(),
    ) {
        let mut model = Model::new("ties", Span::from_ms(100));
        let nodes: Vec<NodeId> = (0..5).map(|i| model.add_node(format!("{i}"))).collect();
        let capacity = if in_bytes {
            Capacity::Bytes(Bytes(1000 * waiting))
        } else {
            Capacity::Packets(waiting)
        };
        let buffer = if system { Buffer::system(capacity) } else { Buffer::waiting(capacity) };
        for i in 0..3 {
            let access = model.add_link(nodes[i], nodes[3], Rate::from_mbps(8), Span::ZERO);
            model.link_mut(access).buffer = buffer;
        }
        let last = model.add_link(nodes[3], nodes[4], Rate::from_mbps(8), Span::from_ms(1));
        model.link_mut(last).buffer = buffer;
        for (i, list) in arrivals.into_iter().enumerate() {
            let mut list: Vec<Arrival> = list.into_iter().map(|(ms, thousands)| Arrival {
                at: Span::from_ms(ms),
                size: Bytes(1000 * thousands),
            }).collect();
            list.sort_unstable_by_key(|arrival| arrival.at);
            model.add_flow(nodes[i], nodes[4], Traffic::Recorded(list.into()));
        }
        equal_runs(model, mask);
    }
}

/// Marks or drops packets that waited longer than a target, and pushes out the oldest for the
/// newest.
struct Impatient {
    packets: VecDeque<(Pending, Time)>,
    bytes: u64,
    most: usize,
    target: Span,
}

impl Impatient {
    fn take(&mut self) -> Option<(Pending, Time)> {
        let (packet, came) = self.packets.pop_front()?;
        self.bytes -= u64::from(packet.size);
        Some((packet, came))
    }
}

impl Queue for Impatient {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        self.bytes += u64::from(packet.size);
        self.packets.push_back((packet, now));
        Ok(())
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        if self.packets.len() > self.most {
            let (oldest, _) = self.take().expect("more than room");
            return Turn::Drop(oldest.key, Reason::Full);
        }
        if line == Line::Busy {
            return Turn::Hold;
        }
        let Some((packet, came)) = self.take() else {
            return Turn::Hold;
        };
        let late = now - came > self.target;
        if late && !packet.ecn.is_capable() {
            return Turn::Drop(packet.key, Reason::Early);
        }
        Turn::Go {
            key: packet.key,
            mark: late.then_some(Mark::Threshold),
        }
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.packets.len() as u64,
            bytes: Bytes(self.bytes),
        }
    }
}

fn impatient() -> Impatient {
    Impatient {
        packets: VecDeque::new(),
        bytes: 0,
        most: 15,
        target: Span::from_ms(10),
    }
}

/// Counts causes, and tracks every packet.
#[derive(Default)]
struct Causes {
    counts: BTreeMap<&'static str, u64>,
    marked: u64,
    inside: i64,
}

impl Causes {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }
}

impl Probe for Causes {
    fn queued(&mut self, _: Time, _: LinkId, _: &Packet) {
        self.count("queued");
        self.inside += 1;
    }
    fn dequeued(&mut self, now: Time, _: LinkId, _: &Packet, joined: Time) {
        assert!(joined <= now, "{joined:?} and {now:?}");
        self.count("dequeued");
        self.inside -= 1;
    }
    fn dropped(&mut self, now: Time, _: LinkId, _: &Packet, cause: DropCause) {
        let (what, arrived) = match cause {
            DropCause::PushedOut { arrived } => ("pushed out", arrived),
            DropCause::Departure { arrived } => ("at departure", arrived),
            DropCause::Full { arrived } => ("full", arrived),
            other => panic!("it has no cause {other:?}"),
        };
        assert!(arrived <= now, "{arrived:?} and {now:?}");
        self.count(what);
        self.inside -= 1;
    }
    fn delivered(&mut self, _: Time, packet: &Packet) {
        self.marked += u64::from(packet.ecn() == Ecn::Ce);
    }
}

/// Labels every packet as ECN-capable: absorbs it and sends it with the label.
struct Labeller(Vec<Step>);

impl Middlebox for Labeller {
    type Payload = pacesim::model::Payload;
    fn arrive(&mut self, _: Time, place: u32, packet: &Packet, _: &mut u32) {
        let flags = packet.flags.with_ecn(Ecn::Ect0);
        self.0.push(Step::Send(Packet { flags, ..*packet }));
        self.0.push(Step::Absorb(place));
    }
    fn step(&mut self, _: Time) -> Step {
        self.0.pop().unwrap_or(Step::Wait)
    }
}

fn overload(queue: OwnQueue) -> Model {
    let mut model = Model::new("overload", Span::from_secs(5));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
    model.link_mut(port).extras.queue = Some(queue.into());
    let size = Sizes::Constant(Bytes(1000));
    for mbps in [3, 8] {
        let rate = Rate::from_mbps(mbps);
        model.add_flow(
            a,
            b,
            Traffic::Poisson {
                rate,
                size: size.clone(),
            },
        );
    }
    model.warmup = Span::from_secs(1);
    model
}

#[test]
fn drops_at_departure_and_marks_are_seen_and_counted() {
    laws::check(
        impatient,
        laws::Promise {
            capacity: Capacity::Packets(15),
            counts_sending: false,
            ..laws::Promise::NONE
        },
        Rate::from_mbps(10_000),
        &laws::random_arrivals(1, 2000),
    )
    .expect("it keeps the laws");
    let mut model = overload(OwnQueue::new("impatient", |_| impatient()));
    let node = model.links[0].from;
    let labeller = pacesim::middlebox::OwnMiddlebox::new("labeller", |_| Labeller(Vec::new()));
    model.add_middlebox(node, vec![FlowId(0)], labeller);
    let mut world = World::watched(model, Causes::default()).expect("a good model");
    while world.step().is_some() {
        let queued = world.queued(LinkId(0)).expect("it has a discipline");
        assert_eq!(queued.held().packets as i64, world.probe().inside);
        let waits = world
            .queue(LinkId(0))
            .expect("it has a discipline")
            .waiting();
        assert_eq!((waits.packets, waits.bytes.get()), world.waiting(LinkId(0)));
    }
    let seen = |what| world.probe().counts.get(what).copied().unwrap_or(0);
    let queued = world.queued(LinkId(0)).expect("it has a discipline");
    assert!(seen("pushed out") > 10 && seen("at departure") > 100);
    assert_eq!(queued.taken.packets, seen("queued"));
    assert_eq!(
        queued.dropped.packets,
        seen("pushed out") + seen("at departure")
    );
    assert_eq!(queued.released.packets, seen("dequeued"));
    assert_eq!(world.link(LinkId(0)).dropped, queued.dropped);
    assert!(queued.marked.packets > 20, "{:?}", queued.marked.packets);
    // Packets on the wire at the end are marked but not delivered.
    assert!(
        queued.marked.packets - world.probe().marked < 20,
        "{:?}",
        queued.marked.packets - world.probe().marked
    );
    for flow in [FlowId(0), FlowId(1)] {
        let tally = world.flow(flow);
        let came = tally.sent.packets + tally.created.packets;
        let gone = tally.delivered.packets + tally.dropped.packets + tally.absorbed.packets;
        assert!(came - gone < 40, "what is on its way");
    }
    let row = &world.link_rows()[0];
    assert!(row.queue_max_pkts <= 15, "{:?}", row.queue_max_pkts);
    let left_or_there = row.left_pkts + row.dropped_pkts;
    assert!(
        row.arrived_pkts.abs_diff(left_or_there) <= 16,
        "{:?}",
        row.arrived_pkts.abs_diff(left_or_there)
    );
}

#[test]
fn what_waited_before_the_warm_up_and_is_dropped_after_does_not_break_the_rows() {
    let mut model = overload(OwnQueue::new("impatient", |_| impatient()));
    model.flows.truncate(1);
    let burst = vec![
        Arrival {
            at: Span::from_ms(1),
            size: Bytes(1000)
        };
        16
    ];
    model.flows[0].traffic = Traffic::Recorded(burst.into());
    model.warmup = Span::from_ms(2);
    let mut world = World::new(model).expect("a good model");
    world.run();
    let row = &world.link_rows()[0];
    assert_eq!(row.arrived_pkts, 0);
    assert_eq!(row.dropped_pkts + row.left_pkts, 15);
    assert!(row.dropped_pkts > 0, "{:?}", row.dropped_pkts);
}

/// A flow that can be marked and one that cannot, at 110 % of a port's rate together.
fn marks(queue: Option<PortQueue>, mark: Option<Capacity>) -> (World<Causes>, u64) {
    let mut model = overload(OwnQueue::new("none", |_| {
        DropTail::new(Capacity::Packets(50), false)
    }));
    let port = model.link_mut(LinkId(0));
    port.buffer = Buffer::waiting(Capacity::Packets(50));
    port.extras.queue = queue;
    port.extras.mark = mark;
    let node = model.links[0].from;
    let labeller = pacesim::middlebox::OwnMiddlebox::new("labeller", |_| Labeller(Vec::new()));
    model.add_middlebox(node, vec![FlowId(0)], labeller);
    let mut world = World::watched(model, Causes::default()).expect("a good model");
    world.run();
    let fingerprint = world.fingerprint();
    (world, fingerprint)
}

#[test]
fn a_step_of_the_plain_port_marks_what_the_discipline_marks_and_moves_nothing() {
    for threshold in [Capacity::Packets(20), Capacity::Bytes(Bytes(7500))] {
        let (plain, at_port) = marks(None, Some(threshold));
        let (stage, _) = marks(Some(PortQueue::StepMark(threshold)), None);
        let (declared, _) = marks(Some(PortQueue::DropTail), Some(threshold));
        let (none, without) = marks(None, Some(Capacity::Unlimited));
        assert_eq!(at_port, without, "marks move no packet");
        assert!(plain.probe().marked > 100);
        assert_eq!(plain.probe().marked, stage.probe().marked);
        assert_eq!(plain.probe().marked, declared.probe().marked);
        assert_eq!(none.probe().marked, 0);
        let row = |world: &World<Causes>| world.link_rows().remove(0).marked_pkts;
        for marking in [&plain, &stage, &declared] {
            let rows = marking.link_rows();
            assert_eq!(rows[0].threshold_marked_pkts, Some(rows[0].marked_pkts));
            assert_eq!(rows[0].law_marked_pkts, Some(0));
        }
        assert_eq!(row(&plain), row(&declared));
        // A discipline counts marks when packets leave: packets waiting at either end of the
        // measured time make a difference.
        assert!(row(&plain).abs_diff(row(&stage)) <= 50);
        let flows = plain.flow_rows();
        assert_eq!(
            flows[0].marked_pkts,
            row(&plain),
            "and counts with its flow"
        );
        assert_eq!(flows[1].marked_pkts, 0, "for it may not be marked");
    }
}
