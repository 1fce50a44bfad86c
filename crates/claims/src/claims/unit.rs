//! Conversion of the numbers of claims to text.

use pacesim_study::{Shown, Unit};

use super::{Claim, Value, six_digits};

/// The unit in which texts state a claim's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InUnit {
    unit: Unit,
    in_percent: bool,
}

impl Claim {
    /// The unit in which the claim's numbers are shown.
    pub fn shown(&self) -> InUnit {
        let unit = self.unit.as_deref().and_then(Unit::of_symbol);
        InUnit::new(unit.unwrap_or(Unit::ONE), self.in_percent)
    }

    /// Sets the unit in which its numbers are shown.
    pub fn in_unit(mut self, unit: Unit, in_percent: bool) -> Claim {
        self.unit = (unit != Unit::ONE).then(|| unit.symbol());
        self.in_percent = in_percent;
        self
    }

    /// Formats pacesim's number with its interval: "18.7 Mbps (18.5 to 18.9)".
    pub fn ours(&self) -> String {
        let interval = self.low.zip(self.high);
        self.shown().estimate(self.ours.as_ref(), interval)
    }

    /// The number of ns-2 with its interval, if it was run.
    pub fn number_of_ns2(&self) -> Option<String> {
        let number = Value::Number(self.ns2?);
        let interval = self.ns2_low.zip(self.ns2_high);
        Some(self.shown().estimate(Some(&number), interval))
    }
}

impl InUnit {
    /// Numbers of this unit, or shares that are shown as percentages.
    pub fn new(unit: Unit, in_percent: bool) -> InUnit {
        InUnit { unit, in_percent }
    }

    /// The scale for numbers of this size; none for numbers without a unit.
    fn scale(self, number: f64) -> Option<Shown> {
        match (self.in_percent, self.unit) {
            (true, _) => Some(Shown::percent()),
            (false, Unit::ONE) => None,
            (false, unit) => Some(unit.shown_for(number)),
        }
    }

    /// Formats a number: "18.7 Mbps".
    pub fn text(self, number: f64) -> String {
        match self.scale(number) {
            Some(scale) if number.is_finite() => scale.text(number),
            _ => six_digits(number),
        }
    }

    /// Formats a number or words.
    pub fn value(self, value: Option<&Value>) -> String {
        match value {
            Some(Value::Number(number)) => self.text(*number),
            Some(Value::Text(text)) => text.clone(),
            None => String::new(),
        }
    }

    /// A number with its interval, with the digits that this resolves if it has a unit; words with the
    /// interval of the closest call.
    pub fn estimate(self, value: Option<&Value>, interval: Option<(f64, f64)>) -> String {
        let text = self.value(value);
        let Some((low, high)) = interval else {
            return text;
        };
        match (value, self.scale(low.abs().max(high.abs()))) {
            (Some(Value::Number(number)), Some(scale)) => scale.estimate(*number, (low, high)),
            (_, Some(_)) => format!("{text} ({} to {})", self.text(low), self.text(high)),
            (_, None) => format!("{text} ({} to {})", six_digits(low), six_digits(high)),
        }
    }

    /// Formats several numbers: "18.7, 9.35 Mbps".
    pub fn list(self, numbers: &[f64]) -> String {
        let most = numbers
            .iter()
            .fold(0.0, |most: f64, number| most.max(number.abs()));
        match self.scale(most) {
            Some(scale) => scale.list(numbers),
            None => {
                let texts = numbers.iter().map(|number| format!("{number:.4}"));
                texts.collect::<Vec<String>>().join(", ")
            }
        }
    }
}
