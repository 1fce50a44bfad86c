//! Packets acknowledged beyond those that the bandwidth explains: ACKs or data arrive in
//! aggregates.

use super::super::clock::Micros;
use super::super::connection::Connection;
use super::super::rate::RateSample;
use super::bandwidth;

/// Number of rounds in one half of the maximum's window.
const HALF: u32 = 5;
/// The greatest count, which has 20 bits; an epoch ends there.
const MOST_ACKED: u32 = (1 << 20) - 1;
/// The allowance is at most a tenth of a second's worth of packets.
const MOST: Micros = 100_000;

/// The greatest excess of the last two half windows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aggregation {
    excess: [u32; 2],
    half: usize,
    rounds: u32,
    /// Start of the epoch, in which ACKs have not fallen behind, and the packets acknowledged in
    /// it.
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

    /// The part of the excess that the window allows for.
    pub(super) fn allowance(&self, bandwidth: u64) -> u32 {
        let most = bandwidth::packets_in(bandwidth, MOST);
        u64::from(self.excess()).min(most) as u32
    }

    /// Processes an ACK; a half window lasts five rounds, or one if `quick`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Variant};
    use pacesim_units::Span;

    /// The final excess for ACKs of `lump` packets every `gap` microseconds, at a bandwidth of one
    /// packet per 1000 microseconds.
    fn excess_of(lump: u32, gap: Micros) -> u32 {
        let mut conn = Connection::new(&Config::linux(Variant::Sack), Span::ZERO);
        conn.window.size = 1000;
        let mut aggregation = Aggregation::default();
        let sample = RateSample::of(lump, gap);
        for ack in 0..200 {
            conn.rates.delivered_at += gap;
            let bandwidth = bandwidth::of(1, 1000);
            aggregation.update(&conn, &sample, bandwidth, ack % 10 == 0, false);
        }
        aggregation.excess()
    }

    #[test]
    fn lumps_are_an_excess_and_an_even_stream_is_one_of_two_packets_at_most() {
        // Bandwidth and expected packets are rounded down: one packet more.
        assert_eq!(excess_of(1, 1000), 2);
        assert_eq!(excess_of(1, 2000), 1);
        assert_eq!(excess_of(10, 10_000), 11);
    }

    #[test]
    fn an_excess_is_forgotten_after_five_to_ten_rounds() {
        let mut aggregation = Aggregation {
            excess: [30, 0],
            ..Aggregation::default()
        };
        let rounds = (1..20).find(|_| {
            aggregation.turn(HALF);
            aggregation.excess() == 0
        });
        assert_eq!(rounds, Some(10));
        assert_eq!(aggregation.excess, [0, 0]);
    }

    #[test]
    fn room_for_a_lump_is_a_tenth_of_a_second_at_most() {
        let aggregation = Aggregation {
            excess: [500, 0],
            ..Aggregation::default()
        };
        assert_eq!(aggregation.allowance(bandwidth::of(1, 1000)), 99);
        assert_eq!(aggregation.allowance(bandwidth::of(1, 100)), 500);
    }
}
