//! Work spread over several threads, with one thread that takes the results.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The longest wait for a result before `look` is called.
const PATIENCE: Duration = Duration::from_millis(100);

/// The most results that may be pending, and that are taken at once. A thread with one more has to
/// wait, which bounds memory.
const MOST_WAITING: usize = 1024;

/// Does all the work on `threads` threads.
///
/// Each thread calls `worker` once with its number, and the function it returns once per piece of
/// work. The calling thread takes the results in order of arrival, all pending ones at a time. If
/// it breaks, no more work is begun, but work under way is still delivered. `look` is called after
/// each batch, and from time to time in between.
pub fn in_parallel<W, T, M>(
    threads: usize,
    work: impl Iterator<Item = W> + Send,
    worker: impl Fn(usize) -> M + Sync,
    mut take: impl FnMut(&mut dyn Iterator<Item = T>) -> ControlFlow<()>,
    mut look: impl FnMut(),
) where
    T: Send,
    M: FnMut(W) -> T,
{
    let list = List {
        work: Mutex::new(work),
        closed: AtomicBool::new(false),
    };
    let (sender, receiver) = sync_channel(MOST_WAITING);
    thread::scope(|scope| {
        for number in 0..threads {
            let (sender, list, worker) = (sender.clone(), &list, &worker);
            scope.spawn(move || list.work_off(worker(number), &sender));
        }
        // Otherwise the receiver would wait for this sender.
        drop(sender);
        while let Some(first) = next(&receiver, &mut look) {
            let mut batch = std::iter::once(first).chain(receiver.try_iter());
            if take(&mut batch.by_ref().take(MOST_WAITING)).is_break() {
                list.close();
            }
            look();
        }
    });
}

/// Waits for the next result; `None` after the last.
fn next<T>(receiver: &Receiver<T>, look: &mut impl FnMut()) -> Option<T> {
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) => look(),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// The list of the remaining work.
struct List<I> {
    work: Mutex<I>,
    closed: AtomicBool,
}

impl<I: Iterator> List<I> {
    fn next(&self) -> Option<I::Item> {
        if self.closed.load(Ordering::Relaxed) {
            return None;
        }
        // A list whose iterator panicked has ended; its thread reports the panic.
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        work.next()
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    fn work_off<T>(&self, mut make: impl FnMut(I::Item) -> T, sender: &SyncSender<T>) {
        while let Some(work) = self.next() {
            if sender.send(make(work)).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_work_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let mut done = Vec::new();
            let take = |batch: &mut dyn Iterator<Item = u64>| {
                done.extend(batch);
                ControlFlow::Continue(())
            };
            in_parallel(threads, 0..5000, |_| |n: u64| n * n, take, || ());
            done.sort_unstable();
            let squares: Vec<u64> = (0..5000).map(|n| n * n).collect();
            assert_eq!(done, squares, "{threads} threads");
        }
    }

    #[test]
    fn after_a_break_nothing_is_begun_and_nothing_is_lost() {
        let (begun, mut taken) = (Mutex::new(0_u64), 0);
        let worker = |_| |_| *begun.lock().expect("no panic") += 1;
        let take = |batch: &mut dyn Iterator<Item = ()>| {
            taken += batch.count() as u64;
            ControlFlow::Break(())
        };
        in_parallel(2, 0..1_000_000, worker, take, || ());
        let begun = begun.into_inner().expect("no panic");
        assert_eq!(begun, taken);
        assert!(begun < 1_000_000, "it broke at once");
    }

    #[test]
    fn a_thread_keeps_its_state_from_one_piece_of_work_to_the_next() {
        let worker = |_| {
            let mut made = 0;
            move |()| {
                made += 1;
                made
            }
        };
        let mut most = 0;
        let take = |batch: &mut dyn Iterator<Item = u64>| {
            most = batch.fold(most, u64::max);
            ControlFlow::Continue(())
        };
        in_parallel(1, std::iter::repeat_n((), 100), worker, take, || ());
        assert_eq!(most, 100);
    }
}
