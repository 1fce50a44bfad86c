//! Results folders that are read: nothing in them is believed before it was compared with its digest.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use pacesim_tables::place::{explained, is_misplaced};
use serde_json::Value;

use super::inventory::{DigestOf, KeptFile};
use super::{FILES, MANIFEST, SCENARIO, seal};
use crate::manifest::{Digest, SCHEMA_VERSION};

/// Name of the file of headline numbers.
pub const SUMMARY: &str = "summary.json";

/// The size up to which files are compared when their folder is opened. Larger ones are compared when
/// they are read.
const SMALL: u64 = 64 << 20;

/// A results folder whose manifest and files are as they were written.
#[derive(Debug)]
pub struct CheckedFolder {
    path: PathBuf,
    manifest: Value,
    files: BTreeSet<KeptFile>,
    of: DigestOf,
}

/// The reason why a results folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There are no results.
    #[error(
        "{0}: not the results of a run of pacesim; `pacesim run SCENARIO --out DIR` writes them"
    )]
    NotResults(PathBuf),
    /// The results are of another version.
    #[error(
        "{path}: its results are of schema version {found}, and this pacesim knows version {known}: \
         run it again, or use the pacesim that wrote it"
    )]
    Schema {
        /// Path of the folder.
        path: PathBuf,
        /// Schema version of the results.
        found: u64,
        /// Schema version that this program reads.
        known: u32,
    },
    /// A file changed since it was written.
    #[error("{path}: damaged: {why}; `pacesim verify` names all such files; run it again")]
    Damaged {
        /// Path of the damaged file.
        path: PathBuf,
        /// Observation that shows the damage.
        why: String,
    },
    /// The file cannot be read.
    #[error("{}", explained(path, source))]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
}

impl OpenError {
    /// True if the user can fix it with another command line.
    pub fn is_usage(&self) -> bool {
        match self {
            OpenError::File { source, .. } => is_misplaced(source),
            _ => true,
        }
    }

    /// Path of the file or folder that has the problem.
    pub fn path(&self) -> &Path {
        match self {
            OpenError::NotResults(path)
            | OpenError::Schema { path, .. }
            | OpenError::Damaged { path, .. }
            | OpenError::File { path, .. } => path,
        }
    }

    fn at(path: &Path) -> impl FnOnce(io::Error) -> OpenError {
        let path = path.to_path_buf();
        move |source| OpenError::File { path, source }
    }
}

fn damaged(path: PathBuf, why: impl Into<String>) -> OpenError {
    let why = why.into();
    OpenError::Damaged { path, why }
}

impl CheckedFolder {
    /// Opens a folder, and compares everything in it but large files with its manifest.
    pub fn open(path: &Path) -> Result<CheckedFolder, OpenError> {
        let folder = CheckedFolder::of_manifest(path)?;
        match folder.damage(|kept| kept.bytes <= SMALL).into_iter().next() {
            Some(damage) => Err(damage),
            None => Ok(folder),
        }
    }

    /// Opens a folder, and compares everything in it with its manifest.
    pub fn whole(path: &Path) -> Result<CheckedFolder, OpenError> {
        let folder = CheckedFolder::of_manifest(path)?;
        match folder.damage(|_| true).into_iter().next() {
            Some(damage) => Err(damage),
            None => Ok(folder),
        }
    }

    /// The number of files in a folder, and all that have changed, large ones too.
    pub fn examined(path: &Path) -> Result<(u64, Vec<OpenError>), OpenError> {
        let folder = match CheckedFolder::of_manifest(path) {
            Err(OpenError::Damaged { path, why }) => return Ok((1, vec![damaged(path, why)])),
            folder => folder?,
        };
        Ok((folder.files.len() as u64, folder.damage(|_| true)))
    }

    /// A folder whose manifest is as it was written.
    fn of_manifest(path: &Path) -> Result<CheckedFolder, OpenError> {
        let file = path.join(MANIFEST);
        let not_ours = || OpenError::NotResults(path.to_path_buf());
        let bytes = fs::read(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => not_ours(),
            _ => OpenError::at(&file)(error),
        })?;
        let changed = || damaged(file.clone(), "it has changed since it was written");
        let text = String::from_utf8(bytes).map_err(|_| changed())?;
        let manifest: Value = serde_json::from_str(&text).map_err(|_| changed())?;
        let ours = ["schema_version", "version", "command"];
        if !ours.iter().all(|key| manifest.get(key).is_some()) {
            return Err(not_ours());
        }
        let found = manifest["schema_version"].as_u64().ok_or_else(changed)?;
        if found != u64::from(SCHEMA_VERSION) {
            return Err(OpenError::Schema {
                path: path.to_path_buf(),
                found,
                known: SCHEMA_VERSION,
            });
        }
        let files = serde_json::from_value(manifest["files"].clone()).ok();
        let files: BTreeSet<KeptFile> = files
            .filter(|_| seal::is_sound(&text))
            .ok_or_else(changed)?;
        Ok(CheckedFolder {
            path: path.to_path_buf(),
            of: DigestOf::listed(&files),
            files,
            manifest,
        })
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Manifest of the folder.
    pub fn manifest(&self) -> &Value {
        &self.manifest
    }

    /// True if the folder was written with this file.
    pub fn has(&self, name: &str) -> bool {
        self.files.iter().any(|kept| kept.file == name)
    }

    /// The folders of runs inside, in the order of their names.
    pub fn subfolders(&self) -> impl Iterator<Item = &str> {
        let files = self.files.iter().map(|kept| kept.file.as_str());
        let inside = files.filter_map(|file| file.strip_suffix(MANIFEST)?.strip_suffix('/'));
        inside.filter(|name| !name.contains('/'))
    }

    /// The path of a file that is as it was written.
    pub fn file(&self, name: &str) -> Result<PathBuf, OpenError> {
        let path = self.path.join(name);
        match self.files.iter().find(|kept| kept.file == name) {
            None => Err(damaged(path, format!("{MANIFEST} does not list it"))),
            Some(kept) if kept.bytes <= SMALL => Ok(path),
            Some(kept) => self.compared(kept).map(|()| path),
        }
    }

    /// Reads a text of the folder.
    pub fn text(&self, name: &str) -> Result<String, OpenError> {
        let path = self.file(name)?;
        fs::read_to_string(&path).map_err(OpenError::at(&path))
    }

    /// Reads a JSON document of the folder.
    pub fn document(&self, name: &str) -> Result<Value, OpenError> {
        let text = self.text(name)?;
        let read = serde_json::from_str(&text);
        read.map_err(|error| damaged(self.path.join(name), error.to_string()))
    }

    /// The differences from the manifest, among these files.
    fn damage(&self, of: fn(&KeptFile) -> bool) -> Vec<OpenError> {
        let files = self.files.iter().filter(|kept| of(kept));
        let files = files.filter_map(|kept| self.compared(kept).err());
        let mut found: Vec<OpenError> = files.collect();
        if found.is_empty() {
            found.extend(self.other_scenario());
            found.extend(self.other_run());
        }
        found
    }

    /// Compares a file with its length and digest: the Parquet library panics on some damaged files,
    /// and reads others without noticing.
    fn compared(&self, kept: &KeptFile) -> Result<(), OpenError> {
        let path = self.path.join(&kept.file);
        let found = match KeptFile::at(&path, kept.file.clone(), self.of) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged(path, "it is missing"));
            }
            found => found.map_err(OpenError::at(&path))?,
        };
        if found.bytes != kept.bytes {
            let (found, written) = (found.bytes, kept.bytes);
            let why = format!("{found} bytes, and {written} were written");
            return Err(damaged(path, why));
        }
        if found.digest == kept.digest {
            Ok(())
        } else {
            Err(damaged(path, "its content is not as it was written"))
        }
    }

    /// The scenario, if its digest is not that of the run.
    fn other_scenario(&self) -> Option<OpenError> {
        let kept = self.manifest["scenario_digest"].as_str()?;
        let inside = format!("{FILES}/");
        let copies = self
            .files
            .iter()
            .filter(|kept| kept.file.starts_with(&inside));
        let named = std::iter::once(SCENARIO).chain(copies.map(|kept| kept.file.as_str()));
        let mut digest = Digest::default();
        for name in named {
            let path = self.path.join(name);
            if let Err(error) = digest.add_file(&path) {
                return Some(OpenError::at(&path)(error));
            }
        }
        let path = self.path.join(SCENARIO);
        (digest.to_string() != kept).then(|| damaged(path, "it is not the scenario of this run"))
    }

    /// The summary, if it is that of another run.
    fn other_run(&self) -> Option<OpenError> {
        self.manifest["fingerprint"].as_str()?;
        let path = self.path.join(SUMMARY);
        let summary = if self.has(SUMMARY) {
            self.document(SUMMARY).unwrap_or_default()
        } else {
            return None;
        };
        let is_same = |key: &&str| summary[key] == self.manifest[key];
        let same = ["seed", "replications", "replication", "fingerprint"]
            .iter()
            .all(is_same);
        (!same).then(|| damaged(path, "it is the summary of another run"))
    }
}
