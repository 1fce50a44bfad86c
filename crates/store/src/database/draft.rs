//! A store rebuilt from an existing one: the old one stays unchanged until the new one is complete
//! and takes its name. Until then the new one need not survive a power loss, which makes bulk
//! inserts fast.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use pacesim_tables::disk::Disk;
use pacesim_tables::partial::{PARTIAL, around, left_beside, make_beside};
use rusqlite::OpenFlags;

use crate::database::{Store, StoreError};

/// The size of a cache that keeps in memory pages that are read and written repeatedly, such as the
/// index of runs.
const CACHE: &str = "-65536";

/// A store next to the one that it will replace. Dropping it before [`Draft::finish`] removes it.
pub struct Draft {
    /// Kept open to hold the lock meanwhile.
    old: Option<Store>,
    new: Option<Store>,
    partial: PathBuf,
    target: PathBuf,
}

impl Store {
    /// Copies everything in this store to a new one next to it.
    pub fn into_draft(self) -> Result<Draft, StoreError> {
        let target = self.path.clone();
        let of_target = |source| system(&target, source);
        let disk = Disk::default();
        // The store is locked, so these were left by a killed process.
        for left in left_beside(&target, PARTIAL) {
            disk.remove_file(&left)
                .map_err(|error| system(&left, error))?;
        }
        let made = make_beside(&target, PARTIAL, |path| File::create_new(path).map(drop));
        let (partial, ()) = made.map_err(of_target)?;
        let mut draft = Draft {
            old: Some(self),
            new: None,
            partial,
            target,
        };
        draft.new = Some(draft.copied()?);
        Ok(draft)
    }
}

impl Draft {
    /// The store that is being made.
    pub fn store(&mut self) -> &mut Store {
        self.new
            .as_mut()
            .expect("there is one until it is finished")
    }

    fn copied(&self) -> Result<Store, StoreError> {
        let old = self.old.as_ref().expect("it is held until the end");
        let name = self.partial.to_str();
        let name =
            name.ok_or_else(|| system(&self.partial, io::ErrorKind::InvalidFilename.into()))?;
        let copied = old.connection.execute("VACUUM INTO ?1", [name]);
        copied.map_err(|error| old.error(error))?;
        let new = Store::connect(self.partial.clone(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let set = |pragma, value| new.connection.pragma_update(None, pragma, value);
        let fast = set("journal_mode", "OFF")
            .and_then(|()| set("synchronous", "OFF"))
            .and_then(|()| set("cache_size", CACHE));
        fast.map_err(|error| new.error(error))?;
        Ok(new)
    }

    /// Gives the new store the name of the old one.
    pub fn finish(mut self) -> Result<Store, StoreError> {
        let of_target = |source| system(&self.target, source);
        let disk = Disk::default();
        drop(self.new.take());
        disk.flush(&self.partial).map_err(of_target)?;
        drop(self.old.take());
        disk.rename(&self.partial, &self.target)
            .map_err(of_target)?;
        let folder = around(&self.target);
        disk.flush(folder).map_err(of_target)?;
        Store::reopen(folder)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        drop(self.new.take());
        // Once renamed, no file has this name.
        let _ = Disk::default().remove_file(&self.partial);
    }
}

fn system(path: &Path, source: io::Error) -> StoreError {
    StoreError::System {
        path: path.to_path_buf(),
        source,
    }
}
