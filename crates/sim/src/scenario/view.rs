//! A table of the text beside the table of the language that it follows: values by
//! key, with the language's defaults. A value that is wrong is none, for
//! [`super::walk`] has told.

use super::keys::{Key, Kind, Need, Of, Table};
use super::tree::{self, Item, Value as Raw, parse_option};
use super::values::{Members, Reference, Unit, Value};
use super::walk::{case_of, join, number};
use crate::model::Distribution;

static NOTHING: tree::Table = tree::Table {
    entries: Vec::new(),
};

/// A table of the text beside the table of the language that it follows.
pub(super) struct View<'t> {
    pub(super) tree: &'t tree::Table,
    pub(super) table: &'static Table,
    pub(super) path: String,
}

impl<'t> View<'t> {
    pub(super) fn key(&self, name: &str) -> &'static Key {
        self.table
            .key(name)
            .expect("a key of the language is read by its name")
    }

    pub(super) fn item(&self, name: &str) -> Option<&'t Item> {
        let _ = self.key(name);
        self.tree.get(name)
    }

    /// What a value is read as by `read`, else the default of the language.
    pub(super) fn get<T>(&self, name: &str, read: impl Fn(&Item) -> Option<T>) -> Option<T> {
        let given = self.item(name).and_then(&read);
        given.or_else(|| match self.key(name).need {
            Need::Default(text) => read(&parse_option(text, 0, 0)),
            _ => None,
        })
    }

    pub(super) fn path(&self, name: &str) -> String {
        join(&self.path, name)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name, |item| text(item).map(str::to_owned))
    }

    pub(super) fn parsed<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.get(name, parsed)
    }

    pub(super) fn count(&self, name: &str) -> Option<u32> {
        let Kind::Count { least, .. } = self.key(name).kind else {
            unreachable!("a key that is read as a count is one");
        };
        let least = u32::try_from(least).expect("counts start at 0 or 1");
        self.get(name, |item| {
            u32::try_from(integer(item)?).ok().filter(|n| *n >= least)
        })
    }

    pub(super) fn drawn<T: Unit>(&self, name: &str) -> Option<Value<T>> {
        self.get(name, |item| drawn(item))
    }

    pub(super) fn references(&self, name: &str, of: Of) -> Vec<Reference> {
        self.get(name, |item| match &item.value {
            Raw::List(items) => Some(items.iter().map(|i| reference(i, of)).collect()),
            _ => None,
        })
        .unwrap_or_default()
    }

    pub(super) fn reference(&self, name: &str, of: Of) -> Reference {
        self.get(name, |item| Some(reference(item, of)))
            .unwrap_or_else(unreadable)
    }

    pub(super) fn table(&self, name: &str) -> Option<View<'t>> {
        let Kind::Table(table) = self.key(name).kind else {
            unreachable!("a key that is read as a table is one");
        };
        let tree = table_of(self.item(name)?)?;
        Some(View {
            tree,
            table,
            path: self.path(name),
        })
    }

    pub(super) fn empty(&self, name: &str) -> View<'t> {
        let Kind::Table(table) = self.key(name).kind else {
            unreachable!("a key that is read as a table is one");
        };
        View {
            tree: &NOTHING,
            table,
            path: self.path(name),
        }
    }

    /// The tables of a list of tables.
    pub(super) fn tables(&self, name: &str) -> Vec<View<'t>> {
        let Kind::List(Kind::Table(table)) = self.key(name).kind else {
            unreachable!("a key that is read as a list of tables is one");
        };
        let Some(Raw::List(items)) = self.item(name).map(|item| &item.value) else {
            return Vec::new();
        };
        items
            .iter()
            .enumerate()
            .map(|(i, item)| View {
                tree: table_of(item).unwrap_or(&NOTHING),
                table,
                path: format!("{}[{i}]", self.path(name)),
            })
            .collect()
    }

    pub(super) fn tagged(&self, name: &str, tag_name: &str) -> Option<View<'t>> {
        let Kind::Tagged { tag, cases } = self.key(name).kind else {
            unreachable!("a key that is read as a tagged table is one");
        };
        debug_assert_eq!(tag, tag_name);
        let tree = table_of(self.item(name)?)?;
        let chosen = text(tree.get(tag)?)?;
        let table = case_of(cases, chosen)?;
        Some(View {
            tree,
            table,
            path: self.path(name),
        })
    }
}

pub(super) fn text(item: &Item) -> Option<&str> {
    match &item.value {
        Raw::Text(text) => Some(text),
        _ => None,
    }
}

pub(super) fn parsed<T: std::str::FromStr>(item: &Item) -> Option<T> {
    text(item)?.parse().ok()
}

pub(super) fn integer(item: &Item) -> Option<i128> {
    match item.value {
        Raw::Integer(n) => Some(n),
        _ => None,
    }
}

pub(super) fn flag(item: &Item) -> Option<bool> {
    match item.value {
        Raw::Flag(flag) => Some(flag),
        _ => None,
    }
}

pub(super) fn table_of(item: &Item) -> Option<&tree::Table> {
    match &item.value {
        Raw::Table(table) => Some(table),
        _ => None,
    }
}

/// Stands for a reference that could not be read.
pub(super) fn unreadable() -> Reference {
    Reference {
        group: String::new(),
        members: Members::All,
    }
}

pub(super) fn reference(item: &Item, of: Of) -> Reference {
    text(item)
        .and_then(|text| Reference::parse(text, of).ok())
        .unwrap_or_else(unreadable)
}

pub(super) fn drawn<T: Unit>(item: &Item) -> Option<Value<T>> {
    match table_of(item) {
        None => parsed(item).map(Value::Constant),
        Some(table) => distribution::<T>(table).map(Value::Drawn),
    }
}

/// The distribution whose only key is there.
pub(super) fn distribution<T: Unit>(table: &tree::Table) -> Option<Distribution> {
    let [entry] = table.entries.as_slice() else {
        return None;
    };
    let quantity = |item: &Item| parsed::<T>(item).map(T::to_number);
    let inner = |name: &str| table_of(&entry.item).and_then(|table| table.get(name));
    let mean = || inner("mean").and_then(quantity);
    let plain = |name: &str| {
        inner(name)
            .map(|item| number(&item.value))
            .filter(|x| x.is_finite())
    };
    Some(match entry.key.as_str() {
        "uniform" => match &entry.item.value {
            Raw::List(ends) if ends.len() == 2 => Distribution::Uniform {
                low: quantity(&ends[0])?,
                high: quantity(&ends[1])?,
            },
            _ => return None,
        },
        "exponential" => Distribution::Exponential {
            mean: quantity(&entry.item)?,
        },
        "pareto" => Distribution::Pareto {
            mean: mean()?,
            shape: plain("shape")?,
            max: match inner("max") {
                None => None,
                Some(max) => Some(quantity(max)?),
            },
        },
        "normal" => Distribution::Normal {
            mean: mean()?,
            std_dev: inner("std_dev").and_then(quantity)?,
        },
        "lognormal" => Distribution::LogNormal {
            mean: mean()?,
            sigma: plain("sigma")?,
        },
        "geometric" => Distribution::Geometric {
            mean: quantity(&entry.item)?,
        },
        _ => return None,
    })
}
