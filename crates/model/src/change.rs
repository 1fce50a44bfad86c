//! What changes at a link while time goes on.

use std::collections::BTreeSet;

use pacesim_units::{LinkId, Rate, Span, Time};

use crate::{Loss, Model};

/// A change of a link. It comes before all else that happens at its time; changes of one time
/// come in the order of [`Model::changes`].
///
/// A link that changes has a queue that asks for each packet's turn, so what is sent when it
/// changes is sent to the end as it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedChange {
    /// When.
    pub at: Time,
    /// The link.
    pub link: LinkId,
    /// What it is from then on.
    pub change: Change,
}

/// What a link is from some time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// It has this rate, for packets whose transmission starts then or later.
    Rate(Rate),
    /// It has this delay, for the same packets; none overtakes another.
    Delay(Span),
    /// It loses packets that reach its end so, or none.
    Loss(Option<Loss>),
    /// It is down, and loses all that it carries, that waits, and that comes.
    Down,
    /// It is down: packets wait, and those on the wire arrive.
    Pause,
    /// It is up again.
    Up,
}

impl Model {
    /// The links of which anything ever changes.
    pub fn changing_links(&self) -> BTreeSet<LinkId> {
        self.changes.iter().map(|change| change.link).collect()
    }

    /// The changes in the order in which they come.
    pub fn changes_in_order(&self) -> Vec<TimedChange> {
        let mut changes = self.changes.clone();
        changes.sort_by_key(|change| change.at);
        changes
    }
}
