//! Quantities with units: conversion from strings to exact integers and back.

use std::error::Error;
use std::fmt;

/// Resolution of a window, in parts of a packet.
pub(crate) const PARTS: u64 = 1_000_000;

/// The kind of quantity that a string gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A length of time, in picoseconds.
    Span,
    /// A rate, in bits per second.
    Rate,
    /// A size, in bytes.
    Bytes,
    /// A number of packets.
    Packets,
    /// A window: packets and fractions of packets.
    Window,
    /// A buffer: packets, bytes or "unlimited".
    Capacity,
}

impl Quantity {
    /// Name of the quantity, for a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Span => "time",
            Quantity::Rate => "rate",
            Quantity::Bytes => "size",
            Quantity::Packets => "number of packets",
            Quantity::Window => "window",
            Quantity::Capacity => "buffer",
        }
    }

    /// Units of the quantity, for a sentence.
    pub fn units(self) -> &'static str {
        match self {
            Quantity::Span => "ps, ns, us, ms, s, min or h",
            Quantity::Rate => "bps, kbps, Mbps, Gbps or Tbps",
            Quantity::Bytes => "B, KB, MB, GB (1000) or KiB, MiB, GiB (1024)",
            Quantity::Packets | Quantity::Window => "pkts",
            Quantity::Capacity => {
                "pkts, B, KB, MB, GB (1000), KiB, MiB, GiB (1024), or \"unlimited\""
            }
        }
    }

    /// A valid string of this kind, as an example.
    pub fn example(self) -> &'static str {
        match self {
            Quantity::Span => "20ms",
            Quantity::Rate => "10Mbps",
            Quantity::Bytes => "1.5KB",
            Quantity::Packets => "40pkts",
            Quantity::Window => "12.5pkts",
            Quantity::Capacity => "10KB",
        }
    }

    /// Units of this quantity with their multiples of its base unit.
    fn table(self) -> &'static [(&'static str, u64)] {
        match self {
            Quantity::Span => &[
                ("ps", 1),
                ("ns", 1_000),
                ("us", 1_000_000),
                ("µs", 1_000_000),
                ("μs", 1_000_000),
                ("ms", 1_000_000_000),
                ("s", 1_000_000_000_000),
                ("min", 60_000_000_000_000),
                ("h", 3_600_000_000_000_000),
            ],
            Quantity::Rate => &[
                ("bps", 1),
                ("kbps", 1_000),
                ("Kbps", 1_000),
                ("Mbps", 1_000_000),
                ("Gbps", 1_000_000_000),
                ("Tbps", 1_000_000_000_000),
                ("bit/s", 1),
                ("kbit/s", 1_000),
                ("Mbit/s", 1_000_000),
                ("Gbit/s", 1_000_000_000),
                ("Tbit/s", 1_000_000_000_000),
            ],
            Quantity::Bytes | Quantity::Capacity => &[
                ("B", 1),
                ("kB", 1_000),
                ("KB", 1_000),
                ("MB", 1_000_000),
                ("GB", 1_000_000_000),
                ("KiB", 1 << 10),
                ("MiB", 1 << 20),
                ("GiB", 1 << 30),
            ],
            Quantity::Packets => &[("pkt", 1), ("pkts", 1), ("packet", 1), ("packets", 1)],
            Quantity::Window => &[
                ("pkt", PARTS),
                ("pkts", PARTS),
                ("packet", PARTS),
                ("packets", PARTS),
            ],
        }
    }
}

/// Reason why a string is not the expected quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not start with a plain decimal number.
    NotANumber,
    /// A bare number: the unit is missing.
    NoUnit,
    /// A unit of another kind, or an unknown one; with the nearest valid one.
    UnknownUnit {
        /// Unit as it is written.
        unit: String,
        /// Unit that differs from it only in case.
        did_you_mean: Option<&'static str>,
    },
    /// Finer than one picosecond, bit per second, byte or packet.
    NotWhole,
    /// The number overflows 64 bits.
    TooLarge,
    /// The value is zero, which is not allowed here.
    Zero,
}

/// A string that is not the expected quantity, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    text: String,
    quantity: Quantity,
    reason: Reason,
}

impl ParseError {
    /// `text` is not a `quantity`, for this reason.
    pub(crate) fn new(text: &str, quantity: Quantity, reason: Reason) -> ParseError {
        ParseError {
            text: text.to_owned(),
            quantity,
            reason,
        }
    }

    /// The quantity that was expected.
    pub fn quantity(&self) -> Quantity {
        self.quantity
    }

    /// Reason why the string is not that quantity.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }
}

impl Error for ParseError {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError {
            text,
            quantity,
            reason,
        } = self;
        let (name, units, example) = (quantity.name(), quantity.units(), quantity.example());
        match reason {
            Reason::NotANumber => {
                write!(
                    f,
                    "\"{text}\" is not a {name}: write a number with a unit, like \"{example}\""
                )
            }
            Reason::NoUnit => {
                write!(
                    f,
                    "\"{text}\" has no unit: a {name} is in {units}, like \"{example}\""
                )
            }
            Reason::UnknownUnit {
                unit,
                did_you_mean: Some(right),
            } => {
                write!(
                    f,
                    "\"{unit}\" is not a unit of {name}: did you mean \"{right}\"?"
                )
            }
            Reason::UnknownUnit {
                unit,
                did_you_mean: None,
            } => {
                write!(f, "\"{unit}\" is not a unit of {name}: use {units}")
            }
            Reason::NotWhole => write!(f, "\"{text}\" is finer than the smallest {name} there is"),
            Reason::TooLarge => write!(f, "\"{text}\" is too large a {name}"),
            Reason::Zero => write!(f, "a {name} of zero makes no sense here"),
        }
    }
}

/// The part of a string after its number, trimmed.
pub(crate) fn unit_of(text: &str) -> &str {
    let end = text
        .find(|c: char| !is_number_char(c))
        .unwrap_or(text.len());
    text[end..].trim()
}

fn is_number_char(c: char) -> bool {
    c.is_ascii_digit() || c == '.' || c == '_'
}

/// The count of base units in a string such as "1.5KB", exact except for times.
pub(crate) fn parse_quantity(text: &str, quantity: Quantity) -> Result<u64, ParseError> {
    let fail = |reason| ParseError::new(text, quantity, reason);
    let trimmed = text.trim();
    let unit = unit_of(trimmed);
    let number = trimmed[..trimmed.len() - unit.len()].trim();
    let (digits, decimals) = parse_decimal(number).map_err(fail)?;
    if unit.is_empty() {
        return Err(fail(Reason::NoUnit));
    }
    let multiple = lookup(unit, quantity).map_err(fail)?;
    let scale = 10u128.pow(decimals);
    let scaled = digits
        .checked_mul(u128::from(multiple))
        .ok_or_else(|| fail(Reason::TooLarge))?;
    let (whole, rest) = (scaled / scale, scaled % scale);
    let rounded = match rest {
        0 => whole,
        _ if quantity == Quantity::Span && whole >= LEAST_ROUNDED_PS => {
            whole + u128::from(rest >= scale.div_ceil(2))
        }
        _ => return Err(fail(Reason::NotWhole)),
    };
    u64::try_from(rounded).map_err(|_| fail(Reason::TooLarge))
}

/// Times of a nanosecond or more are rounded to the nearest picosecond, since their digits are a
/// program's. Below that a fraction may be intended.
const LEAST_ROUNDED_PS: u128 = 1_000;

/// Parses "12.50" as (125, 1): the digits without trailing zeros, and the number of decimals.
fn parse_decimal(number: &str) -> Result<(u128, u32), Reason> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |s: &str| s.chars().all(|c| c.is_ascii_digit() || c == '_');
    if !whole.starts_with(|c: char| c.is_ascii_digit())
        || !is_digits(whole)
        || !is_digits(fraction)
        || (number.contains('.') && !fraction.starts_with(|c: char| c.is_ascii_digit()))
    {
        return Err(Reason::NotANumber);
    }
    let fraction = fraction.trim_end_matches(['0', '_']);
    let mut digits = 0u128;
    for c in whole.chars().chain(fraction.chars()).filter(|c| *c != '_') {
        let digit = u128::from(c as u8 - b'0');
        digits = digits
            .checked_mul(10)
            .and_then(|d| d.checked_add(digit))
            .filter(|d| *d < 1 << 96)
            .ok_or(Reason::TooLarge)?;
    }
    let decimals = fraction.chars().filter(|c| *c != '_').count();
    // A digit finer than 10^-27 of any unit is finer than all base units.
    if decimals > 27 {
        return Err(Reason::NotWhole);
    }
    Ok((digits, decimals as u32))
}

fn lookup(unit: &str, quantity: Quantity) -> Result<u64, Reason> {
    let table = quantity.table();
    if let Some((_, multiple)) = table.iter().find(|(name, _)| *name == unit) {
        return Ok(*multiple);
    }
    let same_but_case = table
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(unit));
    Err(Reason::UnknownUnit {
        unit: unit.to_owned(),
        did_you_mean: same_but_case.map(|(name, _)| *name),
    })
}

/// The quantity that is counted in this unit, and the unit in picoseconds, bit/s, bytes or packets.
pub fn unit_named(unit: &str) -> Option<(Quantity, u64)> {
    const KINDS: [Quantity; 4] = [
        Quantity::Span,
        Quantity::Rate,
        Quantity::Bytes,
        Quantity::Packets,
    ];
    KINDS
        .into_iter()
        .find_map(|kind| Some((kind, lookup(unit, kind).ok()?)))
}

/// The unit that differs from this text only in case: "Mbps" for "mbps".
pub fn unit_like(text: &str) -> Option<&'static str> {
    let kinds = [
        Quantity::Rate,
        Quantity::Bytes,
        Quantity::Span,
        Quantity::Packets,
    ];
    let mut units = kinds.iter().flat_map(|kind| kind.table());
    let found = units.find(|(name, _)| name.eq_ignore_ascii_case(text));
    found.map(|(name, _)| *name)
}

/// Writes a count exactly, in the largest unit not above it.
pub(crate) fn write_exact(
    f: &mut fmt::Formatter<'_>,
    count: u64,
    units: &[(u64, &str)],
    zero: &str,
) -> fmt::Result {
    let Some((multiple, unit)) = units.iter().find(|(multiple, _)| count >= *multiple) else {
        return f.pad(&format!("0{zero}"));
    };
    let (whole, rest) = (count / multiple, count % multiple);
    let mut text = whole.to_string();
    if rest > 0 {
        let width = multiple.ilog10() as usize;
        let decimals = format!("{rest:0width$}");
        text.push('.');
        text.push_str(decimals.trim_end_matches('0'));
    }
    text.push_str(unit);
    f.pad(&text)
}

#[cfg(test)]
mod tests {
    use crate::{Bytes, Rate, Span};
    use proptest::prelude::*;

    #[test]
    fn texts_with_units_are_exact() {
        assert_eq!("20ms".parse(), Ok(Span::from_ms(20)));
        assert_eq!("0.5 us".parse(), Ok(Span::from_ns(500)));
        assert_eq!("2.5µs".parse(), Ok(Span::from_ns(2500)));
        assert_eq!("2min".parse(), Ok(Span::from_secs(120)));
        assert_eq!("1_000s".parse(), Ok(Span::from_secs(1000)));
        assert_eq!("1.5KB".parse(), Ok(Bytes(1500)));
        assert_eq!("2KiB".parse(), Ok(Bytes(2048)));
        assert_eq!("10Mbps".parse(), Ok(Rate::from_mbps(10)));
        assert_eq!("10 Mbit/s".parse(), Ok(Rate::from_mbps(10)));
        assert_eq!(
            "0.374400Mbps".parse::<Rate>().map(Rate::as_bps),
            Ok(374_400)
        );
    }

    /// Programs write all digits of a float.
    #[test]
    fn times_of_a_nanosecond_or_more_are_rounded_to_a_picosecond() {
        let rounded = |text: &str| text.parse::<Span>().map(Span::as_ps);
        assert_eq!(rounded("63.18953829590249ms"), Ok(63_189_538_296));
        assert_eq!(rounded("0.1000000000004s"), Ok(100_000_000_000));
        assert_eq!(rounded("1.0005ns"), Ok(1_001));
        assert_eq!(rounded("1.00049ns"), Ok(1_000));
        assert!(rounded("0.9999ns").is_err());
        assert!("63.18953829590249KB".parse::<Bytes>().is_err());
    }

    #[test]
    fn wrong_texts_say_why() {
        let span = |t: &str| t.parse::<Span>().expect_err(t).to_string();
        let rate = |t: &str| t.parse::<Rate>().expect_err(t).to_string();
        let size = |t: &str| t.parse::<Bytes>().expect_err(t).to_string();
        assert!(span("20").contains("no unit"), "{}", span("20"));
        assert!(
            span("fast").contains("number with a unit"),
            "{}",
            span("fast")
        );
        assert!(
            span("-1ms").contains("number with a unit"),
            "{}",
            span("-1ms")
        );
        assert!(
            span(".5ms").contains("number with a unit"),
            "{}",
            span(".5ms")
        );
        assert!(
            span("1.ms").contains("number with a unit"),
            "{}",
            span("1.ms")
        );
        assert!(span("0.3ps").contains("finer"), "{}", span("0.3ps"));
        assert!(
            span("6000000min").contains("too large"),
            "{}",
            span("6000000min")
        );
        assert!(
            span("99999999999999999999999999999999999h").contains("too large"),
            "{}",
            span("99999999999999999999999999999999999h")
        );
        assert!(
            rate("10mbps").contains("did you mean \"Mbps\"?"),
            "{}",
            rate("10mbps")
        );
        assert!(
            rate("10MB").contains("not a unit of rate"),
            "{}",
            rate("10MB")
        );
        assert!(rate("0bps").contains("zero"), "{}", rate("0bps"));
        assert!(size("1.0005KB").contains("finer"), "{}", size("1.0005KB"));
        assert!(size("").contains("number with a unit"), "{}", size(""));
    }

    proptest! {
        #[test]
        fn printing_and_parsing_are_inverse(n in any::<u64>()) {
            let span = Span::from_ps(n);
            prop_assert_eq!(span.to_string().parse::<Span>(), Ok(span));
            prop_assert_eq!(Bytes(n).to_string().parse::<Bytes>(), Ok(Bytes(n)));
            let rate = Rate::from_bps(n.max(1)).expect("not zero");
            prop_assert_eq!(rate.to_string().parse::<Rate>(), Ok(rate));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,24}|[0-9._]{1,40}[a-zA-Z/µ]{0,7}") {
            let _ = text.parse::<Span>();
            let _ = text.parse::<Rate>();
            let _ = text.parse::<Bytes>();
            let _ = text.parse::<crate::Capacity>();
        }
    }
}
