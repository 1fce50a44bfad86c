//! The calendar of all links and timers, which puts their wake-ups in one order.

use pacesim_units::{LinkId, Time};

use super::{DrawnTies, EventQueue, Wheel};

/// An event that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// The first packet of a link reaches the other end.
    Link {
        /// Link that delivers the packet.
        link: LinkId,
        /// Start of the transmission of the packet.
        began: Time,
        /// Word given when the link's wake-up was armed.
        word: u64,
    },
    /// A timer expires.
    Timer {
        /// Number of the expired timer.
        timer: u32,
        /// Time at which the timer was armed.
        began: Time,
    },
}

/// The pending wake-ups of all links and timers, in the total order of events: by time, then by the
/// start of the activity that ends, then links before timers, then by id or as it is drawn. Timers
/// that are given to one owner after another come last, and tie by the rank of their owner.
#[derive(Debug)]
pub struct Calendar<Q = Wheel> {
    queue: Q,
    /// Number of links; the numbers of timers follow those of links.
    links: u32,
    timers: u32,
    /// Time after which nothing is due.
    last: Time,
    /// Time of the last event taken; kept only in builds that assert it.
    #[cfg(debug_assertions)]
    now: Time,
}

/// The last time at which an event can be due: a wake-up armed at "never" is never due.
const LAST: Time = Time::from_ps(Time::NEVER.as_ps() - 1);

impl<Q: EventQueue> Calendar<Q> {
    /// A calendar with nothing pending.
    pub fn new(links: usize, timers: usize) -> Calendar<Q> {
        let components = u32::try_from(links + timers).expect("less than 4e9 links and timers");
        Calendar {
            queue: Q::with_components(components as usize),
            links: links as u32,
            timers: timers as u32,
            last: LAST,
            #[cfg(debug_assertions)]
            now: Time::ZERO,
        }
    }

    /// Adds `n` timers behind the existing ones, and returns the number of the first.
    pub fn add_timers(&mut self, n: u32) -> u32 {
        let first = self.timers;
        let sum = self.links.checked_add(first).and_then(|k| k.checked_add(n));
        let components = sum.expect("less than 4e9 links and timers");
        self.timers += n;
        self.queue.grow(components as usize);
        first
    }

    /// Timers from number `first` on tie by the ranks that they are armed with.
    pub fn rank_timers_from(&mut self, first: u32) {
        self.queue.ties_mut().ranked_from = self.links + first;
    }

    /// Ties are drawn by this key among links, and among timers before number `parts_from` and those
    /// with ranks.
    pub fn draw_ties(&mut self, key: u64, parts_from: u32) {
        self.queue.ties_mut().drawn = Some(DrawnTies {
            key,
            links: self.links,
            parts_from: self.links + parts_from,
        });
    }

    /// Takes the first wake-up not after `until`, and advances time to it.
    #[inline(always)]
    pub fn next(&mut self, until: Time) -> Option<(Time, Wake)> {
        let (at, id) = self.queue.take_first(until.min(self.last))?;
        #[cfg(debug_assertions)]
        self.move_to(at);
        let wake = if id < self.links {
            Wake::Link {
                link: LinkId(id),
                began: self.queue.began(id),
                word: self.queue.word(id),
            }
        } else {
            Wake::Timer {
                timer: id - self.links,
                began: self.queue.began(id),
            }
        };
        Some((at, wake))
    }

    /// Time of the next wake-up, which stays pending.
    pub fn first(&mut self) -> Option<Time> {
        self.queue.first().filter(|at| *at <= self.last)
    }

    /// Drops everything due after `last`, from now on.
    pub fn stop_after(&mut self, last: Time) {
        self.last = self.last.min(last);
    }

    /// Time after which nothing is due.
    pub fn last(&self) -> Time {
        self.last
    }

    #[cfg(debug_assertions)]
    fn move_to(&mut self, at: Time) {
        self.must_come(at);
        self.now = at;
    }

    #[cfg(debug_assertions)]
    fn must_come(&self, at: Time) {
        assert!(at >= self.now, "{at} comes up or is armed at {}", self.now);
    }

    /// The words of the links whose wake-ups are likely to be the next two, if that is cheap to
    /// find.
    #[inline(always)]
    pub(crate) fn likely_next(&self) -> [Option<u64>; 2] {
        let word = |id: Option<u32>| {
            let link = id.filter(|id| *id < self.links);
            link.map(|id| self.queue.word(id))
        };
        let [first, second] = self.queue.likely_next();
        [word(first), word(second)]
    }

    /// Arms or moves a link's wake-up, with a word that it returns then.
    #[inline]
    pub(crate) fn set_link(&mut self, link: LinkId, at: Time, began: Time, word: u64) {
        #[cfg(debug_assertions)]
        self.must_come(at);
        self.queue.set(link.0, at, began);
        *self.queue.word_mut(link.0) = word;
    }

    /// Disarms an armed link; returns the time of its wake-up, the start of the activity that ends
    /// there, and its word.
    pub(crate) fn take_link(&mut self, link: LinkId) -> (Time, Time, u64) {
        let at = self.queue.at(link.0);
        self.queue.clear(link.0);
        (at, self.queue.began(link.0), self.queue.word(link.0))
    }

    /// Arms or moves a timer.
    #[inline]
    pub fn set_timer(&mut self, timer: u32, at: Time, began: Time) {
        #[cfg(debug_assertions)]
        self.must_come(at);
        self.queue.set(self.links + timer, at, began);
    }

    /// Arms or moves a timer, with the rank of its owner.
    #[inline]
    pub fn set_ranked_timer(&mut self, timer: u32, at: Time, began: Time, rank: u64) {
        *self.queue.word_mut(self.links + timer) = rank;
        self.set_timer(timer, at, began);
    }

    /// Disarms a timer.
    #[inline]
    pub fn clear_timer(&mut self, timer: u32) {
        self.queue.clear(self.links + timer);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{laws, laws_in_motion};
    use super::*;
    use proptest::prelude::*;

    fn at(ps: u64) -> Time {
        Time::from_ps(ps)
    }

    #[test]
    fn ties_go_to_what_began_earlier_then_links_then_ids() {
        let mut calendar: Calendar = Calendar::new(3, 2);
        calendar.set_timer(0, at(10), at(1));
        calendar.set_timer(1, at(10), at(2));
        calendar.set_link(LinkId(2), at(10), at(2), 7);
        calendar.set_link(LinkId(0), at(10), at(2), 8);
        calendar.set_link(LinkId(1), at(9), at(9), 9);
        let mut order = Vec::new();
        while let Some((_, wake)) = calendar.next(at(10)) {
            order.push(wake);
        }
        let link = |id, began, word| Wake::Link {
            link: LinkId(id),
            began: at(began),
            word,
        };
        let timer = |timer, began| Wake::Timer {
            timer,
            began: at(began),
        };
        let expected = [
            link(1, 9, 9),
            timer(0, 1),
            link(0, 2, 8),
            link(2, 2, 7),
            timer(1, 2),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn timers_with_owners_tie_by_their_ranks_behind_all_others() {
        let mut calendar: Calendar = Calendar::new(1, 1);
        let first = calendar.add_timers(3);
        calendar.rank_timers_from(first);
        let ranks = [30, 10, 20];
        for (timer, rank) in (first..).zip(ranks) {
            calendar.set_ranked_timer(timer, at(10), at(1), rank);
        }
        calendar.set_timer(0, at(10), at(1));
        calendar.set_link(LinkId(0), at(10), at(1), 99);
        let mut order = Vec::new();
        while let Some((_, wake)) = calendar.next(at(10)) {
            if let Wake::Timer { timer, .. } = wake {
                order.push(timer);
            }
        }
        assert_eq!(order, [0, first + 1, first + 2, first]);
    }

    #[test]
    fn nothing_comes_before_its_time() {
        let mut calendar: Calendar = Calendar::new(1, 1);
        assert_eq!(calendar.next(Time::NEVER), None);
        calendar.set_timer(0, at(10), at(0));
        assert_eq!(calendar.next(at(9)), None);
        let timer = Wake::Timer {
            timer: 0,
            began: at(0),
        };
        assert_eq!(calendar.next(at(10)), Some((at(10), timer)));
    }

    type Operations = Vec<(u32, Option<(u64, u64)>)>;

    fn operations(times: impl Strategy<Value = u64>) -> impl Strategy<Value = Operations> {
        let key = prop::option::weighted(0.7, (times, 0u64..4));
        prop::collection::vec((0u32..20, key), 0..300)
    }

    proptest! {
        #[test]
        fn the_wheel_keeps_the_laws_when_ties_abound(operations in operations(0u64..12)) {
            laws::<Wheel>(20, &operations);
        }

        #[test]
        fn the_wheel_keeps_the_laws_in_motion(
            scale in 0u32..40,
            steps in prop::collection::vec((0u64..300, 0u32..50, 0u64..100_000), 0..2000),
        ) {
            let scaled: Vec<_> = steps.iter().map(|(a, id, b)| (a << scale, *id, b << (scale / 2))).collect();
            laws_in_motion::<Wheel>(50, &scaled);
        }

        #[test]
        fn the_wheel_keeps_the_laws_at_all_scales(
            operations in operations((0u32..60, 0u64..16).prop_map(|(e, m)| m << e)),
        ) {
            laws::<Wheel>(20, &operations);
        }
    }
}
