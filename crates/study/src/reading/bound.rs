//! Bounds of claims: numbers, or formulas of the scenario at the claim's point.

use pacesim_expression::{Problem, Unit, Value};
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};
use pacesim_scenario::evaluate;

use crate::keys::ExpectKeys;
use crate::name::NumberName;
use crate::selection::Selection;
use crate::study::Study;

/// The numbers that a claim states.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
    pub(super) about: Option<f64>,
}

/// Units of the claimed number, by the end of its name, and of formulas for it in base units.
const UNITS: [(&str, Unit, f64); 4] = [
    ("_bps", Unit::BIT_PER_SECOND, 1.0),
    ("_s", Unit::SECOND, 1.0),
    ("_bytes", Unit::BIT, 0.125),
    ("_pkts", Unit::PACKET, 1.0),
];

impl Bounds {
    /// The bounds declared at `path`, for a claim about these points. `y` is its number unless the
    /// claim is about a ratio, an index or a line, which have no unit.
    pub(super) fn of(
        study: &Study,
        path: &str,
        keys: &ExpectKeys,
        (y, points): (Option<&NumberName>, &[Selection]),
        faults: &mut Faults,
    ) -> Option<Bounds> {
        let mut read = |item: &Option<Item>, key: &str| {
            let Some(item) = item else { return Some(None) };
            let found = number(study, item, (y, points));
            match found {
                Ok(number) => Some(number.map(|number| match item.text() {
                    Some(_) => number * keys.times,
                    None => number,
                })),
                Err((message, help)) => {
                    faults.add(format!("{path}.{key}"), message).help(help);
                    None
                }
            }
        };
        let least = read(&keys.at_least, "at_least");
        let most = read(&keys.at_most, "at_most");
        let about = read(&keys.about, "about");
        let bounds = Bounds {
            least: least?,
            most: most?,
            about: about?,
        };
        bounds.can_be_met(path, faults);
        Some(bounds)
    }
}

impl Bounds {
    /// Rejects bounds that no number meets.
    fn can_be_met(&self, path: &str, faults: &mut Faults) {
        if let (Some(least), Some(most)) = (self.least, self.most)
            && least > most
        {
            let message = format!("no number is at least {least} and at most {most}");
            let help = "give the lower bound as at_least and the upper one as at_most";
            faults.add(format!("{path}.at_least"), message).help(help);
        }
    }
}

/// The message and the remedy.
type Refusal = (String, String);

/// The number itself, or that of a formula; `None` if a point's scenario has mistakes of its own.
fn number(
    study: &Study,
    item: &Item,
    (y, points): (Option<&NumberName>, &[Selection]),
) -> Result<Option<f64>, Refusal> {
    let formula = match &item.value {
        value @ (Toml::Integer(_) | Toml::Float(_)) => return finite(value.number()),
        Toml::Text(text) => text.trim_start().strip_prefix('='),
        _ => None,
    };
    let Some(formula) = formula else {
        let message = "this is neither a number nor a formula".to_owned();
        return Err((message, "write 0.9, or \"= 0.9 * rate(core)\"".to_owned()));
    };
    let mut found: Option<f64> = None;
    for point in points {
        let mut numbers = study.grid.numbers();
        let Some(place) = numbers.find(|number| study.grid.meets(*number, point)) else {
            continue;
        };
        let Ok(checked) = study.scenario(place) else {
            return Ok(None);
        };
        let value = evaluate(&checked, formula).map_err(|wrong| told(formula, wrong))?;
        let number = in_units_of(y, value)?;
        if found.is_some_and(|before| before != number) {
            let message = "the formula has different values along the axis".to_owned();
            return Err((
                message,
                "claim one point, or quantities that the axis leaves alone".to_owned(),
            ));
        }
        found = Some(number);
    }
    Ok(found)
}

fn finite(number: f64) -> Result<Option<f64>, Refusal> {
    match number.is_finite() {
        true => Ok(Some(number)),
        false => {
            let help = "give a finite number; leave the bound out if there is none".to_owned();
            Err((format!("{number} is not a bound"), help))
        }
    }
}

fn told(formula: &str, wrong: Problem) -> Refusal {
    let part = formula.get(wrong.at).unwrap_or_default().trim();
    match part.is_empty() {
        true => (wrong.message, wrong.help),
        false => (format!("{}: \"{part}\"", wrong.message), wrong.help),
    }
}

/// The value in the unit of the claimed number.
fn in_units_of(y: Option<&NumberName>, value: Value) -> Result<f64, Refusal> {
    let metric = y.map_or("", |y| y.metric.as_str());
    let known = UNITS.iter().find(|(end, ..)| metric.ends_with(end));
    let (expected, scale) = known.map_or((Unit::ONE, 1.0), |(_, unit, scale)| (*unit, *scale));
    if value.unit == expected {
        return Ok(value.number * scale);
    }
    let (found, expected) = (value.unit.describe(), expected.describe());
    let message = format!("this is {found}, but the claim is about {expected}");
    let help = "multiply or divide by quantities until the unit fits".to_owned();
    Err((message, help))
}
