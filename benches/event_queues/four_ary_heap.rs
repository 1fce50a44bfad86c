//! A four-ary heap that tracks the position of each component.

use pacesim_units::Time;

use pacesim_core::engine::{EventQueue, TiedPlace, Ties};

/// A four-ary min-heap of components by time, with positions, so that a wake-up can be moved.
/// Removing the first leaves a hole, which the next insertion fills: a packet that leaves one link
/// usually arms the next at once.
///
/// The fast path compares times alone; if two are equal, a slow path compares whole keys. Both
/// yield the same order, which is therefore exact.
#[derive(Debug)]
pub struct FourAryHeap {
    /// The heap's times, followed by sentinels, so that every inner node has four children.
    times: Vec<Time>,
    /// The heap's components, at the same positions.
    ids: Vec<u32>,
    len: usize,
    /// True if the root must be removed or replaced.
    hole: bool,
    /// The position of each component, or [`ABSENT`].
    position: Vec<u32>,
    began: Vec<Time>,
    words: Vec<u64>,
    ties: Ties,
}

const ARITY: usize = 4;
const ABSENT: u32 = u32::MAX;

/// A time after all others; siblings have different ones, since equal ones would look like ties.
fn sentinel(place: usize) -> Time {
    Time::from_ps(u64::MAX - (place % ARITY) as u64)
}

impl FourAryHeap {
    #[inline]
    fn put(&mut self, place: usize, at: Time, id: u32) {
        self.times[place] = at;
        self.ids[place] = id;
        self.position[id as usize] = place as u32;
    }

    fn sift_up(&mut self, mut place: usize, at: Time, id: u32) {
        while place > 0 {
            let parent = (place - 1) / ARITY;
            let (above_at, above) = (self.times[parent], self.ids[parent]);
            if !self.before((at, id), (above_at, above)) {
                break;
            }
            self.put(place, above_at, above);
            place = parent;
        }
        self.put(place, at, id);
    }

    #[inline]
    fn sift_down(&mut self, mut place: usize, at: Time, id: u32) {
        loop {
            let first = place * ARITY + 1;
            if first >= self.len {
                break;
            }
            let t: [Time; ARITY] = self.times[first..first + ARITY]
                .try_into()
                .expect("four children");
            let (left, left_at) = if t[1] < t[0] { (1, t[1]) } else { (0, t[0]) };
            let (right, right_at) = if t[3] < t[2] { (3, t[3]) } else { (2, t[2]) };
            let (least, least_at) = if right_at < left_at {
                (right, right_at)
            } else {
                (left, left_at)
            };
            // An equal pair that does not contain the minimum is irrelevant, but testing less than
            // all three would cost more than it saves.
            if (t[0] == t[1]) | (t[2] == t[3]) | (left_at == right_at) | (least_at == at) {
                return self.sift_down_by_key(place, at, id);
            }
            if least_at > at {
                break;
            }
            let child = first + least;
            self.put(place, least_at, self.ids[child]);
            place = child;
        }
        self.put(place, at, id);
    }

    /// Sifts down by comparing whole keys.
    #[cold]
    #[inline(never)]
    fn sift_down_by_key(&mut self, mut place: usize, at: Time, id: u32) {
        loop {
            let first = place * ARITY + 1;
            let children = first..self.len.min(first + ARITY);
            let key = |place: usize| {
                let id = self.ids[place];
                (self.times[place], self.tie(self.times[place], id))
            };
            let Some(least) = children.min_by_key(|child| key(*child)) else {
                break;
            };
            if key(least) > (at, self.tie(at, id)) {
                break;
            }
            self.put(place, self.times[least], self.ids[least]);
            place = least;
        }
        self.put(place, at, id);
    }

    #[inline]
    fn before(&self, a: (Time, u32), b: (Time, u32)) -> bool {
        if a.0 == b.0 {
            self.ties_before(a.0, a.1, b.1)
        } else {
            a.0 < b.0
        }
    }

    #[cold]
    fn ties_before(&self, at: Time, a: u32, b: u32) -> bool {
        self.tie(at, a) < self.tie(at, b)
    }

    fn tie(&self, at: Time, id: u32) -> (Time, TiedPlace, u32) {
        let place = id as usize;
        (
            self.began[place],
            self.ties.place(at, id, self.words[place]),
            id,
        )
    }

    fn push(&mut self, at: Time, id: u32) {
        self.times.push(sentinel(self.times.len()));
        self.ids.push(0);
        self.len += 1;
        self.sift_up(self.len - 1, at, id);
    }

    /// Moves the last entry to `place`, which becomes free.
    fn remove_at(&mut self, place: usize) {
        self.len -= 1;
        let (at, id) = (self.times[self.len], self.ids[self.len]);
        self.times.pop();
        self.times[self.len] = sentinel(self.len);
        self.ids.pop();
        if place < self.len {
            self.reposition(place, at, id);
        }
    }

    fn reposition(&mut self, place: usize, at: Time, id: u32) {
        let parent = place.saturating_sub(1) / ARITY;
        if place > 0 && self.before((at, id), (self.times[parent], self.ids[parent])) {
            self.sift_up(place, at, id);
        } else {
            self.sift_down(place, at, id);
        }
    }

    /// Fills the hole at the root.
    fn settle(&mut self) {
        self.hole = false;
        self.remove_at(0);
    }

    /// Moves an entry other than the root.
    fn set_inner(&mut self, at: Time, id: u32) {
        if self.hole {
            self.settle();
        }
        let place = self.position[id as usize] as usize;
        // The old time may violate the heap until the entry is in place: it goes up or down, never
        // both.
        self.reposition(place, at, id);
    }
}

impl EventQueue for FourAryHeap {
    fn with_components(n: usize) -> FourAryHeap {
        FourAryHeap {
            times: (0..ARITY).map(sentinel).collect(),
            ids: Vec::new(),
            len: 0,
            hole: false,
            position: vec![ABSENT; n],
            began: vec![Time::ZERO; n],
            words: vec![0; n],
            ties: Ties::BY_NUMBER,
        }
    }

    fn grow(&mut self, n: usize) {
        self.position.resize(n, ABSENT);
        self.began.resize(n, Time::ZERO);
        self.words.resize(n, 0);
    }

    fn ties_mut(&mut self) -> &mut Ties {
        &mut self.ties
    }

    #[inline]
    fn set(&mut self, id: u32, at: Time, began: Time) {
        self.began[id as usize] = began;
        match self.position[id as usize] {
            ABSENT if self.hole => {
                self.hole = false;
                self.sift_down(0, at, id);
            }
            ABSENT => self.push(at, id),
            _ => self.set_inner(at, id),
        }
    }

    #[inline]
    fn clear(&mut self, id: u32) {
        match self.position[id as usize] {
            ABSENT => {}
            0 => {
                self.position[id as usize] = ABSENT;
                self.hole = true;
            }
            _ => {
                if self.hole {
                    self.settle();
                }
                let place = std::mem::replace(&mut self.position[id as usize], ABSENT);
                self.remove_at(place as usize);
            }
        }
    }

    fn first(&mut self) -> Option<Time> {
        if self.hole {
            self.settle();
        }
        (self.len > 0).then(|| self.times[0])
    }

    #[inline]
    fn take_first(&mut self, until: Time) -> Option<(Time, u32)> {
        if self.hole {
            self.settle();
        }
        if self.len == 0 || self.times[0] > until {
            return None;
        }
        let id = self.ids[0];
        self.position[id as usize] = ABSENT;
        self.hole = true;
        Some((self.times[0], id))
    }

    fn at(&self, id: u32) -> Time {
        self.times[self.position[id as usize] as usize]
    }

    #[inline]
    fn began(&self, id: u32) -> Time {
        self.began[id as usize]
    }

    fn word(&self, id: u32) -> u64 {
        self.words[id as usize]
    }

    fn word_mut(&mut self, id: u32) -> &mut u64 {
        &mut self.words[id as usize]
    }
}
