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
    /// What is due in buckets up to `cursor`, the first last.
    front: Vec<(Time, u32)>,
    fine: Slots,
    coarse: Slots,
    far: u32,
    /// The first coarse bucket that something far belongs to.
    far_from: u64,
    /// The last fine bucket whose contents went to the front.
    cursor: u64,
    /// The coarse bucket that the cursor is in, or at the edge of.
    range: u64,
    /// A fine bucket is 2^shift picoseconds wide.
    shift: u32,
    /// Events since the last look at their pace, and when that was.
    events: u32,
    since: Time,
}

/// A component's pending wake-up, linked into the list of its bucket.
#[derive(Clone, Copy, Debug)]
struct Component {
    at: Time,
    began: Time,
    next: u32,
    home: Home,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    Idle,
    Front,
    Fine,
    Coarse,
    Far,
}

/// A guess for the start: one microsecond.
const FIRST_SHIFT: u32 = 20;
/// Events between two looks at the pace.
const PACE_EVENTS: u32 = 8192;

impl Wheel {
    #[inline]
    fn bucket(&self, at: Time) -> u64 {
        at.as_ps() >> self.shift
    }

    #[inline(always)]
    fn insert(&mut self, id: u32, at: Time) {
        let bucket = self.bucket(at);
        if bucket <= self.cursor {
            self.insert_front(id, at);
        } else if bucket - self.cursor <= SLOTS {
            let component = &mut self.components[id as usize];
            component.home = Home::Fine;
            component.next = self.fine.push(bucket, id);
        } else {
            self.insert_behind(id, bucket >> SLOTS_LOG2);
        }
    }

    #[inline(never)]
    fn insert_behind(&mut self, id: u32, bucket: u64) {
        let component = &mut self.components[id as usize];
        if bucket - self.range < SLOTS {
            component.home = Home::Coarse;
            component.next = self.coarse.push(bucket, id);
        } else {
            component.home = Home::Far;
            component.next = std::mem::replace(&mut self.far, id);
            self.far_from = self.far_from.min(bucket);
        }
    }

    /// Sorts one in; most belong near the first.
    #[inline(never)]
    fn insert_front(&mut self, id: u32, at: Time) {
        self.components[id as usize].home = Home::Front;
        let mut place = self.front.len();
        while place > 0 && self.before(self.front[place - 1], (at, id)) {
            place -= 1;
        }
        self.front.insert(place, (at, id));
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

    /// Fills the front from the next bucket that holds something; false if none does.
    #[inline]
    fn advance(&mut self) -> bool {
        loop {
            let from = self.cursor + 1;
            // The last bucket of a range has the next range's first behind it.
            if from >> SLOTS_LOG2 == self.range
                && let Some(slot) = self.fine.first_slot((from % SLOTS) as usize)
            {
                self.cursor = (self.range << SLOTS_LOG2) | slot as u64;
                let list = self.fine.take(self.cursor);
                self.fill_front(list);
                return true;
            }
            if !self.enter_next_range() {
                return false;
            }
        }
    }

    /// Most buckets hold one.
    #[inline]
    fn fill_front(&mut self, list: u32) {
        let component = &mut self.components[list as usize];
        component.home = Home::Front;
        self.front.push((component.at, list));
        let rest = component.next;
        if rest != NONE {
            self.fill_front_with_more(rest);
        }
        if self.events >= PACE_EVENTS {
            self.keep_pace();
        }
    }

    #[inline(never)]
    fn fill_front_with_more(&mut self, mut list: u32) {
        while list != NONE {
            let component = &mut self.components[list as usize];
            component.home = Home::Front;
            self.front.push((component.at, list));
            list = component.next;
        }
        self.sort_front();
    }

    fn sort_front(&mut self) {
        let components = &self.components;
        let key = |(at, id): (Time, u32)| (at, components[id as usize].began, id);
        self.front
            .sort_unstable_by_key(|entry| std::cmp::Reverse(key(*entry)));
    }

    /// Moves to just before the next coarse bucket in which something may be due, and
    /// spreads its contents over the fine ones; false if nothing is pending at all.
    #[inline(never)]
    fn enter_next_range(&mut self) -> bool {
        let here = self.range;
        let fine = self.fine.any().then_some(here + 1);
        let coarse = self.coarse.next_around(here + 1);
        let far = (self.far != NONE).then_some(self.far_from);
        let Some(range) = [fine, coarse, far].into_iter().flatten().min() else {
            return false;
        };
        self.range = range;
        self.cursor = (range << SLOTS_LOG2) - 1;
        if self.far != NONE && self.far_from - range < SLOTS {
            let list = std::mem::replace(&mut self.far, NONE);
            self.far_from = u64::MAX;
            self.spread(list);
        }
        let list = self.coarse.take(range);
        self.spread(list);
        true
    }

    /// Inserts a list anew.
    fn spread(&mut self, mut list: u32) {
        while list != NONE {
            let component = self.components[list as usize];
            self.insert(list, component.at);
            list = component.next;
        }
    }

    /// Makes buckets half as wide as events are apart, if they are far from it.
    #[cold]
    fn keep_pace(&mut self) {
        let now = self.front.last().map_or(self.since, |first| first.0);
        let spacing = now.saturating_since(self.since).as_ps() / u64::from(self.events);
        self.events = 0;
        self.since = now;
        let wanted = (spacing / 2).max(16).ilog2();
        if wanted.abs_diff(self.shift) > 1 {
            self.rebuild(wanted);
        }
    }

    #[cold]
    fn rebuild(&mut self, shift: u32) {
        let now = self.front.last().map_or(Time::ZERO, |first| first.0);
        self.shift = shift;
        self.cursor = self.bucket(now);
        self.range = self.cursor >> SLOTS_LOG2;
        self.front.clear();
        self.fine = Slots::new();
        self.coarse = Slots::new();
        self.far = NONE;
        self.far_from = u64::MAX;
        for id in 0..self.components.len() {
            if self.components[id].home != Home::Idle {
                self.insert(id as u32, self.components[id].at);
            }
        }
    }

    /// Takes an armed component out of wherever it is.
    #[inline]
    fn remove(&mut self, id: u32) {
        if self.front.last().is_some_and(|first| first.1 == id) {
            self.front.pop();
        } else {
            self.remove_inner(id);
        }
    }

    #[inline(never)]
    fn remove_inner(&mut self, id: u32) {
        let component = self.components[id as usize];
        let bucket = self.bucket(component.at);
        match component.home {
            Home::Idle => {}
            Home::Front => self.front.retain(|(_, other)| *other != id),
            Home::Fine => {
                let head = self.fine.take(bucket);
                let rest = self.unlink(head, id);
                self.fine.put(bucket, rest);
            }
            Home::Coarse => {
                let head = self.coarse.take(bucket >> SLOTS_LOG2);
                let rest = self.unlink(head, id);
                self.coarse.put(bucket >> SLOTS_LOG2, rest);
            }
            Home::Far => self.far = self.unlink(self.far, id),
        }
    }

    /// The list without one of its members.
    fn unlink(&mut self, head: u32, id: u32) -> u32 {
        let behind = self.components[id as usize].next;
        if head == id {
            return behind;
        }
        let mut at = head;
        while self.components[at as usize].next != id {
            at = self.components[at as usize].next;
        }
        self.components[at as usize].next = behind;
        head
    }
}

impl EventQueue for Wheel {
    fn with_components(n: usize) -> Wheel {
        let idle = Component {
            at: Time::NEVER,
            began: Time::ZERO,
            next: NONE,
            home: Home::Idle,
        };
        Wheel {
            components: vec![idle; n],
            front: Vec::new(),
            fine: Slots::new(),
            coarse: Slots::new(),
            far: NONE,
            far_from: u64::MAX,
            cursor: 0,
            range: 0,
            shift: FIRST_SHIFT,
            events: 0,
            since: Time::ZERO,
        }
    }

    #[inline(always)]
    fn set(&mut self, id: u32, at: Time, began: Time) {
        if self.components[id as usize].home != Home::Idle {
            self.remove(id);
        }
        let component = &mut self.components[id as usize];
        component.at = at;
        component.began = began;
        self.events += 1;
        self.insert(id, at);
    }

    #[inline]
    fn clear(&mut self, id: u32) {
        if self.components[id as usize].home != Home::Idle {
            self.remove(id);
            self.components[id as usize].home = Home::Idle;
        }
    }

    #[inline]
    fn first(&mut self) -> Option<(Time, u32)> {
        if self.front.is_empty() && !self.advance() {
            return None;
        }
        self.front.last().copied()
    }

    #[inline]
    fn began(&self, id: u32) -> Time {
        self.components[id as usize].began
    }
}
