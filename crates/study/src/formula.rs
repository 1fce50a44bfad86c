//! Formulas of numbers, such as "flows.a.goodput_bps + flows.b.goodput_bps".
//!
//! A formula is a number under the name of its own text, and stands wherever a number is named. It
//! is computed in each replication from the numbers there.

use pacesim_expression::{Expression, Names, Problem, Unit, Value};
use pacesim_language::problem::suggest;

use crate::name::{FORMULA, NumberName};

/// A parsed formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    expression: Expression,
    numbers: Vec<NumberName>,
    unit: Unit,
}

/// The ends of the names of quantities with units, each with the unit and its size in the base units
/// of formulas. Longer ends come before those that they end with.
const UNITS: [(&str, Unit, f64); 6] = [
    ("per_s", Unit::PER_SECOND, 1.0),
    ("bps", Unit::BIT_PER_SECOND, 1.0),
    ("bytes", Unit::BIT, 8.0),
    ("pkts", Unit::PACKET, 1.0),
    ("ms", Unit::SECOND, 1e-3),
    ("s", Unit::SECOND, 1.0),
];

/// The unit of a metric, and its size in base units; a name without a known end is a plain number.
fn unit_and_size(metric: &str) -> (Unit, f64) {
    let ends = |end: &str| {
        let rest = metric.strip_suffix(end);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    let found = UNITS.iter().find(|(end, ..)| ends(end));
    found.map_or((Unit::ONE, 1.0), |(_, unit, size)| (*unit, *size))
}

/// The unit of a number.
pub(crate) fn unit_of(name: &NumberName) -> Unit {
    match Formula::of(name) {
        Some(formula) => formula.unit,
        None => unit_and_size(&name.metric).0,
    }
}

/// The end of the names of quantities of this unit, and its size in base units.
fn end_of(unit: Unit) -> (&'static str, f64) {
    let is_it = |(end, known, _): &&(&str, Unit, f64)| *known == unit && *end != "ms";
    let found = UNITS.iter().find(is_it);
    found.map_or(("", 1.0), |(end, _, size)| (*end, *size))
}

/// True if a text can be no plain name of a number.
pub(crate) fn is_formula(text: &str) -> bool {
    let signs = ['+', '*', '/', '×', '÷', '−', '(', ')', ','];
    let is_sign = |c: char| c.is_whitespace() || signs.contains(&c);
    text.starts_with('-') || text.replace(".*.", ".").contains(is_sign)
}

/// Reads a formula; its name, or what is wrong with it and the remedy.
pub(crate) fn name(text: &str) -> Result<NumberName, (String, String)> {
    if text.contains(".*.") {
        let help = "name each number, and draw several formulas as a list of y";
        return Err((format!("\"{text}\" has a * in a name"), help.to_owned()));
    }
    let wrong = |problem: Problem| {
        let part = text.get(problem.at).unwrap_or_default();
        let message = match part.is_empty() || part == text {
            true => format!("\"{text}\": {}", problem.message),
            false => format!("\"{text}\", at \"{part}\": {}", problem.message),
        };
        (message, problem.help)
    };
    let formula = Formula::parse(text).map_err(wrong)?;
    let metric = match end_of(formula.unit).0 {
        "" => FORMULA.to_owned(),
        end => format!("{FORMULA}_{end}"),
    };
    Ok(NumberName::new(FORMULA, text, &metric))
}

impl Formula {
    /// The formula that a number is, if it is one.
    pub fn of(name: &NumberName) -> Option<Formula> {
        name.is_formula()
            .then(|| Formula::parse(&name.entity).expect("its name was read from a formula"))
    }

    fn parse(text: &str) -> Result<Formula, Problem> {
        let expression = Expression::parse(text)?;
        let unit = expression.unit(&Units)?;
        let names = expression.names();
        let numbers = names.into_iter().map(|(name, _)| name.parse());
        let numbers: Result<Vec<NumberName>, String> = numbers.collect();
        let numbers = numbers.expect("their units are known");
        if numbers.is_empty() {
            let help = "name a number, like \"flows.f.goodput_bps\"";
            return Err(Problem::new(0..0, "this names no number of a run", help));
        }
        Ok(Formula {
            expression,
            numbers,
            unit,
        })
    }

    /// The numbers in it.
    pub fn numbers(&self) -> &[NumberName] {
        &self.numbers
    }

    /// Its value in the unit of its name, given the values of its numbers; `None` where one is
    /// missing, and where the formula has no finite value.
    pub fn value(&self, number: impl Fn(&NumberName) -> Option<f64>) -> Option<f64> {
        let (_, size) = end_of(self.unit);
        let value = self.expression.value(&Numbers(&number)).ok()?;
        Some(value.number / size)
    }
}

impl NumberName {
    /// The numbers of runs behind this one: those of a formula, or itself.
    pub fn parts(&self) -> Vec<NumberName> {
        let formula = Formula::of(self);
        formula.map_or_else(|| vec![self.clone()], |formula| formula.numbers)
    }
}

/// The value of a number in a run that has these numbers; `None` if it has no number of the name, or
/// not all those of a formula.
pub fn value_in(
    name: &NumberName,
    names: &[NumberName],
    numbers: &[Option<f64>],
) -> Option<Option<f64>> {
    let place = |name: &NumberName| names.iter().position(|known| known == name);
    let Some(formula) = Formula::of(name) else {
        return place(name).map(|place| numbers[place]);
    };
    let has_all = formula.numbers().iter().all(|part| place(part).is_some());
    has_all.then(|| formula.value(|part| numbers[place(part)?]))
}

/// The units of numbers by their names.
struct Units;

impl Names for Units {
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, (String, String)> {
        const FUNCTIONS: [&str; 4] = ["min", "max", "sqrt", "log"];
        if let Some(of) = of {
            let message = format!("there is no function \"{name}\" of numbers: {name}({of})");
            return Err((message, suggest(name, FUNCTIONS)));
        }
        let name: NumberName = name.parse().map_err(|message| {
            let help = "give OF.ENTITY.METRIC, like \"flows.f.goodput_bps\"";
            (message, help.to_owned())
        })?;
        let (unit, number) = unit_and_size(&name.metric);
        Ok(Value { number, unit })
    }
}

/// Numbers in base units.
struct Numbers<'a>(&'a dyn Fn(&NumberName) -> Option<f64>);

impl Names for Numbers<'_> {
    fn value(&self, name: &str, _: Option<&str>) -> Result<Value, (String, String)> {
        let missing = || (format!("\"{name}\" is missing"), String::new());
        let name: NumberName = name.parse().map_err(|message| (message, String::new()))?;
        let (unit, size) = unit_and_size(&name.metric);
        let number = (self.0)(&name).ok_or_else(missing)? * size;
        Ok(Value { number, unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, numbers: &[(&str, f64)]) -> Option<f64> {
        let formula = Formula::of(&name(text).expect("a formula")).expect("its name");
        formula.value(|name| {
            let found = numbers.iter().find(|(known, _)| *known == name.to_string());
            found.map(|(_, number)| *number)
        })
    }

    #[test]
    fn a_formula_is_computed_in_the_unit_that_its_name_ends_in() {
        let both = name("flows.a.goodput_bps + flows.b.goodput_bps").expect("a sum");
        assert_eq!(both.metric, "formula_bps");
        assert_eq!(
            both.to_string(),
            "flows.a.goodput_bps + flows.b.goodput_bps"
        );
        let sum = value(
            &both.entity,
            &[("flows.a.goodput_bps", 3.0), ("flows.b.goodput_bps", 4.0)],
        );
        assert_eq!(sum, Some(7.0));
        let queue = "link.core.queue_mean_bytes / link.core.throughput_bps";
        let numbers = [
            ("link.core.queue_mean_bytes", 1000.0),
            ("link.core.throughput_bps", 8000.0),
        ];
        assert_eq!(name(queue).expect("a time").metric, "formula_s");
        assert_eq!(value(queue, &numbers), Some(1.0));
        let volume = "2 * link.core.queue_mean_bytes";
        assert_eq!(value(volume, &numbers), Some(2000.0));
    }

    #[test]
    fn a_missing_number_and_a_division_by_zero_give_no_value() {
        let text = "flows.a.goodput_bps / flows.b.goodput_bps";
        let zero = [("flows.a.goodput_bps", 3.0), ("flows.b.goodput_bps", 0.0)];
        assert_eq!(value(text, &zero), None);
        assert_eq!(value(text, &zero[..1]), None);
    }

    #[test]
    fn mistakes_name_the_part_and_the_remedy() {
        let wrong = |text: &str| name(text).expect_err(text);
        let (message, help) = wrong("flows.a.goodput_bps + link.core.delay_s");
        assert!(
            message.contains("+ joins a rate in bit/s and a time in s"),
            "{message}"
        );
        assert_eq!(help, "give both the same unit");
        let (message, _) = wrong("flows.a.goodput_bps + loss");
        assert!(
            message.contains("\"loss\" does not name a number"),
            "{message}"
        );
        let (message, help) = wrong("mix(flows.a.loss_ratio) + 1");
        assert!(message.contains("no function \"mix\""), "{message}");
        assert!(help.contains("max"), "{help}");
        let (message, _) = wrong("1 + 2");
        assert!(message.contains("names no number"), "{message}");
    }

    #[test]
    fn plain_names_are_no_formulas() {
        for plain in [
            "flows.a-b.goodput_bps",
            "flows.*.goodput_bps",
            "link.hop[1].back.loss_ratio",
        ] {
            assert!(!is_formula(plain), "{plain}");
        }
        for formula in ["a.b.c+a.b.d", "-a.b.c", "flows.*.x + 1"] {
            assert!(is_formula(formula), "{formula}");
        }
    }
}
