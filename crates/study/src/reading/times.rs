//! The factor of a claimed number: bare, a quantity or a formula.

use pacesim_language::expression::{Unit, Value};
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};

use super::formula::value_over_points;
use crate::gauge::{Gauge, Refusal};
use crate::keys::ExpectKeys;
use crate::selection::Selection;
use crate::study::Study;

/// The factor of a claimed number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    /// The factor in base units.
    pub(super) value: Value,
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
        let (value, plain) = match &item.value {
            number @ (Toml::Integer(_) | Toml::Float(_)) => {
                (Ok(Some(Value::plain(number.number()))), number.number())
            }
            Toml::Text(text) => (stated(study, text.trim(), points), 1.0),
            _ => (Err(no_factor()), 1.0),
        };
        let times = value.map(|value| Times {
            value: value.unwrap_or(one.value),
            plain,
        });
        let times = times.and_then(Times::not_zero);
        match times {
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
    fn converts(&self, gauge: Gauge) -> bool {
        self.plain != 1.0 && gauge.unit != Unit::ONE
    }

    fn by_hand(&self, gauge: Gauge) -> Refusal {
        let (unit, times) = (gauge.unit.describe(), self.plain);
        let message =
            format!("times = {times:?} converts {unit} by hand; amounts carry their unit");
        let help = "leave times out; a factor with a meaning has a unit, such as \"= 1 / rate(LINK)\", or is a formula, \"= 0.5\"";
        (message, help.to_owned())
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

    /// The unit of the claimed number, and the factor that makes it of a number in `gauge`.
    pub(super) fn on(&self, gauge: Gauge) -> Option<(Gauge, f64)> {
        let claimed = Gauge::of_unit(gauge.unit.times(self.value.unit)?);
        Some((claimed, self.value.number * (gauge.size / claimed.size)))
    }
}

/// The value of a factor in words: a formula or a quantity.
fn stated(study: &Study, text: &str, points: &[Selection]) -> Result<Option<Value>, Refusal> {
    match text.strip_prefix('=') {
        Some(formula) => value_over_points(study, formula, points),
        None => Value::amount(text).map(Some).map_err(|_| no_factor()),
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
