//! A queue that usually holds at most one element.

use std::collections::VecDeque;

/// A queue that stores the first element inline, so that a single one needs no other memory.
#[derive(Clone, Debug)]
pub(crate) struct SmallQueue<T> {
    first: Option<T>,
    /// Elements behind the first. Boxed, since they are rare.
    others: Option<Box<Rest<T>>>,
}

#[derive(Clone, Debug)]
struct Rest<T>(VecDeque<T>);

impl<T> SmallQueue<T> {
    pub(crate) fn new() -> SmallQueue<T> {
        SmallQueue {
            first: None,
            others: None,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        match self.first {
            None => self.first = Some(item),
            Some(_) => self.push_behind(item),
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let first = self.first.take()?;
        if let Some(others) = &mut self.others {
            self.first = others.0.pop_front();
        }
        Some(first)
    }

    #[cold]
    fn push_behind(&mut self, item: T) {
        let others = (self.others).get_or_insert_with(|| Box::new(Rest(VecDeque::new())));
        others.0.push_back(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_leave_in_the_order_in_which_they_came() {
        let (mut small_queue, mut wanted) = (SmallQueue::new(), VecDeque::new());
        for i in 0..1000_u32 {
            let comes = (i * 7919 + i / 97) % 5 < 3;
            if comes {
                small_queue.push(i);
                wanted.push_back(i);
            } else {
                assert_eq!(small_queue.pop(), wanted.pop_front());
            }
        }
        while let Some(next) = wanted.pop_front() {
            assert_eq!(small_queue.pop(), Some(next));
        }
        assert_eq!(small_queue.pop(), None);
    }
}
