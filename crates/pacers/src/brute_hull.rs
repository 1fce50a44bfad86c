//! The hull pacer by its definition: at every event the steepest line over all deadlines, from
//! scratch, in plain 128-bit integers. Slow, and the oracle of [`Hull`](crate::Hull) and
//! [`HullMulti`](crate::HullMulti): it shares no code with them, and keeps no part of one hull for
//! the next.

use std::cell::Cell;

use pacesim_units::Time;

use crate::hull::ReleaseRule;
use crate::pacer::Pending;

/// 2^-16 bytes: the unit of a place on the exit curve, rounded down.
const UNIT: i128 = 1 << 16;

/// A corner of the curve, in picoseconds and units of work.
type Corner = (i128, i128);

/// Releases of a hull pacer that has room for all packets and is served punctually.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Releases {
    /// Time of each release and key of its packet, in order.
    pub releases: Vec<(Time, u32)>,
    /// Number of slopes compared.
    pub steps: u64,
}

/// Plays packets by the definition: each arrives at its time and has a deadline not before that.
pub fn play(rule: ReleaseRule, packets: &[(Time, Pending)]) -> Releases {
    let mut hull = BruteHull {
        rule,
        waiting: Vec::new(),
        released: (0, 0),
        anchor: (0, 0),
        releases: Vec::new(),
        steps: Cell::new(0),
    };
    for &(at, packet) in packets {
        hull.arrive(ps(at), packet);
    }
    hull.run_to(i128::MAX);
    Releases {
        releases: hull.releases,
        steps: hull.steps.get(),
    }
}

struct BruteHull {
    rule: ReleaseRule,
    /// Waiting packets by deadline, then arrival.
    waiting: Vec<Pending>,
    /// End of the released packets, and the deadline of the last one.
    released: Corner,
    /// A point of the exit curve, which continues straight to the corner.
    anchor: Corner,
    releases: Vec<(Time, u32)>,
    steps: Cell<u64>,
}

fn ps(t: Time) -> i128 {
    i128::from(t.as_ps())
}

fn units(size: u32) -> i128 {
    i128::from(size) * UNIT
}

impl BruteHull {
    /// The furthest of all deadlines ahead with the steepest line from the anchor.
    fn corner(&self) -> Option<Corner> {
        let (x, y) = self.anchor;
        let mut sum = self.released.1;
        let curve = self.waiting.iter().map(|packet| {
            sum += units(packet.size);
            (ps(packet.deadline), sum)
        });
        let all = std::iter::once(self.released).chain(curve);
        all.filter(|p| p.1 > y).reduce(|best, p| {
            self.steps.set(self.steps.get() + 1);
            let steeper = (p.1 - y) * (best.0 - x) - (best.1 - y) * (p.0 - x);
            if steeper > 0 || steeper == 0 && p > best {
                p
            } else {
                best
            }
        })
    }

    fn arrive(&mut self, now: i128, packet: Pending) {
        self.run_to(now);
        let old = self.corner();
        let here = match old {
            None => (now, self.anchor.1),
            Some(corner) => (now, self.height(corner, now)),
        };
        let is_due_no_later = |other: &Pending| other.deadline <= packet.deadline;
        let place = self.waiting.partition_point(is_due_no_later);
        self.waiting.insert(place, packet);
        // The place reached is rounded only where the first slope rises.
        if self.is_steeper_than(old) {
            self.anchor = here;
        }
        self.run_to(now);
    }

    fn is_steeper_than(&self, old: Option<Corner>) -> bool {
        let (x, y) = self.anchor;
        match (old, self.corner()) {
            (Some(old), Some(new)) => (new.1 - y) * (old.0 - x) > (old.1 - y) * (new.0 - x),
            _ => true,
        }
    }

    fn height(&self, corner: Corner, t: i128) -> i128 {
        let (x, y) = self.anchor;
        y + (corner.1 - y) * (t - x) / (corner.0 - x)
    }

    /// Follows the exit curve to a time, and releases what it passes.
    fn run_to(&mut self, end: i128) {
        loop {
            let corner = self.corner();
            let release = self.head_release(corner);
            if let Some(corner) = corner
                && corner.0 <= end
                && release.is_none_or(|at| at >= corner.0)
            {
                self.anchor = corner;
                continue;
            }
            match release {
                Some(at) if at <= end => self.release(at),
                _ => break,
            }
        }
    }

    /// Time at which the curve has advanced far enough for the head, rounded up to a picosecond.
    fn head_release(&self, corner: Option<Corner>) -> Option<i128> {
        let head = self.waiting.first()?;
        let goal = match self.rule {
            ReleaseRule::LastByte => self.released.1 + units(head.size),
            ReleaseRule::FirstByte => self.released.1,
        };
        let (x, y) = self.anchor;
        if y >= goal {
            return Some(x);
        }
        let (cx, cy) = corner?;
        let exact = (goal - y) * (cx - x);
        (cy >= goal).then(|| x + (exact + (cy - y) - 1) / (cy - y))
    }

    fn release(&mut self, at: i128) {
        let head = self.waiting.remove(0);
        self.released = (ps(head.deadline), self.released.1 + units(head.size));
        self.releases.push((Time::from_ps(at as u64), head.key));
    }
}
