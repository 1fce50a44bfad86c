//! Recorded opportunities to send (Mahimahi; Netravali et al. 2015), in sequence.

use pacesim_tape::{Tape, TapeReader};
use pacesim_units::{Span, Time};

/// The opportunities of a recording, which repeats from the last one on.
#[derive(Debug)]
pub struct Opportunities {
    opportunities_ms: Tape<u64>,
    /// Time of the last opportunity, which is the end of the recording.
    lasts_ms: u64,
    /// Remaining opportunities of this round.
    following: TapeReader<u64>,
    /// The next opportunity: its round of the recording, and its time within that.
    round: u64,
    next_ms: u64,
}

const PS_PER_MS: u64 = Span::from_ms(1).as_ps();

impl Opportunities {
    /// Number of bytes that an opportunity can carry.
    pub const BYTES: u32 = 1504;

    /// The opportunities from the start of a recording, whose times are in order and end after 0
    /// ms.
    pub fn new(opportunities_ms: &Tape<u64>) -> Opportunities {
        let opportunities_ms = opportunities_ms.clone();
        let mut following = opportunities_ms.iter();
        let lasts_ms = opportunities_ms.last().unwrap_or(1).max(1);
        Opportunities {
            lasts_ms,
            next_ms: following.next().unwrap_or(lasts_ms),
            following,
            opportunities_ms,
            round: 0,
        }
    }

    /// Time of the next opportunity.
    pub fn time(&self) -> Time {
        let ps = (self.round.checked_mul(self.lasts_ms))
            .and_then(|begins| begins.checked_add(self.next_ms))
            .and_then(|ms| ms.checked_mul(PS_PER_MS));
        ps.map_or(Time::NEVER, Time::from_ps)
    }

    /// Takes the next opportunity, and returns its time.
    pub fn take(&mut self) -> Time {
        let at = self.time();
        self.step();
        at
    }

    /// The number of opportunities up to this time, all rounds together.
    pub fn until(&self, now: Time) -> u64 {
        let ms = now.as_ps() / PS_PER_MS;
        let rounds = ms / self.lasts_ms;
        let before = rounds.saturating_mul(self.opportunities_ms.len() as u64);
        let of_round = self.opportunities_ms.iter();
        let of_round = of_round.take_while(|at| *at <= ms % self.lasts_ms);
        before.saturating_add(of_round.count() as u64)
    }

    /// Passes over all opportunities up to this time.
    pub fn pass_by(&mut self, now: Time) {
        let ms = now.as_ps() / PS_PER_MS;
        let round = ms / self.lasts_ms;
        if round > self.round {
            self.begin(round);
        }
        while self.round * self.lasts_ms + self.next_ms <= ms {
            self.step();
        }
    }

    /// Skips the next opportunity; the first follows the last.
    fn step(&mut self) {
        match self.following.next() {
            Some(ms) => self.next_ms = ms,
            None => self.begin(self.round + 1),
        }
    }

    fn begin(&mut self, round: u64) {
        self.round = round;
        self.following = self.opportunities_ms.iter();
        // A recording that can no longer be read continues with its last opportunity.
        self.next_ms = self.following.next().unwrap_or(self.lasts_ms);
    }
}
