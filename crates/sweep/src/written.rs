//! The tables and figures in the folder of a study, compared with what was written there: the store keeps their digests.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use pacesim_runs::folder::digest_of_words;
use pacesim_runs::manifest::Digest;
use pacesim_store::database::{FileDigests, Store};

use crate::error::SweepError;
use crate::figures::FOLDER;

/// Stores the digests of the tables, given by their names in the folder.
pub(crate) fn keep(out: &Path, tables: &[PathBuf], store: &mut Store) -> Result<(), SweepError> {
    let mut digests = FileDigests::new();
    for name in tables {
        if let Some(digest) = of_table(&out.join(name))? {
            digests.insert(name.display().to_string(), digest);
        }
    }
    Ok(store.keep_tabulated(&digests)?)
}

/// The number of tables and figures that the store knows of, and those that are not as they were written.
pub fn altered(folder: &Path, store: &Store) -> Result<(u64, Vec<String>), SweepError> {
    let tables = store.tabulated()?;
    let figures = store.drawn()?;
    let mut problems = Vec::new();
    for (name, kept) in &tables {
        let found = of_table(&folder.join(name))?;
        problems.extend(problem(name, kept, found, "written"));
    }
    for (file, kept) in &figures {
        let name = format!("{FOLDER}/{file}");
        let found = of_figure(&folder.join(&name))?;
        problems.extend(problem(&name, kept, found, "drawn"));
    }
    Ok(((tables.len() + figures.len()) as u64, problems))
}

fn problem(name: &str, kept: &str, found: Option<String>, made: &str) -> Option<String> {
    match found {
        None => Some(format!("{name} is missing")),
        Some(found) if found != kept => Some(format!("{name} has changed since it was {made}")),
        Some(_) => None,
    }
}

fn of_table(path: &Path) -> Result<Option<String>, SweepError> {
    let digest = File::open(path).and_then(|file| digest_of_words(BufReader::new(file)));
    if_there(path, digest.map(|(digest, _)| digest))
}

fn of_figure(path: &Path) -> Result<Option<String>, SweepError> {
    let mut digest = Digest::default();
    let added = digest.add_file(path);
    if_there(path, added.map(|_| digest.to_string()))
}

fn if_there(path: &Path, read: std::io::Result<String>) -> Result<Option<String>, SweepError> {
    match read {
        Ok(digest) => Ok(Some(digest)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SweepError::File {
            path: path.to_path_buf(),
            source,
        }),
    }
}
