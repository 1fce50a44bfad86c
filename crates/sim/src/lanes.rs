//! Independent work on several threads at once.

use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;
use std::vec::IntoIter;

/// The answers for all items in their order, worked out by up to this many threads.
pub(crate) fn on_lanes<I: Copy + Sync, A: Send>(
    most: usize,
    items: &[I],
    answer: impl Fn(I) -> A + Sync,
) -> Vec<A> {
    let lanes = most.min(items.len());
    let lane = |from| {
        let own = items.iter().skip(from).step_by(lanes);
        own.map(|item| answer(*item)).collect::<Vec<A>>()
    };
    let lane = &lane;
    let mut answers: Vec<IntoIter<A>> = std::thread::scope(|scope| {
        let spawn = |from| scope.spawn(move || lane(from));
        let threads: Vec<_> = (0..lanes).map(spawn).collect();
        let answers = threads.into_iter().map(joined);
        answers.map(Vec::into_iter).collect()
    });
    let next = |place: usize| answers[place % lanes].next();
    (0..items.len()).filter_map(next).collect()
}

/// The result of a thread, or its panic.
pub(crate) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_in_the_order_of_items_for_any_number_of_threads() {
        let items: Vec<u32> = (0..7).collect();
        for most in [1, 2, 3, 7, 16] {
            let answers = on_lanes(most, &items, |item| 10 * item);
            assert_eq!(answers, [0, 10, 20, 30, 40, 50, 60], "{most}");
        }
        assert!(on_lanes(4, &[], |item: u32| item).is_empty());
    }

    #[test]
    #[should_panic = "on purpose"]
    fn a_panic_is_the_callers() {
        on_lanes(2, &[1, 2], |_| panic!("on purpose"));
    }
}
