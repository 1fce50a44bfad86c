//! Jobs: the flows of a group whose transfers wait for each other, and their tasks.

mod shapes;

use std::ops::Range;
use std::sync::Arc;

use pacesim_core::random::Rng;
use pacesim_keys::{FlowGroup, Job, Traffic as TrafficKeys};
use pacesim_language::problem::Faults;
use pacesim_model::tasks::circle;
use pacesim_model::{Barrier, Flow, Load, PathRule, Task, Tcp, Traffic};
use pacesim_units::{Bytes, FlowId, Span};

use shapes::Shape;

/// The most tasks of a group, and the most arrivals for which its barriers wait.
const MOST_TASKS: u64 = 10_000_000;

/// The most packets of a flow, whose numbers have 32 bits.
const MOST_PACKETS: u64 = 1 << 31;

/// The job of a group, with the rest of its TCP configuration; `None` if it has none.
pub(crate) fn of_group(group: &FlowGroup) -> Option<(&Job, &Tcp)> {
    match &group.traffic {
        TrafficKeys::Tcp(traffic) => Some((traffic.job.as_ref()?, &traffic.tcp)),
        _ => None,
    }
}

/// The pairs of nodes between which a job sends, or `None` if there is a mistake.
pub(crate) fn pairs(
    job: &Job,
    (from, to): (&Range<u32>, &Range<u32>),
    path: &str,
    faults: &mut Faults,
) -> Option<Arc<[(u32, u32)]>> {
    let refusal = match job {
        Job::Ring(_) | Job::Tree(_) | Job::AllToAll(_) if from != to => Some((
            "to",
            "a collective joins the nodes of one group".to_owned(),
            "give from and to the same nodes, such as \"host[0..8]\"".to_owned(),
        )),
        Job::Ring(_) | Job::Tree(_) | Job::AllToAll(_) if from.len() < 2 => Some((
            "from",
            "one node has nobody to send to".to_owned(),
            "give at least two nodes".to_owned(),
        )),
        Job::Incast { .. } if to.len() != 1 => Some((
            "to",
            format!("an incast has one receiver, not {}", to.len()),
            "name one node, such as \"host[0]\"".to_owned(),
        )),
        Job::Incast { .. } if from.contains(&to.start) => Some((
            "to",
            "the receiver of the incast is one of its senders".to_owned(),
            "leave it out of from, as in from = \"host[1..9]\" and to = \"host[0]\"".to_owned(),
        )),
        Job::List { file } => {
            let mistake = listed(file, from, to);
            mistake.map(|(message, help)| ("traffic.job.file", message, help))
        }
        _ => None,
    };
    if let Some((key, message, help)) = refusal {
        faults.add(format!("{path}.{key}"), message).help(help);
        return None;
    }
    let shape = Shape::of(job, from.len() as u32);
    let (tasks, needs) = shape.counts();
    if tasks.max(needs) > MOST_TASKS {
        let message =
            format!("a job of {tasks} transfers that wait for {needs} arrivals is too large");
        let help = format!("give fewer rounds or nodes: at most {MOST_TASKS} of each");
        let key = match job {
            Job::List { .. } => "traffic.job.file",
            _ => "traffic.job.rounds",
        };
        faults.add(format!("{path}.{key}"), message).help(help);
        return None;
    }
    let place = |(a, b): (u32, u32)| (from.start + a, to.start + b);
    Some(shape.pairs().into_iter().map(place).collect())
}

/// The mistake of a list whose rows name no nodes of these groups, or wait for themselves.
fn listed(
    file: &pacesim_keys::ListFile,
    from: &Range<u32>,
    to: &Range<u32>,
) -> Option<(String, String)> {
    let name = &file.name;
    for (i, row) in file.rows.iter().enumerate() {
        for (side, place, nodes) in [("from", row.from, from), ("to", row.to, to)] {
            if place as usize >= nodes.len() {
                let message = format!(
                    "row {i} of \"{name}\" names node {place} of {side}, which has {}",
                    nodes.len()
                );
                let help = "rows and nodes count from 0; give more nodes, or other rows";
                return Some((message, help.to_owned()));
            }
        }
        if from.start + row.from == to.start + row.to {
            let message = format!("row {i} of \"{name}\" sends from a node to itself");
            return Some((message, "give another node".to_owned()));
        }
    }
    let (barriers, of_rows) = shapes::of_rows(&file.rows);
    let (FlowId(row), _) = circle(&barriers, |flow, _| of_rows[flow.index()])?;
    let message = format!("row {row} of \"{name}\" waits, over others, for itself");
    Some((
        message,
        "break the circle of rows in the column after".to_owned(),
    ))
}

/// Reports transfers without data, or too large for the numbers of packets.
pub(crate) fn sizes(path: &str, job: &Job, tcp: &Tcp, faults: &mut Faults) {
    let payload = tcp.config.payload.0.max(1);
    let (each, times, key) = match job {
        Job::Ring(of) => (of.size, 2 * u64::from(of.rounds), "size"),
        Job::Tree(of) | Job::AllToAll(of) => (of.size, u64::from(of.rounds), "size"),
        Job::Incast { size, rounds, .. } => (*size, u64::from(*rounds), "size"),
        Job::List { file } => {
            let most = file.rows.iter().map(|row| row.size).max();
            (most.unwrap_or(Bytes(1)), 1, "file")
        }
    };
    let at = format!("{path}.job.{key}");
    if each == Bytes::ZERO {
        let help = "give at least \"1B\"";
        faults
            .add(at, "a transfer without data would never end")
            .help(help);
    } else if each
        .0
        .div_ceil(payload)
        .saturating_add(1)
        .saturating_mul(times)
        > MOST_PACKETS
    {
        let message = format!("a flow would have more than {MOST_PACKETS} packets");
        faults
            .add(at, message)
            .help("give a smaller size, or fewer rounds");
    }
}

/// The traffic of a job's flows, the first of which has this id; its barriers join the others.
pub(crate) fn members(
    job: &Job,
    tcp: &Tcp,
    (first, nodes): (FlowId, u32),
    barriers: &mut Vec<Barrier>,
    mut jitter: impl FnMut(Span) -> Span,
) -> Vec<Traffic> {
    let shape = Shape::of(job, nodes);
    let before = barriers.len() as u32;
    let (own, tasks) = shape.tasks(&mut jitter);
    barriers.extend(own.into_iter().map(|barrier| {
        Barrier {
            needs: barrier
                .needs
                .into_iter()
                .map(|(flow, task)| (FlowId(first.0 + flow.0), task))
                .collect(),
        }
    }));
    let behind = |task: Task| Task {
        after: task.after.map(|barrier| before + barrier),
        ..task
    };
    let flow = |tasks: Vec<Task>| {
        Traffic::Tcp(Tcp {
            load: Load::Tasks(tasks.into_iter().map(behind).collect()),
            ..tcp.clone()
        })
    };
    tasks.into_iter().map(flow).collect()
}

/// Gives the flows of a list the paths that their rows choose.
pub(crate) fn choose_paths(job: &Job, flows: &mut [Flow]) {
    let Job::List { file } = job else {
        return;
    };
    for (flow, row) in flows.iter_mut().zip(file.rows.iter()) {
        if let Some(path) = row.path {
            flow.path = PathRule::Nth(path);
        }
    }
}

/// The paths that the rows of a group's list choose; none for a group without a list.
pub(crate) fn paths_of_rows(group: &FlowGroup) -> Vec<Option<u32>> {
    match of_group(group) {
        Some((Job::List { file }, _)) => file.rows.iter().map(|row| row.path).collect(),
        _ => Vec::new(),
    }
}

/// A time below a limit, each as likely.
pub(crate) fn below(limit: Span, stream: &mut impl Rng) -> Span {
    let limit = u128::from(limit.as_ps());
    Span::from_ps(((u128::from(stream.next_u64()) * limit) >> 64) as u64)
}
