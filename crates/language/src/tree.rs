//! A text as a tree of values with their places.

use std::fmt;
use std::num::IntErrorKind;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::problem::shortened;

/// Nesting limit: deeper than any file needs, and shallow enough for every stack.
const DEEPEST: usize = 32;

/// The most syntax errors that are collected.
const MOST_ERRORS: usize = 200;

/// A range of bytes in one of the sources of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Number of the text: 0 is the file, others are files that it names, and options.
    pub source: usize,
    /// Index of the first byte.
    pub start: usize,
    /// Index of the byte after the last.
    pub end: usize,
}

impl Place {
    /// The part of a text in this range of bytes.
    pub fn of(source: usize, bytes: Range<usize>) -> Place {
        Place {
            source,
            start: bytes.start,
            end: bytes.end,
        }
    }
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Place of the value in its text.
    pub place: Place,
    /// The value itself.
    pub value: Toml,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub enum Toml {
    /// A string.
    Text(String),
    /// An integer.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// True or false.
    Flag(bool),
    /// A date or a time, which no language here uses.
    Date,
    /// A list.
    List(Vec<Item>),
    /// A table.
    Table(TomlTable),
}

/// A TOML table in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TomlTable {
    /// Keys of the table, each once.
    pub entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name of the key.
    pub key: String,
    /// Place of the key.
    pub key_place: Place,
    /// Value of the key, with its place.
    pub item: Item,
}

impl Item {
    /// The string, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Toml::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value parsed by its type's own rules.
    pub fn parsed<T: std::str::FromStr>(&self) -> Option<T> {
        self.text()?.parse().ok()
    }

    /// The integer, if it is one.
    pub fn integer(&self) -> Option<i128> {
        match self.value {
            Toml::Integer(n) => Some(n),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn flag(&self) -> Option<bool> {
        match self.value {
            Toml::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&TomlTable> {
        match &self.value {
            Toml::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Item]> {
        match &self.value {
            Toml::List(items) => Some(items),
            _ => None,
        }
    }
}

impl TomlTable {
    /// A table without keys.
    pub const EMPTY: TomlTable = TomlTable {
        entries: Vec::new(),
    };

    /// The key with its value, if present.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The value of a key, if present.
    pub fn get(&self, key: &str) -> Option<&Item> {
        self.entry(key).map(|entry| &entry.item)
    }

    /// The value of a key, if present, for changes.
    pub(crate) fn item_mut(&mut self, key: &str) -> Option<&mut Item> {
        let mut entries = self.entries.iter_mut();
        let entry = entries.find(|entry| entry.key == key);
        entry.map(|entry| &mut entry.item)
    }

    /// The value at a key, which is created if necessary.
    pub fn slot(&mut self, key: &str, make: impl FnOnce() -> Entry) -> &mut Item {
        let at = self.entries.iter().position(|entry| entry.key == key);
        let at = at.unwrap_or_else(|| {
            self.entries.push(make());
            self.entries.len() - 1
        });
        &mut self.entries[at].item
    }
}

/// Writes it as TOML, on one line.
impl fmt::Display for Toml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        match self {
            Toml::Text(text) => f.write_str(&quoted(text)),
            Toml::Integer(n) => write!(f, "{n}"),
            Toml::Float(x) => write!(f, "{x:?}"),
            Toml::Flag(flag) => write!(f, "{flag}"),
            Toml::Date => f.write_str("1970-01-01"),
            Toml::List(items) => {
                let items: Vec<String> = items.iter().map(|i| i.value.to_string()).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Toml::Table(table) => {
                let entry = |e: &Entry| format!("{} = {}", quoted(&e.key), e.item.value);
                let entries: Vec<String> = table.entries.iter().map(entry).collect();
                write!(f, "{{ {} }}", entries.join(", "))
            }
        }
    }
}

impl Toml {
    /// A number as a float, which is exact for the small numbers of these languages.
    pub fn number(&self) -> f64 {
        match self {
            Toml::Integer(n) => *n as f64,
            Toml::Float(x) => *x,
            _ => f64::NAN,
        }
    }

    /// Kind of the value, for a sentence.
    pub fn what(&self) -> String {
        match self {
            Toml::Text(text) => format!("the text \"{}\"", shortened(text)),
            Toml::Integer(n) => format!("the bare number {n}"),
            Toml::Float(x) => format!("the bare number {x}"),
            Toml::Flag(flag) => format!("{flag}"),
            Toml::Date => "a date".to_owned(),
            Toml::List(_) => "a list".to_owned(),
            Toml::Table(_) => "a table".to_owned(),
        }
    }
}

/// A part of a text that is not TOML.
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The tree of a text, and its syntax errors.
pub(crate) fn parse(text: &str, source: usize) -> (TomlTable, Vec<SyntaxError>) {
    if let Some(error) = too_many_dots(text) {
        return (TomlTable::default(), vec![error]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut errors: Vec<SyntaxError> = errors.iter().map(|e| syntax_error(e, text)).collect();
    let mut reader = Reader {
        source,
        errors: &mut errors,
    };
    let table = reader.table(table.get_ref(), 0);
    errors.sort_by_key(|e| e.start);
    errors.truncate(MOST_ERRORS);
    errors.dedup_by_key(|e| line_of(text, e.start));
    (table, errors)
}

/// The value of an option, from its bytes `start..` in the option's text. A value that is not TOML
/// is a bare string: `run.duration=60s`.
pub(crate) fn parse_option(text: &str, start: usize, source: usize) -> Item {
    let place = Place::of(source, start..text.len());
    let bare = Item {
        place,
        value: Toml::Text(text[start..].to_owned()),
    };
    if too_many_dots(&text[start..]).is_some() {
        return bare;
    }
    let Ok(value) = DeValue::parse(&text[start..]) else {
        return bare;
    };
    let mut errors = Vec::new();
    let mut item = Reader {
        source,
        errors: &mut errors,
    }
    .item(&value, 0);
    place_at(&mut item, place);
    if errors.is_empty() { item } else { bare }
}

/// An option's value in TOML.
pub(crate) fn option_as_toml(value: &str) -> String {
    match DeValue::parse(value) {
        Ok(_) => value.to_owned(),
        Err(_) => toml::Value::String(value.to_owned()).to_string(),
    }
}

/// The error of an option's value that begins like a table or a list, and so is not meant as a bare
/// string.
pub(crate) fn option_fault(value: &str) -> Option<String> {
    let is_meant = value.trim_start().starts_with(['{', '[']) && too_many_dots(value).is_none();
    let error = DeValue::parse(value).err().filter(|_| is_meant)?;
    Some(error.message().to_owned())
}

/// Options are short: any error refers to the whole value.
fn place_at(item: &mut Item, place: Place) {
    item.place = place;
    match &mut item.value {
        Toml::List(items) => items.iter_mut().for_each(|item| place_at(item, place)),
        Toml::Table(table) => {
            for entry in &mut table.entries {
                entry.key_place = place;
                place_at(&mut entry.item, place);
            }
        }
        _ => (),
    }
}

fn syntax_error(error: &toml::de::Error, text: &str) -> SyntaxError {
    let span = error.span().unwrap_or(0..0);
    SyntaxError {
        message: error.message().to_owned(),
        start: span.start.min(text.len()),
        end: span.end.min(text.len()),
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
}

/// Rejects a key such as a.a.a.a..., which nests one table for each dot, without a limit in the
/// TOML reader.
fn too_many_dots(text: &str) -> Option<SyntaxError> {
    let (mut dots, mut quote) = (0, None);
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'\n', _) => (dots, quote) = (0, None),
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'"' | b'\'', Some(open)) if open == byte => quote = None,
            (b',' | b'=' | b'#', None) => dots = 0,
            (b'.', None) => dots += 1,
            _ => (),
        }
        if dots > DEEPEST / 2 {
            let message = format!("a key with more than {} dots nests too deeply", DEEPEST / 2);
            return Some(SyntaxError {
                message,
                start: at,
                end: at + 1,
            });
        }
    }
    None
}

struct Reader<'e> {
    source: usize,
    errors: &'e mut Vec<SyntaxError>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>, depth: usize) -> TomlTable {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| Entry {
                key: key.get_ref().to_string(),
                key_place: self.place(key.span()),
                item: self.item(value, depth + 1),
            })
            .collect();
        entries.sort_by_key(|entry| entry.key_place.start);
        TomlTable { entries }
    }

    fn item(&mut self, value: &Spanned<DeValue<'_>>, depth: usize) -> Item {
        let place = self.place(value.span());
        let value = if depth > DEEPEST {
            self.errors.push(SyntaxError {
                message: "this is nested too deeply".to_owned(),
                start: place.start,
                end: place.end,
            });
            Toml::Date
        } else {
            self.value(value.get_ref(), place, depth)
        };
        Item { place, value }
    }

    fn value(&mut self, value: &DeValue<'_>, place: Place, depth: usize) -> Toml {
        match value {
            DeValue::String(text) => Toml::Text(text.to_string()),
            DeValue::Integer(n) => match i128::from_str_radix(n.as_str(), n.radix()) {
                Ok(n) => Toml::Integer(n),
                Err(error) => {
                    // The parser accepts "1_000ms" as a number.
                    if *error.kind() == IntErrorKind::InvalidDigit {
                        self.no_number(place);
                    }
                    Toml::Integer(i128::MAX)
                }
            },
            DeValue::Float(x) => Toml::Float(x.as_str().parse().unwrap_or_else(|_| {
                self.no_number(place);
                f64::NAN
            })),
            DeValue::Boolean(flag) => Toml::Flag(*flag),
            DeValue::Datetime(_) => Toml::Date,
            DeValue::Array(items) => Toml::List(
                items
                    .iter()
                    .map(|item| self.item(item, depth + 1))
                    .collect(),
            ),
            DeValue::Table(table) => Toml::Table(self.table(table, depth)),
        }
    }

    fn no_number(&mut self, place: Place) {
        self.errors.push(SyntaxError {
            message: "this is not a number; write a text in quotes".to_owned(),
            start: place.start,
            end: place.end,
        });
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place::of(self.source, span)
    }
}
