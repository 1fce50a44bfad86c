//! A timing wheel with a sorted front.

use pacesim_units::Time;

use super::EventQueue;
use super::slots::{NONE, SLOTS, SLOTS_LOG2, Slots};

/// Wake-ups in buckets of equal width: fine ones for the next [`SLOTS`] buckets, coarse
/// ones (each as wide as all fine ones) behind these, and the rest in one far list.
/// Only the bucket that time is in is sorted. The width follows the spacing of events,
/// and never shows in the order.
#[derive(Debug)]
pub struct Wheel {
    components: Vec<Component>,
    /// The first in the order, or [`NONE`] while it is not known, and when it is due.
    /// Kept out of the front, because most buckets hold only one.
    first: u32,
    first_at: Time,
    /// What else is due in buckets up to `cursor`, the next last.
    front: Vec<(Time, u32)>,
    /// The last fine bucket whose contents went to the front.
    cursor: u64,
    fine: Slots,
    /// Buckets of the ranges behind the one that the cursor is in.
    coarse: Slots,
    far: u32,
    /// The first coarse bucket that something far belongs to.
    far_from: u64,
    /// A fine bucket is 2^shift picoseconds wide.
    shift: u32,
    /// Events since the last look at their pace, and when that was.
    events: u32,
    since: Time,
}

/// A component's pending wake-up.
#[derive(Clone, Copy, Debug)]
struct Component {
    at: Time,
    began: Time,
    /// The next in the list of its bucket, or [`NONE`]; [`IDLE`] if it is not armed.
    next: u32,
}

const IDLE: u32 = NONE - 1;
/// A guess for the start: one microsecond.
const FIRST_SHIFT: u32 = 20;
/// Events between two looks at the pace.
const PACE_EVENTS: u32 = 8192;

impl Wheel {
    #[inline]
    fn bucket(&self, at: Time) -> u64 {
        at.as_ps() >> self.shift
    }

    /// Puts a component where its time belongs.
    #[inline(always)]
    fn insert(&mut self, id: u32, at: Time, began: Time) {
        let bucket = self.bucket(at);
        let component = &mut self.components[id as usize];
        component.at = at;
        component.began = began;
        // One comparison: what is due up to the cursor wraps to a large number.
        if bucket.wrapping_sub(self.cursor + 1) < SLOTS - 1 {
            component.next = self.fine.push(bucket, id);
        } else {
            component.next = NONE;
            self.insert_elsewhere(id, at);
        }
    }

    #[inline(never)]
    fn insert_elsewhere(&mut self, id: u32, at: Time) {
        if self.bucket(at) <= self.cursor {
            return self.insert_front(id, at);
        }
        let range = self.bucket(at) >> SLOTS_LOG2;
        self.components[id as usize].next = if range - self.range() < SLOTS {
            self.coarse.push(range, id)
        } else {
            self.far_from = self.far_from.min(range);
            std::mem::replace(&mut self.far, id)
        };
    }

    /// The coarse bucket that the cursor is in.
    fn range(&self) -> u64 {
        self.cursor >> SLOTS_LOG2
    }

    fn insert_front(&mut self, id: u32, at: Time) {
        let mut new = (at, id);
        if self.first != NONE && self.before(new, (self.first_at, self.first)) {
            std::mem::swap(&mut new.0, &mut self.first_at);
            std::mem::swap(&mut new.1, &mut self.first);
        }
        let place = self.front.partition_point(|other| self.before(new, *other));
        self.front.insert(place, new);
    }

    #[inline]
    fn before(&self, a: (Time, u32), b: (Time, u32)) -> bool {
        if a.0 == b.0 {
            self.ties_before(a.1, b.1)
        } else {
            a.0 < b.0
        }
    }

    #[cold]
    fn ties_before(&self, a: u32, b: u32) -> bool {
        let began = |id: u32| self.components[id as usize].began;
        (began(a), a) < (began(b), b)
    }

    /// Finds the first, when the last one is gone; false if nothing is pending.
    #[inline]
    fn find_first(&mut self) -> bool {
        self.events += 1;
        if let Some((at, id)) = self.front.pop() {
            (self.first_at, self.first) = (at, id);
            return true;
        }
        if self.events >= PACE_EVENTS {
            self.keep_pace();
        }
        if let Some(bucket) = self.fine.next_before_wrap(self.cursor) {
            self.take_bucket(bucket);
            return true;
        }
        self.enter_next_range() && self.find_first()
    }

    /// Most buckets hold one.
    #[inline]
    fn take_bucket(&mut self, bucket: u64) {
        self.cursor = bucket;
        self.first = self.fine.take(bucket);
        let component = &self.components[self.first as usize];
        self.first_at = component.at;
        if component.next != NONE {
            self.fill_front(component.next);
        }
    }

    #[inline(never)]
    fn fill_front(&mut self, mut list: u32) {
        while list != NONE {
            let component = self.components[list as usize];
            self.insert_front(list, component.at);
            list = component.next;
        }
    }

    /// Moves to the next coarse bucket in which something may be due, and spreads its
    /// contents over the fine ones; false if nothing is pending at all.
    #[inline(never)]
    fn enter_next_range(&mut self) -> bool {
        let next = self.range() + 1;
        let fine = self.fine.next_around(self.cursor).map(|_| next);
        let coarse = self.coarse.next_around(next);
        let far = (self.far != NONE).then_some(self.far_from);
        let Some(range) = [fine, coarse, far].into_iter().flatten().min() else {
            return false;
        };
        self.cursor = range << SLOTS_LOG2;
        let list = self.fine.take(self.cursor);
        self.spread(list);
        let list = self.coarse.take(range);
        self.spread(list);
        // As late as can be: then all that comes near in the next turn is moved at once.
        if range == self.far_from {
            let list = std::mem::replace(&mut self.far, NONE);
            self.far_from = u64::MAX;
            self.spread(list);
        }
        true
    }

    /// Inserts a list anew.
    fn spread(&mut self, mut list: u32) {
        while list != NONE {
            let component = self.components[list as usize];
            self.insert(list, component.at, component.began);
            list = component.next;
        }
    }

    /// Makes buckets half as wide as events are apart, if they are far from it.
    #[cold]
    fn keep_pace(&mut self) {
        let now = self.first_at;
        let spacing = now.saturating_since(self.since).as_ps() / u64::from(self.events);
        self.events = 0;
        self.since = now;
        let wanted = (spacing / 2).max(16).ilog2();
        if wanted.abs_diff(self.shift) > 1 {
            self.rebuild(now, wanted);
        }
    }

    #[cold]
    fn rebuild(&mut self, now: Time, shift: u32) {
        self.shift = shift;
        self.cursor = self.bucket(now);
        self.fine = Slots::new();
        self.coarse = Slots::new();
        self.far = NONE;
        self.far_from = u64::MAX;
        for id in 0..self.components.len() {
            let component = self.components[id];
            if component.next != IDLE {
                self.insert(id as u32, component.at, component.began);
            }
        }
    }

    /// Takes an armed component that is not the first out of wherever it is.
    #[inline(never)]
    fn remove_inner(&mut self, id: u32) {
        let bucket = self.bucket(self.components[id as usize].at);
        if bucket <= self.cursor {
            return self.front.retain(|(_, other)| *other != id);
        }
        if let Some(rest) = self.unlink(self.fine.head(bucket), id) {
            return self.fine.replace(bucket, rest);
        }
        let range = bucket >> SLOTS_LOG2;
        if let Some(rest) = self.unlink(self.coarse.head(range), id) {
            return self.coarse.replace(range, rest);
        }
        self.far = self.unlink(self.far, id).expect("a place for what is armed");
    }

    /// The list without one of its members, or `None` if it is not one.
    fn unlink(&mut self, head: u32, id: u32) -> Option<u32> {
        let behind = self.components[id as usize].next;
        if head == id {
            return Some(behind);
        }
        let mut at = head;
        while at != NONE {
            let component = &mut self.components[at as usize];
            if component.next == id {
                component.next = behind;
                return Some(head);
            }
            at = component.next;
        }
        None
    }
}

impl EventQueue for Wheel {
    fn with_components(n: usize) -> Wheel {
        let idle = Component {
            at: Time::NEVER,
            began: Time::ZERO,
            next: IDLE,
        };
        Wheel {
            components: vec![idle; n],
            first: NONE,
            first_at: Time::ZERO,
            front: Vec::new(),
            cursor: 0,
            fine: Slots::new(),
            coarse: Slots::new(),
            far: NONE,
            far_from: u64::MAX,
            shift: FIRST_SHIFT,
            events: 0,
            since: Time::ZERO,
        }
    }

    #[inline(always)]
    fn set(&mut self, id: u32, at: Time, began: Time) {
        // Most often the first one moves, or one that is idle.
        if id == self.first {
            self.first = NONE;
        } else if self.components[id as usize].next != IDLE {
            self.remove_inner(id);
        }
        self.insert(id, at, began);
    }

    #[inline]
    fn clear(&mut self, id: u32) {
        if id == self.first {
            self.first = NONE;
        } else if self.components[id as usize].next != IDLE {
            self.remove_inner(id);
        }
        self.components[id as usize].next = IDLE;
    }

    #[inline]
    fn first(&mut self) -> Option<(Time, u32)> {
        if self.first == NONE && !self.find_first() {
            return None;
        }
        Some((self.first_at, self.first))
    }

    #[inline]
    fn began(&self, id: u32) -> Time {
        self.components[id as usize].began
    }
}
