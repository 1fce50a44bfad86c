//! No file of code is large, and no module imports in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most lines of code in a file, without tests.
const MOST_OF_A_FILE: usize = 500;

fn folder_of(of: &str) -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    crates.join(of).join("src")
}

/// The names of all crates.
pub(crate) fn all_crates() -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = std::fs::read_dir(crates).expect("a folder of crates");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.expect("an entry").file_name();
        name.to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.retain(|name| folder_of(name).is_dir());
    names.sort();
    names
}

/// Every source file of a crate with its module's path: "check/drawn" for `check/drawn.rs`.
pub(crate) fn modules(of: &str) -> Vec<(Vec<String>, String)> {
    fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                gather(&path, files)
            } else {
                files.push(path)
            }
        }
    }
    let root = folder_of(of).canonicalize().expect("a crate of ours");
    let mut files = Vec::new();
    gather(&root, &mut files);
    files.retain(|file| file.extension().is_some_and(|ending| ending == "rs"));
    let is_test = |file: &PathBuf| {
        let within = file.strip_prefix(&root).expect("within");
        within
            .iter()
            .any(|name| name == "tests" || name == "tests.rs")
    };
    files.retain(|file| !is_test(file));
    files.sort();
    let module = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let path = file.strip_prefix(&root).expect("within").with_extension("");
        let names = path.iter().map(|name| name.to_string_lossy().into_owned());
        (names.collect(), text)
    };
    files.into_iter().map(module).collect()
}

/// A file up to its tests.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split_once("mod tests {")
        .map_or(text, |(code, _)| code)
}

/// The lines that are code, without those of tests.
pub(crate) fn code(text: &str) -> impl Iterator<Item = &str> {
    let lines = without_tests(text).lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//"))
}

#[test]
fn no_file_is_large() {
    for of in all_crates() {
        for (module, text) in modules(&of) {
            let lines = code(&text).count();
            assert!(
                lines <= MOST_OF_A_FILE,
                "{of}: {module:?} has {lines} lines of code"
            );
        }
    }
}

/// The paths that a use tree stands for: "a::b" and "a::c" for "a::{b, c}".
fn leaves(tree: &str) -> Vec<String> {
    let Some((stem, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let (mut depth, mut from, mut branches) = (0, 0, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                branches.push(&rest[from..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&rest[from..at]);
                from = at + 1;
            }
            _ => (),
        }
    }
    let whole = |branch: &str| format!("{}{}", stem.trim(), branch.trim());
    let branches = branches
        .into_iter()
        .filter(|branch| !branch.trim().is_empty());
    branches.flat_map(|branch| leaves(&whole(branch))).collect()
}

/// The paths in a text that begin with "crate::" or "super::".
fn references(text: &str) -> Vec<String> {
    let code: Vec<&str> = code(text).collect();
    let code = code.join(" ");
    let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(is_path) {
                continue;
            }
            let rest = &code[at..];
            let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len());
            match rest[..end].ends_with("::") && rest[end..].starts_with('{') {
                true => found.extend(leaves(rest)),
                false => found.push(rest[..end].to_owned()),
            }
        }
    }
    found
}

/// The absolute path that "super::super::draw::Draws" means in a module.
fn absolute(module: &[String], reference: &str) -> Vec<String> {
    let mut at = match reference.strip_prefix("crate::") {
        Some(_) => Vec::new(),
        None => module.to_vec(),
    };
    for name in reference.split("::") {
        match name {
            "crate" | "" | "self" => (),
            "super" => _ = at.pop(),
            name => at.push(name.to_owned()),
        }
    }
    at
}

/// The modules that each imports from, siblings at every level.
fn imports(of: &str) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let modules = modules(of);
    let known: BTreeSet<&[String]> = modules
        .iter()
        .map(|(module, _)| module.as_slice())
        .collect();
    let mut imports: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (module, text) in &modules {
        for reference in references(text) {
            let target = absolute(module, &reference);
            let same = module
                .iter()
                .zip(&target)
                .take_while(|(a, b)| a == b)
                .count();
            let (Some(from), Some(to)) = (module.get(..=same), target.get(..=same)) else {
                continue;
            };
            if known.contains(to) {
                imports
                    .entry(from.to_vec())
                    .or_default()
                    .insert(to.to_vec());
            }
        }
    }
    imports.remove(&vec!["lib".to_owned()]);
    imports
}

#[test]
fn no_module_imports_in_a_circle() {
    let (mut known, mut circles) = (0, Vec::new());
    for of in all_crates() {
        let imports = imports(&of);
        known += imports.values().map(BTreeSet::len).sum::<usize>();
        let circle = circle(&imports);
        if !circle.is_empty() {
            circles.push(format!("{of}: {circle:?} import each other"));
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
    assert!(known > 900, "only {known} imports were found");
}

/// The modules that import themselves through others.
fn circle(imports: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>) -> Vec<String> {
    let mut circle = Vec::new();
    for start in imports.keys() {
        let (mut met, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(module) = next.pop() {
            for imported in imports.get(module).into_iter().flatten() {
                if met.insert(imported) {
                    next.push(imported);
                }
            }
        }
        if met.contains(start) {
            circle.push(start.join("/"));
        }
    }
    circle
}

#[test]
fn trees_of_imports_are_read_whole() {
    let text = "use crate::{a, b::{C, D}};\nlet x = super::e::f();";
    let found = references(text);
    assert_eq!(
        found,
        ["crate::a", "crate::b::C", "crate::b::D", "super::e::f"]
    );
}
