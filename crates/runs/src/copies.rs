//! Copies that make a results folder sufficient for a rerun: the resolved scenario, and the files
//! that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::folder::{Contents, FILES, FolderError, SCENARIO, system};
use crate::input::Input;
use crate::manifest::Digest;

/// Writes the resolved scenario with this seed, and the files it names; returns the digest of them
/// all.
pub(crate) fn keep(folder: &Contents, input: &Input, seed: u64) -> Result<String, FolderError> {
    let (text, copies) = resolved(input, seed);
    folder.write(SCENARIO, &text)?;
    let mut digest = Digest::default();
    digest.add(text.as_bytes());
    if !copies.is_empty() {
        folder.subfolder(FILES)?;
    }
    for (name, copy) in copies {
        let to = folder.copy(&input.folder.join(name), &copy)?;
        digest.add_file(&to).map_err(system(&to))?;
    }
    Ok(digest.to_string())
}

/// The digest that keeping the input would return, without making copies.
pub fn digest(input: &Input, seed: u64) -> Result<String, FolderError> {
    let (text, copies) = resolved(input, seed);
    let mut digest = Digest::default();
    digest.add(text.as_bytes());
    for (name, _) in copies {
        let from = input.folder.join(name);
        digest.add_file(&from).map_err(system(&from))?;
    }
    Ok(digest.to_string())
}

/// The resolved scenario with this seed and the names of copies, and the files with these names in
/// the order of the copies, which a run of the copies reproduces.
fn resolved(input: &Input, seed: u64) -> (String, Vec<(String, String)>) {
    let mut scenario = input.scenario.scenario().undivided();
    scenario.run.seed = seed;
    let names = copy_names(scenario.file_names().into_iter());
    let text = scenario.to_toml_with_files(|name| names[name].clone());
    let mut ordered: Vec<_> = names.into_iter().collect();
    ordered.sort_by(|a, b| a.1.cmp(&b.1));
    (text, ordered)
}

/// The name of each file's copy: the file's own name, with a number in front if that is taken.
fn copy_names(names: impl Iterator<Item = String>) -> BTreeMap<String, String> {
    let mut taken = BTreeSet::new();
    let mut copies = BTreeMap::new();
    for name in names {
        let last = Path::new(&name).file_name();
        let last = last.map_or("file".into(), |last| last.to_string_lossy());
        copies.entry(name.clone()).or_insert_with(|| {
            let numbered = (2..).map(|n| format!("{FILES}/{n}-{last}"));
            let mut free = std::iter::once(format!("{FILES}/{last}")).chain(numbered);
            let free = free.find(|copy| taken.insert(copy.clone()));
            free.expect("numbers do not end")
        });
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_keep_their_names_and_never_share_one() {
        let names = ["a/x.csv", "b/x.csv", "../y.parquet", "a/x.csv"];
        let copies = copy_names(names.iter().map(|name| (*name).to_owned()));
        let of = |name: &str| copies[name].as_str();
        assert_eq!(copies.len(), 3);
        assert_eq!(of("a/x.csv"), "files/x.csv");
        assert_eq!(of("b/x.csv"), "files/2-x.csv");
        assert_eq!(of("../y.parquet"), "files/y.parquet");
    }

    #[test]
    fn copies_of_copies_have_the_same_names() {
        let first = copy_names(["a/x.csv", "b/x.csv"].map(str::to_owned).into_iter());
        let again = copy_names(first.values().cloned());
        assert!(again.iter().all(|(name, copy)| name == copy), "{again:?}");
    }
}
