//! The keys of scripted cases, and the values that they may have.

use serde_json::Value;

use super::{Mismatch, STATE};

/// The values that a key may have.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Number,
    /// `true` or `false`, or 1 or 0.
    Flag,
    /// A count, or "infinite".
    Count,
    /// Two numbers.
    Pair,
    List,
    Object(Keys),
    /// The state of a sender.
    State,
}

type Keys = &'static [(&'static str, Form)];

const CASE: Keys = &[
    ("case", Form::Text),
    ("source", Form::Text),
    ("group", Form::Text),
    ("title", Form::Text),
    ("mss_bytes", Form::Number),
    ("start", Form::Object(START)),
    ("needs", Form::List),
    ("config", Form::Text),
    ("caveat", Form::Text),
    ("tol_ms", Form::Number),
    ("events", Form::List),
];
const START: Keys = &[
    ("peer", Form::Object(PEER)),
    ("handshake_rtt_ms", Form::Number),
    ("window_bytes", Form::Number),
    ("cwnd", Form::Number),
];
const PEER: Keys = &[
    ("mss", Form::Number),
    ("sack", Form::Flag),
    ("ecn", Form::Flag),
    ("wscale", Form::Number),
];
const EVENT: Keys = &[
    ("t", Form::Number),
    ("app", Form::Number),
    ("ack", Form::Number),
    ("sack", Form::List),
    ("ece", Form::Flag),
    ("wnd", Form::Number),
    ("acks", Form::Object(ACKS)),
    ("then", Form::State),
    ("sends", Form::List),
    ("within", Form::Pair),
];
const ACKS: Keys = &[
    ("from", Form::Number),
    ("to", Form::Number),
    ("step", Form::Number),
    ("every_ms", Form::Number),
];

/// Refuses a case with keys or values that the player would not read; its events are apart.
pub(super) fn check_case(case: &Value) -> Result<(), Mismatch> {
    check(case, CASE, "a case")
}

/// Refuses an event with keys or values that the player would not read.
pub(super) fn check_event(event: &Value) -> Result<(), Mismatch> {
    check(event, &[EVENT, &state()].concat(), "an event")?;
    match event.get("sack").and_then(Value::as_array) {
        Some(ranges) => ranges.iter().try_for_each(|range| {
            let is_range = Form::Pair.has(range) || bytes_of(range).is_some();
            refused(!is_range, || {
                format!("{event}: {range} is no range to SACK")
            })
        }),
        None => Ok(()),
    }
}

/// The first byte of a range to SACK that is given in bytes, and the one after its last.
pub(super) fn bytes_of(range: &Value) -> Option<[u64; 2]> {
    match range.as_array()?.as_slice() {
        [unit, from, to] if unit == "bytes" => Some([from.as_u64()?, to.as_u64()?]),
        _ => None,
    }
}

/// The value of a flag, if it is set or cleared.
pub(super) fn is_set(value: &Value) -> Option<bool> {
    match value.as_u64() {
        Some(number) if number < 2 => Some(number == 1),
        _ => value.as_bool(),
    }
}

fn state() -> Vec<(&'static str, Form)> {
    let form = |key| match key {
        "state" | "ecn" => Form::Text,
        _ => Form::Count,
    };
    STATE.map(|key| (key, form(key))).into()
}

fn check(value: &Value, keys: &[(&'static str, Form)], what: &str) -> Result<(), Mismatch> {
    let Some(object) = value.as_object() else {
        return Err(Mismatch(format!("{what} is an object, not {value}")));
    };
    object.iter().try_for_each(|(key, value)| {
        let Some((_, form)) = keys.iter().find(|(known, _)| known == key) else {
            let known: Vec<&str> = keys.iter().map(|(known, _)| *known).collect();
            return Err(Mismatch(format!(
                "{what} has no key {key}; it has {}",
                known.join(", ")
            )));
        };
        match form {
            Form::Object(keys) => check(value, keys, key),
            Form::State => check(value, &state(), key),
            _ => refused(!form.has(value), || {
                format!("{key} of {what} is {}, not {value}", form.name())
            }),
        }
    })
}

fn refused(is_bad: bool, why: impl FnOnce() -> String) -> Result<(), Mismatch> {
    if is_bad { Err(Mismatch(why())) } else { Ok(()) }
}

impl Form {
    fn has(self, value: &Value) -> bool {
        match self {
            Form::Text => value.is_string(),
            Form::Number => value.is_number(),
            Form::Flag => is_set(value).is_some(),
            Form::Count => value.is_u64() || value == "infinite",
            Form::Pair => value
                .as_array()
                .is_some_and(|pair| pair.len() == 2 && pair.iter().all(Value::is_number)),
            Form::List => value.is_array(),
            Form::Object(_) | Form::State => value.is_object(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Form::Text => "a text",
            Form::Number => "a number",
            Form::Flag => "true or false, or 1 or 0",
            Form::Count => "a count, or \"infinite\"",
            Form::Pair => "a pair of numbers",
            Form::List => "a list",
            Form::Object(_) | Form::State => "an object",
        }
    }
}
