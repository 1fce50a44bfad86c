//! Results folders that are damaged, edited or mixed up: no command believes them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, folder, pacesim};

/// Runs the scenario with all recordings into this folder.
fn recorded(folder: &Path, out: &str, more: &[&str]) {
    let run = ["run", "one.toml", "-q", "--out", out];
    let ran = pacesim(folder, &[&run[..], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// The files of a folder, at any depth.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(self::files(&path))
        } else {
            files.push(path)
        }
    }
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let copy = to.join(file.strip_prefix(from).expect("inside"));
        fs::create_dir_all(copy.parent().expect("a folder")).expect("made");
        fs::copy(file, copy).expect("copied");
    }
}

/// Every command that reads a results folder, each with this one.
fn readings(folder: &Path, several: bool) -> Vec<Ran> {
    let mut all: Vec<&[&str]> = vec![
        &["report", "bad", "-o", "bad.html"],
        &["compare", "bad", "good"],
        &["compare", "good", "bad"],
        &["verify", "bad"],
    ];
    let of_one: [&[&str]; 5] = [
        &["export", "bad", "--to", "csv", "-o", "bad.csv"],
        &["export", "bad", "--to", "pcapng", "-o", "bad.pcapng"],
        &["explain", "bad", "--at", "1500ms"],
        &["diff", "bad", "good"],
        &["diff", "good", "bad"],
    ];
    all.extend(of_one.iter().filter(|_| !several));
    all.into_iter().map(|args| pacesim(folder, args)).collect()
}

fn assert_refused(folder: &Path, several: bool, file: &str, damage: &str) {
    for ran in readings(folder, several) {
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(
            [1, 2].contains(&ran.code),
            "{file}, {damage}: {} {said}",
            ran.code
        );
        assert!(said.contains(file), "{file}, {damage}: {said}");
    }
    let written = ["bad.html", "bad.csv", "bad.pcapng"];
    let left = written.iter().find(|name| folder.join(name).exists());
    assert_eq!(left, None, "{file}, {damage}");
}

/// Ways to change a file: bytes, digits, its end, and the same file of another run.
fn damages(bytes: &[u8], foreign: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut flipped = bytes.to_vec();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let mut digit = bytes.to_vec();
    if let Some(found) = digit.iter_mut().rev().find(|byte| byte.is_ascii_digit()) {
        *found = if *found == b'9' { b'8' } else { *found + 1 };
    }
    let all = [
        ("a bit", flipped),
        ("a digit", digit),
        ("its end", bytes[..bytes.len() - 1].to_vec()),
        ("of another run", foreign.to_vec()),
        ("nothing left", Vec::new()),
    ];
    let changes = all.into_iter().filter(|(_, damaged)| damaged != bytes);
    changes.collect()
}

#[test]
fn no_command_believes_a_changed_file() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    recorded(folder.path(), "good", &[]);
    recorded(folder.path(), "other", &["--seed", "2"]);
    copy(&at("good"), &at("bad"));
    for ran in readings(folder.path(), false) {
        assert_eq!(ran.code, 0, "undamaged: {}{}", ran.stdout, ran.stderr);
    }
    for name in ["bad.html", "bad.csv", "bad.pcapng"] {
        fs::remove_file(at(name)).expect("removed");
    }
    for file in files(&at("bad")) {
        let name = file.strip_prefix(at("bad")).expect("inside");
        let good = fs::read(&file).expect("read");
        let foreign = fs::read(at("other").join(name)).expect("read");
        let name = name.display().to_string();
        for (damage, bytes) in damages(&good, &foreign) {
            fs::write(&file, bytes).expect("written");
            // A sound manifest of another run makes the other files wrong.
            let is_sound = name == "manifest.json" && damage == "of another run";
            let named = if is_sound { "bad" } else { &name };
            assert_refused(folder.path(), false, named, damage);
        }
        fs::remove_file(&file).expect("removed");
        let named = if name == "manifest.json" {
            "bad"
        } else {
            &name
        };
        assert_refused(folder.path(), false, named, "missing");
        fs::write(&file, good).expect("written");
    }
}

#[test]
fn no_command_believes_a_changed_file_among_replications() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    recorded(folder.path(), "good", &["--replications", "2"]);
    copy(&at("good"), &at("bad"));
    for name in [
        "manifest.json",
        "summary.json",
        "runs.parquet",
        "replication-0/scenario.toml",
    ] {
        let file = at("bad").join(name);
        let good = fs::read(&file).expect("read");
        for (damage, bytes) in damages(&good, b"{}") {
            fs::write(&file, bytes).expect("written");
            let is_of_others = name == "manifest.json" && damage == "of another run";
            let named = if is_of_others { "bad" } else { name };
            assert_refused(folder.path(), true, named, damage);
        }
        fs::write(&file, good).expect("written");
    }
}

/// A manifest that is as it was written, of another scenario: the files were exchanged one by one.
#[test]
fn a_scenario_is_that_of_its_manifest() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    recorded(folder.path(), "good", &[]);
    recorded(folder.path(), "other", &["--set", "link.core.buffer=9pkts"]);
    copy(&at("good"), &at("bad"));
    fs::copy(at("other/manifest.json"), at("bad/manifest.json")).expect("copied");
    for ran in readings(folder.path(), false) {
        assert!([1, 2].contains(&ran.code), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn recordings_that_end_before_the_runs_diverge_are_no_reason_to_call_them_the_same() {
    let folder = folder();
    let short = ["--set", "output.packets.to=2ms"];
    recorded(folder.path(), "a", &short);
    recorded(
        folder.path(),
        "b",
        &[&short[..], &["--set", "link.core.buffer=3pkts"]].concat(),
    );
    let late = ["--set", "output.packets.from=6s"];
    recorded(folder.path(), "c", &late);
    recorded(folder.path(), "d", &[&late[..], &["--seed", "5"]].concat());
    for (one, other, covered) in [("a", "b", "the last at"), ("c", "d", "no event")] {
        let ran = pacesim(folder.path(), &["diff", one, other]);
        assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
        for part in ["fingerprints", covered, "record more", "differ"] {
            assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
        }
        let ran = pacesim(folder.path(), &["diff", one, one]);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    }
}
