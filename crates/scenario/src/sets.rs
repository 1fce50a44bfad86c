//! Options that change a scenario before it is checked: `--set key.path=value`.

use crate::field::Record;
use crate::form::{Form, Key, Table};
use crate::language::Scenario;
use crate::problem::{shortened, suggest};
use crate::raw::{Raw, Source};
use crate::tree::{self, Entry, Item, Place, Toml, TomlTable, parse_option};
use crate::walk::case_of;

impl Raw {
    /// Puts options into the scenario, each "key.path=value": "run.duration=60s",
    /// "topology.core.buffer=10KB", "flow.NAME.count=5" or "flow\[0\].count=5". The
    /// value is TOML or, if it is not, a text. What cannot be done is kept for
    /// [`Raw::check`] to report.
    pub fn apply_sets(&mut self, sets: &[&str]) {
        for set in sets {
            self.apply_set(set);
        }
    }

    fn apply_set(&mut self, set: &str) {
        let source = self.sources.len();
        self.sources.push(Source {
            name: format!("--set {set}"),
            text: set.to_owned(),
        });
        let (path, value) = match set.split_once('=') {
            Some((path, _)) => (path.trim(), parse_option(set, value_start(set), source)),
            None => {
                let help = "write key.path=value, like run.duration=60s";
                let place = Place {
                    source,
                    start: 0,
                    end: set.len(),
                };
                return self.refuse(place, set, "there is no \"=\" in this option", help);
            }
        };
        let place = Place {
            source,
            start: 0,
            end: path.len(),
        };
        if let Some(fault) = tree::option_fault(&set[value_start(set)..]) {
            let place = Place {
                start: value_start(set),
                end: set.len(),
                ..place
            };
            let message = format!("this value is not TOML: {fault}");
            let help = "write a table as 'key.path={ kind = \"none\" }', in quotes for the shell";
            return self.refuse(place, path, &message, help);
        }
        let steps: Vec<&str> = path
            .split(['.', '['])
            .map(|step| step.trim_end_matches(']'))
            .collect();
        let mut tree = self.tree.clone();
        match (Walk { place }).table(&mut tree, Keys::Of(Scenario::TABLE), &steps, value) {
            Ok(()) => self.tree = tree,
            Err((message, help)) => self.refuse(place, path, &message, &help),
        }
    }

    fn refuse(&mut self, place: Place, path: &str, message: &str, help: &str) {
        let path = shortened(path);
        let problem = self.problem(place, path, message.to_owned(), Some(help.to_owned()));
        self.tell(problem);
    }
}

fn value_start(set: &str) -> usize {
    let after = set.find('=').map_or(set.len(), |at| at + 1);
    after + (set[after..].len() - set[after..].trim_start().len())
}

/// The message and the help.
type Refusal = (String, String);

/// The keys that a table may have.
#[derive(Clone, Copy)]
enum Keys {
    Of(&'static Table),
    OneOf(&'static [Key]),
    Tagged(&'static str, &'static [&'static Table]),
}

impl Keys {
    /// The keys of this tree: of the case that its tag names, or of all cases.
    fn list(self, tree: &TomlTable) -> Vec<&'static Key> {
        match self {
            Keys::Of(table) => table.keys(),
            Keys::OneOf(keys) => keys.iter().collect(),
            Keys::Tagged(tag, cases) => {
                let word = tree.get(tag).and_then(Item::text).unwrap_or_default();
                match case_of(cases, word) {
                    Some(case) => case.keys(),
                    None => cases.iter().flat_map(|case| case.keys()).collect(),
                }
            }
        }
    }

    fn tag(self) -> Option<&'static str> {
        match self {
            Keys::Tagged(tag, _) => Some(tag),
            _ => None,
        }
    }
}

fn keys_within(form: &Form) -> Option<Keys> {
    match form {
        Form::Table(table) => Some(Keys::Of(table)),
        Form::OneOf(keys) | Form::Drawn(_, keys) | Form::ChoiceOr(_, keys) => {
            Some(Keys::OneOf(keys))
        }
        Form::Tagged { tag, cases } => Some(Keys::Tagged(tag, cases)),
        _ => None,
    }
}

/// Follows the steps of a path; everything along it stands where the option is.
struct Walk {
    place: Place,
}

impl Walk {
    fn table(
        &self,
        tree: &mut TomlTable,
        keys: Keys,
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
        if let (true, Keys::OneOf(_)) = (rest.is_empty(), keys) {
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
        let Some(keys) = keys_within(form) else {
            let message = format!("\"{name}\" has no key \"{}\"", shortened(rest[0]));
            return Err((message, format!("it is {}", form.accepts())));
        };
        if !matches!(item.value, Toml::Table(_)) {
            item.value = Toml::Table(TomlTable::default());
        }
        match &mut item.value {
            Toml::Table(tree) => self.table(tree, keys, rest, value),
            _ => unreachable!("it has just been made a table"),
        }
    }

    /// A member of a list, by its place or its name.
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
        let at = match step.parse::<usize>() {
            Ok(at) => Some(at).filter(|at| *at < items.len()),
            Err(_) => items.iter().position(|item| name_of(item) == Some(step)),
        };
        match at {
            Some(at) => self.item(&mut items[at], list, of, rest, value),
            None => {
                let names: Vec<&str> = items.iter().filter_map(name_of).collect();
                let message = format!("there is no {list} \"{}\"", shortened(step));
                let help = match items.len() {
                    0 => format!("the scenario has no {list}"),
                    n => format!("{}, or a place from 0 to {}", suggest(step, names), n - 1),
                };
                Err((message, help))
            }
        }
    }

    /// The value of a key, which is made if need be.
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

fn name_of(item: &Item) -> Option<&str> {
    item.table()?.get("name")?.text()
}
