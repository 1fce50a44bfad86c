//! The flows and tasks of each kind of job, numbered from its first flow and its first barrier.

use pacesim_keys::{Collective, Job};
use pacesim_model::{Barrier, Task};
use pacesim_recordings::transfers::ListedTransfer;
use pacesim_units::{Bytes, FlowId, Span};

/// A job among this number of nodes.
pub(super) struct Shape<'j> {
    job: &'j Job,
    nodes: u32,
}

/// Barriers, and the tasks of each flow.
type Tasks = (Vec<Barrier>, Vec<Vec<Task>>);

/// A barrier that needs these.
fn barrier(needs: impl IntoIterator<Item = (u32, u32)>) -> Barrier {
    let needs = needs.into_iter();
    Barrier {
        needs: needs.map(|(flow, task)| (FlowId(flow), task)).collect(),
    }
}

impl<'j> Shape<'j> {
    pub(super) fn of(job: &'j Job, nodes: u32) -> Shape<'j> {
        Shape { job, nodes }
    }

    /// The numbers of its tasks, and of the arrivals for which its barriers wait.
    pub(super) fn counts(&self) -> (u64, u64) {
        let (n, rounds) = (u64::from(self.nodes), |of: &Collective| {
            u64::from(of.rounds)
        });
        let product = |factors: &[u64]| factors.iter().fold(1_u64, |all, n| all.saturating_mul(*n));
        match self.job {
            Job::Ring(of) => {
                let tasks = product(&[2, n, n - 1, rounds(of)]);
                (tasks, tasks)
            }
            Job::Tree(of) => (
                product(&[2, n - 1, rounds(of)]),
                product(&[4, n - 1, rounds(of)]),
            ),
            Job::AllToAll(of) => {
                let tasks = product(&[n, n - 1, rounds(of)]);
                (tasks, tasks.saturating_mul(2))
            }
            Job::Incast { rounds, .. } => {
                let tasks = product(&[n, u64::from(*rounds)]);
                (tasks, tasks)
            }
            Job::List { file } => {
                let needs = file.rows.iter().map(|row| row.after.len() as u64);
                (file.rows.len() as u64, needs.sum())
            }
        }
    }

    /// The places of the nodes between which each flow runs.
    pub(super) fn pairs(&self) -> Vec<(u32, u32)> {
        let n = self.nodes;
        match self.job {
            Job::Ring(_) => (0..n).map(|i| (i, (i + 1) % n)).collect(),
            Job::Tree(_) => {
                let up = (1..n).map(|i| (i, parent(i)));
                up.chain((1..n).map(|i| (parent(i), i))).collect()
            }
            Job::AllToAll(_) => {
                let to = |i: u32| (1..n).map(move |turn| (i, (i + turn) % n));
                (0..n).flat_map(to).collect()
            }
            Job::Incast { .. } => (0..n).map(|i| (i, 0)).collect(),
            Job::List { file } => file.rows.iter().map(|row| (row.from, row.to)).collect(),
        }
    }

    /// Its barriers and its tasks, flow by flow.
    pub(super) fn tasks(&self, jitter: &mut impl FnMut(Span) -> Span) -> Tasks {
        match self.job {
            Job::Ring(of) => ring(of, self.nodes),
            Job::Tree(of) => tree(of, self.nodes),
            Job::AllToAll(of) => all_to_all(of, self.nodes),
            Job::Incast {
                size,
                rounds,
                think,
                jitter: spread,
            } => {
                let wait = |think: Span| {
                    let jitter = jitter(*spread).as_ps();
                    Span::from_ps(think.as_ps().saturating_add(jitter))
                };
                incast(*size, *rounds, *think, self.nodes, wait)
            }
            Job::List { file } => {
                let (barriers, of_rows) = of_rows(&file.rows);
                let task = |(row, after): (&ListedTransfer, Option<u32>)| {
                    vec![Task {
                        size: row.size,
                        wait: row.start,
                        after,
                    }]
                };
                (barriers, file.rows.iter().zip(of_rows).map(task).collect())
            }
        }
    }
}

/// Step s of flow i sends what arrived in step s - 1 from the node before. Pieces differ by a byte
/// at most, and those of no bytes are of one.
fn ring(of: &Collective, n: u32) -> Tasks {
    let steps = 2 * (n - 1);
    let (mut barriers, mut tasks) = (Vec::new(), vec![Vec::new(); n as usize]);
    let piece = |number: u32| {
        let cut = |k: u64| of.size.0 as u128 * u128::from(k) / u128::from(n);
        let k = u64::from(number);
        Bytes(((cut(k + 1) - cut(k)) as u64).max(1))
    };
    for step in 0..steps * of.rounds {
        for i in 0..n {
            let before = (i + n - 1) % n;
            let after = (step > 0).then(|| {
                barriers.push(barrier([(before, step - 1)]));
                barriers.len() as u32 - 1
            });
            let begins = step % steps == 0 && step > 0;
            tasks[i as usize].push(Task {
                size: piece((i + n * steps - step % steps) % n),
                wait: if begins { of.think } else { Span::ZERO },
                after,
            });
        }
    }
    (barriers, tasks)
}

/// The node above this one.
fn parent(node: u32) -> u32 {
    (node - 1) / 2
}

/// The nodes below this one.
fn children(node: u32, n: u32) -> impl Iterator<Item = u32> + Clone {
    [2 * node + 1, 2 * node + 2]
        .into_iter()
        .filter(move |child| *child < n)
}

/// Flows up come first, flow i - 1 from node i; then those down to each node.
fn tree(of: &Collective, n: u32) -> Tasks {
    let (up, down) = (|node: u32| node - 1, |node: u32| n - 2 + node);
    let (mut barriers, mut tasks) = (Vec::new(), vec![Vec::new(); 2 * (n as usize - 1)]);
    for round in 0..of.rounds {
        for node in 1..n {
            let below = children(node, n).map(|child| (up(child), round));
            // A leaf goes on when it has the result of the round before.
            let is_leaf = children(node, n).next().is_none();
            let own = (is_leaf && round > 0).then(|| (down(node), round - 1));
            let needs: Vec<(u32, u32)> = below.chain(own).collect();
            let waits = is_leaf && round > 0;
            let after = (!needs.is_empty()).then(|| {
                barriers.push(barrier(needs));
                barriers.len() as u32 - 1
            });
            tasks[up(node) as usize].push(Task {
                size: of.size,
                wait: if waits { of.think } else { Span::ZERO },
                after,
            });
        }
        for node in 1..n {
            let above = parent(node);
            let needs: Vec<(u32, u32)> = match above {
                0 => children(0, n).map(|child| (up(child), round)).collect(),
                _ => vec![(down(above), round)],
            };
            barriers.push(barrier(needs));
            tasks[down(node) as usize].push(Task {
                size: of.size,
                wait: Span::ZERO,
                after: Some(barriers.len() as u32 - 1),
            });
        }
    }
    (barriers, tasks)
}

/// Flow i(n - 1) + t - 1 leads from node i to the one t places on; a node takes these turns in order.
fn all_to_all(of: &Collective, n: u32) -> Tasks {
    let flow = |node: u32, turn: u32| node * (n - 1) + turn - 1;
    let (mut barriers, mut tasks) = (Vec::new(), vec![Vec::new(); (n * (n - 1)) as usize]);
    for round in 0..of.rounds {
        for turn in 1..n {
            for node in 0..n {
                let is_first = round == 0 && turn == 1;
                let (last_turn, last_round) = match turn {
                    1 => (n - 1, round.saturating_sub(1)),
                    _ => (turn - 1, round),
                };
                let from = (node + n - last_turn) % n;
                let needs =
                    [flow(node, last_turn), flow(from, last_turn)].map(|of| (of, last_round));
                let after = (!is_first).then(|| {
                    barriers.push(barrier(needs));
                    barriers.len() as u32 - 1
                });
                let begins = turn == 1 && round > 0;
                tasks[flow(node, turn) as usize].push(Task {
                    size: of.size,
                    wait: if begins { of.think } else { Span::ZERO },
                    after,
                });
            }
        }
    }
    (barriers, tasks)
}

fn incast(
    size: Bytes,
    rounds: u32,
    think: Span,
    n: u32,
    mut wait: impl FnMut(Span) -> Span,
) -> Tasks {
    let arrived = |round: u32| barrier((0..n).map(|flow| (flow, round)));
    let barriers = (1..rounds).map(|round| arrived(round - 1)).collect();
    let task = |round: u32, wait: Span| Task {
        size,
        wait,
        after: round.checked_sub(1),
    };
    let mut flow = || {
        let round = |round: u32| {
            let think = if round > 0 { think } else { Span::ZERO };
            task(round, wait(think))
        };
        (0..rounds).map(round).collect()
    };
    (barriers, (0..n).map(|_| flow()).collect())
}

/// The barriers of a list, and that of each row.
pub(super) fn of_rows(rows: &[ListedTransfer]) -> (Vec<Barrier>, Vec<Option<u32>>) {
    let mut barriers = Vec::new();
    let of_rows = rows.iter().map(|row| {
        (!row.after.is_empty()).then(|| {
            barriers.push(barrier(row.after.iter().map(|row| (*row, 0))));
            barriers.len() as u32 - 1
        })
    });
    let of_rows = of_rows.collect();
    (barriers, of_rows)
}
