//! The files shipped in the program: `scenarios/papers` at build time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pacesim_lab::Digest;
use pacesim_lab::tables::place::explained;

/// The name of each file under `scenarios/papers`, and its text.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The suffix of all studies' names.
pub(crate) const STUDY: &str = ".study.toml";

/// A name in [`FILES`], and its text.
type File = (&'static str, &'static str);

/// The file of this name, if it ships.
pub(crate) fn find(name: &str) -> Option<File> {
    FILES.iter().copied().find(|(known, _)| *known == name)
}

/// A study and all files that it names, directly or indirectly.
fn files_of(study: &str) -> Vec<File> {
    let mut needed = Vec::new();
    let mut unread: Vec<File> = find(study).into_iter().collect();
    while let Some(file) = unread.pop() {
        if !needed.contains(&file) {
            needed.push(file);
            unread.extend(beside(file));
        }
    }
    needed.sort_unstable();
    needed
}

/// Digest of all in a study's files that its results depend on: neither the warnings that it accepts
/// nor the lines of theory in its figures.
pub(crate) fn digest_of(study: &str) -> String {
    let mut digest = Digest::default();
    for (name, text) in files_of(study) {
        digest.add(name.as_bytes());
        digest.add(without_theory(&without_accepts(text)).as_bytes());
    }
    digest.to_string()
}

/// A file without the entries `theory` of its figures, each a list on one line or with its end on a
/// line of its own.
fn without_theory(text: &str) -> String {
    let mut inside = false;
    let mut others = String::new();
    for line in text.lines() {
        let begins = line.starts_with("theory = [");
        if !inside && !begins {
            others.push_str(line);
            others.push('\n');
        }
        inside = (inside || begins) && !line.ends_with(']');
    }
    others
}

/// A file without its entries `[[accept]]`, each with the empty line before it.
fn without_accepts(text: &str) -> String {
    let paragraphs = text.split("\n\n");
    let others = paragraphs.filter(|paragraph| !paragraph.starts_with("[[accept]]\n"));
    let others = others.collect::<Vec<_>>().join("\n\n");
    if others.ends_with('\n') || !text.ends_with('\n') {
        others
    } else {
        others + "\n"
    }
}

/// The files in the same folder that a text names in quotes.
fn beside((name, text): File) -> impl Iterator<Item = File> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    FILES.iter().copied().filter(move |(known, _)| {
        let inside = known
            .strip_prefix(folder)
            .and_then(|rest| rest.strip_prefix('/'));
        inside.is_some_and(|inside| text.contains(&format!("\"{inside}\"")))
    })
}

/// The reason why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// Another file has this name.
    #[error("{} is there, and is another file; --force replaces it", .0.display())]
    Taken(PathBuf),
    /// The file system reported an error.
    #[error("{}", explained(.0, .1))]
    System(PathBuf, io::Error),
}

/// Writes a study and the files that it names into this folder, under their names in the catalogue.
/// Existing files with the same text are kept; others are replaced only with `force`.
pub(crate) fn show(study: &str, folder: &Path, force: bool) -> Result<Vec<PathBuf>, ShowError> {
    let files = files_of(study).into_iter();
    let files: Vec<(PathBuf, &str)> = files
        .map(|(name, text)| (folder.join(name), text))
        .collect();
    let is_same = |path: &Path, text: &str| fs::read(path).is_ok_and(|old| old == text.as_bytes());
    let taken =
        |(path, text): &&(PathBuf, &str)| path.symlink_metadata().is_ok() && !is_same(path, text);
    if let Some((path, _)) = files.iter().find(taken).filter(|_| !force) {
        return Err(ShowError::Taken(path.clone()));
    }
    for (path, text) in files.iter().filter(|(path, text)| !is_same(path, text)) {
        let system = |error| ShowError::System(path.clone(), error);
        let around = path.parent().unwrap_or(folder);
        fs::create_dir_all(around).map_err(system)?;
        pacesim_lab::write_complete(path, text.as_bytes()).map_err(system)?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::{without_accepts, without_theory};

    #[test]
    fn an_accepted_warning_is_no_input_of_results() {
        let accept = "[[accept]]\nwarning = \"no_warmup\"\nbecause = \"as in the paper\"";
        let plain = "# A study.\n\nrun = 1\n\n[[flow]]\nname = \"f\"\n";
        let at_end = format!("{plain}\n{accept}\n");
        let inside = plain.replace("\n\n[[flow]]", &format!("\n\n{accept}\n\n[[flow]]"));
        let both = format!("{inside}\n{accept}\n");
        for text in [plain, &at_end, &inside, &both] {
            assert_eq!(without_accepts(text), plain, "{text}");
        }
        assert_ne!(without_accepts(&plain.replace("= 1", "= 2")), plain);
    }

    #[test]
    fn lines_of_theory_are_no_input_of_results() {
        let plot = "[[plot]]\ny = \"a\"\n";
        for theory in [
            "theory = [{ model = \"m\" }]\n",
            "theory = [\n  { model = \"m\" },\n]\n",
        ] {
            let text = format!("{plot}{theory}label = \"b\"\n");
            assert_eq!(without_theory(&text), format!("{plot}label = \"b\"\n"));
        }
        assert_eq!(without_theory(plot), plot);
    }
}
