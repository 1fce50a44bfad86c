//! The common parts of trials: a standard path, its variants, and findings from numbers.

use std::sync::Arc;

use pacesim_tcp::{Amount, Config, Pacing, Profile, Variant};
use pacesim_units::{Rate, Span, Time};

use crate::flow::Plan;
use crate::link::Bottleneck;
use crate::network::{Outcome, Setup, run};
use crate::report::{Finding, Verdict};

/// The standard path: 10 Mbps and 40 ms.
pub(crate) const RATE: Rate = Rate::from_mbps(10);
pub(crate) const RTT: Span = Span::from_ms(40);

/// A time of a trial.
pub(crate) fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// A trial under construction.
pub(crate) struct Trial {
    pub(crate) setup: Setup,
    config: Config,
}

impl Trial {
    /// Flows to be added over a line; measured from `from` to `end`, in seconds.
    pub(crate) fn new(config: &Config, line: Bottleneck, from: u64, end: u64) -> Trial {
        let mut config = config.clone();
        // Only the control limits the window.
        config.window_cap = 10_000.0;
        config.max_cwnd = None;
        Trial {
            setup: Setup {
                line,
                flows: Vec::new(),
                stream: None,
                from: at(from),
                end: at(end),
            },
            config,
        }
    }

    /// The standard path with a buffer in multiples of its bandwidth-delay product.
    pub(crate) fn standard(config: &Config, products: f64, from: u64, end: u64) -> Trial {
        let buffer = (products * product(config, RATE, RTT)).round() as usize;
        Trial::new(config, Bottleneck::new(RATE, buffer), from, end)
    }

    /// Adds a flow of this control.
    pub(crate) fn flow(mut self, start: Time, amount: Amount, rtt: Span) -> Trial {
        self.setup.flows.push(Plan {
            config: Arc::new(self.config.clone()),
            rtt,
            start,
            amount,
            copies: 0,
        });
        self
    }

    /// Adds a flow of the standard control: the RFCs' Reno with SACK, whose packets have the size of
    /// the others.
    pub(crate) fn standard_flow(mut self, start: Time) -> Trial {
        let mut config = Config::rfc(Variant::Sack);
        config.window_cap = self.config.window_cap;
        (config.payload, config.header) = (self.config.payload, self.config.header);
        self.setup.flows.push(Plan {
            config: Arc::new(config),
            rtt: RTT,
            start,
            amount: Amount::Endless,
            copies: 0,
        });
        self
    }

    /// Adds an endless flow over the standard round trip from the start.
    pub(crate) fn endless(self) -> Trial {
        self.flow(Time::ZERO, Amount::Endless, RTT)
    }

    /// Changes the line.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Bottleneck)) -> Trial {
        change(&mut self.setup.line);
        self
    }

    pub(crate) fn run(self) -> Outcome {
        run(self.setup)
    }
}

/// Packets per second that a line carries.
pub(crate) fn capacity(config: &Config, rate: Rate) -> f64 {
    let size = config.payload.get() + config.header.get();
    rate.as_bps() as f64 / 8.0 / size as f64
}

/// The bandwidth-delay product in packets.
pub(crate) fn product(config: &Config, rate: Rate, rtt: Span) -> f64 {
    capacity(config, rate) * rtt.as_secs_f64()
}

/// The share of a line that all flows use.
pub(crate) fn utilisation(outcome: &Outcome, config: &Config, rate: Rate) -> f64 {
    let rates = outcome.flows.iter().map(|flow| flow.rate);
    rates.sum::<f64>() / capacity(config, rate)
}

/// True if the control can take marks.
pub(crate) fn takes_marks(config: &Config) -> bool {
    config.profile == Profile::Linux && config.linux.ecn
}

/// True if packets leave by a rate.
pub(crate) fn is_paced(config: &Config) -> bool {
    config.pacing != Pacing::Off
}

/// A criterion and its trial, to be judged.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) criterion: &'static str,
    pub(crate) trial: &'static str,
}

impl Subject {
    /// A finding with a bound; a broken law fails it.
    pub(crate) fn judged(
        self,
        outcomes: &[&Outcome],
        measured: String,
        bound: &str,
        holds: bool,
    ) -> Finding {
        let verdict = if holds {
            Verdict::Holds
        } else {
            Verdict::Fails
        };
        self.finding(outcomes, measured, Some(bound.to_owned()), verdict)
    }

    /// A finding without a bound.
    pub(crate) fn stated(self, outcomes: &[&Outcome], measured: String) -> Finding {
        self.finding(outcomes, measured, None, Verdict::Stated)
    }

    pub(crate) fn skipped(self, why: &str) -> Finding {
        self.finding(&[], why.to_owned(), None, Verdict::Skipped)
    }

    fn finding(
        self,
        outcomes: &[&Outcome],
        measured: String,
        bound: Option<String>,
        verdict: Verdict,
    ) -> Finding {
        let finding = Finding {
            criterion: self.criterion,
            trial: self.trial,
            measured,
            bound,
            verdict,
        };
        let broken = outcomes.iter().find_map(|of| of.violation.as_ref());
        match broken {
            Some(of) => Finding {
                measured: format!(
                    "the law of {} is broken at {} s: {}",
                    of.law,
                    of.at.as_secs_f64(),
                    of.what
                ),
                verdict: Verdict::Fails,
                ..finding
            },
            None => finding,
        }
    }
}
