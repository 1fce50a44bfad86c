//! Jobs: transfers that wait for each other, against a schedule computed from their dependences alone.

use std::collections::BTreeMap;

use pacesim::World;
use pacesim::model::{Barrier, Load, Model, Task, Traffic};
use pacesim::scenario::load;
use pacesim::units::{Bytes, FlowId, Rate, Span, Time};
use proptest::prelude::*;

use crate::ahead::assert_same;

const TCP: &str = "kind = \"tcp\", profile = \"rfc\", payload = \"1000B\", header = \"0B\", syn = false, \
    initial_window = \"9000pkts\", after_idle = \"keep\", delayed_ack = false";

fn checked(nodes: u32, ends: &str, job: &str) -> Model {
    let text = format!(
        r#"
run = {{ duration = "2s" }}
[topology]
shape = "star"
leaves = {nodes}
link = {{ rate = "1Gbps", delay = "1us" }}
[[flow]]
name = "job"
{ends}
traffic = {{ {TCP}, job = {job} }}
"#
    );
    let checked = load("job.toml", &text, &[], &()).expect("it is sound");
    checked.expand(1, 0)
}

/// The model with a link of its own for each flow, there and back, so that nothing waits but for
/// arrivals.
fn apart(mut model: Model, rate: Rate, delay: Span) -> Model {
    (model.nodes, model.links) = (Vec::new(), Vec::new());
    for i in 0..model.flows.len() {
        let [a, b] = ["a", "b"].map(|side| model.add_node(format!("{side}[{i}]")));
        model.add_link(a, b, rate, delay);
        model.add_link(b, a, rate, delay);
        (model.flows[i].from, model.flows[i].to) = (a, b);
    }
    model
}

fn tasks(model: &Model, flow: usize) -> Vec<Task> {
    match &model.flows[flow].traffic {
        Traffic::Tcp(tcp) => match &tcp.load {
            Load::Tasks(tasks) => tasks.to_vec(),
            _ => panic!("no tasks"),
        },
        _ => panic!("not TCP"),
    }
}

/// When each task arrives if each flow has a line of this rate, which sends them in the order in which
/// they begin.
fn schedule(model: &Model, rate: Rate, delay: Span) -> BTreeMap<(u32, u32), Time> {
    let all: Vec<Vec<Task>> = (0..model.flows.len()).map(|i| tasks(model, i)).collect();
    let mut arrived: BTreeMap<(u32, u32), Time> = BTreeMap::new();
    let mut begins: BTreeMap<(u32, u32), Time> = BTreeMap::new();
    let mut free = vec![Time::ZERO; all.len()];
    loop {
        for (flow, tasks) in (0..).zip(&all) {
            for (place, task) in (0..).zip(tasks) {
                let start = match task.after {
                    None => Some(model.flows[flow as usize].start),
                    Some(barrier) => {
                        let needs = model.barriers[barrier as usize].needs.iter();
                        let times =
                            needs.map(|(flow, task)| arrived.get(&(flow.0, *task)).copied());
                        times
                            .collect::<Option<Vec<_>>>()
                            .and_then(|all| all.into_iter().max())
                    }
                };
                if let Some(start) = start {
                    begins.insert((flow, place), start + task.wait);
                }
            }
        }
        // The earliest that has not been sent: nothing that is found later begins before it.
        let left = begins.iter().filter(|(id, _)| !arrived.contains_key(id));
        let Some((id, start)) = left.min_by_key(|((flow, place), at)| (**at, *place, *flow)) else {
            return arrived;
        };
        let (flow, place) = *id;
        let size = all[flow as usize][place as usize].size;
        let sent = (*start).max(free[flow as usize]) + rate.transmission_time(size).expect("short");
        free[flow as usize] = sent;
        arrived.insert((flow, place), sent + delay);
    }
}

/// The time at which the last task arrives in a run.
fn done(model: Model) -> Option<Span> {
    let group = model.flows[0].group.clone();
    let mut world = World::new(model).expect("a sound model");
    world.run();
    world.job_time(&group)
}

fn assert_scheduled(model: Model, rate: Rate, delay: Span) -> Span {
    let model = apart(model, rate, delay);
    let last = schedule(&model, rate, delay)
        .into_values()
        .max()
        .expect("tasks");
    let done = done(model).expect("all arrive");
    assert_eq!(Time::ZERO + done, last);
    done
}

const ALL: &str = "from = \"leaf\"\nto = \"leaf\"";

#[test]
fn collectives_take_the_time_of_their_steps() {
    let (rate, delay) = (Rate::from_mbps(1000), Span::from_us(7));
    for n in [2_u64, 3, 4, 8, 13] {
        let bytes = 60_060 * n;
        let lasts = |steps: u64, size: u64| {
            let each = rate.transmission_time(Bytes(size)).expect("short") + delay;
            Span::from_ps(steps * each.as_ps())
        };
        let job = |kind: &str, rounds: u32| {
            let size = match kind {
                "ring" => bytes,
                _ => 60_060,
            };
            let job = format!("{{ kind = \"{kind}\", size = \"{size}B\", rounds = {rounds} }}");
            assert_scheduled(checked(n as u32, ALL, &job), rate, delay)
        };
        // 2(n - 1)/n of the data, and as many latencies as steps.
        assert_eq!(job("ring", 1), lasts(2 * (n - 1), bytes / n), "{n}");
        assert_eq!(job("ring", 3), lasts(6 * (n - 1), bytes / n), "{n}");
        assert_eq!(job("all_to_all", 1), lasts(n - 1, 60_060), "{n}");
        assert_eq!(job("all_to_all", 2), lasts(2 * (n - 1), 60_060), "{n}");
        let depth = u64::from(n.ilog2());
        assert_eq!(job("tree", 1), lasts(2 * depth, 60_060), "{n}");
        assert_eq!(job("tree", 2), lasts(4 * depth, 60_060), "{n}");
    }
}

#[test]
fn pauses_of_rounds_and_uneven_pieces_are_those_of_the_schedule() {
    let (rate, delay) = (Rate::from_mbps(800), Span::from_us(3));
    for kind in ["ring", "tree", "all_to_all"] {
        let plain = format!("{{ kind = \"{kind}\", size = \"99991B\", rounds = 3 }}");
        let paused = plain.replace("3 }", "3, think = \"1ms\" }");
        let time = |job: &str| assert_scheduled(checked(5, ALL, job), rate, delay);
        let (plain, paused) = (time(&plain), time(&paused));
        assert!(
            paused >= plain + Span::from_ms(2),
            "{kind}: {plain} {paused}"
        );
    }
}

#[test]
fn rounds_of_an_incast_begin_when_all_have_arrived() {
    let ends = "from = \"leaf[1..9]\"\nto = \"leaf[0]\"";
    let job =
        "{ kind = \"incast\", size = \"20kB\", rounds = 5, think = \"2ms\", jitter = \"50us\" }";
    let model = checked(9, ends, job);
    let (rate, delay) = (Rate::from_mbps(1000), Span::from_us(5));
    assert_scheduled(model.clone(), rate, delay);
    let waits = (0..8).map(|flow| tasks(&model, flow)[2].wait);
    let waits: Vec<Span> = waits.collect();
    let spread = |wait: &Span| (Span::from_ms(2)..Span::from_us(2050)).contains(wait);
    assert!(
        waits.iter().all(spread) && waits[0] != waits[1],
        "{waits:?}"
    );
    // Over the shared port of a star.
    let mut world = World::new(model.clone()).expect("a sound model");
    world.run();
    let transfers = world.take_transfers();
    assert_eq!(transfers.len(), 40);
    let rounds = world.round_times("job");
    assert_eq!(rounds.len(), 5);
    let begins = |round: u64| {
        let of = transfers
            .iter()
            .filter(|row| u64::from(row.transfer) == round);
        of.map(|row| row.start_ps).min().expect("eight")
    };
    for (round, time) in (0..4).zip(&rounds) {
        // The barrier opened when the round ended.
        let waits = (0..8).map(|flow| tasks(&model, flow)[round + 1].wait);
        let ended = begins(round as u64 + 1) - waits.min().expect("eight").as_ps();
        assert_eq!(time.as_ps(), ended - begins(round as u64), "{round}");
    }
    let all: Span = rounds
        .iter()
        .copied()
        .fold(Span::ZERO, |sum, time| sum + time);
    assert!(all < world.job_time("job").expect("it ended"));
    for round in 1..5 {
        let of = |k: u64| {
            transfers
                .iter()
                .filter(move |row| u64::from(row.transfer) == k)
        };
        let begins = of(round).map(|row| row.start_ps).min().expect("eight");
        // The last ACK is on the way back when the last packet has arrived.
        let ended = of(round - 1)
            .filter_map(|row| row.end_ps)
            .max()
            .expect("eight");
        assert!(begins > ended, "{round}");
        assert!(begins < ended + 2_100_000_000, "{round}");
    }
}

/// Random tasks on a few flows, each of which waits for some before it.
fn random_jobs() -> impl Strategy<Value = Model> {
    let task = (
        1u64..40_000,
        0u64..300,
        prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    );
    let tasks = prop::collection::vec((0usize..4, task), 1..40);
    tasks.prop_map(|tasks| {
        let mut model = checked(4, ALL, "{ kind = \"ring\", size = \"1kB\" }");
        model.barriers.clear();
        let mut of_flows: Vec<Vec<Task>> = vec![Vec::new(); 4];
        let mut before: Vec<(FlowId, u32)> = Vec::new();
        for (flow, (size, us, needs)) in tasks {
            let needs: Vec<_> = match before.is_empty() {
                true => Vec::new(),
                false => needs.iter().map(|need| *need.get(&before)).collect(),
            };
            let after = (!needs.is_empty()).then(|| {
                model.barriers.push(Barrier { needs });
                model.barriers.len() as u32 - 1
            });
            before.push((FlowId(flow as u32), of_flows[flow].len() as u32));
            // Times that are no multiples of each other, since ties may fall either way.
            let wait = Span::from_ps(1_000_003 * us + 7 * before.len() as u64);
            of_flows[flow].push(Task {
                size: Bytes(size),
                wait,
                after,
            });
        }
        let with_tasks = of_flows.into_iter().zip(model.flows.clone());
        let with_tasks = with_tasks.map(|(tasks, mut flow)| {
            if let Traffic::Tcp(tcp) = &mut flow.traffic {
                tcp.load = Load::Tasks(tasks.into());
            }
            flow
        });
        model.flows = with_tasks.collect();
        model
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_dependences_give_the_schedule_that_follows_from_them(model in random_jobs()) {
        let (rate, delay) = (Rate::from_mbps(1000), Span::from_us(9));
        let apart = apart(model, rate, delay);
        let expected = schedule(&apart, rate, delay).into_values().max();
        prop_assert_eq!(done(apart.clone()).map(|done| Time::ZERO + done), expected);
        assert_same(&apart, &[Span::from_us(77), Span::from_ms(1)]);
    }

    #[test]
    fn over_a_shared_network_all_tasks_arrive_whatever_is_computed_ahead(model in random_jobs()) {
        assert_same(&model, &[Span::from_us(300)]);
        prop_assert!(done(model).is_some());
    }
}

#[test]
fn tasks_that_cannot_begin_are_refused() {
    let sound = checked(3, ALL, "{ kind = \"ring\", size = \"3kB\" }");
    let broken: [fn(&mut Model); 4] = [
        |model| model.barriers[0].needs.clear(),
        |model| model.barriers[0].needs[0].1 = 99,
        |model| model.barriers.truncate(1),
        |model| {
            // The first barrier's task waits for itself.
            let waits = |flow: usize| tasks(model, flow).iter().position(|t| t.after == Some(0));
            let (flow, task) = (0..3)
                .find_map(|f| Some((f, waits(f)?)))
                .expect("one waits");
            model.barriers[0].needs[0] = (FlowId::from_index(flow), task as u32);
        },
    ];
    for (i, change) in broken.into_iter().enumerate() {
        let mut model = sound.clone();
        change(&mut model);
        let error = World::new(model).err().map(|error| error.to_string());
        assert!(error.expect("refused").contains("waits for nothing"), "{i}");
    }
}
