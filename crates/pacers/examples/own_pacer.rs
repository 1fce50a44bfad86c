//! A pacer of one's own in one file: it spaces packets by window over round-trip
//! time, as its senders report it, and keeps the laws.
//!
//! `cargo run -p pacesim-pacers --example own_pacer`

use std::collections::VecDeque;

use pacesim_pacers::{AnyPacer, Feedback, Pacer, Pending, Refused, Release, Waiting, laws};
use pacesim_units::{Bytes, Span, Time};

/// One packet after the other, each `gap` after the one before.
struct Spacer {
    gap: Span,
    free_at: Time,
    next: Release,
    queue: VecDeque<Pending>,
    bytes: u64,
}

impl Spacer {
    fn new(gap: Span) -> Spacer {
        Spacer {
            gap,
            free_at: Time::ZERO,
            next: Release::Idle,
            queue: VecDeque::new(),
            bytes: 0,
        }
    }

    fn schedule(&mut self, now: Time) {
        self.next = match self.queue.front() {
            None => Release::Idle,
            Some(_) => Release::At(self.free_at.max(now)),
        };
    }
}

impl Pacer for Spacer {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.queue.push_back(packet);
        self.bytes += u64::from(packet.size);
        self.schedule(now);
        Ok(())
    }

    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let packet = self.queue.pop_front()?;
        self.bytes -= u64::from(packet.size);
        self.free_at = now + self.gap;
        self.schedule(now);
        Some(packet)
    }

    fn next_release(&self) -> Release {
        self.next
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.queue.len() as u64,
            bytes: Bytes(self.bytes),
        }
    }

    /// A packet of 1500 B in every 1500/window of a round trip.
    fn on_feedback(&mut self, _now: Time, feedback: &Feedback) {
        let packets = (feedback.window.get() / 1500).max(1);
        self.gap = feedback.round_trip / packets;
    }
}

fn main() {
    for seed in 0..100 {
        let operations = laws::random_operations(seed, 500);
        let pacer = Spacer::new(Span::from_us(12));
        if let Err(violation) = laws::check(pacer, laws::Promise::NONE, &operations) {
            panic!("seed {seed}: {violation}");
        }
    }
    println!("the spacer keeps the laws on 50000 operations");

    // It goes wherever a built-in pacer goes.
    let boxed: Box<dyn Pacer> = Box::new(Spacer::new(Span::from_us(12)));
    let pacer = AnyPacer::from(boxed);
    assert_eq!(pacer.next_release(), Release::Idle);
}
