//! The reference page of a language, generated from the table of keys.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::form::{Form, KIND, Key, Kinds, Need, Table};
use crate::tree::option_as_toml;

/// The reference of a language in Markdown: the introduction, and a section for every table, with
/// its example first. `examples` has TOML below the headings of the sections.
pub fn reference(introduction: &str, examples: &str, keys: &'static Table) -> String {
    let mut page = Page {
        text: introduction.to_owned(),
        examples: self::examples(examples),
        keys: BTreeMap::new(),
        done: Vec::new(),
        waiting: Vec::new(),
    };
    page.waiting.push((THE_FILE.to_owned(), keys, None));
    while !page.waiting.is_empty() {
        let (heading, table, tag) = page.waiting.remove(0);
        page.table(&heading, table, tag);
    }
    page.text
}

/// Headings, and the TOML below each.
pub fn examples(text: &str) -> Vec<(&str, &str)> {
    let sections = text
        .split("\n## ")
        .map(|section| section.trim_start_matches("## "));
    sections
        .filter_map(|section| section.split_once('\n'))
        .map(|(heading, toml)| (heading, toml.trim()))
        .collect()
}

/// The heading of the first table.
const THE_FILE: &str = "The file";

/// A table's heading, the table, and its tag if it is one case of several.
type Section = (String, &'static Table, Option<&'static str>);

struct Page<'a> {
    text: String,
    examples: Vec<(&'a str, &'a str)>,
    /// Descriptions of keys, each with the heading of its section, so that none is repeated.
    keys: BTreeMap<String, String>,
    done: Vec<*const Table>,
    waiting: Vec<Section>,
}

impl Page<'_> {
    fn table(&mut self, heading: &str, table: &'static Table, tag: Option<&str>) {
        self.line(format!("\n## {heading}\n\n{}\n", table.doc.trim()));
        if let Some((_, toml)) = self.examples.iter().find(|(of, _)| *of == heading) {
            self.text += &format!("```toml\n{toml}\n```\n\n");
        }
        let (told, new): (Vec<&Key>, Vec<&Key>) = table
            .keys()
            .into_iter()
            .partition(|key| self.keys.contains_key(&whole(key)));
        self.rows(&new, tag.map(|tag| (tag, table.name)));
        self.told(&told);
        for key in new {
            self.keys.insert(whole(key), heading.to_owned());
            self.text += &words(key);
            self.within(heading, key.form, key.name);
        }
    }

    /// The table of the keys that no earlier section has.
    fn rows(&mut self, keys: &[&Key], kind: Option<(&str, &str)>) {
        if keys.is_empty() && kind.is_none() {
            return;
        }
        self.line("| key | value | default | meaning | example |");
        self.line("| --- | --- | --- | --- | --- |");
        if let Some((tag, name)) = kind {
            self.line(format!(
                "| `{tag}` | `\"{name}\"` | **required** | The kind. | |"
            ));
        }
        keys.iter().for_each(|key| self.line(row(key)));
    }

    /// The names of keys that earlier sections explain, with links to these.
    fn told(&mut self, keys: &[&Key]) {
        let mut places: Vec<(String, Vec<String>)> = Vec::new();
        for key in keys {
            let place = self.keys[&whole(key)].clone();
            let name = format!("`{}`", key.name);
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, names)) => names.push(name),
                None => places.push((place, vec![name])),
            }
        }
        for (place, names) in places {
            let (names, text, anchor) = (names.join(", "), escaped(&place), anchor(&place));
            self.line(format!("\nAlso {names}, as in [{text}](#{anchor})."));
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        writeln!(self.text, "{}", text.as_ref()).expect("a string takes all");
    }

    /// Queues the tables within a value.
    fn within(&mut self, heading: &str, form: &Form, key: &str) {
        match form {
            Form::Table(table) | Form::WordOrTable(_, table) => {
                self.later(heading_of(table, heading, key), table, None);
            }
            Form::List(Form::Table(table)) => {
                self.later(title_of_each(heading, key), table, None);
            }
            Form::Tagged { tag, cases } => self.cases(&title(heading, key), tag, *cases),
            Form::WordOrOwn(_, own) => self.cases(&title(heading, key), KIND, *own),
            Form::List(Form::Tagged { tag, cases }) => {
                self.cases(&title_of_each(heading, key), tag, *cases);
            }
            Form::OneOf(keys) => keys
                .iter()
                .for_each(|key| self.within(heading, key.form, key.name)),
            _ => (),
        }
    }

    fn cases(&mut self, heading: &str, tag: &'static str, cases: Kinds) {
        for case in cases.all() {
            let title = format!("{heading}: {tag} = \"{}\"", case.name);
            self.later(title, case, Some(tag));
        }
    }

    fn later(&mut self, heading: String, table: &'static Table, tag: Option<&'static str>) {
        if !self.done.contains(&std::ptr::from_ref(table)) {
            self.done.push(table);
            self.waiting.push((heading, table, tag));
        }
    }
}

/// A heading as the text of a link.
fn escaped(heading: &str) -> String {
    heading.replace('[', "\\[").replace(']', "\\]")
}

/// The anchor of a heading, as GitHub and mdBook name it.
fn anchor(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
    anchor.to_lowercase()
}

/// A table used by several keys is declared with a name of several words, which becomes its
/// heading.
fn heading_of(table: &Table, heading: &str, key: &str) -> String {
    match table.name.split_at(1) {
        (first, rest) if rest.contains(' ') => first.to_uppercase() + rest,
        _ => title(heading, key),
    }
}

fn title(heading: &str, key: &str) -> String {
    match heading {
        THE_FILE => format!("[{key}]"),
        _ => format!("{heading}: {key}"),
    }
}

/// Title of a table that is the element of a list.
fn title_of_each(heading: &str, key: &str) -> String {
    match heading {
        THE_FILE => format!("[[{key}]]"),
        _ => title(heading, key),
    }
}

/// A section's description of a key.
fn whole(key: &Key) -> String {
    row(key) + &words(key)
}

/// Meanings of the words of a choice, and the keys allowed in their place.
fn words(key: &Key) -> String {
    let (words, keys): (&[_], &[Key]) = match key.form {
        Form::Choice(words) | Form::WordOrOwn(words, _) | Form::WordOrTable(words, _) => {
            (words, &[])
        }
        Form::ChoiceOr(words, keys) => (words, keys),
        Form::OneOf(keys) => (&[], keys),
        _ => return String::new(),
    };
    let mut text = format!("\n`{}`:\n\n", key.name);
    for (word, meaning) in words {
        text += &format!("- `\"{word}\"`: {meaning}\n");
    }
    for key in keys {
        text += &format!("- `{{ {} }}`: {}\n", key.assignment(), key.doc);
    }
    text
}

fn row(key: &Key) -> String {
    let need = match key.need {
        Need::Required => "**required**".to_owned(),
        Need::Optional => String::new(),
        Need::Default(text) => format!("`{}`", option_as_toml(text)),
    };
    format!(
        "| `{}` | {} | {need} | {} | `{}` |",
        key.name,
        value(key.form),
        key.doc,
        key.example()
    )
}

/// A value in a few words.
fn value(form: &Form) -> String {
    match form {
        Form::Text => "text".to_owned(),
        Form::Name => "name".to_owned(),
        Form::File => "file".to_owned(),
        Form::Reference(of) => format!("reference to {}s", of.noun()),
        Form::Quantity(q) => q.name().to_owned(),
        Form::Length => "length".to_owned(),
        Form::PrintLength => "length on paper".to_owned(),
        Form::Drawn(q, _) => format!("{} or distribution", q.name()),
        Form::Count { least, .. } => format!("whole number from {least}"),
        Form::Number { low, high } if low.is_finite() => format!("number, {low} to {high}"),
        Form::Number { .. } => "number".to_owned(),
        Form::Flag => "true or false".to_owned(),
        Form::FlagOr(q) => format!("true, false or {}", q.name()),
        Form::Choice(_) | Form::WordOrOwn(..) => "word, see below".to_owned(),
        Form::ChoiceOr(_, keys) => {
            let others = keys.iter().map(|key| format!("`{{ {} = ... }}`", key.name));
            format!(
                "word, see below, or {}",
                others.collect::<Vec<_>>().join(" or ")
            )
        }
        Form::WordOrTable(..) => "word, see below, or table".to_owned(),
        Form::Table(_) => "table".to_owned(),
        Form::OneOf(keys) => {
            let names: Vec<_> = keys.iter().map(|key| format!("`{}`", key.name)).collect();
            format!("table with one of {}, see below", names.join(", "))
        }
        Form::Tagged { tag, .. } => format!("table with `{tag}`"),
        Form::Any => "value".to_owned(),
        Form::Map(of) => format!("table of names, each with a {}", value(of)),
        Form::List(of) => format!("list: {}", value(of)),
        Form::Pair(of) => format!("two: {}", value(of)),
    }
}
