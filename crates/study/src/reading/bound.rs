//! Bounds of claims and searches: numbers, or formulas of the scenario at a point.

use pacesim_expression::{Problem as Wrong, Unit, Value};
use pacesim_language::problem::{Faults, Problem};
use pacesim_language::tree::{Item, Toml};
use pacesim_scenario::evaluate;

use crate::keys::{BoundKeys, ExpectKeys};
use crate::name::NumberName;
use crate::named;
use crate::selection::Selection;
use crate::statistics::percent;
use crate::study::Study;
use crate::tune::{Bound, Limit, StatedBound};

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
    let formula = match limit(item)? {
        Limit::Number(number) => return Ok(Some(number)),
        Limit::Formula(text) => text,
    };
    let formula = formula.as_str();
    let mut found: Option<f64> = None;
    for point in points {
        let mut numbers = study.grid.numbers();
        let Some(place) = numbers.find(|number| study.grid.meets(*number, point)) else {
            continue;
        };
        let Some(number) = at_point(study, place, formula, y)? else {
            return Ok(None);
        };
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

/// A limit as written.
fn limit(item: &Item) -> Result<Limit, Refusal> {
    let text = match &item.value {
        value @ (Toml::Integer(_) | Toml::Float(_)) => return finite(value.number()),
        Toml::Text(text) => text.trim(),
        _ => "",
    };
    if let Some(formula) = text.strip_prefix('=') {
        return Ok(Limit::Formula(formula.to_owned()));
    }
    if let Some(share) = percent(text) {
        return finite(share);
    }
    let message = "this is neither a number nor a formula".to_owned();
    let help = "write 0.9, \"90%\" or \"= 0.9 * rate(core)\"".to_owned();
    Err((message, help))
}

/// The number of a formula at a point; `None` if the point's scenario has mistakes of its own.
fn at_point(
    study: &Study,
    point: u64,
    formula: &str,
    y: Option<&NumberName>,
) -> Result<Option<f64>, Refusal> {
    let Ok(checked) = study.scenario(point) else {
        return Ok(None);
    };
    let value = evaluate(&checked, formula).map_err(|wrong| told(formula, wrong))?;
    in_units_of(y, value).map(Some)
}

impl StatedBound {
    /// The bound of a search declared at `path`.
    pub(super) fn of(
        study: &Study,
        path: String,
        keys: &BoundKeys,
        faults: &mut Faults,
    ) -> Option<StatedBound> {
        let y = named::number(&keys.y, &format!("{path}.y"), faults);
        let before = faults.list.len();
        let mut read = |item: &Option<Item>, key: &str| {
            let limit = limit(item.as_ref()?);
            limit
                .map_err(|wrong| refuse(&path, key, wrong, faults))
                .ok()
        };
        let (least, most) = (
            read(&keys.at_least, "at_least"),
            read(&keys.at_most, "at_most"),
        );
        let is_read = faults.list.len() == before;
        if is_read && least.is_none() && most.is_none() {
            let help = "give at_least, at_most or both";
            faults.add(path.as_str(), "nothing is bounded").help(help);
        }
        let y = y?;
        let bound = StatedBound {
            y,
            least,
            most,
            path,
        };
        bound.check(study, faults);
        Some(bound)
    }

    /// Reports mistakes at the first point.
    fn check(&self, study: &Study, faults: &mut Faults) {
        let bound = self.resolved(study, study.points().next(), faults);
        if let (Some(least), Some(most)) = (bound.least, bound.most)
            && least > most
        {
            let message = "at_least is greater than at_most";
            faults
                .add(self.path.as_str(), message)
                .help("exchange them");
        }
    }

    /// The bound at a point; without one it has no formulas.
    fn resolved(&self, study: &Study, point: Option<u64>, faults: &mut Faults) -> Bound {
        let mut number = |limit: &Option<Limit>, key: &str| match limit.as_ref()? {
            Limit::Number(number) => Some(*number),
            Limit::Formula(formula) => {
                let number = at_point(study, point?, formula, Some(&self.y));
                let refuse = |wrong| refuse(&self.path, key, wrong, faults);
                number.map_err(refuse).ok()?
            }
        };
        Bound {
            y: self.y.clone(),
            least: number(&self.least, "at_least"),
            most: number(&self.most, "at_most"),
        }
    }
}

impl Study {
    /// The bounds of the search at a point, or their mistakes there.
    pub fn bounds_at(&self, point: u64) -> Result<Vec<Bound>, Vec<Problem>> {
        let mut faults = Faults::default();
        let all = self.tune.iter().flat_map(|tune| &tune.bounds);
        let bounds = all.map(|bound| bound.resolved(self, Some(point), &mut faults));
        let bounds = bounds.collect();
        match faults.list.is_empty() {
            true => Ok(bounds),
            false => Err(self.problems(faults)),
        }
    }
}

fn refuse(path: &str, key: &str, (message, help): Refusal, faults: &mut Faults) {
    faults.add(format!("{path}.{key}"), message).help(help);
}

fn finite(number: f64) -> Result<Limit, Refusal> {
    match number.is_finite() {
        true => Ok(Limit::Number(number)),
        false => {
            let help = "give a finite number; leave the bound out if there is none".to_owned();
            Err((format!("{number} is not a bound"), help))
        }
    }
}

fn told(formula: &str, wrong: Wrong) -> Refusal {
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
    let message = format!("this is {found}, but {expected} is expected");
    let help = "multiply or divide by quantities until the unit fits".to_owned();
    Err((message, help))
}
