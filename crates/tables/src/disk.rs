//! All changes to the disk that results make, in one place, so that a test can make each of them
//! fail, as on a full disk or after a kill.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The disk that results are written to.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    /// Changes that must fail, for tests.
    faults: Option<Arc<Faults>>,
}

/// Failing changes, by their numbers from zero.
#[derive(Debug)]
struct Faults {
    failing: Range<u64>,
    steps: AtomicU64,
}

impl Faults {
    fn step(&self) -> io::Result<()> {
        let step = self.steps.fetch_add(1, Ordering::Relaxed);
        if self.failing.contains(&step) {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            Ok(())
        }
    }
}

impl Disk {
    /// A disk on which the changes with these numbers fail, counted from zero, and on which nothing
    /// is flushed: for tests.
    pub fn failing(failing: Range<u64>) -> Disk {
        let steps = AtomicU64::new(0);
        let faults = Some(Arc::new(Faults { failing, steps }));
        Disk { faults }
    }

    /// Number of changes requested of a disk that [fails](Disk::failing); otherwise zero.
    pub fn steps(&self) -> u64 {
        let faults = self.faults.as_ref();
        faults.map_or(0, |faults| faults.steps.load(Ordering::Relaxed))
    }

    /// Counts a change; called before every one.
    #[inline]
    fn step(&self) -> io::Result<()> {
        self.faults.as_ref().map_or(Ok(()), |faults| faults.step())
    }

    /// Creates a folder, and missing parents.
    pub fn create_folders(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir_all(path)
    }

    /// Creates a folder; an error if the name is taken.
    pub fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir(path)
    }

    /// Creates a file; an error if the name is taken.
    pub fn create_file(&self, path: &Path) -> io::Result<DiskFile> {
        self.step()?;
        let file = File::create_new(path)?;
        let disk = self.clone();
        Ok(DiskFile { file, disk })
    }

    /// Renames a file or folder.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    /// Removes a file.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_file(path)
    }

    /// Removes a folder; an error if it is not empty.
    pub fn remove_empty_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_dir(path)
    }

    /// Removes a folder and its contents: only for pacesim's incomplete ones.
    pub fn remove_with_contents(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_dir_all(folder)
    }

    /// Waits until a file, or the list of names in a folder, is on the disk and would survive a
    /// power failure.
    pub fn flush(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        // The standard library opens folders on Unix only. Tests of faults do not cover flushes.
        if cfg!(unix) && self.faults.is_none() {
            File::open(path)?.sync_all()?;
        }
        Ok(())
    }

    /// Flushes the contents of a folder, and then the folder.
    pub fn flush_with_contents(&self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                self.flush_with_contents(&entry.path())?
            } else {
                self.flush(&entry.path())?
            }
        }
        self.flush(folder)
    }
}

/// An open file on a [`Disk`].
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    disk: Disk,
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.step()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
