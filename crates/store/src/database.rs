//! The runs of a study in one SQLite file, with one writer at a time.
//!
//! Locks are exclusive and last as long as the file is open. It uses a rollback journal and no
//! shared memory, so that a store works on a network file system too. A committed run survives a
//! kill and a power loss; the next opening rolls back uncommitted ones.

mod abandoned;
mod draft;
mod error;
mod identity;
mod last;
mod peek;
mod reader;
mod schema;
mod seal;
mod soundness;
mod unite;
mod value;
mod warmups;
mod writer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use pacesim_runs::workers::BatchMonitor;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

pub use crate::database::last::LastSweep;
pub use abandoned::{Abandoned, AllAbandoned};
pub use error::StoreError;
pub use peek::Peek;
pub use reader::{Reader, StoredRun};
pub use soundness::{Damage, DamagedRun};
pub use writer::{Finished, Writer};

/// Digests of files in the folder of a study, by their names there.
pub type FileDigests = BTreeMap<String, String>;

/// The file in the folder of a study.
pub const FILE: &str = "store.sqlite";

/// An open store, locked until it is dropped.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// The store of a study in this folder, or `None` if it does not exist yet. Fails if the folder
    /// holds something else or the store is damaged; changes nothing.
    pub fn open(folder: &Path, study: &str) -> Result<Option<Store>, StoreError> {
        let store = Store::find(folder, study)?;
        store.iter().try_for_each(Store::refuse_damaged)?;
        Ok(store)
    }

    /// The store for commands that make runs: damaged runs are removed and reported.
    pub fn open_mended(
        folder: &Path,
        study: &str,
        monitor: &dyn BatchMonitor,
    ) -> Result<Option<Store>, StoreError> {
        let Some(mut store) = Store::find(folder, study)? else {
            return Ok(None);
        };
        let damage = store.mend()?;
        if !damage.is_none() {
            let path = store.path.display();
            monitor.note(&format!(
                "{path} was damaged: {damage}; that is made again, the rest stays"
            ));
        }
        Ok(Some(store))
    }

    fn find(folder: &Path, study: &str) -> Result<Option<Store>, StoreError> {
        let path = folder.join(FILE);
        if !path.exists() {
            return if is_free(folder)? {
                Ok(None)
            } else {
                Err(StoreError::NotOurs(folder.to_path_buf()))
            };
        }
        let mut store = Store::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        match store.is_blank()? {
            // Its creator was killed before anything was stored.
            true => store.make(study)?,
            false => store.refuse_others(study)?,
        }
        Ok(Some(store))
    }

    /// The store in this folder, for any study.
    pub fn reopen(folder: &Path) -> Result<Store, StoreError> {
        let store = Store::there(folder)?;
        store.refuse_damaged()?;
        Ok(store)
    }

    /// The store in this folder, and all its damage.
    pub fn inspect(folder: &Path) -> Result<(Store, Damage), StoreError> {
        let store = Store::there(folder)?;
        let damage = store.damage()?;
        Ok((store, damage))
    }

    /// The store in this folder, for commands that derive the missing runs from the plan; `None` if
    /// its creator was killed before anything was stored.
    pub fn reopen_perhaps_blank(folder: &Path) -> Result<Option<Store>, StoreError> {
        let store = Store::unchecked(folder)?;
        store.iter().try_for_each(Store::refuse_damaged_runs)?;
        Ok(store)
    }

    fn there(folder: &Path) -> Result<Store, StoreError> {
        let store = Store::unchecked(folder)?;
        store.ok_or_else(|| StoreError::NoStudy(folder.to_path_buf()))
    }

    /// A store with the expected tables and unchecked content; `None` if it has no tables.
    fn unchecked(folder: &Path) -> Result<Option<Store>, StoreError> {
        let path = folder.join(FILE);
        if !path.is_file() {
            return Err(StoreError::NoStudy(folder.to_path_buf()));
        }
        let store = Store::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        if store.is_blank()? {
            Ok(None)
        } else {
            store.refuse_other_tables().map(|()| Some(store))
        }
    }

    /// A new store, in a folder that is created if missing.
    pub fn create(folder: &Path, study: &str) -> Result<Store, StoreError> {
        fs::create_dir_all(folder).map_err(|source| StoreError::System {
            path: folder.to_path_buf(),
            source,
        })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Store::connect(folder.join(FILE), flags)?;
        match store.is_blank()? {
            true => store.make(study)?,
            // Another sweep has created it since the check, and has ended.
            false => store.refuse_others(study)?,
        }
        Ok(store)
    }

    /// Opens a file and locks it for as long as it is open.
    fn connect(path: PathBuf, flags: OpenFlags) -> Result<Store, StoreError> {
        let connection =
            Connection::open_with_flags(&path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let store = Store {
            connection: connection.map_err(|error| StoreError::of(&path, error))?,
            path,
        };
        let locked = store.lock();
        locked.map_err(|error| store.error(error))?;
        Ok(store)
    }

    fn lock(&self) -> rusqlite::Result<()> {
        // If two sweeps begin at the same moment, one of them gets the lock.
        self.connection.busy_timeout(Duration::from_millis(200))?;
        self.connection
            .pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        self.connection.execute_batch("BEGIN EXCLUSIVE; COMMIT")
    }

    fn is_blank(&self) -> Result<bool, StoreError> {
        let count = "SELECT count(*) FROM sqlite_schema";
        let tables = self.connection.query_one(count, [], |row| row.get(0));
        let tables: i64 = tables.map_err(|error| self.error(error))?;
        Ok(tables == 0)
    }

    fn make(&mut self, study: &str) -> Result<(), StoreError> {
        self.in_one(|connection| {
            connection.execute_batch(schema::TABLES)?;
            connection.pragma_update(None, "application_id", schema::APPLICATION)?;
            connection.pragma_update(None, "user_version", schema::VERSION)?;
            let insert = "INSERT INTO study VALUES ('name', ?1)";
            connection.execute(insert, [study]).map(drop)
        })
    }

    /// Refuses files that are not stores, or that have another schema.
    fn refuse_other_tables(&self) -> Result<(), StoreError> {
        let pragma = |name| {
            let value = self
                .connection
                .pragma_query_value(None, name, |row| row.get(0));
            value.map_err(|error| self.error(error))
        };
        let (application, found): (i64, i64) = (pragma("application_id")?, pragma("user_version")?);
        let path = self.path.clone();
        if application != schema::APPLICATION {
            return Err(StoreError::NotAStore(path));
        }
        if found != schema::VERSION {
            let known = schema::VERSION;
            return Err(StoreError::Schema { path, found, known });
        }
        Ok(())
    }

    /// Refuses the store of another study.
    fn refuse_others(&self, study: &str) -> Result<(), StoreError> {
        self.refuse_other_tables()?;
        let path = self.path.clone();
        let name = "SELECT value FROM study WHERE key = 'name'";
        let theirs = self.connection.query_one(name, [], |row| row.get(0));
        let theirs: String = theirs.map_err(|error| self.error(error))?;
        if theirs == study {
            Ok(())
        } else {
            Err(StoreError::OtherStudy {
                path,
                theirs,
                ours: study.to_owned(),
            })
        }
    }

    /// Makes several changes in one transaction.
    fn in_one(
        &mut self,
        change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let path = &self.path;
        let begun = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let changed = begun.and_then(|transaction| {
            change(&transaction)?;
            transaction.commit()
        });
        changed.map_err(|error| StoreError::of(path, error))
    }

    /// Changes the plan to one that another version of pacesim would have stored.
    #[doc(hidden)]
    pub fn edit_plan(&mut self, sql: &str) {
        let edited = self.in_one(|connection| {
            connection.execute_batch(sql)?;
            seal::seal_plan(connection)
        });
        edited.expect("a store takes it");
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }
}

/// True if the folder is empty or does not exist.
fn is_free(folder: &Path) -> Result<bool, StoreError> {
    let system = |source| StoreError::System {
        path: folder.to_path_buf(),
        source,
    };
    let found = match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        found => found.map_err(system)?,
    };
    if !found.is_dir() {
        return Ok(false);
    }
    let mut entries = fs::read_dir(folder).map_err(system)?;
    Ok(entries.next().is_none())
}
