//! Formulas of numbers, such as "flows.a.goodput_bps + flows.b.goodput_bps".
//!
//! A formula is a number under the name of its own text, and stands wherever a number is named. It
//! is computed in each replication from the numbers there. A * in a name stands for all links or
//! groups of flows that a run has: "sum(link.hop\[*\].dropped_pkts)".

use pacesim_language::expression::{Expression, Names, Problem, Unit, Value};
use pacesim_language::problem::suggest;

use crate::name::{FORMULA, NumberName};

/// A parsed formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    expression: Expression,
    numbers: Vec<NumberName>,
    unit: Unit,
    /// True if the rates of groups are over the measured time instead of the groups' own.
    is_over_window: bool,
}

/// The rates of a group of flows, which are taken over the time that the group is present.
const RATES: [&str; 4] = [
    "offered_bps",
    "throughput_bps",
    "goodput_bps",
    "flow_goodput_bps",
];

/// The share of the measured time in which a group is present.
const PRESENT: &str = "present_ratio";

/// The presence of the group whose rate this is.
fn presence(rate: &NumberName) -> Option<NumberName> {
    let is_rate = rate.of == "flows" && RATES.contains(&rate.metric.as_str());
    is_rate.then(|| NumberName::new(&rate.of, &rate.entity, PRESENT))
}

/// True if numbers of several groups or links meet.
fn are_of_several(numbers: &[NumberName]) -> bool {
    let measured = |name: &&NumberName| ["flows", "link", "fec", "measure"].contains(&&*name.of);
    let mut all = numbers.iter().filter(measured);
    let first = all.clone().next();
    all.any(|name| {
        name.is_pattern()
            || first.is_some_and(|first| (&first.of, &first.entity) != (&name.of, &name.entity))
    })
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

/// The unit of a metric, and its size in base units; a name without a known end is a plain number. An
/// end with a 2 is a square: `autocovariance_bytes2`.
pub(crate) fn unit_and_size(metric: &str) -> (Unit, f64) {
    if let Some((unit, size)) = metric.strip_suffix('2').and_then(known) {
        return (unit.power(2).unwrap_or(Unit::ONE), size * size);
    }
    known(metric).unwrap_or((Unit::ONE, 1.0))
}

fn known(metric: &str) -> Option<(Unit, f64)> {
    let ends = |end: &str| {
        let rest = metric.strip_suffix(end);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
    };
    let found = UNITS.iter().find(|(end, ..)| ends(end));
    found.map(|(_, unit, size)| (*unit, *size))
}

/// The unit of a number.
pub(crate) fn unit_of(name: &NumberName) -> Unit {
    unit_and_size_of(name).0
}

/// The unit of a number, and its size in base units.
pub(crate) fn unit_and_size_of(name: &NumberName) -> (Unit, f64) {
    match Formula::of(name) {
        Some(formula) => (formula.unit, end_of(formula.unit).1),
        None => unit_and_size(&name.metric),
    }
}

/// The end of the names of quantities of this unit, and its size in base units.
fn end_of(unit: Unit) -> (&'static str, f64) {
    let is_it = |(end, known, _): &&(&str, Unit, f64)| *known == unit && *end != "ms";
    let found = UNITS.iter().find(is_it);
    found.map_or(("", 1.0), |(end, _, size)| (*end, *size))
}

/// True if a string cannot be the plain name of a number.
pub(crate) fn is_formula(text: &str) -> bool {
    let signs = ['+', '*', '/', '×', '÷', '−', '(', ')', ','];
    let is_sign = |c: char| c.is_whitespace() || signs.contains(&c);
    text.starts_with('-') || text.replace(".*.", ".").contains(is_sign)
}

/// Reads a formula; returns its name, or the mistake and its remedy.
pub(crate) fn name(text: &str) -> Result<NumberName, (String, String)> {
    let wrong = |problem: Problem| {
        let part = text.get(problem.at).unwrap_or_default();
        let message = if part.is_empty() || part == text {
            format!("\"{text}\": {}", problem.message)
        } else {
            format!("\"{text}\", at \"{part}\": {}", problem.message)
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
        let numbers = names
            .into_iter()
            .map(|(name, of)| of.unwrap_or(name).parse());
        let numbers: Result<Vec<NumberName>, String> = numbers.collect();
        let mut numbers = numbers.expect("their units are known");
        if numbers.is_empty() {
            let help = "name a number, like \"flows.f.goodput_bps\"";
            return Err(Problem::new(0..0, "this names no number of a run", help));
        }
        let names_presence = numbers.iter().any(|name| name.metric == PRESENT);
        let is_over_window = are_of_several(&numbers) && !names_presence;
        if is_over_window {
            let present: Vec<NumberName> = numbers.iter().filter_map(presence).collect();
            numbers.extend(present);
        }
        Ok(Formula {
            expression,
            numbers,
            unit,
            is_over_window,
        })
    }

    /// The shares of the measured time in which groups are present, where it depends on them.
    pub fn presences(&self) -> impl Iterator<Item = &NumberName> {
        self.numbers.iter().filter(|name| name.metric == PRESENT)
    }

    /// The numbers in it, and patterns of numbers. Rates of groups that meet numbers of others are
    /// over the measured time, and need the groups' presence.
    pub fn numbers(&self) -> &[NumberName] {
        &self.numbers
    }

    /// Its value in the unit of its name, given the values of its numbers, any number of them for a
    /// pattern; `None` where one is missing, and where the formula has no finite value.
    pub fn value(&self, numbers: impl Fn(&NumberName) -> Vec<Option<f64>>) -> Option<f64> {
        let (_, size) = end_of(self.unit);
        let over_window = |name: &NumberName| {
            let all = numbers(name);
            match presence(name).filter(|_| self.is_over_window) {
                None => all,
                Some(presence) => over_measured_time(&all, &numbers(&presence)),
            }
        };
        let value = self.expression.value(&Numbers(&over_window)).ok()?;
        Some(value.number / size)
    }
}

/// Rates over the measured time, given those over the groups' own time in it.
fn over_measured_time(rates: &[Option<f64>], present: &[Option<f64>]) -> Vec<Option<f64>> {
    if rates.len() != present.len() {
        return vec![None];
    }
    let both = rates.iter().zip(present);
    // A group that was never present has no rate of its own.
    both.map(|(rate, share)| match share {
        Some(0.0) => Some(0.0),
        _ => Some((*rate)? * (*share)?),
    })
    .collect()
}

/// Metrics of measures that may be negative: covariances, and slopes of lines.
const OF_ANY_SIGN: [&str; 3] = ["autocovariance", "autocorrelation", "slope"];
/// The ends of names of shares, which are at most 1.
const SHARES: [&str; 5] = [
    "_ratio",
    "utilisation",
    "_limited",
    "jain_index",
    "slow_start",
];

impl NumberName {
    /// True unless the number may be negative: a difference, a logarithm, a covariance, a slope.
    pub fn is_never_negative(&self) -> bool {
        let positive =
            |name: &NumberName| !OF_ANY_SIGN.iter().any(|of| name.metric.starts_with(of));
        match Formula::of(self) {
            Some(formula) => {
                formula.expression.keeps_sign() && formula.numbers.iter().all(positive)
            }
            None => positive(self),
        }
    }

    /// True if the number is a share of a whole, from 0 to 1.
    pub fn is_share(&self) -> bool {
        let is_named_so = SHARES.iter().any(|end| self.metric.ends_with(end));
        is_named_so && Formula::of(self).is_none()
    }

    /// This number divided by another as one formula, if a rate of a group in it is then taken over
    /// the measured time.
    pub fn over_window_per(&self, per: &NumberName) -> Option<NumberName> {
        let quotient = name(&format!("({self}) / ({per})")).ok()?;
        let formula = Formula::of(&quotient)?;
        let is_other = formula.presences().next().is_some();
        is_other.then_some(quotient)
    }

    /// The rate of a group over the measured time, for a comparison with that of another group.
    pub fn over_window(&self) -> Option<NumberName> {
        let presence = presence(self)?;
        name(&format!("{self} * {presence}")).ok()
    }

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
    let Some(formula) = Formula::of(name) else {
        let place = names.iter().position(|known| known == name);
        return place.map(|place| numbers[place]);
    };
    let of = |part: &NumberName| -> Vec<Option<f64>> {
        let all = names.iter().zip(numbers);
        let all = all.filter(|(known, _)| part.stands_for(known));
        all.map(|(_, number)| *number).collect()
    };
    let has_all = formula.numbers().iter().all(|part| !of(part).is_empty());
    has_all.then(|| formula.value(of))
}

/// A function that makes one number of those that a pattern stands for.
fn combined(function: &str, of: &[f64]) -> Option<f64> {
    let sum = || of.iter().sum::<f64>();
    match function {
        "sum" => Some(sum()),
        "mean" => Some(sum() / of.len() as f64),
        "min" => of.iter().copied().reduce(f64::min),
        "max" => of.iter().copied().reduce(f64::max),
        _ => None,
    }
}

/// Names of the functions that take patterns.
const OF_PATTERNS: [&str; 4] = ["sum", "mean", "min", "max"];

/// The kinds of entities of which a run has several.
const OF_SEVERAL: [&str; 3] = ["flows", "link", "fec"];

/// Checks a pattern and its function; `None` for a plain name.
fn pattern(name: &str, of: Option<&str>) -> Option<Result<NumberName, (String, String)>> {
    let text = of.unwrap_or(name);
    text.contains('*').then_some(())?;
    let help = || format!("write sum({text}), or mean, min or max of them");
    let parsed = text.parse::<NumberName>();
    let is_right =
        |name: &NumberName| !name.metric.contains('*') && OF_SEVERAL.contains(&name.of.as_str());
    Some(match parsed {
        _ if of.is_none() => Err((format!("\"{text}\" stands for several numbers"), help())),
        _ if !OF_PATTERNS.contains(&name) => {
            let message = format!("there is no function \"{name}\" of several numbers");
            Err((message, suggest(name, OF_PATTERNS)))
        }
        Ok(name) if is_right(&name) => Ok(name),
        _ => {
            let message = format!("\"{text}\" is no pattern of numbers");
            let help = "put the * in place of a name: flows.*.goodput_bps, link.hop[*].loss_ratio";
            Err((message, help.to_owned()))
        }
    })
}

/// Gives each name the unit of its number.
struct Units;

impl Names for Units {
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, (String, String)> {
        const FUNCTIONS: [&str; 5] = ["min", "max", "sqrt", "log", "pow"];
        if let Some(name) = pattern(name, of) {
            let (unit, number) = unit_and_size(&name?.metric);
            return Ok(Value::new(number, unit));
        }
        if let Some(of) = of {
            let message = format!("there is no function \"{name}\" of numbers: {name}({of})");
            return Err((message, suggest(name, FUNCTIONS)));
        }
        let name: NumberName = name.parse().map_err(|message| {
            let help = "give OF.ENTITY.METRIC, like \"flows.f.goodput_bps\"";
            (message, help.to_owned())
        })?;
        let (unit, number) = unit_and_size(&name.metric);
        Ok(Value::new(number, unit))
    }
}

/// Gives each name its number, in base units.
struct Numbers<'a>(&'a dyn Fn(&NumberName) -> Vec<Option<f64>>);

impl Names for Numbers<'_> {
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, (String, String)> {
        let missing = || (format!("\"{name}\" is missing"), String::new());
        let number: NumberName = of
            .unwrap_or(name)
            .parse()
            .map_err(|message| (message, String::new()))?;
        let (unit, size) = unit_and_size(&number.metric);
        let found: Option<Vec<f64>> = (self.0)(&number).into_iter().collect();
        let found = found
            .filter(|found| !found.is_empty())
            .ok_or_else(missing)?;
        let number = match of {
            None => found[0],
            Some(_) => combined(name, &found).ok_or_else(missing)?,
        };
        Ok(Value::new(number * size, unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, numbers: &[(&str, f64)]) -> Option<f64> {
        let formula = Formula::of(&name(text).expect("a formula")).expect("its name");
        formula.value(|name| {
            let all = numbers
                .iter()
                .map(|(known, number)| (known.parse().expect("a name"), number));
            let all: Vec<(NumberName, f64)> = all.map(|(known, n)| (known, *n)).collect();
            let stated = all.iter().any(|(known, _)| name.stands_for(known));
            let groups = all
                .iter()
                .filter_map(|(known, _)| Some((presence(known)?, 1.0)));
            // Groups are present throughout unless a test says otherwise.
            let groups = groups.filter(|_| !stated).collect::<Vec<_>>();
            let all = all.iter().chain(&groups);
            let all = all.filter(|(known, _)| name.stands_for(known));
            all.map(|(_, number)| Some(*number)).collect()
        })
    }

    #[test]
    fn differences_and_covariances_may_be_negative() {
        let never = |text: &str| {
            if is_formula(text) {
                name(text).expect("a formula").is_never_negative()
            } else {
                text.parse::<NumberName>()
                    .expect("a name")
                    .is_never_negative()
            }
        };
        assert!(never("link.core.loss_ratio"));
        assert!(never("sum(flows.*.goodput_bps) / link.core.utilisation"));
        assert!(!never("1 - link.core.utilisation"));
        assert!(!never("measure.m.autocorrelation_1"));
        assert!(!never("measure.m.slope * 2"));
    }

    #[test]
    fn rates_of_several_groups_are_over_the_measured_time() {
        let numbers = [
            ("flows.a.goodput_bps", 8.0),
            ("flows.a.present_ratio", 0.5),
            ("flows.a.delay_mean_s", 2.0),
            ("flows.b.goodput_bps", 6.0),
            ("flows.b.present_ratio", 0.25),
            ("link.core.utilisation", 0.5),
        ];
        for (text, expected) in [
            ("sum(flows.*.goodput_bps)", 5.5),
            ("max(flows.*.goodput_bps)", 4.0),
            ("flows.a.goodput_bps + flows.b.goodput_bps", 5.5),
            ("flows.a.goodput_bps / flows.b.goodput_bps", 4.0 / 1.5),
            ("flows.a.goodput_bps * link.core.utilisation", 2.0),
            ("2 * flows.a.goodput_bps", 16.0),
            // Formulas count bits, and results bytes.
            ("flows.a.goodput_bps * flows.a.delay_mean_s", 2.0),
            (
                "flows.a.goodput_bps * flows.a.present_ratio + flows.b.goodput_bps",
                10.0,
            ),
        ] {
            assert_eq!(value(text, &numbers), Some(expected), "{text}");
        }
        let of = |text: &str| text.parse::<NumberName>().expect("a name");
        let (a, b) = (of("flows.a.goodput_bps"), of("flows.b.goodput_bps"));
        assert!(a.over_window_per(&b).is_some());
        assert!(a.over_window_per(&of("flows.a.offered_bps")).is_none());
        assert!(a.over_window_per(&of("model.m.mathis_bps")).is_none());
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
    fn a_star_stands_for_all_links_or_groups_of_flows() {
        let numbers = [
            ("flows.a.goodput_bps", 3.0),
            ("flows.b.goodput_bps", 5.0),
            ("flows.a.loss_ratio", 9.0),
            ("link.hop[0].goodput_bps", 9.0),
            ("link.hop[0].dropped_pkts", 1.0),
            ("link.hop[1].dropped_pkts", 2.0),
            ("link.hop[1].back.dropped_pkts", 7.0),
            ("link.core.dropped_pkts", 4.0),
            ("flows.a.present_ratio", 1.0),
            ("flows.b.present_ratio", 1.0),
        ];
        for (text, expected) in [
            ("sum(flows.*.goodput_bps)", 8.0),
            ("mean(flows.*.goodput_bps) * 2", 8.0),
            ("min(flows.*.goodput_bps)", 3.0),
            ("max(flows.*.goodput_bps) - flows.a.goodput_bps", 2.0),
            (
                "min(2 * flows.a.goodput_bps, sum(flows.*.goodput_bps))",
                6.0,
            ),
            ("sum(link.hop[*].dropped_pkts)", 3.0),
            ("sum(link.*.dropped_pkts)", 14.0),
            ("flows.a.goodput_bps / sum(flows.*.goodput_bps)", 0.375),
        ] {
            assert!(is_formula(text), "{text}");
            assert_eq!(value(text, &numbers), Some(expected), "{text}");
        }
        assert_eq!(value("sum(fec.*.loss_ratio)", &numbers), None);
        let known: Vec<NumberName> = numbers
            .iter()
            .map(|n| n.0.parse().expect("a name"))
            .collect();
        let sum = name("sum(flows.*.goodput_bps)").expect("a formula");
        let mut of_run = numbers.map(|n| Some(n.1));
        assert_eq!(value_in(&sum, &known, &of_run), Some(Some(8.0)));
        of_run[1] = None;
        assert_eq!(
            value_in(&sum, &known, &of_run),
            Some(None),
            "one is missing"
        );
        assert_eq!(
            value_in(&sum, &known[2..], &of_run[2..]),
            None,
            "a run without flows"
        );
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
        let (message, help) = wrong("flows.*.goodput_bps * 2");
        assert!(message.contains("stands for several numbers"), "{message}");
        assert!(help.starts_with("write sum(flows.*.goodput_bps)"), "{help}");
        let (message, help) = wrong("product(flows.*.goodput_bps)");
        assert!(message.contains("no function \"product\""), "{message}");
        assert!(help.contains("sum"), "{help}");
        let (message, _) = wrong("sum(measure.*.mean)");
        assert!(message.contains("no pattern of numbers"), "{message}");
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
