//! The echo of marks: RFC 3168 §6.1.3, or DCTCP's exact one.

use super::Arrival;
use crate::config::{Config, EcnEcho};

/// Changes of the echo by a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    /// The next ACKs leave at once.
    Hurry,
    /// DCTCP: the packet's mark differs from the one before (RFC 8257 §3.2).
    Turn,
}

/// The state of the echo.
#[derive(Clone, Copy, Debug)]
pub(super) struct Echo {
    rule: EcnEcho,
    /// Both ends have agreed on ECN.
    agreed: bool,
    /// ACKs carry ECE.
    pub(super) on: bool,
    /// A markable packet arrived.
    seen: bool,
}

impl Echo {
    pub(super) fn new(config: &Config) -> Echo {
        Echo {
            rule: config.linux.echo,
            agreed: config.linux.ecn,
            on: false,
            seen: false,
        }
    }

    /// Notes that the sender has reduced its window.
    pub(super) fn take_answer(&mut self) {
        if self.rule == EcnEcho::UntilCwr {
            self.on = false;
        }
    }

    /// Notes the mark of a packet. One that cannot be marked, of a flow whose packets can, is a
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
                match before == (true, !self.on) {
                    true => Change::Turn,
                    false => Change::Nothing,
                }
            }
            EcnEcho::UntilCwr if arrival.marked => {
                self.on = true;
                match before.1 {
                    true => Change::Nothing,
                    false => Change::Hurry,
                }
            }
            EcnEcho::UntilCwr => match self.seen && !arrival.ect {
                true => Change::Hurry,
                false => Change::Nothing,
            },
        }
    }
}
