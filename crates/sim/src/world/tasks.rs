//! Transfers that wait for others: barriers that open when the last of some transfers has arrived.

use pacesim_core::net::{Kind, Packet, Probe};
use pacesim_units::{FlowId, Span, Time};

use super::application::Application;
use super::{BuildError, World};
use crate::model::tasks::circle;
use crate::model::{Barrier, Load, Model, Task, Traffic};

/// The barriers of a run.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    /// For each, the number of tasks that have not arrived.
    left: Vec<u32>,
    /// For each, the tasks that it lets begin.
    lets_begin: Vec<Vec<(FlowId, u32)>>,
    /// For each, the time at which it opened.
    opened: Vec<Option<Time>>,
}

impl Barriers {
    pub(super) fn of(model: &Model) -> Barriers {
        let needs = |barrier: &Barrier| barrier.needs.len() as u32;
        let mut barriers = Barriers {
            left: model.barriers.iter().map(needs).collect(),
            lets_begin: vec![Vec::new(); model.barriers.len()],
            opened: vec![None; model.barriers.len()],
        };
        for (i, flow) in model.flows.iter().enumerate() {
            for (place, task) in (0..).zip(tasks(&flow.traffic)) {
                if let Some(barrier) = task.after {
                    let lets_begin = &mut barriers.lets_begin[barrier as usize];
                    lets_begin.push((FlowId::from_index(i), place));
                }
            }
        }
        barriers
    }
}

/// The tasks of a flow with this traffic.
pub(super) fn tasks(traffic: &Traffic) -> &[Task] {
    match traffic {
        Traffic::Tcp(tcp) => match &tcp.load {
            Load::Tasks(tasks) => tasks,
            _ => &[],
        },
        _ => &[],
    }
}

/// Checks that barriers and their tasks exist, and that no task waits for itself.
pub(super) fn begin(model: &Model) -> Result<(), BuildError> {
    let of_flow = |flow: FlowId| {
        let flow = model.flows.get(flow.index());
        flow.map_or(&[][..], |flow| tasks(&flow.traffic))
    };
    let wrong = |flow: FlowId, task: u32| BuildError::Tasks {
        flow: flow.0,
        task: task as usize,
    };
    for flow in (0..model.flows.len()).map(FlowId::from_index) {
        let barriers = (0..).zip(of_flow(flow).iter().map(|task| task.after));
        let mut barriers = barriers.filter_map(|(place, barrier)| Some((place, barrier?)));
        let is_missing = |barrier: u32| {
            let barrier = model.barriers.get(barrier as usize);
            barrier.is_none_or(|barrier| barrier.needs.is_empty())
        };
        let missing = barriers.find(|(_, barrier)| is_missing(*barrier));
        if let Some((task, _)) = missing {
            return Err(wrong(flow, task));
        }
    }
    let mut needs = model.barriers.iter().flat_map(|barrier| &barrier.needs);
    let exists = |(flow, task): &&(FlowId, u32)| of_flow(*flow).len() > *task as usize;
    if let Some((flow, task)) = needs.find(|need| !exists(need)) {
        return Err(wrong(*flow, *task));
    }
    let barrier = |flow: FlowId, task: u32| of_flow(flow)[task as usize].after;
    match circle(&model.barriers, barrier) {
        Some((flow, task)) => Err(wrong(flow, task)),
        None => Ok(()),
    }
}

/// The number of rounds of these flows, of which all tasks at one place wait for the same barrier; 0 if
/// they have none.
fn rounds_of(flows: &[(Time, &[Task])]) -> usize {
    let [(_, first), others @ ..] = flows else {
        return 0;
    };
    let is_round = |round: usize| {
        let after = first[round].after;
        let mut same = others.iter().map(|(_, tasks)| tasks.get(round));
        after.is_some() == (round > 0)
            && same.all(|task| task.is_some_and(|task| task.after == after))
    };
    let are_even = others.iter().all(|(_, tasks)| tasks.len() == first.len());
    let all = are_even && (0..first.len()).all(is_round);
    if all { first.len() } else { 0 }
}

impl<P: Probe> World<P> {
    /// Tells each flow which barriers need its tasks.
    pub(super) fn set_barriers(&mut self) {
        let model = self.model.clone();
        for (barrier, of) in (0..).zip(&model.barriers) {
            for (flow, task) in &of.needs {
                let place = self.session_of(*flow).expect("tasks are of TCP");
                if let Application::Tasks(queue) = &mut self.sessions[place].application {
                    queue.needed.push((*task, barrier));
                }
            }
        }
        for session in &mut self.sessions {
            if let Application::Tasks(queue) = &mut session.application {
                queue.needed.sort_unstable();
            }
        }
    }

    /// A packet or an acknowledgement has arrived at one end of a connection for whose data others wait.
    #[inline(never)]
    pub(super) fn take_in_heard(&mut self, id: u32, now: Time, began: Time, packet: &Packet) {
        self.take_in_tcp(id, now, began, packet);
        if packet.kind() == Kind::Data {
            self.note_tasks(id, now, began);
            self.note_messages(id, now, began);
        }
        self.note_failed_side(id, now);
    }

    /// Notes the tasks that have arrived.
    fn note_tasks(&mut self, id: u32, now: Time, began: Time) {
        let (delivered, _) = self.connections[id as usize].receiver.delivered();
        let place = self.connections[id as usize].session as usize;
        while let Application::Tasks(queue) = &mut self.sessions[place].application
            && let Some(task) = queue.arrived(delivered, now)
        {
            let opened = self.barriers_opened_by(place, task);
            for barrier in opened {
                self.open_barrier(barrier, now, began);
            }
        }
    }

    /// Counts a task that has arrived at the barriers that need it; returns those that open.
    fn barriers_opened_by(&mut self, place: usize, task: u32) -> Vec<u32> {
        let Application::Tasks(queue) = &self.sessions[place].application else {
            return Vec::new();
        };
        let mut opened = Vec::new();
        for barrier in queue.barriers(task) {
            let left = &mut self.barriers.left[barrier as usize];
            *left -= 1;
            if *left == 0 {
                opened.push(barrier);
            }
        }
        opened
    }

    /// Lets the tasks behind a barrier begin.
    fn open_barrier(&mut self, barrier: u32, now: Time, began: Time) {
        self.barriers.opened[barrier as usize] = Some(now);
        let lets_begin = std::mem::take(&mut self.barriers.lets_begin[barrier as usize]);
        for (flow, task) in lets_begin {
            let place = self.session_of(flow).expect("tasks are of TCP");
            let Application::Tasks(queue) = &mut self.sessions[place].application else {
                continue;
            };
            queue.begin(task, now);
            let due = queue.next_due().unwrap_or(Time::NEVER);
            let id = self.connection_id(flow).expect("its connection persists");
            self.connections[id as usize].next_data = due;
            self.pump(id, now, began);
        }
    }

    /// For a group whose flows have tasks: the time from its first start to the arrival of the last
    /// of these; `None` if the group has none, or not all have arrived.
    pub fn job_time(&self, group: &str) -> Option<Span> {
        let ours = self.sessions.iter();
        let ours = ours.filter(|of| *self.model.flows[of.flow.index()].group == *group);
        let first = ours.map(|of| of.start).min()?;
        Some(self.last_arrival(group)?.saturating_since(first))
    }

    /// For a group whose flows have their tasks in rounds, each of which waits for all of the round
    /// before: the time of each round from its first start to its last arrival, as far as they ended,
    /// without those that began in the warm-up. None for other groups.
    pub fn round_times(&self, group: &str) -> Vec<Span> {
        let ours = self.sessions.iter();
        let ours = ours.filter(|of| *self.model.flows[of.flow.index()].group == *group);
        let flows: Vec<(Time, &[Task])> = ours
            .map(|of| (of.start, tasks(&self.model.flows[of.flow.index()].traffic)))
            .collect();
        let rounds = rounds_of(&flows);
        let opened = |round: usize| {
            let barrier = flows[0].1.get(round)?.after?;
            self.barriers.opened[barrier as usize]
        };
        let warm = Time::ZERO + self.model.warmup;
        let mut times = Vec::new();
        for round in 0..rounds {
            let starts = flows.iter().map(|(start, tasks)| {
                let from = opened(round).filter(|_| round > 0).unwrap_or(*start);
                from.saturating_add(tasks[round].wait)
            });
            let begin = starts.min().unwrap_or(Time::NEVER);
            let end = match round + 1 == rounds {
                true => self.last_arrival(group),
                false => opened(round + 1),
            };
            let Some(end) = end else {
                break;
            };
            if begin >= warm {
                times.push(end.saturating_since(begin));
            }
        }
        times
    }

    /// The arrival of the last task of a group; none if some have not arrived.
    fn last_arrival(&self, group: &str) -> Option<Time> {
        let mut last = None;
        for session in &self.sessions {
            if *self.model.flows[session.flow.index()].group != *group {
                continue;
            }
            match &session.application {
                Application::Tasks(queue) if queue.is_done() => last = last.max(queue.last_arrival),
                _ => return None,
            }
        }
        last
    }
}
