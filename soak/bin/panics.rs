//! The location of the last panic, for the report of a case that panicked.

use std::panic;
use std::sync::Mutex;

use pacesim_soak::{Failure, Fault};

static LAST: Mutex<String> = Mutex::new(String::new());

/// Records panics from now on, instead of printing them.
pub(crate) fn remember() {
    panic::set_hook(Box::new(|about| {
        let place = about
            .location()
            .map_or_else(String::new, ToString::to_string);
        if let Ok(mut last) = LAST.lock() {
            *last = place;
        }
    }));
}

/// File and line of a failure, if it is the last panic.
pub(crate) fn place(failure: &Failure) -> String {
    match failure.fault {
        Fault::Panic => format!(
            "({})",
            LAST.lock()
                .map_or_else(|_| String::new(), |last| last.clone())
        ),
        _ => String::new(),
    }
}
