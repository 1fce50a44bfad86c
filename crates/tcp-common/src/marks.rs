//! Explicit congestion notification (ECN) at a sender.

use crate::packet::Ack;

/// Marks as a sender knows of them, by the echoes of its receiver (RFC 3168, 8257, 9768).
#[derive(Clone, Copy, Debug, Default)]
pub struct Echoes {
    /// True if both ends have agreed on ECN.
    pub on: bool,
    /// The receiver echoes each mark, not only the first of a round trip.
    pub exact: bool,
    /// Last count of marks, if the receiver counts them (AccECN).
    pub counted: Option<u32>,
    /// True if the route marks early (`ecn_low`).
    pub low: bool,
    /// True if the next new packet carries CWR.
    pub owes_cwr: bool,
}

impl Echoes {
    /// True if an ACK reports marks.
    #[inline]
    pub fn hears(&self, ack: &Ack) -> bool {
        self.on && (ack.ece || self.news(ack) > 0)
    }

    /// Takes the count of an ACK, and returns the number of new marks.
    #[inline]
    pub fn take_count(&mut self, ack: &Ack) -> u32 {
        let news = self.news(ack);
        self.counted = self.counted.map(|before| before.wrapping_add(news));
        news
    }

    /// Number of marks counted by an ACK and by none before.
    #[inline]
    fn news(&self, ack: &Ack) -> u32 {
        let (Some(before), Some(count)) = (self.counted, ack.marked) else {
            return 0;
        };
        // An ACK overtaken by a later one has a lower count.
        let news = count.wrapping_sub(before);
        if news > u32::MAX / 2 { 0 } else { news }
    }
}
