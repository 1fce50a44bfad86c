//! Options that change a document before it is checked: `--set key.path=value`.

use crate::document::Document;
use crate::form::{Form, KIND, Key, Kinds, Need, Table};
use crate::problem::{path_of, shortened, suggest};
use crate::tree::{Entry, Item, Place, Toml, TomlTable, option_fault, parse_option};
use crate::walk::case_of;

impl Document {
    /// Applies options to the document, each "key.path=value": "run.duration=60s",
    /// "topology.core.buffer=10KB", "flow.NAME.count=5" or "flow\[0\].count=5". The value is TOML
    /// or, if it is not, a string. [`Document::check`] reports the options that cannot be applied.
    pub fn apply_sets(&mut self, sets: &[&str]) {
        for set in sets {
            self.apply_set(set);
        }
    }

    fn apply_set(&mut self, set: &str) {
        let source = self.add_source(&format!("--set {set}"), set);
        let Some((path, _)) = set.split_once('=') else {
            let message = "there is no \"=\" in this option".to_owned();
            let help = "write key.path=value, like run.duration=60s";
            return self.refuse(
                Place::of(source, 0..set.len()),
                path_of(set),
                message,
                Some(help),
            );
        };
        let (path, start) = (path.trim(), value_start(set));
        if let Some(fault) = option_fault(&set[start..]) {
            let message = format!("this value is not TOML: {fault}");
            let help = "write a table as 'key.path={ kind = \"none\" }', in quotes for the shell";
            return self.refuse(
                Place::of(source, start..set.len()),
                path_of(path),
                message,
                Some(help),
            );
        }
        let value = parse_option(set, start, source);
        self.set(path, Place::of(source, 0..path.len()), value);
    }

    /// Gives a key another value. `place` is that of its path, "flow.NAME.count", for reports of a
    /// path that cannot be followed; the value is reported at its own place.
    pub fn set(&mut self, path: &str, place: Place, value: Item) {
        let steps = steps(path);
        let language = self.language();
        let setter = Setter {
            place,
            noun: language.noun,
        };
        let mut tree = self.tree().clone();
        match setter.table(&mut tree, Allowed::Of(language.table), &steps, value) {
            Ok(()) => *self.tree_mut() = tree,
            Err((message, help)) => self.refuse(place, path_of(path), message, Some(&help)),
        }
    }
}

/// The steps of a path: "flow\[0\].count" has three.
pub(crate) fn steps(path: &str) -> Vec<&str> {
    let steps = path.split(['.', '[']);
    steps.map(|step| step.trim_end_matches(']')).collect()
}

fn value_start(set: &str) -> usize {
    let after = set.find('=').map_or(set.len(), |at| at + 1);
    after + (set[after..].len() - set[after..].trim_start().len())
}

/// A refusal: the message and the remedy.
type Refusal = (String, String);

/// The keys that a table may have.
#[derive(Clone, Copy)]
pub(crate) enum Allowed {
    Of(&'static Table),
    OneOf(&'static [Key]),
    Tagged(&'static str, Kinds),
}

impl Allowed {
    /// The keys of this tree: those of the case named by its tag, or of all cases.
    pub(crate) fn list(self, tree: &TomlTable) -> Vec<&'static Key> {
        match self {
            Allowed::Of(table) => table.keys(),
            Allowed::OneOf(keys) => keys.iter().collect(),
            Allowed::Tagged(tag, cases) => {
                let word = tree.get(tag).and_then(Item::text).unwrap_or_default();
                match case_of(cases, word) {
                    Some(case) => case.keys(),
                    None => cases.all().flat_map(Table::keys).collect(),
                }
            }
        }
    }

    fn tag(self) -> Option<&'static str> {
        match self {
            Allowed::Tagged(tag, _) => Some(tag),
            _ => None,
        }
    }
}

/// The keys of a table of this form.
pub(crate) fn keys_within(form: &Form) -> Option<Allowed> {
    match form {
        Form::Table(table) | Form::WordOrTable(_, table) => Some(Allowed::Of(table)),
        Form::OneOf(keys) | Form::Drawn(_, keys) | Form::ChoiceOr(_, keys) => {
            Some(Allowed::OneOf(keys))
        }
        Form::Tagged { tag, cases } => Some(Allowed::Tagged(tag, *cases)),
        Form::WordOrOwn(_, own) if own.all().next().is_some() => Some(Allowed::Tagged(KIND, *own)),
        _ => None,
    }
}

/// Follows the steps of a path; the entries that it creates have the place of the path.
struct Setter {
    place: Place,
    /// Noun for a file of the language.
    noun: &'static str,
}

impl Setter {
    fn table(
        &self,
        tree: &mut TomlTable,
        keys: Allowed,
        steps: &[&str],
        value: Item,
    ) -> Result<(), Refusal> {
        let (step, rest) = steps.split_first().expect("a path has a step");
        if keys.tag() == Some(*step) && rest.is_empty() {
            *self.slot(tree, step) = value;
            return Ok(());
        }
        let list = keys.list(tree);
        let Some(key) = list.iter().find(|key| key.name == *step) else {
            let names = keys
                .tag()
                .into_iter()
                .chain(list.iter().map(|key| key.name));
            let message = format!("unknown key \"{}\"", shortened(step));
            return Err((message, suggest(step, names)));
        };
        if let (true, Allowed::OneOf(_)) = (rest.is_empty(), keys) {
            // The keys exclude each other: the new one replaces the old.
            tree.entries.retain(|entry| entry.key == *step);
        }
        self.item(self.slot(tree, step), key.name, key.form, rest, value)
    }

    fn item(
        &self,
        item: &mut Item,
        name: &str,
        form: &Form,
        rest: &[&str],
        value: Item,
    ) -> Result<(), Refusal> {
        if rest.is_empty() {
            *item = value;
            return Ok(());
        }
        if let Form::List(of) = form {
            return self.element(item, name, of, rest, value);
        }
        if let Form::Map(of) = form {
            return self.entry(item, of, rest, value);
        }
        let Some(keys) = keys_within(form) else {
            let message = format!("\"{name}\" has no key \"{}\"", shortened(rest[0]));
            return Err((message, format!("it is {}", form.accepts())));
        };
        if !matches!(item.value, Toml::Table(_)) {
            item.value = Toml::Table(self.table_of(item, form));
        }
        match &mut item.value {
            Toml::Table(tree) => self.table(tree, keys, rest, value),
            _ => unreachable!("it has just been made a table"),
        }
    }

    /// The table in place of a value: that of the kind named alone, otherwise an empty one.
    fn table_of(&self, item: &Item, form: &Form) -> TomlTable {
        let mut table = TomlTable::default();
        if let (Form::WordOrOwn(_, own), Some(word)) = (form, item.text())
            && own.named(word).is_some()
        {
            *self.slot(&mut table, KIND) = item.clone();
        }
        table
    }

    /// An entry of a map, old or new.
    fn entry(
        &self,
        item: &mut Item,
        of: &Form,
        steps: &[&str],
        value: Item,
    ) -> Result<(), Refusal> {
        let (step, rest) = steps.split_first().expect("a path goes on");
        if !matches!(item.value, Toml::Table(_)) {
            item.value = Toml::Table(TomlTable::default());
        }
        match &mut item.value {
            Toml::Table(tree) => self.item(self.slot(tree, step), step, of, rest, value),
            _ => unreachable!("it has just been made a table"),
        }
    }

    /// A member of a list, by its number or its name.
    fn element(
        &self,
        item: &mut Item,
        list: &str,
        of: &Form,
        steps: &[&str],
        value: Item,
    ) -> Result<(), Refusal> {
        let (step, rest) = steps.split_first().expect("a path goes on");
        let items = match &mut item.value {
            Toml::List(items) => items.as_mut_slice(),
            _ => &mut [],
        };
        match place(items, of, step) {
            Some(at) => self.item(&mut items[at], list, of, rest, value),
            None => {
                let names: Vec<&str> = items.iter().filter_map(|item| named(item, of)).collect();
                let message = format!("there is no {list} \"{}\"", shortened(step));
                let help = match items.len() {
                    0 => format!("the {} has no {list}", self.noun),
                    n => format!("{}, or a place from 0 to {}", suggest(step, names), n - 1),
                };
                Err((message, help))
            }
        }
    }

    /// The value of a key, which is created if necessary.
    fn slot<'t>(&self, tree: &'t mut TomlTable, key: &str) -> &'t mut Item {
        let place = self.place;
        tree.slot(key, || Entry {
            key: key.to_owned(),
            key_place: place,
            item: Item {
                place,
                value: Toml::Table(TomlTable::default()),
            },
        })
    }
}

/// The place of a member of a list, by its number or its name.
pub(crate) fn place(items: &[Item], of: &Form, step: &str) -> Option<usize> {
    match step.parse::<usize>() {
        Ok(at) => Some(at).filter(|at| *at < items.len()),
        Err(_) => items.iter().position(|item| named(item, of) == Some(step)),
    }
}

/// The name of a member of a list, or the default of members without one.
fn named<'i>(item: &'i Item, of: &Form) -> Option<&'i str> {
    let table = item.table()?;
    match table.get("name") {
        Some(name) => name.text(),
        None => default_name(keys_within(of)?.list(table)),
    }
}

fn default_name(keys: Vec<&'static Key>) -> Option<&'static str> {
    let key = keys.into_iter().find(|key| key.name == "name")?;
    match key.need {
        Need::Default(name) => Some(name.trim_matches('"')),
        Need::Required | Need::Optional => None,
    }
}
