//! The place where all threads wait for each other.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Looks at the others before a thread sleeps: some microseconds.
const LOOKS: u32 = 2000;

/// Threads that wait until all have come. A thread that panics lets the others panic too.
pub(super) struct Meeting {
    parties: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    /// Threads that sleep, or are about to.
    sleepers: AtomicUsize,
    is_broken: AtomicBool,
    lock: Mutex<()>,
    bell: Condvar,
}

impl Meeting {
    pub(super) fn new(parties: usize) -> Meeting {
        Meeting {
            parties,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            sleepers: AtomicUsize::new(0),
            is_broken: AtomicBool::new(false),
            lock: Mutex::new(()),
            bell: Condvar::new(),
        }
    }

    /// Waits for all others.
    pub(super) fn wait(&self) {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.parties {
            self.arrived.store(0, Ordering::Relaxed);
            // In one total order with the other two: the round changes before this looks for sleepers, and
            // a sleeper is counted before it looks at the round.
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            if self.sleepers.load(Ordering::SeqCst) > 0 {
                let _guard = self.locked();
                self.bell.notify_all();
            }
            return;
        }
        let is_over = || {
            let is_broken = self.is_broken.load(Ordering::Acquire);
            assert!(!is_broken, "another part of the world panicked");
            self.round.load(Ordering::SeqCst) != round
        };
        for _ in 0..LOOKS {
            if is_over() {
                return;
            }
            std::hint::spin_loop();
        }
        let mut guard = self.locked();
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while !is_over() {
            guard = self
                .bell
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    fn locked(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Breaks a meeting if its thread panics.
pub(super) struct Member<'a>(pub(super) &'a Meeting);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.is_broken.store(true, Ordering::Release);
            let _guard = self.0.locked();
            self.0.bell.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_goes_on_before_all_have_come() {
        let (meeting, count) = (Meeting::new(3), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..500 {
                        count.fetch_add(1, Ordering::Relaxed);
                        meeting.wait();
                        assert_eq!(count.load(Ordering::Relaxed), 3 * round);
                        meeting.wait();
                    }
                });
            }
        });
    }

    #[test]
    #[should_panic = "a scoped thread panicked"]
    fn a_panic_ends_all() {
        let meeting = Meeting::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _member = Member(&meeting);
                panic!("on purpose");
            });
            scope.spawn(|| meeting.wait());
        });
    }
}
