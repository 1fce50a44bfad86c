//! Increases since a cut, and the amounts that follow from their numbers.

use super::{Config, Recovery};

/// A cause of increases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// The increase timer.
    Time,
    /// The byte counter.
    Bytes,
}

/// The amount by which the target last grew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not at all: the rate returns to the target.
    FastRecovery,
    /// By R_AI.
    Additive,
    /// By R_HAI, or a multiple of it.
    Hyper,
}

/// Numbers of increases since the last cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stages {
    pub(super) time: u32,
    pub(super) bytes: u32,
    pub(super) phase: Phase,
}

impl Stages {
    pub(super) fn new() -> Stages {
        Stages {
            time: 0,
            bytes: 0,
            phase: Phase::FastRecovery,
        }
    }

    /// Counts an increase, and returns the amount in bit/s by which the target grows.
    pub(super) fn advance(&mut self, by: Counter, config: &Config) -> f64 {
        let before = self.time;
        let count = match by {
            Counter::Time => &mut self.time,
            Counter::Bytes => &mut self.bytes,
        };
        *count += 1;
        let own = *count;
        let fast = config.fast_steps;
        let [most, least] = [self.time.max(self.bytes), self.time.min(self.bytes)];
        let (phase, multiple) = match config.recovery {
            Recovery::Counters if most < fast => (Phase::FastRecovery, 0),
            Recovery::Counters if least > fast => (Phase::Hyper, least - fast),
            Recovery::Counters => (Phase::Additive, 0),
            Recovery::Qcn => {
                let phase = self.qcn(by, own, least, fast);
                (phase, (least + 1).saturating_sub(fast))
            }
            Recovery::Single if before < fast => (Phase::FastRecovery, 0),
            Recovery::Single if before == fast => (Phase::Additive, 0),
            Recovery::Single => (Phase::Hyper, 1),
        };
        self.phase = phase;
        match phase {
            Phase::FastRecovery => 0.0,
            Phase::Additive => config.additive_bps as f64,
            Phase::Hyper => config.hyper_bps as f64 * f64::from(multiple),
        }
    }

    /// The next phase of QCN's machine: `rpr_fast_*`, `rpr_active_*` and `rpr_hyper_*` in
    /// `qbb-net-device.cc` of bobzhuyb/ns3-rdma at e8a27d0. A full byte counter leaves the additive
    /// phase as it is.
    fn qcn(&self, by: Counter, own: u32, least: u32, fast: u32) -> Phase {
        let selected = if least < fast {
            Phase::Additive
        } else {
            Phase::Hyper
        };
        match (self.phase, by) {
            (Phase::FastRecovery, _) if own < fast => Phase::FastRecovery,
            (Phase::FastRecovery, _) | (Phase::Additive, Counter::Time) => selected,
            (Phase::Additive, Counter::Bytes) => Phase::Additive,
            (Phase::Hyper, _) => Phase::Hyper,
        }
    }
}
