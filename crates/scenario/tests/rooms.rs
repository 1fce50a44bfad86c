//! The layout of modules in crates that are held to it: none is large, and none imports in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates, and the least number of modules that each has.
const CRATES: [(&str, usize); 5] = [
    ("language", 8),
    ("plot", 8),
    ("recordings", 3),
    ("scenario", 20),
    ("tables", 8),
];

/// Every source file of a crate with its module's path: "check/drawn" for `check/drawn.rs`.
fn modules(of: &str) -> Vec<(Vec<String>, String)> {
    fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => gather(&path, files),
                false => files.push(path),
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(of)
        .join("src");
    let mut files = Vec::new();
    gather(&root, &mut files);
    files.retain(|file| file.extension().is_some_and(|ending| ending == "rs"));
    files.sort();
    let module = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let path = file.strip_prefix(&root).expect("within").with_extension("");
        let names = path.iter().map(|name| name.to_string_lossy().into_owned());
        (names.collect(), text)
    };
    files.into_iter().map(module).collect()
}

/// The lines that are code, without those of tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let (code, _tests) = text.split_once("mod tests {").unwrap_or((text, ""));
    let lines = code.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//"))
}

#[test]
fn no_file_is_large() {
    for (of, _) in CRATES {
        for (module, text) in modules(of) {
            let lines = code(&text).count();
            assert!(lines <= 450, "{of}: {module:?} has {lines} lines of code");
        }
    }
}

/// The absolute path that "super::super::draw::Draws" means in a module.
fn absolute(module: &[String], reference: &str) -> Vec<String> {
    let mut at = match reference.strip_prefix("crate::") {
        Some(_) => Vec::new(),
        None => module.to_vec(),
    };
    for name in reference.split("::") {
        match name {
            "crate" | "" => (),
            "super" => _ = at.pop(),
            name => at.push(name.to_owned()),
        }
    }
    at
}

/// What stands behind "crate::" and "super::" in a line.
fn references(line: &str) -> Vec<&str> {
    let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    line.split(|c| !is_path(c))
        .filter(|word| word.starts_with("crate::") || word.starts_with("super::"))
        .collect()
}

/// Which sibling imports which, at every level.
fn imports(of: &str) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let modules = modules(of);
    let known: BTreeSet<&[String]> = modules
        .iter()
        .map(|(module, _)| module.as_slice())
        .collect();
    let mut imports: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (module, text) in &modules {
        for reference in code(text).flat_map(references) {
            let target = absolute(module, reference);
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
    for (of, least) in CRATES {
        let imports = imports(of);
        assert!(imports.len() > least, "{imports:#?}");
        in_no_circle(&imports);
    }
}

fn in_no_circle(imports: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>) {
    for start in imports.keys() {
        let (mut met, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(module) = next.pop() {
            for imported in imports.get(module).into_iter().flatten() {
                assert_ne!(imported, start, "{start:?} imports itself by {module:?}");
                if met.insert(imported) {
                    next.push(imported);
                }
            }
        }
    }
}
