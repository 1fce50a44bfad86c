//! Results in the notation of scenario files.

use crate::expression::evaluate::Names;
use crate::expression::parser::Expression;
use crate::expression::problem::Problem;
use crate::expression::ratio::Ratio;
use crate::expression::unit::Unit;
use crate::expression::value::Value;

/// The quantity that an expression must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A rate.
    Rate,
    /// A time.
    Span,
    /// An amount of data.
    Bytes,
    /// A whole number of packets.
    Packets,
    /// A number of packets that need not be whole.
    Window,
    /// Either an amount of data or a number of packets.
    Capacity,
    /// A whole number.
    Count,
    /// Any number.
    Number,
}

/// The largest result in the smallest units.
const MOST: u64 = u64::MAX;

impl Target {
    /// Units that are expected.
    fn units(self) -> &'static [Unit] {
        match self {
            Target::Rate => &[Unit::BIT_PER_SECOND],
            Target::Span => &[Unit::SECOND],
            Target::Bytes => &[Unit::BIT],
            Target::Packets | Target::Window => &[Unit::PACKET],
            Target::Capacity => &[Unit::BIT, Unit::PACKET],
            Target::Count | Target::Number => &[Unit::ONE],
        }
    }

    fn describe(self) -> String {
        let units = self.units().iter().map(|unit| unit.describe());
        units.collect::<Vec<_>>().join(" or ")
    }
}

impl Expression {
    /// The value in the notation of scenario files, rounded to bit/s, ps, bytes, packets or whole
    /// numbers.
    pub fn resolve(&self, names: &dyn Names, target: Target) -> Result<String, Problem> {
        let value = self.value(names)?;
        if !target.units().contains(&value.unit) {
            let (found, expected) = (value.unit.describe(), target.describe());
            let message = format!("this is {found}, but {expected} is expected");
            return Err(Problem::new(
                self.root.at.clone(),
                message,
                conversion(value.unit),
            ));
        }
        self.written(value, target)
    }

    fn written(&self, value: Value, target: Target) -> Result<String, Problem> {
        // Without the sign of a negative zero.
        let number = value.number + 0.0;
        let whole = |above, below, unit: &str| self.whole(value, Ratio::new(above, below), unit);
        match target {
            Target::Rate => whole(1, 1, "bps"),
            Target::Span => whole(1_000_000_000_000, 1, "ps"),
            Target::Bytes => whole(1, 8, "B"),
            Target::Packets => whole(1, 1, "pkts"),
            Target::Capacity if value.unit == Unit::PACKET => whole(1, 1, "pkts"),
            Target::Capacity => whole(1, 8, "B"),
            Target::Count => whole(1, 1, ""),
            Target::Window if number < 0.0 => whole(1, 1, "pkts"),
            Target::Window => Ok(format!("{number}pkts")),
            Target::Number => Ok(format!("{number:?}")),
        }
    }

    /// The nearest whole number of units, of which a base unit has `scale`.
    fn whole(&self, value: Value, scale: Option<Ratio>, unit: &str) -> Result<String, Problem> {
        let scale = scale.expect("a scale has a denominator");
        let exact = value.exact.and_then(|exact| exact.times(scale)?.rounded());
        // A float's cast saturates.
        let rounded = exact.unwrap_or_else(|| libm::round(value.number * scale.to_f64()) as i128);
        let problem = |message: String, help| Problem::new(self.root.at.clone(), message, help);
        if rounded < 0 {
            let message = format!("this is negative: {rounded}{unit}");
            return Err(problem(
                message,
                "choose values with a result of zero or more",
            ));
        }
        if rounded > i128::from(MOST) {
            let message = format!("this is more than {MOST}{unit}");
            return Err(problem(message, "choose smaller values"));
        }
        Ok(format!("{rounded}{unit}"))
    }
}

/// Advice for a result of this unit.
fn conversion(unit: Unit) -> &'static str {
    match unit {
        Unit::BIT => "divide by a rate for a time, or by the size of a packet (\"/ 1000B * 1pkt\")",
        Unit::BIT_PER_SECOND => "multiply by a time for an amount of data",
        Unit::PACKET => "multiply by a size (\"* 1000B / 1pkt\") for an amount of data",
        Unit::ONE => "multiply by a quantity, such as 1pkt",
        _ => "multiply or divide by quantities until the unit fits",
    }
}
