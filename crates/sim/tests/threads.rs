//! A run on several threads has the results of one on a single thread, to the last bit, however its
//! model is divided.

use std::path::Path;

use crate::ahead::{looks, trees};
use crate::common::models;
use pacesim::delays::Delays;
use pacesim::measure::record::TransferRow;
use pacesim::model::Model;
use pacesim::random::{Rng as _, Streams};
use pacesim::scenario::load;
use pacesim::units::{LinkId, NodeId, Span, Time};
use pacesim::{Cut, World};
use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::TestRunner;

type Watched = World<Delays>;

/// Everything that can be read during a run.
fn on_the_way(world: &Watched) -> String {
    let links = (0..world.model().links.len()).map(LinkId::from_index);
    let at = |link| {
        let kept = (
            world.waiting(link),
            world.held(link),
            world.queued(link),
            world.shared_memory(link),
        );
        (kept, world.link(link), world.link_fingerprint(link))
    };
    let boxes = 0..world.model().middleboxes.len();
    let flows = (0..).map(pacesim::units::FlowId);
    let flows = flows.take(world.model().flows.len());
    let all = (
        (world.fingerprint(), world.packet_hops(), world.in_flight()),
        (world.now(), world.gave_up(), world.read_flows()),
        flows
            .map(|flow| format!("{:?}", world.flow(flow)))
            .collect::<Vec<_>>(),
        links.map(at).collect::<Vec<_>>(),
        (world.link_rows(), world.fec_rows()),
        boxes
            .map(|place| world.middlebox(place))
            .collect::<Vec<_>>(),
    );
    let mut goodput = vec![0; world.model().flows.len()];
    world.read_goodput(|flow, more| goodput[flow.index()] += more);
    let readings = world.read_flows().into_iter();
    assert!(readings.map(|of| of.goodput_bytes).eq(goodput));
    format!("{all:?}")
}

/// Everything that can be read at its end.
fn at_the_end(world: &mut Watched, mut transfers: Vec<TransferRow>) -> String {
    transfers.extend(world.take_transfers());
    transfers.extend(world.unfinished_transfers());
    transfers.sort_by_key(|row| (row.flow_id, row.transfer));
    let flows = world.probe().complete_rows(world.flow_rows());
    let all = (transfers, flows, world.completions(), world.work());
    format!("{}\n{all:?}", on_the_way(world))
}

fn delays(model: &Model) -> Delays {
    Delays::of_model(model)
}

/// The states of a world at these times and at its end.
fn states(mut world: Watched, looks: &[Span]) -> Vec<String> {
    let mut states = Vec::new();
    let mut transfers = Vec::new();
    for (number, look) in looks.iter().enumerate() {
        let look = Time::ZERO + *look;
        // Work ahead of time may pass the first of two looks.
        if number % 2 == 1 {
            let half = Time::from_ps(look.as_ps() / 2).max(world.now());
            world.run_towards(half, look);
        }
        world.run_until(look);
        transfers.extend(world.take_transfers());
        if world.gave_up().is_none() && look < world.end() {
            states.push(on_the_way(&world));
        }
    }
    world.run();
    if let Some(gave_up) = world.gave_up() {
        return vec![format!("{gave_up:?}")];
    }
    states.push(at_the_end(&mut world, transfers));
    states
}

/// A part for each piece of a model, drawn; piece 0 is in part 0.
fn drawn(model: &Model, parts: u32, draw: u64) -> Option<Vec<u32>> {
    let pieces = Cut::pieces(model).ok()?;
    let count = pieces.iter().max().map_or(0, |last| last + 1);
    let streams = Streams {
        seed: draw,
        replication: u64::from(parts),
    };
    let mut stream = streams.stream("test", "parts");
    let of_pieces: Vec<u32> = (0..count)
        .map(|piece| match piece {
            0 => 0,
            _ => (stream.next_u64() % u64::from(parts)) as u32,
        })
        .collect();
    Some(
        pieces
            .iter()
            .map(|piece| of_pieces[*piece as usize])
            .collect(),
    )
}

/// The worlds in parts that were compared with a whole one.
fn compare(model: &Model, looks: &[Span], draws: &[(u32, u64)]) -> usize {
    let whole = World::watched(model.clone(), delays(model)).expect("a sound model");
    let mut expected = None;
    let mut whole = Some(whole);
    let mut compared = 0;
    for (parts, draw) in draws {
        let Some(of_nodes) = drawn(model, *parts, *draw) else {
            continue;
        };
        let Ok(cut) = Cut::by_hand(model, &of_nodes) else {
            // All its pieces are in one part.
            continue;
        };
        // Half of them with threads that come late.
        let cut = match draw % 2 {
            0 => cut,
            _ => cut.hesitating(*draw),
        };
        let world = World::on_threads(model.clone(), delays(model), &cut);
        let world = world.expect("a sound model");
        assert_eq!(world.threads(), cut.parts() as usize);
        let found = states(world, looks);
        let expected =
            expected.get_or_insert_with(|| states(whole.take().expect("it is run once"), looks));
        assert_eq!(expected.len(), found.len());
        for (number, (expected, found)) in expected.iter().zip(&found).enumerate() {
            assert!(
                expected == found,
                "state {number} of {} in parts {of_nodes:?}:\n{}",
                model.title,
                difference(expected, found)
            );
        }
        compared += 1;
    }
    compared
}

/// The surroundings of the first difference of two texts.
fn difference(expected: &str, found: &str) -> String {
    let same = expected
        .bytes()
        .zip(found.bytes())
        .take_while(|(a, b)| a == b);
    let begin = same.count().saturating_sub(300);
    let part = |text: &str| text.chars().skip(begin).take(600).collect::<String>();
    format!(
        "expected ...{}\n   found ...{}",
        part(expected),
        part(found)
    )
}

/// Compares this many models of a strategy; the same in each run.
fn compare_drawn(count: u64, strategy: impl Strategy<Value = (Model, Vec<Span>)>) -> usize {
    let mut runner = TestRunner::deterministic();
    let mut compared = 0;
    for draw in 0..count {
        let tree = strategy.new_tree(&mut runner).expect("a model");
        let (model, looks) = tree.current();
        compared += compare(&model, &looks, &[(2, draw), (3, draw), (7, draw)]);
    }
    compared
}

#[test]
fn tcp_over_trees_is_the_same_on_several_threads() {
    let models = (trees(), 0u64..300, looks(400)).prop_map(|(model, warmup, looks)| {
        let warmup = Span::from_ms(warmup);
        (Model { warmup, ..model }, looks)
    });
    let compared = compare_drawn(96, models);
    assert!(compared > 100, "only {compared}");
}

#[test]
fn any_network_is_the_same_on_several_threads() {
    let models = (models(), 0u64..20, looks(20)).prop_map(|(model, warmup, looks)| {
        let warmup = Span::from_ms(warmup);
        (Model { warmup, ..model }, looks)
    });
    let compared = compare_drawn(96, models);
    assert!(compared > 100, "only {compared}");
}

/// Each shipped scenario over its short duration.
#[test]
fn shipped_scenarios_are_the_same_on_several_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let table = include_str!("../../../scenarios/fingerprints.csv");
    let (mut compared, mut told) = (0, Vec::new());
    for line in table.lines().skip(1) {
        let (name, rest) = line.split_once(',').expect("four fields");
        let (duration, _) = rest.split_once(',').expect("four fields");
        let text = std::fs::read_to_string(folder.join(name)).expect("a readable file");
        let duration = format!("run.duration={duration}");
        let checked = load(name, &text, &[&duration, "run.warmup=0s"], &());
        let checked = checked.expect("a good scenario");
        let mut model = checked.expand(checked.scenario().run.seed, 0);
        model.warmup = model.duration / 4;
        if let Err(reason) = Cut::pieces(&model) {
            told.push(format!("{name}: {reason}"));
            continue;
        }
        let looks = [model.duration / 3, model.duration / 2];
        let parts = compare(&model, &looks, &[(2, 1), (7, 4)]);
        told.push(format!(
            "{name}: {parts} ways; {:?}",
            Cut::of(&model, 4).map(|cut| cut.to_string())
        ));
        compared += usize::from(parts > 0);
    }
    let told = told.join("\n");
    assert!(compared >= 5, "only {compared} were divided:\n{told}");
    println!("{told}");
}

/// Two hosts on each side of a wire.
fn wire() -> Model {
    let mut model = Model::new("wire", Span::from_ms(10));
    for name in ["a", "b", "c"] {
        model.add_node(name);
    }
    let rate = pacesim::units::Rate::from_mbps(10);
    model.add_link(NodeId(0), NodeId(1), rate, Span::ZERO);
    model.add_link(NodeId(1), NodeId(2), rate, Span::from_ms(1));
    model
}

#[test]
fn a_wire_without_delay_is_not_cut() {
    let model = wire();
    let refused = Cut::by_hand(&model, &[0, 1, 1]).expect_err("no delay");
    let text = refused.to_string();
    assert_eq!(
        text,
        "the nodes a and b must be in one part: a link has no delay"
    );
    assert!(Cut::by_hand(&model, &[0, 0, 1]).is_ok());
}

#[test]
fn an_idle_network_has_nothing_to_gain() {
    let refused = Cut::of(&wire(), 2).expect_err("no traffic");
    assert!(refused.to_string().contains("one thread"), "{refused}");
}

#[test]
fn sets_of_nodes_are_kept_apart() {
    let (mut model, [a, b, c]) = (wire(), [0, 1, 2].map(NodeId));
    model.division.sets = vec![vec![c], vec![a]];
    let cut = Cut::of(&model, 2).expect("they can be apart");
    assert_eq!(cut.part_of(a), cut.part_of(b));
    assert_ne!(cut.part_of(a), cut.part_of(c));
    let refused = Cut::of(&model, 1).expect_err("two sets");
    assert_eq!(
        refused.to_string(),
        "1 threads are too few for 2 sets of nodes"
    );
    model.division.sets = vec![vec![b, c], vec![a]];
    let refused = Cut::of(&model, 2).expect_err("no delay").to_string();
    assert!(
        refused.starts_with(
            "a and b are in two sets of nodes, and must be in one part: a link has no delay ("
        ),
        "{refused}"
    );
}
