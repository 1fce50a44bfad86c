//! What is in a results folder, and what of it pacesim wrote.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::MANIFEST;
use crate::disk::Disk;
use crate::manifest::Digest;

/// A file of a results folder, as its manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeptFile {
    /// Where it is in the folder, with `/` between names.
    pub file: String,
    /// How long it is.
    pub bytes: u64,
    /// The digest of its content.
    pub digest: String,
}

impl KeptFile {
    pub(super) fn at(path: &Path, file: String) -> io::Result<KeptFile> {
        let mut digest = Digest::default();
        let bytes = digest.add_file(path)?;
        let digest = digest.to_string();
        Ok(KeptFile {
            file,
            bytes,
            digest,
        })
    }
}

/// All that is in a folder, at any depth.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    pub(super) files: Vec<KeptFile>,
    /// A folder comes before what is in it.
    folders: Vec<String>,
    /// Links, pipes, and names that are not text: pacesim makes none.
    others: Vec<String>,
}

impl Inventory {
    /// Lists a folder; its own manifest, which holds such a list, is left out.
    pub(super) fn of(folder: &Path) -> io::Result<Inventory> {
        let mut inventory = Inventory::default();
        inventory.add(folder, "")?;
        inventory.files.retain(|kept| kept.file != MANIFEST);
        inventory.files.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(inventory)
    }

    fn add(&mut self, folder: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = entry.file_name();
            let Some(name) = name.to_str().map(|name| format!("{prefix}{name}")) else {
                let name = name.to_string_lossy();
                self.others.push(format!("{prefix}{name}"));
                continue;
            };
            if kind.is_dir() {
                let inside = format!("{name}/");
                self.folders.push(name);
                self.add(&path, &inside)?;
            } else if kind.is_file() {
                self.files.push(KeptFile::at(&path, name)?);
            } else {
                self.others.push(name);
            }
        }
        Ok(())
    }

    /// The names of what is not as the manifest lists it, in order.
    pub(super) fn strangers(&self, listed: &BTreeSet<KeptFile>) -> Vec<String> {
        let names: BTreeSet<&str> = listed.iter().map(|known| known.file.as_str()).collect();
        let holders: BTreeSet<&str> = names.iter().flat_map(|name| holders(name)).collect();
        let files = self.files.iter().filter(|kept| !listed.contains(kept));
        let files = files.map(|kept| match names.contains(kept.file.as_str()) {
            true => format!("{} (changed)", kept.file),
            false => kept.file.clone(),
        });
        let folders = self
            .folders
            .iter()
            .filter(|name| !holders.contains(name.as_str()));
        let folders = folders.map(|name| format!("{name}/"));
        let mut strangers: Vec<String> = files.chain(folders).chain(self.others.clone()).collect();
        strangers.sort();
        strangers
    }
}

/// The folders that this file is in: of "a/b/c" they are "a/b" and "a".
fn holders(file: &str) -> impl Iterator<Item = &str> {
    file.match_indices('/').map(|(end, _)| &file[..end])
}

/// What the manifest of a folder says.
pub(super) enum Listed {
    /// It is not one of pacesim. Many programs have files of that name.
    NotOurs,
    /// It lists no files: an older pacesim wrote it.
    Nothing,
    /// These files, beside the manifest itself.
    Files(BTreeSet<KeptFile>),
}

impl Listed {
    pub(super) fn in_folder(folder: &Path) -> Listed {
        let text = fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let ours = ["schema_version", "version", "command"];
        if !ours.iter().all(|key| manifest.get(key).is_some()) {
            return Listed::NotOurs;
        }
        let files = manifest.get("files").cloned();
        let files = files.and_then(|files| serde_json::from_value(files).ok());
        files.map_or(Listed::Nothing, Listed::Files)
    }
}

/// Removes the results that are in a folder, file by file, and then the folder, unless
/// anything else is in it.
pub(super) fn remove_results(disk: &Disk, folder: &Path) -> io::Result<()> {
    let inventory = Inventory::of(folder)?;
    if let Listed::Files(listed) = Listed::in_folder(folder) {
        for kept in inventory.files.iter().filter(|kept| listed.contains(kept)) {
            disk.remove_file(&folder.join(&kept.file))?;
        }
        for name in inventory.folders.iter().rev() {
            // The user's own folder may be in it; the last step says whether.
            let _ = disk.remove_empty_folder(&folder.join(name));
        }
        let left = fs::read_dir(folder)?.count();
        if left == 1 {
            disk.remove_file(&folder.join(MANIFEST))?;
        }
    }
    disk.remove_empty_folder(folder)
}
