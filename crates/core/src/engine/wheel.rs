//! A timing wheel with a sorted front.

use pacesim_units::Time;

use super::slots::{NONE, SLOTS, SLOTS_LOG2, Slots};
use super::{EventQueue, Ties};
use crate::memory::filled;

/// Wake-ups in buckets of equal width: fine ones for the next 4096 buckets, coarse ones (each as
/// wide as all fine ones) behind these, and the rest in one far list. Most fine buckets hold one
/// wake-up; a bucket of few is searched, a crowded one is sorted. The width follows the spacing of
/// events and never affects the order.
///
/// Each armed component is in one of four lists, by the bucket of its time: in `front` if that is
/// before the cursor or was crowded, in `fine` from the cursor on, in `coarse` in the ranges behind
/// that of the cursor, and in `far` behind those.
#[derive(Debug)]
pub struct Wheel {
    components: Vec<Component>,
    ties: Ties,
    /// Wake-ups before all buckets, sorted so that the earliest is last: the contents of a crowded
    /// bucket, and those armed for a time before the cursor.
    front: Vec<(Time, u32)>,
    /// Number of the fine bucket that contains the current time.
    cursor: u64,
    fine: Slots,
    /// Buckets of the ranges behind that of the cursor.
    coarse: Slots,
    /// The head of the list of all events behind the coarse buckets.
    far: u32,
    /// The first coarse bucket that a far event belongs to, or `u64::MAX` if there is none.
    far_from: u64,
    /// Base-2 logarithm of the width of a fine bucket in picoseconds.
    shift: u32,
    /// Events until the next check of their spacing, and the time of the last check.
    until_look: u32,
    looked: u64,
}

/// A component's pending wake-up.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Component {
    at: Time,
    began: Time,
    /// Word that the queue's owner keeps with the component.
    word: u64,
    /// The next in the list of its bucket, or [`NONE`]; [`IDLE`] if it is not armed.
    next: u32,
    /// The previous one in a coarse bucket or in the far list, which may be long, or [`NONE`];
    /// [`IDLE`] if it is elsewhere.
    before: u32,
}

const IDLE: u32 = NONE - 1;

/// A component with nothing pending.
const AT_REST: Component = Component {
    at: Time::NEVER,
    began: Time::ZERO,
    word: 0,
    next: IDLE,
    before: IDLE,
};
/// Initial width of a bucket: about one microsecond.
const FIRST_SHIFT: u32 = 20;
/// Events between two checks of their spacing.
const PACE_EVENTS: u32 = 8192;
/// Number of events above which a bucket is sorted.
const CROWD: u32 = 8;

impl Wheel {
    #[inline]
    fn bucket(&self, at: Time) -> u64 {
        at.as_ps() >> self.shift
    }

    /// Inserts a component where its time belongs.
    #[inline(always)]
    fn insert(&mut self, id: u32, at: Time, began: Time) {
        let bucket = self.bucket(at);
        let component = &mut self.components[id as usize];
        component.at = at;
        component.began = began;
        // One comparison: a bucket before the cursor wraps to a large number.
        if bucket.wrapping_sub(self.cursor) < SLOTS {
            component.next = self.fine.push(bucket, id);
        } else {
            component.next = NONE;
            self.insert_elsewhere(id, at);
        }
    }

    #[inline(never)]
    fn insert_elsewhere(&mut self, id: u32, at: Time) {
        let bucket = self.bucket(at);
        if bucket < self.cursor {
            return self.insert_front(id, at);
        }
        let range = bucket >> SLOTS_LOG2;
        let next = if range - self.range() < SLOTS {
            self.coarse.push(range, id)
        } else {
            self.far_from = self.far_from.min(range);
            std::mem::replace(&mut self.far, id)
        };
        let component = &mut self.components[id as usize];
        (component.before, component.next) = (NONE, next);
        if next != NONE {
            self.components[next as usize].before = id;
        }
    }

    /// Number of the coarse bucket that contains the cursor.
    fn range(&self) -> u64 {
        self.cursor >> SLOTS_LOG2
    }

    fn insert_front(&mut self, id: u32, at: Time) {
        let new = (at, id);
        let later = |other: &(Time, u32)| self.before(new, *other);
        let place = self.front.partition_point(later);
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
        let [first, second] = [a, b].map(|id| self.components[id as usize]);
        if first.began != second.began {
            return first.began < second.began;
        }
        let key = |id, of: Component| (self.ties.place(of.at, id, of.word), id);
        key(a, first) < key(b, second)
    }

    /// The first fine bucket that holds an event. Inlined in two places, since each event asks.
    #[inline(always)]
    fn next_bucket(&mut self) -> Option<u64> {
        loop {
            let bucket = self.fine.next_before_wrap(self.cursor);
            if bucket.is_some() || !self.enter_next_range() {
                return bucket;
            }
        }
    }

    /// Takes the first event, wherever it is stored.
    #[inline(never)]
    fn take_from_anywhere(&mut self, until: Time) -> Option<(Time, u32)> {
        if !self.front.is_empty() {
            return self.take_from_front(until);
        }
        let bucket = self.next_bucket()?;
        self.take_of_several(bucket, until)
    }

    /// Advances to the next coarse bucket in which something may be due, and spreads its contents
    /// over the fine ones; false if nothing is pending at all.
    fn enter_next_range(&mut self) -> bool {
        let next = self.range() + 1;
        let fine = self.fine.next_around(self.cursor).map(|_| next);
        let coarse = self.coarse.next_around(next);
        let far = (self.far_from != u64::MAX).then_some(self.far_from);
        let Some(range) = [fine, coarse, far].into_iter().flatten().min() else {
            return false;
        };
        self.cursor = range << SLOTS_LOG2;
        let list = self.coarse.take(range);
        self.spread(list);
        // As late as possible, so that all events of the next turn move at once.
        if range == self.far_from {
            let list = std::mem::replace(&mut self.far, NONE);
            self.far_from = u64::MAX;
            self.spread(list);
        }
        true
    }

    /// Inserts the members of a list again.
    fn spread(&mut self, mut list: u32) {
        while list != NONE {
            let component = &mut self.components[list as usize];
            component.before = IDLE;
            let Component {
                at, began, next, ..
            } = *component;
            self.insert(list, at, began);
            list = next;
        }
    }

    /// Takes the first of several events in a bucket.
    fn take_of_several(&mut self, bucket: u64, until: Time) -> Option<(Time, u32)> {
        let Some((first, before)) = self.first_of_few(self.fine.head(bucket)) else {
            self.empty_into_front(bucket);
            return self.take_from_front(until);
        };
        let component = self.components[first as usize];
        if component.at > until {
            return None;
        }
        match before {
            Some(before) => self.components[before as usize].next = component.next,
            None => self.fine.replace(bucket, component.next),
        }
        Some(self.taken(component.at, first, bucket))
    }

    /// The first of a short list in the order of events, and its predecessor in the list.
    #[inline]
    fn first_of_few(&self, head: u32) -> Option<(u32, Option<u32>)> {
        let at = |id: u32| self.components[id as usize].at;
        let (mut first, mut before_first, mut here) = (head, None, head);
        for _ in 0..CROWD {
            let next = self.components[here as usize].next;
            if next == NONE {
                return Some((first, before_first));
            }
            if self.before((at(next), next), (at(first), first)) {
                (first, before_first) = (next, Some(here));
            }
            here = next;
        }
        None
    }

    fn take_from_front(&mut self, until: Time) -> Option<(Time, u32)> {
        self.empty_into_front(self.cursor);
        let (at, id) = *self.front.last()?;
        if at > until {
            return None;
        }
        self.front.pop();
        Some(self.taken(at, id, self.cursor))
    }

    /// Sorts a bucket's contents into the front.
    fn empty_into_front(&mut self, bucket: u64) {
        self.cursor = bucket;
        let mut list = self.fine.take(bucket);
        while list != NONE {
            let component = self.components[list as usize];
            self.insert_front(list, component.at);
            list = component.next;
        }
    }

    /// Notes that this component's event has been taken.
    #[inline(always)]
    fn taken(&mut self, at: Time, id: u32, bucket: u64) -> (Time, u32) {
        self.components[id as usize].next = IDLE;
        self.cursor = bucket;
        self.until_look -= 1;
        if self.until_look == 0 {
            self.keep_pace(at.as_ps());
        }
        (at, id)
    }

    /// Makes buckets a quarter as wide as the spacing of events, if they are far from it: most
    /// buckets then hold one event, and the map of slots makes empty ones cheap.
    #[cold]
    #[inline(never)]
    fn keep_pace(&mut self, now: u64) {
        let spacing = now.saturating_sub(self.looked) / u64::from(PACE_EVENTS);
        self.until_look = PACE_EVENTS;
        self.looked = now;
        let wanted = (spacing / 4).max(16).ilog2();
        if wanted.abs_diff(self.shift) > 1 {
            self.rebuild(now, wanted);
        }
    }

    /// Inserts every armed component again, with buckets of another width.
    ///
    /// `now` is the time of the event just taken. It was the first of all, so every other one has
    /// a bucket at or behind the new cursor, and the front stays empty. The component of that event
    /// is at rest already, and is not inserted again.
    fn rebuild(&mut self, now: u64, shift: u32) {
        self.shift = shift;
        self.cursor = now >> shift;
        self.front.clear();
        self.fine = Slots::new();
        self.coarse = Slots::new();
        self.far = NONE;
        self.far_from = u64::MAX;
        for id in 0..self.components.len() {
            // It is in no list any more; insertion in a coarse bucket or the far list sets this.
            self.components[id].before = IDLE;
            let component = self.components[id];
            if component.next != IDLE {
                self.insert(id as u32, component.at, component.began);
            }
        }
    }

    /// Removes an armed component from wherever it is stored.
    #[inline(never)]
    fn remove(&mut self, id: u32) {
        let component = &mut self.components[id as usize];
        let before = std::mem::replace(&mut component.before, IDLE);
        let (at, next) = (component.at, component.next);
        match before {
            IDLE => self.remove_from_fine(id, self.bucket(at)),
            NONE => self.behead(id, self.bucket(at) >> SLOTS_LOG2, next),
            before => self.components[before as usize].next = next,
        }
        if before != IDLE && next != NONE {
            self.components[next as usize].before = before;
        }
    }

    /// Removes the head of a coarse bucket or of the far list.
    fn behead(&mut self, id: u32, range: u64, rest: u32) {
        if self.far == id {
            self.far = rest;
        } else {
            self.coarse.replace(range, rest);
        }
    }

    /// Removes a component from a fine bucket, which is short, or from the front.
    fn remove_from_fine(&mut self, id: u32, bucket: u64) {
        match self.unlink(self.fine.head(bucket), id) {
            Some(rest) => self.fine.replace(bucket, rest),
            None => self.front.retain(|(_, other)| *other != id),
        }
    }

    /// The list after removal of one of its members, or `None` if that is not in it.
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
        Wheel {
            components: filled(AT_REST, n),
            ties: Ties::BY_NUMBER,
            front: Vec::new(),
            cursor: 0,
            fine: Slots::new(),
            coarse: Slots::new(),
            far: NONE,
            far_from: u64::MAX,
            shift: FIRST_SHIFT,
            until_look: PACE_EVENTS,
            looked: 0,
        }
    }

    fn grow(&mut self, n: usize) {
        self.components.resize(n, AT_REST);
    }

    fn ties_mut(&mut self) -> &mut Ties {
        &mut self.ties
    }

    #[inline(always)]
    fn set(&mut self, id: u32, at: Time, began: Time) {
        if self.components[id as usize].next != IDLE {
            self.remove(id);
        }
        self.insert(id, at, began);
    }

    #[inline]
    fn clear(&mut self, id: u32) {
        if self.components[id as usize].next != IDLE {
            self.remove(id);
            self.components[id as usize].next = IDLE;
        }
    }

    #[inline(always)]
    fn take_first(&mut self, until: Time) -> Option<(Time, u32)> {
        // Fast path: the next bucket is near and holds one event.
        let near = self.fine.next_in_word(self.cursor);
        let Some(bucket) = near.filter(|_| self.front.is_empty()) else {
            let (at, id) = self.take_from_anywhere(until)?;
            return Some((at, id));
        };
        let id = self.fine.head(bucket);
        let Component { at, next, .. } = self.components[id as usize];
        if next != NONE {
            let (at, id) = self.take_from_anywhere(until)?;
            return Some((at, id));
        }
        if at > until {
            return None;
        }
        self.fine.clear(bucket);
        Some(self.taken(at, id, bucket))
    }

    fn first(&mut self) -> Option<Time> {
        if !self.front.is_empty() {
            self.empty_into_front(self.cursor);
            return self.front.last().map(|(at, _)| *at);
        }
        let bucket = self.next_bucket()?;
        let (mut first, mut here) = (Time::NEVER, self.fine.head(bucket));
        while here != NONE {
            let component = &self.components[here as usize];
            first = first.min(component.at);
            here = component.next;
        }
        Some(first)
    }

    fn at(&self, id: u32) -> Time {
        self.components[id as usize].at
    }

    #[inline]
    fn began(&self, id: u32) -> Time {
        self.components[id as usize].began
    }

    #[inline]
    fn word(&self, id: u32) -> u64 {
        self.components[id as usize].word
    }

    #[inline(always)]
    fn likely_next(&self) -> [Option<u32>; 2] {
        let [first, second] = self.fine.next_two_in_word(self.cursor);
        let head = |bucket: u64| self.fine.head(bucket);
        [first.map(head), second.map(head)]
    }

    #[inline]
    fn word_mut(&mut self, id: u32) -> &mut u64 {
        &mut self.components[id as usize].word
    }
}
