//! Numbers from elsewhere beside a claim, in its unit: those of a paper, of ns-2, and tolerances.

use pacesim_language::expression::{Unit, Value};
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};

use super::reference::text_of;
use crate::axis::text;
use crate::expectation::Paper;
use crate::gauge::{Gauge, Refusal};
use crate::keys::ExpectKeys;
use crate::reference::{Within, no_tolerance};

/// The unit of a claim, and the bare factor of its number.
pub(super) type InUnit = (Gauge, f64);

/// True for an item that is written as a percentage.
pub(super) fn is_percentage(item: &Item) -> bool {
    item.text().is_some_and(|text| text.trim().ends_with('%'))
}

/// Reads the paper's number or words.
pub(super) fn paper(
    item: &Item,
    (gauge, times): InUnit,
    (path, in_percent): (&str, bool),
    faults: &mut Faults,
) -> Option<Paper> {
    let is_number = match &item.value {
        Toml::Integer(_) | Toml::Float(_) => true,
        // Words may name a number of another unit, such as a share.
        value => Value::amount(&text(value)).is_ok_and(|value| {
            let has_unit = gauge.unit != Unit::ONE || in_percent && is_percentage(item);
            value.unit == gauge.unit && has_unit
        }),
    };
    if is_number {
        number(item, (gauge, times), (path, "paper"), faults).map(Paper::Number)
    } else {
        Some(Paper::Words(text(&item.value)))
    }
}

/// Reads a number of this unit.
pub(super) fn number(
    item: &Item,
    (gauge, times): InUnit,
    (path, key): (&str, &str),
    faults: &mut Faults,
) -> Option<f64> {
    match gauge.amount(&item.value, key, times) {
        Ok(stated) => Some(stated.number),
        Err((message, help)) => {
            faults.add(format!("{path}.{key}"), message).help(help);
            None
        }
    }
}

/// Reads the share by which a number may deviate.
pub(super) fn share(path: &str, keys: &ExpectKeys, faults: &mut Faults) -> Option<f64> {
    const USUAL: f64 = 0.1;
    let Some(item) = &keys.within else {
        return Some(USUAL);
    };
    let share = Gauge::PLAIN.amount(&item.value, "within", 1.0);
    let share = share.map(|share| share.number);
    let share = share.ok().filter(|share| (0.0..=1.0).contains(share));
    if share.is_none() {
        let message = "a share of about is a number from 0 to 1";
        let help = "give one such as 0.05 or \"5%\"; for an amount, claim at_least and at_most; sums with sd go with reference";
        faults.add(format!("{path}.within"), message).help(help);
    }
    share
}

/// Reads the distance from the measured value.
pub(super) fn distance(
    path: &str,
    keys: &ExpectKeys,
    (gauge, times): InUnit,
    faults: &mut Faults,
) -> Option<Within> {
    let text = keys.within.as_ref().and_then(text_of);
    let read = |text: &str| Within::read(text, |amount| of_amount(amount, gauge, times));
    let within = text.ok_or_else(no_tolerance).and_then(read);
    within
        .map_err(|(message, help)| {
            faults.add(format!("{path}.within"), message).help(help);
        })
        .ok()
}

fn of_amount(text: &str, gauge: Gauge, times: f64) -> Result<f64, Refusal> {
    let amount = Toml::Text(text.to_owned());
    let stated = gauge.amount(&amount, "within", times);
    let number = stated.map_err(|(message, help)| {
        let help = help.replace("write within = \"", "in within, write \"");
        (format!("\"{text}\": {message}"), help)
    })?;
    if (0.0..1e30).contains(&number.number) {
        Ok(number.number)
    } else {
        Err(no_tolerance())
    }
}
