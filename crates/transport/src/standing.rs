//! A sending end's totals, its limit, and its state.

use pacesim_units::{Rate, Span};

/// Totals of one sending end since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Number of packets sent, retransmissions included.
    pub sent: u64,
    /// Number of retransmissions.
    pub retransmitted: u64,
    /// Number of expiries of the retransmission timer with data outstanding.
    pub timeouts: u32,
    /// Number of fast retransmits.
    pub fast_retransmits: u32,
}

/// Totals of the messages that answer a sending end beside acknowledgements, which TCP has not: each of its
/// many senders would carry them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Number of those that told of marks (CNPs).
    pub notified: u64,
    /// Number of those that told of a missing packet (NACKs).
    pub refused: u64,
}

/// The current limit on sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The application has no more data to send.
    Data,
    /// The receiver's window is full.
    Window,
    /// The congestion window is full, or losses are being repaired.
    Congestion,
    /// The sender's own pacing delays packets.
    Pacing,
}

impl Limit {
    /// All limits; the place of each is `limit as usize`.
    pub const ALL: [Limit; 4] = [Limit::Data, Limit::Window, Limit::Congestion, Limit::Pacing];
}

/// The state of a sender that its statistics of time distinguish: its limit, whether data are
/// outstanding or waiting, and slow start. One byte, compared after each event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing(u8);

impl Standing {
    /// A value that differs from every state of a sender.
    pub const UNKNOWN: Standing = Standing(u8::MAX);
    const BUSY: u8 = 4;
    const SLOW_START: u8 = 8;
    const UNTOLD: u8 = 16;

    /// The state with these parts.
    #[inline]
    pub fn new(limit: Limit, is_busy: bool, in_slow_start: bool) -> Standing {
        let flags = u8::from(is_busy) * Self::BUSY + u8::from(in_slow_start) * Self::SLOW_START;
        Standing(limit as u8 + flags)
    }

    /// The state of a sender that its own pacing alone limits while it has data.
    pub fn paced(is_busy: bool) -> Standing {
        let limit = if is_busy { Limit::Pacing } else { Limit::Data };
        Standing::new(limit, is_busy, false)
    }

    /// The state of a sender that does not tell its limit: its statistics of limits are missing.
    pub fn untold(is_busy: bool) -> Standing {
        Standing(Self::UNTOLD + u8::from(is_busy) * Self::BUSY)
    }

    /// The limit on sending, if it is told.
    #[inline]
    pub fn limit(self) -> Option<Limit> {
        let is_told = self.0 & Self::UNTOLD == 0;
        is_told.then(|| Limit::ALL[usize::from(self.0 % Self::BUSY)])
    }

    /// True if not all data handed over have been acknowledged.
    pub fn is_busy(self) -> bool {
        self.0 & Self::BUSY != 0
    }

    /// True while the window is below that at which slow start ends.
    pub fn in_slow_start(self) -> bool {
        self.0 & Self::SLOW_START != 0
    }
}

/// Numbers of a sending end that samplers read, each absent if the transport has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gauges {
    /// The congestion window in packets.
    pub window_pkts: Option<f64>,
    /// Number of packets sent and not acknowledged.
    pub in_flight_pkts: u64,
    /// Smoothed round-trip time.
    pub srtt: Option<Span>,
    /// Rate at which the end paces its packets.
    pub pacing_rate: Option<Rate>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_has_the_parts_of_which_it_is_made() {
        for (limit, is_busy, in_slow_start) in [
            (Limit::Data, false, false),
            (Limit::Window, true, false),
            (Limit::Congestion, true, true),
            (Limit::Pacing, false, true),
        ] {
            let standing = Standing::new(limit, is_busy, in_slow_start);
            assert_eq!(standing.limit(), Some(limit));
            assert_eq!(standing.is_busy(), is_busy);
            assert_eq!(standing.in_slow_start(), in_slow_start);
        }
        for is_busy in [false, true] {
            let untold = Standing::untold(is_busy);
            assert_eq!((untold.limit(), untold.is_busy()), (None, is_busy));
            assert!(!untold.in_slow_start());
        }
    }
}
