//! The tests of a crate are one program, apart from those that its manifest names, and every file of tests is part of one.

use std::fs;
use std::path::Path;

/// The names of the files and folders from which cargo would make a program each.
fn roots(tests: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(tests) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut names: Vec<String> = paths
        .filter(|path| path.join("main.rs").exists() || path.extension().is_some_and(|e| e == "rs"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into())
        .collect();
    names.sort();
    names
}

/// The programs that a manifest names.
fn named(manifest: &str) -> Vec<&str> {
    let programs = manifest.split("[[test]]").skip(1);
    let names = programs.filter_map(|table| table.split('"').nth(1));
    names.collect()
}

/// Mistakes in the tests of a crate with this manifest, these files and this text of `all.rs`.
fn faults(manifest: &str, roots: &[&str], all: &str) -> Vec<String> {
    if !manifest.contains("autotests = false") {
        return match roots {
            [] | [_] => Vec::new(),
            several => vec![format!(
                "{} are programs apart; one, all.rs, can list them",
                several.join(", ")
            )],
        };
    }
    let programs = named(manifest);
    let is_lost =
        |name: &&&str| !programs.contains(name) && !all.contains(&format!("\nmod {name};\n"));
    let lost = roots.iter().filter(is_lost);
    lost.map(|name| format!("{name} is part of no program"))
        .collect()
}

#[test]
fn every_file_of_tests_is_part_of_a_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut lists = 0;
    for of in super::rooms::all_crates() {
        let manifest = fs::read_to_string(crates.join(&of).join("Cargo.toml"));
        let manifest = manifest.expect("a manifest");
        let tests = crates.join(&of).join("tests");
        let all = fs::read_to_string(tests.join("all.rs"));
        lists += usize::from(all.is_ok());
        let roots = roots(&tests);
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        let faults = faults(&manifest, &roots, &all.unwrap_or_default());
        assert!(faults.is_empty(), "crates/{of}/tests: {faults:?}");
    }
    assert!(lists > 10, "only {lists} lists were found");
}

const LISTED: &str = "autotests = false\n[[test]]\nname = \"all\"\n[[test]]\nname = \"apart\"\n";

#[test]
fn a_file_of_tests_that_no_program_has_is_found() {
    let all = "//! Tests.\n\nmod one;\nmod two;\n";
    let faults_of = |roots: &[&str]| faults(LISTED, roots, all);
    assert_eq!(
        faults_of(&["all", "apart", "one", "two"]),
        Vec::<String>::new()
    );
    assert_eq!(
        faults_of(&["all", "on", "one", "three"]),
        ["on is part of no program", "three is part of no program"]
    );
}

#[test]
fn programs_that_one_list_could_unite_are_found() {
    let faults_of = |roots: &[&str]| faults("name = \"p\"\n", roots, "");
    assert_eq!(faults_of(&["house"]), Vec::<String>::new());
    assert_eq!(
        faults_of(&["one", "two"]),
        ["one, two are programs apart; one, all.rs, can list them"]
    );
}
