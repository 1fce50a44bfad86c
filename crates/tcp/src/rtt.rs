//! Round trips, and the time-out derived from them.

use pacesim_units::{Span, Time};

use crate::config::{Clock, Config};
use crate::totals::RttState;

/// Smoothed round trip, deviation and back-off, in units of the clock: ticks scaled by 8 and 4 as
/// in ns-2, or picoseconds with the same scales.
#[derive(Clone, Debug)]
pub(crate) struct RoundTrip {
    /// 8 × the smoothed round trip; 0 without a sample (or once forgotten).
    srtt: u64,
    /// Four times the mean deviation.
    deviation: u64,
    /// Last sample of the round-trip time.
    last: u64,
    /// Time-out before back-off and limits.
    base: Span,
    /// Time-out in force.
    rto: Span,
    backoff: u32,
}

/// ns-2's deviation before any sample, `rttvar_init_`, in seconds. The first sample replaces it,
/// and until then the time-out is `initial_rto`, so it affects no packet.
const NS2_FIRST_DEVIATION: f64 = 12.0;

/// Beyond this back-off factor ns-2 forgets the round trip and starts afresh.
const STALE_BACKOFF: u32 = 8;

impl RoundTrip {
    pub(crate) fn new(config: &Config) -> RoundTrip {
        let mut new = RoundTrip {
            srtt: 0,
            deviation: match config.clock {
                Clock::Ticks(tick) => ((NS2_FIRST_DEVIATION / tick.as_secs_f64()) as u64) << 2,
                Clock::Stamps { .. } => 0,
            },
            last: 0,
            base: config.initial_rto,
            rto: Span::ZERO,
            backoff: 1,
        };
        new.update_rto(config);
        new
    }

    /// The time-out in force.
    #[inline]
    pub(crate) fn rto(&self) -> Span {
        self.rto
    }

    pub(crate) fn backoff(&self) -> u32 {
        self.backoff
    }

    pub(crate) fn state(&self) -> RttState {
        RttState {
            last: self.last,
            srtt8: self.srtt,
            rttvar4: self.deviation,
            backoff: self.backoff,
        }
    }

    /// The smoothed round trip; zero before the first sample.
    #[inline]
    pub(crate) fn srtt(&self, clock: Clock) -> Span {
        match clock {
            Clock::Ticks(tick) => tick * (self.srtt >> 3),
            Clock::Stamps { .. } => Span::from_ps(self.srtt >> 3),
        }
    }

    /// A packet that left at `sent` is acknowledged at `now`. `phase` is the offset of the coarse
    /// clock's ticks.
    pub(crate) fn sample(&mut self, now: Time, sent: Time, phase: Span, config: &Config) {
        let measured = match config.clock {
            Clock::Ticks(tick) => ticks_between(sent, now, phase, tick).max(1),
            Clock::Stamps { .. } => (now - sent).as_ps(),
        };
        self.smooth(measured);
        self.base = self.base_rto(config.clock);
        self.update_rto(config);
    }

    /// ns-2's integers; in picoseconds they are RFC 6298 §2 (gains 1/8 and 1/4).
    fn smooth(&mut self, measured: u64) {
        self.last = measured;
        if self.srtt == 0 {
            self.srtt = measured << 3;
            self.deviation = measured << 1;
            return;
        }
        let smoothed = self.srtt >> 3;
        self.srtt = (self.srtt + measured).saturating_sub(smoothed).max(1);
        let error = measured.abs_diff(smoothed);
        self.deviation = (self.deviation + error)
            .saturating_sub(self.deviation >> 2)
            .max(1);
    }

    /// Smoothed round trip plus four deviations, truncated to whole ticks; RFC 6298 eq. 2.3.
    fn base_rto(&self, clock: Clock) -> Span {
        match clock {
            Clock::Ticks(tick) => tick * (((self.deviation << 3) + self.srtt) >> 3),
            Clock::Stamps { granularity } => {
                Span::from_ps((self.srtt >> 3) + self.deviation.max(granularity.as_ps()))
            }
        }
    }

    fn update_rto(&mut self, config: &Config) {
        let backed_off = self
            .base
            .max(config.min_rto)
            .checked_mul(u64::from(self.backoff))
            .unwrap_or(Span::MAX);
        let floor = match config.clock {
            Clock::Ticks(tick) => tick * 2,
            Clock::Stamps { .. } => Span::ZERO,
        };
        self.rto = backed_off.min(config.max_rto).max(floor);
    }

    /// Doubles the time-out after an expiry (RFC 6298 §5.5).
    pub(crate) fn back_off(&mut self, config: &Config) {
        if self.backoff < config.details.backoff_limit || self.rto < config.max_rto {
            self.backoff = self.backoff.saturating_mul(2);
        }
        if self.backoff > STALE_BACKOFF {
            self.forget();
        }
        self.update_rto(config);
    }

    /// Restarts the estimate with the next sample, after many timeouts (RFC 6298 §5, last note).
    fn forget(&mut self) {
        self.deviation += self.srtt >> 3;
        self.srtt = 0;
    }

    /// Resets the time-out when an unambiguous acknowledgement arrives.
    #[inline]
    pub(crate) fn reset_backoff(&mut self, config: &Config) {
        if self.backoff != 1 {
            self.backoff = 1;
            self.update_rto(config);
        }
    }
}

/// Ticks of a clock from `start` to `end`. In ns-2 it is
/// `int((end - start + fmod(start + phase, tick)) / tick)`; in exact
/// arithmetic that is the difference of two tick counts.
fn ticks_between(start: Time, end: Time, phase: Span, tick: Span) -> u64 {
    let count = |t: Time| (t.as_ps() + phase.as_ps()) / tick.as_ps();
    count(end) - count(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Variant;

    const TICK: Span = Span::from_ms(10);

    fn ms(n: u64) -> Time {
        Time::ZERO + Span::from_ms(n)
    }

    #[test]
    fn ticks_depend_on_the_clocks_phase() {
        assert_eq!(ticks_between(ms(0), ms(9), Span::ZERO, TICK), 0);
        assert_eq!(ticks_between(ms(0), ms(9), Span::from_ms(1), TICK), 1);
        assert_eq!(ticks_between(ms(5), ms(105), Span::from_ms(7), TICK), 10);
        assert_eq!(ticks_between(ms(8), ms(10), Span::ZERO, TICK), 1);
    }

    #[test]
    fn the_first_sample_sets_and_later_ones_smooth() {
        let config = Config::ns2(Variant::Reno);
        let mut rtt = RoundTrip::new(&config);
        assert_eq!(rtt.rto(), Span::from_secs(3));
        rtt.sample(ms(100), ms(0), Span::ZERO, &config);
        assert_eq!(
            rtt.state(),
            RttState {
                last: 10,
                srtt8: 80,
                rttvar4: 20,
                backoff: 1
            }
        );
        assert_eq!(rtt.rto(), Span::from_ms(300));
        rtt.sample(ms(320), ms(200), Span::ZERO, &config);
        assert_eq!(
            rtt.state(),
            RttState {
                last: 12,
                srtt8: 82,
                rttvar4: 17,
                backoff: 1
            }
        );
    }

    #[test]
    fn back_off_doubles_to_its_limits_and_then_forgets() {
        let config = Config::ns2(Variant::Reno);
        let mut rtt = RoundTrip::new(&config);
        rtt.sample(ms(100), ms(0), Span::ZERO, &config);
        let mut seen = Vec::new();
        for _ in 0..10 {
            rtt.back_off(&config);
            seen.push(rtt.backoff());
        }
        // 300 ms * 128 is below the greatest time-out of 60 s, 300 ms * 256 is not.
        assert_eq!(seen, [2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
        assert_eq!(rtt.rto(), config.max_rto);
        assert_eq!(rtt.state().srtt8, 0);
        rtt.reset_backoff(&config);
        assert_eq!(rtt.rto(), Span::from_ms(300));
    }

    #[test]
    fn stamps_follow_rfc_6298() {
        let config = Config::rfc(Variant::Reno);
        let mut rtt = RoundTrip::new(&config);
        assert_eq!(rtt.rto(), Span::from_secs(1));
        rtt.sample(ms(80), ms(0), Span::ZERO, &config);
        // R = 80 ms, RTTVAR = 40 ms, RTO = 80 + 160.
        assert_eq!(rtt.rto(), Span::from_ms(240));
        rtt.sample(ms(180), ms(60), Span::ZERO, &config);
        // RTTVAR = 3/4 40 + 1/4 40 = 40, SRTT = 7/8 80 + 1/8 120 = 85.
        assert_eq!(rtt.rto(), Span::from_ms(245));
        assert_eq!(rtt.srtt(config.clock), Span::from_ms(85));
    }
}
