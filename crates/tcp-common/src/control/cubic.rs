//! CUBIC as in RFC 9438, in real numbers.

use pacesim_units::{Span, Time};

use super::{AckSample, CongestionControl, Halving, LossKind, LossSample, Setup};

/// C, in packets per second cubed, and β (RFC 9438 §5.1, §4.6).
const C: f64 = 0.4;
const BETA: f64 = 0.7;
/// The growth of a Reno flow with CUBIC's losses, in packets per round trip (§4.3).
const ALPHA: f64 = 3.0 * (1.0 - BETA) / (1.0 + BETA);
/// Greatest multiple of the window that the target may be (§4.2).
const MOST_GROWTH: f64 = 1.5;

/// The congestion control of RFC 9438, with fast convergence.
#[derive(Clone, Debug)]
pub struct Cubic(Box<CubicState>);

/// The window, and the state of its curve.
#[derive(Clone, Copy, Debug)]
struct CubicState {
    window: f64,
    ssthresh: f64,
    halving: Halving,
    /// The window before the last reduction, or less if it was below the one before.
    w_max: f64,
    /// Window at its last reduction.
    prior: f64,
    epoch: Option<Epoch>,
    /// Time at which the last recovery ended, until an acknowledgement follows it.
    resumed: Option<Time>,
    /// Set if the last reduction was by a time-out, or none has occurred: the curve begins flat.
    begins_flat: bool,
    last_ack: Time,
}

/// Congestion avoidance since the last reduction.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    start: Time,
    /// The time of the curve's plateau, in seconds from the start, and the window there.
    k: f64,
    origin: f64,
    /// Window of Reno under the same conditions.
    reno: f64,
}

impl Cubic {
    /// The control with its initial window.
    pub fn of(setup: &Setup) -> Cubic {
        Cubic(Box::new(CubicState {
            window: setup.window,
            ssthresh: setup.ssthresh,
            halving: setup.halving,
            w_max: 0.0,
            prior: 0.0,
            epoch: None,
            resumed: None,
            begins_flat: true,
            last_ack: Time::ZERO,
        }))
    }
}

impl CubicState {
    /// §4.2: the curve from this window on, flat from the start if the window is not below the last maximum.
    /// Its time begins with congestion avoidance.
    fn begin(&mut self, now: Time) -> Epoch {
        if self.begins_flat || self.window >= self.w_max {
            self.w_max = self.window;
        }
        if self.begins_flat {
            self.prior = self.window;
        }
        self.begins_flat = false;
        Epoch {
            start: self.resumed.take().unwrap_or(now),
            k: libm::cbrt((self.w_max - self.window) / C),
            origin: self.w_max,
            reno: self.window,
        }
    }

    /// Grows the window in congestion avoidance (§4.2 to 4.5).
    fn avoid_congestion(&mut self, ack: &AckSample) {
        let mut epoch = self.epoch.unwrap_or_else(|| self.begin(ack.now));
        let acked = f64::from(ack.acked);
        let time = ack.now.saturating_since(epoch.start);
        let alpha = if epoch.reno < self.prior { ALPHA } else { 1.0 };
        epoch.reno += alpha * acked / self.window;
        if epoch.at(time) < epoch.reno {
            self.window = self.window.max(epoch.reno);
        } else {
            let target = epoch.at(time + ack.srtt);
            let target = target.clamp(self.window, MOST_GROWTH * self.window);
            self.window += acked * (target - self.window) / self.window;
        }
        self.epoch = Some(epoch);
    }

    /// Excludes time in which the window was not used from the curve's time (§5.8).
    fn skip(&mut self, now: Time) {
        let unused = now.saturating_since(self.last_ack);
        self.resumed = None;
        if let Some(epoch) = &mut self.epoch {
            epoch.start = epoch.start.saturating_add(unused);
        }
    }

    /// Remembers the maximum; a flow with less than before yields (fast convergence, §4.7).
    fn remember_maximum(&mut self) {
        self.w_max = if self.window < self.w_max {
            self.window * (1.0 + BETA) / 2.0
        } else {
            self.window
        };
        self.prior = self.window;
    }
}

impl Epoch {
    /// The cubic function of time (equation 1).
    fn at(&self, time: Span) -> f64 {
        let distance = time.as_secs_f64() - self.k;
        C * distance * distance * distance + self.origin
    }
}

impl CongestionControl for Cubic {
    #[inline]
    fn window(&self) -> f64 {
        self.0.window
    }

    #[inline]
    fn ssthresh(&self) -> f64 {
        self.0.ssthresh
    }

    fn on_ack(&mut self, ack: &AckSample) {
        let state = &mut *self.0;
        if ack.window_unused {
            state.skip(ack.now);
        } else if state.window < state.ssthresh {
            state.window += 1.0;
        } else {
            state.avoid_congestion(ack);
        }
        state.last_ack = ack.now;
        if state.window >= ack.max_cwnd + 1.0 {
            state.window = ack.max_cwnd;
        }
    }

    /// Reduces the window (§4.6 and 4.8).
    fn on_loss(&mut self, loss: &LossSample) {
        let state = &mut *self.0;
        (state.epoch, state.resumed) = (None, None);
        if loss.kind != LossKind::RepeatedTimeout {
            let used = match state.halving {
                Halving::Window => state.window.min(loss.window_cap),
                Halving::Flight => f64::from(loss.in_flight),
            };
            state.remember_maximum();
            state.ssthresh = (BETA * used).max(2.0);
        }
        state.window = match loss.kind {
            LossKind::FastRetransmit => state.ssthresh,
            _ => 1.0,
        };
        state.begins_flat = matches!(loss.kind, LossKind::Timeout | LossKind::RepeatedTimeout);
    }

    fn restart(&mut self, window: f64) {
        self.0.window = window;
        (self.0.epoch, self.0.resumed) = (None, None);
    }

    fn deflate(&mut self, packets: f64) {
        self.0.window = (self.0.window - packets).max(1.0);
    }

    fn on_recovered(&mut self, in_flight: u32) {
        self.0.window = self.0.ssthresh.min(f64::from(in_flight.max(1)) + 1.0);
    }

    fn on_recovery_end(&mut self, now: Time) {
        self.0.resumed = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::from_ms(ms)
    }

    /// K and W(1 s) of RFC 9438's equations, from windows 0.7 W_max.
    #[test]
    fn the_curve_is_equation_1() {
        for (w_max, k, after_1s) in [
            (20.0, 2.466_212, 18.739_188),
            (333.0, 6.297_505, 273.533_273),
            (1000.0, 9.085_603, 788.555_094),
        ] {
            let mut cubic = Cubic::of(&Setup {
                profile: crate::config::Profile::Rfc,
                window: w_max,
                ssthresh: 2.0,
                halving: Halving::Flight,
            });
            cubic.0.begins_flat = false;
            let loss = LossSample::new(at(0), LossKind::FastRetransmit, w_max as u32);
            cubic.on_loss(&loss);
            assert!(
                (cubic.0.window - 0.7 * w_max).abs() < 1e-9,
                "{}",
                cubic.0.window
            );
            let epoch = cubic.0.begin(at(0));
            assert!((epoch.k - k).abs() < 1e-6, "{}", epoch.k);
            let there = epoch.at(Span::from_secs(1));
            assert!((there - after_1s).abs() < 1e-6, "{there}");
        }
    }

    #[test]
    fn a_smaller_maximum_than_before_makes_room() {
        let mut cubic = Cubic::of(&Setup {
            profile: crate::config::Profile::Rfc,
            window: 100.0,
            ssthresh: 50.0,
            halving: Halving::Flight,
        });
        cubic.on_loss(&LossSample::new(at(0), LossKind::FastRetransmit, 100));
        cubic.on_loss(&LossSample::new(at(9), LossKind::FastRetransmit, 70));
        assert!(
            (cubic.0.w_max - 70.0 * 0.85).abs() < 1e-9,
            "{}",
            cubic.0.w_max
        );
    }
}
