//! Burstiness over dyadic time scales, in one pass.

use pacesim_units::{Bytes, Span, Time};

use crate::Moments;

/// The spread of the volume per interval at the lengths s₀, 2s₀, 4s₀, … at once.
///
/// Intervals of scale j are `[start + i·s, start + (i+1)·s)`, s = s₀·2^j. A volume that is complete
/// at one scale is passed to the next, so a packet costs a comparison and an addition, and an
/// interval with packets costs a division and its way up. Empty intervals are never visited: they
/// are added at the end, by their number. The work is thus O(1) per packet where packets are at
/// most s₀ apart, O(log(gap/s₀)) where they are sparser; the state is 80 bytes per scale.
///
/// ```
/// use pacesim_measure::Burstiness;
/// use pacesim_units::{Bytes, Span, Time};
///
/// let mut bursts = Burstiness::new(Time::ZERO, Span::from_us(1), 2).expect("scales");
/// // Two packets in every other microsecond.
/// for us in (0..1000).step_by(2) {
///     let at = Time::ZERO + Span::from_us(us);
///     bursts.add(at, Bytes(1500));
///     bursts.add(at, Bytes(1500));
/// }
/// let scales = bursts.scales(Time::ZERO + Span::from_ms(1));
/// assert!((scales[0].beta().expect("volume") - 1.0).abs() < 1e-3);
/// assert_eq!(scales[1].beta(), Some(0.0)); // smooth over two microseconds
/// ```
#[derive(Clone, Debug)]
pub struct Burstiness {
    start: Time,
    finest: Span,
    /// The end of the open interval of the finest scale.
    end: Time,
    levels: Vec<Level>,
}

/// State of one scale: the open interval, and the closed ones with packets.
#[derive(Clone, Copy, Debug)]
struct Level {
    index: u64,
    volume: u64,
    closed: Moments,
}

/// The volumes in the complete intervals of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The length of the intervals.
    pub interval: Span,
    /// Bytes in each complete interval; its count is the number of intervals.
    pub volumes: Moments,
}

impl Scale {
    /// β(s): standard deviation (divisor n − 1) of the volume divided by its mean; `None` below two
    /// intervals or without volume.
    pub fn beta(&self) -> Option<f64> {
        self.volumes.cv()
    }

    /// log₂ β(s), whose slope against log₂ s is H − 1; `None` also where β is zero.
    pub fn log2_cv(&self) -> Option<f64> {
        self.beta().filter(|beta| *beta > 0.0).map(libm::log2)
    }
}

impl Burstiness {
    /// `scales` scales from `finest` up, from `start` on; `None` if there are none, if the finest
    /// has no length or ends beyond the end of time, or if the coarsest overflows 64 bits.
    pub fn new(start: Time, finest: Span, scales: u32) -> Option<Burstiness> {
        let coarsest = 1u64.checked_shl(scales.checked_sub(1)?)?;
        finest.checked_mul(coarsest)?;
        let empty = Level {
            index: 0,
            volume: 0,
            closed: Moments::new(),
        };
        (!finest.is_zero()).then_some(Burstiness {
            start,
            finest,
            end: start.checked_add(finest)?,
            levels: vec![empty; scales as usize],
        })
    }

    /// Adds a packet, in time order and not before the start.
    #[inline]
    pub fn add(&mut self, at: Time, size: Bytes) {
        if at >= self.end {
            self.enter(at);
        }
        self.levels[0].volume += size.get();
    }

    /// All scales, over the intervals that are complete by `until`, which is not before the last
    /// packet.
    pub fn scales(&self, until: Time) -> Vec<Scale> {
        let mut closed = self.clone();
        let finest_count = closed.close_until(until);
        let scale = |(j, level): (usize, &Level)| {
            let mut volumes = level.closed;
            volumes.add_repeated(0, (finest_count >> j) - volumes.count());
            let interval = self.finest * (1 << j);
            Scale { interval, volumes }
        };
        closed.levels.iter().enumerate().map(scale).collect()
    }

    /// Opens the finest interval that holds `at`.
    fn enter(&mut self, at: Time) {
        let index = (at - self.start).as_ps() / self.finest.as_ps();
        self.close(0);
        self.levels[0].index = index;
        let began = self.start + self.finest * index;
        self.end = began.saturating_add(self.finest);
    }

    /// Closes the open interval of a scale and passes its volume to the next.
    fn close(&mut self, j: usize) {
        let level = &mut self.levels[j];
        let (volume, parent) = (std::mem::take(&mut level.volume), level.index >> 1);
        if volume == 0 {
            return;
        }
        level.closed.add(volume);
        if j + 1 < self.levels.len() {
            if self.levels[j + 1].index != parent {
                self.close(j + 1);
                self.levels[j + 1].index = parent;
            }
            self.levels[j + 1].volume += volume;
        }
    }

    /// Closes the intervals that are complete by `until`, the finest first, since each feeds the
    /// next; returns the number of complete finest intervals.
    fn close_until(&mut self, until: Time) -> u64 {
        let complete = (until - self.start).as_ps() / self.finest.as_ps();
        for j in 0..self.levels.len() {
            if self.levels[j].index < complete >> j {
                self.close(j);
            }
        }
        complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each scale on its own, from every packet's time.
    fn brute_force(packets: &[(u64, u64)], interval: u64, until: u64) -> Moments {
        let mut volumes = vec![0; (until / interval) as usize];
        for &(at, size) in packets {
            if let Some(volume) = volumes.get_mut((at / interval) as usize) {
                *volume += size;
            }
        }
        volumes.into_iter().collect()
    }

    #[test]
    fn scales_that_cannot_be_are_refused() {
        let second = Span::from_secs(1);
        let late = Time::from_ps(u64::MAX - 1);
        for (from, finest, scales, can_be) in [
            (Time::ZERO, second, 0, false),
            (Time::ZERO, Span::ZERO, 1, false),
            (Time::ZERO, second, 24, true),
            (Time::ZERO, second, 26, false),
            (Time::ZERO, second, 65, false),
            (late, second, 1, false),
        ] {
            let is_made = Burstiness::new(from, finest, scales).is_some();
            assert_eq!(is_made, can_be, "{scales} scales of {finest} from {from}");
        }
    }

    #[test]
    fn a_gap_of_days_costs_no_walk() {
        let mut bursts = Burstiness::new(Time::ZERO, Span::from_ns(1), 40).expect("scales");
        let days = Time::ZERO + Span::from_secs(10_000_000);
        bursts.add(Time::ZERO, Bytes(1));
        bursts.add(days, Bytes(1));
        let scales = bursts.scales(days);
        assert_eq!(scales[0].volumes.count(), 10_000_000_000_000_000);
        assert_eq!(scales[0].volumes.sum(), 1);
    }

    #[test]
    fn poisson_packets_follow_the_theory() {
        // β(s) = 1/sqrt(λ·s), λ = 0.8 packets a microsecond.
        let mut random = crate::testing::Random::new(42);
        let mut bursts = Burstiness::new(Time::ZERO, Span::from_us(1), 12).expect("scales");
        let mut now_ps = 0.0;
        while now_ps < 2e12 {
            bursts.add(Time::from_ps(now_ps as u64), Bytes(1));
            now_ps += random.exponential() * 1e6 / 0.8;
        }
        for scale in bursts.scales(Time::from_ps(2_000_000_000_000)) {
            let logarithm = scale.log2_cv().expect("volume");
            assert!(
                (libm::exp2(logarithm) / scale.beta().expect("volume") - 1.0).abs() < 1e-12,
                "{:?} and {:?}",
                libm::exp2(logarithm),
                scale.beta().expect("volume")
            );
            let expected = 1.0 / (0.8 * scale.interval.as_secs_f64() * 1e6).sqrt();
            let ratio = scale.beta().expect("volume") / expected;
            // sd of a standard deviation over n intervals: 1/sqrt(2n); four of them,
            // and half a percent for β's own skew at the finest scales.
            let n = scale.volumes.count() as f64;
            assert!(
                (ratio - 1.0).abs() < 0.005 + 4.0 / (2.0 * n).sqrt(),
                "{scale:?} {ratio}"
            );
        }
    }

    proptest! {
        #[test]
        fn every_scale_agrees_with_brute_force(
            gaps in prop::collection::vec((prop_oneof![0u64..5, 0u64..500], 0u64..1500), 0..200),
            finest in 1u64..20,
            rest in 0u64..300,
            start in 0u64..100,
        ) {
            let origin = Time::from_ps(start);
            let mut bursts = Burstiness::new(origin, Span::from_ps(finest), 10).expect("scales");
            let (mut now, mut packets) = (0, Vec::new());
            for (gap, size) in gaps {
                now += gap;
                packets.push((now, size));
                bursts.add(Time::from_ps(start + now), Bytes(size));
            }
            let until = now + rest;
            for scale in bursts.scales(Time::from_ps(start + until)) {
                let expected = brute_force(&packets, scale.interval.as_ps(), until);
                prop_assert_eq!(scale.volumes, expected);
            }
        }
    }
}
