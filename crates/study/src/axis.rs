//! An axis of a study: its values, each with its changes of the scenario.

use pacesim_language::document::Document;
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Place, Toml};

use crate::keys::{AxisKeys, RangeKeys};
use crate::labels;
use crate::number::Quantity;
use crate::range::{self, End, Steps};

/// Columns of the tables of a study, which no axis may use as its name.
const TAKEN: [&str; 16] = [
    "point",
    "replication",
    "window",
    "warmup_s",
    "seed",
    "fingerprint",
    "of",
    "entity",
    "metric",
    "value",
    "n",
    "mean",
    "std_dev",
    "low",
    "high",
    "half_width",
];

/// An axis of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name of the axis in tables and figures.
    pub name: String,
    /// Its name in figures, if it has one of its own there.
    pub(crate) label: Option<String>,
    /// Names of values in figures, by their texts.
    pub(crate) labels: Vec<(String, String)>,
    /// Unit of its values' numbers: "s", "bps", "bytes", "pkts", "m" or none.
    pub unit: Option<&'static str>,
    /// Values of the axis, in their order.
    pub values: Vec<AxisValue>,
    /// True if it could not be read, which has been reported: references to it and its values are
    /// then not reported.
    pub(crate) is_broken: bool,
}

/// One of the values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisValue {
    /// The value as written, or the name of the case.
    pub text: String,
    /// The number in the axis's unit; absent if values have several units.
    pub number: Option<f64>,
    /// The quantity of a formula, at a point of the study.
    pub resolved: Option<String>,
    /// Unit that the value's number was written in.
    pub(crate) unit: Option<&'static str>,
    /// Changes of the scenario; empty if only models take it.
    pub(crate) changes: Vec<Change>,
}

impl AxisValue {
    /// A case that makes these changes.
    pub(crate) fn named(text: &str, changes: Vec<Change>) -> AxisValue {
        AxisValue {
            text: text.to_owned(),
            number: None,
            resolved: None,
            unit: None,
            changes,
        }
    }

    /// True if it is the value that this change sets, not the name of a case.
    pub(crate) fn is_of(&self, change: &Change) -> bool {
        self.text == text(&change.value.value)
    }

    /// The same value under another name: formulas between the ends of a range are long.
    fn renamed(self, text: String) -> AxisValue {
        AxisValue { text, ..self }
    }
}

/// A key of the scenario, and its new value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// Key of the scenario that changes.
    pub(crate) key: String,
    /// Place of the key's name in the study.
    pub(crate) named_at: Place,
    pub(crate) value: Item,
}

impl Axis {
    /// The axis declared at `path`, as far as it can be read. One that is a parameter of a model
    /// need not vary any key.
    pub(crate) fn of(
        document: &Document,
        path: &str,
        keys: &AxisKeys,
        is_parameter: bool,
        faults: &mut Faults,
    ) -> Axis {
        if TAKEN.contains(&keys.name.as_str()) {
            let message = format!("\"{}\" is a column of every study's tables", keys.name);
            let help = "choose another name, such as that of the key";
            faults.add(format!("{path}.name"), message).help(help);
        }
        let varied = |faults: &mut Faults| {
            let named = varied(document, path, keys, faults);
            if named.is_empty() && !is_parameter && !faults.touch(path) {
                varies_nothing(path, faults);
            }
            named
        };
        let values = match ValueSource::of(path, keys, faults) {
            Some(ValueSource::Listed(at, items)) => listed(&at, items, &varied(faults)),
            Some(ValueSource::Range(at, range, steps)) => {
                ranged(&at, range, steps, &varied(faults), faults)
            }
            Some(ValueSource::Cases(at, cases)) => {
                no_keys(path, keys, faults);
                named(document, &at, cases)
            }
            None => Vec::new(),
        };
        repeated(path, &values, faults);
        if values.is_empty() {
            return Axis::broken(&keys.name);
        }
        let mut axis = Axis::named(
            &keys.name,
            values.into_iter().map(|(_, value)| value).collect(),
        );
        axis.unite();
        axis.label.clone_from(&keys.label);
        let texts: Vec<&str> = axis
            .values
            .iter()
            .map(|value| value.text.as_str())
            .collect();
        axis.labels = labels::of(path, &keys.labels, &texts, faults);
        axis
    }

    /// Its name in figures.
    pub fn shown_name(&self) -> String {
        let label = self.label.clone();
        label.unwrap_or_else(|| self.name.replace('_', " "))
    }

    /// The name of a value in figures, if it has one of its own there.
    pub fn label_of(&self, text: &str) -> Option<&str> {
        let mut labels = self.labels.iter();
        let label = labels.find(|(value, _)| value == text);
        label.map(|(_, label)| label.as_str())
    }

    /// Takes the unit common to all numbers; values of several units have no numbers.
    pub(crate) fn unite(&mut self) {
        let unit = unit(&self.values);
        self.unit = unit.filter(|unit| !unit.is_empty());
        for value in self.values.iter_mut().filter(|_| unit.is_none()) {
            value.number = None;
        }
    }

    /// Stand-in for an axis that could not be read: a number that changes nothing.
    pub(crate) fn broken(name: &str) -> Axis {
        let value = AxisValue {
            text: String::new(),
            number: Some(0.0),
            resolved: None,
            unit: None,
            changes: Vec::new(),
        };
        Axis {
            is_broken: true,
            ..Axis::named(name, vec![value])
        }
    }

    /// An axis of named cases.
    pub(crate) fn named(name: &str, values: Vec<AxisValue>) -> Axis {
        Axis {
            name: name.to_owned(),
            label: None,
            labels: Vec::new(),
            unit: None,
            values,
            is_broken: false,
        }
    }

    /// True if it changes scenarios: an axis of parameters of models does not.
    pub fn changes_scenarios(&self) -> bool {
        !self.is_broken && self.values.iter().any(|value| !value.changes.is_empty())
    }

    /// The place of a value, by its string.
    pub(crate) fn position(&self, text: &str) -> Option<usize> {
        self.values.iter().position(|value| value.text == text)
    }
}

/// Source of the values of an axis, with the key that declares it.
enum ValueSource<'k> {
    Listed(String, &'k [Item]),
    Range(String, &'k RangeKeys, Steps),
    Cases(String, &'k [(String, Vec<(String, Item)>)]),
}

impl<'k> ValueSource<'k> {
    /// The source that is declared.
    fn of(path: &str, keys: &'k AxisKeys, faults: &mut Faults) -> Option<ValueSource<'k>> {
        const HELP: &str = "give one of values, linear, log and cases";
        let at = |key: &str| format!("{path}.{key}");
        let listed = keys.values.as_deref();
        let linear = keys.linear.as_ref();
        let log = keys.log.as_ref();
        let cases = keys.cases.as_deref();
        let given: Vec<ValueSource<'k>> = [
            listed.map(|items| ValueSource::Listed(at("values"), items)),
            linear.map(|range| ValueSource::Range(at("linear"), range, Steps::Linear)),
            log.map(|range| ValueSource::Range(at("log"), range, Steps::Logarithmic)),
            cases.map(|cases| ValueSource::Cases(at("cases"), cases)),
        ]
        .into_iter()
        .flatten()
        .collect();
        match given.len() {
            1 => return given.into_iter().next(),
            // A key that cannot be read has been reported; the axis itself may be correct.
            0 if faults.touch(path) => (),
            0 => {
                faults
                    .add(path, "this axis has no values")
                    .help(HELP)
                    .absence();
            }
            _ => {
                let names: Vec<&str> = given.iter().map(ValueSource::name).collect();
                let message = format!("{} exclude each other", names.join(" and "));
                faults.add(path, message).help(HELP);
            }
        }
        None
    }

    fn name(&self) -> &'static str {
        match self {
            ValueSource::Listed(..) => "values",
            ValueSource::Range(_, _, Steps::Linear) => "linear",
            ValueSource::Range(_, _, Steps::Logarithmic) => "log",
            ValueSource::Cases(..) => "cases",
        }
    }
}

/// The keys that all values set, each with its place in the study.
fn varied(document: &Document, path: &str, keys: &AxisKeys, faults: &mut Faults) -> Vec<Named> {
    let at = |path: String| document.place(&path, false);
    let one = keys.key.iter();
    let one = one.map(|key| (key.clone(), at(format!("{path}.key"))));
    let several = keys.keys.iter().flatten().enumerate();
    let several = several.map(|(i, key)| (key.clone(), at(format!("{path}.keys[{i}]"))));
    let all: Vec<_> = one.chain(several).collect();
    if keys.key.is_some() && keys.keys.is_some() {
        let help = "put all keys into keys";
        faults
            .add(path, "key and keys exclude each other")
            .help(help);
    }
    all
}

fn varies_nothing(path: &str, faults: &mut Faults) {
    let help = "write key = \"link.core.buffer\", or keys = [...] for several";
    faults
        .add(path, "this axis varies no key, and no model takes it")
        .help(help)
        .absence();
}

/// A key of the scenario, and the place of its name in the study.
type Named = (String, Place);

/// A value, and the path of the key that gives it.
type Placed = (String, AxisValue);

/// A value for each item; values of one kind have numbers.
fn listed(at: &str, items: &[Item], keys: &[Named]) -> Vec<Placed> {
    let value = |(i, item): (usize, &Item)| (format!("{at}[{i}]"), single(item, keys));
    items.iter().enumerate().map(value).collect()
}

fn ranged(
    at: &str,
    range: &RangeKeys,
    steps: Steps,
    keys: &[Named],
    faults: &mut Faults,
) -> Vec<Placed> {
    let mut end = |item: &Item, name: &str| {
        let end = End::of(&item.value);
        if end.is_none() {
            let message = format!("{} is not a number or quantity", item.value.what());
            let help =
                "give a number, a text with a unit such as \"10KB\" or \"5ms\", or a formula";
            faults.add(format!("{at}.{name}"), message).help(help);
        }
        end
    };
    let (Some(from), Some(to)) = (end(&range.from, "from"), end(&range.to, "to")) else {
        return Vec::new();
    };
    match range::between(from, to, range.count, steps) {
        Ok(values) => {
            let item = |value: Toml| Item {
                place: range.from.place,
                value,
            };
            let value = |(i, value): (usize, Toml)| {
                let (last, value) = (range.count as usize - 1, single(&item(value), keys));
                let value = if value.is_formula() && i > 0 && i < last {
                    value.renamed(format!("= {} of {}", i + 1, range.count))
                } else {
                    value
                };
                (at.to_owned(), value)
            };
            values.into_iter().enumerate().map(value).collect()
        }
        Err(message) => {
            let help = "change from, to or count, or list the values";
            faults.add(at, message).help(help);
            Vec::new()
        }
    }
}

/// Reads a value that sets each of the keys.
fn single(item: &Item, keys: &[Named]) -> AxisValue {
    let change = |(key, named_at): &Named| Change {
        key: key.clone(),
        named_at: *named_at,
        value: item.clone(),
    };
    let quantity = Quantity::of(&item.value);
    AxisValue {
        text: text(&item.value),
        number: quantity.map(Quantity::number),
        resolved: None,
        unit: quantity.map(Quantity::unit),
        changes: keys.iter().map(change).collect(),
    }
}

/// Rejects keys next to cases, which have their own keys.
fn no_keys(path: &str, keys: &AxisKeys, faults: &mut Faults) {
    if keys.key.is_some() || keys.keys.is_some() {
        let message = "each case names its own keys";
        let help = "leave key and keys out, or give values instead of cases";
        faults.add(path, message).help(help);
    }
}

/// Reads a value for each case.
fn named(document: &Document, at: &str, cases: &[(String, Vec<(String, Item)>)]) -> Vec<Placed> {
    let value = |(name, settings): &(String, Vec<(String, Item)>)| {
        let at = format!("{at}.{name}");
        let value = AxisValue {
            text: name.clone(),
            number: None,
            resolved: None,
            unit: None,
            changes: changes(document, &at, settings),
        };
        (at, value)
    };
    cases.iter().map(value).collect()
}

/// The changes in a table of keys and their values.
pub(crate) fn changes(document: &Document, at: &str, settings: &[(String, Item)]) -> Vec<Change> {
    let change = |(key, value): &(String, Item)| Change {
        key: key.clone(),
        named_at: document.place(&format!("{at}.{key}"), true),
        value: value.clone(),
    };
    settings.iter().map(change).collect()
}

/// Rejects empty axes and repeated values.
fn repeated(path: &str, values: &[Placed], faults: &mut Faults) {
    if values.is_empty() && !faults.touch(path) {
        let help = "give at least one, or leave the axis out";
        faults.add(path, "this axis has no values").help(help);
    }
    let mut known = std::collections::BTreeSet::new();
    for (at, value) in values {
        if !known.insert(&value.text) {
            let message = format!("the value \"{}\" is there twice", value.text);
            faults.add(at.clone(), message).help("keep one of them");
        }
    }
}

/// The unit common to all numbers, if any.
fn unit(values: &[AxisValue]) -> Option<&'static str> {
    let mut units = values.iter().filter_map(|value| value.unit);
    let first = units.next()?;
    units.all(|unit| unit == first).then_some(first)
}

/// Formats a value as shown in tables and legends.
pub(crate) fn text(value: &Toml) -> String {
    match value {
        Toml::Text(text) => text.clone(),
        value => value.to_string(),
    }
}
