//! The verdict on a live run.

use std::fmt;

use pacesim::model::Model;
use pacesim::scenario::Late;
use pacesim::units::{Capacity, LinkId, Span};

/// The facts that a verdict follows from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Packets that a door lost: it had no room for them, or did not take them.
    pub door_drops: u64,
    /// Failures of hosts' programs.
    pub failures: Vec<String>,
    /// Change of the machine's clock during the run, in nanoseconds.
    pub clock_step_ns: i64,
    /// The largest lateness after the warm-up, in nanoseconds.
    pub late_max_ns: i64,
    /// The smallest time in which a port that real packets cross drains its full buffer; none if all
    /// are unlimited.
    pub drain_ns: Option<i64>,
    /// The largest lateness with which the run stands.
    pub late: Late,
}

/// The verdict on a live run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The machine was quick enough: deviations are of the hosts and of the model.
    Stands,
    /// The machine was so late that deviations may be its own.
    Undecided(String),
    /// Something failed; the numbers say nothing.
    Failed(String),
}

/// Change of the clock beyond which the kernel's stamps cannot be trusted.
const STEP_NS: i64 = 1_000_000;

impl Evidence {
    /// The verdict: a run stands if no packet was later than half of the smallest drain time. In 69
    /// runs below that bound goodput deviated by 1.5 % at most, beyond it by up to 62 %.
    pub fn verdict(&self) -> Verdict {
        if self.door_drops > 0 {
            let reason = format!("a door lost {} packets", self.door_drops);
            return Verdict::Failed(reason);
        }
        if let Some(failure) = self.failures.first() {
            return Verdict::Failed(failure.clone());
        }
        if self.clock_step_ns.abs() > STEP_NS {
            let reason = format!(
                "the clock of the machine stepped by {} ns",
                self.clock_step_ns
            );
            return Verdict::Failed(reason);
        }
        let late = self.late_max_ns / 1000;
        match (self.bound_ns(), self.late) {
            (Some(bound), _) if self.late_max_ns <= bound => Verdict::Stands,
            (None, _) => Verdict::Stands,
            (Some(_), Late::Share(_)) => Verdict::Undecided(format!(
                "a packet was {late} us late, more than {} of the {} us in which the smallest buffer \
                 on its way drains",
                self.late,
                self.drain_ns.unwrap_or(0) / 1000
            )),
            (Some(_), Late::Time(bound)) => {
                Verdict::Undecided(format!("a packet was {late} us late, more than {bound}"))
            }
        }
    }

    /// The largest lateness with which the run stands; none if any does.
    pub fn bound_ns(&self) -> Option<i64> {
        match self.late {
            Late::Share(share) => self.drain_ns.map(|drain| (drain as f64 * share) as i64),
            Late::Time(time) => Some((time.as_ps() / 1000) as i64),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Stands => write!(f, "STANDS"),
            Verdict::Undecided(reason) => write!(f, "UNDECIDED: {reason}"),
            Verdict::Failed(reason) => write!(f, "FAILED: {reason}"),
        }
    }
}

/// The smallest time in which the port of one of these links drains its full buffer, counted in
/// packets of 1500 bytes; none if all are unlimited.
pub(crate) fn drain_time(model: &Model, links: impl Iterator<Item = LinkId>) -> Option<Span> {
    let drains = links.filter_map(|id| {
        let link = &model.links[id.index()];
        let bytes = match link.buffer.capacity {
            Capacity::Packets(packets) => packets * 1500,
            Capacity::Bytes(bytes) => bytes.0,
            Capacity::Unlimited => return None,
        };
        let ps = u128::from(bytes) * 8 * 1_000_000_000_000 / u128::from(link.rate.as_bps());
        Some(Span::from_ps(ps as u64))
    });
    drains.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> Evidence {
        Evidence {
            late_max_ns: 19_000_000,
            drain_ns: Some(40_000_000),
            ..Evidence::default()
        }
    }

    #[test]
    fn a_run_stands_up_to_half_of_the_drain_time() {
        assert_eq!(evidence().verdict(), Verdict::Stands);
        let late = Evidence {
            late_max_ns: 20_000_001,
            ..evidence()
        };
        assert!(matches!(late.verdict(), Verdict::Undecided(_)));
        let unlimited = Evidence {
            drain_ns: None,
            ..late
        };
        assert_eq!(unlimited.verdict(), Verdict::Stands);
        let bound = |late| Evidence {
            late,
            drain_ns: None,
            ..evidence()
        };
        let tight = bound(Late::Time(pacesim::units::Span::from_ms(18)));
        assert!(matches!(tight.verdict(), Verdict::Undecided(_)));
        let wide = bound(Late::Time(pacesim::units::Span::from_ms(19)));
        assert_eq!(wide.verdict(), Verdict::Stands);
    }

    #[test]
    fn a_loss_at_a_door_a_failure_or_a_step_of_the_clock_fails_a_run_however_late_it_was() {
        let late_max_ns = i64::MAX;
        let door = Evidence {
            door_drops: 1,
            late_max_ns,
            ..evidence()
        };
        let host = Evidence {
            failures: vec!["it ended".to_owned()],
            ..evidence()
        };
        let clock = Evidence {
            clock_step_ns: -2_000_000,
            ..evidence()
        };
        for failed in [door, host, clock] {
            assert!(matches!(failed.verdict(), Verdict::Failed(_)), "{failed:?}");
        }
    }
}
