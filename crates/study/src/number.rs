//! Values as numbers with a unit: the coordinates of an axis in a figure.

use pacesim_language::length::Length;
use pacesim_language::tree::Toml;
use pacesim_units::{Bytes, Capacity, Rate, Span};

/// A quantity in the integer base units of its kind, in which ranges are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Quantity {
    /// A time in picoseconds.
    Span(u64),
    /// A rate in bit/s.
    Rate(u64),
    Bytes(u64),
    Packets(u64),
    Metres(u64),
    Whole(i64),
    Number(f64),
}

/// The number of a value, in seconds, bit/s, bytes, packets or metres if it has a unit.
pub fn number(value: &Toml) -> Option<f64> {
    Quantity::of(value).map(Quantity::number)
}

impl Quantity {
    /// The quantity of a value, if it has one.
    pub(crate) fn of(value: &Toml) -> Option<Quantity> {
        match value {
            Toml::Text(text) => Quantity::of_text(text),
            Toml::Integer(n) => i64::try_from(*n).ok().map(Quantity::Whole),
            Toml::Float(x) => x.is_finite().then_some(Quantity::Number(*x)),
            _ => None,
        }
    }

    fn of_text(text: &str) -> Option<Quantity> {
        if let Ok(span) = text.parse::<Span>() {
            return Some(Quantity::Span(span.as_ps()));
        }
        if let Ok(rate) = text.parse::<Rate>() {
            return Some(Quantity::Rate(rate.as_bps()));
        }
        if let Ok(length) = text.parse::<Length>() {
            return Some(Quantity::Metres(length.metres));
        }
        match text.parse::<Capacity>().ok()? {
            Capacity::Packets(n) => Some(Quantity::Packets(n)),
            Capacity::Bytes(Bytes(n)) => Some(Quantity::Bytes(n)),
            Capacity::Unlimited => None,
        }
    }

    /// Unit of its number, as in column names; empty for a plain number.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Quantity::Span(_) => "s",
            Quantity::Rate(_) => "bps",
            Quantity::Bytes(_) => "bytes",
            Quantity::Packets(_) => "pkts",
            Quantity::Metres(_) => "m",
            Quantity::Whole(_) | Quantity::Number(_) => "",
        }
    }

    /// The number in the unit of its kind.
    pub(crate) fn number(self) -> f64 {
        match self {
            Quantity::Span(ps) => ps as f64 / 1e12,
            _ => self.in_base_units(),
        }
    }

    /// The number in the base units, in which it is an integer.
    pub(crate) fn in_base_units(self) -> f64 {
        match self {
            Quantity::Span(n)
            | Quantity::Rate(n)
            | Quantity::Bytes(n)
            | Quantity::Packets(n)
            | Quantity::Metres(n) => n as f64,
            Quantity::Whole(n) => n as f64,
            Quantity::Number(x) => x,
        }
    }

    /// Another quantity of the same kind, in base units; an integer stays one.
    pub(crate) fn with_base_units(self, x: f64) -> Quantity {
        let whole = x.round().max(0.0) as u64;
        match self {
            Quantity::Span(_) => Quantity::Span(whole),
            Quantity::Rate(_) => Quantity::Rate(whole),
            Quantity::Bytes(_) => Quantity::Bytes(whole),
            Quantity::Packets(_) => Quantity::Packets(whole),
            Quantity::Metres(_) => Quantity::Metres(whole),
            Quantity::Whole(_) => Quantity::Whole(x.round() as i64),
            Quantity::Number(_) => Quantity::Number(x),
        }
    }

    /// The value as written in a file.
    pub(crate) fn written(self) -> Toml {
        match self {
            Quantity::Span(ps) => Toml::Text(Span::from_ps(ps).to_string()),
            Quantity::Rate(bps) => {
                let rate = Rate::from_bps(bps.max(1)).expect("at least a bit per second");
                Toml::Text(rate.to_string())
            }
            Quantity::Bytes(n) => Toml::Text(Bytes(n).to_string()),
            Quantity::Packets(n) => Toml::Text(Capacity::Packets(n).to_string()),
            Quantity::Metres(metres) => Toml::Text(Length { metres }.to_string()),
            Quantity::Whole(n) => Toml::Integer(n.into()),
            Quantity::Number(x) => Toml::Float(x),
        }
    }
}
