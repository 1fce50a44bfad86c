//! Long-range dependent traffic: its variance over an interval falls as the interval to the power
//! 2H − 2, more slowly than that of independent packets.

use pacesim_units::{Bytes, Rate, Span};

use crate::clipped::{self, ClippedVolume};

/// Fractional Gaussian noise as the volume per slot (Norros 1994).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FractionalNoise {
    /// Mean rate of the traffic.
    pub rate: Rate,
    /// Size of each packet.
    pub size: Bytes,
    /// Hurst parameter, from 0.5 to below 1.
    pub hurst: f64,
    /// Burstiness of the traffic over an interval.
    pub burstiness: Burstiness,
    /// Length of a slot, within which the rate is steady.
    pub slot: Span,
    /// Time for which the source sends.
    pub lasts: Span,
}

/// Normal noise of standard deviation 1, clipped at zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clipped {
    /// Mean of the noise before clipping.
    pub mean: f64,
    /// Mean of the noise after clipping.
    pub clipped_mean: f64,
}

/// Sessions that begin as a Poisson process, each at the same constant rate for a Pareto time:
/// M/G/∞ (Cox 1984).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sessions {
    /// Mean rate of all sessions together.
    pub rate: Rate,
    /// Size of each packet.
    pub size: Bytes,
    /// Hurst parameter, above 0.5 and below 1.
    pub hurst: f64,
    /// Burstiness of the traffic over an interval.
    pub burstiness: Burstiness,
    /// Mean length of a session.
    pub mean: Span,
}

/// A superposition of independent sources with Pareto ON and OFF phases (Willinger et al. 1997).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParetoOnOff {
    /// Number of sources.
    pub sources: u32,
    /// Rate of each source while ON.
    pub peak: Rate,
    /// The size of each packet.
    pub size: Bytes,
    /// The mean length of an ON phase.
    pub mean_on: Span,
    /// The mean length of an OFF phase.
    pub mean_off: Span,
    /// The Hurst parameter, above 0.5 and below 1.
    pub hurst: f64,
}

/// β: the standard deviation of the volume of an interval divided by its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burstiness {
    /// The burstiness β over the interval.
    pub beta: f64,
    /// Length of the interval.
    pub over: Span,
}

/// Shape of Pareto times that give this H: only the length of the run truncates their tail.
pub fn shape(hurst: f64) -> f64 {
    3.0 - 2.0 * hurst
}

impl FractionalNoise {
    /// The noise whose slots, clipped at zero, have this burstiness; `None` if that is
    /// unattainable, since more than half of the slots would be empty.
    pub fn clipped(&self) -> Option<Clipped> {
        let mean = self.volume().level(self.burstiness.beta)?;
        Some(Clipped {
            mean,
            clipped_mean: clipped::mean(mean),
        })
    }

    /// Greatest attainable burstiness over this interval.
    pub fn most_burstiness(&self) -> f64 {
        self.volume().burstiness(0.0)
    }

    fn volume(&self) -> ClippedVolume {
        let slots = self.burstiness.over.as_ps() as f64 / self.slot.as_ps() as f64;
        ClippedVolume::new(self.hurst, slots)
    }

    /// Number of slots in the time for which the source sends.
    pub fn slots(&self) -> u64 {
        self.lasts.as_ps().div_ceil(self.slot.as_ps()).max(1)
    }
}

impl Sessions {
    /// The mean number of concurrent sessions, N. The volume of an interval s, in units of one
    /// session's rate, has mean N·s and variance N·v(s), hence β² = v(s)/(N·s²).
    pub fn mean_number(&self) -> f64 {
        let (beta, over) = (self.burstiness.beta, self.burstiness.over.as_secs_f64());
        self.variance_of_one(over) / (beta * beta * over * over)
    }

    /// The rate of each session, in bit/s.
    pub fn peak_bps(&self) -> f64 {
        self.rate.as_bps() as f64 / self.mean_number()
    }

    /// v(s) = 2 ∫ (s − t) ρ(t) dt from 0 to s, where ρ(t), the share of sessions that last another
    /// t, is 1 − t/D up to the least length x = D(α−1)/α and (x/t)^{α−1}/α beyond.
    pub fn variance_of_one(&self, seconds: f64) -> f64 {
        let (s, mean, alpha) = (seconds, self.mean.as_secs_f64(), shape(self.hurst));
        let least = mean * (alpha - 1.0) / alpha;
        let below = |t: f64| s * t - t * t * (1.0 + s / mean) / 2.0 + t * t * t / (3.0 * mean);
        if s <= least {
            return 2.0 * below(s);
        }
        let beyond = |t: f64| {
            s * libm::pow(t, 2.0 - alpha) / (2.0 - alpha)
                - libm::pow(t, 3.0 - alpha) / (3.0 - alpha)
        };
        let tail = libm::pow(least, alpha - 1.0) / alpha * (beyond(s) - beyond(least));
        2.0 * (below(least) + tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(over: Span) -> Sessions {
        Sessions {
            rate: Rate::from_mbps(100),
            size: Bytes(1000),
            hurst: 0.8,
            burstiness: Burstiness { beta: 0.2, over },
            mean: Span::from_ms(10),
        }
    }

    #[test]
    fn the_variance_is_the_integral_of_the_covariances() {
        let sessions = sessions(Span::from_ms(1));
        let (mean, alpha) = (0.01, 1.4);
        let least = mean * 0.4 / 1.4;
        let rho = |t: f64| {
            if t < least {
                1.0 - t / mean
            } else {
                libm::pow(least / t, 0.4) / alpha
            }
        };
        for s in [0.001, 0.01, 0.5] {
            let steps = 200_000;
            let sum = (0..steps).map(|i| {
                let t = (f64::from(i) + 0.5) / f64::from(steps) * s;
                2.0 * (s - t) * rho(t) * s / f64::from(steps)
            });
            let (sum, closed) = (sum.sum::<f64>(), sessions.variance_of_one(s));
            assert!((sum / closed - 1.0).abs() < 1e-6, "{s}: {sum} {closed}");
        }
    }

    #[test]
    fn the_burstiness_of_a_moment_is_that_of_a_poisson_number() {
        let number = sessions(Span::from_ns(1)).mean_number();
        assert!((number - 25.0).abs() < 1e-3, "1 / 0.2^2, not {number}");
    }

    #[test]
    fn fractional_noise_is_smoother_over_longer_slots() {
        let noise = |slot| FractionalNoise {
            rate: Rate::from_mbps(100),
            size: Bytes(1000),
            hurst: 0.85,
            burstiness: Burstiness {
                beta: 0.3,
                over: Span::from_us(10),
            },
            slot,
            lasts: Span::from_secs(1),
        };
        let mean = |slot| noise(slot).clipped().expect("it can be had").mean;
        // A burstiness of 0.3 over a slot; slight clipping.
        assert!(
            (mean(Span::from_us(10)) * 0.3 - 1.0).abs() < 2e-3,
            "{:?}",
            mean(Span::from_us(10)) * 0.3
        );
        // With ten slots per interval each is burstier, with more clipping.
        assert!(
            (mean(Span::from_us(1)) * 0.3 * libm::pow(10.0, 0.15)) < 1.0 - 2e-3,
            "{:?} and {:?}",
            (mean(Span::from_us(1)) * 0.3 * libm::pow(10.0, 0.15)),
            1.0 - 2e-3
        );
        assert!(noise(Span::from_ps(100)).clipped().is_none());
        assert_eq!(noise(Span::from_ms(3)).slots(), 334);
    }
}
