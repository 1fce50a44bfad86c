//! The delay-bounded pacer of one class (zerobuf Figs. 14 and 15): releases
//! along the upper concave hull of the deadline curve, O(1) amortised.

use std::cmp::Ordering;

use pacesim_units::{Capacity, Span, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::curve::{CurvePoint, Piece, Work};
use crate::fifo::Fifo;
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};
use crate::pieces::Pieces;
use crate::steps::{NoStepCount, Steps};

/// Point of the exit curve at which a packet leaves (undefined in the papers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ReleaseRule {
    /// The curve passes its last byte: a lone packet waits the whole bound.
    #[default]
    LastByte,
    /// The curve passes its first byte: a lone packet does not wait.
    FirstByte,
}

impl ReleaseRule {
    /// Work that the curve must reach for a packet whose first byte is at `start`.
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
    /// Bound d on the pacing delay of every packet.
    pub delay: Span,
    /// Byte of a packet that decides its release.
    pub rule: ReleaseRule,
    /// Size of the buffer.
    pub capacity: Capacity,
}

impl HullConfig {
    /// The configuration of the papers: last byte, unlimited buffer.
    pub fn new(delay: Span) -> HullConfig {
        HullConfig {
            delay,
            rule: ReleaseRule::LastByte,
            capacity: Capacity::Unlimited,
        }
    }

    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require_sane_delay(self.delay, "delay");
        problems.require_room(self.capacity, "capacity");
        problems.into_list()
    }
}

/// The hull pacer of one delay class.
#[derive(Clone, Debug)]
pub struct Hull<S = NoStepCount> {
    delay: Span,
    rule: ReleaseRule,
    queue: Fifo,
    /// Work of the packets released so far.
    released: Work,
    /// The end of the exit curve: the end of the packets accepted so far, and the deadline of the
    /// last of them.
    end: CurvePoint,
    /// A point of the exit curve, on its first piece and not after now.
    anchor: CurvePoint,
    /// First piece of the hull, from the anchor on.
    first: Piece,
    /// End of the first piece; not after now when the curve is at its end.
    corner_at: Time,
    /// Later pieces of the hull, with decreasing slopes.
    later: Pieces,
    next: Release,
    steps: S,
}

impl Hull {
    /// A pacer without packets.
    pub fn new(config: &HullConfig) -> Result<Hull, InvalidConfig> {
        Hull::counting(config)
    }
}

impl<S: Steps> Hull<S> {
    /// A pacer without packets that counts its steps.
    pub fn counting(config: &HullConfig) -> Result<Hull<S>, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(Hull {
            delay: config.delay,
            rule: config.rule,
            queue: Fifo::new(config.capacity),
            released: Work::default(),
            end: CurvePoint::default(),
            anchor: CurvePoint::default(),
            first: Piece::default(),
            corner_at: Time::ZERO,
            later: Pieces::default(),
            next: Release::Idle,
            steps: S::default(),
        })
    }

    /// Number of steps so far.
    pub fn steps(&self) -> &S {
        &self.steps
    }

    /// The planned exit curve from its last corner on: times, and bytes beyond those already
    /// released.
    pub fn exit_curve(&self) -> impl Iterator<Item = (Time, f64)> + '_ {
        let first = (self.first != Piece::default()).then_some(self.first);
        let later = self.later.as_slice().iter().copied();
        let corners = first
            .into_iter()
            .chain(later)
            .scan(self.anchor, |corner, piece| {
                *corner = corner.after(piece);
                Some(*corner)
            });
        [self.anchor]
            .into_iter()
            .chain(corners)
            .map(|p| (p.at, p.work.bytes_since(self.released)))
    }

    /// Advances to the piece of the present time; true if the curve is at its end.
    #[inline]
    fn advance(&mut self, now: Time) -> bool {
        self.corner_at <= now && self.pass_corners(now)
    }

    #[cold]
    fn pass_corners(&mut self, now: Time) -> bool {
        while self.corner_at <= now {
            self.anchor = self.anchor.after(self.first);
            let Some(next) = self.later.pop_first(&mut self.steps) else {
                self.first = Piece::default();
                return true;
            };
            self.begin_first(self.anchor, next);
        }
        false
    }

    #[inline]
    fn begin_first(&mut self, anchor: CurvePoint, piece: Piece) {
        self.anchor = anchor;
        self.first = piece;
        self.corner_at = anchor.at + Span::from_ps(piece.run);
    }

    /// Fig. 14 with line 8 corrected: fuses backwards while the new piece is at least as steep as
    /// the one before it; true if that makes the first piece steeper.
    #[inline(always)]
    fn append(&mut self, mut new: Piece) -> bool {
        while let Some(&last) = self.later.last() {
            self.steps.add(1);
            if last.compare_slope(new) == Ordering::Greater {
                self.later.push(new);
                return false;
            }
            self.later.pop_last();
            new = last.fused_with(new);
        }
        self.steps.add(1);
        match self.first.compare_slope(new) {
            Ordering::Greater => self.later.push(new),
            Ordering::Equal => self.begin_first(self.anchor, self.first.fused_with(new)),
            Ordering::Less => return true,
        }
        false
    }

    /// The rare end of an arrival, kept out of the common path.
    #[cold]
    fn plan(&mut self, now: Time, bends: bool) {
        if bends {
            self.clip(now);
        }
        self.schedule();
    }

    /// Drops the past part of the curve (the clip to the present time in line 9): one piece leads
    /// from its present place to its end.
    fn clip(&mut self, now: Time) {
        let gone = (now - self.anchor.at).as_ps();
        let here = CurvePoint {
            at: now,
            work: self.anchor.work.plus(self.first.rise_in(gone)),
        };
        self.begin_first(here, Piece::between(here, self.end));
    }

    /// Computes the release of the head. Corners are ends of packets, so the head's goal is always
    /// on the first piece.
    #[inline(always)]
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
        let left = goal.minus(self.anchor.work);
        if left.signed() > 0 {
            self.anchor.at + self.first.run_to(left)
        } else {
            self.anchor.at
        }
    }
}

impl BuiltIn for Hull {
    type Config = HullConfig;
    const NAME: &'static str = "hull";

    fn of(config: &HullConfig, _: impl Rng + Send + 'static) -> Result<Hull, InvalidConfig> {
        Hull::new(config)
    }
}

// Inlining is forced: calls and saved registers would be a sixth of the whole.
impl<S: Steps> Pacer for Hull<S> {
    #[inline(always)]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        let is_head = self.queue.is_empty();
        self.queue.push(packet)?;
        let due = now + self.delay;
        let new = Piece {
            run: (due - self.end.at).as_ps(),
            rise: Work::of_bytes(packet.size.into()),
        };
        self.end = self.end.after(new);
        let bends = self.advance(now) || self.append(new);
        if bends || is_head {
            self.plan(now, bends);
        }
        Ok(())
    }

    #[inline(always)]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let packet = self.queue.pop()?;
        self.released = self.released.plus_bytes(packet.size);
        self.advance(now);
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
