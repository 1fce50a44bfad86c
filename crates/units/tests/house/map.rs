//! The tables of crates in ARCHITECTURE.md: every crate has a row, arrows point to rows below, and no crate reaches what
//! its row forbids.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A row of the map.
struct Row {
    /// The folder below `crates/`.
    folder: String,
    /// Crates, libraries and paths of the standard library that it must not reach.
    avoids: Vec<String>,
}

/// A crate as it stands.
#[derive(Default)]
struct Crate {
    package: String,
    /// The packages it depends on, of the project and others; those of its tests excluded.
    dependencies: BTreeSet<String>,
    /// Its code without tests and comments.
    code: String,
}

/// All crates by folder.
type House = BTreeMap<String, Crate>;

/// The texts between backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The rows of all tables whose first cell names a folder of `crates/`.
fn rows(text: &str) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, _, avoids, _] = cells[..] else {
            return None;
        };
        let folder = quoted(name).next()?.strip_prefix("crates/")?.to_owned();
        let avoids = quoted(avoids).map(str::to_owned).collect();
        Some(Row { folder, avoids })
    };
    text.lines().filter_map(row).collect()
}

/// The layers, each by its heading, and the folders in its table.
pub(crate) fn layers(text: &str) -> Vec<(String, Vec<String>)> {
    let chapters = text.split("\n## ");
    let sections = chapters.flat_map(|chapter| chapter.split("\n### ").skip(1));
    let layer = |section: &str| {
        let (heading, table) = section.split_once('\n')?;
        let folders = rows(table).into_iter().map(|row| row.folder);
        Some((heading.to_owned(), folders.collect()))
    };
    sections.filter_map(layer).collect()
}

/// The keys of the tables of dependencies in a manifest, those of tests excluded.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut within = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            within = table == "dependencies" || table.ends_with(".dependencies");
        } else if within && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            found.insert(line[..end].to_owned());
        }
    }
    found
}

fn package(manifest: &str) -> String {
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("name = "));
    name.expect("a name").trim_matches('"').to_owned()
}

/// Mistakes in the map or in the crates, in words.
fn faults(rows: &[Row], house: &House) -> Vec<String> {
    let mut faults = Vec::new();
    let at = |folder: &str| rows.iter().position(|row| row.folder == folder);
    for folder in house.keys().filter(|folder| at(folder).is_none()) {
        faults.push(format!("crates/{folder} has no row"));
    }
    for (index, row) in rows.iter().enumerate() {
        if at(&row.folder) != Some(index) {
            faults.push(format!("crates/{} has two rows", row.folder));
        } else if house.contains_key(&row.folder) {
            faults.extend(upward(rows, house, index));
            faults.extend(reached(row, house));
        } else {
            faults.push(format!(
                "crates/{} has a row and does not exist",
                row.folder
            ));
        }
    }
    faults
}

/// Dependencies of a row's crate that stand in rows above.
fn upward(rows: &[Row], house: &House, index: usize) -> Vec<String> {
    let folder = &rows[index].folder;
    let wanted = &house[folder].dependencies;
    let above = rows[..index].iter().map(|row| &row.folder);
    let above = above.filter(|above| {
        house
            .get(*above)
            .is_some_and(|c| wanted.contains(&c.package))
    });
    above
        .map(|above| format!("crates/{folder} depends on crates/{above}, whose row is above"))
        .collect()
}

/// The folders that a crate consists of: its own, and those it depends on, directly or not.
fn closure<'a>(house: &'a House, folder: &'a str) -> BTreeSet<&'a str> {
    let folder_of: BTreeMap<&str, &str> = house
        .iter()
        .map(|(folder, one)| (one.package.as_str(), folder.as_str()))
        .collect();
    let (mut met, mut next) = (BTreeSet::from([folder]), vec![folder]);
    while let Some(folder) = next.pop() {
        for dependency in &house[folder].dependencies {
            if let Some(&of) = folder_of.get(dependency.as_str())
                && met.insert(of)
            {
                next.push(of);
            }
        }
    }
    met
}

/// Things that a row forbids and its crate reaches. A path of the standard library counts in the crate's own code alone,
/// since a crate below may have its own reasons.
fn reached(row: &Row, house: &House) -> Vec<String> {
    let closure = closure(house, &row.folder);
    let mut found = Vec::new();
    for avoided in &row.avoids {
        let by = match avoided.starts_with("std::") {
            true if house[&row.folder].code.contains(avoided.as_str()) => vec![row.folder.as_str()],
            true => Vec::new(),
            false => depending(&closure, house, avoided),
        };
        for by in by {
            found.push(format!(
                "crates/{} reaches {avoided} by crates/{by}",
                row.folder
            ));
        }
    }
    found
}

/// The folders among these that depend on a package.
fn depending<'a>(folders: &BTreeSet<&'a str>, house: &House, package: &str) -> Vec<&'a str> {
    let depends = |folder: &&str| house[*folder].dependencies.contains(package);
    folders.iter().copied().filter(depends).collect()
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn house() -> House {
    let read = |folder: &String| {
        let manifest = root().join("crates").join(folder).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("a manifest");
        let code: Vec<String> = super::rooms::modules(folder)
            .iter()
            .flat_map(|(_, text)| {
                super::rooms::code(text)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        Crate {
            package: package(&manifest),
            dependencies: dependencies(&manifest),
            code: code.join("\n"),
        }
    };
    let folders = super::rooms::all_crates().into_iter();
    folders
        .map(|folder| {
            let one = read(&folder);
            (folder, one)
        })
        .collect()
}

#[test]
fn the_map_in_architecture_is_true() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a map");
    let rows = rows(&text);
    assert!(rows.len() > 20, "only {} rows were found", rows.len());
    let faults = faults(&rows, &house());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_named_in_where_to_look_exist() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a map");
    let paths =
        quoted(&text).filter(|path| path.starts_with("crates/") || path.starts_with("scripts/"));
    let paths: BTreeSet<&str> = paths
        .filter(|path| path.chars().all(|c| !c.is_ascii_uppercase() && c != ' '))
        .collect();
    assert!(paths.len() > 100, "only {} paths were found", paths.len());
    let missing: Vec<&str> = paths
        .into_iter()
        .filter(|path| !root().join(path).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A house of three crates, in which `top` depends on `middle`, and `middle` on `base` and the library `heavy`.
fn small_house() -> House {
    let one = |package: &str, dependencies: &[&str], code: &str| Crate {
        package: package.to_owned(),
        dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
        code: code.to_owned(),
    };
    BTreeMap::from([
        (
            "top".to_owned(),
            one("p-top", &["p-middle"], "use std::fs;"),
        ),
        (
            "middle".to_owned(),
            one("p-middle", &["p-base", "heavy"], ""),
        ),
        ("base".to_owned(), one("p-base", &[], "")),
    ])
}

/// The faults of the small house under a map of these rows: folder and forbidden things.
fn planted(map: &[(&str, &str)]) -> Vec<String> {
    let table: String = map
        .iter()
        .map(|(folder, avoids)| format!("| `crates/{folder}` | a crate | {avoids} |\n"))
        .collect();
    faults(&rows(&table), &small_house())
}

#[test]
fn a_true_map_has_no_faults() {
    let map = [
        ("top", "–"),
        ("middle", "`std::fs` `clap`"),
        ("base", "`heavy` `std::fs`"),
    ];
    assert_eq!(planted(&map), Vec::<String>::new());
}

#[test]
fn a_wrong_arrow_is_found() {
    assert_eq!(
        planted(&[("top", "–"), ("base", "–"), ("middle", "–")]),
        ["crates/middle depends on crates/base, whose row is above"]
    );
}

#[test]
fn wrong_rows_are_found() {
    assert_eq!(
        planted(&[("top", "–"), ("middle", "–"), ("other", "–"), ("top", "–")]),
        [
            "crates/base has no row",
            "crates/other has a row and does not exist",
            "crates/top has two rows",
        ]
    );
}

#[test]
fn forbidden_crates_and_imports_are_found() {
    assert_eq!(
        planted(&[
            ("top", "`heavy` `p-base` `std::fs`"),
            ("middle", "–"),
            ("base", "–")
        ]),
        [
            "crates/top reaches heavy by crates/middle",
            "crates/top reaches p-base by crates/middle",
            "crates/top reaches std::fs by crates/top",
        ]
    );
}

#[test]
fn dependencies_of_tests_are_no_arrows() {
    let manifest = "[package]\nname = \"p\"\n[dependencies]\na.workspace = true\nb = \"1\"\n[dev-dependencies]\nc.workspace = true\n[target.'cfg(unix)'.dependencies]\nd = \"1\"\n";
    assert_eq!(
        dependencies(manifest).into_iter().collect::<Vec<_>>(),
        ["a", "b", "d"]
    );
    assert_eq!(package(manifest), "p");
}
