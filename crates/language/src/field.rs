//! Values of keys, read from text and written back: one implementation of [`Field`] for every type
//! that a key can have. The macros of `declare.rs` generate those of tables.

mod open;
mod plain;

pub use open::{Anything, MapOf, PairOf};
pub use plain::{
    Count, FileName, FlagOr, FlowRef, LinkRef, Name, NodeRef, Number, Packets, Probability, Whole,
};

use std::fmt;
use std::marker::PhantomData;

use crate::files::NamedFiles;
use crate::form::{Form, Kinds, Need, Row, Table};
use crate::problem::{Fault, Faults, join};
use crate::tree::{Item, TomlTable, parse_option};
use crate::walk::case_of;

/// A type that a key of the language can have. Most are their own [`Field::Value`]; one that is
/// narrower than the value's type, such as [`Probability`], is a marker.
pub trait Field {
    /// Type of the field in the struct.
    type Value;
    /// Form that the value must have.
    const FORM: &'static Form;
    /// Effect of a missing key, unless its declaration states another.
    const NEED: Need = Need::Required;
    /// Reads the value; `None` if it is wrong, which [`crate::walk`] reports.
    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Self::Value>;
    /// Writes the value as TOML; `None` to leave the key out.
    fn write(value: &Self::Value) -> Option<Written>;
    /// Stand-in for a missing or wrong value: one that causes no further fault. Without one, the
    /// table that should have the value cannot be read.
    fn stand_in() -> Option<Self::Value> {
        None
    }
}

/// A struct whose fields are the keys of a table. A marker implements it for a struct of another
/// crate, which is its [`Record::Value`].
pub trait Record {
    /// Type of the struct.
    type Value;
    /// Table of the struct's keys.
    const TABLE: &'static Table;
    /// Reads the struct; `None` if a key without a stand-in is wrong or missing.
    fn read_keys(table: &TomlTable, reader: &mut Reader<'_>) -> Option<Self::Value>;
    /// Adds the keys and their values.
    fn write_keys(value: &Self::Value, keys: &mut Keys);
}

impl<R: Record> Field for R {
    type Value = R::Value;
    const FORM: &'static Form = &Form::Table(R::TABLE);

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<R::Value> {
        R::read_keys(item.table()?, reader)
    }

    fn write(value: &R::Value) -> Option<Written> {
        Some(Written::Table(Keys::of::<R>(value)))
    }

    fn stand_in() -> Option<R::Value> {
        let (mut faults, files) = (Faults::default(), ());
        R::read_keys(&TomlTable::EMPTY, &mut Reader::new(&files, &mut faults))
    }
}

/// An enum whose variants are tables, selected by a key.
pub trait Cases: Sized {
    /// Name of the key that selects a table.
    const TAG: &'static str;
    /// Tables to select from.
    const CASES: Kinds;
    /// Reads the case of this name.
    fn read_case(case: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<Self>;
    /// Writes the tag and the keys of the case.
    fn write_case(&self, keys: &mut Keys);

    /// Reads the case that the tag names.
    fn read_tagged(item: &Item, reader: &mut Reader<'_>) -> Option<Self> {
        let table = item.table()?;
        let case = case_of(Self::CASES, table.get(Self::TAG)?.text()?)?;
        Self::read_case(case.name, table, reader)
    }
}

/// A key that holds one of several tables.
pub struct Tagged<T>(PhantomData<T>);

impl<T: Cases> Field for Tagged<T> {
    type Value = T;
    const FORM: &'static Form = &Form::Tagged {
        tag: T::TAG,
        cases: T::CASES,
    };

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<T> {
        T::read_tagged(item, reader)
    }

    fn write(value: &T) -> Option<Written> {
        let mut keys = Keys::default();
        value.write_case(&mut keys);
        Some(Written::Table(keys))
    }
}

/// Kinds that the program declares: a value of one of them.
pub trait OwnKinds: Sized {
    /// The tables of their keys, each under the kind's name.
    fn tables() -> Vec<&'static Table>;
    /// Reads the keys of the kind of this name.
    fn read_own(kind: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<Self>;
    /// Writes the tag and the keys of the kind.
    fn write_own(&self, tag: &'static str, keys: &mut Keys);
}

/// The tables of own kinds, with the keys that all kinds have, unless a table has its own of these.
pub fn own_tables<K: OwnKinds>(common: &'static [Row]) -> Vec<Table> {
    let with_common = |table: &'static Table| Table {
        name: table.name,
        doc: table.doc,
        rows: table.rows,
        common: match table.common {
            [] => common,
            own => own,
        },
    };
    K::tables().into_iter().map(with_common).collect()
}

/// An optional key.
impl<F: Field> Field for Option<F> {
    type Value = Option<F::Value>;
    const FORM: &'static Form = F::FORM;
    const NEED: Need = Need::Optional;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Option<F::Value>> {
        F::read(item, reader).map(Some)
    }

    fn write(value: &Option<F::Value>) -> Option<Written> {
        F::write(value.as_ref()?)
    }

    fn stand_in() -> Option<Option<F::Value>> {
        Some(None)
    }
}

/// A key that may be omitted; the writer omits it if the value is the default of its type.
pub struct Perhaps<F>(PhantomData<F>);

impl<F: Field<Value: Default + PartialEq>> Field for Perhaps<F> {
    type Value = F::Value;
    const FORM: &'static Form = F::FORM;
    const NEED: Need = Need::Optional;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<F::Value> {
        F::read(item, reader)
    }

    fn write(value: &F::Value) -> Option<Written> {
        let is_default = *value == F::Value::default();
        F::write(value).filter(|_| !is_default)
    }

    fn stand_in() -> Option<F::Value> {
        Some(F::Value::default())
    }
}

/// A list. A wrong element is replaced, so that the others keep their places.
impl<F: Field> Field for Vec<F> {
    type Value = Vec<F::Value>;
    const FORM: &'static Form = &Form::List(F::FORM);

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Vec<F::Value>> {
        let read = |(i, item)| reader.element(i, |reader| F::read(item, reader));
        let items = item.list()?.iter().enumerate().map(read);
        items.map(|value| value.or_else(F::stand_in)).collect()
    }

    fn write(value: &Vec<F::Value>) -> Option<Written> {
        Some(Written::List(value.iter().filter_map(F::write).collect()))
    }

    fn stand_in() -> Option<Vec<F::Value>> {
        Some(Vec::new())
    }
}

/// Reads the values of a text, and tracks its position.
pub struct Reader<'r> {
    /// The files that the text names.
    pub files: &'r dyn NamedFiles,
    faults: &'r mut Faults,
    path: String,
}

impl<'r> Reader<'r> {
    /// A reader at the beginning of a text.
    pub fn new(files: &'r dyn NamedFiles, faults: &'r mut Faults) -> Reader<'r> {
        Reader {
            files,
            faults,
            path: String::new(),
        }
    }

    /// The value of a key, otherwise its default, otherwise its stand-in.
    pub fn field<F: Field>(
        &mut self,
        table: &TomlTable,
        name: &str,
        need: Need,
        stand_in: impl FnOnce() -> Option<F::Value>,
    ) -> Option<F::Value> {
        let given = table.get(name);
        let given = given.and_then(|item| self.within(name, |reader| F::read(item, reader)));
        let default = match (&given, need) {
            (None, Need::Default(text)) => F::read(&parse_option(text, 0, 0), self),
            _ => None,
        };
        given.or(default).or_else(stand_in)
    }

    /// Reads at a key of the current table.
    fn within<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.path.len();
        self.path = join(&self.path, key);
        let value = read(self);
        self.path.truncate(outer);
        value
    }

    /// Reads at a member of the current list.
    fn element<T>(&mut self, i: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.path.len();
        self.path += &format!("[{i}]");
        let value = read(self);
        self.path.truncate(outer);
        value
    }

    /// The content of the file of this name, or a fault at the key that names it.
    pub fn content<T>(&mut self, name: &str, content: Result<T, String>, form: &str) -> Option<T> {
        let complain = |error: &String| {
            let message = format!("cannot use the file \"{name}\": {error}");
            self.fault(message).help(format!("give {form}"));
        };
        content.inspect_err(complain).ok()
    }

    /// Adds a mistake in the current value.
    pub fn fault(&mut self, message: impl Into<String>) -> &mut Fault {
        self.faults.add(self.path.clone(), message)
    }

    /// Adds a mistake at a key of the current table, unless it has one.
    pub fn fault_once(&mut self, key: &str, message: String, help: String) {
        let path = join(&self.path, key);
        if !self.faults.touch(&path) {
            self.faults.add(path, message).help(help);
        }
    }
}

/// A value as written in TOML.
#[derive(Clone, Debug)]
pub enum Written {
    /// Neither a list nor a table.
    Plain(String),
    /// The name of a file.
    File(String),
    /// The name of one of the program's own parts.
    Part(PartName),
    /// A list.
    List(Vec<Written>),
    /// A table.
    Table(Keys),
}

/// One of the program's own parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartName {
    /// Name of the key in the file.
    pub name: String,
    /// Version, which distinguishes results of different code.
    pub version: String,
}

impl Written {
    /// A string in quotes.
    pub fn text(value: impl fmt::Display) -> Written {
        Written::Plain(toml::Value::String(value.to_string()).to_string())
    }

    fn files_mut(&mut self) -> Vec<&mut String> {
        match self {
            Written::Plain(_) | Written::Part(_) => Vec::new(),
            Written::File(name) => vec![name],
            Written::List(items) => items.iter_mut().flat_map(Written::files_mut).collect(),
            Written::Table(keys) => keys.files_mut(),
        }
    }

    fn parts(&self) -> Vec<&PartName> {
        match self {
            Written::Plain(_) | Written::File(_) => Vec::new(),
            Written::Part(part) => vec![part],
            Written::List(items) => items.iter().flat_map(Written::parts).collect(),
            Written::Table(keys) => keys.parts(),
        }
    }
}

/// Writes the value on one line.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |all: Vec<String>| all.join(", ");
        match self {
            Written::Plain(text) => f.write_str(text),
            Written::File(name) => Written::text(name).fmt(f),
            Written::Part(part) => Written::text(&part.name).fmt(f),
            Written::List(items) => {
                let items = items.iter().map(Written::to_string).collect();
                write!(f, "[{}]", joined(items))
            }
            Written::Table(keys) => {
                let keys = keys.0.iter().map(|(key, value)| format!("{key} = {value}"));
                write!(f, "{{ {} }}", joined(keys.collect()))
            }
        }
    }
}

/// Keys and their values, in order.
#[derive(Clone, Debug, Default)]
pub struct Keys(pub Vec<(&'static str, Written)>);

impl Keys {
    /// Writes the keys of a struct.
    pub fn of<R: Record>(value: &R::Value) -> Keys {
        let mut keys = Keys::default();
        R::write_keys(value, &mut keys);
        keys
    }

    /// Adds a key and its value, if it is to be written.
    pub fn put<F: Field>(&mut self, key: &'static str, value: &F::Value) {
        self.0.extend(F::write(value).map(|written| (key, written)));
    }

    /// A table of one key.
    pub fn one<F: Field>(key: &'static str, value: &F::Value) -> Written {
        let mut keys = Keys::default();
        keys.put::<F>(key, value);
        Written::Table(keys)
    }

    /// The value as the lines of a file, with tables under headers.
    pub fn sections(&self) -> String {
        let mut text = String::new();
        for (key, value) in &self.0 {
            match value {
                Written::Plain(_) | Written::File(_) | Written::Part(_) => {
                    text += &format!("{key} = {value}\n")
                }
                Written::Table(keys) => text += &format!("\n[{key}]\n{}", keys.lines()),
                Written::List(items) => {
                    for item in items {
                        let Written::Table(keys) = item else {
                            unreachable!("the lists of a file are lists of tables");
                        };
                        text += &format!("\n[[{key}]]\n{}", keys.lines());
                    }
                }
            }
        }
        text
    }

    /// All file names in it, including repeated ones.
    pub fn files_mut(&mut self) -> Vec<&mut String> {
        let values = self.0.iter_mut().map(|(_, value)| value);
        values.flat_map(Written::files_mut).collect()
    }

    /// All of the program's own parts in it, including repeated ones.
    pub fn parts(&self) -> Vec<&PartName> {
        let values = self.0.iter().map(|(_, value)| value);
        values.flat_map(Written::parts).collect()
    }

    fn lines(&self) -> String {
        let line = |(key, value): &(&str, Written)| format!("{key} = {value}\n");
        self.0.iter().map(line).collect()
    }
}

/// True if a type takes a value; for reviews of the declarations.
pub fn takes<F: Field>(item: &Item, files: &dyn NamedFiles) -> bool {
    let mut faults = Faults::default();
    let value = F::read(item, &mut Reader::new(files, &mut faults));
    value.is_some() && faults.list.is_empty()
}
