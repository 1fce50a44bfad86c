//! Fates of folders.

mod faults;

use std::collections::BTreeSet;

use serde_json::json;

use crate::folder::inventory::{DigestOf, KeptFile};
use crate::folder::*;

fn filled(target: &Path, force: bool) -> Result<(), FolderError> {
    let folder = ResultsFolder::create(target, force)?;
    let before = target.join(MANIFEST).exists();
    folder
        .contents()
        .subfolder("files")?
        .write("net.csv", "1,2")?;
    folder.contents().write("summary.json", "{}")?;
    let manifest = json!({"schema_version": 2, "version": "0.1.0", "command": []});
    folder.contents().write_manifest(&manifest)?;
    assert_eq!(
        target.join(MANIFEST).exists(),
        before,
        "not before it is complete"
    );
    folder.finish()
}

const NAMES: [&str; 3] = ["files", MANIFEST, "summary.json"];

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("listed");
    let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries
        .map(|e| name(e).into_string().expect("text"))
        .collect();
    names.sort();
    names
}

#[test]
fn a_new_or_empty_folder_is_taken_and_nothing_else_remains() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("deep/run.v1");
    filled(&target, false).expect("new");
    assert_eq!(names(&around.path().join("deep")), ["run.v1"]);
    let empty = around.path().join("empty");
    fs::create_dir(&empty).expect("made");
    filled(&empty, false).expect("empty");
    assert_eq!(names(&empty), NAMES);
    assert_eq!(names(around.path()), ["deep", "empty"]);
}

#[test]
fn results_are_replaced_by_force_only() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    filled(&target, false).expect("new");
    let again = filled(&target, false);
    assert!(matches!(again, Err(FolderError::Exists(_))), "{again:?}");
    fs::remove_file(target.join("summary.json")).expect("removed");
    filled(&target, true).expect("forced");
    assert_eq!(names(&target), NAMES);
    assert_eq!(names(around.path()), ["run"]);
}

#[test]
fn force_names_what_pacesim_did_not_write_and_leaves_it() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    filled(&target, false).expect("new");
    fs::write(target.join("notes.txt"), "mine").expect("written");
    fs::create_dir_all(target.join("figs/old")).expect("made");
    fs::write(target.join("figs/a.svg"), "mine").expect("written");
    fs::write(target.join("files/mine.csv"), "mine").expect("written");
    fs::write(target.join("files/net.csv"), "1,3").expect("written");
    let refused = filled(&target, true).expect_err("a user's files");
    assert!(refused.is_usage(), "{refused}");
    let reported =
        "files/mine.csv, files/net.csv (changed), notes.txt, figs/, figs/a.svg, figs/old/";
    let reported: BTreeSet<&str> = reported.split(", ").collect();
    let FolderError::Strangers { strangers, .. } = refused else {
        panic!("{refused}");
    };
    assert_eq!(
        strangers
            .iter()
            .map(String::as_str)
            .collect::<BTreeSet<_>>(),
        reported
    );
    assert_eq!(
        fs::read_to_string(target.join("figs/a.svg")).expect("there"),
        "mine"
    );
    assert_eq!(names(around.path()), ["run"]);
}

#[test]
fn results_whose_files_were_listed_by_the_bytes_are_ours_as_well() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    fs::create_dir(&target).expect("made");
    fs::write(target.join("summary.json"), "{}").expect("written");
    let summary = target.join("summary.json");
    let listed = KeptFile::at(&summary, "summary.json".into(), DigestOf::Bytes).expect("read");
    // 128-bit FNV-1a of "{}".
    assert_eq!(listed.digest, "fnv1a128:0880955dd2ab1be95aa0733055c655b5");
    let manifest =
        json!({"schema_version": 2, "version": "0.1.0", "command": [], "files": [listed]});
    fs::write(target.join(MANIFEST), manifest.to_string()).expect("written");
    fs::write(&summary, "[]").expect("changed");
    let refused = filled(&target, true).expect_err("it was changed");
    assert!(
        matches!(refused, FolderError::Strangers { .. }),
        "{refused}"
    );
    fs::write(&summary, "{}").expect("as it was");
    filled(&target, true).expect("all of it is listed");
    assert_eq!(names(&target), NAMES);
}

#[cfg(unix)]
#[test]
fn force_follows_no_link_out_of_the_folder() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    filled(&target, false).expect("new");
    fs::write(around.path().join("thesis.tex"), "mine").expect("written");
    std::os::unix::fs::symlink("..", target.join("up")).expect("linked");
    let refused = filled(&target, true).expect_err("a link");
    assert!(
        refused
            .to_string()
            .contains("run holds more than what pacesim wrote: up."),
        "{refused}"
    );
    assert_eq!(names(around.path()), ["run", "thesis.tex"]);
}

#[test]
fn a_manifest_that_lists_files_elsewhere_gives_nobody_the_right_to_remove_them() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    let thesis = around.path().join("thesis.tex");
    fs::write(&thesis, "mine").expect("written");
    let mine = KeptFile::at(&thesis, "../thesis.tex".into(), DigestOf::Words).expect("read");
    fs::create_dir(&target).expect("made");
    let manifest = json!({"schema_version": 2, "version": "", "command": [], "files": [mine]});
    fs::write(target.join(MANIFEST), manifest.to_string()).expect("written");
    filled(&target, true).expect("nothing else is in it");
    assert_eq!(names(around.path()), ["run", "thesis.tex"]);
}

#[test]
fn what_came_into_replaced_results_in_the_meantime_stays() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    filled(&target, false).expect("new");
    fs::write(target.join("files/mine.csv"), "mine").expect("written");
    remove_results(&Disk::default(), &target).expect_err("not empty");
    assert_eq!(names(&target), ["files", MANIFEST]);
    assert_eq!(names(&target.join("files")), ["mine.csv"]);
}

#[test]
fn results_that_do_not_list_their_files_are_not_replaced() {
    let around = tempfile::tempdir().expect("a folder");
    let manifest = json!({"schema_version": 2, "version": "0.1.0", "command": []});
    fs::write(around.path().join(MANIFEST), manifest.to_string()).expect("written");
    let refused = filled(around.path(), true).expect_err("an older version's");
    assert!(matches!(refused, FolderError::Unlisted(_)), "{refused}");
}

#[test]
fn what_is_not_ours_is_never_replaced() {
    let around = tempfile::tempdir().expect("a folder");
    fs::write(around.path().join("thesis.tex"), "").expect("written");
    let file = around.path().join("thesis.tex");
    for target in [around.path(), &file, Path::new("/")] {
        let refused = filled(target, true);
        assert!(
            matches!(refused, Err(FolderError::NotOurs(_))),
            "{refused:?}"
        );
    }
    assert_eq!(names(around.path()), ["thesis.tex"]);
}

#[test]
fn a_manifest_of_another_program_does_not_make_a_folder_ours() {
    for text in ["", "not JSON", r#"{"name": "My web app", "version": "1"}"#] {
        let around = tempfile::tempdir().expect("a folder");
        fs::write(around.path().join(MANIFEST), text).expect("written");
        let refused = filled(around.path(), true);
        assert!(matches!(refused, Err(FolderError::NotOurs(_))), "{text}");
    }
}

#[test]
fn a_second_run_to_the_same_name_is_refused_at_once_and_a_later_one_is_not() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    let first = ResultsFolder::create(&target, false).expect("free");
    let second = ResultsFolder::create(&target, true).expect_err("claimed");
    assert!(matches!(second, FolderError::Busy(_)), "{second}");
    assert!(second.is_usage(), "{second}");
    ResultsFolder::create(&around.path().join("run2"), false).expect("another name");
    drop(first);
    assert_eq!(names(around.path()), [""; 0]);
    filled(&target, false).expect("free again");
    assert_eq!(names(around.path()), ["run"]);
}

#[test]
fn what_a_killed_run_left_is_found_and_never_mixed_in() {
    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("run");
    let process = std::process::id();
    let mine = format!("run.{process}.pacesim-partial");
    let others = ["run.7.pacesim-partial", "run.v1.7.pacesim-partial"];
    for name in [mine.as_str()].iter().chain(&others) {
        fs::create_dir(around.path().join(name)).expect("made");
    }
    fs::write(around.path().join(&mine).join("stale"), "").expect("written");
    // The lock file of a killed run, held by none.
    fs::write(around.path().join("run.lock.pacesim-partial"), "").expect("written");
    let mut expected = vec![
        target.with_file_name(&mine),
        target.with_file_name(others[0]),
    ];
    expected.sort();
    assert_eq!(incomplete(&target), expected);
    filled(&target, false).expect("another name is found");
    assert_eq!(names(&target), NAMES);
}

#[test]
fn an_abandoned_folder_leaves_nothing() {
    let around = tempfile::tempdir().expect("a folder");
    let folder = ResultsFolder::create(&around.path().join("run"), false).expect("created");
    folder.contents().write("half", "").expect("written");
    drop(folder);
    assert_eq!(names(around.path()), [""; 0]);
}
