//! Amounts as claims state them: a number and a product of powers of units, such as "18.7 Mbps",
//! "-0.14/KB", "2.8 Mbps^2", "90%".

use pacesim_units::{Quantity, unit_like, unit_named};

use crate::expression::unit::Unit;
use crate::expression::value::Value;

/// A refusal: the message and the remedy.
type Refusal = (String, String);

/// One unit as a factor: `multiple` times a power of ten of base units.
#[derive(Clone, Copy, Debug)]
struct Factor {
    unit: Unit,
    multiple: f64,
    tens: i32,
}

/// Powers beyond this one are no unit of a result.
const MOST_POWER: i16 = 9;

impl Value {
    /// Reads an amount. The number keeps every digit: 9.6 Mbps is the number 9.6e6.
    pub fn amount(text: &str) -> Result<Value, Refusal> {
        let text = text.trim();
        let end = number_length(text);
        let (digits, rest) = text.split_at(end);
        let digits = digits.replace('−', "-").replace('_', "");
        if digits.parse::<f64>().is_err() {
            let message = format!("\"{text}\" does not begin with a number");
            return Err((message, HELP.to_owned()));
        }
        let factor = match rest.trim() {
            "" => Factor::ONE,
            "%" => Factor {
                tens: -2,
                ..Factor::ONE
            },
            units => product(units)?,
        };
        let number = factor.of(&digits);
        if number.is_finite() {
            Ok(Value::new(number, factor.unit))
        } else {
            Err((format!("\"{text}\" is beyond all numbers"), HELP.to_owned()))
        }
    }
}

const HELP: &str =
    "write a number and its unit, such as 9.6Mbps, 5ms, 3KB, 12pkts, 2/s or 1.5 Mbps^2";

impl Factor {
    const ONE: Factor = Factor {
        unit: Unit::ONE,
        multiple: 1.0,
        tens: 0,
    };

    /// This many of it, in base units. Powers of ten become part of the digits, so that they round
    /// nothing.
    fn of(self, digits: &str) -> f64 {
        let (digits, tens) = match digits.split_once(['e', 'E']) {
            Some((digits, tens)) => (digits, tens.parse().unwrap_or(i32::MAX / 2)),
            None => (digits, 0_i32),
        };
        let decimal = format!("{digits}e{}", tens.saturating_add(self.tens));
        decimal.parse::<f64>().unwrap_or(f64::NAN) * self.multiple
    }

    fn named(name: &str) -> Result<Factor, Refusal> {
        let (unit, size) = match name {
            "bit" => (Unit::BIT, 1),
            "kbit" => (Unit::BIT, 1_000),
            "Mbit" => (Unit::BIT, 1_000_000),
            "Gbit" => (Unit::BIT, 1_000_000_000),
            "m" => (Unit::METRE, 1),
            "km" => (Unit::METRE, 1_000),
            _ => return Factor::of_quantity(name),
        };
        Ok(Factor::sized(unit, size, 0))
    }

    fn of_quantity(name: &str) -> Result<Factor, Refusal> {
        let Some((kind, size)) = unit_named(name) else {
            let help = match unit_like(name) {
                Some(unit) => format!("did you mean \"{unit}\"?"),
                None => HELP.to_owned(),
            };
            return Err((format!("there is no unit \"{name}\""), help));
        };
        Ok(match kind {
            Quantity::Span => Factor::sized(Unit::SECOND, size, -12),
            Quantity::Rate => Factor::sized(Unit::BIT_PER_SECOND, size, 0),
            Quantity::Bytes => {
                let bytes = Factor::sized(Unit::BIT, size, 0);
                Factor {
                    multiple: 8.0 * bytes.multiple,
                    ..bytes
                }
            }
            _ => Factor::sized(Unit::PACKET, size, 0),
        })
    }

    /// A size without its powers of ten, which are counted.
    fn sized(unit: Unit, mut size: u64, mut tens: i32) -> Factor {
        while size.is_multiple_of(10) {
            size /= 10;
            tens += 1;
        }
        Factor {
            unit,
            multiple: size as f64,
            tens,
        }
    }

    fn power(self, exponent: i16) -> Option<Factor> {
        Some(Factor {
            unit: self.unit.power(exponent)?,
            multiple: libm::pow(self.multiple, f64::from(exponent)),
            tens: self.tens * i32::from(exponent),
        })
    }

    fn times(self, other: Factor) -> Option<Factor> {
        Some(Factor {
            unit: self.unit.times(other.unit)?,
            multiple: self.multiple * other.multiple,
            tens: self.tens + other.tens,
        })
    }
}

/// A product of powers of units: "Mbps^2", "/KB", "pkts/s".
fn product(text: &str) -> Result<Factor, Refusal> {
    let wrong = || (format!("\"{text}\" is not a unit"), HELP.to_owned());
    let mut all = Factor::ONE;
    let mut rest = text;
    let mut is_first = true;
    while !rest.is_empty() {
        let sign = rest.chars().next().filter(|c| "*/·".contains(*c));
        if sign.is_none() && !is_first {
            return Err(wrong());
        }
        rest = rest[sign.map_or(0, char::len_utf8)..].trim_start();
        let end = rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len());
        let factor = Factor::named(&rest[..end])?;
        let (exponent, length) = exponent(&rest[end..]).ok_or_else(wrong)?;
        let exponent = if sign == Some('/') {
            -exponent
        } else {
            exponent
        };
        let next = factor.power(exponent).and_then(|next| all.times(next));
        all = next.ok_or_else(wrong)?;
        rest = rest[end + length..].trim_start();
        is_first = false;
    }
    Ok(all)
}

/// A power and its length in bytes: "^2", "²"; one if there is none.
fn exponent(text: &str) -> Option<(i16, usize)> {
    for (sign, power) in [('²', 2), ('³', 3)] {
        if text.starts_with(sign) {
            return Some((power, sign.len_utf8()));
        }
    }
    let Some(digits) = text.strip_prefix('^') else {
        return Some((1, 0));
    };
    let sign = usize::from(digits.starts_with('-'));
    let end = digits[sign..].find(|c: char| !c.is_ascii_digit());
    let end = end.map_or(digits.len(), |end| sign + end);
    let power: i16 = digits[..end].parse().ok()?;
    (power.abs() <= MOST_POWER).then_some((power, 1 + end))
}

/// Bytes of the number at the beginning: "-0.14", "1.5e-3".
fn number_length(text: &str) -> usize {
    let is_digit = |at: usize| text[at..].starts_with(|c: char| c.is_ascii_digit());
    let mut end = match text.chars().next() {
        Some(sign @ ('-' | '+' | '−')) => sign.len_utf8(),
        _ => 0,
    };
    while text[end..].starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '_') {
        end += 1;
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        if is_digit(end + 1 + signed) {
            end += 1 + signed;
            while is_digit(end) {
                end += 1;
            }
        }
    }
    end
}
