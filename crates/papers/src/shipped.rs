//! The files shipped in the program: `scenarios/papers` at build time, and those that a program with
//! parts of its own adds.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pacesim_lab::Digest;
use pacesim_lab::parts::files_of_studies;
use pacesim_lab::tables::place::explained;

/// The name of each file under `scenarios/papers`, and its text.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The suffix of all studies' names.
pub(crate) const STUDY: &str = ".study.toml";

/// A name in [`FILES`], and its text.
type File = (&'static str, &'static str);

/// All files of this program.
pub(crate) fn files() -> impl Iterator<Item = File> {
    FILES.iter().chain(files_of_studies()).copied()
}

/// The file of this name, if it ships.
pub(crate) fn find(name: &str) -> Option<File> {
    files().find(|(known, _)| *known == name)
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

/// Digest of all in a study's files that its runs and figures depend on: neither claims, which are judged
/// again by the stored numbers, nor comments, accepted warnings and the lines of theory in figures.
pub(crate) fn digest_of(study: &str) -> String {
    let mut digest = Digest::default();
    for (name, text) in files_of(study) {
        digest.add(name.as_bytes());
        match name.ends_with(".toml") {
            true => digest.add(of_runs(text).as_bytes()),
            false => digest.add(text.as_bytes()),
        }
    }
    digest.to_string()
}

/// The tables of a study that no run depends on.
const JUDGEMENT: [&str; 3] = ["expect", "inferred", "accept"];

/// The lines of a file that runs and figures depend on. Without `precise`, claims say which numbers a
/// precision is about, and stay.
fn of_runs(text: &str) -> String {
    let has = |key: &str| text.lines().any(|line| line.starts_with(key));
    let claims_count = has("precision =") && !has("precise =");
    let (mut in_judgement, mut in_theory) = (false, false);
    let mut kept = String::new();
    for line in text.lines() {
        if let Some(table) = table_of(line) {
            let name = table.split('.').next().unwrap_or(table).trim();
            in_judgement = JUDGEMENT.contains(&name) && !(name == "expect" && claims_count);
        }
        in_theory |= !in_judgement && line.starts_with("theory = [");
        let is_said = !line.trim().is_empty() && !line.starts_with('#');
        if is_said && !in_judgement && !in_theory {
            kept.push_str(line);
            kept.push('\n');
        }
        in_theory &= !line.ends_with(']');
    }
    kept
}

/// The name of the table that a line begins: `[[expect]]`, `[sweep]`.
fn table_of(line: &str) -> Option<&str> {
    let inside = line.strip_prefix('[')?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    inside.split(']').next()
}

/// The files in the same folder that a text names in quotes.
fn beside((name, text): File) -> impl Iterator<Item = File> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    files().filter(move |(known, _)| {
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
    use super::of_runs;

    const STUDY: &str = "# A study.\n\nrun = 1\n\n[[flow]]\nname = \"f\"\n";

    #[test]
    fn no_run_depends_on_judgement() {
        let kept = "run = 1\n[[flow]]\nname = \"f\"\n";
        for judgement in [
            "[[accept]]\nwarning = \"no_warmup\"\nbecause = \"as in the paper\"",
            "# Close.\n[[expect]]\nclaim = \"it is so\"\nat = { a = 1 }",
            "[[expect]]\nclaim = \"it is so\"\n[expect.at]\na = 1",
            "[[inferred]]\nsetting = \"s\"",
        ] {
            let at_end = format!("{STUDY}\n{judgement}\n");
            let inside = STUDY.replace("\n\n[[flow]]", &format!("\n\n{judgement}\n\n[[flow]]"));
            for text in [STUDY, &at_end, &inside] {
                assert_eq!(of_runs(text), kept, "{text}");
            }
        }
        assert_ne!(of_runs(&STUDY.replace("= 1", "= 2")), kept);
        assert_ne!(of_runs(&STUDY.replace("flow", "flows")), kept);
    }

    #[test]
    fn claims_are_inputs_where_they_say_what_is_precise() {
        let claim = "[[expect]]\ny = \"a\"\n";
        let precise = format!("[sweep]\nprecision = 0.01\n{claim}");
        assert!(of_runs(&precise).contains("y = "));
        let named = format!("[sweep]\nprecision = 0.01\nprecise = [\"b\"]\n{claim}");
        assert!(!of_runs(&named).contains("y = "));
    }

    #[test]
    fn lines_of_theory_are_no_input_of_results() {
        let plot = "[[plot]]\ny = \"a\"\n";
        for theory in [
            "theory = [{ model = \"m\" }]\n",
            "theory = [\n  { model = \"m\" },\n]\n",
        ] {
            let text = format!("{plot}{theory}label = \"b\"\n");
            assert_eq!(of_runs(&text), format!("{plot}label = \"b\"\n"));
        }
        assert_eq!(of_runs(plot), plot);
    }
}
