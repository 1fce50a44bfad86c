//! The factor of a number: bare, a quantity or a formula.

use pacesim_language::expression::{Unit, Value};
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};

use super::formula::{at_point, value_over_points};
use crate::gauge::{Gauge, Refusal};
use crate::keys::ExpectKeys;
use crate::selection::Selection;
use crate::study::Study;

/// The factor of a number that is claimed or drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Times {
    /// The factor in base units.
    value: Value,
    /// The factor if it is a bare number, otherwise 1.
    pub(super) plain: f64,
}

impl Times {
    /// The factor of the claim declared at `path`, whose number is in this unit without it.
    pub(super) fn of(
        study: &Study,
        path: &str,
        keys: &ExpectKeys,
        (gauge, points): (Gauge, &[Selection]),
        faults: &mut Faults,
    ) -> Times {
        let one = Times {
            value: Value::plain(1.0),
            plain: 1.0,
        };
        let Some(item) = &keys.times else { return one };
        let plain = bare(item).unwrap_or(1.0);
        let of_formula = |formula: &str| value_over_points(study, formula, points);
        match Times::read(item, of_formula).map(|times| times.unwrap_or(one)) {
            Ok(times) if times.converts(gauge) => {
                // A bare bound is refused with the spelling of both.
                if !has_bare_bound(keys) {
                    let (message, help) = times.by_hand(gauge);
                    faults.add(format!("{path}.times"), message).help(help);
                }
                Times { plain, ..one }
            }
            Ok(times) => times,
            Err((message, help)) => {
                faults.add(format!("{path}.times"), message).help(help);
                Times { plain, ..one }
            }
        }
    }

    /// The factor at a point; `None` if the point's scenario has mistakes of its own.
    pub(crate) fn at(study: &Study, point: u64, item: &Item) -> Result<Option<Times>, Refusal> {
        Times::read(item, |formula| at_point(study, point, formula))
    }

    /// The factor as written; `None` for a formula without a value.
    fn read(
        item: &Item,
        of_formula: impl FnOnce(&str) -> Result<Option<Value>, Refusal>,
    ) -> Result<Option<Times>, Refusal> {
        let plain = bare(item);
        let value = match (plain, item.text().map(str::trim)) {
            (Some(number), _) => Some(Value::plain(number)),
            (None, Some(text)) => match text.strip_prefix('=') {
                Some(formula) => of_formula(formula)?,
                None => Some(Value::amount(text).map_err(|_| no_factor())?),
            },
            (None, None) => return Err(no_factor()),
        };
        let plain = plain.unwrap_or(1.0);
        let times = value.map(|value| Times { value, plain });
        times.map(Times::not_zero).transpose()
    }

    /// Rejects a factor that makes all numbers one.
    fn not_zero(self) -> Result<Times, Refusal> {
        if self.value.number == 0.0 || !self.value.number.is_finite() {
            let help =
                "leave it out, or give the factor of a conversion such as \"= 1 / rate(LINK)\"";
            return Err(("every number times 0 is 0".to_owned(), help.to_owned()));
        }
        Ok(self)
    }

    /// True for a bare factor of a number with a unit.
    pub(crate) fn converts(&self, gauge: Gauge) -> bool {
        self.plain != 1.0 && gauge.unit != Unit::ONE
    }

    pub(crate) fn by_hand(&self, gauge: Gauge) -> Refusal {
        let (unit, times) = (gauge.describe(), self.plain);
        let message =
            format!("times = {times:?} converts {unit} by hand; amounts carry their unit");
        let help = format!(
            "leave times out; a factor with a meaning has a unit, such as \"= 1 / rate(LINK)\", or is a formula, \"= {times}\""
        );
        (message, help)
    }

    /// Rejects a percentage of a number that is multiplied: it could be of either.
    pub(super) fn allows(&self, in_percent: bool) -> Result<(), Refusal> {
        if !in_percent || self.plain == 1.0 {
            return Ok(());
        }
        let message = format!(
            "a percentage of a number that is multiplied by {:?}",
            self.plain
        );
        Err((
            message,
            "leave times out: a percentage needs no conversion".to_owned(),
        ))
    }

    /// The unit of the product with a number in `gauge`, and the factor that makes it.
    pub(crate) fn on(&self, gauge: Gauge) -> Option<(Gauge, f64)> {
        let claimed = Gauge::of_unit(gauge.unit.times(self.value.unit)?);
        Some((claimed, self.value.number * (gauge.size / claimed.size)))
    }
}

/// The factor if it is written as a bare number.
fn bare(item: &Item) -> Option<f64> {
    match &item.value {
        number @ (Toml::Integer(_) | Toml::Float(_)) => Some(number.number()),
        _ => None,
    }
}

fn no_factor() -> Refusal {
    let help = "give a number, a quantity such as \"200pkts\" or a formula, \"= 1 / rate(LINK)\"";
    ("this is not a factor".to_owned(), help.to_owned())
}

fn has_bare_bound(keys: &ExpectKeys) -> bool {
    let bounds = [&keys.at_least, &keys.at_most, &keys.about];
    let is_bare = |item: &Item| matches!(item.value, Toml::Integer(_) | Toml::Float(_));
    bounds.into_iter().flatten().any(is_bare)
}
