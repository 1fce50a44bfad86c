//! Embeds every file of `scenarios/papers` in the program: adding a study means adding its file. `studies` is a link to
//! that folder, so that a packaged crate has the files of its own.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("studies");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    list(&root, &mut files);
    files.sort();
    let mut table = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.strip_prefix(&root).expect("it was found there");
        let name = name.to_str().expect("names are UTF-8").replace('\\', "/");
        let path = path.display();
        writeln!(table, "    ({name:?}, include_str!(r#\"{path}\"#)),")
            .expect("a text takes every line");
    }
    table += "]\n";
    let out = Path::new(&env("OUT_DIR")).join("files.rs");
    fs::write(out, table).expect("the build's folder can be written");
}

fn env(name: &str) -> String {
    std::env::var(name).expect("cargo sets it for build scripts")
}

/// The files that make up studies, in this folder and its subfolders.
fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder).expect("the folder of studies is there") {
        let path = entry.expect("it can be listed").path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending {
            _ if path.is_dir() => list(&path, files),
            // Facts about the studies that the studies themselves do not need.
            _ if path.ends_with("claims.csv") || path.ends_with("mutations.toml") => {}
            Some("toml" | "csv" | "txt") => files.push(path),
            _ => {}
        }
    }
}
