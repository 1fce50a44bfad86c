//! The echo of marks: RFC 3168 §6.1.3, DCTCP's exact one, or the count of AccECN.

use super::Arrival;
use crate::config::{Config, EcnEcho};

/// The effect of a packet on the echo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    /// The next ACKs leave at once.
    Hurry,
    /// DCTCP: the packet's mark differs from the one before (RFC 8257 §3.2).
    Turn,
}

/// State of the echo of congestion marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Echo {
    rule: EcnEcho,
    /// True if both ends have agreed on ECN.
    agreed: bool,
    /// True while ACKs carry ECE.
    pub(super) on: bool,
    /// True once a packet that may be marked has arrived.
    seen: bool,
    /// Packets that arrived marked, and whether the last one was.
    marked: u32,
    last: bool,
}

impl Echo {
    pub(super) fn new(config: &Config) -> Echo {
        Echo {
            rule: config.linux.echo,
            agreed: config.linux.ecn,
            on: false,
            seen: false,
            marked: 0,
            last: false,
        }
    }

    /// The count for an ACK, if ACKs carry one.
    #[inline]
    pub(super) fn counted(&self) -> Option<u32> {
        (self.agreed && self.rule == EcnEcho::Counted).then_some(self.marked)
    }

    /// Notes that the sender has reduced its window.
    pub(super) fn take_answer(&mut self) {
        if self.rule == EcnEcho::UntilCwr {
            self.on = false;
        }
    }

    /// Notes the mark of a packet. If the flow's packets can be marked, one that cannot is a
    /// retransmission.
    #[inline]
    pub(super) fn note(&mut self, arrival: &Arrival) -> Change {
        if !self.agreed && !arrival.marked {
            return Change::Nothing;
        }
        let before = (self.seen, self.on);
        self.seen |= arrival.ect || arrival.marked;
        match self.rule {
            EcnEcho::Exact => {
                self.on = arrival.marked;
                if before == (true, !self.on) {
                    Change::Turn
                } else {
                    Change::Nothing
                }
            }
            EcnEcho::Counted => {
                self.marked = self.marked.wrapping_add(u32::from(arrival.marked));
                // A change is reported at once (RFC 9768 §3.2.2.5.1).
                if std::mem::replace(&mut self.last, arrival.marked) == arrival.marked {
                    Change::Nothing
                } else {
                    Change::Hurry
                }
            }
            EcnEcho::UntilCwr if arrival.marked => {
                self.on = true;
                if before.1 {
                    Change::Nothing
                } else {
                    Change::Hurry
                }
            }
            EcnEcho::UntilCwr => {
                if self.seen && !arrival.ect {
                    Change::Hurry
                } else {
                    Change::Nothing
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Variant;
    use pacesim_units::Time;

    #[test]
    fn marks_are_counted_and_changes_reported_at_once() {
        let mut config = Config::linux(Variant::Sack);
        config.linux.ecn = true;
        config.linux.echo = EcnEcho::Counted;
        let mut echo = Echo::new(&config);
        let mut note = |marked| {
            let mut arrival = Arrival::new(1, Time::ZERO, 1448);
            (arrival.ect, arrival.marked) = (true, marked);
            let change = echo.note(&arrival);
            assert!(!echo.on, "ECE is not used");
            (change, echo.counted())
        };
        assert_eq!(note(false), (Change::Nothing, Some(0)));
        assert_eq!(note(true), (Change::Hurry, Some(1)));
        assert_eq!(note(true), (Change::Nothing, Some(2)));
        assert_eq!(note(false), (Change::Hurry, Some(2)));
    }
}
