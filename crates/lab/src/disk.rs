//! Every change that results make on a disk, in one place, so that tests can make each of
//! them fail: as a full disk would, or as if the program were killed there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The disk that results are written to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    #[cfg(test)]
    pub(crate) faults: faults::Faults,
}

impl Disk {
    /// Called before every change.
    #[inline]
    fn step(&self) -> io::Result<()> {
        #[cfg(test)]
        self.faults.step()?;
        Ok(())
    }

    /// A new folder, and those around it if they are missing.
    pub(crate) fn create_folders(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir_all(path)
    }

    /// A new folder; an error if there is anything of this name.
    pub(crate) fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::create_dir(path)
    }

    /// A new file; an error if there is anything of this name.
    pub(crate) fn create_file(&self, path: &Path) -> io::Result<DiskFile> {
        self.step()?;
        let file = File::create_new(path)?;
        let disk = self.clone();
        Ok(DiskFile { file, disk })
    }

    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    pub(crate) fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_file(path)
    }

    /// Removes a folder; an error if anything is in it.
    pub(crate) fn remove_empty_folder(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_dir(path)
    }

    /// Removes a folder with all that is in it: only for incomplete ones of our own.
    pub(crate) fn remove_with_contents(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_dir_all(folder)
    }

    /// Waits until a file, or the list of names in a folder, is on the disk and would
    /// outlast a loss of power.
    pub(crate) fn flush(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        // Elsewhere the standard library cannot open folders; a unit test cannot see whether
        // it waited.
        if cfg!(all(unix, not(test))) {
            File::open(path)?.sync_all()?;
        }
        Ok(())
    }

    /// The same for all that is in a folder, and then for the folder.
    pub(crate) fn flush_with_contents(&self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => self.flush_with_contents(&entry.path())?,
                false => self.flush(&entry.path())?,
            }
        }
        self.flush(folder)
    }
}

/// An open file on a [`Disk`].
#[derive(Debug)]
pub(crate) struct DiskFile {
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

#[cfg(test)]
pub(crate) mod faults {
    //! Which changes fail.

    use std::io;
    use std::ops::Range;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::Disk;

    /// The numbers of the changes that fail, from zero.
    #[derive(Clone, Debug)]
    pub(crate) struct Faults {
        failing: Range<u64>,
        steps: Arc<AtomicU64>,
    }

    impl Default for Faults {
        fn default() -> Faults {
            Faults::at(0..0)
        }
    }

    impl Faults {
        fn at(failing: Range<u64>) -> Faults {
            let steps = Arc::default();
            Faults { failing, steps }
        }

        pub(super) fn step(&self) -> io::Result<()> {
            let step = self.steps.fetch_add(1, Ordering::Relaxed);
            match self.failing.contains(&step) {
                true => Err(io::ErrorKind::StorageFull.into()),
                false => Ok(()),
            }
        }
    }

    impl Disk {
        /// A disk on which these changes fail.
        pub(crate) fn failing(failing: Range<u64>) -> Disk {
            let faults = Faults::at(failing);
            Disk { faults }
        }

        /// How many changes were asked for.
        pub(crate) fn steps(&self) -> u64 {
            self.faults.steps.load(Ordering::Relaxed)
        }
    }
}
