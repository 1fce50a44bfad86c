//! Folders of sweeps, read and changed by hand.

use std::path::Path;

/// The content of these files of a folder.
pub(crate) fn files<const N: usize>(names: [&str; N], out: &Path) -> [Vec<u8>; N] {
    names.map(|name| std::fs::read(out.join(name)).expect(name))
}

/// Edits a store by hand.
pub(crate) fn edit(out: &Path, sql: &str) {
    let store = rusqlite::Connection::open(out.join("store.sqlite")).expect("a store");
    store.execute_batch(sql).expect("SQL");
}
