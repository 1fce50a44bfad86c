//! A part: its keys, its version and its constructor.

use pacesim_language::field::{Keys, Reader, Record};
use pacesim_language::form::Table;
use pacesim_language::tree::TomlTable;

/// The keys of a part, a struct declared by [`table!`](pacesim_language::table); the table's name is
/// that of the part.
pub trait PartKeys: Record<Value = Self> + Clone + Send + Sync + Sized + 'static {
    /// The version of the part's code. Runs stored by a sweep are repeated when it changes; without
    /// one, whenever the program changes.
    const VERSION: Option<&'static str> = None;

    /// All violated conditions on values that the types of the keys do not express.
    fn wrong(&self) -> Vec<Wrong> {
        Vec::new()
    }
}

/// A value that a part does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Name of the key.
    pub key: &'static str,
    /// Reason for the refusal, in a few words.
    pub reason: String,
    /// Accepted values, or another remedy.
    pub remedy: String,
}

/// Reads a table: its keys as written, and the value made of them.
type Read<M> = dyn Fn(&TomlTable, &mut Reader<'_>) -> Option<(Keys, M)> + Send + Sync;

/// A part that makes values of type `M` from keys.
pub(crate) struct Part<M> {
    pub(crate) table: &'static Table,
    pub(crate) version: Option<&'static str>,
    read: Box<Read<M>>,
}

impl<M> Part<M> {
    /// A part with keys `K`, and its constructor.
    pub(crate) fn new<K: PartKeys>(
        make: impl Fn(K, &Keys) -> M + Send + Sync + 'static,
    ) -> Part<M> {
        let read = move |table: &TomlTable, reader: &mut Reader<'_>| {
            let keys = K::read_keys(table, reader)?;
            for Wrong {
                key,
                reason,
                remedy,
            } in keys.wrong()
            {
                reader.fault_once(key, reason, remedy);
            }
            let written = Keys::of::<K>(&keys);
            let made = make(keys, &written);
            Some((written, made))
        };
        Part {
            table: K::TABLE,
            version: K::VERSION,
            read: Box::new(read),
        }
    }

    /// Reads the keys, and makes a value of them.
    pub(crate) fn read(&self, table: &TomlTable, reader: &mut Reader<'_>) -> Option<(Keys, M)> {
        (self.read)(table, reader)
    }
}
