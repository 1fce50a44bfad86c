//! Queues of flows that take turns: `FairPullQueue` of htsim.

use std::collections::VecDeque;

/// A queue for each flow, in the order of their numbers. Turns pass from flow to flow, and a flow
/// without items keeps its place until it is removed.
#[derive(Clone, Debug)]
pub struct RoundRobin<T> {
    flows: Vec<(u64, VecDeque<T>)>,
    /// The place of the next flow; that after the last begins with the first again.
    next: usize,
    len: usize,
}

impl<T> Default for RoundRobin<T> {
    fn default() -> RoundRobin<T> {
        RoundRobin {
            flows: Vec::new(),
            next: 0,
            len: 0,
        }
    }
}

impl<T> RoundRobin<T> {
    /// Adds an item behind those of its flow.
    pub fn push(&mut self, flow: u64, item: T) {
        let place = self
            .flows
            .binary_search_by_key(&flow, |(number, _)| *number);
        let place = place.unwrap_or_else(|place| {
            let is_at_end = self.next == self.flows.len();
            if is_at_end || place <= self.next {
                self.next += 1;
            }
            self.flows.insert(place, (flow, VecDeque::new()));
            place
        });
        self.flows[place].1.push_back(item);
        self.len += 1;
    }

    /// The first item of the flow whose turn it is; none if there is no item.
    pub fn pop(&mut self) -> Option<(u64, T)> {
        if self.len == 0 {
            return None;
        }
        loop {
            if self.next >= self.flows.len() {
                self.next = 0;
            }
            let (flow, items) = &mut self.flows[self.next];
            self.next += 1;
            if let Some(item) = items.pop_front() {
                self.len -= 1;
                return Some((*flow, item));
            }
        }
    }

    /// Removes a flow with all its items.
    pub fn remove(&mut self, flow: u64) {
        let place = self
            .flows
            .binary_search_by_key(&flow, |(number, _)| *number);
        if let Ok(place) = place {
            self.len -= self.flows.remove(place).1.len();
            if place < self.next {
                self.next -= 1;
            }
        }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True without items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(queue: &mut RoundRobin<u32>) -> Vec<(u64, u32)> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn flows_take_turns_in_the_order_of_their_numbers() {
        let mut queue = RoundRobin::default();
        for (flow, item) in [(7, 0), (7, 1), (2, 0), (2, 1), (2, 2), (5, 0)] {
            queue.push(flow, item);
        }
        let found = drained(&mut queue);
        assert_eq!(found, [(2, 0), (5, 0), (7, 0), (2, 1), (7, 1), (2, 2)]);
    }

    #[test]
    fn a_removed_flow_loses_its_turn_and_no_other_flow_does() {
        let mut queue = RoundRobin::default();
        for flow in [1, 2, 3] {
            queue.push(flow, 0);
            queue.push(flow, 1);
        }
        assert_eq!(queue.pop(), Some((1, 0)));
        queue.remove(2);
        assert_eq!(queue.len(), 3);
        assert_eq!(queue.pop(), Some((3, 0)));
        queue.push(4, 0);
        assert_eq!(drained(&mut queue), [(1, 1), (3, 1), (4, 0)]);
        queue.remove(9);
        assert!(queue.is_empty());
    }
}
