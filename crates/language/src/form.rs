//! What a key of a language may hold: the vocabulary of declarations.

use pacesim_units::Quantity;

use crate::files::NamedFiles;
use crate::names::Named;
use crate::tree::{Item, option_as_toml};

/// A table of the language.
#[derive(Debug)]
pub struct Table {
    /// Its name: in `kind = "cbr"` the tag, elsewhere for the reference.
    pub name: &'static str,
    /// What the table is, in a sentence.
    pub doc: &'static str,
    /// Its keys, in the order of the reference.
    pub rows: &'static [Row],
    /// What it has in common with the other cases of a tagged table.
    pub common: &'static [Row],
}

/// A line of a table.
#[derive(Debug)]
pub enum Row {
    /// A key.
    Key(Key),
    /// All keys of another table.
    KeysOf(&'static Table),
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The key as written.
    pub name: &'static str,
    /// What its value may be.
    pub form: &'static Form,
    /// What happens without it.
    pub need: Need,
    /// What it means, in a sentence.
    pub doc: &'static str,
    /// A good value, as an option would give it.
    pub example: &'static str,
    /// Whether the type of the key's field takes a value; for reviews of the declaration.
    pub takes: fn(&Item, &dyn NamedFiles) -> bool,
}

/// What happens without the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A missing key is a mistake.
    Required,
    /// The key may be missing.
    Optional,
    /// The same as with this value, as an option would give it.
    Default(&'static str),
}

/// A word of the language, and what it means.
pub type Word = (&'static str, &'static str);

/// The form of a key's value.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Any text.
    Text,
    /// A new name.
    Name,
    /// The path of another file.
    File,
    /// Some of what is named elsewhere: "left", "left\[3\]", "left\[0..5\]".
    Reference(Named),
    /// A quantity with its unit.
    Quantity(Quantity),
    /// A length with its unit.
    Length,
    /// A quantity with its unit, or a distribution of it (one of these keys).
    Drawn(Quantity, &'static [Key]),
    /// A whole number.
    Count {
        /// The least that is accepted.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// A number, from and to inclusive.
    Number {
        /// The least that is accepted.
        low: f64,
        /// The greatest.
        high: f64,
    },
    /// true or false.
    Flag,
    /// true, false or a quantity.
    FlagOr(Quantity),
    /// One of a few words.
    Choice(&'static [Word]),
    /// A word as above, or a table with this key alone.
    ChoiceOr(&'static [Word], &'static [Key]),
    /// A table.
    Table(&'static Table),
    /// A table with exactly one of these keys.
    OneOf(&'static [Key]),
    /// A table whose key `tag` says which of these it is.
    Tagged {
        /// The key.
        tag: &'static str,
        /// The tables, each under its word.
        cases: &'static [&'static Table],
    },
    /// A list.
    List(&'static Form),
    /// Exactly two values.
    Pair(&'static Form),
    /// A table whose keys are names of the user's, each with a value of this form.
    Map(&'static Form),
    /// Any value.
    Any,
}

impl Table {
    /// All keys, those of other tables included.
    pub fn keys(&self) -> Vec<&'static Key> {
        let mut keys = Vec::new();
        for row in self.rows.iter().chain(self.common) {
            match row {
                Row::Key(key) => keys.push(key),
                Row::KeysOf(table) => keys.extend(table.keys()),
            }
        }
        keys
    }

    /// What it is, within a sentence.
    fn about(&self) -> String {
        let doc = self.doc.trim();
        let doc = match doc.strip_suffix('.') {
            Some(sentence) if !doc.ends_with("..") => sentence,
            _ => doc,
        };
        let (first, rest) = doc.split_at(1);
        if rest.starts_with(|second: char| second.is_uppercase()) {
            return doc.to_owned();
        }
        first.to_lowercase() + rest
    }
}

impl Key {
    /// A good value, in TOML.
    pub fn example(&self) -> String {
        option_as_toml(self.example)
    }

    /// A good value with the key, in TOML.
    pub fn assignment(&self) -> String {
        format!("{} = {}", self.name, self.example())
    }
}

impl Form {
    /// What is accepted, for a sentence.
    pub fn accepts(&self) -> String {
        match self {
            Form::Text => "a text in quotes".to_owned(),
            Form::Name => "a name of letters, digits, _ and -, starting with a letter".to_owned(),
            Form::File => "the path of a file".to_owned(),
            Form::Reference(of) => {
                format!(
                    "a {0} or group of {0}s: \"x\", \"x[3]\" or \"x[0..5]\"",
                    of.noun()
                )
            }
            Form::Quantity(q) => quantity(*q),
            Form::Length => "a length in m or km, like \"120km\"".to_owned(),
            Form::Drawn(q, _) => {
                let (low, high) = range_example(*q);
                format!(
                    "{}, or a distribution like {{ uniform = [\"{low}\", \"{high}\"] }}",
                    quantity(*q)
                )
            }
            Form::Count { least, most } => format!("a whole number from {least} to {most}"),
            Form::Number { low, high } => match (low.is_finite(), high.is_finite()) {
                (true, true) => format!("a number from {low} to {high}"),
                (true, false) => format!("a number from {low}"),
                _ => "a number".to_owned(),
            },
            Form::Flag => "true or false".to_owned(),
            Form::FlagOr(q) => format!("true, false, or {}", quantity(*q)),
            Form::Choice(words) => format!("one of {}", quoted(words)),
            Form::ChoiceOr(words, keys) => format!(
                "one of {}, or a table like {{ {} }}",
                quoted(words),
                keys[0].assignment()
            ),
            Form::Table(table) => format!("a table: {}", table.about()),
            Form::OneOf(keys) => format!(
                "a table with one of the keys {}",
                keys.iter()
                    .map(|key| key.name)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            Form::Tagged { tag, cases } => format!(
                "a table with {tag} = one of {}",
                cases
                    .iter()
                    .map(|c| format!("\"{}\"", c.name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            Form::List(of) => format!("a list, each of them {}", of.accepts()),
            Form::Pair(of) => format!("a list of two, each {}", of.accepts()),
            Form::Map(Form::Any) => "a table like { \"a.key\" = \"its value\" }".to_owned(),
            Form::Map(of) => format!("a table of names, each with {}", of.accepts()),
            Form::Any => "a value".to_owned(),
        }
    }
}

fn quantity(q: Quantity) -> String {
    format!("a {} in {}, like \"{}\"", q.name(), q.units(), q.example())
}

fn range_example(q: Quantity) -> (&'static str, &'static str) {
    match q {
        Quantity::Rate => ("8Mbps", "12Mbps"),
        Quantity::Span => ("1ms", "5ms"),
        _ => ("40B", "1500B"),
    }
}

fn quoted(words: &[Word]) -> String {
    words
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect::<Vec<_>>()
        .join(", ")
}
