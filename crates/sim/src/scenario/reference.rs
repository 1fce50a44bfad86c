//! The language as a page to read, made from the table of keys.

use std::fmt::Write as _;

use super::keys::{Key, Kind, Need, Table};
use super::language;

/// What stands before the tables.
const INTRODUCTION: &str = include_str!("reference.md");

/// The reference of the scenario language in Markdown; `docs/scenario.md` is this
/// text, and a test holds it to that.
pub fn reference() -> String {
    let mut page = Page {
        text: INTRODUCTION.to_owned(),
        done: Vec::new(),
        waiting: Vec::new(),
    };
    page.waiting
        .push(("The file".to_owned(), &language::SCENARIO, None));
    while !page.waiting.is_empty() {
        let (heading, table, tag) = page.waiting.remove(0);
        page.table(&heading, table, tag);
    }
    page.text
}

/// A table's heading, the table, and its tag if it is one case of several.
type Section = (String, &'static Table, Option<&'static str>);

struct Page {
    text: String,
    done: Vec<*const Table>,
    waiting: Vec<Section>,
}

impl Page {
    fn table(&mut self, heading: &str, table: &'static Table, tag: Option<&str>) {
        let mut line = |text: &str| writeln!(self.text, "{text}").expect("a string takes all");
        line(&format!("\n## {heading}\n"));
        line(&format!("{}.\n", capitalised(table.doc)));
        line("| key | value | without it | meaning | example |");
        line("| --- | --- | --- | --- | --- |");
        if let Some(tag) = tag {
            line(&format!(
                "| `{tag}` | `\"{}\"` | **required** | Which of them. | |",
                table.name
            ));
        }
        for key in table.keys() {
            line(&row(key));
        }
        for key in table.keys() {
            self.words(key);
            self.within(heading, &key.kind, key.name);
        }
    }

    /// What the words of a choice mean, and the keys that may stand in their place.
    fn words(&mut self, key: &Key) {
        let (words, keys): (&[_], &[Key]) = match key.kind {
            Kind::Choice(words) => (words, &[]),
            Kind::ChoiceOr(words, keys) => (words, keys),
            Kind::OneOf(keys) => (&[], keys),
            _ => return,
        };
        let mut line = |text: String| writeln!(self.text, "{text}").expect("a string takes all");
        line(format!("\n`{}`:\n", key.name));
        for (word, meaning) in words {
            line(format!("- `\"{word}\"`: {meaning}"));
        }
        for key in keys {
            let (name, example, doc) = (key.name, key.example, key.doc);
            line(format!("- `{{ {name} = {example} }}`: {doc}"));
        }
    }

    /// Puts the tables in a value on the list of those to come.
    fn within(&mut self, heading: &str, kind: &Kind, key: &str) {
        match kind {
            Kind::Table(table) => self.later(title(heading, key), table, None),
            Kind::List(Kind::Table(table)) => {
                let title = if heading == "The file" {
                    format!("[[{key}]]")
                } else {
                    title(heading, key)
                };
                self.later(title, table, None);
            }
            Kind::Tagged { tag, cases } => {
                for case in *cases {
                    let title = format!("{}: {tag} = \"{}\"", title(heading, key), case.name);
                    self.later(title, case, Some(tag));
                }
            }
            Kind::OneOf(keys) => keys
                .iter()
                .for_each(|key| self.within(heading, &key.kind, key.name)),
            _ => (),
        }
    }

    fn later(&mut self, heading: String, table: &'static Table, tag: Option<&'static str>) {
        if !self.done.contains(&std::ptr::from_ref(table)) {
            self.done.push(table);
            self.waiting.push((heading, table, tag));
        }
    }
}

fn title(heading: &str, key: &str) -> String {
    match heading {
        "The file" => format!("[{key}]"),
        _ if key == "access" || key == "link" => "Links of a topology".to_owned(),
        _ => format!("{heading}: {key}"),
    }
}

fn row(key: &Key) -> String {
    let need = match key.need {
        Need::Required => "**required**".to_owned(),
        Need::Optional => String::new(),
        Need::Default(text) => format!("`{text}`"),
    };
    format!(
        "| `{}` | {} | {need} | {} | `{}` |",
        key.name,
        value(&key.kind),
        key.doc,
        key.example
    )
}

/// In a word or two.
fn value(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text".to_owned(),
        Kind::Name => "name".to_owned(),
        Kind::File => "file".to_owned(),
        Kind::Reference(of) => format!("reference to {}s", of.name()),
        Kind::Quantity(q) => q.name().to_owned(),
        Kind::Length => "length".to_owned(),
        Kind::Drawn(q, _) => format!("{} or distribution", q.name()),
        Kind::Count { least, .. } => format!("whole number from {least}"),
        Kind::Number { low, high } if low.is_finite() => format!("number, {low} to {high}"),
        Kind::Number { .. } => "number".to_owned(),
        Kind::Flag => "true or false".to_owned(),
        Kind::FlagOr(q) => format!("true, false or {}", q.name()),
        Kind::Choice(_) => "word, see below".to_owned(),
        Kind::ChoiceOr(_, keys) => format!("word, see below, or `{{ {} = ... }}`", keys[0].name),
        Kind::Table(_) => "table".to_owned(),
        Kind::OneOf(keys) => {
            let names: Vec<_> = keys.iter().map(|key| format!("`{}`", key.name)).collect();
            format!("table with one of {}, see below", names.join(", "))
        }
        Kind::Tagged { tag, .. } => format!("table with `{tag}`"),
        Kind::List(of) => format!("list: {}", value(of)),
        Kind::Pair(of) => format!("two: {}", value(of)),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
