//! Faults of a configuration, with a remedy for each.

use std::fmt;

use pacesim_units::{Bytes, Span};

use crate::config::{Clock, Config, Pacing, Profile, Variant};
use crate::control::Control;

/// A fault of a [`Config`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Name of the faulty field of [`Config`].
    pub field: &'static str,
    /// Description of the fault.
    pub message: String,
    /// Advice on how to remove the fault.
    pub help: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.field, self.message, self.help)
    }
}

impl std::error::Error for ConfigProblem {}

/// The largest window that the arithmetic allows.
const MAX_WINDOW: f64 = 1e9;

/// The longest step of a clock: a few of them must fit the arithmetic of times.
const COARSEST: Span = Span::from_secs(3600);

impl Config {
    /// All faults, in the order of the fields; empty if the configuration is valid.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems(Vec::new());
        self.check_control(&mut problems);
        self.check_windows(&mut problems);
        self.check_sizes(&mut problems);
        self.check_acks(&mut problems);
        self.check_times(&mut problems);
        self.check_profile(&mut problems);
        problems.0
    }

    fn check_control(&self, problems: &mut Problems) {
        let known = self.profile == Profile::Linux || !Control::LINUX.contains(&self.control);
        problems.unless(known, "control", || {
            let control = format!("{:?}", self.control).to_lowercase();
            (
                format!("{control} is a control of Linux's profile"),
                "give profile linux, or control reno or cubic".to_owned(),
            )
        });
        let needs_marks = matches!(self.control, Control::Dctcp | Control::Prague);
        problems.unless(self.linux.ecn || !needs_marks, "control", || {
            (
                format!("{:?} without ECN gets no marks", self.control),
                "let both ends agree on ECN".to_owned(),
            )
        });
    }

    fn check_windows(&self, problems: &mut Problems) {
        let packets = |n: f64| (1.0..=MAX_WINDOW).contains(&n);
        problems.unless(packets(self.window_cap), "window_cap", || {
            (
                format!(
                    "a window of {} packets sends nothing sensible",
                    self.window_cap
                ),
                "give at least 1 packet, at most 10^9".to_owned(),
            )
        });
        problems.unless(packets(self.initial_window), "initial_window", || {
            (
                format!(
                    "a first window of {} packets cannot start",
                    self.initial_window
                ),
                "give at least 1 packet; 2 is ns-2's, 10 is RFC 6928's".to_owned(),
            )
        });
        let most = self.max_cwnd.unwrap_or(2.0);
        problems.unless(packets(most), "max_cwnd", || {
            (
                format!("a window that grows to {most} packets sends nothing sensible"),
                "give at least 1 packet, or leave it out".to_owned(),
            )
        });
        let ssthresh = self.initial_ssthresh.unwrap_or(2.0);
        problems.unless(ssthresh >= 1.0, "initial_ssthresh", || {
            (
                format!("slow start cannot end at {ssthresh} packets"),
                "give at least 1 packet, usually 2 or more, or leave it out".to_owned(),
            )
        });
    }

    fn check_sizes(&self, problems: &mut Problems) {
        let payload = self.payload.get();
        problems.unless((1..=1 << 20).contains(&payload), "payload", || {
            (
                format!("a packet cannot carry {} of data", self.payload),
                "give between 1B and 1MiB, usually 1000B or 1448B".to_owned(),
            )
        });
        problems.unless(!self.syn || self.syn_size > Bytes::ZERO, "syn_size", || {
            (
                "a SYN of no bytes takes no time".to_owned(),
                "40B is ns-2's size".to_owned(),
            )
        });
        let data = Bytes(payload.saturating_add(self.header.get()));
        problems.unless(
            self.ack_size > Bytes::ZERO && self.ack_size <= data,
            "ack_size",
            || {
                (
                    format!("an ACK of {} beside data packets of {data}", self.ack_size),
                    format!("give between 1B and {data}; 40B is usual"),
                )
            },
        );
    }

    fn check_acks(&self, problems: &mut Problems) {
        problems.unless(self.dupack_threshold >= 1, "dupack_threshold", || {
            (
                "a loss would need no duplicate".to_owned(),
                "3 is usual".to_owned(),
            )
        });
        let blocks = usize::from(self.max_sack_blocks);
        let fits = (1..=crate::packet::MAX_SACK_BLOCKS).contains(&blocks);
        problems.unless(fits || !self.variant.uses_sack(), "max_sack_blocks", || {
            (
                format!("an ACK with {blocks} SACK blocks"),
                "give 1, 2 or 3".to_owned(),
            )
        });
        let wait = self.delayed_ack.unwrap_or(Span::from_ms(1));
        problems.unless(
            !wait.is_zero() && wait <= Span::from_ms(500),
            "delayed_ack",
            || {
                (
                    format!("an ACK that waits {wait}"),
                    "give more than 0 and at most 500ms (RFC 5681), or leave it out".to_owned(),
                )
            },
        );
    }

    fn check_times(&self, problems: &mut Problems) {
        let (name, least) = match self.clock {
            Clock::Ticks(tick) => ("tick", tick),
            Clock::Stamps { granularity } => ("granularity", granularity),
        };
        problems.unless(!least.is_zero(), "clock", || {
            (format!("a {name} of 0s"), "ns-2's tick is 10ms".to_owned())
        });
        problems.unless(least <= COARSEST, "clock", || {
            (
                format!("a {name} of {least} is longer than any time-out"),
                format!("give at most {COARSEST}; ns-2's tick is 10ms"),
            )
        });
        // ns-2 accepts any minimum and initial time-out: it never waits for less than two ticks.
        let any = self.profile == Profile::Ns2;
        let least = least.max(Span::from_ps(1));
        problems.unless(any || self.min_rto >= least, "min_rto", || {
            (
                format!(
                    "a least RTO of {} is below the clock's {name} of {least}",
                    self.min_rto
                ),
                format!("give at least {least}, usually 200ms or 1s"),
            )
        });
        problems.unless(self.max_rto >= self.min_rto, "max_rto", || {
            (
                format!(
                    "the greatest RTO, {}, is below the least, {}",
                    self.max_rto, self.min_rto
                ),
                format!("give at least {}, usually 60s", self.min_rto),
            )
        });
        let initial = self.initial_rto >= least && self.initial_rto <= self.max_rto;
        problems.unless(any || initial, "initial_rto", || {
            (
                format!("a first RTO of {}", self.initial_rto),
                format!(
                    "give between {least} and max_rto ({}); 1s is RFC 6298's",
                    self.max_rto
                ),
            )
        });
    }
}

impl Config {
    /// Checks for features that the profile lacks.
    fn check_profile(&self, problems: &mut Problems) {
        let linux = self.profile == Profile::Linux;
        let known = matches!(self.variant, Variant::Sack | Variant::NewReno);
        problems.unless(known || !linux, "variant", || {
            (
                "Linux repairs losses with SACK or, without it, as NewReno".to_owned(),
                "give sack or newreno".to_owned(),
            )
        });
        let ns2_has = !Control::RFC.contains(&self.control);
        problems.unless(ns2_has || self.profile != Profile::Ns2, "control", || {
            (
                "ns-2's profile has its own window rules only".to_owned(),
                "give profile = \"linux\" or \"rfc\"".to_owned(),
            )
        });
        let by_window = matches!(self.pacing, Pacing::Window | Pacing::WindowStrict { .. });
        problems.unless(!by_window || !linux, "pacing", || {
            (
                "Linux has no pacing by window over round trip".to_owned(),
                "give linux, off, or a rate (SO_MAX_PACING_RATE)".to_owned(),
            )
        });
    }
}

struct Problems(Vec<ConfigProblem>);

impl Problems {
    /// Notes a fault of a field, with its (message, help), unless `well`.
    fn unless(&mut self, well: bool, field: &'static str, say: impl Fn() -> (String, String)) {
        if !well {
            let (message, help) = say();
            self.0.push(ConfigProblem {
                field,
                message,
                help,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Variant;

    fn fields(config: &Config) -> Vec<&'static str> {
        config.validate().iter().map(|p| p.field).collect()
    }

    #[test]
    fn a_clock_coarser_than_any_time_out_is_refused() {
        let mut config = Config::new(Profile::Ns2, Variant::Reno);
        config.clock = Clock::Ticks(COARSEST);
        assert_eq!(fields(&config), [""; 0]);
        config.clock = Clock::Ticks(Span::MAX);
        assert_eq!(fields(&config), ["clock"]);
    }

    #[test]
    fn the_defaults_are_well() {
        for variant in Variant::ALL {
            for profile in [Profile::Ns2, Profile::Rfc] {
                assert_eq!(Config::new(profile, variant).validate(), []);
            }
        }
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let mut config = Config::rfc(Variant::Sack);
        config.window_cap = 0.0;
        config.initial_window = f64::NAN;
        config.initial_ssthresh = Some(0.0);
        config.payload = Bytes::ZERO;
        config.ack_size = Bytes(2000);
        config.dupack_threshold = 0;
        config.max_sack_blocks = 4;
        config.delayed_ack = Some(Span::from_secs(1));
        config.min_rto = Span::from_us(5);
        config.max_rto = Span::from_us(1);
        let all = [
            "window_cap",
            "initial_window",
            "initial_ssthresh",
            "payload",
            "ack_size",
            "dupack_threshold",
            "max_sack_blocks",
            "delayed_ack",
            "min_rto",
            "max_rto",
            "initial_rto",
        ];
        assert_eq!(fields(&config), all);
    }

    #[test]
    fn a_problem_says_what_would_be_right() {
        let mut config = Config::rfc(Variant::Reno);
        config.min_rto = Span::from_us(5);
        let text = config.validate()[0].to_string();
        assert_eq!(
            text,
            "min_rto: a least RTO of 5us is below the clock's granularity of 1ms; \
             give at least 1ms, usually 200ms or 1s"
        );
    }

    #[test]
    fn ns2_takes_any_least_and_first_time_out() {
        let mut config = Config::ns2(Variant::Reno);
        config.min_rto = Span::ZERO;
        config.initial_rto = config.max_rto * 2;
        config.window_cap = 2.5;
        assert_eq!(config.validate(), []);
    }
}
