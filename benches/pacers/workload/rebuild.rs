//! The baseline: a hull pacer that rebuilds its whole hull at every arrival.

use std::collections::VecDeque;

use pacesim_pacers::{Pacer, Pending, Refused, Release, Waiting};
use pacesim_units::{Bytes, Span, Time};

/// The hull pacer of one class, O(n) per arrival.
pub struct Rebuild {
    delay: Span,
    waiting: VecDeque<(Time, Pending)>,
    hull: Vec<(u64, u64)>,
    anchor: (u64, u64),
    released: u64,
    bytes: u64,
}

impl Rebuild {
    pub fn new(delay: Span) -> Rebuild {
        Rebuild {
            delay,
            waiting: VecDeque::new(),
            hull: Vec::new(),
            anchor: (0, 0),
            released: 0,
            bytes: 0,
        }
    }

    fn build(&mut self) {
        let mut end = self.released;
        self.hull.clear();
        self.hull.push(self.anchor);
        for &(deadline, packet) in &self.waiting {
            end += u64::from(packet.size) << 16;
            let point = (deadline.as_ps(), end);
            while let [.., a, b] = self.hull[..]
                && u128::from(b.1 - a.1) * u128::from(point.0 - b.0)
                    <= u128::from(point.1 - b.1) * u128::from(b.0 - a.0)
            {
                self.hull.pop();
            }
            self.hull.push(point);
        }
    }
}

impl Pacer for Rebuild {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        if let [a, b, ..] = self.hull[..] {
            let t = now.as_ps().min(b.0);
            let rise = u128::from(b.1 - a.1) * u128::from(t - a.0) / u128::from((b.0 - a.0).max(1));
            self.anchor = (t, a.1 + rise as u64);
        }
        self.anchor.0 = now.as_ps();
        self.waiting.push_back((now + self.delay, packet));
        self.bytes += u64::from(packet.size);
        self.build();
        Ok(())
    }

    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next_release().is_ready(now) {
            return None;
        }
        let (_, packet) = self.waiting.pop_front()?;
        self.bytes -= u64::from(packet.size);
        self.released += u64::from(packet.size) << 16;
        if self.hull.len() > 1 && self.released >= self.hull[1].1 {
            self.hull.remove(0);
        }
        Some(packet)
    }

    fn next_release(&self) -> Release {
        let Some((_, head)) = self.waiting.front() else {
            return Release::Idle;
        };
        let goal = self.released + (u64::from(head.size) << 16);
        let (a, b) = (self.hull[0], self.hull[1]);
        let wait = u128::from(goal.saturating_sub(a.1)) * u128::from(b.0 - a.0);
        let wait = wait.div_ceil(u128::from((b.1 - a.1).max(1)));
        Release::At(Time::from_ps(a.0 + wait as u64))
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.waiting.len() as u64,
            bytes: Bytes(self.bytes),
        }
    }
}
