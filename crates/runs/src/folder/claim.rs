//! A claim on a folder's name, held by one run at a time.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use pacesim_tables::partial::{PARTIAL, around};

use crate::folder::{FolderError, system};

/// A lock on a file next to the folder. The system releases it however the program ends, so that a
/// killed run blocks no other.
///
/// It only reports early to a run that would be refused at its end. Results are safe without it:
/// incomplete folders have separate names.
#[derive(Debug)]
pub(super) struct Claim {
    path: PathBuf,
    _locked: File,
}

impl Claim {
    /// Claims this name, or fails if another run holds it.
    pub(super) fn on(target: &Path) -> Result<Claim, FolderError> {
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".lock{PARTIAL}"));
        let path = target.with_file_name(name);
        loop {
            let mut options = File::options();
            let options = options.create(true).truncate(false).write(true);
            let file = options.open(&path).map_err(system(around(target)))?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    return Err(FolderError::Busy(target.to_path_buf()));
                }
                // A file system without locks.
                Err(TryLockError::Error(_)) => {}
                Ok(()) if !is_at(&file, &path) => continue,
                Ok(()) => {}
            }
            let _locked = file;
            return Ok(Claim { path, _locked });
        }
    }
}

impl Drop for Claim {
    /// Before the lock is released: a file of this name without a lock belongs to no run.
    fn drop(&mut self) {
        // Best effort: the next run takes it over.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Checks that the open file still has its name: a run that has just ended may have removed it
/// before we got the lock, and the next one may have created another.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(named)) = (file.metadata(), path.metadata()) else {
        return false;
    };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

/// On other systems an open file keeps its name.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
