//! Forms of a key's value: the vocabulary of declarations.

use pacesim_units::Quantity;

use crate::files::NamedFiles;
use crate::names::Named;
use crate::tree::{Item, option_as_toml};

/// A table of the language.
#[derive(Debug)]
pub struct Table {
    /// The name: the value of the tag, as in `kind = "cbr"`; without a tag, only the reference uses
    /// it.
    pub name: &'static str,
    /// Description of the table, a sentence.
    pub doc: &'static str,
    /// Keys, in the order of the reference.
    pub rows: &'static [Row],
    /// Keys shared with the other cases of a tagged table.
    pub common: &'static [Row],
}

/// A row of a table: one key or several.
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
    /// Name of the key as written.
    pub name: &'static str,
    /// Form of the key's value.
    pub form: &'static Form,
    /// Effect of omitting the key.
    pub need: Need,
    /// Meaning of the key, as a sentence.
    pub doc: &'static str,
    /// A valid value, as an option would give it.
    pub example: &'static str,
    /// True if the type of the key's field takes a value; for reviews of the declaration.
    pub takes: fn(&Item, &dyn NamedFiles) -> bool,
}

/// The effect of omitting a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A missing key is a mistake.
    Required,
    /// The key may be missing.
    Optional,
    /// The key has this value, as an option would give it.
    Default(&'static str),
}

/// The key that names one of the program's own kinds.
pub const KIND: &str = "kind";

/// Tables, one of which is selected by a tag.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// Tables that are declared with the language.
    pub declared: &'static [&'static Table],
    /// Tables of the program's own parts.
    pub own: fn() -> &'static [Table],
}

impl Kinds {
    /// All tables, declared ones first.
    pub fn all(self) -> impl Iterator<Item = &'static Table> {
        self.declared.iter().copied().chain((self.own)())
    }

    /// Names of all tables.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.all().map(|table| table.name)
    }

    /// Finds the table of this name.
    pub fn named(self, name: &str) -> Option<&'static Table> {
        self.all().find(|table| table.name == name)
    }
}

/// A word of the language, and its meaning.
pub type Word = (&'static str, &'static str);

/// The form of a key's value.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Any string.
    Text,
    /// A new name.
    Name,
    /// The path of another file.
    File,
    /// Some of the members of a named group: "left", "left\[3\]", "left\[0..5\]".
    Reference(Named),
    /// A quantity with its unit.
    Quantity(Quantity),
    /// A length with its unit.
    Length,
    /// A length on paper with its unit.
    PrintLength,
    /// A quantity with its unit, or a distribution of it (one of these keys).
    Drawn(Quantity, &'static [Key]),
    /// An integer.
    Count {
        /// Least accepted value.
        least: u64,
        /// Greatest accepted value.
        most: u64,
    },
    /// A number between inclusive bounds.
    Number {
        /// Least accepted value.
        low: f64,
        /// Greatest accepted value.
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
    /// One of a few words, or a table.
    WordOrTable(&'static [Word], &'static Table),
    /// A table.
    Table(&'static Table),
    /// A table with exactly one of these keys.
    OneOf(&'static [Key]),
    /// A table whose key `tag` selects one of these.
    Tagged {
        /// Name of the key that selects a table.
        tag: &'static str,
        /// The tables, each under its word.
        cases: Kinds,
    },
    /// One of a few words or of the program's own kinds; such a kind's name alone, or a table with
    /// the key [`KIND`] and the kind's own keys.
    WordOrOwn(&'static [Word], Kinds),
    /// A list.
    List(&'static Form),
    /// Exactly two values.
    Pair(&'static Form),
    /// A table whose keys are chosen by the user, each with a value of this form.
    Map(&'static Form),
    /// Any value.
    Any,
}

impl Table {
    /// All keys, including those of other tables.
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

    /// Describes the form within a sentence.
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
    /// A valid value, in TOML.
    pub fn example(&self) -> String {
        option_as_toml(self.example)
    }

    /// The key with a valid value, in TOML.
    pub fn assignment(&self) -> String {
        format!("{} = {}", self.name, self.example())
    }
}

impl Form {
    /// True if a value of this form is a table.
    pub(crate) fn takes_tables(&self) -> bool {
        matches!(self, Form::Table(_) | Form::Tagged { .. } | Form::OneOf(_))
    }

    /// Describes the accepted values within a sentence.
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
            Form::PrintLength => {
                "a length on paper, like \"3.33in\", \"85mm\" or \"8pt\"".to_owned()
            }
            Form::Drawn(q, _) => {
                let (low, high) = range_example(*q);
                format!(
                    "{}, or a distribution like {{ uniform = [\"{low}\", \"{high}\"] }}",
                    quantity(*q)
                )
            }
            Form::Count { least, most } => format!("a whole number from {least} to {most}"),
            Form::Number { low, high } => number(*low, *high),
            Form::Flag => "true or false".to_owned(),
            Form::FlagOr(q) => format!("true, false, or {}", quantity(*q)),
            Form::Choice(words) => format!("one of {}", quoted(words)),
            Form::ChoiceOr(words, keys) => format!(
                "one of {}, or a table like {{ {} }}",
                quoted(words),
                keys[0].assignment()
            ),
            Form::WordOrTable(words, table) => {
                format!(
                    "one of {}, or {}",
                    quoted(words),
                    Form::Table(table).accepts()
                )
            }
            Form::Table(table) => format!("a table: {}", table.about()),
            Form::OneOf(keys) => {
                let names: Vec<_> = keys.iter().map(|key| key.name).collect();
                format!("a table with one of the keys {}", names.join(", "))
            }
            Form::Tagged { tag, cases } => {
                let names: Vec<_> = cases.names().collect();
                format!("a table with {tag} = one of \"{}\"", names.join("\", \""))
            }
            Form::WordOrOwn(words, own) => {
                let words = words.iter().map(|(word, _)| *word);
                let all: Vec<_> = words.chain(own.names()).collect();
                format!("one of \"{}\"", all.join("\", \""))
            }
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

fn number(low: f64, high: f64) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("a number from {low} to {high}"),
        (true, false) => format!("a number from {low}"),
        _ => "a number".to_owned(),
    }
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
