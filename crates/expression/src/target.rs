//! Results in the notation of scenario files.

use crate::evaluate::Names;
use crate::parser::Expression;
use crate::problem::Problem;
use crate::unit::Unit;
use crate::value::Value;

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

/// The largest result in the smallest units, which are exact up to it.
const MOST: f64 = (1_u64 << 53) as f64;

impl Target {
    /// The expected units.
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
        let number = value.number;
        let whole = |scale: f64, unit: &str| self.whole(number * scale, unit);
        match target {
            Target::Rate => whole(1.0, "bps"),
            Target::Span => whole(1e12, "ps"),
            Target::Bytes => whole(0.125, "B"),
            Target::Packets => whole(1.0, "pkts"),
            Target::Capacity if value.unit == Unit::PACKET => whole(1.0, "pkts"),
            Target::Capacity => whole(0.125, "B"),
            Target::Count => whole(1.0, ""),
            Target::Window if number < 0.0 => self.whole(number, "pkts"),
            Target::Window => Ok(format!("{number}pkts")),
            Target::Number => Ok(format!("{number:?}")),
        }
    }

    fn whole(&self, number: f64, unit: &str) -> Result<String, Problem> {
        let rounded = libm::round(number);
        let problem = |message: String, help| Problem::new(self.root.at.clone(), message, help);
        if rounded < 0.0 {
            let message = format!("this is negative: {rounded}{unit}");
            return Err(problem(
                message,
                "choose values with a result of zero or more",
            ));
        }
        if rounded > MOST {
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
