//! Queue-length based pacing (QLBP) as a fluid: eq. (1)–(6) of qlbp11 and (4)–(9)
//! of impact. Rates in bit/s, queues in bits, times in seconds.
//!
//! The pacer's rate rises linearly with its queue, so between `mu_min` and
//! `mu_max` it is a first-order low-pass filter of constant
//! `alpha = (mu_max - mu_min)/q_max`: it forgets a step as `e^(-alpha t)`, damps a
//! wave of frequency ω by `1/sqrt(1 + (ω/alpha)²)` and delays by at most
//! `q_max/mu_max`.
//!
//! ```
//! use pacesim_analytic::qlbp::QlbpLaw;
//!
//! // qlbp11's remark to Theorem 1: 150 KB at 300 Mbps delay by at most 4 ms.
//! let pacer = QlbpLaw::new(300e6, 0.0, 150e3 * 8.0, 600e6)?;
//! assert!((pacer.delay_bound() - 4e-3).abs() < 1e-12);
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

use crate::error::require;
use crate::{Range, SolveError};

/// A pacer's parameters, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QlbpLaw {
    mu_max: f64,
    mu_min: f64,
    q_max: f64,
    capacity: f64,
}

/// The long-run state of a constant stream of equal packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ConstantStream {
    /// Packets waiting between two arrivals.
    pub waiting: u64,
    /// The wait of each packet for its release, in seconds.
    pub delay_s: f64,
}

impl QlbpLaw {
    /// `0 <= mu_min < mu_max <= capacity` in bit/s, `q_max > 0` in bits.
    pub fn new(mu_max: f64, mu_min: f64, q_max: f64, capacity: f64) -> Result<QlbpLaw, SolveError> {
        Range::NON_NEGATIVE.check("mu_min", mu_min)?;
        Range::POSITIVE.check("q_max", q_max)?;
        Range::POSITIVE.check("capacity", capacity)?;
        require(
            mu_min < mu_max && mu_max <= capacity,
            "mu_min < mu_max <= capacity",
            || format!("mu_min {mu_min}, mu_max {mu_max}, capacity {capacity}"),
            || format!("mu_max above {mu_min} and at most {capacity}"),
        )?;
        Ok(QlbpLaw {
            mu_max,
            mu_min,
            q_max,
            capacity,
        })
    }

    /// qlbp11's rule of thumb (§III-C) for a link of this `utilisation` and a tolerated delay:
    /// `mu_max = (1 + ρ)/2 C`, `mu_min = ρ/2 C`, `q_max = D mu_max`.
    pub fn rule_of_thumb(
        capacity: f64,
        utilisation: f64,
        delay_s: f64,
    ) -> Result<QlbpLaw, SolveError> {
        Range::closed(0.0, 1.0).check("utilisation", utilisation)?;
        Range::POSITIVE.check("delay_s", delay_s)?;
        let mu_max = (1.0 + utilisation) / 2.0 * capacity;
        QlbpLaw::new(
            mu_max,
            utilisation / 2.0 * capacity,
            delay_s * mu_max,
            capacity,
        )
    }

    /// The largest rate of pacing.
    pub fn mu_max(&self) -> f64 {
        self.mu_max
    }

    /// The rate at an empty queue.
    pub fn mu_min(&self) -> f64 {
        self.mu_min
    }

    /// The queue beyond which nothing is delayed.
    pub fn q_max(&self) -> f64 {
        self.q_max
    }

    /// The rate at queue `q` (eq. 1).
    pub fn rate(&self, q: f64) -> f64 {
        if q > self.q_max {
            return self.capacity;
        }
        (self.mu_max - self.mu_min) / self.q_max * q + self.mu_min
    }

    /// The response constant, per second (eq. 3).
    pub fn alpha(&self) -> f64 {
        (self.mu_max - self.mu_min) / self.q_max
    }

    /// The bound on the pacing delay of steady streams (Theorem 1).
    pub fn delay_bound(&self) -> f64 {
        self.q_max / self.mu_max
    }

    /// The queue in which a constant fluid of this rate, up to the capacity, settles.
    pub fn steady_queue(&self, rate: f64) -> f64 {
        let share = (rate - self.mu_min) / (self.mu_max - self.mu_min);
        share.clamp(0.0, 1.0) * self.q_max
    }

    /// The pacing delay of a constant fluid: beyond the capacity a plain FIFO
    /// would delay as much, so pacing adds nothing (Theorem 1, case 4).
    pub(crate) fn steady_delay(&self, rate: f64) -> f64 {
        if rate <= self.mu_min || rate > self.capacity {
            return 0.0;
        }
        self.steady_queue(rate) / rate
    }

    /// The rate `t` after the input stepped from 0 to `rate` (qlbp11 Fig. 6).
    pub fn step_response(&self, rate: f64, t: f64) -> f64 {
        rate - (rate - self.mu_min) * libm::exp(-self.alpha() * t)
    }

    /// Equal packets at a constant rate up to the capacity, packet by packet: the next release is
    /// last release + size/µ(q), re-evaluated at every arrival with q including the head. The queue
    /// then settles one below the first q whose rate keeps up, and every arrival releases the head
    /// (Table II).
    pub(crate) fn constant_stream(
        &self,
        rate: f64,
        packet_bits: f64,
    ) -> Result<ConstantStream, SolveError> {
        Range::POSITIVE.check("packet_bits", packet_bits)?;
        let upto_line = Range {
            high_in: true,
            ..Range::open(0.0, self.capacity)
        };
        upto_line.check("rate", rate)?;
        let waiting = (0..)
            .find(|&n| self.rate((n + 1) as f64 * packet_bits) >= rate)
            .expect("beyond q_max the rate is the capacity");
        Ok(ConstantStream {
            waiting,
            delay_s: waiting as f64 * packet_bits / rate,
        })
    }
}

/// The factor by which the filter damps a wave of angular frequency `omega`.
pub fn gain(alpha: f64, omega: f64) -> f64 {
    let ratio = omega / alpha;
    1.0 / (1.0 + ratio * ratio).sqrt()
}

/// The angle by which it delays the wave: `arcsin(1/sqrt(1 + (α/ω)²)) = atan(ω/α)`.
pub fn lag(alpha: f64, omega: f64) -> f64 {
    libm::atan(omega / alpha)
}

/// A constant with waves on it (impact eq. 4).
#[derive(Clone, Debug, PartialEq)]
pub struct Waves {
    /// The constant c0.
    pub mean: f64,
    /// (amplitude h, angular frequency ω)
    pub waves: Vec<(f64, f64)>,
}

impl Waves {
    /// The input at `t`.
    pub fn input(&self, t: f64) -> f64 {
        let wave = |&(h, w): &(f64, f64)| h * libm::sin(w * t);
        self.mean + self.waves.iter().map(wave).sum::<f64>()
    }

    /// The output at `t >= 0` of a filter that starts at rate 0 (impact eq. 8).
    pub fn output(&self, alpha: f64, t: f64) -> f64 {
        let forgotten = |&(h, w): &(f64, f64)| h * alpha * w / (w * w + alpha * alpha);
        let start = self.waves.iter().map(forgotten).sum::<f64>() - self.mean;
        self.settled(alpha, t) + start * libm::exp(-alpha * t)
    }

    /// The output once the start is forgotten (impact eq. 9).
    pub fn settled(&self, alpha: f64, t: f64) -> f64 {
        let wave = |&(h, w): &(f64, f64)| h * gain(alpha, w) * libm::sin(w * t - lag(alpha, w));
        self.mean + self.waves.iter().map(wave).sum::<f64>()
    }
}

/// Markov on-off traffic: rate `peak` in on-times of mean `1/off_rate`, nothing in
/// off-times of mean `1/on_rate` (qlbp11: h, r1 = on_rate, r2 = off_rate).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnOff {
    peak: f64,
    on_rate: f64,
    off_rate: f64,
}

impl OnOff {
    /// A source with these rates, which must be above zero.
    pub fn new(peak: f64, on_rate: f64, off_rate: f64) -> Result<OnOff, SolveError> {
        Ok(OnOff {
            peak: Range::POSITIVE.check("peak", peak)?,
            on_rate: Range::POSITIVE.check("on_rate", on_rate)?,
            off_rate: Range::POSITIVE.check("off_rate", off_rate)?,
        })
    }

    /// The mean rate.
    pub fn mean(&self) -> f64 {
        self.peak * self.on_rate / (self.on_rate + self.off_rate)
    }

    /// The lag by which the auto-covariance falls to 1/e, `1/(r1 + r2)`.
    pub(crate) fn covariance_time(&self) -> f64 {
        1.0 / (self.on_rate + self.off_rate)
    }

    /// Auto-covariance at lag `tau >= 0` (eq. 5).
    pub fn covariance(&self, tau: f64) -> f64 {
        let forget = self.on_rate + self.off_rate;
        let variance = self.peak * self.peak * self.on_rate * self.off_rate / (forget * forget);
        variance * libm::exp(-forget * tau)
    }

    /// Auto-covariance of the paced stream (eq. 6, Theorem 2): both branches in
    /// one. With r = r1 + r2, s and f the slower and the faster of α and r,
    /// `A e^(-rτ) + B e^(-ατ) = C(0) α/(α + r) e^(-sτ) (1 + sτ φ((f - s)τ))`, where
    /// `φ(x) = (1 - e^-x)/x` is smooth through x = 0.
    pub(crate) fn paced_covariance(&self, alpha: f64, tau: f64) -> f64 {
        let forget = self.on_rate + self.off_rate;
        let (slow, fast) = (alpha.min(forget), alpha.max(forget));
        let x = (fast - slow) * tau;
        let phi = if x == 0.0 { 1.0 } else { -libm::expm1(-x) / x };
        let shape = libm::exp(-slow * tau) * (1.0 + slow * tau * phi);
        self.covariance(0.0) * alpha / (alpha + forget) * shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MBPS: f64 = 1e6;
    const PACKET: f64 = 8_000.0;

    fn table_2() -> QlbpLaw {
        QlbpLaw::new(10.0 * MBPS, 2.0 * MBPS, 10.0 * PACKET, 15.0 * MBPS).unwrap()
    }

    #[test]
    fn table_2_comes_out_packet_by_packet() {
        let figures = [
            (1.0, 0, 0.0),
            (2.0, 0, 0.0),
            (4.0, 2, 4.0),
            (6.0, 4, 5.333),
            (8.0, 7, 7.0),
            (10.0, 9, 7.2),
            (12.0, 10, 6.667),
            (15.0, 10, 5.333),
        ];
        for (mbps, waiting, ms) in figures {
            let stream = table_2().constant_stream(mbps * MBPS, PACKET).unwrap();
            assert_eq!(stream.waiting, waiting, "{mbps}");
            assert!((stream.delay_s * 1e3 - ms).abs() < 5.1e-4, "{mbps}");
            assert!(
                stream.delay_s <= table_2().delay_bound(),
                "{:?} and {:?}",
                stream.delay_s,
                table_2().delay_bound()
            );
        }
        assert!(
            (table_2().delay_bound() - 8e-3).abs() < 1e-15,
            "{:?}",
            table_2().delay_bound()
        );
    }

    #[test]
    fn the_rate_follows_fig_4_and_fluid_delays_keep_the_bound() {
        let pacer = table_2();
        assert_eq!(pacer.rate(0.0), 2.0 * MBPS);
        assert_eq!(pacer.rate(10.0 * PACKET), 10.0 * MBPS);
        assert_eq!(pacer.rate(10.1 * PACKET), 15.0 * MBPS);
        for mbps in 1..=20 {
            let rate = f64::from(mbps) * MBPS;
            assert!(
                pacer.steady_delay(rate) <= pacer.delay_bound(),
                "{:?} and {:?}",
                pacer.steady_delay(rate),
                pacer.delay_bound()
            );
            if (3..=10).contains(&mbps) {
                assert!(
                    (pacer.rate(pacer.steady_queue(rate)) / rate - 1.0).abs() < 1e-12,
                    "{:?} and {:?}",
                    pacer.rate(pacer.steady_queue(rate)),
                    rate
                );
            }
        }
    }

    /// Classical Runge–Kutta for dµ/dt = α (λ(t) - µ).
    fn filtered(alpha: f64, start: f64, until: f64, input: impl Fn(f64) -> f64) -> f64 {
        let steps = 20_000;
        let h = until / f64::from(steps);
        let slope = |t: f64, mu: f64| alpha * (input(t) - mu);
        let mut mu = start;
        for i in 0..steps {
            let t = f64::from(i) * h;
            let k1 = slope(t, mu);
            let k2 = slope(t + h / 2.0, mu + h / 2.0 * k1);
            let k3 = slope(t + h / 2.0, mu + h / 2.0 * k2);
            let k4 = slope(t + h, mu + h * k3);
            mu += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
        mu
    }

    #[test]
    fn the_step_response_solves_the_fluid_equation() {
        let pacer = table_2();
        for t in [0.001, 0.01, 0.1] {
            let closed = pacer.step_response(6.0 * MBPS, t);
            let fluid = filtered(pacer.alpha(), pacer.mu_min(), t, |_| 6.0 * MBPS);
            assert!((closed / fluid - 1.0).abs() < 1e-10, "{t}");
        }
    }

    #[test]
    fn fig_2_of_impact_solves_the_fluid_equation_and_loses_its_fast_wave() {
        let surge = Waves {
            mean: 50.0,
            waves: vec![(30.0, 0.2512), (5.0, 10.0)],
        };
        for t in [0.05, 0.5, 3.0, 20.0] {
            let fluid = filtered(5.0, 0.0, t, |t| surge.input(t));
            assert!((surge.output(5.0, t) - fluid).abs() < 1e-8, "{t}");
        }
        assert!(
            (surge.output(5.0, 20.0) - surge.settled(5.0, 20.0)).abs() < 1e-9,
            "{:?}",
            surge.output(5.0, 20.0) - surge.settled(5.0, 20.0)
        );
        assert!(gain(5.0, 0.2512) > 0.998 && (gain(5.0, 10.0) - 0.2f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn paced_covariance_is_the_papers_in_both_branches() {
        let traffic = OnOff::new(2.0, 5.0, 10.0).unwrap();
        let r = 15.0;
        for alpha in [1.0, 7.0, 14.0, 16.0, 200.0] {
            let common = 4.0 * 50.0 * alpha / (r * (alpha + r) * (alpha - r));
            let (a, b) = (common * alpha / r, -common);
            for tau in [0.0, 0.01, 0.1, 0.5] {
                let paper = a * libm::exp(-r * tau) + b * libm::exp(-alpha * tau);
                let ours = traffic.paced_covariance(alpha, tau);
                assert!((ours / paper - 1.0).abs() < 1e-11, "{alpha} {tau}");
            }
        }
        for tau in [0.0, 0.01, 0.1, 0.5] {
            let paper = 4.0 * 50.0 / (2.0 * r * r) * (1.0 + r * tau) * libm::exp(-r * tau);
            assert!(
                (traffic.paced_covariance(r, tau) / paper - 1.0).abs() < 1e-14,
                "{:?} and {:?}",
                traffic.paced_covariance(r, tau),
                paper
            );
            let near = traffic.paced_covariance(r + 1e-9, tau);
            assert!((near / paper - 1.0).abs() < 1e-9, "no cancellation nearby");
        }
    }

    #[test]
    fn paced_covariance_is_the_input_convolved_with_the_filter() {
        // C_out(τ) = ∫ α/2 e^(-α|s|) C_in(|τ - s|) ds, by the trapezium rule.
        let traffic = OnOff::new(1.0, 3.0, 2.0).unwrap();
        let (alpha, tau, h) = (4.0, 0.3, 1e-4);
        let integrand = |s: f64| {
            alpha / 2.0 * libm::exp(-alpha * s.abs()) * traffic.covariance((tau - s).abs())
        };
        let integral: f64 = (-60_000..60_000)
            .map(|i| h * integrand(f64::from(i) * h))
            .sum();
        assert!(
            (traffic.paced_covariance(alpha, tau) / integral - 1.0).abs() < 1e-6,
            "{:?} and {:?}",
            traffic.paced_covariance(alpha, tau),
            integral
        );
        assert!(
            traffic.paced_covariance(alpha, 0.0) < traffic.covariance(0.0),
            "{:?} and {:?}",
            traffic.paced_covariance(alpha, 0.0),
            traffic.covariance(0.0)
        );
    }

    #[test]
    fn the_rule_of_thumb_keeps_the_delay_asked_for() {
        let pacer = QlbpLaw::rule_of_thumb(100.0 * MBPS, 0.4, 5e-3).unwrap();
        assert!(
            (pacer.mu_max() / (70.0 * MBPS) - 1.0).abs() < 1e-15,
            "{:?} and {:?}",
            pacer.mu_max(),
            70.0 * MBPS
        );
        assert!(
            (pacer.mu_min() / (20.0 * MBPS) - 1.0).abs() < 1e-15,
            "{:?} and {:?}",
            pacer.mu_min(),
            20.0 * MBPS
        );
        assert!(
            (pacer.delay_bound() - 5e-3).abs() < 1e-17,
            "{:?}",
            pacer.delay_bound()
        );
        let error = QlbpLaw::new(1.0, 2.0, 1.0, 3.0).unwrap_err();
        assert!(
            error.to_string().contains("mu_min < mu_max <= capacity"),
            "{error}"
        );
    }
}
