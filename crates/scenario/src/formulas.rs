//! Formulas in scenarios: `buffer = "= bdp(core) / sqrt(flows)"`.
//!
//! A formula names rates, delays and counts of its own scenario, so this scenario is expanded first
//! with stand-ins for the formulas, then with the values found, until these no longer change.
//! Formulas that depend on their own value either never settle, or settle at different values from
//! different stand-ins.

mod load;
mod names;
mod shares;

use pacesim_expression::{Expression, Problem as Wrong, Target, Value};
use pacesim_language::document::Document;
use pacesim_language::formulas::Formula;
use pacesim_language::problem::{Faults, Problems};
use pacesim_language::tree::Place;
use pacesim_units::Quantity;

use crate::checked::Checked;
use names::Members;
use shares::Share;

/// Two sets of stand-ins.
const SETS: [usize; 2] = [0, 1];

/// The document with the value of each formula in its place; `None` if it has none. `check` checks a
/// document without formulas.
pub(crate) fn resolved(
    document: &Document,
    check: &dyn Fn(&Document) -> Result<Checked, Problems>,
) -> Result<Option<Checked>, Problems> {
    let (without_loads, shares) = shares::taken_out(document);
    let formulas = without_loads.formulas();
    if formulas.is_empty() && shares.is_empty() {
        return Ok(None);
    }
    let set = FormulaSet::parse(document, without_loads, (formulas, shares))?;
    let [first, second] = SETS.map(|stand_ins| set.settle(stand_ins, check));
    let values = match (first, second) {
        (Ok(first), Ok(second)) => set.united(first, second)?,
        (Ok(values), Err(_)) | (Err(_), Ok(values)) => set.united(values.clone(), values)?,
        (Err(problems), Err(_)) => return Err(problems),
    };
    let mut checked = check(&set.replaced(&values))?;
    checked.loads = set.loads(&values);
    checked.formulas = set.written(values);
    Ok(Some(checked))
}

/// The formulas of a document.
struct FormulaSet<'d> {
    /// The document as it is written.
    document: &'d Document,
    without_loads: Document,
    formulas: Vec<(Formula, Meaning)>,
}

/// The source of a value.
enum Meaning {
    Expression(Expression),
    Load(Share),
}

impl<'d> FormulaSet<'d> {
    fn parse(
        document: &'d Document,
        without_loads: Document,
        (formulas, shares): (Vec<Formula>, Vec<Share>),
    ) -> Result<FormulaSet<'d>, Problems> {
        let (mut faults, mut parsed) = (Faults::default(), Vec::new());
        for formula in formulas {
            match Expression::parse(&formula.text) {
                Ok(expression) => parsed.push((formula, Meaning::Expression(expression))),
                Err(wrong) => complain(&formula, &wrong, &mut faults),
            }
        }
        if !faults.list.is_empty() {
            return Err(problems(document, faults));
        }
        parsed.extend(shares.into_iter().map(|share| {
            let formula = Formula {
                path: share.rate_path(),
                text: String::new(),
                quantity: Quantity::Rate,
            };
            (formula, Meaning::Load(share))
        }));
        Ok(FormulaSet {
            document,
            without_loads,
            formulas: parsed,
        })
    }

    /// The document with these values.
    fn replaced(&self, values: &[String]) -> Document {
        let paths = self
            .formulas
            .iter()
            .map(|(formula, _)| formula.path.as_str());
        self.without_loads
            .with_texts(paths.zip(values.iter().map(String::as_str)))
    }

    /// Consistent values of all formulas, found from these stand-ins; `None` for those that do not
    /// settle.
    fn settle(
        &self,
        stand_ins: usize,
        check: &dyn Fn(&Document) -> Result<Checked, Problems>,
    ) -> Result<Vec<Option<String>>, Problems> {
        let stand_in =
            |(formula, _): &(Formula, _)| stand_in(formula.quantity)[stand_ins].to_owned();
        let mut values: Vec<String> = self.formulas.iter().map(stand_in).collect();
        let mut is_settled = vec![true; values.len()];
        // Each round settles the formulas that depend on settled ones only. Those that still change
        // after as many rounds as there are formulas never do.
        for round in 0..=2 * self.formulas.len() {
            let found = check(&self.replaced(&values)).and_then(|checked| self.values(&checked));
            let found = match found {
                // Values of a circle may grow beyond all limits.
                Err(_) if round > self.formulas.len() => break,
                found => found?,
            };
            if found == values {
                break;
            }
            if round >= self.formulas.len() {
                let same = found
                    .iter()
                    .zip(&values)
                    .map(|(found, before)| found == before);
                is_settled
                    .iter_mut()
                    .zip(same)
                    .for_each(|(all, same)| *all &= same);
            }
            values = found;
        }
        let settled = is_settled.into_iter().zip(values);
        Ok(settled
            .map(|(is_settled, value)| is_settled.then_some(value))
            .collect())
    }

    /// The values found from both stand-ins.
    fn united(
        &self,
        first: Vec<Option<String>>,
        second: Vec<Option<String>>,
    ) -> Result<Vec<String>, Problems> {
        let pairs = first.into_iter().zip(second);
        let agreed: Vec<_> = pairs
            .map(|(a, b)| a.filter(|a| b.as_ref() == Some(a)))
            .collect();
        let values: Option<Vec<String>> = agreed.iter().cloned().collect();
        values.ok_or_else(|| self.circle(&agreed))
    }

    /// The values of all formulas in this scenario.
    fn values(&self, checked: &Checked) -> Result<Vec<String>, Problems> {
        let model = checked.expand(checked.scenario().run.seed, 0);
        let mut members = Members::new(&model);
        let (mut faults, mut values) = (Faults::default(), Vec::new());
        for (formula, meaning) in &self.formulas {
            let flows = &checked.scenario().flows;
            let place = flow_of(&formula.path).and_then(|place| flows.get(place));
            members.in_traffic_of(place);
            match meaning {
                Meaning::Expression(expression) => {
                    match expression.resolve(&members, target(formula.quantity)) {
                        Ok(value) => values.push(value),
                        Err(wrong) => complain(formula, &wrong, &mut faults),
                    }
                }
                Meaning::Load(share) => match share.rate(&members) {
                    Ok(rate) => values.push(rate.to_string()),
                    Err((message, help)) => {
                        faults.add(share.of_path(), message).help(help);
                    }
                },
            }
        }
        match faults.list.is_empty() {
            true => Ok(values),
            false => Err(problems(self.document, faults)),
        }
    }

    /// The rates that follow from loads, a sentence for each key.
    fn loads(&self, values: &[String]) -> Vec<(String, String)> {
        let all = self.formulas.iter().zip(values);
        let loads = all.filter_map(|((_, meaning), rate)| match meaning {
            Meaning::Load(share) => Some(share.in_words(rate)),
            Meaning::Expression(_) => None,
        });
        loads.collect()
    }

    /// The values of expressions, each with its place.
    fn written(&self, values: Vec<String>) -> Vec<(Place, String)> {
        let places = self.formulas.iter();
        let places = places.map(|(formula, _)| self.without_loads.place(&formula.path, false));
        places.zip(values).collect()
    }

    /// Reports the formulas without a value. Those that depend on a circle are among them.
    fn circle(&self, values: &[Option<String>]) -> Problems {
        let mut faults = Faults::default();
        for ((formula, meaning), value) in self.formulas.iter().zip(values) {
            if value.is_some() || matches!(meaning, Meaning::Load(_)) {
                continue;
            }
            let message = "the value of this formula, or of one that it names, depends on itself";
            let help = "give one of the quantities that it names as a number";
            faults.add(&formula.path, message).help(help);
        }
        problems(self.document, faults)
    }
}

/// The place of the flow in whose traffic a key stands: 2 of "flow\[2\].traffic.rate".
fn flow_of(path: &str) -> Option<usize> {
    let (place, rest) = path.strip_prefix("flow[")?.split_once(']')?;
    let place = place.parse().ok()?;
    rest.starts_with(".traffic.").then_some(place)
}

/// The value of a formula of quantities of a scenario, such as `0.9 * rate(core)`.
pub fn evaluate(checked: &Checked, text: &str) -> Result<Value, Wrong> {
    let expression = Expression::parse(text)?;
    let model = checked.expand(checked.scenario().run.seed, 0);
    expression.value(&Members::new(&model))
}

fn complain(formula: &Formula, wrong: &Wrong, faults: &mut Faults) {
    let part = formula
        .text
        .get(wrong.at.clone())
        .unwrap_or_default()
        .trim();
    let message = match part.is_empty() {
        true => wrong.message.clone(),
        false => format!("{}: \"{part}\"", wrong.message),
    };
    faults.add(&formula.path, message).help(wrong.help.clone());
}

fn problems(document: &Document, faults: Faults) -> Problems {
    let located = faults.list.into_iter().map(|fault| document.locate(fault));
    Problems(located.collect())
}

/// Stand-in values that a scenario rarely rejects.
fn stand_in(quantity: Quantity) -> [&'static str; 2] {
    match quantity {
        Quantity::Span => ["1ms", "2ms"],
        Quantity::Rate => ["10Mbps", "20Mbps"],
        Quantity::Bytes => ["1000B", "1500B"],
        Quantity::Packets | Quantity::Window => ["10pkts", "20pkts"],
        Quantity::Capacity => ["100pkts", "1000000B"],
    }
}

fn target(quantity: Quantity) -> Target {
    match quantity {
        Quantity::Span => Target::Span,
        Quantity::Rate => Target::Rate,
        Quantity::Bytes => Target::Bytes,
        Quantity::Packets => Target::Packets,
        Quantity::Window => Target::Window,
        Quantity::Capacity => Target::Capacity,
    }
}
