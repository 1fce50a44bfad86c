//! A brief look at a store that may be in use.

use std::path::Path;
use std::time::Duration;

use pacesim_runs::manifest::Digest;
use rusqlite::{Connection, OpenFlags};

use crate::database::{FILE, Store, StoreError};

/// The state of a store, seen without locking it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Peek {
    /// No store exists, or it is empty.
    Nothing,
    /// A sweep is using the store.
    Busy,
    /// The store is in the state that the last sweep left.
    Left {
        /// Digest of the plan of that sweep.
        plan: Option<Digest>,
        /// Number of runs in the store.
        runs: u64,
        /// True if no runs are missing.
        is_complete: bool,
    },
}

impl Store {
    /// Looks at the store in a folder. A sweep that begins meanwhile waits.
    pub fn peek(folder: &Path) -> Result<Peek, StoreError> {
        let path = folder.join(FILE);
        if !path.is_file() {
            return Ok(Peek::Nothing);
        }
        match look(&path) {
            Err(StoreError::Busy(_)) => Ok(Peek::Busy),
            looked => looked,
        }
    }
}

fn look(path: &Path) -> Result<Peek, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags);
    let store = Store {
        connection: opened.map_err(|error| StoreError::of(path, error))?,
        path: path.to_path_buf(),
    };
    let patience = store.connection.busy_timeout(Duration::ZERO);
    patience.map_err(|error| store.error(error))?;
    if store.is_blank()? {
        return Ok(Peek::Nothing);
    }
    store.refuse_other_tables()?;
    Ok(Peek::Left {
        plan: store.identity()?.map(|identity| identity.digest()),
        runs: store.runs()?,
        is_complete: store.is_complete()?,
    })
}
