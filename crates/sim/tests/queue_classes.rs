//! Classes that a queue discipline keeps apart have separate counters.

use pacesim::World;
use pacesim::measure::record::LinkRow;
use pacesim::model::{Buffer, Model, PortQueue, Sizes, Traffic};
use pacesim::net::Ecn;
use pacesim::queues::{DualPi2Config, PriorityConfig};
use pacesim::units::{Bytes, Capacity, LinkId, Rate, Span, Time};

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
    let row = row(model(
        PortQueue::StrictPriority(PriorityConfig::default()),
        &[(0, 3), (1, 4), (7, 5)],
    ));
    let dropped = [
        row.class0_dropped_pkts,
        row.class1_dropped_pkts,
        row.class2_dropped_pkts,
        row.class3_dropped_pkts,
    ];
    let all = row.full_pkts.unwrap_or(0) + row.pushed_out_pkts.unwrap_or(0);
    assert_eq!(dropped, [Some(0), Some(0), Some(0), Some(all)]);
    // All drops by cause belong to the dropped class.
    let by_cause = [
        (row.class3_full_pkts, row.full_pkts),
        (row.class3_early_pkts, row.early_pkts),
        (row.class3_pushed_out_pkts, row.pushed_out_pkts),
        (row.class3_departure_pkts, row.departure_pkts),
    ];
    for (of_class, of_link) in by_cause {
        assert_eq!(of_class, of_link, "{by_cause:?}");
    }
    assert_eq!((row.early_pkts, row.departure_pkts), (Some(0), Some(0)));
    assert!(all > 1000, "{all}");
    // A packet of 0.8 ms is on the line for four fifths of the time, and a packet of the same class
    // seldom waits.
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

/// A queue of DualPI2 with a flow of this ECN field and one that cannot be marked.
fn beside(ecn: Ecn) -> LinkRow {
    let queue = PortQueue::DualPi2(DualPi2Config::default());
    let mut model = model(queue, &[(0, 3), (0, 8)]);
    model.flows[0].ecn = Some(ecn);
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
    assert_eq!(classic.probability_marked_pkts, Some(classic.marked_pkts));
    assert_eq!(l4s.class1_marked_pkts, Some(l4s.marked_pkts));
    assert_eq!(l4s.probability_marked_pkts, Some(0));
    let reasons = [
        l4s.threshold_marked_pkts,
        l4s.coupled_marked_pkts,
        l4s.forced_marked_pkts,
    ];
    let reasons = reasons.map(|marked| marked.unwrap_or(0));
    assert!(reasons.iter().all(|marked| *marked > 0), "{reasons:?}");
    assert_eq!(reasons.iter().sum::<u64>(), l4s.marked_pkts);
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

#[test]
fn linux_takes_ect0_for_l4s_if_its_mask_says_so() {
    let queue = |ecn_mask| {
        PortQueue::DualPi2(DualPi2Config {
            ecn_mask,
            ..DualPi2Config::linux()
        })
    };
    for (mask, class1_waits) in [(1, false), (3, true)] {
        let mut model = model(queue(mask), &[(0, 3), (0, 8)]);
        model.flows[0].ecn = Some(Ecn::Ect0);
        let row = row(model);
        let waits = row.class1_sojourn_mean_s.is_some();
        assert_eq!(waits, class1_waits, "mask {mask}: {row:?}");
    }
}

/// Packets of all classes add up to those waiting, also across the warm-up.
#[test]
fn packets_of_all_classes_that_wait_are_those_of_the_port() {
    let flows = [(0, 3), (1, 4), (2, 2), (9, 4)];
    for queue in [
        PortQueue::StrictPriority(PriorityConfig::default()),
        PortQueue::Drr(1500),
    ] {
        let mut world = World::new(model(queue, &flows)).expect("a good model");
        let link = LinkId(0);
        let mut most = [0; 4];
        for ms in (0..20_000).step_by(70) {
            world.run_until(Time::ZERO + Span::from_ms(ms));
            let classes = world.waiting_in_classes(link).expect("classes");
            let waiting = world.queued(link).expect("a discipline").held().packets;
            assert_eq!(
                classes.iter().sum::<u64>(),
                waiting,
                "at {ms} ms: {classes:?}"
            );
            most = std::array::from_fn(|i| most[i].max(classes[i]));
        }
        assert!(most.iter().all(|most| *most > 0), "{most:?}");
    }
}

/// DCTCP with ECT(1) waits in the queue of L4S, with ECT(0) in the classic one.
#[test]
fn dctcp_waits_where_its_field_puts_it() {
    let text = |ecn: &str| {
        format!(
            r#"
            run = {{ duration = "10s", warmup = "2s" }}
            node = [{{ name = "a" }}, {{ name = "b" }}]
            [[link]]
            name = "core"
            from = "a"
            to = "b"
            rate = "20Mbps"
            delay = "10ms"
            buffer = "500pkts"
            discipline = {{ kind = "dualpi2" }}
            [[flow]]
            name = "scalable"
            from = "a"
            to = "b"
            {ecn}
            traffic = {{ kind = "tcp", profile = "linux", control = "dctcp" }}
            [[flow]]
            name = "classic"
            from = "a"
            to = "b"
            traffic = {{ kind = "tcp", profile = "linux" }}
            "#
        )
    };
    let measured = |ecn| {
        let loaded = pacesim::scenario::load("l4s.toml", &text(ecn), &[], &()).expect("it is good");
        let mut world = World::new(loaded.expand(1, 0)).expect("a good model");
        world.run();
        let of_core = |row: &LinkRow| row.from == "a" && row.to == "b";
        world
            .link_rows()
            .into_iter()
            .find(of_core)
            .expect("the core")
    };
    let l4s = measured("ecn = \"ect1\"");
    let p99 = l4s.class1_sojourn_p99_s.expect("packets of L4S");
    let classic = l4s.class0_sojourn_p50_s.expect("classic packets");
    assert!(p99 < 0.003 && classic > 0.008, "{p99} {classic}");
    assert_eq!(l4s.class1_marked_pkts, Some(l4s.marked_pkts));
    let together = measured("");
    assert_eq!(together.class1_sojourn_mean_s, None);
    assert_eq!(together.class0_marked_pkts, Some(together.marked_pkts));
    assert!(together.marked_pkts > 0, "{together:?}");
}

/// Every discipline, and none.
fn disciplines() -> Vec<Option<PortQueue>> {
    let kinds = [
        "drop_tail",
        "strict_priority",
        "codel",
        "codel\", profile = \"linux",
        "fq_codel",
        "red\", min_th = \"5KB\", max_th = \"15KB",
        "pie",
        "pie\", profile = \"linux",
        "dualpi2",
        "dualpi2\", profile = \"linux",
        "fq",
        "drr\", quantum = \"1500B",
        "tbf\", rate = \"5Mbps\", burst = \"3KB",
        "departure_limit\", limit = \"15KB",
    ];
    let of = |kind: &str| {
        let text = format!(
            r#"
run = {{ duration = "1s" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", rate = "1Mbps", discipline = {{ kind = "{kind}" }} }}]
flow = [{{ name = "f", from = "a", to = "b", traffic = {{ kind = "cbr", rate = "1Mbps", size = "1KB" }} }}]
"#
        );
        let scenario = pacesim::scenario::load("kinds.toml", &text, &[], &());
        let scenario = scenario.unwrap_or_else(|problems| panic!("{kind}: {problems:?}"));
        scenario.expand(0, 0).links[0].extras.queue.clone()
    };
    let named = kinds.into_iter().map(of);
    named.chain([None]).collect()
}

#[test]
fn a_buffer_in_bytes_is_a_limit_for_every_discipline() {
    for queue in disciplines() {
        let name = queue.as_ref().map_or("none", PortQueue::name).to_owned();
        let mut model = model(PortQueue::DropTail, &[(0, 6), (1, 6), (6, 6)]);
        let extras = &mut model.links[0].extras;
        extras.queue = queue;
        model.links[0].buffer = Buffer::waiting(Capacity::Bytes(Bytes(20_500)));
        let row = row(model);
        let most = row.queue_max_bytes;
        assert!(most <= 20_000, "{name}: {most} bytes wait");
        let lost = row.full_pkts.unwrap_or(0) + row.early_pkts.unwrap_or(0);
        assert!(row.dropped_pkts > 0 || lost > 0, "{name}: nothing is lost");
    }
}
