//! Numbers with their units.

use pacesim_units::{Bytes, Capacity, Rate, Span};

use crate::unit::Unit;

/// A number in base units (bit, s, pkt), and its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The number.
    pub number: f64,
    /// The unit.
    pub unit: Unit,
}

const PS_PER_SECOND: f64 = 1e12;

impl Value {
    /// A plain number.
    pub fn plain(number: f64) -> Value {
        let unit = Unit::ONE;
        Value { number, unit }
    }

    /// A number of packets.
    pub fn packets(packets: u64) -> Value {
        let unit = Unit::PACKET;
        Value {
            number: packets as f64,
            unit,
        }
    }

    /// A quantity as it is written, such as "10Mbps".
    pub(crate) fn written(text: &str) -> Option<Value> {
        if let Ok(number) = text.replace('_', "").parse() {
            return Some(Value::plain(number));
        }
        let span = text.parse::<Span>().map(Value::from);
        let rate = || text.parse::<Rate>().map(Value::from);
        let bytes = || text.parse::<Bytes>().map(Value::from);
        if let Ok(value) = span.or_else(|_| rate()).or_else(|_| bytes()) {
            return Some(value);
        }
        match text.parse() {
            Ok(Capacity::Packets(packets)) => Some(Value::packets(packets)),
            _ => None,
        }
    }
}

impl From<Span> for Value {
    fn from(span: Span) -> Value {
        Value {
            number: span.as_ps() as f64 / PS_PER_SECOND,
            unit: Unit::SECOND,
        }
    }
}

impl From<Rate> for Value {
    fn from(rate: Rate) -> Value {
        Value {
            number: rate.as_bps() as f64,
            unit: Unit::BIT_PER_SECOND,
        }
    }
}

impl From<Bytes> for Value {
    fn from(bytes: Bytes) -> Value {
        Value {
            number: bytes.get() as f64 * 8.0,
            unit: Unit::BIT,
        }
    }
}
