//! Numbers with their units.

use pacesim_units::{Bytes, Capacity, Rate, Span};

use crate::expression::ratio::Ratio;
use crate::expression::unit::Unit;

/// A number in base units (bit, s, pkt), and its unit.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Number in base units.
    pub number: f64,
    /// Unit of the number.
    pub unit: Unit,
    /// The same number without rounding, if it is a fraction that fits.
    pub(crate) exact: Option<Ratio>,
}

/// Equal numbers of one unit, however they are known.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        (self.number, self.unit) == (other.number, other.unit)
    }
}

const PS_PER_SECOND: i128 = 1_000_000_000_000;

impl Value {
    /// A number in this unit.
    pub fn new(number: f64, unit: Unit) -> Value {
        let exact = None;
        Value {
            number,
            unit,
            exact,
        }
    }

    /// The quotient of two whole numbers.
    pub fn quotient(above: i128, below: i128, unit: Unit) -> Value {
        let number = above as f64 / below as f64;
        Value::of(number, Ratio::new(above, below), unit)
    }

    /// A number that is known without rounding, or else only as a float.
    pub(crate) fn of(number: f64, exact: Option<Ratio>, unit: Unit) -> Value {
        Value {
            number: exact.map_or(number, Ratio::to_f64),
            unit,
            exact,
        }
    }

    fn whole(number: i128, unit: Unit) -> Value {
        Value::quotient(number, 1, unit)
    }

    /// A number without a unit.
    pub fn plain(number: f64) -> Value {
        Value::new(number, Unit::ONE)
    }

    /// A count of things.
    pub fn count(number: u64) -> Value {
        Value::whole(number.into(), Unit::ONE)
    }

    /// A number of packets.
    pub fn packets(packets: u64) -> Value {
        Value::whole(packets.into(), Unit::PACKET)
    }

    /// The product of two numbers in this unit.
    pub fn product(self, other: Value, unit: Unit) -> Value {
        let exact = self.exact.zip(other.exact);
        let exact = exact.and_then(|(a, b)| a.times(b));
        Value::of(self.number * other.number, exact, unit)
    }

    /// The quotient by a plain number, in the same unit.
    pub fn shared_by(self, count: f64) -> Value {
        let whole = (libm::trunc(count) == count && count.abs() < 1e15).then_some(count as i128);
        let exact = whole.and_then(|count| self.exact?.over(Ratio::new(count, 1)?));
        Value::of(self.number / count, exact, self.unit)
    }

    /// A quantity as it is written, such as "10Mbps".
    pub fn written(text: &str) -> Option<Value> {
        if let Ok(number) = text.replace('_', "").parse() {
            let exact = Ratio::parse(text);
            return Some(Value {
                exact,
                ..Value::plain(number)
            });
        }
        let span = text.parse::<Span>().map(Value::from);
        let rate = || text.parse::<Rate>().map(Value::from);
        let bytes = || text.parse::<Bytes>().map(Value::from);
        if let Ok(value) = span.or_else(|_| rate()).or_else(|_| bytes()) {
            return Some(value);
        }
        match text.parse() {
            Ok(Capacity::Packets(packets)) => Some(Value::packets(packets)),
            _ => is_no_rate(text).then(|| Value::whole(0, Unit::BIT_PER_SECOND)),
        }
    }
}

/// True for "0bps": no rate of a key, but a quantity to compare with or to add.
fn is_no_rate(text: &str) -> bool {
    let unit = text.trim_start_matches(['0', '.', '_']);
    unit.len() < text.len() && format!("1{unit}").parse::<Rate>().is_ok()
}

impl From<Span> for Value {
    fn from(span: Span) -> Value {
        Value::quotient(span.as_ps().into(), PS_PER_SECOND, Unit::SECOND)
    }
}

impl From<Rate> for Value {
    fn from(rate: Rate) -> Value {
        Value::whole(rate.as_bps().into(), Unit::BIT_PER_SECOND)
    }
}

impl From<Bytes> for Value {
    fn from(bytes: Bytes) -> Value {
        Value::whole(i128::from(bytes.get()) * 8, Unit::BIT)
    }
}
