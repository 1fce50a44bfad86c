//! A second end beside a user's: built alike and given the same first calls, it must answer alike. So
//! a clock, the system's random numbers or the order of a map show in the run that they spoil.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pacesim_transport::{Datagram, End};

/// Number of calls that the second end is given, as many as some two thousand packets take.
const CALLS: u32 = 10_000;

/// The second end.
pub(super) struct Twin {
    end: Box<dyn End>,
    calls: u32,
}

impl Twin {
    pub(super) fn new(end: Box<dyn End>) -> Twin {
        Twin { end, calls: 0 }
    }

    /// False once it has been given all its calls.
    pub(super) fn is_asked(&self) -> bool {
        self.calls < CALLS
    }

    /// The difference of its answer to the same call, if there is one.
    pub(super) fn differs<T: Answer>(
        &mut self,
        answer: &T,
        call: impl FnOnce(&mut dyn End) -> T,
    ) -> Option<String> {
        self.calls += 1;
        let end = &mut *self.end;
        match catch_unwind(AssertUnwindSafe(|| call(end))) {
            Ok(other) if other == *answer => None,
            Ok(other) => Some(answer.beside(&other)),
            Err(_) => Some("it panics".to_owned()),
        }
    }
}

/// An answer of an end to a call.
pub(super) trait Answer: PartialEq + Debug {
    /// Another answer to the same call in words, beside this one.
    fn beside(&self, other: &Self) -> String {
        format!("it answers {other:?}, not {self:?}")
    }
}

impl Answer for () {}
impl Answer for Result<(), pacesim_transport::DataError> {}
impl Answer for Option<pacesim_transport::EndEvent> {}
impl Answer for Option<pacesim_transport::Wish> {}

impl Answer for Option<pacesim_units::Time> {
    fn beside(&self, other: &Self) -> String {
        let told = |at: &Self| at.map_or("not at all".to_owned(), |at| format!("at {at}"));
        format!("it is to be woken {}, not {}", told(other), told(self))
    }
}

impl Answer for Option<Datagram> {
    fn beside(&self, other: &Self) -> String {
        let name = |sent: &Datagram| format!("packet {} of {} B", sent.seq, sent.size);
        match (self, other) {
            (Some(one), Some(two)) if name(one) == name(two) => {
                let rest = match one.content == two.content {
                    true => "another stamp or other flags",
                    false => "other contents",
                };
                format!("its {} has {rest}", name(two))
            }
            (Some(one), Some(two)) => format!("it sends {}, not {}", name(two), name(one)),
            (Some(one), None) => format!("it does not send {}", name(one)),
            (None, Some(two)) => format!("it sends {}", name(two)),
            (None, None) => "it sends nothing".to_owned(),
        }
    }
}
