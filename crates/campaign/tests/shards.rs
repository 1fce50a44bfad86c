//! Studies in parts: merged shards equal one sweep, and stores that do not belong together are
//! never merged.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_campaign::merge::{Gaps, Merge, MergeError, Merged, merge};
use pacesim_runs::run_monitor::Unwatched;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::shard::Shard;
use pacesim_store::sweep::Sweep;
use pacesim_study::{Study, StudyText};
use pacesim_sweep::error::SweepError;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::Outline;
use pacesim_sweep::part::{expect_plan, sweep_part};

use crate::common::{checked, order};

const SCENARIO: &str = r#"
name = "buffers"
title = "One queue"
run = { duration = "500ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "poisson", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
"#;

const AXES: &str = r#"
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = ["1pkts", "5pkts", "20pkts"]
[[sweep.axis]]
name = "load"
[sweep.axis.cases]
low = { "flow.poisson.traffic.rate" = "8Mbps" }
high = { "flow.poisson.traffic.rate" = "12Mbps" }
[[plot]]
name = "loss"
x = "buffer"
y = "link.core.loss_ratio"
lines = "load"
[[expect]]
claim = "more buffer, less loss"
y = "link.core.loss_ratio"
at = { buffer = "20pkts", load = "high" }
minus = { buffer = "1pkts" }
at_most = 0.0
"#;

/// Stops the work after a number of queries.
struct Impatient(AtomicU64);

impl BatchMonitor for Impatient {
    fn wants_end(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}

fn study_of(sweep: &str, more: &str) -> Study {
    let text = format!("{SCENARIO}\n[sweep]\n{sweep}\n{AXES}\n{more}");
    checked("study", &text)
}

fn study() -> Study {
    study_of("replications = 3", "")
}

fn shard(number: u64, of: u64) -> Shard {
    Shard::new(number, of).expect("a shard")
}

/// Sweeps a shard into a folder among others, and returns that folder.
fn part(study: &Study, around: &Path, shard: Shard) -> PathBuf {
    let out = around.join(shard.folder());
    sweep_part(&order(study, &out, 2), shard, &Unwatched).expect("it comes to its end");
    out
}

fn parts(study: &Study, around: &Path, of: u64) -> Vec<PathBuf> {
    Shard::all(of)
        .map(|shard| part(study, around, shard))
        .collect()
}

fn merged(folders: &[PathBuf], into: &Path) -> Result<Merged, MergeError> {
    let plan = None;
    let merge_of = Merge {
        folders,
        into,
        plan,
    };
    merge(&merge_of, &Unwatched)
}

fn whole(folders: &[PathBuf], into: &Path) -> Outline {
    match merged(folders, into).expect("they belong together") {
        Merged::Whole(outline) => *outline,
        Merged::Incomplete(gaps) => panic!("{gaps:?}"),
    }
}

fn incomplete(folders: &[PathBuf], into: &Path) -> Gaps {
    match merged(folders, into).expect("they belong together") {
        Merged::Whole(_) => panic!("runs are missing"),
        Merged::Incomplete(gaps) => *gaps,
    }
}

fn refused(folders: &[PathBuf], into: &Path) -> String {
    let error = merged(folders, into).expect_err("they do not belong together");
    assert!(error.is_usage(), "{error}");
    assert!(!into.exists(), "nothing is touched");
    error.to_string()
}

/// All files below a folder except the store, with their contents.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(path) = left.pop() {
        for entry in fs::read_dir(&path).expect("listed") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below it").to_path_buf();
            if path.is_dir() {
                left.push(path);
            } else if name != Path::new("store.sqlite") {
                found.push((name, fs::read(&path).expect("read")));
            }
        }
    }
    found.sort();
    found
}

/// Edits a store behind the program's back.
fn edit(folder: &Path, sql: &str) {
    let store = rusqlite::Connection::open(folder.join("store.sqlite")).expect("a store");
    store.execute_batch(sql).expect("changed");
    let forget = "DELETE FROM numbers WHERE run NOT IN (SELECT run FROM runs)";
    if sql.contains("FROM runs") {
        store.execute_batch(forget).expect("changed");
    }
}

/// Checks that merged shards equal one sweep of the study, file by file.
fn come_to_the_same(study: &Study, of: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, united) = (folder.path().join("one"), folder.path().join("united"));
    let expected = sweep(&order(study, &one, 2), &Unwatched).expect("it comes to its end");
    let parts = parts(study, &folder.path().join("parts"), of);
    let outline = whole(&parts, &united);
    assert!(contents(&one) == contents(&united));
    assert_eq!(outline.points, expected.points);
    assert_eq!(outline.claims, expected.claims);
    assert_eq!(
        (outline.runs, outline.fingerprint),
        (expected.runs, expected.fingerprint)
    );
}

#[test]
fn shards_united_are_one_sweep_to_the_byte() {
    for of in [4, 19] {
        come_to_the_same(&study(), of);
    }
}

#[test]
fn so_are_shards_of_points_that_stop_when_they_are_precise() {
    let study = study_of(
        "replications = 3\nprecision = '5%'\nmost = 30\nprecise = ['link.core.utilisation', 'link.core.loss_ratio']",
        "",
    );
    come_to_the_same(&study, 3);
}

#[test]
fn so_are_shards_that_find_warm_ups() {
    come_to_the_same(
        &study_of(
            "replications = 3\nfind_warmup = ['link.core.queue_mean_pkts']",
            "",
        ),
        4,
    );
}

#[test]
fn so_are_shards_of_runs_in_windows() {
    come_to_the_same(&study_of("batches = 5", ""), 4);
}

#[test]
fn so_are_shards_with_measures_and_recordings() {
    let study = study_of(
        "replications = 2\nkeep = [{ load = 'high' }]",
        "[output]\npackets = { links = ['core'] }\n[[measure]]\nname = 'burst'\nkind = 'burstiness'\n\
         link = 'core'\nfinest = '1ms'\nscales = 4",
    );
    come_to_the_same(&study, 5);
}

#[test]
fn recordings_of_an_edit_replace_those_before_and_one_that_is_nowhere_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let united = folder.path().join("united");
    let made = |around: &str, duration: &str| {
        let study = study_of(
            "replications = 1\nkeep = [{ load = 'high', buffer = '5pkts' }]",
            &format!(
                "[output]\npackets = {{ links = ['core'] }}\n[set]\n'run.duration' = '{duration}'"
            ),
        );
        parts(&study, &folder.path().join(around), 2)
    };
    let recording = united.join("recordings/point-3/manifest.json");
    whole(&made("before", "100ms"), &united);
    let before = fs::read(&recording).expect("read");
    let after = made("after", "200ms");
    whole(&after, &united);
    assert!(before != fs::read(&recording).expect("read"));
    for out in [&united, &after[1]] {
        fs::remove_dir_all(out.join("recordings")).expect("removed");
    }
    let gaps = incomplete(&after, &united);
    assert_eq!((gaps.missing, gaps.unrecorded), (0, vec![3]));
}

#[test]
fn so_are_shards_of_points_that_share_their_scenario() {
    let axis = "name = 'twice', cases = { one = {}, two = {}, three = { 'run.seed' = 3 } }";
    let text = format!("{SCENARIO}\nsweep = {{ replications = 3, axis = [{{ {axis} }}] }}");
    let text = StudyText::parse("study.toml", "study", text.as_bytes(), Arc::new(()));
    come_to_the_same(&text.check().expect("a good study"), 4);
}

#[test]
fn what_is_missing_is_named_and_what_is_there_is_kept() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study());
    let (around, united) = (folder.path().join("parts"), folder.path().join("united"));
    let first = part(&study, &around, shard(1, 4));
    let fourth = part(&study, &around, shard(4, 4));
    // A sweep killed before it created a store, and one killed before it stored a run.
    fs::create_dir(around.join("2-of-4")).expect("made");
    edit(&fourth, "DELETE FROM runs WHERE replication = 0");
    let gaps = incomplete(std::slice::from_ref(&around), &united);
    assert_eq!((gaps.runs, gaps.shards), (18, Some(4)));
    assert_eq!(gaps.missing_shards, [2, 3, 4]);
    assert_eq!(gaps.blank, [around.join("2-of-4").display().to_string()]);
    assert!(gaps.missing > 9, "{gaps:?}");
    assert!(!united.join("runs.parquet").exists());
    // The rest follows later; merging only the new stores is enough.
    let fourth = part(&study, &around, shard(4, 4));
    let rest = [2, 3].map(|number| part(&study, &around, shard(number, 4)));
    let gaps = incomplete(&[fourth.clone(), rest[0].clone()], &united);
    assert_eq!(
        gaps.missing_shards,
        [3],
        "the first is in the target already"
    );
    let all = [first, fourth, rest[0].clone(), rest[1].clone()];
    whole(&all, &united);
    let one = folder.path().join("one");
    sweep(&order(&study, &one, 2), &Unwatched).expect("it comes to its end");
    assert!(contents(&one) == contents(&united));
}

#[test]
fn a_merge_that_was_stopped_anywhere_goes_on() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study());
    let (one, united) = (folder.path().join("one"), folder.path().join("united"));
    let parts = parts(&study, &folder.path().join("parts"), 3);
    let stopped = |asked| {
        let merge_of = Merge {
            folders: &parts,
            into: &united,
            plan: None,
        };
        merge(&merge_of, &Impatient(AtomicU64::new(asked)))
    };
    let ends = (0..100).find(|asked| match stopped(*asked) {
        Err(error) => {
            assert!(error.is_interrupted(), "{error}");
            assert!(!united.join("wide.parquet").exists());
            false
        }
        Ok(_) => true,
    });
    // Each of three stores is checked and merged, and each of six points written.
    assert_eq!(ends, Some(12));
    sweep(&order(&study, &one, 2), &Unwatched).expect("it comes to its end");
    assert!(contents(&one) == contents(&united));
}

#[test]
fn a_sweep_of_the_target_goes_on_from_what_was_merged() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study());
    let united = folder.path().join("united");
    let parts = [part(&study, folder.path(), shard(2, 3))];
    assert_eq!(incomplete(&parts, &united).missing, 12);
    let outline = sweep(&order(&study, &united, 2), &Unwatched).expect("it comes to its end");
    assert_eq!((outline.made, outline.runs), (12, 18));
}

#[test]
fn stores_of_two_machines_are_united_too() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study());
    let [one, two, united] = ["one", "two", "united"].map(|name| folder.path().join(name));
    sweep(&order(&study, &one, 2), &Unwatched).expect("it comes to its end");
    sweep(&order(&study, &two, 2), &Unwatched).expect("it comes to its end");
    edit(&one, "DELETE FROM runs WHERE replication = 0");
    edit(&two, "DELETE FROM runs WHERE replication = 2");
    let expected = contents(&two);
    assert_eq!(whole(&[one, two], &united).runs, 18);
    assert!(contents(&united) == expected);
}

#[test]
fn two_edits_of_a_study_are_not_united() {
    let folder = tempfile::tempdir().expect("a folder");
    let united = folder.path().join("united");
    let one = part(&study(), folder.path(), shard(1, 2));
    let other = study_of("replications = 3", "# An edit from which nothing follows.");
    let two = part(&other, folder.path(), shard(2, 2));
    let said = refused(&[one.clone(), two.clone()], &united);
    assert!(said.contains("2-of-2 is not of the same plan as"), "{said}");
    assert!(
        said.contains("another text of the study, from line"),
        "{said}"
    );
    let mut more = study();
    more.replications = 4;
    let three = part(&more, folder.path(), shard(1, 1));
    let said = refused(&[one, three], &united);
    assert!(said.contains("4 replications instead of 3"), "{said}");
}

#[test]
fn two_versions_of_the_program_are_not_united() {
    let folder = tempfile::tempdir().expect("a folder");
    let (study, united) = (study(), folder.path().join("united"));
    let all = parts(&study, folder.path(), 2);
    // Edited as if another version of pacesim had made some of its runs.
    edit(&all[1], "UPDATE runs SET version = '0.0.9' WHERE run = 2");
    let said = refused(&all, &united);
    assert!(
        said.contains("2-of-2/store.sqlite has runs of pacesim 0.0.9"),
        "{said}"
    );
    edit(&all[1], "UPDATE study SET value = 1 WHERE key = 'results'");
    let said = refused(&all, &united);
    assert!(
        said.contains("is damaged: the plan of the last sweep"),
        "{said}"
    );
}

#[test]
fn runs_of_another_version_in_the_target_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (study, united) = (study(), folder.path().join("united"));
    sweep(&order(&study, &united, 2), &Unwatched).expect("it comes to its end");
    edit(&united, "UPDATE runs SET version = '0.0.9'");
    let all = parts(&study, folder.path(), 2);
    let error = merged(&all, &united).expect_err("it would mix them");
    assert!(
        error.is_usage() && error.to_string().contains("united/store.sqlite has runs"),
        "{error}"
    );
}

#[test]
fn a_file_that_changed_between_shards_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = r#"
        name = "graph"
        run = { duration = "100ms" }
        topology = { shape = "edge_list", file = "edges.csv", link = { rate = "10Mbps" } }
        flow = [{ name = "f", from = "router[0]", to = "router[1]", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
        [sweep]
        replications = 2
    "#;
    let edges = folder.path().join("edges.csv");
    let file = folder.path().join("graph.toml");
    fs::write(&file, text).expect("written");
    let made = |number: u64, km: u32| {
        fs::write(&edges, format!("a,b,km\nx,y,{km}\n")).expect("written");
        let input = pacesim_sweep::input::study_from_file(&file, &[]).expect("a good study");
        let out = folder.path().join(number.to_string());
        let of_input = Sweep {
            folder: &input.folder,
            ..order(&input.study, &out, 2)
        };
        sweep_part(&of_input, shard(number, 2), &Unwatched).expect("it comes to its end");
        out
    };
    let parts = [made(1, 100), made(2, 200)];
    let said = refused(&parts, &folder.path().join("united"));
    assert!(said.contains("point 0 has another scenario in"), "{said}");
    assert!(
        said.contains("a file that the study names was changed"),
        "{said}"
    );
    let again = [made(1, 200), parts[1].clone()];
    whole(&again, &folder.path().join("united"));
}

#[test]
fn a_store_that_was_cut_off_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let (study, united) = (study(), folder.path().join("united"));
    let all = parts(&study, folder.path(), 2);
    let path = all[1].join("store.sqlite");
    let sound = fs::read(&path).expect("read");
    for length in [sound.len() / 2, sound.len() - 100, 5000, 700, 20] {
        fs::write(&path, &sound[..length]).expect("written");
        let said = refused(&all, &united);
        assert!(said.contains("2-of-2/store.sqlite is"), "{length}: {said}");
    }
    // Overwrites without changing the length: more than one page, as part of one may be unused.
    let mut spoilt = sound.clone();
    let middle = sound.len() / 2;
    spoilt[middle..middle + 6000].fill(0xab);
    fs::write(&path, spoilt).expect("written");
    let said = refused(&all, &united);
    assert!(said.contains("2-of-2/store.sqlite is damaged"), "{said}");
    fs::write(&path, sound).expect("written");
    whole(&all, &united);
}

#[test]
fn a_foreign_folder_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let (study, united) = (study(), folder.path().join("united"));
    let ours = part(&study, folder.path(), shard(1, 2));
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).expect("made");
    fs::write(foreign.join("notes.txt"), "mine").expect("written");
    let with = |other: &Path| [ours.clone(), other.to_path_buf()];
    let said = refused(&with(&foreign), &united);
    assert!(
        said.contains("foreign is not the folder of a study"),
        "{said}"
    );
    let said = refused(&with(&folder.path().join("nowhere")), &united);
    assert!(
        said.contains("nowhere is not the folder of a study"),
        "{said}"
    );
    fs::write(
        foreign.join("store.sqlite"),
        "mine as well, and no store at all",
    )
    .expect("written");
    let said = refused(&with(&foreign), &united);
    assert!(
        said.contains("foreign/store.sqlite is not a store of pacesim"),
        "{said}"
    );
    fs::remove_file(foreign.join("store.sqlite")).expect("removed");
    edit(&foreign, "CREATE TABLE mine (a)");
    let said = refused(&with(&foreign), &united);
    assert!(
        said.contains("foreign/store.sqlite is not a store of pacesim"),
        "{said}"
    );
    let said = refused(&[], &united);
    assert!(said.contains("there is nothing to merge"), "{said}");
    let error = merged(std::slice::from_ref(&ours), &ours).expect_err("into itself");
    assert!(error.to_string().contains("into itself"), "{error}");
    let error = merged(&[ours], &foreign).expect_err("somebody else's");
    assert!(error.is_usage(), "{error}");
}

#[test]
fn runs_that_came_to_something_else_are_not_united() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study();
    let [one, two, united] = ["one", "two", "united"].map(|name| folder.path().join(name));
    for out in [&one, &two] {
        sweep_part(&order(&study, out, 2), shard(1, 2), &Unwatched).expect("it comes to its end");
    }
    edit(&two, "UPDATE runs SET fingerprint = '0' WHERE run = 3");
    let error = merged(&[one, two], &united).expect_err("one is wrong");
    let said = error.to_string();
    assert!(
        said.contains(
            "two/store.sqlite is damaged: runs that have changed since they were stored: point "
        ),
        "{said}"
    );
}

#[test]
fn a_store_keeps_the_part_that_it_is() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study());
    let out = part(&study, folder.path(), shard(1, 2));
    let again = sweep_part(&order(&study, &out, 2), shard(1, 2), &Unwatched).expect("it ends");
    assert_eq!((again.made, again.runs), (0, 9));
    let other = sweep_part(&order(&study, &out, 2), shard(2, 2), &Unwatched);
    let said = other.expect_err("another part").to_string();
    assert!(
        said.contains("holds the shard 1/2, and this is the shard 2/2"),
        "{said}"
    );
    let one = folder.path().join("one");
    sweep(&order(&study, &one, 2), &Unwatched).expect("it comes to its end");
    let other = sweep_part(&order(&study, &one, 2), shard(2, 2), &Unwatched);
    let said = other.expect_err("all of it").to_string();
    assert!(said.contains("holds all of the study"), "{said}");
}

#[test]
fn another_plan_than_expected_is_refused() {
    let (folder, study) = (tempfile::tempdir().expect("a folder"), study());
    let out = folder.path().join("one");
    let ours = order(&study, &out, 2);
    let swept = sweep_part(&ours, shard(1, 2), &Unwatched).expect("it comes to its end");
    expect_plan(&ours, &swept.plan).expect("it is the same");
    let other = Sweep {
        seed: Some(7),
        ..ours
    };
    let error = expect_plan(&other, &swept.plan).expect_err("another seed");
    assert!(matches!(error, SweepError::OtherPlan { .. }) && error.is_usage());
    let into = folder.path().join("united");
    let asked = Merge {
        folders: std::slice::from_ref(&out),
        into: &into,
        plan: Some("fnv1a128:00"),
    };
    let error = merge(&asked, &Unwatched).expect_err("another plan");
    assert!(
        error.to_string().contains("fnv1a128:00 is asked for"),
        "{error}"
    );
}
