//! A scenario being drafted: parts are redrawn until it is valid.

use std::collections::{BTreeMap, BTreeSet};

use pacesim::scenario::{Checked, Files, Problem, load};
use serde_json::{Map, Value as Json, json};

use crate::author::{Author, properties};
use crate::dice::Dice;
use crate::names::Names;
use crate::quantity::Scale;
use crate::toml;

/// A part that can be drawn independently: a key of the file, or an entry of a list.
pub(crate) type Part = (String, Option<usize>);

/// The most topologies that are drawn to find one of the same shape.
const MOST_SHAPES: u64 = 100;
/// The number of rounds before the draft is given up.
const ROUNDS: u64 = 80;

/// Parts of a scenario, and the state needed to draw more.
pub(crate) struct Draft<'a> {
    schema: &'a Json,
    files: &'a dyn Files,
    /// The scenario so far.
    pub(crate) tree: &'a mut Map<String, Json>,
    /// Names for references.
    pub(crate) names: Names,
    /// Orders of magnitude.
    pub(crate) scale: Scale,
    used: BTreeMap<Part, Vec<String>>,
    refused: u64,
}

impl<'a> Draft<'a> {
    /// An empty draft.
    pub(crate) fn new(
        schema: &'a Json,
        files: &'a dyn Files,
        tree: &'a mut Map<String, Json>,
        names: Names,
        scale: Scale,
    ) -> Draft<'a> {
        Draft {
            schema,
            files,
            tree,
            names,
            scale,
            used: BTreeMap::new(),
            refused: 0,
        }
    }

    /// Draws a part, in detail or with little more than the required keys.
    pub(crate) fn draw(&mut self, part: &Part, richness: u64, dice: &mut Dice) {
        let (key, entry) = part;
        let schema = &self.schema["properties"][key];
        let mut author = Author::new(dice, self.scale, &self.names, richness);
        let value = match entry {
            None => author.value(key, schema),
            Some(i) => {
                let value = author.value(key, &schema["items"]);
                if schema["items"]["properties"]["name"].is_object() {
                    named(value, &entry_name(key, *i))
                } else {
                    value
                }
            }
        };
        let mut used = author.used;
        used.push(key.clone());
        self.used.insert(part.clone(), used);
        match entry {
            None => {
                self.tree.insert(key.clone(), value);
            }
            Some(i) => self.put_entry(key, *i, value),
        }
    }

    fn put_entry(&mut self, key: &str, place: usize, value: Json) {
        let list = self.tree.entry(key).or_insert_with(|| json!([]));
        let list = list.as_array_mut().expect("a list of entries");
        match list.get_mut(place) {
            Some(old) => *old = value,
            None => list.push(value),
        }
    }

    /// Redraws refused parts until the draft, followed by these lines, is accepted, or until the
    /// rounds are used up.
    pub(crate) fn settle(&mut self, more: &str, dice: &mut Dice) -> Option<Checked> {
        for round in 0..ROUNDS {
            let text = toml::document(self.tree) + more;
            let problems = match load("draft.toml", &text, &[], self.files) {
                Ok(checked) => return Some(checked),
                Err(problems) => problems.0,
            };
            self.refused += 1;
            let richness = 30 * (ROUNDS - round) / ROUNDS;
            for part in self.at_fault(&problems)? {
                self.redraw(&part, richness, dice);
            }
        }
        None
    }

    /// Draws a part again. A topology keeps its shape, whose nodes and links others name.
    fn redraw(&mut self, part: &Part, richness: u64, dice: &mut Dice) {
        let shape = self.shape();
        self.draw(part, richness, dice);
        for _ in 0..MOST_SHAPES {
            if self.names.nodes.is_empty() || self.shape() == shape {
                return;
            }
            self.draw(part, richness, dice);
        }
    }

    fn shape(&self) -> Option<Json> {
        Some(self.tree.get("topology")?["shape"].clone())
    }

    /// The parts that these problems concern; `None` if any concerns something else.
    fn at_fault(&self, problems: &[Problem]) -> Option<BTreeSet<Part>> {
        let parts = problems.iter().map(|problem| part_of(&problem.path));
        let parts: BTreeSet<Part> = parts.collect();
        parts
            .iter()
            .all(|part| self.used.contains_key(part))
            .then_some(parts)
    }

    /// All elements of the language that the scenario uses.
    pub(crate) fn used(&self) -> BTreeSet<String> {
        self.used.values().flatten().cloned().collect()
    }

    /// The number of refusals.
    pub(crate) fn refused(&self) -> u64 {
        self.refused
    }

    /// The keys of the file that are tables, or lists of tables.
    pub(crate) fn keys(&self, lists: bool) -> Vec<&'a str> {
        let is_list = |of: &Json| of["type"] == "array";
        let keys = properties(self.schema).filter(|(_, of)| is_list(of) == lists);
        keys.map(|(key, _)| key.as_str()).collect()
    }
}

/// The name of an entry of a list.
pub(crate) fn entry_name(key: &str, place: usize) -> String {
    format!("{key}{place}")
}

fn named(mut entry: Json, name: &str) -> Json {
    entry["name"] = json!(name);
    entry
}

/// "flow\[2\].traffic.rate" belongs to entry 2 of "flow".
fn part_of(path: &str) -> Part {
    let first = path.split('.').next().unwrap_or(path);
    match first.split_once('[') {
        None => (first.to_owned(), None),
        Some((key, place)) => (key.to_owned(), place.trim_end_matches(']').parse().ok()),
    }
}
