//! Formulas: strings that begin with "=" in place of quantities. A language with formulas replaces
//! each by its value before the check.

use crate::document::Document;
pub use crate::formula::Formula;
use crate::tree::{Entry, Item, Toml, TomlTable};
use crate::walk::Walk;

impl Document {
    /// All formulas, in the order of the text.
    pub fn formulas(&self) -> Vec<Formula> {
        let mut walk = Walk::default();
        walk.table("", self.tree(), self.language().table);
        walk.formulas
    }

    /// The document with strings in place of the values at these paths, as far as they are there.
    pub fn with_texts<'t>(&self, texts: impl Iterator<Item = (&'t str, &'t str)>) -> Document {
        let mut document = self.clone();
        for (path, text) in texts {
            if let Some(item) = item_at(document.tree_mut(), path) {
                item.value = Toml::Text(text.to_owned());
            }
        }
        document
    }
}

/// Finds the value at a path.
fn item_at<'t>(table: &'t mut TomlTable, path: &str) -> Option<&'t mut Item> {
    let rest = |entry: &Entry| {
        let rest = path.strip_prefix(entry.key.as_str())?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest.len())
    };
    let entries = table.entries.iter_mut();
    let (entry, rest) = entries
        .filter_map(|entry| rest(entry).map(|rest| (entry, rest)))
        .min_by_key(|(_, rest)| *rest)?;
    within(&mut entry.item, &path[path.len() - rest..])
}

/// The value at the rest of a path: "", "\[3\]...", ".key...".
fn within<'t>(item: &'t mut Item, path: &str) -> Option<&'t mut Item> {
    if path.is_empty() {
        return Some(item);
    }
    match &mut item.value {
        Toml::List(items) => {
            let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
            within(items.get_mut(index.parse::<usize>().ok()?)?, rest)
        }
        Toml::Table(table) => item_at(table, path.strip_prefix('.')?),
        _ => None,
    }
}
