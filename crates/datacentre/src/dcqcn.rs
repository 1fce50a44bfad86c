//! DCQCN (Zhu et al., SIGCOMM 2015): a rate that falls at congestion notification packets (CNPs)
//! and recovers by timers and bytes.
//!
//! The sender has a current rate R_C, a target rate R_T and an estimate alpha of congestion:
//!
//! * at a CNP: R_T ← R_C; R_C ← R_C (1 − α/2); α ← (1 − g) α + g;
//! * without a CNP for a period: α ← (1 − g) α;
//! * at each period of the increase timer and each time the byte counter is full: R_T ← R_T + an
//!   increase that depends on how many of these there were (`stages`), R_C ← (R_T + R_C) / 2.
//!
//! Four algorithms have this name. [`Variant`] names them, and a [`Config`] has their differences.

mod config;
mod fixed_point;
mod notifier;
mod stages;
mod timers;

use pacesim_units::{Bytes, Rate, Span, Time};

pub use config::{AlphaAtCut, Clamp, Config, Cut, Recovery, Rounding, Variant};
pub use fixed_point::{FixedPoint, FluidModel};
pub use notifier::{Notifier, PAPER_GAP};
pub use stages::{Counter, Phase};
pub use timers::Timer;

use stages::Stages;
use timers::Timers;

/// A sender's rate.
#[derive(Clone, Debug)]
pub struct Dcqcn {
    config: Config,
    alpha: f64,
    /// R_T and R_C in bit/s; whole numbers unless the variant has real ones.
    target: f64,
    current: f64,
    stages: Stages,
    /// Bytes since the byte counter was reset.
    bytes: u64,
    timers: Timers,
    has_started: bool,
    /// CNPs since the last tick of the alpha timer, and since the last check for a cut.
    raises_alpha: bool,
    cuts: bool,
}

impl Dcqcn {
    /// A sender at the rate of its line, without any timer: these start at its first CNP.
    pub fn new(config: Config) -> Dcqcn {
        let line = config.line.as_bps() as f64;
        Dcqcn {
            alpha: config.alpha_at_first,
            target: line,
            current: line,
            stages: Stages::new(),
            bytes: 0,
            timers: Timers::new(matches!(config.cut, Cut::Checked { .. })),
            has_started: false,
            raises_alpha: false,
            cuts: false,
            config,
        }
    }

    /// A CNP has arrived.
    pub fn cnp(&mut self, now: Time) {
        match self.config.cut {
            Cut::AtOnce(alpha) => {
                self.cut(alpha);
                self.timers.arm(Timer::Alpha, now, self.config.alpha_period);
                self.timers
                    .arm(Timer::Increase, now, self.config.increase_period);
            }
            Cut::Checked { period, after } => {
                self.raises_alpha = true;
                self.cuts = true;
                if !self.has_started {
                    self.alpha = self.config.alpha_at_first;
                    self.raises_alpha = false;
                    self.timers.arm(Timer::Alpha, now, self.config.alpha_period);
                    self.timers.arm(Timer::Check, now, period + after);
                }
            }
        }
        self.has_started = true;
    }

    /// So many bytes were sent, of a packet with its headers. QCN's machine has a full counter once
    /// they are more than its size, others once they have reached it.
    pub fn sent(&mut self, bytes: Bytes) {
        let Some(size) = self.config.byte_counter.filter(|_| self.has_started) else {
            return;
        };
        self.bytes += bytes.get();
        let is_full = if self.is_qcn() {
            self.bytes > self.halved_in_hyper(size.get())
        } else {
            self.bytes >= size.get()
        };
        if is_full {
            self.byte_counter_is_full();
        }
    }

    fn is_qcn(&self) -> bool {
        self.config.recovery == Recovery::Qcn
    }

    /// A period of QCN's machine, half as long in the hyper phase.
    fn halved_in_hyper(&self, period: u64) -> u64 {
        let is_halved = self.is_qcn() && self.phase() == Phase::Hyper;
        if is_halved { period / 2 } else { period }
    }

    /// An increase by the byte counter, for those who count bytes themselves.
    pub fn byte_counter_is_full(&mut self) {
        self.bytes = 0;
        if self.has_started {
            self.increase(Counter::Bytes);
        }
    }

    /// The time of the next timer.
    pub fn next_wake(&self) -> Option<Time> {
        self.timers.next()
    }

    /// The earliest timer due by now, after its effect. To be called until it returns none. Timers
    /// of one time take effect in the order in which they were armed, as in the simulator of HPCC's
    /// authors, where the next check may see an increase; in variants without checks the order has
    /// no effect, and alpha is first.
    pub fn wake(&mut self, now: Time) -> Option<Timer> {
        let (timer, at) = self.timers.take_due(now)?;
        match timer {
            Timer::Alpha => {
                self.timers.arm(timer, at, self.config.alpha_period);
                self.alpha *= 1.0 - self.config.gain;
                if std::mem::take(&mut self.raises_alpha) {
                    self.alpha += self.config.gain;
                }
            }
            Timer::Check => {
                if let Cut::Checked { period, .. } = self.config.cut {
                    self.timers.arm(timer, at, period);
                }
                if std::mem::take(&mut self.cuts) {
                    self.cut(AlphaAtCut::Kept);
                    self.timers
                        .arm(Timer::Increase, at, self.config.increase_period);
                }
            }
            Timer::Increase => {
                let period = self.halved_in_hyper(self.config.increase_period.as_ps());
                self.timers.arm(timer, at, Span::from_ps(period));
                self.increase(Counter::Time);
            }
        }
        Some(timer)
    }

    fn cut(&mut self, alpha: AlphaAtCut) {
        let clamps = match self.config.clamp {
            Clamp::Always => true,
            Clamp::AfterIncrease => self.stages.time > 0 || self.stages.bytes > 0,
            Clamp::AfterBytes => self.stages.bytes > 0,
        };
        if clamps {
            self.target = self.current;
            self.bytes = 0;
        }
        if alpha == AlphaAtCut::RaisedBefore {
            self.raise_alpha();
        }
        let factor = (1.0 - self.alpha / 2.0).max(self.config.least_factor);
        let minimum = self.config.minimum_bps as f64;
        self.current = self.whole(self.current * factor).max(minimum);
        if alpha == AlphaAtCut::RaisedAfter {
            self.raise_alpha();
        }
        self.stages = Stages::new();
    }

    fn raise_alpha(&mut self) {
        let gain = self.config.gain;
        self.alpha = (1.0 - gain) * self.alpha + gain;
    }

    fn increase(&mut self, by: Counter) {
        let [line, current] = [self.config.line.as_bps() as f64, self.current];
        let steps = self.stages.advance(by, &self.config);
        let is_first = self.stages.time == 1 || self.stages.bytes == 1;
        if self.is_qcn() && is_first && self.target > QCN_FAR * current {
            self.target = self.whole(self.target / QCN_FALL);
        } else {
            self.target += steps;
            if !self.is_qcn() {
                self.target = self.target.min(line);
            }
        }
        let mean = match self.config.rounding {
            Rounding::Real => (self.target + current) / 2.0,
            Rounding::Whole => self.whole(current / 2.0) + self.whole(self.target / 2.0),
        };
        self.current = mean.min(line);
    }

    /// The rate as the variant keeps it.
    fn whole(&self, bps: f64) -> f64 {
        match self.config.rounding {
            Rounding::Real => bps,
            Rounding::Whole => bps.trunc(),
        }
    }

    /// The rate at which to send.
    pub fn rate(&self) -> Rate {
        Rate::from_bps(self.current as u64).unwrap_or(Rate::from_bps(1).expect("above zero"))
    }

    /// R_C in bit/s.
    pub fn current_bps(&self) -> f64 {
        self.current
    }

    /// R_T in bit/s.
    pub fn target_bps(&self) -> f64 {
        self.target
    }

    /// The estimate of congestion, from 0 to 1.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Increases since the last cut by timer and by bytes.
    pub fn stages(&self) -> [u32; 2] {
        [self.stages.time, self.stages.bytes]
    }

    /// The phase of the last increase.
    pub fn phase(&self) -> Phase {
        self.stages.phase
    }
}

/// QCN's rule for a target far above the rate: beyond so many times it falls by the second factor
/// at the first increase (`AdjustRates` in `qbb-net-device.cc` of bobzhuyb/ns3-rdma at e8a27d0).
const QCN_FAR: f64 = 10.0;
const QCN_FALL: f64 = 8.0;
