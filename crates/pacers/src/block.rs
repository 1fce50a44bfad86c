//! A few dozen packets in order of deadline, contiguous in memory, with the hull of their part of
//! the deadline curve.

use std::cmp::Ordering;

use pacesim_units::{FlowId, Time};

use crate::curve::{CurvePoint, Work, compare_slopes};
use crate::pacer::Pending;

/// Packets in a block. Larger blocks mean fewer levels above and longer moves within. Equal to the
/// bits of a mask.
pub(crate) const BLOCK: usize = u64::BITS as usize;

/// Packets in order of deadline, equal ones in order of arrival. Work is counted from the block's
/// own beginning and includes packets that have left.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Work of the packets that have left.
    gone: Work,
    first: usize,
    end: usize,
    hull_is_fresh: bool,
    hull: Vec<CurvePoint>,
    /// The deadlines in order, with the places of their packets, which do not move.
    deadlines: [Time; BLOCK],
    places: [u8; BLOCK],
    packets: [Pending; BLOCK],
    /// Bit mask of free places.
    free: u64,
}

impl Block {
    pub(crate) fn new() -> Block {
        Block {
            gone: Work::default(),
            first: 0,
            end: 0,
            hull_is_fresh: false,
            hull: Vec::new(),
            deadlines: [Time::ZERO; BLOCK],
            places: [0; BLOCK],
            packets: [Pending::new(0, FlowId(0), 0); BLOCK],
            free: u64::MAX,
        }
    }

    /// Empties the block for reuse.
    pub(crate) fn clear(&mut self) {
        self.gone = Work::default();
        self.first = 0;
        self.end = 0;
        self.free = u64::MAX;
        self.hull_is_fresh = false;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first == self.end
    }

    pub(crate) fn len(&self) -> usize {
        self.end - self.first
    }

    pub(crate) fn is_full(&self) -> bool {
        self.len() == BLOCK
    }

    pub(crate) fn first_deadline(&self) -> Time {
        self.deadlines[self.first]
    }

    #[inline]
    fn packet(&self, i: usize) -> &Pending {
        &self.packets[usize::from(self.places[i])]
    }

    /// The first packet and its deadline.
    #[inline]
    pub(crate) fn head(&self) -> Option<(Time, Pending)> {
        (!self.is_empty()).then(|| (self.deadlines[self.first], *self.packet(self.first)))
    }

    /// Removes the first packet. Work is still counted from the same beginning.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.gone = self.gone.plus_bytes(self.packet(self.first).size);
        self.free |= 1 << self.places[self.first];
        self.first += 1;
        self.hull_is_fresh = false;
    }

    /// The point of the curve at which the first packet ends.
    #[inline]
    pub(crate) fn head_end(&self) -> CurvePoint {
        CurvePoint {
            at: self.deadlines[self.first],
            work: self.gone.plus_bytes(self.packet(self.first).size),
        }
    }

    /// Inserts a packet behind all that are due no later. There must be room.
    pub(crate) fn insert(&mut self, deadline: Time, packet: Pending) {
        if self.end == BLOCK {
            self.move_to_front();
        }
        let place = self.free.trailing_zeros() as u8;
        self.free &= self.free - 1;
        self.packets[usize::from(place)] = packet;
        let i = self.first
            + self.deadlines[self.first..self.end].partition_point(|&other| other <= deadline);
        self.deadlines.copy_within(i..self.end, i + 1);
        self.places.copy_within(i..self.end, i + 1);
        self.deadlines[i] = deadline;
        self.places[i] = place;
        self.end += 1;
        self.hull_is_fresh = false;
    }

    fn move_to_front(&mut self) {
        self.deadlines.copy_within(self.first..self.end, 0);
        self.places.copy_within(self.first..self.end, 0);
        self.end -= self.first;
        self.first = 0;
    }

    /// Moves the later half of a full block to an empty one, and returns its work.
    pub(crate) fn split_into(&mut self, other: &mut Block) -> Work {
        let mut moved = Work::default();
        for i in BLOCK / 2..BLOCK {
            let packet = *self.packet(i);
            moved = moved.plus_bytes(packet.size);
            self.free |= 1 << self.places[i];
            other.insert(self.deadlines[i], packet);
        }
        self.end = BLOCK / 2;
        self.hull_is_fresh = false;
        moved
    }

    /// The points of the curve at which packets end.
    pub(crate) fn points(&self) -> impl Iterator<Item = CurvePoint> + '_ {
        (self.first..self.end).scan(self.gone, |end, i| {
            *end = end.plus_bytes(self.packet(i).size);
            Some(CurvePoint {
                at: self.deadlines[i],
                work: *end,
            })
        })
    }

    /// The corner to which the line from a point before the block is steepest, the furthest of
    /// several.
    pub(crate) fn tangent_from(&mut self, from: CurvePoint) -> CurvePoint {
        let hull = self.fresh_hull();
        let passed = count_while(hull, |a, b| compare_slopes(from, a, b) != Ordering::Greater);
        hull[passed]
    }

    /// The corner from which the line to a point behind the block is flattest.
    pub(crate) fn tangent_to(&mut self, to: CurvePoint) -> CurvePoint {
        let hull = self.fresh_hull();
        let passed = count_while(hull, |a, b| compare_slopes(a, b, to) == Ordering::Greater);
        hull[passed]
    }

    /// The upper hull of the packets' ends (a monotone chain).
    fn fresh_hull(&mut self) -> &[CurvePoint] {
        if !self.hull_is_fresh {
            let mut hull = std::mem::take(&mut self.hull);
            hull.clear();
            self.points()
                .for_each(|point| push_corner(&mut hull, point));
            self.hull = hull;
            self.hull_is_fresh = true;
        }
        &self.hull
    }
}

/// Appends a point to a hull and drops the corners it covers.
pub(crate) fn push_corner(hull: &mut Vec<CurvePoint>, point: CurvePoint) {
    while let [.., before, last] = hull[..]
        && compare_slopes(before, last, point) != Ordering::Greater
    {
        hull.pop();
    }
    hull.push(point);
}

/// Number of edges, from the first, that satisfy a condition which holds up to some edge and not
/// after.
fn count_while(hull: &[CurvePoint], holds: impl Fn(CurvePoint, CurvePoint) -> bool) -> usize {
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
