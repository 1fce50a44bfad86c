//! Queue-length based pacing that blocks the queue, as a hardware prototype does it (impact II-B).

use pacesim_units::Time;
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{InvalidConfig, all_valid};
use crate::fifo::Fifo;
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};
use crate::qlbp::{LineLaw, QlbpConfig};

/// A packet that leaves blocks the queue for S/mu(q), where S is its own size and q counts all
/// packets waiting when it leaves, including itself: its transmission seems to take longer. An
/// arrival does not change the pause, unlike in [`Qlbp`](crate::Qlbp); one that finds the queue
/// empty and unblocked leaves at once.
#[derive(Clone, Debug)]
pub struct QlbpBlocking {
    law: LineLaw,
    queue: Fifo,
    /// Time at which the pause ends.
    unblocked: Time,
    next: Release,
}

impl QlbpBlocking {
    /// A pacer without packets.
    pub fn new(config: &QlbpConfig) -> Result<QlbpBlocking, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(QlbpBlocking {
            law: LineLaw::new(config),
            queue: Fifo::new(config.q_lim),
            unblocked: Time::ZERO,
            next: Release::Idle,
        })
    }
}

impl BuiltIn for QlbpBlocking {
    type Config = QlbpConfig;
    const NAME: &'static str = "qlbp_blocking";

    fn of(
        config: &QlbpConfig,
        _: impl Rng + Send + 'static,
    ) -> Result<QlbpBlocking, InvalidConfig> {
        QlbpBlocking::new(config)
    }
}

impl Pacer for QlbpBlocking {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        let was_empty = self.queue.is_empty();
        self.queue.push(packet)?;
        if was_empty {
            self.next = Release::At(self.unblocked.max(now));
        }
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let size = self.queue.front()?.size;
        let pause = self.law.pause(size, self.queue.waiting());
        let packet = self.queue.pop();
        self.unblocked = now.saturating_add(pause);
        self.next = if self.queue.is_empty() {
            Release::Idle
        } else {
            Release::At(self.unblocked)
        };
        packet
    }

    #[inline]
    fn next_release(&self) -> Release {
        self.next
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
}
