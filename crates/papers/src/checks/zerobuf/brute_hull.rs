//! The hull pacer by its definition: at every event the steepest line over all deadlines,
//! looked for from scratch. Nothing is kept of one hull for the next, and nothing is
//! shared with the pacers.

use pacesim::units::Time;
use pacesim_pacers::Pending;

use super::super::served::Passed;

/// 2^-16 bytes: the unit in which a place on the exit curve is kept, rounded down.
const UNIT: i128 = 1 << 16;

/// Picoseconds and units.
type Corner = (i128, i128);

struct Job {
    deadline: i128,
    arrival: Time,
    packet: Pending,
}

#[derive(Default)]
struct BruteHull {
    /// The waiting jobs, by deadline, then arrival.
    waiting: Vec<Job>,
    /// Where what has been released ends, and when it was due.
    released: Corner,
    /// The exit curve passes here.
    anchor: Corner,
    passed: Vec<Passed>,
}

/// What passes a hull pacer, each packet as the exit curve passes its last byte; every
/// packet carries its deadline.
pub(super) fn serve(packets: &[(Time, Pending)]) -> Vec<Passed> {
    let mut hull = BruteHull::default();
    for &(at, packet) in packets {
        hull.arrive(at, packet);
    }
    hull.run_to(i128::MAX);
    hull.passed
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
        let curve = self.waiting.iter().map(|job| {
            sum += units(job.packet.size);
            (job.deadline, sum)
        });
        let ahead = std::iter::once(self.released)
            .chain(curve)
            .filter(|p| p.1 > y);
        ahead.reduce(|best, p| {
            let steeper = (p.1 - y) * (best.0 - x) - (best.1 - y) * (p.0 - x);
            match steeper > 0 || steeper == 0 && p > best {
                true => p,
                false => best,
            }
        })
    }

    fn arrive(&mut self, at: Time, packet: Pending) {
        let now = ps(at);
        self.run_to(now);
        let old = self.corner();
        let here = match old {
            None => (now, self.anchor.1),
            Some(corner) => (now, self.height(corner, now)),
        };
        let deadline = ps(packet.deadline);
        let place = self.waiting.partition_point(|job| job.deadline <= deadline);
        let job = Job {
            deadline,
            arrival: at,
            packet,
        };
        self.waiting.insert(place, job);
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

    /// When the curve passes the head's last byte, rounded up to a picosecond.
    fn head_release(&self, corner: Option<Corner>) -> Option<i128> {
        let head = self.waiting.first()?;
        let goal = self.released.1 + units(head.packet.size);
        let (x, y) = self.anchor;
        if y >= goal {
            return Some(x);
        }
        let (cx, cy) = corner?;
        let exact = (goal - y) * (cx - x);
        (cy >= goal).then(|| x + (exact + (cy - y) - 1) / (cy - y))
    }

    fn release(&mut self, at: i128) {
        let job = self.waiting.remove(0);
        self.released = (job.deadline, self.released.1 + units(job.packet.size));
        self.passed.push(Passed {
            key: job.packet.key,
            arrival: job.arrival,
            release: Time::from_ps(at as u64),
            size: job.packet.size,
        });
    }
}
