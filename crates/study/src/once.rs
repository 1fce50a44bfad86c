//! Keys that are set once: no axis, option or variant undoes another's change without a word,
//! however each spells the key.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_language::document::Document;
use pacesim_language::identity::Identity;
use pacesim_language::problem::{Faults, Problem};
use pacesim_language::tree::{Item, Toml};

use crate::axis::{Axis, Change};
use crate::grid::Grid;
use crate::keys::StudyKeys;
use crate::selection::Selection;
use crate::study::Study;

/// The key of the warm-up, whose value a study may determine.
pub(crate) const WARMUP: &str = "run.warmup";

/// The keys of the scenario, by their identities.
pub(crate) struct Identities<'s> {
    /// Scenario before the axes change it.
    base: &'s Document,
}

/// A key as written, its identity, and its value.
struct Known<'k> {
    key: &'k str,
    identity: Identity,
    value: &'k Item,
    /// Index of its value on its axis.
    place: usize,
}

impl Known<'_> {
    /// True if this change undoes a part of an earlier one.
    fn undoes(&self, earlier: &Known<'_>) -> bool {
        self.identity.undoes(&earlier.identity, Some(earlier.value))
    }
}

impl<'s> Identities<'s> {
    /// The identities of a scenario's keys.
    pub(crate) fn of(base: &'s Document) -> Identities<'s> {
        Identities { base }
    }

    /// The changes that an axis makes: one of each spelling, and each that sets a table.
    fn varied<'a>(&self, axis: &'a Axis) -> Vec<Known<'a>> {
        let values = axis.values.iter().enumerate();
        let changes = values.flat_map(|(place, value)| {
            let changes = value.changes.iter();
            changes.map(move |change| (place, change))
        });
        let mut known: BTreeMap<&str, Identity> = BTreeMap::new();
        let mut met = BTreeSet::new();
        let is_new = |(_, change): &(usize, &'a Change)| {
            let is_plain = !matches!(change.value.value, Toml::Table(_) | Toml::List(_));
            met.insert(change.key.as_str()) || !is_plain
        };
        let changes = changes.filter(is_new);
        let change = |(place, change): (usize, &'a Change)| Known {
            place,
            key: &change.key,
            identity: known
                .entry(&change.key)
                .or_insert_with(|| self.base.identity(&change.key))
                .clone(),
            value: &change.value,
        };
        changes.map(change).collect()
    }

    fn known<'k>(&self, key: &'k str, value: &'k Item) -> Known<'k> {
        let identity = self.base.identity(key);
        Known {
            key,
            identity,
            value,
            place: 0,
        }
    }

    /// Rejects keys set twice: by two axes, by one value of an axis, or by an option and an axis. An
    /// axis may set a key within a table of an earlier axis, or that a table of an option leaves
    /// open; a table may take away the part that an earlier axis varies.
    pub(crate) fn varied_once(
        &self,
        axes: &[Axis],
        grid: &Grid,
        options: &[&str],
        faults: &mut Faults,
    ) {
        let keys: Vec<Vec<Known<'_>>> = axes.iter().map(|axis| self.varied(axis)).collect();
        for (i, axis) in axes.iter().enumerate() {
            self.once_in_each_value(i, axis, faults);
            for (other, earlier) in keys[..i].iter().enumerate() {
                let path = format!("sweep.axis[{i}]");
                let undone = first_undone(grid, (i, &keys[i]), (other, earlier));
                if let Some((key, as_key)) = undone.filter(|_| !faults.touch(&path)) {
                    let (other, spelt) = (&axes[other].name, spelt(key, as_key));
                    let message = format!("\"{key}\" is varied by the axis \"{other}\" too{spelt}");
                    let help = "set several keys at once by keys or cases of one axis";
                    faults.add(path, message).help(help);
                }
            }
        }
        for option in options {
            let set = self.base.identity(option);
            let whole = self.undone_by(axes, &[], &set);
            let within = || self.undone_within(&keys, &set);
            if let Some((i, as_key)) = whole.or_else(within) {
                let (name, spelt) = (&axes[i].name, spelt(option, as_key));
                let message = format!("an option sets \"{option}\", which this axis varies{spelt}");
                let help =
                    format!("give the axis other values: --set 'sweep.axis.{name}.values=[...]'");
                faults.add(format!("sweep.axis[{i}]"), message).help(help);
            }
        }
    }

    /// The first axis, with its spelling, that undoes a part of a table that an option sets, and
    /// that the scenario therefore has.
    fn undone_within<'k>(
        &self,
        keys: &[Vec<Known<'k>>],
        set: &Identity,
    ) -> Option<(usize, &'k str)> {
        keys.iter().enumerate().find_map(|(i, known)| {
            let undoes = |change: &&Known<'_>| {
                let key = &change.identity;
                set.covers(key) && !key.covers(set) && self.base.gives(key)
            };
            Some((i, known.iter().find(undoes)?.key))
        })
    }

    /// Rejects a value of an axis that sets one key twice.
    fn once_in_each_value(&self, i: usize, axis: &Axis, faults: &mut Faults) {
        for value in &axis.values {
            let changes = value.changes.iter();
            let keys = changes.map(|change| (&*change.key, &change.value));
            let path = format!("sweep.axis[{i}]");
            if self.set_twice(keys, &path, faults) {
                return;
            }
        }
    }

    /// Rejects keys, in their order, of which a later one undoes an earlier one.
    fn set_twice<'k>(
        &self,
        keys: impl Iterator<Item = (&'k str, &'k Item)>,
        path: &str,
        faults: &mut Faults,
    ) -> bool {
        let keys = keys.map(|(key, value)| self.known(key, value));
        let keys: Vec<Known<'_>> = keys.collect();
        let undone = keys.iter().enumerate();
        let mut undone = undone.filter_map(|(i, key)| {
            let earlier = keys[..i].iter().find(|other| key.undoes(other));
            earlier.map(|other| (key.key, other.key))
        });
        let undone = undone.next();
        let Some((key, other)) = undone.filter(|_| !faults.touch(path)) else {
            return false;
        };
        let message = format!("\"{key}\" is set twice{}", spelt(key, other));
        faults.add(path, message).help("keep one of them");
        true
    }

    /// Rejects keys that the study's `set` has twice, or that an axis sets at all of its values.
    pub(crate) fn set(&self, set: &[(String, Item)], axes: &[Axis], faults: &mut Faults) {
        let entries = set.iter().map(|(key, value)| (&**key, value));
        self.set_twice(entries, "set", faults);
        for (key, _) in set {
            let identity = self.base.identity(key);
            if let Some((axis, as_key)) = self.undone_by(axes, &[], &identity) {
                let (name, spelt) = (&axes[axis].name, spelt(key, as_key));
                let message = format!("\"{key}\" is varied by the axis \"{name}\"{spelt}");
                let help = "leave it out here: the axis gives it another value at every point";
                faults
                    .add(format!("set.{key}"), message)
                    .at_key()
                    .help(help);
            }
        }
    }

    /// The axis, with its spelling, that sets this key at all of the selected points.
    fn undone_by<'a>(
        &self,
        axes: &'a [Axis],
        at: &[(usize, Vec<usize>)],
        key: &Identity,
    ) -> Option<(usize, &'a str)> {
        axes.iter().enumerate().find_map(|(place, axis)| {
            let chosen = at.iter().find(|(axis, _)| *axis == place);
            let mut spelling = None;
            let mut values = axis.values.iter().enumerate();
            let undoes = values.all(|(value, axis_value)| {
                let is_chosen = chosen.is_none_or(|(_, values)| values.contains(&value));
                let mut keys = axis_value.changes.iter().map(|change| &*change.key);
                let found = keys.find(|other| self.base.identity(other).covers(key));
                spelling = spelling.or(found);
                !is_chosen || found.is_some()
            });
            spelling
                .filter(|_| undoes)
                .map(|spelling| (place, spelling))
        })
    }

    /// Rejects keys of variants that are set twice, or that an axis sets at all points of the
    /// variant: its values come after the variant's, and undo them.
    pub(crate) fn of_variants(
        &self,
        axes: &[Axis],
        selected: &[Selection],
        keys: &StudyKeys,
        faults: &mut Faults,
    ) {
        for (i, (variant, at)) in keys.variants.iter().zip(selected).enumerate() {
            let path = format!("variant[{i}].set");
            let entries = variant.set.iter().map(|(key, value)| (&**key, value));
            self.set_twice(entries, &path, faults);
            for (key, value) in &variant.set {
                let set = self.known(key, value);
                let whole = self.undone_by(axes, at, &set.identity);
                if let Some((axis, as_key)) = whole.or_else(|| self.undone_part(axes, at, &set)) {
                    let (name, spelt) = (&axes[axis].name, spelt(key, as_key));
                    let message = format!("\"{key}\" is varied by the axis \"{name}\"{spelt}");
                    let help = "give that axis another value, or the variant another key";
                    faults.add(path.clone(), message).help(help);
                }
            }
        }
    }

    /// The first axis, with its key, that undoes a value within the table that a variant sets.
    fn undone_part<'a>(
        &self,
        axes: &'a [Axis],
        at: &Selection,
        set: &Known<'_>,
    ) -> Option<(usize, &'a str)> {
        axes.iter().enumerate().find_map(|(i, axis)| {
            let chosen = at.iter().find(|(axis, _)| *axis == i);
            let is_chosen = |place: &usize| chosen.is_none_or(|(_, values)| values.contains(place));
            let values = axis.values.iter().enumerate();
            let values = values.filter(|(place, _)| is_chosen(place));
            let mut changes = values.flat_map(|(_, value)| &value.changes);
            let undoing = changes.find(|change| {
                let key = self.known(&change.key, &change.value);
                !key.identity.covers(&set.identity) && key.undoes(set)
            })?;
            Some((i, &*undoing.key))
        })
    }

    /// The first axis of which a value gives this key.
    pub(crate) fn axis_that_gives(&self, key: &str, axes: &[Axis]) -> Option<usize> {
        let gives = |axis: &Axis| self.varied(axis).iter().any(|by| self.gives(by.key, key));
        axes.iter().position(gives)
    }

    /// True if a change of one key gives the other.
    pub(crate) fn gives(&self, by: &str, key: &str) -> bool {
        self.base.identity(by).covers(&self.base.identity(key))
    }
}

impl Study {
    /// Rejects a value for a key of the scenario, as of an option, that an axis would undo.
    pub fn refuse_undone(&self, key: &str, option: &str) -> Result<(), Box<Problem>> {
        let Some(axis) = Identities::of(&self.base).axis_that_gives(key, &self.axes) else {
            return Ok(());
        };
        let path = if self.variant_axis() == Some(axis) {
            "variant".to_owned()
        } else {
            format!("sweep.axis[{axis}]")
        };
        let message = format!("{option} gives {key}, which this varies");
        let help = format!("leave {option} out, or the key {key} here");
        Err(Box::new(self.problem(&path, message, help)))
    }
}

/// The first change of an axis that undoes one of an earlier axis, and that one.
fn first_undone<'k>(
    grid: &Grid,
    (axis, changes): (usize, &[Known<'k>]),
    (other, earlier): (usize, &[Known<'k>]),
) -> Option<(&'k str, &'k str)> {
    changes.iter().find_map(|change| {
        let undoes = |before: &&Known<'_>| {
            let (ours, theirs) = (&change.identity, &before.identity);
            let is_within = || !ours.removes(theirs, change.value);
            let varies = || varies_beside(grid, other, (axis, change.place));
            ours == theirs || (ours.covers(theirs) && is_within() && varies())
        };
        let before = earlier.iter().find(undoes)?;
        Some((change.key, before.key))
    })
}

/// True if an axis has several values at points where another one has this value, or only one
/// anywhere.
fn varies_beside(grid: &Grid, axis: usize, (other, place): (usize, usize)) -> bool {
    let choices = || grid.numbers().filter_map(|number| grid.choice(number));
    let values = |choices: &mut dyn Iterator<Item = Vec<usize>>| -> BTreeSet<usize> {
        choices.map(|choice| choice[axis]).collect()
    };
    let beside = values(&mut choices().filter(|choice| choice[other] == place));
    beside.len() > 1 || values(&mut choices()) == beside
}

/// Names another spelling, within a sentence.
fn spelt(key: &str, other: &str) -> String {
    if key == other {
        String::new()
    } else {
        format!(", as \"{other}\"")
    }
}
