//! The differences of DCQCN's variants.

use pacesim_units::{Bytes, Rate, Span};

/// A source of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The paper's text (SIGCOMM 2015, section 3.1 and table 14).
    Paper,
    /// The simulator of the paper's authors, bobzhuyb/ns3-rdma at e8a27d0, with the settings of its
    /// example (`mix/config.txt`): QCN's machine.
    Authors,
    /// The simulator of HPCC's authors, alibaba-edu/High-Precision-Congestion-Control at 9f4be2a,
    /// with the settings of its script: NVIDIA's firmware, the byte counter left out.
    Hpcc,
    /// Settings that NVIDIA documents for ConnectX-4 and later, on the same machine.
    ConnectX,
}

/// All in which variants differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Rate of the line, and the largest rate.
    pub line: Rate,
    /// The least rate in bit/s.
    pub minimum_bps: u64,
    /// Alpha at the first CNP.
    pub alpha_at_first: f64,
    /// Gain g of alpha.
    pub gain: f64,
    /// Period of the alpha timer.
    pub alpha_period: Span,
    /// The time of cuts.
    pub cut: Cut,
    /// The target at cuts.
    pub clamp: Clamp,
    /// The least share of the rate that a cut leaves.
    pub least_factor: f64,
    /// Period of the increase timer, which restarts at cuts.
    pub increase_period: Span,
    /// Size of the byte counter, if there is one.
    pub byte_counter: Option<Bytes>,
    /// The phases of increases.
    pub recovery: Recovery,
    /// Number F of increases in fast recovery.
    pub fast_steps: u32,
    /// Additive increase R_AI in bit/s.
    pub additive_bps: u64,
    /// Hyper increase R_HAI in bit/s.
    pub hyper_bps: u64,
    /// The kind of numbers that rates are.
    pub rounding: Rounding,
}

/// The time at which a CNP cuts the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Its arrival, which also restarts both timers.
    AtOnce(AlphaAtCut),
    /// The next of periodic checks. These and the alpha timer start at the first CNP and never
    /// stop; the first check comes later by `after`, so that it follows the alpha timer.
    Checked {
        /// Time between checks.
        period: Span,
        /// Delay of the first one.
        after: Span,
    },
}

/// The change of alpha at a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaAtCut {
    /// The cut uses the old alpha, which rises then.
    RaisedAfter,
    /// Alpha rises first.
    RaisedBefore,
    /// None: alpha has its own timer.
    Kept,
}

/// The condition on which a cut sets the target to the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// None.
    Always,
    /// An increase since the last cut.
    AfterIncrease,
    /// A full byte counter since the last cut.
    AfterBytes,
}

/// The rule that makes phases of the numbers of increases by time T and bytes BC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Fast recovery while max(T, BC) < F, hyper increase by (min(T, BC) − F) R_HAI once
    /// min(T, BC) > F, additive increase else.
    Counters,
    /// QCN's machine: hyper increase by (min(T, BC) − F + 1) R_HAI once both have reached F, with
    /// periods half as long; a target that is ten times the rate falls to an eighth at the first
    /// increase.
    Qcn,
    /// By time alone: F times fast recovery, one additive increase, then R_HAI each period.
    Single,
}

/// The kind of numbers that rates are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Real numbers.
    Real,
    /// Whole bits per second, cut off at each step; halves of rates are cut off one by one.
    Whole,
}

const MEGABIT: u64 = 1_000_000;
/// The delay of the first check in the simulator of HPCC's authors (`ScheduleDecreaseRateMlx`).
const AFTER_ALPHA: Span = Span::from_ns(1);
/// Scripts of HPCC's authors give rates for lines of 25 Gbps, and scale them with the line.
const SCRIPT_LINE_BPS: u64 = 25_000 * MEGABIT;

impl Variant {
    /// The variant on a line of this rate.
    pub fn config(self, line: Rate) -> Config {
        match self {
            Variant::Paper => Config {
                line,
                minimum_bps: 0,
                alpha_at_first: 1.0,
                gain: 1.0 / 256.0,
                alpha_period: Span::from_us(55),
                cut: Cut::AtOnce(AlphaAtCut::RaisedAfter),
                clamp: Clamp::Always,
                least_factor: 0.0,
                increase_period: Span::from_us(55),
                byte_counter: Some(Bytes(10_000_000)),
                recovery: Recovery::Counters,
                fast_steps: 5,
                additive_bps: 40 * MEGABIT,
                hyper_bps: 400 * MEGABIT,
                rounding: Rounding::Real,
            },
            Variant::Authors => Config {
                minimum_bps: 100 * MEGABIT,
                alpha_at_first: 0.5,
                cut: Cut::AtOnce(AlphaAtCut::RaisedBefore),
                increase_period: Span::from_us(60),
                byte_counter: Some(Bytes(300_000_000)),
                recovery: Recovery::Qcn,
                hyper_bps: 200 * MEGABIT,
                rounding: Rounding::Whole,
                ..Variant::Paper.config(line)
            },
            Variant::Hpcc => Config {
                minimum_bps: 1000 * MEGABIT,
                alpha_period: Span::from_us(1),
                cut: Cut::Checked {
                    period: Span::from_us(4),
                    after: AFTER_ALPHA,
                },
                clamp: Clamp::AfterIncrease,
                increase_period: Span::from_us(300),
                byte_counter: None,
                recovery: Recovery::Single,
                fast_steps: 1,
                additive_bps: scaled(5 * MEGABIT, line),
                hyper_bps: scaled(50 * MEGABIT, line),
                rounding: Rounding::Whole,
                ..Variant::Paper.config(line)
            },
            Variant::ConnectX => Config {
                minimum_bps: MEGABIT,
                alpha_at_first: 1023.0 / 1024.0,
                gain: 5.0 / 1024.0,
                least_factor: 0.5,
                additive_bps: 5 * MEGABIT,
                hyper_bps: 50 * MEGABIT,
                ..Variant::Hpcc.config(line)
            },
        }
    }
}

fn scaled(bps: u64, line: Rate) -> u64 {
    (u128::from(bps) * u128::from(line.as_bps()) / u128::from(SCRIPT_LINE_BPS)) as u64
}
