//! The contents of a folder that is being filled.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pacesim::measure::record::Row;
use pacesim_tables::disk::Disk;
use pacesim_tables::{TableError, TableWriter};
use serde::Serialize;

use crate::folder::inventory::{Inventory, KeptFile};
use crate::folder::seal::sealed;
use crate::folder::{FolderError, MANIFEST, system};
use crate::summary::to_json;

/// The future files of a results folder, or of a folder inside it.
#[derive(Debug)]
pub struct Contents {
    disk: Disk,
    path: PathBuf,
}

/// A manifest with the list of the folder's other files.
#[derive(Serialize)]
struct WithFiles<'a, M> {
    #[serde(flatten)]
    manifest: &'a M,
    files: Vec<KeptFile>,
}

impl Contents {
    pub(super) fn new(disk: Disk, path: PathBuf) -> Contents {
        Contents { disk, path }
    }

    pub(super) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Path of the folder while it is incomplete.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a folder inside the folder.
    pub(crate) fn subfolder(&self, name: &str) -> Result<Contents, FolderError> {
        let path = self.path.join(name);
        self.disk.create_folder(&path).map_err(system(&path))?;
        Ok(Contents::new(self.disk.clone(), path))
    }

    /// Removes a folder inside with all its content, if it exists.
    pub(crate) fn remove_subfolder(&self, name: &str) -> Result<(), FolderError> {
        let path = self.path.join(name);
        if path.exists() {
            self.disk.remove_with_contents(&path).map_err(system(&path))
        } else {
            Ok(())
        }
    }

    /// Writes a text file into the folder.
    pub fn write(&self, name: &str, content: &str) -> Result<(), FolderError> {
        self.write_bytes(name, content.as_bytes())
    }

    /// Writes a binary file into the folder.
    pub fn write_bytes(&self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        let path = self.path.join(name);
        let file = self.disk.create_file(&path);
        let written = file.and_then(|mut file| file.write_all(content));
        written.map_err(system(&path))
    }

    /// Copies a file to this name, and returns its path.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> Result<PathBuf, FolderError> {
        let mut original = File::open(from).map_err(system(from))?;
        let path = self.path.join(name);
        let copy = self.disk.create_file(&path);
        let copied = copy.and_then(|mut copy| io::copy(&mut original, &mut copy));
        copied.map_err(system(&path))?;
        Ok(path)
    }

    /// Creates a table to be filled.
    pub fn table<R: Row>(&self, notes: &[(&str, String)]) -> Result<TableWriter<R>, TableError> {
        let path = self.path.join(file_of::<R>());
        let made = self.disk.create_file(&path);
        let content = made.map_err(|source| TableError::File {
            path: path.clone(),
            source,
        })?;
        TableWriter::fill(content, &path, notes)
    }

    /// Writes the manifest, with a list of all files written before and a digest of itself.
    pub fn write_manifest(&self, manifest: &impl Serialize) -> Result<(), FolderError> {
        let inventory = Inventory::of(&self.path).map_err(system(&self.path))?;
        let files = inventory.files;
        let json = to_json(&WithFiles { manifest, files });
        self.write(MANIFEST, &sealed(&json))
    }
}

/// Name of the file of a table.
pub(crate) fn file_of<R: Row>() -> String {
    format!("{}.parquet", R::SCHEMA.table)
}
