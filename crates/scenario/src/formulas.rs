//! Formulas in scenarios: `buffer = "= bdp(core) / sqrt(flows)"`.
//!
//! A formula names rates, delays and counts of its own scenario. These are taken from a sketch of the
//! scenario (`sketch.rs`), made first with stand-ins for the formulas, then with the values found,
//! until these no longer change. No condition between keys is checked before that: it would judge
//! numbers that nobody wrote. Formulas that depend on their own value either never settle, or settle
//! at different values from different stand-ins.

mod load;
mod names;
mod shares;
mod sketch;

use pacesim_keys::Files;
use pacesim_language::document::Document;
use pacesim_language::expression::{Expression, Names, Problem as Wrong, Target, Value};
use pacesim_language::formulas::Formula;
use pacesim_language::problem::{Fault, Faults};
use pacesim_language::stand_ins::{NamesOf, quantity as stand_ins};
use pacesim_language::tree::Place;
use pacesim_units::Quantity;

use crate::checked::Checked;
use names::Members;
use shares::Share;
use sketch::Sketch;

/// The stand-ins from which values are sought.
const STARTS: [usize; 2] = [0, 1];

/// Rounds in which a rate and the shortest phases at this rate settle.
const ROUNDS_OF_PHASES: usize = 6;

/// The formulas of a document.
pub(crate) struct FormulaSet {
    /// The document with rates in place of loads.
    without_loads: Document,
    formulas: Vec<(Formula, Meaning)>,
}

/// The source of a value.
enum Meaning {
    Expression(Expression),
    Load(Share),
}

/// Values of all formulas, and their mistakes. A formula without a value has a stand-in.
pub(crate) struct Values {
    texts: Vec<String>,
    pub(crate) faults: Vec<Fault>,
}

/// A value, or the reason for its absence.
type Found = Result<String, Fault>;

impl FormulaSet {
    /// The formulas of a document; mistakes in their notation go to `faults`.
    pub(crate) fn parse(document: &Document, faults: &mut Faults) -> FormulaSet {
        let (without_loads, shares) = shares::taken_out(document);
        let mut formulas = Vec::new();
        for formula in without_loads.formulas() {
            match Expression::parse(&formula.text) {
                Ok(expression) => formulas.push((formula, Meaning::Expression(expression))),
                Err(wrong) => faults.list.push(complaint(&formula, &wrong)),
            }
        }
        formulas.extend(shares.into_iter().map(|share| {
            let formula = Formula {
                path: share.rate_path(),
                text: String::new(),
                quantity: Quantity::Rate,
            };
            (formula, Meaning::Load(share))
        }));
        FormulaSet {
            without_loads,
            formulas,
        }
    }

    /// The document with these stand-ins in place of formulas, including those that cannot be read,
    /// and of other `refused` entries.
    pub(crate) fn with_stand_ins(
        &self,
        refused: &[&str],
        set: usize,
        names: NamesOf<'_>,
    ) -> Document {
        let written = self.without_loads.formulas();
        let all = written
            .iter()
            .chain(self.formulas.iter().map(|(formula, _)| formula));
        let texts = all.map(|formula| (formula.path.as_str(), stand_ins(formula.quantity)[set]));
        let plain = self.without_loads.with_texts(texts);
        plain.with_stand_ins(refused.iter().copied(), set, names)
    }

    /// True if no quantity is a formula or a load.
    pub(crate) fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// The document with these values.
    pub(crate) fn replaced(&self, document: &Document, values: &Values) -> Document {
        self.with(document, &values.texts)
    }

    fn with(&self, document: &Document, texts: &[String]) -> Document {
        let paths = self.formulas.iter();
        let paths = paths.map(|(formula, _)| formula.path.as_str());
        document.with_texts(paths.zip(texts.iter().map(String::as_str)))
    }

    /// The values in a document from [`FormulaSet::with_stand_ins`]. Formulas at `refused` keys
    /// keep their stand-ins, and so do those without a value.
    pub(crate) fn values(
        &self,
        document: &Document,
        files: &dyn Files,
        (refused, set): (&[&str], usize),
    ) -> Values {
        if self.formulas.is_empty() {
            let (texts, faults) = (Vec::new(), Vec::new());
            return Values { texts, faults };
        }
        let is_refused = |formula: &Formula| refused.contains(&formula.path.as_str());
        let all = self.formulas.iter();
        let mut known: Vec<bool> = all.map(|(formula, _)| is_refused(formula)).collect();
        let mut faults = Vec::new();
        let search = Search {
            formulas: self,
            document,
            files,
            set,
        };
        // Those that depend on a formula without a value are sought again with its stand-in.
        loop {
            let [first, second] = STARTS.map(|start| search.settled(start, &known));
            let before = faults.len();
            for (i, both) in first.iter().zip(&second).enumerate() {
                if let (Err(one), Err(other)) = both
                    && one == other
                {
                    known[i] = true;
                    faults.push(one.clone());
                }
            }
            if faults.len() > before {
                continue;
            }
            let both = first.into_iter().zip(second);
            let agreed = both.map(|(first, second)| {
                let (first, second) = (first.ok()?, second.ok()?);
                (first == second).then_some(first)
            });
            let agreed: Vec<Option<String>> = agreed.collect();
            faults.extend(self.circles(&agreed));
            let texts = agreed.into_iter().zip(&self.formulas);
            let texts = texts
                .map(|(value, (formula, _))| value.unwrap_or_else(|| search.stand_in(formula)))
                .collect();
            return Values { texts, faults };
        }
    }

    /// The mistakes of formulas without a value, which depend on themselves. Loads may depend on such
    /// formulas, and are mistakes if there are none.
    fn circles(&self, values: &[Option<String>]) -> Vec<Fault> {
        let open = || {
            let all = self.formulas.iter().zip(values);
            all.filter_map(|(formula, value)| value.is_none().then_some(formula))
        };
        let is_load = |(_, meaning): &&(Formula, Meaning)| matches!(meaning, Meaning::Load(_));
        let only_loads = open().all(|formula| is_load(&formula));
        open()
            .filter(|formula| only_loads || !is_load(formula))
            .map(circle)
            .collect()
    }

    /// The rates that follow from loads, a sentence for each key.
    pub(crate) fn loads(&self, values: &Values) -> Vec<(String, String)> {
        let all = self.formulas.iter().zip(&values.texts);
        let loads = all.filter_map(|((_, meaning), rate)| match meaning {
            Meaning::Load(share) => Some(share.in_words(rate)),
            Meaning::Expression(_) => None,
        });
        loads.collect()
    }

    /// The values, each with the place of its formula.
    pub(crate) fn written(&self, values: Values) -> Vec<(Place, String)> {
        let places = self.formulas.iter();
        let places = places.map(|(formula, _)| self.without_loads.place(&formula.path, false));
        places.zip(values.texts).collect()
    }
}

/// A search for consistent values.
struct Search<'s> {
    formulas: &'s FormulaSet,
    document: &'s Document,
    files: &'s dyn Files,
    set: usize,
}

impl Search<'_> {
    fn stand_in(&self, formula: &Formula) -> String {
        stand_ins(formula.quantity)[self.set].to_owned()
    }

    /// Values found from these stand-ins. Those of `known` formulas are given.
    fn settled(&self, start: usize, known: &[bool]) -> Vec<Found> {
        let formulas = &self.formulas.formulas;
        let first = formulas.iter().zip(known);
        let first = first.map(|((formula, _), is_known)| {
            if *is_known {
                self.stand_in(formula)
            } else {
                stand_ins(formula.quantity)[start].to_owned()
            }
        });
        let mut values: Vec<String> = first.collect();
        let mut is_settled = vec![true; values.len()];
        // Each round settles the formulas that depend on settled ones only. Those that still change
        // after as many rounds as there are formulas never do, but for loads: the shortest phases
        // depend on the rate that follows, which settles in a few more rounds.
        let enough = formulas.len() + ROUNDS_OF_PHASES;
        for round in 0..=enough + formulas.len() {
            let found = self.found(&values, known);
            let is_done = found
                .iter()
                .zip(&values)
                .all(|(found, before)| match found {
                    Ok(found) => found == before,
                    Err(_) => true,
                });
            if is_done {
                let all = found.into_iter().zip(is_settled).zip(formulas);
                let settled = all.map(|((found, is_settled), (formula, _))| {
                    if is_settled {
                        found
                    } else {
                        Err(unsettled(formula, start))
                    }
                });
                return settled.collect();
            }
            for (i, found) in found.into_iter().enumerate() {
                let Ok(found) = found else { continue };
                is_settled[i] &= round < enough || found == values[i];
                values[i] = found;
            }
        }
        let all = values.into_iter().zip(is_settled).zip(formulas);
        let last = all.map(|((value, is_settled), (formula, _))| {
            if is_settled {
                Ok(value)
            } else {
                Err(unsettled(formula, start))
            }
        });
        last.collect()
    }

    /// The values of all formulas in the scenario with these values.
    fn found(&self, values: &[String], known: &[bool]) -> Vec<Found> {
        let document = self.formulas.with(self.document, values);
        let sketch = Sketch::of(&document, self.files);
        let mut members = sketch.members(self.set);
        let all = self.formulas.formulas.iter().zip(values).zip(known);
        let found = all.map(|(((formula, meaning), before), is_known)| {
            if *is_known {
                return Ok(before.clone());
            }
            let group = flow_of(&formula.path).and_then(|place| sketch.scenario.flows.get(place));
            members.in_traffic_of(group);
            found(formula, meaning, &members)
        });
        found.collect()
    }
}

fn found(formula: &Formula, meaning: &Meaning, members: &Members<'_>) -> Found {
    match meaning {
        Meaning::Expression(expression) => expression
            .resolve(members, target(formula.quantity))
            .map_err(|wrong| complaint(formula, &wrong)),
        Meaning::Load(share) => {
            let rate = share.rate(members).map(|rate| rate.to_string());
            rate.map_err(|(message, help)| fault(&share.of_path(), message, help))
        }
    }
}

/// A formula that changes in each round. Two of them are never the same mistake.
fn unsettled(formula: &Formula, start: usize) -> Fault {
    fault(
        &formula.path,
        format!("it does not settle from {start}"),
        String::new(),
    )
}

/// The mistake of a formula that depends on its own value, or on such a one.
fn circle((formula, meaning): &(Formula, Meaning)) -> Fault {
    match meaning {
        Meaning::Expression(_) => fault(
            &formula.path,
            "the value of this formula, or of one that it names, depends on itself".to_owned(),
            "give one of the quantities that it names as a number".to_owned(),
        ),
        Meaning::Load(share) => fault(
            &share.load_path(),
            "no rate gives this load: the phases that may be drawn depend on it".to_owned(),
            format!("give the {}, or longer phases", share.key()),
        ),
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
    expression.value(&Members::new(&model) as &dyn Names)
}

fn complaint(formula: &Formula, wrong: &Wrong) -> Fault {
    let part = formula.text.get(wrong.at.clone()).unwrap_or_default();
    let part = without_brackets(part.trim());
    let message = if part.is_empty() {
        wrong.message.clone()
    } else {
        format!("{}: \"{part}\"", wrong.message)
    };
    fault(&formula.path, message, wrong.help.clone())
}

/// The text within a pair of brackets around all of it.
fn without_brackets(text: &str) -> &str {
    let Some(within) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    else {
        return text;
    };
    let mut depth = 0_i64;
    let stays_within = within.chars().all(|c| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        depth >= 0
    });
    if stays_within {
        without_brackets(within.trim())
    } else {
        text
    }
}

fn fault(path: &str, message: String, help: String) -> Fault {
    Fault {
        path: path.to_owned(),
        message,
        help: Some(help),
        ..Fault::default()
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
