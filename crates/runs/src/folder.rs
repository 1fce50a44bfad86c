//! A folder that gets its name only when it is complete, and loses it only to another complete
//! folder.
//!
//! ```text
//! create:  claim the name, make DIR.PROCESS.pacesim-partial
//! fill:    tables, texts, copies; at last the manifest, which lists them all
//! finish:  flush ─▶ DIR becomes DIR.PROCESS.pacesim-replaced ─▶ partial becomes DIR
//!          ─▶ flush ─▶ what pacesim wrote into the replaced one is removed
//! ```
//!
//! At every step DIR is absent, unchanged, or complete, and its former content still exists.

mod claim;
mod contents;
mod inventory;
mod opened;
pub mod seal;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::{fs, io};

use pacesim_tables::disk::Disk;
use pacesim_tables::partial::{PARTIAL, around, left_beside, make_beside};
use pacesim_tables::place::{explained, is_misplaced};

use claim::Claim;
pub use contents::Contents;
pub(crate) use contents::file_of;
use inventory::{Inventory, Listed, remove_results};
pub use inventory::{KeptFile, digest_of_words};
pub use opened::{CheckedFolder, OpenError, SUMMARY};

/// Name of the file that every finished results folder contains.
pub const MANIFEST: &str = "manifest.json";

/// Name of the file with the resolved scenario.
pub(crate) const SCENARIO: &str = "scenario.toml";

/// The subfolder for copies of the files that the scenario names.
pub(crate) const FILES: &str = "files";

/// The suffix of results that are about to be replaced.
const REPLACED: &str = ".pacesim-replaced";

/// The reason why a results folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder already holds results.
    #[error("{0} already holds results; --force replaces them")]
    Exists(PathBuf),
    /// The path holds something other than results.
    #[error("{0} exists and is not a results folder of pacesim; choose another name")]
    NotOurs(PathBuf),
    /// The folder holds results and other files.
    #[error(
        "{folder} holds more than what pacesim wrote: {}. --force replaces results only: \
         move it away, or choose another name",
        listed(.strangers)
    )]
    Strangers {
        /// Path of the results folder.
        folder: PathBuf,
        /// The other files in it, and files changed since.
        strangers: Vec<String>,
    },
    /// Results of a version that did not list its files.
    #[error(
        "the results in {0} do not list their files (an older pacesim wrote them), \
         so --force leaves them alone; remove them yourself, or choose another name"
    )]
    Unlisted(PathBuf),
    /// Another run is about to take this name.
    #[error("another run is writing {0}; wait until it has ended, or choose another name")]
    Busy(PathBuf),
    /// The path does not end in a name.
    #[error("\"{0}\" cannot be the name of a results folder")]
    NoName(PathBuf),
    /// The old results were moved away.
    #[error("{target}: {source}; the results that were there are in {replaced}")]
    SetAside {
        /// Folder that was to be replaced.
        target: PathBuf,
        /// Current place of the old results.
        replaced: PathBuf,
        /// Error of the file system.
        source: io::Error,
    },
    /// The new results are in place, but the old ones could not be removed.
    #[error(
        "the results are in {target}, and what was there before is still in {replaced}: {source}"
    )]
    Remains {
        /// Folder with the new results.
        target: PathBuf,
        /// Folder with the rest of the old results.
        replaced: PathBuf,
        /// Reason why the rest could not be removed.
        source: io::Error,
    },
    /// The file system reported an error.
    #[error("{}", explained(path, source))]
    System {
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the file system.
        source: io::Error,
    },
}

impl FolderError {
    /// True if a different name for the folder would help.
    pub fn is_usage(&self) -> bool {
        match self {
            FolderError::System { source, .. } => is_misplaced(source),
            FolderError::SetAside { .. } | FolderError::Remains { .. } => false,
            _ => true,
        }
    }
}

/// Some of the names, and the number of further ones.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A folder being filled, next to its target. Dropping it before [`ResultsFolder::finish`] removes
/// it.
#[derive(Debug)]
pub struct ResultsFolder {
    target: PathBuf,
    contents: Contents,
    force: bool,
    finished: bool,
    _claim: Claim,
}

impl ResultsFolder {
    /// A folder that will become `target`. An existing target is replaced only if it is an empty
    /// folder or, with `force`, holds results of pacesim and nothing else.
    pub fn create(target: &Path, force: bool) -> Result<ResultsFolder, FolderError> {
        ResultsFolder::create_on(Disk::default(), target, force)
    }

    /// Creates the folder, with changes made through this `disk`.
    pub(crate) fn create_on(
        disk: Disk,
        target: &Path,
        force: bool,
    ) -> Result<ResultsFolder, FolderError> {
        may_become(target, force)?;
        if target.file_name().is_none() {
            return Err(FolderError::NoName(target.to_path_buf()));
        }
        let around = around(target);
        disk.create_folders(around).map_err(system(around))?;
        let claim = Claim::on(target)?;
        if !force {
            // The run that held the claim may have ended just now.
            may_become(target, force)?;
        }
        let made = make_beside(target, PARTIAL, |path| disk.create_folder(path));
        let (partial, ()) = made.map_err(system(target))?;
        Ok(ResultsFolder {
            target: target.to_path_buf(),
            contents: Contents::new(disk, partial),
            force,
            finished: false,
            _claim: claim,
        })
    }

    /// The contents of the folder, for writing.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Gives the folder its name; the manifest must have been written.
    pub fn finish(mut self) -> Result<(), FolderError> {
        let (disk, partial) = (
            self.contents.disk().clone(),
            self.contents.path().to_path_buf(),
        );
        disk.flush_with_contents(&partial)
            .map_err(system(&partial))?;
        may_become(&self.target, self.force)?;
        let replaced = self.set_aside()?;
        if let Err(source) = disk.rename(&partial, &self.target) {
            return Err(self.put_back(replaced, source));
        }
        self.finished = true;
        let around = around(&self.target);
        let flushed = disk.flush(around);
        let Some(replaced) = replaced else {
            return flushed.map_err(system(around));
        };
        let removed = flushed.and_then(|()| remove_results(&disk, &replaced));
        removed.map_err(|source| FolderError::Remains {
            target: self.target.clone(),
            replaced,
            source,
        })
    }

    /// Moves the current holder of the name out of the way, and returns its new path.
    fn set_aside(&self) -> Result<Option<PathBuf>, FolderError> {
        if !self.target.exists() {
            return Ok(None);
        }
        let disk = self.contents.disk();
        let moved = make_beside(&self.target, REPLACED, |path| {
            match path.symlink_metadata() {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => disk.rename(&self.target, path),
            }
        });
        let (replaced, ()) = moved.map_err(system(&self.target))?;
        Ok(Some(replaced))
    }

    /// Restores the previous holder of the name because the new results could not take it.
    fn put_back(&self, replaced: Option<PathBuf>, source: io::Error) -> FolderError {
        let target = self.target.clone();
        let Some(replaced) = replaced else {
            return FolderError::System {
                path: target,
                source,
            };
        };
        match self.contents.disk().rename(&replaced, &target) {
            Ok(()) => FolderError::System {
                path: target,
                source,
            },
            Err(_) => FolderError::SetAside {
                target,
                replaced,
                source,
            },
        }
    }
}

impl Drop for ResultsFolder {
    fn drop(&mut self) {
        if !self.finished {
            // Best effort: its name already marks it as incomplete.
            let _ = self
                .contents
                .disk()
                .remove_with_contents(self.contents.path());
        }
    }
}

/// Checks that a results folder may take this name.
pub fn may_become(target: &Path, force: bool) -> Result<(), FolderError> {
    let found = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(system(target))?,
    };
    let folder = target.to_path_buf();
    if !found.is_dir() {
        return Err(FolderError::NotOurs(folder));
    }
    let mut entries = fs::read_dir(target).map_err(system(target))?;
    if entries.next().is_none() {
        return Ok(());
    }
    match Listed::in_folder(target) {
        Listed::NotOurs => Err(FolderError::NotOurs(folder)),
        _ if !force => Err(FolderError::Exists(folder)),
        Listed::Nothing => Err(FolderError::Unlisted(folder)),
        Listed::Files(listed) => {
            let inventory = Inventory::like(&listed, target).map_err(system(target))?;
            match inventory.strangers(&listed) {
                strangers if strangers.is_empty() => Ok(()),
                strangers => Err(FolderError::Strangers { folder, strangers }),
            }
        }
    }
}

/// Incomplete folders meant to become `target`: of runs in progress, or of runs that were killed
/// before they could clean up.
pub fn incomplete(target: &Path) -> Vec<PathBuf> {
    left_beside(target, PARTIAL)
}

/// Results once named `target` whose replacement was interrupted by a kill, or which could not be
/// removed.
pub fn replaced(target: &Path) -> Vec<PathBuf> {
    left_beside(target, REPLACED)
}

/// An error of the file system at this path.
pub fn system(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_path_buf();
    move |source| FolderError::System { path, source }
}
