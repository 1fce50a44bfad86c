//! Quantities with units, in realistic notation.

use crate::dice::Dice;

/// The orders of magnitude of one scenario, so that its packets, rates and times fit together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// The approximate length of the run, in picoseconds.
    pub(crate) span_ps: u64,
    /// The rate of a typical link.
    pub(crate) rate_bps: u64,
    /// The size of a typical packet.
    pub(crate) packet_bytes: u64,
}

impl Scale {
    /// Draws a scale: some hundred packets at any rate.
    pub(crate) fn draw(dice: &mut Dice) -> Scale {
        let rate_bps = dice.magnitude(10_000, 40_000_000_000);
        let packet_bytes = dice.magnitude(60, 9_000);
        let packets = dice.magnitude(20, 2_000);
        let span = u128::from(packets * packet_bytes * 8) * 1_000_000_000_000;
        let span_ps = (span / u128::from(rate_bps)).min(1_000_000_000_000_000) as u64;
        Scale {
            span_ps: span_ps.max(1),
            rate_bps,
            packet_bytes,
        }
    }
}

/// The quantity that a string in a scenario measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// "20ms".
    Span,
    /// "10Mbps".
    Rate,
    /// "1500B".
    Bytes,
    /// "20pkts".
    Packets,
    /// "20pkts", "10KB" or "unlimited".
    Capacity,
    /// "120km".
    Length,
}

/// A quantity with its text.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    /// The value in the smallest unit.
    pub(crate) number: u64,
    /// The text with a unit.
    pub(crate) text: String,
}

const SPANS: &[(&str, u64)] = &[
    ("ps", 1),
    ("ns", 1_000),
    ("us", 1_000_000),
    ("µs", 1_000_000),
    ("ms", 1_000_000_000),
    ("s", 1_000_000_000_000),
];
const RATES: &[(&str, u64)] = &[
    ("bps", 1),
    ("kbps", 1_000),
    ("Mbps", 1_000_000),
    ("Gbps", 1_000_000_000),
];
const BYTES: &[(&str, u64)] = &[("B", 1), ("KB", 1_000)];
const PACKETS: &[(&str, u64)] = &[("pkts", 1)];
const LENGTHS: &[(&str, u64)] = &[("m", 1), ("km", 1_000)];

impl Quantity {
    /// The quantity described by a pattern of the JSON schema, recognised by its units.
    pub(crate) fn of_pattern(pattern: &str) -> Option<Quantity> {
        const UNITS: &[(&str, Quantity)] = &[
            ("(ps|", Quantity::Span),
            ("bps", Quantity::Rate),
            ("unlimited", Quantity::Capacity),
            ("pkts", Quantity::Packets),
            ("k?m$", Quantity::Length),
            ("B", Quantity::Bytes),
        ];
        let found = UNITS.iter().find(|(unit, _)| pattern.contains(unit));
        found.map(|(_, quantity)| *quantity)
    }

    /// A random amount, usually of the scenario's magnitude, sometimes at an end of the full range.
    pub(crate) fn draw(self, scale: &Scale, dice: &mut Dice) -> Amount {
        if dice.one_in(150) {
            let number = *dice.pick(&[0, 1, 2, u32::MAX.into(), i64::MAX as u64, u64::MAX]);
            return self.amount(number, dice);
        }
        let number = match self {
            Quantity::Span if dice.one_in(20) => 0,
            Quantity::Span => dice.magnitude(scale.span_ps / 5_000, scale.span_ps * 2),
            Quantity::Rate => dice.magnitude(scale.rate_bps / 16, scale.rate_bps * 8),
            Quantity::Bytes => dice.magnitude(scale.packet_bytes / 16, scale.packet_bytes * 4),
            Quantity::Packets => dice.magnitude(1, 200),
            Quantity::Length => dice.magnitude(1, 5_000_000),
            Quantity::Capacity => match dice.below(5) {
                0 => return unlimited(),
                1 | 2 => return Quantity::Packets.draw(scale, dice),
                _ => dice.magnitude(scale.packet_bytes, scale.packet_bytes * 100),
            },
        };
        self.amount(few_digits(number, dice), dice)
    }

    fn amount(self, number: u64, dice: &mut Dice) -> Amount {
        let units = match self {
            Quantity::Span => SPANS,
            Quantity::Rate => RATES,
            Quantity::Bytes | Quantity::Capacity => BYTES,
            Quantity::Packets => PACKETS,
            Quantity::Length => LENGTHS,
        };
        let text = written(number, *dice.pick(units));
        Amount { number, text }
    }
}

fn unlimited() -> Amount {
    Amount {
        number: u64::MAX,
        text: "unlimited".to_owned(),
    }
}

/// Usually a number in common notation, with two digits and zeros.
fn few_digits(number: u64, dice: &mut Dice) -> u64 {
    if dice.percent(30) {
        return number;
    }
    let mut step = 1;
    while number / step >= 100 {
        step *= 10;
    }
    number - number % step
}

/// A number of smallest units, converted exactly to a multiple of them.
fn written(number: u64, (unit, size): (&str, u64)) -> String {
    let (whole, rest) = (number / size, number % size);
    if rest == 0 {
        return format!("{whole}{unit}");
    }
    let decimals = size.ilog10() as usize;
    let fraction = format!("{rest:0>decimals$}");
    format!("{whole}.{}{unit}", fraction.trim_end_matches('0'))
}

/// A time in exact notation.
pub(crate) fn span_text(ps: u64) -> String {
    let exact = SPANS
        .iter()
        .rev()
        .find(|(_, size)| ps.is_multiple_of(*size));
    written(ps, *exact.expect("picoseconds divide every time"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::units::{Bytes, Rate, Span};

    #[test]
    fn what_is_written_reads_the_same() {
        let mut dice = Dice::new(1);
        for _ in 0..2_000 {
            let scale = Scale::draw(&mut dice);
            let span = Quantity::Span.draw(&scale, &mut dice);
            let read: Span = span.text.parse().expect("a time");
            assert_eq!(read.as_ps(), span.number, "{}", span.text);
            let rate = Quantity::Rate.draw(&scale, &mut dice);
            let read = rate.text.parse().map_or(0, Rate::as_bps);
            assert_eq!(read, rate.number, "{}", rate.text);
            let bytes = Quantity::Bytes.draw(&scale, &mut dice);
            let read: Bytes = bytes.text.parse().expect("a size");
            assert_eq!(read.0, bytes.number, "{}", bytes.text);
        }
    }
}
