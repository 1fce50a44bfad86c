//! The receiver's side: CNPs for marked packets.

use pacesim_units::{Span, Time};

/// A receiver that sends a CNP for a marked packet unless it has sent one within `gap`. The paper's
/// gap is 50 us; in the simulator of HPCC's authors each ACK carries the mark of its packet, which
/// is a gap of zero.
#[derive(Clone, Copy, Debug)]
pub struct Notifier {
    gap: Span,
    last: Option<Time>,
}

/// The paper's least time between CNPs of a flow (section 3.1).
pub const PAPER_GAP: Span = Span::from_us(50);

impl Notifier {
    /// A receiver of one flow.
    pub fn new(gap: Span) -> Notifier {
        Notifier { gap, last: None }
    }

    /// True if a marked packet that arrives now is answered by a CNP.
    pub fn marked(&mut self, now: Time) -> bool {
        let is_due = self.last.is_none_or(|last| now - last >= self.gap);
        if is_due {
            self.last = Some(now);
        }
        is_due
    }
}

impl Default for Notifier {
    fn default() -> Notifier {
        Notifier::new(PAPER_GAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cnp_is_sent_for_the_first_mark_of_each_gap() {
        let mut notifier = Notifier::default();
        let marks = [0, 1, 49, 50, 60, 99, 101, 400];
        let sent: Vec<bool> = marks
            .map(|us| notifier.marked(Time::ZERO + Span::from_us(us)))
            .into();
        assert_eq!(sent, [true, false, false, true, false, false, true, true]);
    }
}
