//! Middleboxes behind the wires of links.

use pacesim_language::field::Whole;
use pacesim_language::{cases, words};
use pacesim_model::middlebox::{AckAggregation, AckThinning, AggregationClock, OwnMiddlebox};
use pacesim_parts::Own;
use pacesim_units::Span;

cases! {
    /// The kinds of middleboxes.
    pub enum MiddleboxKind by "kind" {
        /// ACK thinning (ACK filtering, RFC 3449, section 5.2): of several consecutive ACKs of a
        /// connection, each acknowledging more, only the last is forwarded. Duplicates, ACKs with
        /// SACK blocks and ACKs that echo other marks than the held one pass at once.
        AckThinning "ack_thinning" {
            every: u32 as Whole<u32, 2, 1_000_000>, "The number of ACKs of which one is forwarded.", "4";
            hold: Span, (= "10ms"), "The maximum time for which an ACK waits for a later one to replace it.", "5ms";
        }
        /// ACK aggregation, as by a radio link that sends at its turn: ACKs are collected for a
        /// time and released in a burst. Other packets pass at once.
        AckAggregation "ack_aggregation" {
            every: Span, "The time between releases.", "10ms";
            counted: AggregationClock as ClockWord, (= "slots"), "The origin of that time.", "slots";
        }
    }
    or Own(Own<OwnMiddlebox>), "A middlebox of the program's own."
}

/// The origin of the time between releases.
struct ClockWord;

words! {
    ClockWord: AggregationClock {
        "slots" => AggregationClock::Slots, "releases at multiples of this time, as in the slots of a schedule";
        "first_ack" => AggregationClock::FirstAck, "a release this long after the first collected ACK";
    }
}

impl MiddleboxKind {
    /// The middlebox as the model has it.
    pub fn in_model(&self) -> OwnMiddlebox {
        match self {
            MiddleboxKind::AckThinning { every, hold } => {
                let (every, hold) = (*every, *hold);
                AckThinning { every, hold }.part()
            }
            MiddleboxKind::AckAggregation { every, counted } => {
                let (every, counted) = (*every, *counted);
                AckAggregation { every, counted }.part()
            }
            MiddleboxKind::Own(own) => own.make.clone(),
        }
    }
}
