//! Comparison of a tree with the language, reporting every difference: unknown and missing keys,
//! values of the wrong kind, unit or range.

use crate::form::{Form, KIND, Key, Kinds, Need, Table, Word};
use crate::formula::Formula;
use crate::length::Length;
use crate::names::{Reference, is_name};
use crate::print_length::PrintLength;
use crate::problem::{Fault, Faults, join, nearest, shortened, suggest};
use crate::tree::{Entry, Item, Toml, TomlTable};
use pacesim_units::{Bytes, Capacity, Quantity, Rate, Span, Window};

/// All differences between a tree and a table of the language.
pub fn differences(tree: &TomlTable, table: &Table) -> Faults {
    let mut walk = Walk::default();
    walk.table("", tree, table);
    walk.faults
}

#[derive(Default)]
pub(crate) struct Walk {
    pub(crate) faults: Faults,
    /// Formulas, which are mistakes unless a language replaces them first.
    pub(crate) formulas: Vec<Formula>,
}

impl Walk {
    pub(crate) fn table(&mut self, path: &str, tree: &TomlTable, table: &Table) {
        self.case(path, tree, None, table);
    }

    /// Compares a table, perhaps with one more key, `tag`, that is handled elsewhere.
    fn case(&mut self, path: &str, tree: &TomlTable, tag: Option<&str>, table: &Table) {
        let keys = table.keys();
        let meant = self.entries(path, tree, &keys, tag);
        for key in keys {
            if key.need == Need::Required && tree.get(key.name).is_none() {
                let fault = self.missing(path, key.name, &key.assignment());
                // A misspelt key has been reported; its absence needs no report.
                fault.silent = meant.contains(&key.name);
            }
        }
    }

    /// Compares it with the case nearest to a misspelt tag. The guess may be wrong, so missing and
    /// unknown keys are not mistakes.
    fn guessed_case(&mut self, path: &str, tree: &TomlTable, tag: &str, guess: &Table) {
        let known = self.faults.list.len();
        self.case(path, tree, Some(tag), guess);
        for fault in &mut self.faults.list[known..] {
            fault.silent |= fault.absence || fault.at_key;
        }
    }

    /// Compares the keys present; returns the keys that unknown ones probably mean.
    fn entries(
        &mut self,
        path: &str,
        tree: &TomlTable,
        keys: &[&'static Key],
        tag: Option<&str>,
    ) -> Vec<&'static str> {
        let mut meant = Vec::new();
        for entry in &tree.entries {
            if tag == Some(entry.key.as_str()) {
                continue;
            }
            match keys.iter().find(|key| key.name == entry.key) {
                Some(key) => self.item(&join(path, key.name), &entry.item, key.form),
                None => {
                    let names = tag.into_iter().chain(keys.iter().map(|key| key.name));
                    self.unknown(path, &entry.key, &suggest(&entry.key, names));
                    meant.extend(nearest(&entry.key, keys.iter().map(|key| key.name)));
                }
            }
        }
        meant
    }

    fn unknown(&mut self, path: &str, key: &str, help: &str) {
        self.faults
            .add(join(path, key), "unknown key")
            .at_key()
            .help(help);
    }

    fn missing(&mut self, path: &str, key: &str, example: &str) -> &mut Fault {
        self.faults
            .add(join(path, key), "this key is missing")
            .help(format!("write {example}"))
            .absence()
    }

    fn wrong(&mut self, path: &str, item: &Item, form: &Form) -> &mut Fault {
        let message = format!("{} is not accepted here", item.value.what());
        // One bracket less than a list of tables needs.
        let is_one_of_many = matches!(form, Form::List(of) if of.takes_tables())
            && matches!(item.value, Toml::Table(_))
            && !path.contains('[');
        let help = if is_one_of_many {
            format!("write [[{path}]], with two brackets: there may be several")
        } else {
            format!("give {}", form.accepts())
        };
        self.faults.add(path, message).help(help)
    }

    /// Strings end up in figures, tables and terminals: none may contain characters that change the
    /// display of other text.
    fn unseen(&mut self, path: &str, text: &str) {
        let is_unseen = |c: &char| match c {
            '\n' | '\t' => false,
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
            c => c.is_control(),
        };
        if let Some(unseen) = text.chars().find(is_unseen) {
            let code = u32::from(unseen);
            let message = format!("this text holds the character U+{code:04X}, which is invisible");
            self.faults
                .add(path, message)
                .help("leave out characters that control terminals or the direction of text");
        }
    }

    pub(crate) fn item(&mut self, path: &str, item: &Item, form: &Form) {
        match (form, &item.value) {
            (Form::Text, Toml::Text(text)) => self.unseen(path, text),
            (Form::Flag | Form::FlagOr(_), Toml::Flag(_)) => (),
            (Form::Count { least, most }, Toml::Integer(n)) => {
                if *n < i128::from(*least) || *n > i128::from(*most) {
                    self.out_of_range(path, &n.to_string(), form);
                }
            }
            (Form::Number { low, high }, Toml::Integer(_) | Toml::Float(_)) => {
                let x = item.value.number();
                if !x.is_finite() || x < *low || x > *high {
                    self.out_of_range(path, &x.to_string(), form);
                }
            }
            (
                Form::Choice(words) | Form::ChoiceOr(words, _) | Form::WordOrTable(words, _),
                Toml::Text(text),
            ) => {
                self.choice(path, text, words);
            }
            (Form::Table(table) | Form::WordOrTable(_, table), Toml::Table(tree)) => {
                self.table(path, tree, table);
            }
            (
                Form::OneOf(keys) | Form::ChoiceOr(_, keys) | Form::Drawn(_, keys),
                Toml::Table(tree),
            ) => {
                self.one_of(path, tree, keys);
            }
            (Form::Tagged { tag, cases }, Toml::Table(tree)) => {
                self.tagged(path, tree, tag, *cases)
            }
            (Form::WordOrOwn(words, own), Toml::Text(text)) => {
                self.word_or_own(path, text, words, *own);
            }
            (Form::WordOrOwn(_, own), Toml::Table(tree)) if own.all().next().is_some() => {
                self.tagged(path, tree, KIND, *own);
            }
            (Form::List(of), Toml::List(items)) => self.list(path, items, of),
            (Form::Pair(of), Toml::List(items)) if items.len() == 2 => self.list(path, items, of),
            (Form::Any, value) if *value != Toml::Date => (),
            (Form::Map(of), Toml::Table(tree)) => {
                for entry in &tree.entries {
                    self.item(&join(path, &entry.key), &entry.item, of);
                }
            }
            (_, Toml::Text(text)) => self.text(path, text, item, form),
            (
                Form::Quantity(q) | Form::Drawn(q, _) | Form::FlagOr(q),
                Toml::Integer(_) | Toml::Float(_),
            ) => {
                self.no_unit(path, &item.value, *q);
            }
            _ => {
                self.wrong(path, item, form);
            }
        }
    }

    fn out_of_range(&mut self, path: &str, value: &str, form: &Form) {
        let message = format!("{value} is out of range");
        self.faults
            .add(path, message)
            .help(format!("give {}", form.accepts()));
    }

    fn no_unit(&mut self, path: &str, value: &Toml, q: Quantity) {
        let message = format!("{} has no unit", value.what());
        let help = format!(
            "give a {} in {}, like \"{}\"",
            q.name(),
            q.units(),
            q.example()
        );
        self.faults.add(path, message).help(help);
    }

    /// Compares a string with a special form.
    fn text(&mut self, path: &str, text: &str, item: &Item, form: &Form) {
        const LONGEST: usize = 200;
        if let Form::Quantity(q) | Form::Drawn(q, _) | Form::FlagOr(q) = form {
            self.formulas.extend(Formula::of(path, text, *q));
        }
        let error = match form {
            Form::Reference(_)
            | Form::Length
            | Form::PrintLength
            | Form::Quantity(_)
            | Form::Drawn(..)
            | Form::FlagOr(_)
                if text.len() > LONGEST =>
            {
                Some(format!("the text \"{}\" is too long", shortened(text)))
            }
            Form::Name if is_name(text) => None,
            Form::Name => Some(format!("\"{}\" is not a name", shortened(text))),
            Form::File if !text.is_empty() => None,
            Form::File => Some("the path of the file is empty".to_owned()),
            Form::Reference(of) => Reference::parse(text, *of).err(),
            Form::Length => text.parse::<Length>().err(),
            Form::PrintLength => text.parse::<PrintLength>().err(),
            Form::Quantity(q) | Form::Drawn(q, _) | Form::FlagOr(q) => quantity_error(text, *q),
            _ => {
                self.wrong(path, item, form);
                return;
            }
        };
        if let Some(message) = error {
            self.faults
                .add(path, message)
                .help(format!("give {}", form.accepts()));
        }
    }

    fn choice(&mut self, path: &str, text: &str, words: &[Word]) {
        if words.iter().all(|(word, _)| *word != text) {
            let message = format!("unknown value \"{}\"", shortened(text));
            let help = suggest(text, words.iter().map(|(word, _)| *word));
            self.faults.add(path, message).help(help);
        }
    }

    /// Compares the name of a kind that stands alone: all of its keys have their defaults.
    fn word_or_own(&mut self, path: &str, text: &str, words: &[Word], own: Kinds) {
        let Some(kind) = own.named(text) else {
            let names = words.iter().map(|(word, _)| *word).chain(own.names());
            let names: Vec<&str> = names.collect();
            if !names.contains(&text) {
                let message = format!("unknown value \"{}\"", shortened(text));
                self.faults.add(path, message).help(suggest(text, names));
            }
            return;
        };
        let keys = kind.keys();
        let required = keys.iter().filter(|key| key.need == Need::Required);
        let required: Vec<String> = required.map(|key| key.assignment()).collect();
        if !required.is_empty() {
            let message = format!("\"{text}\" has keys that must be given");
            let all = required.join(", ");
            self.faults
                .add(path, message)
                .help(format!("write {{ {KIND} = \"{text}\", {all} }}"));
        }
    }

    fn list(&mut self, path: &str, items: &[Item], of: &Form) {
        for (i, item) in items.iter().enumerate() {
            self.item(&format!("{path}[{i}]"), item, of);
        }
    }

    fn one_of(&mut self, path: &str, tree: &TomlTable, keys: &'static [Key]) {
        let keys: Vec<&'static Key> = keys.iter().collect();
        self.entries(path, tree, &keys, None);
        let known = |entry: &&Entry| keys.iter().any(|key| key.name == entry.key);
        let chosen: Vec<&str> = tree
            .entries
            .iter()
            .filter(known)
            .map(|entry| entry.key.as_str())
            .collect();
        let names = || {
            keys.iter()
                .map(|key| key.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        if chosen.len() > 1 {
            let message = format!("{} exclude each other", chosen.join(" and "));
            self.faults
                .add(path, message)
                .help(format!("keep one of {}", names()));
        } else if tree.entries.is_empty() {
            let message = "this table has no key".to_owned();
            self.faults
                .add(path, message)
                .help(format!("give one of the keys {}", names()));
        }
    }

    fn tagged(&mut self, path: &str, tree: &TomlTable, tag: &str, cases: Kinds) {
        let names = || cases.names();
        let list = || names().collect::<Vec<_>>().join(", ");
        match tree.get(tag).map(|item| &item.value) {
            None => {
                let help = format!(
                    "write {tag} = \"{}\", or another of: {}",
                    names().next().unwrap_or_default(),
                    list()
                );
                self.missing(path, tag, "").help(help);
            }
            Some(Toml::Text(word)) => {
                let case = case_of(cases, word);
                if case.is_none_or(|case| case.name != word) {
                    let message = format!("unknown value \"{}\"", shortened(word));
                    self.faults
                        .add(join(path, tag), message)
                        .help(suggest(word, names()));
                    if let Some(guess) = case {
                        self.guessed_case(path, tree, tag, guess);
                    }
                } else if let Some(case) = case {
                    self.case(path, tree, Some(tag), case);
                }
            }
            Some(value) => {
                let message = format!("{} is not a {tag}", value.what());
                let help = format!("valid here: {}", list());
                self.faults.add(join(path, tag), message).help(help);
            }
        }
    }
}

/// The case of a tag; that of the nearest word if it is misspelt, so that the rest of the table can
/// be checked.
pub(crate) fn case_of(cases: Kinds, word: &str) -> Option<&'static Table> {
    let nearest = || nearest(word, cases.names());
    cases.named(word).or_else(|| cases.named(nearest()?))
}

fn quantity_error(text: &str, q: Quantity) -> Option<String> {
    match q {
        Quantity::Span => text.parse::<Span>().err(),
        Quantity::Rate => text.parse::<Rate>().err(),
        Quantity::Bytes => text.parse::<Bytes>().err(),
        Quantity::Packets => return packets_error(text),
        Quantity::Window => text.parse::<Window>().err(),
        Quantity::Capacity => text.parse::<Capacity>().err(),
    }
    .map(|error| error.to_string())
}

fn packets_error(text: &str) -> Option<String> {
    match text.parse() {
        Ok(Capacity::Packets(_)) => None,
        Ok(_) => Some(format!("\"{text}\" is not a number of packets")),
        Err(error) => Some(error.to_string()),
    }
}
