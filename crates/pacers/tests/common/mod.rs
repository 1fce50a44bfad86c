//! The hull pacer by its definition: at every event the steepest line over all
//! deadlines, from scratch, in plain 128-bit integers.

use pacesim_pacers::{Pacer, Pending, Release, ReleaseRule};
use pacesim_units::Time;

/// 2^-16 bytes, the unit of the place reached on the exit curve.
const UNIT: i128 = 1 << 16;

/// A packet with its arrival and deadline, in picoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) key: u32,
    pub(crate) arrival: u64,
    pub(crate) deadline: u64,
    pub(crate) size: u32,
}

/// A point of a curve: picoseconds and units.
type Corner = (i128, i128);

/// Releases by definition, as (time, key).
pub(crate) struct BruteHull {
    rule: ReleaseRule,
    /// Waiting packets, by deadline, then arrival.
    waiting: Vec<Job>,
    /// End of what has been released, and the last one's deadline.
    released: Corner,
    /// The exit curve passes here, and goes on straight to the corner.
    anchor: Corner,
    pub(crate) releases: Vec<(u64, u32)>,
}

impl BruteHull {
    pub(crate) fn new(rule: ReleaseRule) -> BruteHull {
        BruteHull {
            rule,
            waiting: Vec::new(),
            released: (0, 0),
            anchor: (0, 0),
            releases: Vec::new(),
        }
    }

    /// All points (deadline, work due by then) that are still ahead.
    fn deadline_curve(&self) -> Vec<Corner> {
        let mut sum = self.released.1;
        let waiting = self.waiting.iter().map(|job| {
            sum += i128::from(job.size) * UNIT;
            (i128::from(job.deadline), sum)
        });
        std::iter::once(self.released)
            .chain(waiting)
            .filter(|p| p.1 > self.anchor.1)
            .collect()
    }

    /// The furthest of the points with the steepest line from the anchor.
    fn corner(&self) -> Option<Corner> {
        let (x, y) = self.anchor;
        self.deadline_curve().into_iter().reduce(|best, p| {
            let steeper = (p.1 - y) * (best.0 - x) - (best.1 - y) * (p.0 - x);
            if steeper > 0 || steeper == 0 && (p.0, p.1) > best {
                p
            } else {
                best
            }
        })
    }

    fn goal(&self, job: &Job) -> i128 {
        self.released.1
            + match self.rule {
                ReleaseRule::LastByte => i128::from(job.size) * UNIT,
                ReleaseRule::FirstByte => 0,
            }
    }

    /// Follows the exit curve up to a time, and releases what it passes.
    pub(crate) fn run_to(&mut self, end: i128) {
        loop {
            let corner = self.corner();
            let first = self.waiting.first().copied();
            let release = first.and_then(|job| self.crossing(corner, self.goal(&job)));
            if let Some(corner) = corner
                && corner.0 <= end
                && release.is_none_or(|at| at >= corner.0)
            {
                self.anchor = corner;
                continue;
            }
            match (first, release) {
                (Some(job), Some(at)) if at <= end => self.release(at, &job),
                _ => break,
            }
        }
    }

    fn release(&mut self, at: i128, job: &Job) {
        self.waiting.remove(0);
        let end = self.released.1 + i128::from(job.size) * UNIT;
        self.released = (i128::from(job.deadline), end);
        self.releases.push((at as u64, job.key));
    }

    fn crossing(&self, corner: Option<Corner>, goal: i128) -> Option<i128> {
        let (x, y) = self.anchor;
        if y >= goal {
            return Some(x);
        }
        let (cx, cy) = corner?;
        if cy < goal {
            return None;
        }
        let exact = (goal - y) * (cx - x);
        Some(x + (exact + (cy - y) - 1) / (cy - y))
    }

    pub(crate) fn arrive(&mut self, job: Job) {
        let now = i128::from(job.arrival);
        self.run_to(now);
        let old = self.corner();
        let place = self.waiting.partition_point(|w| w.deadline <= job.deadline);
        let here = match old {
            None => (now, self.anchor.1),
            Some(old) => (now, self.height(old, now)),
        };
        self.waiting.insert(place, job);
        let (x, y) = self.anchor;
        let rises = match (old, self.corner()) {
            (Some(old), Some(new)) => (new.1 - y) * (old.0 - x) > (old.1 - y) * (new.0 - x),
            _ => true,
        };
        // The place reached is rounded down to a unit when the slope changes.
        if rises {
            self.anchor = here;
        }
        self.run_to(now);
    }

    fn height(&self, corner: Corner, t: i128) -> i128 {
        let (x, y) = self.anchor;
        y + (corner.1 - y) * (t - x) / (corner.0 - x)
    }

    pub(crate) fn play(rule: ReleaseRule, jobs: &[Job]) -> Vec<(u64, u32)> {
        let mut pacer = BruteHull::new(rule);
        for &job in jobs {
            pacer.arrive(job);
        }
        pacer.run_to(i128::MAX);
        pacer.releases
    }
}

/// Releases of a pacer that is served punctually, as (time, key).
pub(crate) fn play(pacer: &mut impl Pacer, packets: &[(u64, Pending)]) -> Vec<(u64, u32)> {
    let mut releases = Vec::new();
    for &(at, packet) in packets {
        serve(pacer, at, &mut releases);
        pacer
            .enqueue(Time::from_ps(at), packet)
            .expect("an unlimited pacer and sound deadlines");
        serve(pacer, at, &mut releases);
    }
    serve(pacer, u64::MAX, &mut releases);
    releases
}

fn serve(pacer: &mut impl Pacer, until: u64, releases: &mut Vec<(u64, u32)>) {
    while let Release::At(at) = pacer.next_release()
        && at.as_ps() <= until
    {
        let packet = pacer.dequeue(at).expect("its time has come");
        releases.push((at.as_ps(), packet.key));
    }
}
