//! The minimum round trip, measured every five seconds with half of the packets that fill the path.

use super::super::super::clock::Micros;
use super::super::super::connection::Connection;
use super::super::super::rate::RateSample;
use super::super::bandwidth::ONE;
use super::cycle::Acks;
use super::{Bbr3, LEAST_WINDOW, Mode, UNKNOWN};

/// The window of the minimum round trip, the interval between searches, and their length.
const KEPT_S: u64 = 10;
const INTERVAL: Micros = 5_000_000;
const LENGTH: Micros = 200_000;
const GAIN: u64 = ONE / 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct LeastRtt {
    pub(super) rtt: Micros,
    seen: u64,
    /// Minimum round trip since the last search.
    recent: Micros,
    recent_seen: u64,
    /// The tick in which the search may end, once few packets are in flight.
    until: Option<u64>,
    round_over: bool,
}

impl Default for LeastRtt {
    fn default() -> LeastRtt {
        LeastRtt {
            rtt: UNKNOWN,
            seen: 0,
            recent: UNKNOWN,
            recent_seen: 0,
            until: None,
            round_over: false,
        }
    }
}

impl LeastRtt {
    pub(super) fn begin(conn: &Connection) -> LeastRtt {
        LeastRtt {
            rtt: conn.rtt.least(),
            seen: conn.tick,
            recent: conn.rtt.least(),
            recent_seen: conn.tick,
            ..LeastRtt::default()
        }
    }

    /// Notes a round trip; true if the recent minimum is outdated.
    fn update(&mut self, conn: &Connection, sample: &RateSample) -> bool {
        let old = conn.tick > self.recent_seen + conn.ticks.covering(INTERVAL);
        if let Some(rtt) = sample.rtt
            && (rtt < self.recent || (old && !sample.is_delayed))
        {
            self.recent = rtt;
            self.recent_seen = conn.tick;
        }
        let expired = conn.tick > self.seen + KEPT_S * conn.ticks.per_second();
        if self.recent <= self.rtt || expired {
            self.rtt = self.recent;
            self.seen = self.recent_seen;
        }
        old
    }
}

impl Bbr3 {
    pub(super) fn update_least_rtt(&mut self, conn: &mut Connection, sample: &RateSample) {
        let old = self.least.update(conn, sample);
        if old && !self.wakes_from_idling && self.mode != Mode::ProbeRtt {
            self.mode = Mode::ProbeRtt;
            self.save_window(conn);
            self.least.until = None;
            self.probe.acks = Acks::Stopping;
            self.round.end = conn.rates.delivered;
        }
        if self.mode == Mode::ProbeRtt {
            self.probe_rtt(conn);
        }
        if sample.delivered > 0 {
            self.wakes_from_idling = false;
        }
    }

    /// The window during a search.
    pub(super) fn probe_rtt_window(&self) -> u32 {
        self.product(self.bandwidth(), GAIN).max(LEAST_WINDOW)
    }

    fn probe_rtt(&mut self, conn: &mut Connection) {
        let in_flight = conn.in_flight();
        conn.rates.app_limited = (conn.rates.delivered + in_flight).max(1);
        if self.least.until.is_none() {
            if in_flight <= self.probe_rtt_window() {
                self.least.until = Some(conn.tick + conn.ticks.covering(LENGTH));
                self.least.round_over = false;
                self.round.end = conn.rates.delivered;
            }
            return;
        }
        self.least.round_over |= self.round.begins;
        if self.least.round_over {
            self.end_probe_rtt(conn);
        }
    }

    pub(super) fn end_probe_rtt(&mut self, conn: &mut Connection) {
        if self.least.until.is_none_or(|until| conn.tick <= until) {
            return;
        }
        self.least.recent_seen = conn.tick;
        conn.window.size = conn.window.size.max(self.prior_window);
        self.bounds.forget_losses();
        if self.full.reached {
            self.begin_down(conn);
            self.begin_cruise();
        } else {
            self.mode = Mode::Startup;
        }
    }
}
