//! The delay-bounded pacer of one class (zerobuf Figs. 14 and 15): releases
//! along the upper concave hull of the deadline curve, O(1) amortised.

use std::cmp::Ordering;
use std::collections::VecDeque;

use pacesim_units::{Capacity, Span, Time};

use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::curve::{Point, Work, compare_slopes, time_of, work_at};
use crate::fifo::Fifo;
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};

/// When a packet leaves, seen from the exit curve (the papers do not say).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ReleaseRule {
    /// When the curve passes its last byte: a lone packet waits the whole bound.
    #[default]
    LastByte,
    /// When the curve passes its first byte: a lone packet does not wait.
    FirstByte,
}

impl ReleaseRule {
    /// What the curve must reach for a packet whose first byte is at `start`.
    #[inline]
    pub(crate) fn goal(self, start: Work, size: u32) -> Work {
        match self {
            ReleaseRule::LastByte => start.plus_bytes(size),
            ReleaseRule::FirstByte => start,
        }
    }
}

/// Parameters of [`Hull`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HullConfig {
    /// The bound d that the pacing delay of every packet keeps.
    pub delay: Span,
    /// Which byte decides.
    pub rule: ReleaseRule,
    /// What may wait.
    pub capacity: Capacity,
}

impl HullConfig {
    /// The papers' pacer: last byte, unlimited buffer.
    pub fn new(delay: Span) -> HullConfig {
        HullConfig {
            delay,
            rule: ReleaseRule::LastByte,
            capacity: Capacity::Unlimited,
        }
    }

    /// All that is wrong with it.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require_sane_delay(self.delay, "delay");
        problems.require_room(self.capacity, "capacity");
        problems.into_list()
    }
}

/// The hull pacer of one delay class.
#[derive(Clone, Debug)]
pub struct Hull {
    delay: Span,
    rule: ReleaseRule,
    queue: Fifo,
    /// Where the packets released so far end.
    released: Work,
    /// Where the packets accepted so far end.
    accepted: Work,
    /// A point of the exit curve, on its first piece and not after now.
    anchor: Point,
    /// The corners after the anchor, with falling slopes.
    corners: VecDeque<Point>,
    next: Release,
}

impl Hull {
    /// An empty pacer.
    pub fn new(config: &HullConfig) -> Result<Hull, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(Hull {
            delay: config.delay,
            rule: config.rule,
            queue: Fifo::new(config.capacity),
            released: Work::default(),
            accepted: Work::default(),
            anchor: Point::default(),
            corners: VecDeque::new(),
            next: Release::Idle,
        })
    }

    /// The planned exit curve from its last corner on: times, and bytes beyond
    /// those already released.
    pub fn exit_curve(&self) -> impl Iterator<Item = (Time, f64)> + '_ {
        std::iter::once(&self.anchor)
            .chain(&self.corners)
            .map(|p| (p.at, p.work.bytes_since(self.released)))
    }

    /// Moves the anchor over the corners that the time has passed.
    #[inline]
    fn pass_corners(&mut self, now: Time) {
        while let Some(&corner) = self.corners.front()
            && corner.at <= now
        {
            self.anchor = corner;
            self.corners.pop_front();
        }
    }

    /// Fig. 14 with line 8 put right: fuse backwards while the new piece is at
    /// least as steep as the one before it.
    #[inline]
    fn append(&mut self, now: Time, end: Point) {
        while let Some(&last) = self.corners.back() {
            let before = match self.corners.len() {
                1 => self.anchor,
                n => self.corners[n - 2],
            };
            let order = compare_slopes(before, last, end);
            if order == Ordering::Greater {
                break;
            }
            // The first slope rises: what the curve has done is done (the clip
            // to the present time in line 9), and the new piece starts here.
            if order == Ordering::Less && self.corners.len() == 1 {
                self.anchor = Point {
                    at: now,
                    work: work_at(self.anchor, last, now),
                };
            }
            self.corners.pop_back();
        }
        self.corners.push_back(end);
    }

    /// When the head's turn comes. Corners are ends of packets, so the head's
    /// goal is always on the first piece.
    #[inline]
    fn schedule(&mut self) {
        self.next = match self.queue.front() {
            None => Release::Idle,
            Some(head) => {
                let goal = self.rule.goal(self.released, head.size);
                Release::At(self.crossing(goal))
            }
        };
    }

    #[inline]
    fn crossing(&self, goal: Work) -> Time {
        match self.corners.front() {
            Some(&corner) if !self.anchor.work.has_reached(goal) => {
                time_of(self.anchor, corner, goal)
            }
            _ => self.anchor.at,
        }
    }
}

impl Pacer for Hull {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.queue.push(packet)?;
        self.pass_corners(now);
        if self.corners.is_empty() {
            self.anchor.at = now;
        }
        self.accepted = self.accepted.plus_bytes(packet.size);
        self.append(
            now,
            Point {
                at: now + self.delay,
                work: self.accepted,
            },
        );
        self.schedule();
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let packet = self.queue.pop()?;
        self.released = self.released.plus_bytes(packet.size);
        self.pass_corners(now);
        self.schedule();
        Some(packet)
    }

    #[inline]
    fn next_release(&self) -> Release {
        self.next
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
}
