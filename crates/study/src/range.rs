//! Ranges of values: a number of them from one to another, by equal steps or factors.

use pacesim_language::tree::Toml;

use crate::number::Quantity;

/// The spacing of the values of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Values with equal differences.
    Linear,
    /// Values with equal factors.
    Logarithmic,
}

/// Digits to which the inner values of a logarithmic range are rounded, for tables and legends.
const DIGITS: i32 = 4;

/// Digits of evenly spaced numbers: the precision of a double without the noise of its last bits.
const DIGITS_OF_NUMBERS: i32 = 12;

/// The first or last value of a range, as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    Quantity(Quantity),
    /// A formula without its sign of equality: it has a value at each point of the study.
    Formula(String),
}

impl End {
    pub(crate) fn of(value: &Toml) -> Option<End> {
        let formula = match value {
            Toml::Text(text) => text.trim().strip_prefix('='),
            _ => None,
        };
        match formula {
            Some(formula) => Some(End::Formula(formula.trim().to_owned())),
            None => Quantity::of(value).map(End::Quantity),
        }
    }

    /// The value in a formula of others.
    fn operand(&self) -> String {
        match self {
            End::Quantity(quantity) => match quantity.written() {
                Toml::Text(text) => text,
                _ => quantity.in_base_units().to_string(),
            },
            End::Formula(formula) if formula.contains(['+', '-', '*', '/', '×', '÷', '−']) => {
                format!("({formula})")
            }
            End::Formula(formula) => formula.clone(),
        }
    }

    fn written(&self) -> Toml {
        match self {
            End::Quantity(quantity) => quantity.written(),
            End::Formula(formula) => Toml::Text(format!("= {formula}")),
        }
    }
}

/// `count` values between two ends, of which a formula makes all inner values formulas.
pub(crate) fn between(from: End, to: End, count: u32, steps: Steps) -> Result<Vec<Toml>, String> {
    if let (End::Quantity(from), End::Quantity(to)) = (&from, &to) {
        let values = values(*from, *to, count, steps)?;
        return Ok(values.into_iter().map(Quantity::written).collect());
    }
    let (a, b, last) = (from.operand(), to.operand(), count - 1);
    let inner = |i: u32| match steps {
        Steps::Linear => format!("= {a} + ({b} - {a}) * {i} / {last}"),
        Steps::Logarithmic => format!("= {a} * pow({b} / {a}, {i} / {last})"),
    };
    let value = |i: u32| match i {
        0 => from.written(),
        _ if i == last => to.written(),
        _ => Toml::Text(inner(i)),
    };
    Ok((0..count).map(value).collect())
}

/// `count` values from the first to the last, both exact.
fn values(from: Quantity, to: Quantity, count: u32, steps: Steps) -> Result<Vec<Quantity>, String> {
    if from.unit() != to.unit() {
        return Err("from and to are not of the same kind".to_owned());
    }
    let (from, to) = alike(from, to, count, steps);
    let (low, high) = (from.in_base_units(), to.in_base_units());
    if steps == Steps::Logarithmic && !(low > 0.0 && high > 0.0) {
        return Err("a logarithmic range cannot reach zero".to_owned());
    }
    let last = count - 1;
    let inner = |i: u32| {
        let share = f64::from(i) / f64::from(last);
        let x = match steps {
            Steps::Linear => low + (high - low) * share,
            Steps::Logarithmic => rounded(low * libm::pow(high / low, share), DIGITS),
        };
        from.with_base_units(rounded(x, DIGITS_OF_NUMBERS))
    };
    let value = |i: u32| match i {
        0 => from,
        _ if i == last => to,
        _ => inner(i),
    };
    let values: Vec<Quantity> = (0..count).map(value).collect();
    match values.windows(2).position(|pair| pair[0] == pair[1]) {
        None => Ok(values),
        Some(i) => Err(format!(
            "values {i} and {} are equal once they are rounded to whole units",
            i + 1
        )),
    }
}

/// Integers stay integers where an even step between them is one, and in logarithmic ranges;
/// otherwise both ends are floats.
fn alike(from: Quantity, to: Quantity, count: u32, steps: Steps) -> (Quantity, Quantity) {
    let number = |x: Quantity| Quantity::Number(x.in_base_units());
    match (from, to) {
        (Quantity::Whole(a), Quantity::Whole(b)) => {
            let gaps = i128::from(count.max(2) - 1);
            let is_even = (i128::from(b) - i128::from(a)) % gaps == 0;
            if steps == Steps::Logarithmic || is_even {
                (from, to)
            } else {
                (number(from), number(to))
            }
        }
        (Quantity::Whole(_), Quantity::Number(_)) | (Quantity::Number(_), Quantity::Whole(_)) => {
            (number(from), number(to))
        }
        _ => (from, to),
    }
}

/// Rounds to this number of significant digits.
fn rounded(x: f64, digits: i32) -> f64 {
    if x == 0.0 {
        return x;
    }
    let place = digits - 1 - libm::floor(libm::log10(x.abs())) as i32;
    let scale = libm::pow(10.0, f64::from(place.abs()));
    if place >= 0 {
        (x * scale).round() / scale
    } else {
        (x / scale).round() * scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_language::tree::Toml;

    fn range(from: &str, to: &str, count: u32, steps: Steps) -> Vec<String> {
        let quantity = |text: &str| {
            let value = match text.parse::<i128>() {
                Ok(n) => Toml::Integer(n),
                Err(_) => text
                    .parse()
                    .map_or(Toml::Text(text.to_owned()), Toml::Float),
            };
            Quantity::of(&value).expect("a quantity")
        };
        let values = values(quantity(from), quantity(to), count, steps).expect("a range");
        let text = |value: Quantity| match value.written() {
            Toml::Text(text) => text,
            Toml::Integer(n) => n.to_string(),
            Toml::Float(x) => format!("{x:?}"),
            other => format!("{other:?}"),
        };
        values.into_iter().map(text).collect()
    }

    #[test]
    fn a_range_to_a_formula_is_one_of_formulas() {
        let text = |text: &str| End::of(&Toml::Text(text.to_owned())).expect("an end");
        let made = |from, to, steps| {
            let values = between(text(from), text(to), 3, steps).expect("a range");
            values.into_iter().map(|value| match value {
                Toml::Text(text) => text,
                other => format!("{other:?}"),
            })
        };
        let linear = made("10pkts", "= bdp(core)", Steps::Linear);
        let expected = [
            "10pkts",
            "= 10pkts + (bdp(core) - 10pkts) * 1 / 2",
            "= bdp(core)",
        ];
        assert!(
            linear.eq(expected),
            "formulas between a quantity and a formula"
        );
        let log = made("=bdp(core) / 8", "= 2 * bdp(core)", Steps::Logarithmic);
        let expected = [
            "= bdp(core) / 8",
            "= (bdp(core) / 8) * pow((2 * bdp(core)) / (bdp(core) / 8), 1 / 2)",
            "= 2 * bdp(core)",
        ];
        assert!(
            log.eq(expected),
            "formulas of more than one term stand in parentheses"
        );
    }

    #[test]
    fn even_steps_keep_units_and_whole_numbers() {
        let linear = |from, to, count| range(from, to, count, Steps::Linear);
        assert_eq!(
            linear("10KB", "50KB", 5),
            ["10KB", "20KB", "30KB", "40KB", "50KB"]
        );
        assert_eq!(linear("1ms", "2ms", 3), ["1ms", "1.5ms", "2ms"]);
        assert_eq!(linear("2", "10", 5), ["2", "4", "6", "8", "10"]);
        assert_eq!(linear("0", "1", 3), ["0.0", "0.5", "1.0"]);
        assert_eq!(linear("0.1", "0.7", 7)[2], "0.3");
        assert_eq!(
            linear("10pkts", "1pkt", 4),
            ["10pkts", "7pkts", "4pkts", "1pkt"]
        );
    }

    #[test]
    fn factors_are_rounded_to_four_digits_inside() {
        let log = |from, to, count| range(from, to, count, Steps::Logarithmic);
        assert_eq!(log("1ms", "100ms", 3), ["1ms", "10ms", "100ms"]);
        assert_eq!(log("1ms", "100ms", 5)[1], "3.162ms");
        assert_eq!(log("1", "1000", 4), ["1", "10", "100", "1000"]);
        assert_eq!(log("0.001", "0.1", 3), ["0.001", "0.01", "0.1"]);
    }

    #[test]
    fn impossible_ranges_say_why() {
        let packets = |n| Quantity::Packets(n);
        let refused = |from, to, count, steps| values(from, to, count, steps).unwrap_err();
        assert!(
            refused(packets(1), packets(3), 9, Steps::Linear).contains("equal"),
            "{}",
            refused(packets(1), packets(3), 9, Steps::Linear)
        );
        assert!(
            refused(packets(0), packets(3), 2, Steps::Logarithmic).contains("zero"),
            "{}",
            refused(packets(0), packets(3), 2, Steps::Logarithmic)
        );
        assert!(
            refused(packets(1), Quantity::Whole(3), 2, Steps::Linear).contains("kind"),
            "{}",
            refused(packets(1), Quantity::Whole(3), 2, Steps::Linear)
        );
    }
}
