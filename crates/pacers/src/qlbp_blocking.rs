//! Queue-length based pacing that blocks the queue, as a hardware prototype does it (impact II-B).

use pacesim_units::Time;
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{InvalidConfig, all_valid};
use crate::pacer::{Pacer, Pending, Refused, Release, Waiting};
use crate::qlbp::{LineLaw, QlbpConfig};
use crate::spaced::Spaced;

/// A packet that leaves blocks the queue for S/mu(q), where S is its own size and q counts all
/// packets waiting when it leaves, including itself: its transmission seems to take longer. An
/// arrival does not change the pause, unlike in [`Qlbp`](crate::Qlbp); one that finds the queue
/// empty and unblocked leaves at once.
#[derive(Clone, Debug)]
pub struct QlbpBlocking {
    law: LineLaw,
    queue: Spaced,
    /// Time at which the pause ends.
    unblocked: Time,
}

impl QlbpBlocking {
    /// A pacer without packets.
    pub fn new(config: &QlbpConfig) -> Result<QlbpBlocking, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(QlbpBlocking {
            law: LineLaw::new(config),
            queue: Spaced::new(config.q_lim),
            unblocked: Time::ZERO,
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
        self.queue.push(packet, || self.unblocked.max(now))
    }

    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        let size = self.queue.due(now)?.size;
        let pause = self.law.pause(size, self.queue.waiting());
        let packet = self.queue.pop();
        self.unblocked = now.saturating_add(pause);
        self.queue.schedule(|_| self.unblocked);
        packet
    }

    #[inline]
    fn next_release(&self) -> Release {
        self.queue.next()
    }

    #[inline]
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
}
