//! A few dozen packets in order of deadline, side by side in memory, with the
//! hull of their part of the deadline curve.

use std::cmp::Ordering;

use pacesim_units::{FlowId, Time};

use crate::curve::{Point, Work, compare_slopes};
use crate::pacer::Pending;

/// Packets in a block. Larger blocks mean fewer levels above and longer moves
/// within.
pub(crate) const BLOCK: usize = 64;

/// Packets in order of deadline, equal ones in order of arrival. Work is counted
/// from the block's own beginning, packets that have left included.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Work of all packets that are or were here.
    pub(crate) total: Work,
    /// Work of those that have left.
    gone: Work,
    first: usize,
    end: usize,
    hull_is_fresh: bool,
    hull: Vec<Point>,
    deadlines: [Time; BLOCK],
    packets: [Pending; BLOCK],
}

impl Block {
    pub(crate) fn new() -> Block {
        Block {
            total: Work::default(),
            gone: Work::default(),
            first: 0,
            end: 0,
            hull_is_fresh: false,
            hull: Vec::new(),
            deadlines: [Time::ZERO; BLOCK],
            packets: [Pending::new(0, FlowId(0), 0); BLOCK],
        }
    }

    /// Empties it for another use.
    pub(crate) fn clear(&mut self) {
        self.total = Work::default();
        self.gone = Work::default();
        self.first = 0;
        self.end = 0;
        self.hull_is_fresh = false;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first == self.end
    }

    pub(crate) fn is_full(&self) -> bool {
        self.end - self.first == BLOCK
    }

    pub(crate) fn first_deadline(&self) -> Time {
        self.deadlines[self.first]
    }

    /// The first packet, with its deadline.
    #[inline]
    pub(crate) fn head(&self) -> Option<(Time, Pending)> {
        (!self.is_empty()).then(|| (self.deadlines[self.first], self.packets[self.first]))
    }

    /// Takes the first packet. Work stays counted from where it was.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.gone = self.gone.plus_bytes(self.packets[self.first].size);
        self.first += 1;
        self.hull_is_fresh = false;
    }

    /// Where the first packet ends.
    #[inline]
    pub(crate) fn head_end(&self) -> Point {
        Point {
            at: self.deadlines[self.first],
            work: self.gone.plus_bytes(self.packets[self.first].size),
        }
    }

    /// Puts a packet behind all that are due no later. There must be room.
    pub(crate) fn insert(&mut self, deadline: Time, packet: Pending) {
        if self.end == BLOCK {
            self.move_to_front();
        }
        let place = self.first
            + self.deadlines[self.first..self.end].partition_point(|&other| other <= deadline);
        self.deadlines.copy_within(place..self.end, place + 1);
        self.packets.copy_within(place..self.end, place + 1);
        self.deadlines[place] = deadline;
        self.packets[place] = packet;
        self.end += 1;
        self.total = self.total.plus_bytes(packet.size);
        self.hull_is_fresh = false;
    }

    fn move_to_front(&mut self) {
        self.deadlines.copy_within(self.first..self.end, 0);
        self.packets.copy_within(self.first..self.end, 0);
        self.end -= self.first;
        self.first = 0;
    }

    /// Moves the later half of a full block to an empty one.
    pub(crate) fn split_into(&mut self, other: &mut Block) {
        let half = BLOCK / 2;
        other.deadlines[..BLOCK - half].copy_from_slice(&self.deadlines[half..]);
        other.packets[..BLOCK - half].copy_from_slice(&self.packets[half..]);
        other.end = BLOCK - half;
        other.total = other.packets[..other.end]
            .iter()
            .fold(Work::default(), |sum, packet| sum.plus_bytes(packet.size));
        self.end = half;
        self.total = self.total.minus(other.total);
        self.hull_is_fresh = false;
    }

    /// Where the packets end.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let waiting = self.first..self.end;
        let due = &self.deadlines[waiting.clone()];
        let packets = &self.packets[waiting];
        due.iter()
            .zip(packets)
            .scan(self.gone, |end, (&at, packet)| {
                *end = end.plus_bytes(packet.size);
                Some(Point { at, work: *end })
            })
    }

    /// The corner to which the line from a point before the block is steepest,
    /// the furthest if several.
    pub(crate) fn tangent_from(&mut self, from: Point) -> Point {
        let hull = self.fresh_hull();
        let passed = count_while(hull, |a, b| compare_slopes(from, a, b) != Ordering::Greater);
        hull[passed]
    }

    /// The corner from which the line to a point behind the block is flattest.
    pub(crate) fn tangent_to(&mut self, to: Point) -> Point {
        let hull = self.fresh_hull();
        let passed = count_while(hull, |a, b| compare_slopes(a, b, to) == Ordering::Greater);
        hull[passed]
    }

    /// The upper hull of the packets' ends (a monotone chain).
    fn fresh_hull(&mut self) -> &[Point] {
        if !self.hull_is_fresh {
            self.hull.clear();
            let mut end = self.gone;
            for i in self.first..self.end {
                end = end.plus_bytes(self.packets[i].size);
                let point = Point {
                    at: self.deadlines[i],
                    work: end,
                };
                push_corner(&mut self.hull, point);
            }
            self.hull_is_fresh = true;
        }
        &self.hull
    }
}

/// Appends a point to a hull and drops the corners it covers.
pub(crate) fn push_corner(hull: &mut Vec<Point>, point: Point) {
    while let [.., before, last] = hull[..]
        && compare_slopes(before, last, point) != Ordering::Greater
    {
        hull.pop();
    }
    hull.push(point);
}

/// How many edges in a row, from the first, satisfy a condition that holds up to
/// some edge and not after.
fn count_while(hull: &[Point], holds: impl Fn(Point, Point) -> bool) -> usize {
    let (mut low, mut high) = (0, hull.len() - 1);
    while low < high {
        let middle = usize::midpoint(low, high);
        if holds(hull[middle], hull[middle + 1]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
