//! Identities of keys: the same for all spellings of a path.

use crate::document::Document;
use crate::form::Form;
use crate::sets::{Allowed, keys_within, place, steps};
use crate::tree::{Item, TomlTable};

/// The key that a path leads to: the steps to it, members of lists by their places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity(Vec<String>);

impl Identity {
    /// True if a change of this key undoes an earlier change of the other: they are the same, or
    /// the other is within this one.
    pub fn covers(&self, other: &Identity) -> bool {
        other.0.starts_with(&self.0)
    }

    /// True if a change of this key undoes a part of an earlier change of the other to `value`: it
    /// covers the other, or is within it and has a value there.
    pub fn undoes(&self, other: &Identity, value: Option<&Item>) -> bool {
        let within = self.0.strip_prefix(other.0.as_slice());
        self.covers(other) || within.is_some_and(|steps| is_given(value, steps))
    }
}

impl Identity {
    /// True if a change of this key to `value` takes away the member of a list around the other
    /// key, so that nothing is left to have a value.
    pub fn removes(&self, other: &Identity, value: &Item) -> bool {
        let steps = other.0.strip_prefix(self.0.as_slice());
        steps.is_some_and(|steps| is_gone(value, steps))
    }
}

fn is_gone(value: &Item, steps: &[String]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return false;
    };
    match (value.list(), value.table()) {
        (Some(members), _) => match step.parse().ok().and_then(|at: usize| members.get(at)) {
            Some(member) => is_gone(member, rest),
            None => true,
        },
        (_, Some(table)) => table.get(step).is_some_and(|value| is_gone(value, rest)),
        _ => false,
    }
}

/// True if these steps lead from a value to another.
fn is_given(value: Option<&Item>, steps: &[String]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return value.is_some();
    };
    let Some(value) = value else { return false };
    let in_table = value.table().and_then(|table| table.get(step));
    let in_list = || value.list()?.get(step.parse::<usize>().ok()?);
    is_given(in_table.or_else(in_list), rest)
}

impl Document {
    /// True if the key of this identity has a value.
    pub fn gives(&self, key: &Identity) -> bool {
        let Some((step, rest)) = key.0.split_first() else {
            return true;
        };
        is_given(self.tree().get(step), rest)
    }

    /// The identity of the key at a path, as in `--set`: "link.core.buffer" and
    /// "link\[0\].buffer" lead to one key if the first link is called core. Keys that exclude each
    /// other, such as the kinds of a distribution, are the value that they are alternatives of.
    pub fn identity(&self, path: &str) -> Identity {
        let mut found = Vec::new();
        let keys = Allowed::Of(self.language().table);
        within_table(Some(self.tree()), keys, &steps(path), &mut found);
        Identity(found)
    }
}

fn within_table(tree: Option<&TomlTable>, keys: Allowed, steps: &[&str], found: &mut Vec<String>) {
    let Some((step, rest)) = steps.split_first() else {
        return;
    };
    if rest.is_empty() && matches!(keys, Allowed::OneOf(_)) {
        return;
    }
    found.push((*step).to_owned());
    let list = keys.list(tree.unwrap_or(&TomlTable::EMPTY));
    let key = list.into_iter().find(|key| key.name == *step);
    match key {
        Some(key) => within_item(tree.and_then(|tree| tree.get(step)), key.form, rest, found),
        None => found.extend(rest.iter().map(|step| (*step).to_owned())),
    }
}

fn within_item(item: Option<&Item>, form: &Form, steps: &[&str], found: &mut Vec<String>) {
    let Some((step, rest)) = steps.split_first() else {
        return;
    };
    match form {
        Form::List(of) => {
            let items = item.and_then(Item::list).unwrap_or_default();
            let at = place(items, of, step);
            found.push(at.map_or_else(|| (*step).to_owned(), |at| at.to_string()));
            within_item(at.map(|at| &items[at]), of, rest, found);
        }
        Form::Map(of) => {
            found.push((*step).to_owned());
            let item = item.and_then(Item::table).and_then(|map| map.get(step));
            within_item(item, of, rest, found);
        }
        _ => match keys_within(form) {
            Some(keys) => within_table(item.and_then(Item::table), keys, steps, found),
            None => found.extend(steps.iter().map(|step| (*step).to_owned())),
        },
    }
}
