//! Units of the numbers that a study's keys are about, and amounts in these units.

use pacesim_language::expression::{Unit, Value};
use pacesim_language::tree::Toml;

use crate::axis::Axis;
use crate::formula::{unit_and_size, unit_and_size_of};
use crate::name::NumberName;

/// A refusal: the message and the remedy.
pub(crate) type Refusal = (String, String);

/// The unit of a number, and the number's size in the base units of formulas: 8 bit for bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gauge {
    pub(crate) unit: Unit,
    pub(crate) size: f64,
}

/// An amount as stated, in the unit of the number that it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stated {
    pub(crate) number: f64,
    pub(crate) in_percent: bool,
}

impl Gauge {
    /// The gauge of a number without a unit.
    pub(crate) const PLAIN: Gauge = Gauge {
        unit: Unit::ONE,
        size: 1.0,
    };

    /// The gauge of a number of results.
    pub(crate) fn of(name: &NumberName) -> Gauge {
        let (unit, size) = unit_and_size_of(name);
        Gauge { unit, size }
    }

    /// The gauge of the values of an axis.
    pub(crate) fn of_axis(axis: &Axis) -> Gauge {
        let (unit, size) = match axis.unit {
            Some("m") => (Unit::METRE, 1.0),
            unit => unit_and_size(unit.unwrap_or("")),
        };
        Gauge { unit, size }
    }

    /// A number of this unit, in the units of results.
    pub(crate) fn of_unit(unit: Unit) -> Gauge {
        let size = unit.size();
        Gauge { unit, size }
    }

    /// A quotient; plain if its unit has too large exponents.
    pub(crate) fn per(self, other: Gauge) -> Gauge {
        let unit = self.unit.times(other.unit.inverse());
        let size = self.size / other.size;
        unit.map_or(Gauge::PLAIN, |unit| Gauge { unit, size })
    }

    /// The number of a value, if the units are the same.
    pub(crate) fn number(self, value: Value) -> Result<f64, Refusal> {
        if value.unit == self.unit {
            return Ok(value.number / self.size);
        }
        let (found, expected) = (value.unit.describe(), self.unit.describe());
        let message = format!("this is {found}, but {expected} is expected");
        Err((message, self.remedy()))
    }

    /// The amount that a key states; `times` is the factor by which the file multiplies its number.
    pub(crate) fn amount(self, value: &Toml, key: &str, times: f64) -> Result<Stated, Refusal> {
        let text = match value {
            value @ (Toml::Integer(_) | Toml::Float(_)) => {
                let number = value.number();
                // Nothing is nothing in every unit.
                let is_plain = self.unit == Unit::ONE || number == 0.0;
                return match (number.is_finite(), is_plain) {
                    (false, _) => Err(self.not_finite(number)),
                    (true, true) => Ok(Stated::plain(number)),
                    (true, false) => Err(self.no_unit(number, key, times)),
                };
            }
            Toml::Text(text) => text.trim(),
            _ => "",
        };
        if !text.starts_with(|c: char| c.is_ascii_digit() || "+-−.".contains(c)) {
            return Err(("this is not an amount".to_owned(), self.remedy()));
        }
        let value = Value::amount(text)?;
        let in_percent = text.ends_with('%');
        if value.unit == Unit::ONE && value.number == 0.0 && !in_percent {
            return Ok(Stated::plain(0.0));
        }
        if value.unit == Unit::ONE && self.unit != Unit::ONE {
            return Err(if in_percent {
                self.no_share(text)
            } else {
                self.no_unit(value.number, key, times)
            });
        }
        let number = self.number(value)?;
        Ok(Stated { number, in_percent })
    }

    fn not_finite(self, number: f64) -> Refusal {
        let help = "give a finite number; leave the bound out if there is none".to_owned();
        (format!("{number} is not a bound"), help)
    }

    /// A bare number in place of an amount: the remedy spells this very amount.
    pub(crate) fn no_unit(self, number: f64, key: &str, times: f64) -> Refusal {
        let number_text = match number.abs() {
            0.0 | 1e-6..1e15 => number.to_string(),
            _ => format!("{number:e}"),
        };
        let message = format!("{number_text} has no unit, and this is {}", self.describe());
        let meant = unscaled(number, times);
        let stated = self.stated(meant);
        let help = match (times == 1.0, self.usual(number)) {
            (false, _) => format!("write {key} = \"{stated}\", and leave times = {times:?} out"),
            (true, Some((unit, usual))) => {
                format!("write {key} = \"{stated}\" or, if {unit} are meant, \"{usual}\"")
            }
            (true, None) => format!("write {key} = \"{stated}\""),
        };
        (message, help)
    }

    /// The quantity within a sentence, with the unit of results.
    pub(crate) fn describe(self) -> String {
        match self.unit {
            Unit::BIT => "an amount of data in bytes".to_owned(),
            unit if unit.size() == 1.0 => unit.describe(),
            unit => format!("a quantity in {}", unit.symbol()),
        }
    }

    /// A number of results as a file states it.
    pub(crate) fn stated(self, number: f64) -> String {
        if self.size == self.unit.size() {
            self.unit.stated(number)
        } else {
            self.unit.stated(number * self.size / self.unit.size())
        }
    }

    /// The larger or smaller unit that a bare number may have been meant in.
    fn usual(self, number: f64) -> Option<(&'static str, String)> {
        let unit = match self.unit {
            Unit::BIT_PER_SECOND if number.abs() < 1e4 => "Mbps",
            Unit::SECOND if number.abs() >= 1.0 => "ms",
            Unit::BIT if number.abs() < 1e3 => "KB",
            _ => return None,
        };
        Some((unit, format!("{number}{unit}")))
    }

    fn no_share(self, text: &str) -> Refusal {
        let message = format!(
            "{text} is a share, and this is {}: a share of what?",
            self.describe()
        );
        let help = match self.unit {
            Unit::BIT_PER_SECOND => {
                "write a rate such as \"9Mbps\", a share of one, \"= 0.9 * rate(LINK)\", or claim a ratio by over or per"
            }
            _ => "write an amount with its unit, a formula, or claim a ratio by over or per",
        };
        (message, help.to_owned())
    }

    /// Advice on amounts of this unit.
    fn remedy(self) -> String {
        let example = match self.unit {
            Unit::ONE => {
                return "write 0.9, \"90%\" or a formula without a unit; divide y by a quantity if it shall be one"
                    .to_owned();
            }
            Unit::BIT_PER_SECOND => "\"9.5Mbps\" or \"= 0.9 * rate(LINK)\"",
            Unit::SECOND => "\"5ms\"",
            Unit::BIT => "\"3KB\"",
            Unit::PACKET => "\"12pkts\"",
            Unit::PER_SECOND => "\"2/s\"",
            unit => {
                let symbol = unit.symbol();
                return format!(
                    "write a number and its unit, \"1.5 {symbol}\", or divide y by a quantity until its unit is plain"
                );
            }
        };
        format!("write an amount such as {example}")
    }
}

impl Stated {
    pub(crate) fn plain(number: f64) -> Stated {
        Stated {
            number,
            in_percent: false,
        }
    }
}

/// The number that times a factor is this one. Powers of ten are taken from its exponent, so that
/// they round nothing.
fn unscaled(number: f64, times: f64) -> f64 {
    let factor = format!("{times:e}");
    let Some(tens) = factor
        .strip_prefix("1e")
        .and_then(|tens| tens.parse::<i32>().ok())
    else {
        return number / times;
    };
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent = exponent.parse::<i32>().unwrap_or(0) - tens;
    format!("{digits}e{exponent}")
        .parse()
        .unwrap_or(number / times)
}
