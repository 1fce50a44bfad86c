//! Stand-ins for refused entries. A later stage sees several of them in turn: only a mistake that is
//! there with all of them is independent of the refused entry.

use pacesim_units::Quantity;

use crate::document::Document;
use crate::form::{Form, Key};
use crate::names::Named;
use crate::problem::nearest;
use crate::sets::{Allowed, keys_within};
use crate::tree::{Entry, Item, Place, Toml, TomlTable};

/// The number of stand-ins of an entry.
pub const SETS: usize = 3;

/// The names to which a reference may refer.
pub type NamesOf<'n> = &'n dyn Fn(Named) -> Vec<String>;

impl Document {
    /// The document with other values in place of the entries at these paths, present or missing.
    /// Entries without a stand-in stay: tables and names.
    pub fn with_stand_ins<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
        set: usize,
        names: NamesOf<'_>,
    ) -> Document {
        let mut document = self.clone();
        let all = Allowed::Of(self.language().table);
        for path in paths {
            let place = self.place(path, false);
            let steps = steps(path);
            replace(
                document.tree_mut(),
                all,
                &steps,
                Chosen { set, place, names },
            );
        }
        document
    }

    /// True if a refused entry at this path has stand-ins.
    pub fn has_stand_ins(&self, path: &str, names: NamesOf<'_>) -> bool {
        let place = Place::default();
        let chosen = Chosen {
            set: 0,
            place,
            names,
        };
        let form = form_at(
            self.tree(),
            Allowed::Of(self.language().table),
            &steps(path),
        );
        form.is_some_and(|form| stand_in(form, chosen).is_some())
    }
}

/// The steps of a path: "flow", "2", "rate" of "flow\[2\].rate".
fn steps(path: &str) -> Vec<&str> {
    let steps = path.split(['.', '[']);
    steps.map(|step| step.trim_end_matches(']')).collect()
}

/// The key of this name, or the missing one that a misspelt name was meant to be.
fn key_of(tree: &TomlTable, keys: Allowed, step: &str, is_last: bool) -> Option<&'static Key> {
    let list = keys.list(tree);
    let known = |name: &str| list.iter().copied().find(|key| key.name == name);
    let meant = || {
        let name = nearest(step, list.iter().map(|key| key.name))?;
        known(name).filter(|key| is_last && tree.get(key.name).is_none())
    };
    known(step).or_else(meant)
}

/// The form of the entry at the end of these steps.
fn form_at(tree: &TomlTable, keys: Allowed, steps: &[&str]) -> Option<&'static Form> {
    let (step, rest) = steps.split_first()?;
    let key = key_of(tree, keys, step, rest.is_empty())?;
    if rest.is_empty() {
        Some(key.form)
    } else {
        form_within(tree.get(key.name)?, key.form, rest)
    }
}

fn form_within(item: &Item, form: &'static Form, steps: &[&str]) -> Option<&'static Form> {
    let (step, rest) = steps.split_first()?;
    match (form, &item.value) {
        (Form::List(of) | Form::Pair(of), Toml::List(items)) => {
            let item = items.get(step.parse::<usize>().ok()?)?;
            if rest.is_empty() {
                Some(of)
            } else {
                form_within(item, of, rest)
            }
        }
        (Form::Drawn(..), Toml::Table(table)) => {
            let inner = form_at(table, keys_within(form)?, steps);
            inner.filter(|inner| !is_opaque(inner)).or(Some(form))
        }
        (form, Toml::Table(table)) => form_at(table, keys_within(form)?, steps),
        _ => None,
    }
}

/// True for entries without a stand-in of their own, such as the file of a distribution: the whole
/// distribution is replaced.
fn is_opaque(form: &Form) -> bool {
    let chosen = Chosen {
        set: 0,
        place: Place::default(),
        names: &|_| Vec::new(),
    };
    stand_in(form, chosen).is_none()
}

/// A choice of stand-ins.
#[derive(Clone, Copy)]
struct Chosen<'n> {
    set: usize,
    /// The place of those that are new.
    place: Place,
    names: NamesOf<'n>,
}

/// Replaces the entry at the end of these steps; nothing happens if they cannot be followed.
fn replace(tree: &mut TomlTable, keys: Allowed, steps: &[&str], chosen: Chosen<'_>) -> Option<()> {
    let (step, rest) = steps.split_first()?;
    let key = key_of(tree, keys, step, rest.is_empty())?;
    if !rest.is_empty() {
        return within(tree.item_mut(key.name)?, key.form, rest, chosen);
    }
    let place = chosen.place;
    let value = stand_in(key.form, chosen)?;
    let make = || Entry {
        key: key.name.to_owned(),
        key_place: place,
        item: Item {
            place,
            value: Toml::Flag(false),
        },
    };
    tree.slot(key.name, make).value = value;
    Some(())
}

fn within(item: &mut Item, form: &Form, steps: &[&str], chosen: Chosen<'_>) -> Option<()> {
    let (step, rest) = steps.split_first()?;
    match (form, &mut item.value) {
        (Form::List(of) | Form::Pair(of), Toml::List(items)) => {
            let item = items.get_mut(step.parse::<usize>().ok()?)?;
            if rest.is_empty() {
                item.value = stand_in(of, chosen)?
            } else {
                return within(item, of, rest, chosen);
            }
            Some(())
        }
        (Form::Drawn(..), Toml::Table(table)) => {
            if replace(table, keys_within(form)?, steps, chosen).is_none() {
                item.value = stand_in(form, chosen)?;
            }
            Some(())
        }
        (form, Toml::Table(table)) => replace(table, keys_within(form)?, steps, chosen),
        _ => None,
    }
}

/// A legal value of this form: in general a small one, a usual one, and a large one.
fn stand_in(form: &Form, Chosen { set, names, .. }: Chosen<'_>) -> Option<Toml> {
    let text = |texts: [&str; SETS]| Some(Toml::Text(texts[set].to_owned()));
    let word = |words: &[(&str, &str)]| {
        let (word, _) = words[set * words.len().checked_sub(1)? / (SETS - 1)];
        Some(Toml::Text(word.to_owned()))
    };
    match form {
        Form::FlagOr(_) if set == 0 => Some(Toml::Flag(false)),
        Form::Quantity(q) | Form::Drawn(q, _) | Form::FlagOr(q) => text(quantity(*q)),
        Form::Reference(named) => {
            let names = names(*named);
            // The last set leaves it unresolved: it may lead anywhere.
            let name = match set {
                0 => names.first()?,
                1 => names.get(names.len() / 2)?,
                _ => return None,
            };
            Some(Toml::Text(name.clone()))
        }
        Form::Length => text(["1m", "100km", "3000km"]),
        Form::PrintLength => text(["3.33in", "85mm", "8pt"]),
        Form::Count { least, most } => {
            let number = [1, 3, 50][set].clamp(*least, *most);
            Some(Toml::Integer(number.into()))
        }
        Form::Number { low, high } => {
            Some(Toml::Float(match (low.is_finite(), high.is_finite()) {
                (true, true) => low + (high - low) * [0.1, 0.5, 0.9][set],
                (true, false) => low + [0.5, 2.0, 1000.0][set],
                _ => [0.5, 2.0, 1000.0][set],
            }))
        }
        Form::Flag => Some(Toml::Flag(set != 1)),
        Form::Choice(words)
        | Form::ChoiceOr(words, _)
        | Form::WordOrOwn(words, _)
        | Form::WordOrTable(words, _) => word(words),
        _ => None,
    }
}

/// Stand-ins for a quantity.
pub fn quantity(quantity: Quantity) -> [&'static str; SETS] {
    match quantity {
        Quantity::Span => ["1us", "1s", "1000s"],
        Quantity::Rate => ["64kbps", "10Mbps", "100Gbps"],
        Quantity::Bytes => ["64B", "1000B", "1MB"],
        Quantity::Packets | Quantity::Window => ["2pkts", "100pkts", "10000pkts"],
        Quantity::Capacity => ["3pkts", "1MB", "100000pkts"],
    }
}
