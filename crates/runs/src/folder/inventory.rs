//! The files in a results folder, and those that pacesim wrote.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use pacesim_tables::disk::Disk;
use serde::{Deserialize, Serialize};

use crate::folder::MANIFEST;
use crate::manifest::Digest;

/// A file of a results folder as listed in its manifest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeptFile {
    /// The path in the folder, with `/` between names.
    pub file: String,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Digest of the file's content.
    pub digest: String,
}

/// The kind of digest that files are compared by.
#[derive(Clone, Copy, Debug)]
pub(super) enum DigestOf {
    /// Digests are computed word by word: the current form.
    Words,
    /// Digests are computed byte by byte: the first form.
    Bytes,
}

impl DigestOf {
    /// The kind of digest that a list of files was made with.
    pub(super) fn listed(files: &BTreeSet<KeptFile>) -> DigestOf {
        if files.iter().any(|kept| kept.digest.starts_with(WORDS)) {
            DigestOf::Words
        } else {
            DigestOf::Bytes
        }
    }
}

impl KeptFile {
    pub(super) fn at(path: &Path, file: String, of: DigestOf) -> io::Result<KeptFile> {
        let content = File::open(path)?;
        let (digest, bytes) = match of {
            DigestOf::Words => digest_of_words(content)?,
            DigestOf::Bytes => {
                let mut digest = Digest::default();
                let bytes = digest.add_file(path)?;
                (digest.to_string(), bytes)
            }
        };
        Ok(KeptFile {
            file,
            bytes,
            digest,
        })
    }
}

/// Prefix of digests computed word by word.
const WORDS: &str = "fnv1a128w:";

/// The hash of a listed file, with its length: 128-bit FNV-1a over words of eight bytes in four
/// lanes, then over the lanes; an incomplete last round is hashed byte by byte. Tables are long,
/// and hashing them byte by byte takes as long as writing them.
pub fn digest_of_words(mut content: impl Read) -> io::Result<(String, u64)> {
    let mut lanes = [Digest::default(); 4];
    let (mut length, mut bytes) = (0, vec![0; 1 << 16]);
    let mut rest = Digest::default();
    loop {
        let filled = fill(&mut content, &mut bytes)?;
        length += filled as u64;
        let rounds = bytes[..filled].chunks_exact(32);
        rest.add(rounds.remainder());
        for round in rounds {
            for (lane, word) in lanes.iter_mut().zip(round.chunks_exact(8)) {
                lane.add_word(u64::from_le_bytes(word.try_into().expect("eight bytes")));
            }
        }
        if filled < bytes.len() {
            break;
        }
    }
    lanes.iter().for_each(|lane| rest.add(&lane.to_bytes()));
    Ok((
        format!("{WORDS}{:032x}", u128::from_le_bytes(rest.to_bytes())),
        length,
    ))
}

/// Reads until the buffer is full or the content ends.
fn fill(content: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match content.read(&mut bytes[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

/// Everything that a folder contains, at any depth.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    pub(super) files: Vec<KeptFile>,
    /// Folders inside; each precedes its content.
    folders: Vec<String>,
    /// Links, pipes, and names that are not valid text: pacesim makes none.
    others: Vec<String>,
}

impl Inventory {
    /// Lists a folder without its own manifest, which holds such a list.
    pub(super) fn of(folder: &Path) -> io::Result<Inventory> {
        Inventory::made_with(DigestOf::Words, folder)
    }

    /// Lists it with the digests of an earlier list.
    pub(super) fn like(listed: &BTreeSet<KeptFile>, folder: &Path) -> io::Result<Inventory> {
        Inventory::made_with(DigestOf::listed(listed), folder)
    }

    fn made_with(of: DigestOf, folder: &Path) -> io::Result<Inventory> {
        let mut inventory = Inventory::default();
        inventory.add(folder, "", of)?;
        inventory.files.retain(|kept| kept.file != MANIFEST);
        inventory.files.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(inventory)
    }

    fn add(&mut self, folder: &Path, prefix: &str, of: DigestOf) -> io::Result<()> {
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
                self.add(&path, &inside, of)?;
            } else if kind.is_file() {
                self.files.push(KeptFile::at(&path, name, of)?);
            } else {
                self.others.push(name);
            }
        }
        Ok(())
    }

    /// The names of entries that differ from the manifest's list, in order.
    pub(super) fn strangers(&self, listed: &BTreeSet<KeptFile>) -> Vec<String> {
        let names: BTreeSet<&str> = listed.iter().map(|known| known.file.as_str()).collect();
        let holders: BTreeSet<&str> = names.iter().flat_map(|name| holders(name)).collect();
        let files = self.files.iter().filter(|kept| !listed.contains(kept));
        let files = files.map(|kept| {
            if names.contains(kept.file.as_str()) {
                format!("{} (changed)", kept.file)
            } else {
                kept.file.clone()
            }
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

/// The folders that contain this file: "a/b" and "a" for "a/b/c".
fn holders(file: &str) -> impl Iterator<Item = &str> {
    file.match_indices('/').map(|(end, _)| &file[..end])
}

/// The list of files in a folder's manifest.
pub(super) enum Listed {
    /// Not a manifest of pacesim; many programs use that file name.
    NotOurs,
    /// There is no list: an older pacesim wrote the manifest.
    Nothing,
    /// These files are listed, in addition to the manifest itself.
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

/// Removes the results in a folder, file by file, and then the folder, unless anything else is in
/// it.
pub(super) fn remove_results(disk: &Disk, folder: &Path) -> io::Result<()> {
    if let Listed::Files(listed) = Listed::in_folder(folder) {
        let inventory = Inventory::like(&listed, folder)?;
        for kept in inventory.files.iter().filter(|kept| listed.contains(kept)) {
            disk.remove_file(&folder.join(&kept.file))?;
        }
        for name in inventory.folders.iter().rev() {
            // It may contain the user's own folder; the last step detects that.
            let _ = disk.remove_empty_folder(&folder.join(name));
        }
        let left = fs::read_dir(folder)?.count();
        if left == 1 {
            disk.remove_file(&folder.join(MANIFEST))?;
        }
    }
    disk.remove_empty_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns at most this many bytes at a time, as pipes or network file systems may.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let most = to.len().min(self.1);
            self.0.read(&mut to[..most])
        }
    }

    /// The digest was computed independently from the definition.
    #[test]
    fn digests_of_words_do_not_depend_on_how_a_file_is_read() {
        let content: Vec<u8> = (0..200_000u32).map(|i| (i * 7 % 256) as u8).collect();
        for most in [1, 33, 4096, 1 << 20] {
            let (digest, length) = digest_of_words(Slow(&content, most)).expect("read");
            assert_eq!(digest, "fnv1a128w:8d73ae2e0d3cfdb7af2aea887c4cb214");
            assert_eq!(length, 200_000);
        }
    }

    #[test]
    fn every_byte_of_a_file_counts() {
        let content = [0u8; 100];
        let plain = digest_of_words(&content[..]).expect("read");
        for place in 0..content.len() {
            let mut changed = content;
            changed[place] ^= 0x80;
            assert_ne!(
                digest_of_words(&changed[..]).expect("read"),
                plain,
                "{place}"
            );
        }
        assert_ne!(digest_of_words(&content[1..]).expect("read").0, plain.0);
    }
}
