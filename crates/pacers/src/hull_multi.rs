//! The hull pacer for arbitrary deadlines (zerobuf Figs. 16 and 17): earliest deadline first, along
//! the upper concave hull of the deadline curve.
//!
//! A release depends on the first slope of the hull only, so only that is kept: the steepest line
//! from the place reached to any point of the curve (`deadline_curve`). With one class it agrees to
//! the picosecond with [`Hull`](crate::Hull).

use std::cmp::Ordering;

use pacesim_units::{Capacity, Span, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::curve::{CurvePoint, Work, compare_slopes, time_of, work_at};
use crate::deadline_curve::{DeadlineCurve, Search, steeper};
use crate::fifo::{Fifo, Room};
use crate::hull::ReleaseRule;
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};
use crate::steps::{NoStepCount, Steps};

/// Parameters of [`HullMulti`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HullMultiConfig {
    /// The delay bound of each class; a packet's own deadline overrides it.
    pub delays: Vec<Span>,
    /// Byte of a packet that decides its release.
    pub rule: ReleaseRule,
    /// Size of the buffer.
    pub capacity: Capacity,
}

impl HullMultiConfig {
    /// The configuration of the paper: last byte, unlimited buffer.
    pub fn new(delays: Vec<Span>) -> HullMultiConfig {
        HullMultiConfig {
            delays,
            rule: ReleaseRule::LastByte,
            capacity: Capacity::Unlimited,
        }
    }

    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require(
            self.delays.len() <= usize::from(u16::MAX) + 1,
            "delays",
            || format!("{} classes are more than 65536", self.delays.len()),
            "give rare classes deadlines packet by packet",
        );
        for &delay in &self.delays {
            problems.require_sane_delay(delay, "delays");
        }
        problems.require_room(self.capacity, "capacity");
        problems.into_list()
    }
}

/// The hull pacer for arbitrary deadlines.
#[derive(Clone, Debug)]
pub struct HullMulti<S = NoStepCount> {
    delays: Vec<Span>,
    rule: ReleaseRule,
    room: Room,
    /// Packets that are due for release, in order.
    ready: Fifo,
    ready_since: Time,
    /// Curve of the packets yet to be released.
    curve: DeadlineCurve<S>,
    /// End of the packets that left the curve, and the deadline of the last one.
    released: CurvePoint,
    /// A point of the exit curve, on its first piece and not after now.
    anchor: CurvePoint,
    /// The other end of the first piece; the anchor itself when there is none.
    corner: CurvePoint,
    /// Time at which the first packet of the curve is released.
    head_at: Release,
}

impl HullMulti {
    /// A pacer without packets.
    pub fn new(config: &HullMultiConfig) -> Result<HullMulti, InvalidConfig> {
        HullMulti::counting(config)
    }
}

impl<S: Steps> HullMulti<S> {
    /// A pacer without packets that counts its steps.
    pub fn counting(config: &HullMultiConfig) -> Result<HullMulti<S>, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(HullMulti {
            delays: config.delays.clone(),
            rule: config.rule,
            room: Room::new(config.capacity),
            ready: Fifo::new(Capacity::Unlimited),
            ready_since: Time::ZERO,
            curve: DeadlineCurve::new(),
            released: CurvePoint::default(),
            anchor: CurvePoint::default(),
            corner: CurvePoint::default(),
            head_at: Release::Idle,
        })
    }

    /// Number of steps so far.
    pub fn steps(&self) -> &S {
        self.curve.steps()
    }

    fn packets(&self) -> usize {
        self.ready.len() + self.curve.len()
    }

    fn deadline_of(&self, now: Time, packet: &Pending) -> Result<Time, Refused> {
        if packet.deadline == Time::NEVER {
            let delay = self.delays.get(usize::from(packet.class));
            return delay.map(|&d| now + d).ok_or(Refused::UnknownClass);
        }
        if packet.deadline < now {
            return Err(Refused::DeadlineBeforeArrival);
        }
        Ok(packet.deadline)
    }

    /// Follows the exit curve to the present.
    #[inline]
    fn advance(&mut self, now: Time) {
        while let Release::At(at) = self.head_at
            && at <= now
        {
            self.release_head(at);
        }
        if self.corner.at <= now {
            self.anchor = self.corner;
            self.corner_from_anchor();
        }
    }

    fn release_head(&mut self, at: Time) {
        let (deadline, packet) = self.curve.head().expect("a release is of the head");
        self.curve.pop();
        self.hand_over(at, deadline, packet);
        self.schedule();
    }

    /// Moves a packet to those that are ready.
    fn hand_over(&mut self, at: Time, deadline: Time, packet: Pending) {
        if self.ready.is_empty() {
            self.ready_since = at;
        }
        self.ready.push(packet).expect("an unlimited queue");
        self.released = CurvePoint {
            at: deadline,
            work: self.released.work.plus_bytes(packet.size),
        };
    }

    /// Work that the curve must reach for the head to leave.
    fn goal(&self, size: u32) -> Work {
        self.rule.goal(self.released.work, size)
    }

    fn schedule(&mut self) {
        let Some((_, head)) = self.curve.head() else {
            self.head_at = Release::Idle;
            return;
        };
        let goal = self.goal(head.size);
        while !self.corner.work.has_reached(goal) {
            self.anchor = self.corner;
            self.corner_from_anchor();
        }
        self.head_at = Release::At(if self.anchor.work.has_reached(goal) {
            self.anchor.at
        } else {
            time_of(self.anchor, self.corner, goal)
        });
    }

    /// Finds the first piece from the anchor.
    fn corner_from_anchor(&mut self) {
        self.corner = match self.first_end() {
            Some(point) => self.steepest(point, Search::EVERYWHERE),
            None if self.released_is_ahead() => self.released,
            None => self.anchor,
        };
    }

    /// The point at which the first packet of the curve ends.
    fn first_end(&self) -> Option<CurvePoint> {
        let (deadline, head) = self.curve.head()?;
        Some(CurvePoint {
            at: deadline,
            work: self.released.work.plus_bytes(head.size),
        })
    }

    /// True if the packet released last is not yet fully transmitted, which happens only under the
    /// rule of the first byte.
    fn released_is_ahead(&self) -> bool {
        self.released.at > self.anchor.at && !self.anchor.work.has_reached(self.released.work)
    }

    /// The steepest corner from the anchor; `candidate` is one, and no other lies outside the
    /// search.
    fn steepest(&mut self, candidate: CurvePoint, search: Search) -> CurvePoint {
        let best = self.curve.steepest(self.anchor, candidate, search);
        if self.released_is_ahead() {
            steeper(self.anchor, self.released, best)
        } else {
            best
        }
    }

    /// The point of the exit curve at this time.
    fn here(&self, now: Time) -> CurvePoint {
        let work = if self.corner.at > now {
            work_at(self.anchor, self.corner, now)
        } else {
            self.anchor.work
        };
        CurvePoint { at: now, work }
    }

    /// Inserts a packet into the curve, which may make the first piece steeper.
    fn wait(&mut self, now: Time, deadline: Time, packet: Pending) {
        let is_idle = self.corner.at <= now;
        let lifts_corner = deadline <= self.corner.at;
        let here = self.here(now);
        self.curve.insert(deadline, packet);
        if is_idle || lifts_corner && self.corner == self.released {
            self.anchor = here;
            self.corner_from_anchor();
        } else if lifts_corner {
            self.lift(here, packet.size);
        } else {
            self.extend(here, deadline);
        }
        self.schedule();
    }

    /// Notes that the curve has risen from before the corner on. Behind the corner the line to it
    /// has risen more than the curve.
    fn lift(&mut self, here: CurvePoint, size: u32) {
        let raised = CurvePoint {
            at: self.corner.at,
            work: self.corner.work.plus_bytes(size),
        };
        self.anchor = here;
        self.corner = self.steepest(raised, Search::until(raised.at));
    }

    /// Notes that the curve has risen from a deadline behind the corner on: perhaps above the first
    /// piece.
    fn extend(&mut self, here: CurvePoint, deadline: Time) {
        let old = self.corner;
        let best = self.steepest(old, Search::since(deadline));
        if best == old {
            return;
        }
        if compare_slopes(self.anchor, old, best) == Ordering::Less {
            self.anchor = here;
            // From here, below the line to it, all later points have flatter lines still.
            self.corner = self.steepest(best, Search::until(best.at));
        } else {
            self.corner = best;
        }
    }

    /// Releases a packet that must leave at once: it is due, or the exit curve has advanced far
    /// enough for it. All others stay due after that much more work.
    fn pass(&mut self, now: Time, deadline: Time, packet: Pending) {
        let mut here = self.here(now);
        self.hand_over(now, deadline, packet);
        self.curve.lift(packet.size);
        if deadline <= now && !here.work.has_reached(self.released.work) {
            here.work = self.released.work;
        }
        self.anchor = here;
        self.corner_from_anchor();
        self.schedule();
    }

    /// True if a packet is first in order and due for release.
    fn leaves_at_once(&self, now: Time, deadline: Time, size: u32) -> bool {
        let is_first = self.curve.head().is_none_or(|(first, _)| deadline < first);
        let reached = self.here(now).work.has_reached(self.goal(size));
        deadline <= now || is_first && reached
    }
}

impl BuiltIn for HullMulti {
    type Config = HullMultiConfig;
    const NAME: &'static str = "hull_multi";

    fn of(
        config: &HullMultiConfig,
        _: impl Rng + Send + 'static,
    ) -> Result<HullMulti, InvalidConfig> {
        HullMulti::new(config)
    }
}

impl<S: Steps> Pacer for HullMulti<S> {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        let deadline = self.deadline_of(now, &packet)?;
        self.room.take(self.packets(), packet.size)?;
        self.advance(now);
        if self.leaves_at_once(now, deadline, packet.size) {
            self.pass(now, deadline, packet);
        } else {
            self.wait(now, deadline, packet);
        }
        Ok(())
    }

    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        self.advance(now);
        let packet = self.ready.pop()?;
        self.room.give_back(packet.size);
        Some(packet)
    }

    #[inline]
    fn next_release(&self) -> Release {
        if self.ready.is_empty() {
            self.head_at
        } else {
            Release::At(self.ready_since)
        }
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.packets() as u64,
            bytes: self.room.held(),
        }
    }
}
