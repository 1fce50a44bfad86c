//! The round trip being timed, and the estimate from earlier ones.

use pacesim_units::{Span, Time};

use crate::config::{Clock, Config};
use crate::rtt::RoundTrip;

/// The value while no packet is being timed.
const UNTIMED: u32 = u32::MAX;

/// One packet is timed at a time (coarse clock); its estimate and time-out.
#[derive(Debug)]
pub(super) struct Timing {
    packet: u32,
    sent: Time,
    clock_phase: Span,
    pub(super) rtt: RoundTrip,
}

impl Timing {
    pub(super) fn new(config: &Config, clock_phase: Span) -> Timing {
        Timing {
            packet: UNTIMED,
            sent: Time::ZERO,
            clock_phase: within_a_tick(clock_phase, config.clock),
            rtt: RoundTrip::new(config),
        }
    }

    /// Packet `seq` leaves for the first time; it is timed unless another packet is.
    #[inline]
    pub(super) fn start(&mut self, now: Time, seq: u32) {
        if self.packet == UNTIMED {
            self.packet = seq;
            self.sent = now;
        }
    }

    /// Stops timing a packet that may be retransmitted: its round trip would be ambiguous (Karn).
    pub(super) fn cancel(&mut self) {
        self.packet = UNTIMED;
    }

    /// Departure of the timed packet, if it is below `next` and so acknowledged; this ends timing
    /// and back-off.
    #[inline]
    pub(super) fn end(&mut self, next: u32, config: &Config) -> Option<Time> {
        if next <= self.packet {
            return None;
        }
        self.packet = UNTIMED;
        self.rtt.reset_backoff(config);
        Some(self.sent)
    }

    /// Takes the sample of a packet that left at `sent` and is acknowledged now.
    #[inline]
    pub(super) fn sample(&mut self, now: Time, sent: Time, config: &Config) {
        self.rtt.sample(now, sent, self.clock_phase, config);
    }

    /// The smoothed round trip; zero before the first sample.
    #[inline]
    pub(super) fn srtt(&self, config: &Config) -> Span {
        self.rtt.srtt(config.clock)
    }
}

/// Removes whole ticks, which do not affect rounding, so that the sum with a time cannot overflow.
fn within_a_tick(phase: Span, clock: Clock) -> Span {
    match clock {
        Clock::Ticks(tick) => Span::from_ps(phase.as_ps() % tick.as_ps().max(1)),
        Clock::Stamps { .. } => phase,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_of_many_ticks_is_what_is_left_of_the_last() {
        let clock = Clock::Ticks(Span::from_ms(10));
        assert_eq!(within_a_tick(Span::from_ms(1234), clock), Span::from_ms(4));
        let longest = within_a_tick(Span::MAX, clock);
        assert!(longest < Span::from_ms(10), "{longest}");
    }
}
