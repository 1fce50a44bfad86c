//! Classes that a queue discipline keeps apart are counted apart.

use pacesim::World;
use pacesim::measure::record::LinkRow;
use pacesim::model::{Buffer, Model, PortQueue, Sizes, Traffic};
use pacesim::net::{Ecn, Middlebox, Packet, Step};
use pacesim::queues::DualPi2Config;
use pacesim::units::{Bytes, Capacity, FlowId, Rate, Span, Time};

/// Flows of these classes and rates in Mbps over a port of 10 Mbps with this queue.
fn model(queue: PortQueue, flows: &[(u16, u64)]) -> Model {
    let mut model = Model::new("classes", Span::from_secs(20));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
    let link = model.link_mut(port);
    link.extras.queue = Some(queue);
    link.buffer = Buffer::waiting(Capacity::Packets(200));
    for (class, mbps) in flows {
        let rate = Rate::from_mbps(*mbps);
        let size = Sizes::Constant(Bytes(1000));
        let flow = model.add_flow(a, b, Traffic::Poisson { rate, size });
        model.flows[flow.index()].class = *class;
    }
    model.warmup = Span::from_secs(2);
    model
}

fn row(model: Model) -> LinkRow {
    let mut world = World::new(model).expect("a good model");
    world.run();
    world.link_rows().swap_remove(0)
}

#[test]
fn classes_of_strict_priority_wait_and_are_dropped_apart() {
    let row = row(model(PortQueue::StrictPriority, &[(0, 3), (1, 4), (7, 5)]));
    let dropped = [
        row.class0_dropped_pkts,
        row.class1_dropped_pkts,
        row.class2_dropped_pkts,
        row.class3_dropped_pkts,
    ];
    let all = row.full_pkts.unwrap_or(0) + row.pushed_out_pkts.unwrap_or(0);
    assert_eq!(dropped, [Some(0), Some(0), Some(0), Some(all)]);
    assert!(all > 1000, "{all}");
    // A packet of 0.8 ms is on the line for four fifths of the time, and seldom one of the own class waits.
    let mean = row.class0_sojourn_mean_s.expect("packets of class 0");
    assert!((0.0004..0.001).contains(&mean), "{mean}");
    let means = [row.class1_sojourn_mean_s, row.class3_sojourn_mean_s];
    let [one, three] = means.map(|mean| mean.expect("packets of the class"));
    assert!(mean < one && 10.0 * one < three, "{mean} {one} {three}");
    assert_eq!(row.class2_sojourn_mean_s, None);
    let quantiles = [row.class3_sojourn_p50_s, row.class3_sojourn_p99_s];
    assert!(quantiles[0] < quantiles[1], "{quantiles:?}");
    let (p99, overall) = (row.class3_sojourn_p99_s, row.sojourn_p99_s);
    assert!(p99 >= overall, "{p99:?} {overall:?}");
}

#[test]
fn a_discipline_without_classes_has_no_columns_of_them() {
    let row = row(model(PortQueue::DropTail, &[(0, 6), (1, 6)]));
    assert!(row.sojourn_mean_s.is_some());
    assert_eq!(
        (row.class0_dropped_pkts, row.class0_sojourn_mean_s),
        (None, None)
    );
}

/// Writes this field into every packet: absorbs it and sends it so.
struct Labeller(Ecn, Vec<Step>);

impl Middlebox for Labeller {
    type Payload = pacesim::model::Payload;
    fn arrive(&mut self, _: Time, place: u32, packet: &Packet, _: &mut u32) {
        let flags = packet.flags.with_ecn(self.0);
        self.1.push(Step::Send(Packet { flags, ..*packet }));
        self.1.push(Step::Absorb(place));
    }
    fn step(&mut self, _: Time) -> Step {
        self.1.pop().unwrap_or(Step::Wait)
    }
}

/// A queue of DualPI2 with a flow of this field beside one that may not be marked.
fn beside(ecn: Ecn) -> LinkRow {
    let queue = PortQueue::DualPi2(DualPi2Config::default());
    let mut model = model(queue, &[(0, 3), (0, 8)]);
    let node = model.links[0].from;
    let labeller =
        pacesim::middlebox::OwnMiddlebox::new("labeller", move |_| Labeller(ecn, Vec::new()));
    model.add_middlebox(node, vec![FlowId(0)], labeller);
    row(model)
}

/// A mark is counted where the packet waited: with CE it would be taken for one of L4S.
#[test]
fn dualpi2_counts_marks_in_the_queue_where_packets_waited() {
    let classic = beside(Ecn::Ect0);
    assert!(
        classic.class0_marked_pkts > Some(20),
        "{:?}",
        classic.class0_marked_pkts
    );
    assert_eq!(classic.class0_marked_pkts, Some(classic.marked_pkts));
    assert_eq!(
        (classic.class1_marked_pkts, classic.class1_sojourn_mean_s),
        (Some(0), None)
    );
    let l4s = beside(Ecn::Ect1);
    assert_eq!(l4s.class1_marked_pkts, Some(l4s.marked_pkts));
    assert!(
        l4s.class1_sojourn_mean_s < l4s.class0_sojourn_mean_s,
        "{l4s:?}"
    );
    // L4S packets are dropped only under overload, at the start.
    let dropped = [l4s.class0_dropped_pkts, l4s.class1_dropped_pkts];
    let [classic, of_l4s] = dropped.map(|dropped| dropped.unwrap_or(0));
    assert_eq!(classic + of_l4s, l4s.dropped_pkts);
    assert!(20 * of_l4s < classic, "{dropped:?}");
}
