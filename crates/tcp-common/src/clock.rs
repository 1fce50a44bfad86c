//! Time in the units of Linux's TCP: microseconds for round trips, ticks for timers.

use pacesim_units::{Span, Time};

/// A time in microseconds since time zero.
pub type Micros = u64;

/// Timers further ahead than these numbers of ticks lie in ever coarser levels of the timer wheel:
/// the last of a level's 63 slots, times the level's step.
const LEVELS: u32 = 9;
const STEP_BITS: u32 = 3;
const SLOTS: u64 = 63;

/// The tick of the kernel's timers, and the wheel that rounds them up.
#[derive(Clone, Copy, Debug)]
pub struct Ticks {
    length: Micros,
    per_second: u64,
    /// 2^64 divided by the length, rounded up: a division then takes one multiplication.
    inverse: u64,
    /// Ticks start when the time plus this is a multiple of their length.
    phase: Micros,
    /// True if the wheel rounds expiries up; otherwise they are exact.
    wheel: bool,
}

impl Ticks {
    /// The ticks of a kernel with this HZ, or exact timers.
    pub fn new(hz: Option<u32>, phase: Span) -> Ticks {
        let (length, phase) = match hz {
            Some(hz) => {
                let length = 1_000_000 / u64::from(hz.clamp(1, 1_000_000));
                (length, phase.as_ps() / PS_PER_MICRO)
            }
            None => (1, 0),
        };
        Ticks {
            length,
            per_second: 1_000_000 / length,
            inverse: (u64::MAX / length).wrapping_add(1),
            phase,
            wheel: hz.is_some(),
        }
    }

    /// Number of ticks in a second.
    #[inline]
    pub fn per_second(&self) -> u64 {
        self.per_second
    }

    /// Number of the tick at this time.
    #[inline]
    pub fn at(&self, now: Micros) -> u64 {
        self.divide(now + self.phase)
    }

    /// Number of whole ticks in these microseconds.
    #[inline]
    pub fn whole(&self, micros: Micros) -> u64 {
        self.divide(micros)
    }

    /// The least number of ticks that cover these microseconds.
    #[inline]
    pub fn covering(&self, micros: Micros) -> u64 {
        self.divide(micros + (self.length - 1))
    }

    /// Whole ticks in these microseconds. The product is exact below 2^64 divided by the length
    /// (Granlund and Montgomery 1994, Theorem 4.2): 208 days even for ticks of a second.
    #[inline]
    fn divide(&self, micros: Micros) -> u64 {
        if self.length == 1 {
            return micros;
        }
        if micros > u64::MAX / 1_000_000 {
            return micros / self.length;
        }
        ((u128::from(micros) * u128::from(self.inverse)) >> 64) as u64
    }

    /// The length of these ticks.
    #[inline]
    pub fn micros(&self, ticks: u64) -> Micros {
        ticks.saturating_mul(self.length)
    }

    /// Time at which this tick starts.
    #[inline]
    pub fn begin(&self, tick: u64) -> Time {
        let micros = self.micros(tick).saturating_sub(self.phase);
        micros
            .checked_mul(PS_PER_MICRO)
            .map_or(Time::NEVER, Time::from_ps)
    }

    /// The tick of expiry of a timer set in tick `now` to tick `end`.
    #[inline]
    pub fn rounded(&self, now: u64, end: u64) -> u64 {
        if !self.wheel {
            return end;
        }
        let ahead = end.saturating_sub(now);
        let level = match (ahead / SLOTS).checked_ilog2() {
            None => 0,
            Some(log) => (log / STEP_BITS + 1).min(LEVELS - 1),
        };
        let bits = STEP_BITS * level;
        ((end >> bits) + 1) << bits
    }
}

const PS_PER_MICRO: u64 = 1_000_000;

/// Converts a time to whole microseconds since time zero.
pub fn micros(time: Time) -> Micros {
    time.as_ps() / PS_PER_MICRO
}

/// Converts a time to milliseconds, the unit of timestamps on the wire.
pub fn millis(time: Micros) -> u64 {
    time / 1000
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_wheel_rounds_up_by_a_step_of_the_timer_s_level() {
        let ticks = Ticks::new(Some(250), Span::ZERO);
        assert_eq!(ticks.rounded(0, 5), 6);
        assert_eq!(ticks.rounded(0, 62), 63);
        // 304 ms are 76 ticks: in steps of 8 from the 63rd on.
        assert_eq!(ticks.rounded(0, 76), 80);
        assert_eq!(ticks.rounded(0, 504), 512);
        assert_eq!(ticks.rounded(3, 600), 640);
        assert_eq!(Ticks::new(None, Span::ZERO).rounded(3, 600), 600);
    }

    #[test]
    fn a_timer_s_level_is_the_first_whose_slots_reach_so_far() {
        let ticks = Ticks::new(Some(250), Span::ZERO);
        for ahead in (0..5_000).chain((13..40).map(|bits| (1 << bits) - 9)) {
            let level = (0..LEVELS - 1)
                .find(|level| ahead < SLOTS << (STEP_BITS * level))
                .unwrap_or(LEVELS - 1);
            let step = 1 << (STEP_BITS * level);
            assert_eq!(
                ticks.rounded(7, 7 + ahead),
                (7 + ahead) / step * step + step
            );
        }
    }

    proptest! {
        #[test]
        fn ticks_are_whole_quotients(
            hz in 1u32..=1_000_000,
            micros in prop_oneof![0..10_000_000u64, 0..=u64::MAX - 1_000_000],
        ) {
            let ticks = Ticks::new(Some(hz), Span::ZERO);
            let length = 1_000_000 / u64::from(hz);
            prop_assert_eq!(ticks.at(micros), micros / length);
            prop_assert_eq!(ticks.covering(micros), micros.div_ceil(length));
        }
    }

    #[test]
    fn ticks_begin_ahead_of_their_multiples_by_the_phase() {
        let ticks = Ticks::new(Some(250), Span::from_us(1000));
        assert_eq!(ticks.at(2999), 0);
        assert_eq!(ticks.at(3000), 1);
        assert_eq!(ticks.begin(1), Time::ZERO + Span::from_us(3000));
        assert_eq!(ticks.covering(4001), 2);
    }
}
