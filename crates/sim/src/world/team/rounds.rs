//! Rounds of threads, each of which waits for those that it names only.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Looks at the others before a thread sleeps: some microseconds.
const LOOKS: u32 = 2000;

/// The numbers of rounds that threads have ended. A thread that panics lets the others panic too.
#[derive(Debug)]
pub(super) struct Rounds {
    seats: Vec<Seat>,
    is_broken: AtomicBool,
}

/// A thread, in cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Seat {
    ended: AtomicU64,
    /// True while it sleeps, or is about to.
    sleeps: AtomicBool,
    lock: Mutex<()>,
    bell: Condvar,
}

impl Seat {
    /// Wakes the thread if it sleeps.
    fn ring(&self) {
        if self.sleeps.load(Ordering::SeqCst) {
            let _guard = self.locked();
            self.bell.notify_one();
        }
    }

    fn locked(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rounds {
    pub(super) fn new(threads: usize) -> Rounds {
        Rounds {
            seats: (0..threads).map(|_| Seat::default()).collect(),
            is_broken: AtomicBool::new(false),
        }
    }

    /// The number of rounds that this thread has ended.
    pub(super) fn of(&self, me: usize) -> u64 {
        self.seats[me].ended.load(Ordering::Relaxed)
    }

    /// Ends a round of this thread, and waits until these others have ended as many.
    pub(super) fn meet(&self, me: usize, others: &[usize]) {
        let round = self.of(me) + 1;
        // All in one total order: a round ends before its thread looks for sleepers, and a sleeper says so
        // before it looks at the rounds.
        self.seats[me].ended.store(round, Ordering::SeqCst);
        others.iter().for_each(|other| self.seats[*other].ring());
        let ended = |other: &usize| self.seats[*other].ended.load(Ordering::SeqCst);
        let is_over = || {
            let is_broken = self.is_broken.load(Ordering::SeqCst);
            assert!(!is_broken, "another part of the world panicked");
            others.iter().all(|other| ended(other) >= round)
        };
        for _ in 0..LOOKS {
            if is_over() {
                return;
            }
            std::hint::spin_loop();
        }
        let seat = &self.seats[me];
        let mut guard = seat.locked();
        seat.sleeps.store(true, Ordering::SeqCst);
        while !is_over() {
            guard = seat
                .bell
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
        seat.sleeps.store(false, Ordering::SeqCst);
    }
}

/// Breaks all rounds if its thread panics.
pub(super) struct Member<'a>(pub(super) &'a Rounds);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.is_broken.store(true, Ordering::SeqCst);
            self.0.seats.iter().for_each(Seat::ring);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads in a row, each with the neighbours beside it.
    fn in_a_row(threads: usize, of_round: impl Fn(&[AtomicU64], usize, u64) + Sync) {
        let rounds = Rounds::new(threads);
        let counts: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
        std::thread::scope(|scope| {
            for me in 0..threads {
                let (rounds, counts, of_round) = (&rounds, &counts, &of_round);
                scope.spawn(move || {
                    let beside = [me.wrapping_sub(1), me + 1];
                    let beside: Vec<usize> =
                        beside.into_iter().filter(|of| *of < threads).collect();
                    for round in 1..500 {
                        counts[me].store(round, Ordering::Relaxed);
                        rounds.meet(me, &beside);
                        beside.iter().for_each(|of| of_round(counts, *of, round));
                    }
                });
            }
        });
    }

    #[test]
    fn neighbours_are_at_most_a_round_apart() {
        in_a_row(4, |counts, of, round| {
            let count = counts[of].load(Ordering::Relaxed);
            assert!((round..=round + 1).contains(&count), "{count} in {round}");
        });
    }

    #[test]
    fn threads_that_are_no_neighbours_may_be_further_apart() {
        let (rounds, all) = (Rounds::new(3), [0, 1, 2]);
        let (one, other) = (&rounds, &rounds);
        std::thread::scope(|scope| {
            scope.spawn(move || (0..100).for_each(|_| one.meet(0, &[1])));
            scope.spawn(move || (0..100).for_each(|_| other.meet(1, &[0])));
        });
        assert_eq!(all.map(|of| rounds.of(of)), [100, 100, 0]);
    }

    #[test]
    #[should_panic = "a scoped thread panicked"]
    fn a_panic_ends_all() {
        let rounds = Rounds::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _member = Member(&rounds);
                panic!("on purpose");
            });
            scope.spawn(|| rounds.meet(1, &[0]));
        });
    }
}
