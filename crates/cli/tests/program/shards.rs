//! `pacesim sweep --shard`, `--on` and `--status`, and `pacesim merge`.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Ran, names, pacesim, program};
use crate::sweep::{study, tables};

fn refused(folder: &Path, args: &[&str]) -> String {
    let ran = pacesim(folder, args);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    ran.stderr
}

/// Sweeps these shards of four into `results/queues.shards`.
fn swept(folder: &Path, shards: &[&str]) {
    for shard in shards {
        let ran = pacesim(folder, &["sweep", "study.toml", "-q", "--shard", shard]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
}

#[test]
fn shards_merged_are_one_sweep() {
    let folder = study();
    let folder = folder.path();
    let one = pacesim(folder, &["sweep", "study.toml", "--out", "one"]);
    swept(folder, &["1/4", "2/4", "3/4", "3+1/4"]);
    let around = folder.join("results/queues.shards");
    assert_eq!(names(&around), ["1-of-4", "2-of-4", "3-of-4", "4-of-4"]);
    assert_eq!(names(&around.join("1-of-4")), ["store.sqlite"]);
    let merge = ["merge", "results/queues.shards", "--into", "results/queues"];
    let merged = pacesim(folder, &merge);
    assert_eq!(
        (merged.code, &merged.stdout),
        (0, &one.stdout),
        "{}",
        merged.stderr
    );
    assert!(
        merged.stderr.contains("18 runs merged in"),
        "{}",
        merged.stderr
    );
    assert!(tables(&folder.join("one")) == tables(&folder.join("results/queues")));
    let again = pacesim(folder, &["sweep", "study.toml"]);
    assert!(
        again.stderr.contains("all 18 runs were there"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_shard_goes_where_it_is_told_and_says_what_it_is() {
    let folder = study();
    let args = [
        "sweep",
        "study.toml",
        "--shard",
        "2/7",
        "--out",
        "parts/{shard}",
        "--json",
    ];
    let ran = pacesim(folder.path(), &args);
    let swept: Value = serde_json::from_str(&ran.stdout).expect("one document");
    assert_eq!(
        (&swept["shard"], &swept["runs"]),
        (&"2/7".into(), &3.into())
    );
    assert_eq!(names(&folder.path().join("parts")), ["2-of-7"]);
    let plan = swept["plan"].as_str().expect("a digest");
    let same = [
        "sweep",
        "study.toml",
        "--shard",
        "2/7",
        "--out",
        "same",
        "--plan",
        plan,
    ];
    assert_eq!(pacesim(folder.path(), &same).code, 0);
    let other = [
        "sweep",
        "study.toml",
        "--shard",
        "2/7",
        "--out",
        "other",
        "--plan",
        plan,
    ];
    let other = [&other[..], &["--replications", "4"]].concat();
    let said = refused(folder.path(), &other);
    assert!(
        said.contains("is asked for: the study, an option or pacesim has changed"),
        "{said}"
    );
    assert!(!folder.path().join("other").exists());
}

#[test]
fn a_merge_says_what_is_missing() {
    let folder = study();
    let folder = folder.path();
    swept(folder, &["1/4", "3/4"]);
    let merge = ["merge", "results/queues.shards", "--into", "results/queues"];
    let ran = pacesim(folder, &merge);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for told in [
        "9 of 18 runs are missing",
        "shards of 4: 2,4",
        "--shard 2/4",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    assert_eq!(names(&folder.join("results/queues")), ["store.sqlite"]);
    let document = pacesim(folder, &[&merge[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&document.stdout).expect("one document");
    assert_eq!(document["missing_shards"], serde_json::json!([2, 4]));
    swept(folder, &["2/4", "4/4"]);
    assert_eq!(pacesim(folder, &merge).code, 0);
}

#[test]
fn what_is_no_shard_or_no_store_is_refused_and_nothing_is_touched() {
    let folder = study();
    let folder = folder.path();
    let before = names(folder);
    let sweep = |shard| refused(folder, &["sweep", "study.toml", "--shard", shard]);
    assert!(
        sweep("7/5").contains("the last of 5 shards is 5/5"),
        "{}",
        sweep("7/5")
    );
    assert!(
        sweep("0/5").contains("shards count from 1"),
        "{}",
        sweep("0/5")
    );
    assert!(sweep("x").contains("such as 3/200"), "{}", sweep("x"));
    let said = refused(folder, &["merge", "--into", "m"]);
    assert!(
        said.contains("there is nothing to merge: name the folders"),
        "{said}"
    );
    fs::create_dir(folder.join("mine")).expect("made");
    fs::write(folder.join("mine/notes"), "mine").expect("written");
    let said = refused(folder, &["merge", "mine", "--into", "m"]);
    assert!(said.contains("mine is not the folder of a study"), "{said}");
    let said = refused(folder, &["sweep", "study.toml", "--status"]);
    assert!(
        said.contains("nothing of this study was submitted"),
        "{said}"
    );
    let said = refused(
        folder,
        &["sweep", "study.toml", "--on", "kubernetes", "--shards", "2"],
    );
    assert!(said.contains("add --print"), "{said}");
    let print = ["sweep", "study.toml", "--on", "kubernetes", "--print"];
    assert!(
        refused(folder, &print).contains("--image IMAGE"),
        "{}",
        refused(folder, &print)
    );
    let image = [&print[..], &["--image", "pacesim"]].concat();
    assert!(
        refused(folder, &image).contains("--shards N"),
        "{}",
        refused(folder, &image)
    );
    let many = [&image[..], &["--shards", "19"]].concat();
    assert!(
        refused(folder, &many).contains("ask for 18 at most"),
        "{}",
        refused(folder, &many)
    );
    fs::remove_dir_all(folder.join("mine")).expect("removed");
    assert_eq!(names(folder), before);
}

/// A fake of one of Slurm's programs.
#[cfg(unix)]
fn pretend(folder: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(folder).expect("made");
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
}

/// A PATH with a fake Slurm that records its input, numbers jobs, and takes its queue from a file.
#[cfg(unix)]
fn with_slurm(folder: &Path) -> PathBuf {
    let bin = folder.join("bin");
    let sbatch = "echo \"$@\" >> sbatch.log; wc -l < sbatch.log";
    pretend(&bin, "sbatch", &format!("PATH=/usr/bin:/bin; {sbatch}"));
    pretend(&bin, "squeue", "[ ! -f queue ] || /bin/cat queue");
    bin
}

fn pacesim_on(path: &Path, folder: &Path, args: &[&str]) -> Ran {
    let mut command = program(folder, args);
    let output = command.env("PATH", path).output().expect("it starts");
    Ran {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

#[test]
fn without_sbatch_nothing_is_submitted_or_written() {
    let folder = study();
    let nowhere = folder.path().join("nowhere");
    let args = ["sweep", "study.toml", "--on", "slurm", "--shards", "4"];
    let ran = pacesim_on(&nowhere, folder.path(), &args);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("there is no sbatch on the path"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--shard I/N"), "{}", ran.stderr);
    assert_eq!(names(folder.path()), ["one.toml", "study.toml"]);
    // Printing the submission needs no Slurm.
    let print = [&args[..], &["--print", "--", "--time=5"]].concat();
    let ran = pacesim_on(&nowhere, folder.path(), &print);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for told in [
        "--array=1-4",
        "--time=5",
        "$SLURM_ARRAY_TASK_ID/4",
        "afterany:JOB",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    assert_eq!(names(folder.path()), ["one.toml", "study.toml"]);
}

#[cfg(unix)]
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn the_same_command_again_submits_what_is_missing() {
    let folder = study();
    let folder = folder.path();
    let bin = with_slurm(folder);
    let args = ["sweep", "study.toml", "--on", "slurm"];
    let first = [&args[..], &["--shards", "4", "--", "--mem=2G"]].concat();
    let said = pacesim_on(&bin, folder, &first);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stdout.contains("4 shards of 4 as job 1: 1-4"),
        "{}",
        said.stdout
    );
    let status = |folder: &Path| {
        let ran = pacesim_on(&bin, folder, &["sweep", "study.toml", "--status", "--json"]);
        let status: Value = serde_json::from_str(&ran.stdout).expect("one document");
        let shards = status["shards"].as_array().expect("a list").clone();
        shards
            .iter()
            .map(|shard| shard["state"].as_str().expect("a word").to_owned())
            .collect::<Vec<_>>()
    };
    // One shard is done, one was killed, one waits, and one is unknown.
    swept(folder, &["1/4", "2/4"]);
    let store = folder.join("results/queues.shards/2-of-4/store.sqlite");
    let store = rusqlite::Connection::open(store).expect("a store");
    let spoil = "DELETE FROM study WHERE key = 'complete'";
    store.execute(spoil, []).expect("changed");
    drop(store);
    fs::write(folder.join("queue"), "1 3 PENDING\n2 N/A PENDING\n").expect("written");
    assert_eq!(status(folder), ["done", "failed", "waiting", "missing"]);
    let text = pacesim_on(&bin, folder, &["sweep", "study.toml", "--status"]).stdout;
    assert!(
        text.contains("failed       1  2") && text.contains("merge: waiting"),
        "{text}"
    );
    let said = pacesim_on(&bin, folder, &[&args[..], &["--", "--mem=2G"]].concat());
    assert!(
        said.stdout.contains("2 shards of 4 as job 3: 2,4"),
        "{}",
        said.stdout
    );
    let log = fs::read_to_string(folder.join("sbatch.log")).expect("read");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].contains("--array=1-4") && lines[0].contains("--mem=2G"));
    assert!(lines[1].contains("--dependency=afterany:1 ") && lines[1].ends_with("merge.sh"));
    assert!(lines[2].contains("--array=2,4 "), "{}", lines[2]);
    assert!(
        lines[3].contains("--dependency=afterany:1:2:3 "),
        "{}",
        lines[3]
    );
    // After all shards, nothing is left to submit.
    swept(folder, &["2/4", "3/4", "4/4"]);
    let merge = [
        "merge",
        "results/queues.shards",
        "--into",
        "results/queues",
        "-q",
    ];
    assert_eq!(pacesim(folder, &merge).code, 0);
    fs::write(folder.join("queue"), "").expect("written");
    let said = pacesim_on(&bin, folder, &args);
    assert!(
        said.stdout.contains("all is done and merged"),
        "{}",
        said.stdout
    );
    let log = fs::read_to_string(folder.join("sbatch.log")).expect("read");
    assert_eq!(log.lines().count(), 4);
}

#[cfg(unix)]
#[test]
fn a_study_that_changed_since_it_was_submitted_is_refused() {
    let folder = study();
    let folder = folder.path();
    let bin = with_slurm(folder);
    let args = ["sweep", "study.toml", "--on", "slurm", "--shards", "4"];
    assert_eq!(pacesim_on(&bin, folder, &args).code, 0);
    let path = folder.join("study.toml");
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, text.replace("20pkts", "30pkts")).expect("written");
    let kept = || {
        let around = folder.join("results/queues.shards");
        let files = names(&around).into_iter().filter(|name| name != "logs");
        files
            .map(|name| fs::read(around.join(name)).expect("read"))
            .collect::<Vec<_>>()
    };
    let before = kept();
    for args in [&args[..], &["sweep", "study.toml", "--status"]] {
        let ran = pacesim_on(&bin, folder, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        let told = "the study has changed since it was submitted: it has another text of the study, from line";
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("Put it back as it was"),
            "{}",
            ran.stderr
        );
    }
    fs::write(&path, text).expect("written");
    let other = pacesim_on(&bin, folder, &[&args[..4], &["--shards", "5"]].concat());
    assert_eq!(other.code, 2);
    assert!(
        other.stderr.contains("was submitted in 4 shards, not 5"),
        "{}",
        other.stderr
    );
    let seed = pacesim_on(&bin, folder, &[&args[..], &["--seed", "9"]].concat());
    assert!(
        seed.stderr.contains("the seed 9 instead of the scenarios'"),
        "{}",
        seed.stderr
    );
    let ours = pacesim_on(&bin, folder, &[&args[..], &["--", "--array=1-9"]].concat());
    assert_eq!(ours.code, 2);
    assert!(
        ours.stderr
            .contains("gives the option --array=1-9 of sbatch itself"),
        "{}",
        ours.stderr
    );
    assert!(kept() == before, "nothing is touched");
    assert_eq!(
        fs::read_to_string(folder.join("sbatch.log"))
            .expect("read")
            .lines()
            .count(),
        2
    );
}

#[test]
fn a_manifest_has_the_study_and_what_it_stands_on() {
    let folder = study();
    let folder = folder.path();
    let inner = folder.join("studies");
    fs::create_dir(&inner).expect("made");
    let text = "scenario = '../one.toml'\noutput = {}\n[[sweep.axis]]\nname = 'buffer'\n\
                key = 'link.core.buffer'\nvalues = ['1pkt', '2pkts']\n";
    fs::write(inner.join("small.toml"), text).expect("written");
    let args = [
        "sweep",
        "studies/small.toml",
        "--on",
        "kubernetes",
        "--shards",
        "2",
        "--image",
        "me/pacesim",
        "--replications",
        "3",
        "--print",
    ];
    let ran = pacesim(folder, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for told in [
        "kind: ConfigMap",
        "completions: 2",
        "image: \"me/pacesim\"",
        "path: \"level0/small.toml\"",
        "path: \"one.toml\"",
        "- \"--replications\"\n            - \"3\"",
        "    scenario = '../one.toml'\n",
    ] {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
}
