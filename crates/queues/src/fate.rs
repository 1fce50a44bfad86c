//! The decision on a packet, for disciplines with more than one reason for marks.

use crate::queue::Mark;

/// The fate that a control has decided on for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Pass,
    Mark(Mark),
    Drop,
}

impl Fate {
    /// The mark of a packet that is sent, if any.
    #[inline]
    pub(crate) fn mark(self) -> Option<Mark> {
        match self {
            Fate::Mark(mark) => Some(mark),
            Fate::Pass | Fate::Drop => None,
        }
    }
}
