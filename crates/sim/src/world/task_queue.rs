//! The tasks of one flow: those that wait, those that are due, those under way.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use pacesim_tcp::{Amount, Config};
use pacesim_units::Time;

use crate::model::Task;

/// The tasks of one flow.
pub(super) struct TaskQueue {
    tasks: Arc<[Task]>,
    /// Tasks that have begun to wait, by the time at which they are handed over.
    due: BTreeSet<(Time, u32)>,
    /// Tasks that have been handed over and have not all arrived, in this order.
    under_way: VecDeque<u32>,
    /// The number of those that have not been handed over.
    left: usize,
    payload: u64,
    /// The sequence number after the last packet of the first under way.
    next_end: u64,
    /// The barriers that need a task, by its place.
    pub(super) needed: Vec<(u32, u32)>,
    /// The time of the last arrival so far.
    pub(super) last_arrival: Option<Time>,
}

impl TaskQueue {
    pub(super) fn new(tasks: &Arc<[Task]>, start: Time, config: &Config) -> TaskQueue {
        let places = || (0..).zip(tasks.iter());
        let free = places().filter(|(_, task)| task.after.is_none());
        TaskQueue {
            due: free
                .map(|(place, task)| (start.saturating_add(task.wait), place))
                .collect(),
            tasks: tasks.clone(),
            under_way: VecDeque::new(),
            left: tasks.len(),
            payload: config.payload.0,
            next_end: u64::from(config.syn),
            needed: Vec::new(),
            last_arrival: None,
        }
    }

    /// The time at which the next one is handed over, as far as it is known.
    pub(super) fn next_due(&self) -> Option<Time> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Takes the amount that is handed over now.
    pub(super) fn next(&mut self) -> Option<Amount> {
        let (_, place) = self.due.pop_first()?;
        self.left -= 1;
        if self.under_way.is_empty() {
            self.next_end += self.packets(place);
        }
        self.under_way.push_back(place);
        Some(Amount::Bytes(self.tasks[place as usize].size))
    }

    /// True if some have not been handed over.
    pub(super) fn has_more(&self) -> bool {
        self.left > 0
    }

    /// True if all have arrived.
    pub(super) fn is_done(&self) -> bool {
        self.left == 0 && self.under_way.is_empty()
    }

    fn packets(&self, place: u32) -> u64 {
        self.tasks[place as usize].size.0.div_ceil(self.payload)
    }

    /// A task begins to wait.
    pub(super) fn begin(&mut self, place: u32, now: Time) {
        let wait = self.tasks[place as usize].wait;
        self.due.insert((now.saturating_add(wait), place));
    }

    /// Takes a task that has arrived with these packets in order, if there is one.
    pub(super) fn arrived(&mut self, packets: u32, now: Time) -> Option<u32> {
        let first = *self.under_way.front()?;
        if u64::from(packets) < self.next_end {
            return None;
        }
        self.under_way.pop_front();
        self.last_arrival = Some(now);
        if let Some(next) = self.under_way.front() {
            self.next_end += self.packets(*next);
        }
        Some(first)
    }

    pub(super) fn barriers(&self, task: u32) -> impl Iterator<Item = u32> + '_ {
        let from = self.needed.partition_point(|(of, _)| *of < task);
        let needed = self.needed[from..].iter();
        let needed = needed.take_while(move |(of, _)| *of == task);
        needed.map(|(_, barrier)| *barrier)
    }
}
