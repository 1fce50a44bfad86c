//! A folder that has its name only when it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is in every finished results folder.
pub(crate) const MANIFEST: &str = "manifest.json";

/// Why a results folder cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Results are there.
    #[error("{0} already holds results; --force replaces them")]
    Exists(PathBuf),
    /// Something else is there.
    #[error("{0} exists and is not a results folder of pacesim; choose another name")]
    NotOurs(PathBuf),
    /// It has no name to take.
    #[error("\"{0}\" cannot be the name of a results folder")]
    NoName(PathBuf),
    /// The file system said no.
    #[error("{path}: {source}")]
    System {
        /// Which file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl FolderError {
    /// Whether another name for the folder would help.
    pub fn is_usage(&self) -> bool {
        !matches!(self, FolderError::System { .. })
    }
}

/// A folder being filled, beside the one it will become. If it is dropped before
/// [`ResultsFolder::finish`], it goes away.
#[derive(Debug)]
pub(crate) struct ResultsFolder {
    target: PathBuf,
    partial: PathBuf,
    force: bool,
    finished: bool,
}

impl ResultsFolder {
    /// A folder that will be `target`. What is there already is only replaced if it
    /// is an empty folder or, with `force`, a results folder.
    pub(crate) fn create(target: &Path, force: bool) -> Result<ResultsFolder, FolderError> {
        may_become(target, force)?;
        let partial = new_partial(target)?;
        Ok(ResultsFolder {
            target: target.to_path_buf(),
            partial,
            force,
            finished: false,
        })
    }

    /// Where a file of this name is while the folder is incomplete.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.partial.join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), FolderError> {
        let path = self.file(name);
        fs::write(&path, content).map_err(system(&path))
    }

    /// Gives the folder its name.
    pub(crate) fn finish(mut self) -> Result<(), FolderError> {
        may_become(&self.target, self.force)?;
        let replaced = self.partial.with_extension("pacesim-replaced");
        let replaces = self.target.exists();
        if replaces {
            fs::rename(&self.target, &replaced).map_err(system(&self.target))?;
        }
        fs::rename(&self.partial, &self.target).map_err(system(&self.target))?;
        self.finished = true;
        if replaces {
            fs::remove_dir_all(&replaced).map_err(system(&replaced))?;
        }
        Ok(())
    }
}

impl Drop for ResultsFolder {
    fn drop(&mut self) {
        if !self.finished {
            // Best effort: its name already says that it is not complete.
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

/// Whether a results folder may take this name.
pub(crate) fn may_become(target: &Path, force: bool) -> Result<(), FolderError> {
    let found = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(system(target))?,
    };
    if !found.is_dir() {
        return Err(FolderError::NotOurs(target.to_path_buf()));
    }
    let is_empty = fs::read_dir(target)
        .map_err(system(target))?
        .next()
        .is_none();
    let is_ours = holds_results(target);
    match (is_empty, is_ours, force) {
        (true, _, _) | (_, true, true) => Ok(()),
        (_, true, false) => Err(FolderError::Exists(target.to_path_buf())),
        (_, false, _) => Err(FolderError::NotOurs(target.to_path_buf())),
    }
}

/// Whether there is a manifest that pacesim wrote. Many programs have files of that name.
fn holds_results(folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(MANIFEST)) else {
        return false;
    };
    let manifest: Result<serde_json::Value, _> = serde_json::from_str(&text);
    manifest.is_ok_and(|manifest| {
        ["schema_version", "version", "command"]
            .iter()
            .all(|key| manifest.get(key).is_some())
    })
}

/// What the name of every incomplete folder ends in.
const PARTIAL: &str = ".pacesim-partial";

/// A new folder beside the target, so that a rename is enough; with the process in its
/// name, so that two runs do not mix, and a number if that is taken: a run of the same
/// process number, perhaps in another container, was killed or still goes on.
fn new_partial(target: &Path) -> Result<PathBuf, FolderError> {
    let no_name = || FolderError::NoName(target.to_path_buf());
    let name = target.file_name().ok_or_else(no_name)?;
    if let Some(around) = target.parent() {
        fs::create_dir_all(around).map_err(system(around))?;
    }
    let process = std::process::id();
    let numbered = (2..).map(|n| format!(".{process}-{n}{PARTIAL}"));
    for ending in std::iter::once(format!(".{process}{PARTIAL}")).chain(numbered) {
        let mut partial = name.to_owned();
        partial.push(ending);
        let partial = target.with_file_name(partial);
        match fs::create_dir(&partial) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map_err(system(&partial)).map(|()| partial),
        }
    }
    unreachable!("numbers do not end")
}

/// Incomplete folders that were to become `target`: of runs that go on, or that were
/// killed before they could clean up.
pub fn incomplete(target: &Path) -> Vec<PathBuf> {
    let Some(name) = target.file_name() else {
        return Vec::new();
    };
    let around = match target.parent() {
        Some(around) if around != Path::new("") => around,
        _ => Path::new("."),
    };
    let start = format!("{}.", name.to_string_lossy());
    let is_of_target = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = name
            .strip_prefix(&start)
            .and_then(|rest| rest.strip_suffix(PARTIAL));
        // Between them only the process: "run.v1" is another folder than "run".
        rest.is_some_and(|id| id.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
    };
    let entries = fs::read_dir(around).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| target.with_file_name(entry.file_name()))
        .filter(is_of_target)
        .collect();
    found.sort();
    found
}

/// An error of the file system, at this path.
pub(crate) fn system(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_path_buf();
    move |source| FolderError::System { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(target: &Path, force: bool) -> Result<(), FolderError> {
        let folder = ResultsFolder::create(target, force)?;
        let manifest = r#"{"schema_version": 2, "version": "0.1.0", "command": []}"#;
        folder.write(MANIFEST, manifest)?;
        assert!(
            !target.join(MANIFEST).exists() || force,
            "not before it is complete"
        );
        folder.finish()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("listed");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        entries
            .map(|e| name(e).into_string().expect("text"))
            .collect()
    }

    #[test]
    fn a_new_or_empty_folder_is_taken_and_nothing_else_remains() {
        let around = tempfile::tempdir().expect("a folder");
        let target = around.path().join("deep/run.v1");
        filled(&target, false).expect("new");
        assert_eq!(names(&around.path().join("deep")), ["run.v1"]);
        let empty = tempfile::tempdir().expect("a folder");
        filled(empty.path(), false).expect("empty");
        assert_eq!(names(empty.path()), [MANIFEST]);
    }

    #[test]
    fn results_are_replaced_by_force_only() {
        let around = tempfile::tempdir().expect("a folder");
        let target = around.path().join("run");
        filled(&target, false).expect("new");
        fs::write(target.join("old"), "").expect("written");
        assert!(matches!(
            filled(&target, false),
            Err(FolderError::Exists(_))
        ));
        assert!(target.join("old").exists());
        filled(&target, true).expect("forced");
        assert_eq!(names(&target), [MANIFEST]);
        assert_eq!(names(around.path()), ["run"]);
    }

    #[test]
    fn what_is_not_ours_is_never_replaced() {
        let around = tempfile::tempdir().expect("a folder");
        fs::write(around.path().join("thesis.tex"), "").expect("written");
        assert!(matches!(
            filled(around.path(), true),
            Err(FolderError::NotOurs(_))
        ));
        let file = around.path().join("thesis.tex");
        assert!(matches!(filled(&file, true), Err(FolderError::NotOurs(_))));
        assert!(matches!(
            filled(Path::new("/"), true),
            Err(FolderError::NotOurs(_))
        ));
        assert_eq!(names(around.path()), ["thesis.tex"]);
    }

    #[test]
    fn a_manifest_of_another_program_does_not_make_a_folder_ours() {
        for text in ["", "not JSON", r#"{"name": "My web app", "version": "1"}"#] {
            let around = tempfile::tempdir().expect("a folder");
            fs::write(around.path().join(MANIFEST), text).expect("written");
            let refused = filled(around.path(), true);
            assert!(matches!(refused, Err(FolderError::NotOurs(_))), "{text}");
        }
    }

    #[test]
    fn what_a_killed_run_left_is_found_and_never_mixed_in() {
        let around = tempfile::tempdir().expect("a folder");
        let target = around.path().join("run");
        let process = std::process::id();
        let mine = format!("run.{process}.pacesim-partial");
        let others = ["run.7.pacesim-partial", "run.v1.7.pacesim-partial"];
        for name in [mine.as_str()].iter().chain(&others) {
            fs::create_dir(around.path().join(name)).expect("made");
        }
        fs::write(around.path().join(&mine).join("stale"), "").expect("written");
        let mut expected = vec![
            target.with_file_name(&mine),
            target.with_file_name(others[0]),
        ];
        expected.sort();
        assert_eq!(incomplete(&target), expected);
        filled(&target, false).expect("another name is found");
        assert_eq!(names(&target), [MANIFEST]);
    }

    #[test]
    fn an_abandoned_folder_leaves_nothing() {
        let around = tempfile::tempdir().expect("a folder");
        let folder = ResultsFolder::create(&around.path().join("run"), false).expect("created");
        folder.write("half", "").expect("written");
        drop(folder);
        assert!(names(around.path()).is_empty());
    }
}
