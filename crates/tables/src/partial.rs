//! Incomplete files and folders, which lie next to their targets under names that mark them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, DiskFile};

/// Suffix of every incomplete file or folder.
pub const PARTIAL: &str = ".pacesim-partial";

/// Creates something next to `target` under an unused name: it contains the process id, so that two
/// runs do not mix, and a number if that is taken: a run with the same process id, perhaps in
/// another container, was killed or is still running.
pub fn make_beside<T>(
    target: &Path,
    ending: &str,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let process = std::process::id();
    let numbered = (2..).map(|n| format!(".{process}-{n}{ending}"));
    for ending in std::iter::once(format!(".{process}{ending}")).chain(numbered) {
        let mut beside = name.to_owned();
        beside.push(ending);
        let beside = target.with_file_name(beside);
        match make(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|made| (beside, made)),
        }
    }
    unreachable!("numbers do not end")
}

/// Entries next to `target` with this ending that [`make_beside`] created, for runs that are still
/// active or were killed.
pub fn left_beside(target: &Path, ending: &str) -> Vec<PathBuf> {
    let Some(name) = target.file_name() else {
        return Vec::new();
    };
    let start = format!("{}.", name.to_string_lossy());
    let is_of_target = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix(&start);
        let rest = rest.and_then(|rest| rest.strip_suffix(ending));
        // The process id only: "run.v1" is another folder than "run".
        rest.is_some_and(|id| id.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
    };
    let entries = fs::read_dir(around(target)).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| target.with_file_name(entry.file_name()))
        .filter(is_of_target)
        .collect();
    found.sort();
    found
}

/// The folder that contains a path.
pub fn around(path: &Path) -> &Path {
    match path.parent() {
        Some(around) if around != Path::new("") => around,
        _ => Path::new("."),
    }
}

/// A file that gets its name only once it is complete. It is removed if it is dropped before
/// [`PartialFile::finish`].
pub(crate) struct PartialFile {
    disk: Disk,
    target: PathBuf,
    /// Path of the partial file; `None` once it has its name.
    partial: Option<PathBuf>,
}

impl PartialFile {
    /// Creates the file, and returns it with the handle for its content.
    pub(crate) fn create(disk: &Disk, target: &Path) -> io::Result<(PartialFile, DiskFile)> {
        let (partial, content) = make_beside(target, PARTIAL, |path| disk.create_file(path))?;
        let file = PartialFile {
            disk: disk.clone(),
            target: target.to_path_buf(),
            partial: Some(partial),
        };
        Ok((file, content))
    }

    /// Gives it its name, replacing a file of that name.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let Some(partial) = &self.partial {
            self.disk.flush(partial)?;
            self.disk.rename(partial, &self.target)?;
            self.partial = None;
        }
        self.disk.flush(around(&self.target))
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // Best effort: its name already marks it as incomplete.
            let _ = self.disk.remove_file(partial);
        }
    }
}

/// Writes a file that gets its name only once it is complete.
pub fn write_complete(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (file, mut content) = PartialFile::create(&Disk::default(), path)?;
    content.write_all(bytes)?;
    drop(content);
    file.finish()
}
