//! Single values that are stored by name.

use rusqlite::{Connection, OptionalExtension};

/// A value of the table `study`, if it exists.
pub(super) fn value<T: rusqlite::types::FromSql>(
    connection: &Connection,
    key: &str,
) -> rusqlite::Result<Option<T>> {
    let find = "SELECT value FROM study WHERE key = ?1";
    let found = connection.query_one(find, [key], |row| row.get(0));
    found.optional()
}
