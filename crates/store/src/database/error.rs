//! Reasons why a store cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use pacesim_tables::place::{explained, is_misplaced};
use rusqlite::ErrorCode;

use crate::database::soundness::Damage;

/// The reason why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder holds something other than a store.
    #[error("{0} exists and is not the folder of a study; choose another with --out")]
    NotOurs(PathBuf),
    /// The file is not a store.
    #[error("{0} is not a store of pacesim; choose another folder with --out")]
    NotAStore(PathBuf),
    /// The store belongs to another study.
    #[error(
        "{path} belongs to the study \"{theirs}\", and this one is \"{ours}\": choose another \
         folder with --out, or give it that name"
    )]
    OtherStudy {
        /// Path of the store.
        path: PathBuf,
        /// Name of the study it belongs to.
        theirs: String,
        /// Name of the study that is being run.
        ours: String,
    },
    /// The store holds another part of the study.
    #[error(
        "{} holds {theirs}, and this is the shard {ours}: choose another folder with --out", .folder.display()
    )]
    OtherPart {
        /// Folder of the store.
        folder: PathBuf,
        /// Name of the part that the store holds.
        theirs: String,
        /// Name of the shard that is being run.
        ours: String,
    },
    /// The store has tables of another version.
    #[error(
        "{path} has tables of version {found}, and this pacesim knows version {known}{}: use the \
         pacesim that wrote it, or sweep the study again into another folder, `pacesim sweep STUDY --out DIR`",
        if found < known { ", which can check every run" } else { "" }
    )]
    Schema {
        /// Path of the store.
        path: PathBuf,
        /// Version of the store.
        found: i64,
        /// Version that this program knows.
        known: i64,
    },
    /// The last sweep had results of another version.
    #[error(
        "the runs of the last sweep in {path} have results of version {found}, and this pacesim \
         knows version {known}: sweep it again, or use the pacesim that wrote it"
    )]
    Results {
        /// Path of the store.
        path: PathBuf,
        /// Version of the store's results.
        found: u32,
        /// Version that this program knows.
        known: u32,
    },
    /// The folder has no store.
    #[error(
        "{0} is not the folder of a study that was swept; give one, or the study's file: \
         `pacesim sweep` makes its folder"
    )]
    NoStudy(PathBuf),
    /// SQLite finds the file damaged.
    #[error("{0} is damaged, perhaps cut off: delete its folder, and make those runs again")]
    Damaged(PathBuf),
    /// SQLite can read the file, but its content has changed since it was stored.
    #[error(
        "{path} is damaged: {damage}; `pacesim sweep` of the study into this folder (or `tune`, if it searches) \
         makes what is damaged again, and leaves the rest"
    )]
    Unsound {
        /// Path of the store.
        path: PathBuf,
        /// Damage that was found.
        damage: Box<Damage>,
    },
    /// Two stores have the same run with different results.
    #[error(
        "{path} has another result of replication {replication} of the scenario {scenario} than \
         {}: one of them was not made by this pacesim; `pacesim verify --again` tells which, delete \
         that folder, and make its runs again", .other.as_deref().unwrap_or(Path::new("a store that was united before")).display()
    )]
    Conflict {
        /// Path of the store.
        path: PathBuf,
        /// The folder with the other result, if known.
        other: Option<PathBuf>,
        /// Digest of the scenario.
        scenario: String,
        /// Number of the replication.
        replication: u64,
    },
    /// Another program has it open.
    #[error(
        "another program has {0} open, perhaps a sweep that goes on: wait until it has ended, \
         or choose another folder with --out"
    )]
    Busy(PathBuf),
    /// The file system reported an error.
    #[error("{}", explained(path, source))]
    System {
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the file system.
        source: io::Error,
    },
    /// The file cannot be opened or created, or takes no changes.
    #[error(
        "{0} cannot be opened and written: choose another folder with --out, or change the permissions \
         of this one"
    )]
    Unwritable(PathBuf),
    /// SQLite reported an error.
    #[error("{path}: {source}")]
    Sqlite {
        /// Path of the store.
        path: PathBuf,
        /// Error of SQLite.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// True if another folder or a later time would help.
    pub fn is_usage(&self) -> bool {
        match self {
            StoreError::System { source, .. } => is_misplaced(source),
            StoreError::Sqlite { .. } => false,
            _ => true,
        }
    }

    pub(super) fn of(path: &Path, source: rusqlite::Error) -> StoreError {
        let path = path.to_path_buf();
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy) => StoreError::Busy(path),
            Some(ErrorCode::NotADatabase) => StoreError::NotAStore(path),
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged(path),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                StoreError::Unwritable(path)
            }
            _ => StoreError::Sqlite { path, source },
        }
    }
}
