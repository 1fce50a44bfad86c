//! What a key of the scenario language may hold: the vocabulary in which
//! [`crate::scenario::language`] is written.

use pacesim_units::Quantity;

/// A table of the language.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name: in `kind = "cbr"` the tag, elsewhere for the reference.
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    /// Its keys; parts are shared between tables.
    pub(crate) parts: &'static [&'static [Key]],
}

/// A key of a table.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) need: Need,
    pub(crate) doc: &'static str,
    /// A good value, as TOML.
    pub(crate) example: &'static str,
}

/// What happens without the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// That is a mistake.
    Required,
    /// Nothing.
    Optional,
    /// The same as with this value, in TOML.
    Default(&'static str),
}

/// What kind of value a key takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Any text.
    Text,
    /// A new name.
    Name,
    /// The path of another file.
    File,
    /// Some of what is named elsewhere: "left", "left\[3\]", "left\[0..5\]".
    Reference(Of),
    /// A quantity with its unit.
    Quantity(Quantity),
    /// A length with its unit.
    Length,
    /// A quantity with its unit, or a distribution of it (one of these keys).
    Drawn(Quantity, &'static [Key]),
    /// A whole number.
    Count { least: u64, most: u64 },
    /// A number, from and to inclusive.
    Number { low: f64, high: f64 },
    /// true or false.
    Flag,
    /// true, false or a quantity.
    FlagOr(Quantity),
    /// One of a few words, each with what it means.
    Choice(&'static [(&'static str, &'static str)]),
    /// A word as above, or a table with exactly one of the keys.
    ChoiceOr(&'static [(&'static str, &'static str)], &'static [Key]),
    /// A table.
    Table(&'static Table),
    /// A table with exactly one of these keys.
    OneOf(&'static [Key]),
    /// A table whose key `tag` says which of these it is.
    Tagged {
        tag: &'static str,
        cases: &'static [&'static Table],
    },
    /// A list.
    List(&'static Kind),
    /// Exactly two values.
    Pair(&'static Kind),
}

/// What a reference refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Nodes,
    Links,
    Flows,
}

impl Of {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Of::Nodes => "node",
            Of::Links => "link",
            Of::Flows => "flow",
        }
    }
}

impl Table {
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }
}

impl Kind {
    /// What is accepted, for a sentence.
    pub(crate) fn accepts(&self) -> String {
        match self {
            Kind::Text => "a text in quotes".to_owned(),
            Kind::Name => "a name of letters, digits, _ and -, starting with a letter".to_owned(),
            Kind::File => "the path of a file".to_owned(),
            Kind::Reference(of) => {
                format!(
                    "a {0} or group of {0}s: \"x\", \"x[3]\" or \"x[0..5]\"",
                    of.name()
                )
            }
            Kind::Quantity(q) => quantity(*q),
            Kind::Length => "a length in m or km, like \"120km\"".to_owned(),
            Kind::Drawn(q, _) => {
                let (low, high) = range_example(*q);
                format!(
                    "{}, or a distribution like {{ uniform = [\"{low}\", \"{high}\"] }}",
                    quantity(*q)
                )
            }
            Kind::Count { least, most } => format!("a whole number from {least} to {most}"),
            Kind::Number { low, high } => match (low.is_finite(), high.is_finite()) {
                (true, true) => format!("a number from {low} to {high}"),
                (true, false) => format!("a number from {low}"),
                _ => "a number".to_owned(),
            },
            Kind::Flag => "true or false".to_owned(),
            Kind::FlagOr(q) => format!("true, false, or {}", quantity(*q)),
            Kind::Choice(words) => format!("one of {}", quoted(words)),
            Kind::ChoiceOr(words, keys) => format!(
                "one of {}, or a table like {{ {} = {} }}",
                quoted(words),
                keys[0].name,
                keys[0].example
            ),
            Kind::Table(table) => format!("a table: {}", table.doc),
            Kind::OneOf(keys) => format!(
                "a table with one of the keys {}",
                keys.iter()
                    .map(|key| key.name)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            Kind::Tagged { tag, cases } => format!(
                "a table with {tag} = one of {}",
                cases
                    .iter()
                    .map(|c| format!("\"{}\"", c.name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            Kind::List(kind) => format!("a list, each of them {}", kind.accepts()),
            Kind::Pair(kind) => format!("a list of two, each {}", kind.accepts()),
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

fn quoted(words: &[(&str, &str)]) -> String {
    words
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect::<Vec<_>>()
        .join(", ")
}
