//! Prague for L4S (draft-briscoe-iccrg-prague-congestion-control-02): DCTCP's reduction by the share of marked packets,
//! with a fractional window that grows during reductions too, at a rate that is independent of short round trips.

use pacesim_units::port::Ecn;

use super::super::clock::Micros;
use super::super::connection::{Connection, State};
use super::super::pace::Holder;
use super::super::rate::RateSample;
use super::LinuxControl;
use super::reno::Reno;

/// Number of fraction bits of shares and windows, which are in 2^-20.
const BITS: u32 = 20;
const ONE: u64 = 1 << BITS;
/// The smoothed share moves by 1/16 of the difference per round, and is kept times 16 so that no
/// remainder is lost (section 2.3.2 of the draft).
const GAIN_BITS: u32 = 4;
/// The minimum virtual round trip: on shorter paths it sets growth and reaction.
const LEAST_VIRTUAL_RTT: Micros = 25_000;
/// Rounds after slow start that use the real round trip, so that short flows start fast.
const REAL_ROUNDS: u32 = 500;
const LEAST_WINDOW: u32 = 2;
/// Bursts last at most 250 us (2^-12 s).
const BURST_BITS: u32 = 12;
const LEAST_BURST: u64 = 2;
/// The round trip that paces the first window before any was measured.
const UNKNOWN_RTT: Micros = 1_000;

/// Totals at the start of a round, and its end.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    end: u32,
    delivered: u32,
    delivered_ce: u32,
    /// Number of rounds begun after slow start.
    count: u32,
}

#[derive(Debug)]
pub(in super::super) struct Prague {
    /// The congestion window in 2^-20 packets; the connection's is this one rounded up.
    window: u64,
    /// The smoothed share of marked packets, times 16; all packets until the first mark.
    alpha: u64,
    updated: Micros,
    reduced: Option<Micros>,
    round: Round,
    /// Set after a reduction by a loss; the window does not grow until it is repaired.
    repairs: bool,
    before_loss: u64,
    /// Set if the far end does not count marks: the control is then Reno.
    is_reno: bool,
}

impl Default for Prague {
    fn default() -> Prague {
        Prague {
            window: 0,
            alpha: ONE << GAIN_BITS,
            updated: 0,
            reduced: None,
            round: Round::default(),
            repairs: false,
            before_loss: 0,
            is_reno: false,
        }
    }
}

/// Converts a window to packets, rounded up.
fn packets(window: u64) -> u32 {
    (window.div_ceil(ONE) as u32).max(LEAST_WINDOW)
}

/// The share after a round in which `marked` of `delivered` packets were marked; both times 16.
fn follow(alpha: u64, delivered: u32, marked: u32) -> u64 {
    let share = (u64::from(marked) << BITS) / u64::from(delivered.max(1));
    (alpha - (alpha >> GAIN_BITS) + share).min(ONE << GAIN_BITS)
}

/// The additive increase for a round trip (1/M^2 of section 2.4.4): a packet, less on paths shorter than the virtual one.
fn increase(rtt: Micros) -> u64 {
    match rtt {
        1..LEAST_VIRTUAL_RTT => {
            let square = LEAST_VIRTUAL_RTT * LEAST_VIRTUAL_RTT;
            ((rtt * rtt * ONE) + square / 2) / square
        }
        _ => ONE,
    }
}

impl Prague {
    fn begin_round(&mut self, conn: &Connection) {
        self.round.end = conn.next;
        self.round.delivered = conn.rates.delivered;
        self.round.delivered_ce = conn.rates.delivered_ce;
        if !conn.in_slow_start() {
            self.round.count = self.round.count.saturating_add(1);
        }
    }

    /// True once the virtual round trip applies.
    fn is_rtt_independent(&self, conn: &Connection) -> bool {
        !conn.in_slow_start() && self.round.count >= REAL_ROUNDS
    }

    /// True if the virtual round trip has passed since then, or does not apply.
    fn virtual_rtt_has_passed(&self, conn: &Connection, since: Micros) -> bool {
        !self.is_rtt_independent(conn) || conn.now.saturating_sub(since) >= LEAST_VIRTUAL_RTT
    }

    fn update_alpha(&mut self, conn: &Connection) {
        let round_over = conn.una >= self.round.end;
        if !round_over || !self.virtual_rtt_has_passed(conn, self.updated) {
            return;
        }
        if conn.rates.delivered_ce > 0 {
            let delivered = conn.rates.delivered - self.round.delivered;
            let marked = conn.rates.delivered_ce - self.round.delivered_ce;
            self.alpha = follow(self.alpha, delivered, marked);
            self.updated = conn.now;
        }
        self.begin_round(conn);
    }

    /// Grows the window by unmarked packets, during a reduction too (section 2.4.3).
    fn widen(&mut self, conn: &mut Connection, unmarked: u32) {
        let follows = conn.window.size < packets(self.window);
        if unmarked == 0 || self.repairs || follows || !conn.grows || !conn.window_limits() {
            return;
        }
        let mut left = unmarked;
        if conn.in_slow_start() {
            let step = left.min(conn.window.ssthresh - conn.window.size);
            self.window += u64::from(step) << BITS;
            left -= step;
        }
        let per_rtt = if self.round.count < REAL_ROUNDS {
            ONE
        } else {
            increase(conn.rtt.srtt8() >> 3)
        };
        let size = u64::from(packets(self.window));
        self.window += (u64::from(left) * per_rtt + size / 2) / size;
    }

    /// Updates the connection's window: down at once, up by acknowledged packets, as after a
    /// time-out.
    fn apply(&self, conn: &mut Connection, acked: u32) {
        let target = packets(self.window);
        if target != conn.window.size {
            conn.window.size = target.min(conn.window.size.saturating_add(acked.max(1)));
            conn.window.checked = conn.tick;
        }
    }

    /// Sets the rate to the window divided by the round trip, in packets on the wire; to twice that
    /// while slow start is far from its end.
    fn set_pacing(&self, conn: &mut Connection) {
        let eighths = match conn.rtt.srtt8() {
            0 => UNKNOWN_RTT << 3,
            srtt8 => srtt8,
        };
        let doubled = u64::from(conn.window.size < conn.window.ssthresh / 2);
        let held = self.window.max(u64::from(conn.in_flight()) << BITS);
        let bytes = u128::from(conn.packet_size) * (8_000_000 << doubled) * u128::from(held);
        let rate = (bytes >> BITS) / u128::from(eighths);
        conn.pace.set_rate(u64::try_from(rate).unwrap_or(u64::MAX));
    }

    /// Reduces the window by half of the share after a mark, once per round trip, or per virtual
    /// one.
    fn answer_mark(&mut self, conn: &mut Connection) {
        let due = self
            .reduced
            .is_none_or(|at| self.virtual_rtt_has_passed(conn, at));
        if due {
            self.reduced = Some(conn.now);
            let alpha = self.alpha >> GAIN_BITS;
            let cut = (u128::from(self.window) * u128::from(alpha) + u128::from(ONE)) >> (BITS + 1);
            self.shrink(conn, self.window.saturating_sub(cut as u64));
        }
    }

    fn answer_loss(&mut self, conn: &mut Connection) {
        self.before_loss = self.window;
        self.repairs = true;
        self.shrink(conn, self.window - self.window / 2);
    }

    fn shrink(&mut self, conn: &mut Connection, window: u64) {
        self.window = window.max(u64::from(LEAST_WINDOW) << BITS);
        conn.window.ssthresh = packets(self.window);
    }
}

impl LinuxControl for Prague {
    fn on_open(&mut self, conn: &mut Connection) {
        *self = Prague {
            window: u64::from(conn.window.size) << BITS,
            updated: conn.now,
            is_reno: !(conn.ecn.on && conn.ecn.exact),
            ..Prague::default()
        };
        self.begin_round(conn);
        if self.is_reno {
            return;
        }
        self.set_pacing(conn);
        if conn.pace.holder == Holder::Nobody {
            conn.pace.holder = Holder::Sender;
        }
    }

    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        if self.is_reno {
            Reno.new_ssthresh(conn)
        } else {
            conn.window.ssthresh
        }
    }

    fn grow(&mut self, conn: &mut Connection, acked: u32) {
        Reno.grow(conn, acked);
    }

    fn undo_window(&mut self, conn: &mut Connection) -> u32 {
        if self.is_reno {
            return Reno.undo_window(conn);
        }
        self.window = self.window.max(self.before_loss);
        conn.window.size.max(packets(self.window))
    }

    fn on_state(&mut self, conn: &mut Connection, state: State) {
        if self.is_reno || state == conn.state {
            return;
        }
        match state {
            State::Recovery => self.answer_loss(conn),
            State::Cwr => self.answer_mark(conn),
            State::Open => self.repairs = false,
            _ => {}
        }
    }

    fn on_loss_event(&mut self, conn: &mut Connection) {
        if !self.is_reno {
            self.answer_loss(conn);
        }
    }

    fn rule(&mut self, conn: &mut Connection, sample: &RateSample) {
        let unmarked = sample.acked_sacked.saturating_sub(sample.marked);
        self.widen(conn, unmarked);
        self.apply(conn, sample.acked_sacked);
        self.update_alpha(conn);
        self.set_pacing(conn);
    }

    fn rules_alone(&self) -> bool {
        !self.is_reno
    }

    fn marks_all(&self) -> bool {
        !self.is_reno
    }

    fn codepoint(&self) -> Ecn {
        if self.is_reno { Ecn::Ect0 } else { Ecn::Ect1 }
    }

    fn burst(&self, conn: &Connection) -> Option<u64> {
        let packets = (conn.pace.rate() >> BURST_BITS) / u64::from(conn.packet_size.max(1));
        (!self.is_reno).then_some(packets.max(LEAST_BURST))
    }

    fn alpha(&self) -> Option<u32> {
        let share = self.alpha >> GAIN_BITS >> (BITS - 10);
        (!self.is_reno).then_some(share as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_follows_the_share_of_marked_packets_without_rounding_it_away() {
        let all = ONE << GAIN_BITS;
        assert_eq!(follow(all, 10, 10), all);
        assert_eq!(follow(all, 10, 0), all - ONE);
        assert_eq!(follow(0, 10, 10), ONE);
        let settled = (0..500).fold(all, |alpha, _| follow(alpha, 1000, 1));
        let share = settled >> GAIN_BITS;
        assert_eq!(
            share,
            ONE / 1000,
            "a thousandth, which DCTCP rounds to zero"
        );
    }

    /// Section 2.4.4: at 5 ms a virtual round trip has five real ones, and each adds a 25th.
    #[test]
    fn the_increase_falls_with_the_square_of_short_round_trips() {
        assert_eq!(increase(25_000), ONE);
        assert_eq!(increase(100_000), ONE);
        assert_eq!(increase(5_000), ONE / 25, "to the nearest 2^-20");
        assert_eq!(increase(12_500), ONE / 4);
        assert_eq!(increase(0), ONE, "no round trip was measured");
    }
}
