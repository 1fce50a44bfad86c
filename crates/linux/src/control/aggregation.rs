//! Packets acknowledged beyond those that the bandwidth explains: ACKs, or data, come in lumps.

use super::super::clock::Micros;
use super::super::connection::Connection;
use super::super::rate::RateSample;
use super::bandwidth;

/// Rounds that one half of the window of the maximum lasts.
const HALF: u32 = 5;
/// Counts are 20 bits wide; an epoch ends there.
const MOST_ACKED: u32 = (1 << 20) - 1;
/// A lump is given a tenth of a second's worth at most.
const MOST: Micros = 100_000;

/// The greatest excess of the last two half windows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aggregation {
    excess: [u32; 2],
    half: usize,
    rounds: u32,
    /// When the epoch began in which ACKs have not fallen behind, and what they acknowledged.
    epoch: Micros,
    acked: u32,
}

impl Aggregation {
    pub(super) fn begin_epoch(&mut self, now: Micros) {
        self.epoch = now;
        self.acked = 0;
    }

    pub(super) fn excess(&self) -> u32 {
        self.excess[0].max(self.excess[1])
    }

    /// The excess, as far as it is given room in the window.
    pub(super) fn allowance(&self, bandwidth: u64) -> u32 {
        let most = bandwidth::packets_in(bandwidth, MOST);
        u64::from(self.excess()).min(most) as u32
    }

    /// An ACK; a half window lasts five rounds, or one if `quick`.
    pub(super) fn update(
        &mut self,
        conn: &Connection,
        sample: &RateSample,
        bandwidth: u64,
        new_round: bool,
        quick: bool,
    ) {
        if sample.acked_sacked == 0 || sample.interval.is_none() {
            return;
        }
        if new_round {
            self.turn(if quick { 1 } else { HALF });
        }
        let now = conn.rates.delivered_at;
        let mut expected = bandwidth::packets_in(bandwidth, now.saturating_sub(self.epoch));
        if u64::from(self.acked) <= expected || self.acked + sample.acked_sacked > MOST_ACKED {
            self.begin_epoch(now);
            expected = 0;
        }
        self.acked = (self.acked + sample.acked_sacked).min(MOST_ACKED);
        let excess = (self.acked - expected as u32).min(conn.window.size);
        let greatest = &mut self.excess[self.half];
        *greatest = (*greatest).max(excess);
    }

    fn turn(&mut self, length: u32) {
        self.rounds = (self.rounds + 1).min(31);
        if self.rounds >= length {
            self.rounds = 0;
            self.half ^= 1;
            self.excess[self.half] = 0;
        }
    }
}
