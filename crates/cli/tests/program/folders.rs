//! Results folders under hard use: a user's own files, two runs at once, a full disk, and kill
//! signals.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use pacesim_lab::digest_of_words;
use serde_json::Value;

use crate::common::{folder, names, pacesim, program};

#[test]
fn force_names_what_the_user_put_beside_the_results_and_leaves_it() {
    let folder = folder();
    let run = |args: &[&str]| pacesim(folder.path(), &[&["run", "one.toml", "-q"], args].concat());
    for args in [
        &["--out", "kept"][..],
        &["--out", "kept", "--replications", "2"],
    ] {
        assert_eq!(run(args).code, 0);
        let own = ["notes.txt", "figs/a.svg", "replication-0/notes.txt"];
        for name in own {
            let path = folder.path().join("kept").join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "mine").expect("written");
        }
        let refused = run(&[args, &["--force"]].concat());
        assert_eq!(refused.code, 2);
        for name in own.iter().chain(&["figs/"]) {
            assert!(refused.stderr.contains(name), "{}", refused.stderr);
        }
        for name in own {
            let text = std::fs::read_to_string(folder.path().join("kept").join(name));
            assert_eq!(text.expect("there"), "mine");
        }
        std::fs::remove_dir_all(folder.path().join("kept")).expect("removed");
    }
}

#[test]
fn force_refuses_a_results_folder_with_a_changed_scenario() {
    let folder = folder();
    let run = |args: &[&str]| pacesim(folder.path(), &[&["run", "one.toml", "-q"], args].concat());
    assert_eq!(run(&["--out", "kept"]).code, 0);
    let scenario = folder.path().join("kept/scenario.toml");
    let text = std::fs::read_to_string(&scenario).expect("there");
    std::fs::write(&scenario, format!("# mine\n{text}")).expect("written");
    let refused = run(&["--out", "kept", "--force"]);
    assert_eq!(refused.code, 2);
    let reported = "kept holds more than what pacesim wrote: scenario.toml (changed).";
    assert!(refused.stderr.contains(reported), "{}", refused.stderr);
    std::fs::write(&scenario, text).expect("written");
    assert_eq!(run(&["--out", "kept", "--force"]).code, 0);
    assert_eq!(names(folder.path()), ["kept", "one.toml"]);
}

#[test]
fn outputs_that_cannot_be_written_name_the_place_and_missing_folders_are_created() {
    let folder = folder();
    std::fs::write(folder.path().join("file"), "mine").expect("written");
    let run = |args: &[&str]| pacesim(folder.path(), args);
    assert_eq!(run(&["run", "one.toml", "-q", "--out", "kept"]).code, 0);
    for args in [
        &["run", "one.toml", "--out", "file/run"][..],
        &["sweep", "one.toml", "--out", "file/sweep"],
        &["new", "dumbbell", "-o", "file/new.toml"],
        &["export", "kept", "--to", "csv", "-o", "file/packets.csv"],
        &["report", "kept", "-o", "file/page.html"],
    ] {
        let ran = run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
        let told = "file is a file, not a folder; choose another place";
        assert!(ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("os error"), "{args:?}: {}", ran.stderr);
    }
    for args in [
        &["new", "dumbbell", "-o", "made/a/new.toml"][..],
        &["export", "kept", "--to", "csv", "-o", "made/b/packets.csv"],
        &["report", "kept", "-o", "made/c/page.html"],
    ] {
        let ran = run(args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
    }
    assert_eq!(names(&folder.path().join("made")), ["a", "b", "c"]);
    let unread = run(&[
        "export",
        "kept",
        "--to",
        "csv",
        "--link",
        "croe",
        "-o",
        "new/x.csv",
    ]);
    assert!(
        unread.stderr.contains("did you mean \"core\"?"),
        "{}",
        unread.stderr
    );
    let unread = run(&["plot", "one.tml"]);
    assert!(
        unread.stderr.contains("did you mean \"one.toml\"?"),
        "{}",
        unread.stderr
    );
    assert!(!folder.path().join("new").exists(), "nothing is written");
}

/// A run that continues until it is killed.
fn endless(folder: &Path) -> Child {
    let args = [
        "run",
        "one.toml",
        "--set",
        "run.duration=100000s",
        "--out",
        "kept",
    ];
    let mut command = program(folder, &args);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.expect("it starts");
    let is_partial = |name: &String| name != "kept.lock.pacesim-partial" && name != "one.toml";
    while !names(folder).iter().any(is_partial) {
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_second_run_to_the_same_folder_is_refused_before_it_simulates() {
    let folder = folder();
    let mut first = endless(folder.path());
    // The run would never end.
    let args = [
        "run",
        "one.toml",
        "-q",
        "--set",
        "run.duration=100000s",
        "--out",
        "kept",
    ];
    let second = pacesim(folder.path(), &args);
    assert_eq!(second.code, 2);
    assert!(
        second.stderr.contains("another run is writing kept"),
        "{}",
        second.stderr
    );
    first.kill().expect("killed");
    first.wait().expect("it ends");
    let third = pacesim(folder.path(), &["run", "one.toml", "--out", "kept"]);
    assert_eq!(
        third.code, 0,
        "a killed run blocks nobody: {}",
        third.stderr
    );
    assert!(third.stderr.contains("delete it"), "{}", third.stderr);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error_and_leaves_nothing() {
    let folder = folder();
    for blocks in [0, 1, 4, 8] {
        let limited = format!("ulimit -f {blocks}; exec \"$0\" run one.toml -q --out kept");
        let mut shell = std::process::Command::new("bash");
        let shell = shell.current_dir(folder.path()).stdin(Stdio::null());
        let output = shell
            .args(["-c", &limited, env!("CARGO_BIN_EXE_pacesim")])
            .output();
        let output = output.expect("bash is there");
        let reported = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{blocks}: {reported}");
        assert!(reported.contains("File too large"), "{blocks}: {reported}");
        assert_eq!(names(folder.path()), ["one.toml"], "{blocks}");
    }
}

/// The number of kills; `scripts/kill.sh` sets a larger one.
fn kills() -> u64 {
    let asked = std::env::var("PACESIM_KILLS").ok();
    asked.map_or(12, |times| times.parse().expect("a number of kills"))
}

#[test]
fn killed_at_any_moment_force_leaves_old_results_or_new_ones() {
    let folder = folder();
    let around = folder.path();
    std::fs::write(around.join("notes.txt"), "mine").expect("written");
    let run = |seed: u64| {
        let seed = seed.to_string();
        let args = [
            "run", "one.toml", "-q", "--seed", &seed, "--out", "kept", "--force",
        ];
        let mut command = program(around, &args);
        command.stdout(Stdio::null()).spawn().expect("it starts")
    };
    assert!(run(0).wait().expect("it ends").success());
    let whole = stopwatch(|| assert!(run(1).wait().expect("it ends").success()));
    let (mut seed_now, mut left, mut ended, mut aside) = (1, 0, 0, 0);
    for kill in 1..=kills() {
        let seed = 1 + kill;
        let mut child = run(seed);
        // A multiplicative congruential generator: a random moment, but reproducible.
        let random = (kill * 48_271 % 2_147_483_647) * 48_271 % 2_147_483_647;
        std::thread::sleep(whole.mul_f64(random as f64 / 2_147_483_647.0));
        child.kill().expect("killed, or ended before");
        ended += u64::from(child.wait().expect("it ends").success());
        aside += u64::from(give_name_back(around));
        let now = intact(&around.join("kept"));
        assert!(
            now == seed_now || now == seed,
            "{now} of {seed_now}, {seed}"
        );
        seed_now = now;
        left += clear(around);
    }
    println!(
        "{} kills: {ended} came too late, {left} left something incomplete, {aside} came while results were aside",
        kills()
    );
    assert_eq!(names(around), ["kept", "notes.txt", "one.toml"]);
    assert!(run(0).wait().expect("it ends").success());
}

/// If the results were being replaced, restores the old name as a user would.
fn give_name_back(around: &Path) -> bool {
    let kept = around.join("kept");
    let mut aside = ending(around, ".pacesim-replaced").into_iter();
    if kept.exists() {
        false
    } else {
        let aside = aside.next().expect("results are never gone");
        std::fs::rename(aside, kept).expect("renamed");
        true
    }
}

/// Removes leftovers of a killed run; returns their number.
fn clear(around: &Path) -> u64 {
    let partial = ending(around, ".pacesim-partial");
    let aside = ending(around, ".pacesim-replaced");
    for path in partial.iter().chain(&aside) {
        if path.is_dir() {
            std::fs::remove_dir_all(path).expect("removed")
        } else {
            std::fs::remove_file(path).expect("removed")
        }
    }
    assert_eq!(names(around), ["kept", "notes.txt", "one.toml"]);
    u64::from(!partial.is_empty() || !aside.is_empty())
}

fn ending(around: &Path, suffix: &str) -> Vec<PathBuf> {
    let names = names(around).into_iter();
    let ours = names.filter(|name| name.ends_with(suffix));
    ours.map(|name| around.join(name)).collect()
}

/// The seed of complete results: every file in the manifest exists, byte for byte.
fn intact(folder: &Path) -> u64 {
    let text = std::fs::read(folder.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&text).expect("JSON");
    let files = manifest["files"].as_array().expect("a list");
    assert!(files.len() >= 7, "{}", files.len());
    for listed in files {
        let name = listed["file"].as_str().expect("a name");
        let bytes = std::fs::read(folder.join(name)).expect(name);
        let (digest, length) = digest_of_words(&bytes[..]).expect("read already");
        assert_eq!(listed["digest"], digest, "{name}");
        assert_eq!(listed["bytes"], length, "{name}");
    }
    manifest["seed"].as_u64().expect("a seed")
}

/// Measures the time of some work, to choose the moment of a kill.
#[allow(clippy::disallowed_types, reason = "no result depends on it")]
fn stopwatch(work: impl FnOnce()) -> Duration {
    let start = std::time::Instant::now();
    work();
    start.elapsed()
}
