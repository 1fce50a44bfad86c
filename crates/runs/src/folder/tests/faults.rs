//! Each change on the disk fails in turn: no data of the user are lost, and incomplete results
//! never look complete.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pacesim_tables::disk::Disk;

use crate::error::RunError;
use crate::folder::inventory::{Inventory, Listed};
use crate::folder::{FolderError, MANIFEST, ResultsFolder, incomplete, replaced};
use crate::input;
use crate::input::Input;
use crate::plan::Plan;
use crate::replicate::replicate_into;
use crate::run::{Links, run_into};
use crate::run_monitor::Unwatched;

const SCENARIO: &str = r#"
run = { duration = "50ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
[[flow]]
name = "trace"
from = "a"
to = "b"
traffic = { kind = "recorded", file = "trace.csv" }
[output]
packets = {}
series = { interval = "10ms" }
"#;

/// A user's folder: a scenario, notes, and optionally results with the seed [`OLD`].
struct Scene {
    around: tempfile::TempDir,
    input: Input,
    replications: u64,
}

const OLD: u64 = 7;
const NEW: u64 = 8;

impl Scene {
    fn new(replications: u64) -> Scene {
        let around = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(around.path().join(name), text).expect("written");
        };
        write("trace.csv", "t_ms,size_bytes\n0,1000\n1,1000\n");
        write("notes.txt", "mine");
        write("one.toml", SCENARIO);
        let input = input::read_file(&around.path().join("one.toml"), &[], |_, problems| {
            problems.0
        })
        .and_then(input::StudyInput::alone);
        let input = input.expect("a right scenario");
        Scene {
            around,
            input,
            replications,
        }
    }

    fn target(&self) -> PathBuf {
        self.around.path().join("kept")
    }

    fn run(&self, disk: &Disk, seed: u64) -> Result<(), RunError> {
        let plan = Plan {
            seed: Some(seed),
            ..Plan::default()
        };
        let folder = ResultsFolder::create_on(disk.clone(), &self.target(), true)?;
        let contents = Some(folder.contents());
        match self.replications {
            0 => drop(run_into(
                contents,
                &self.input,
                0,
                &plan,
                Links::Shown,
                &mut Unwatched,
            )?),
            n => drop(replicate_into(
                contents,
                &self.input,
                n,
                NonZeroUsize::MIN,
                &plan,
                &Unwatched,
            )?),
        }
        Ok(folder.finish()?)
    }

    /// Checks that no fault changed the entries next to the results and the user's files.
    fn check_neighbours(&self) {
        let text = |name: &str| fs::read_to_string(self.around.path().join(name));
        assert_eq!(text("notes.txt").expect("there"), "mine");
        assert_eq!(text("one.toml").expect("there"), SCENARIO);
        assert!(
            text("trace.csv").expect("there").starts_with("t_ms"),
            "{}",
            text("trace.csv").expect("there")
        );
    }
}

/// The seed of the results in a folder, if they are complete.
fn complete(folder: &Path) -> Option<u64> {
    let Listed::Files(listed) = Listed::in_folder(folder) else {
        return None;
    };
    let inventory = Inventory::of(folder).expect("listed");
    let strangers = inventory.strangers(&listed);
    assert!(strangers.is_empty(), "{strangers:?}");
    let here: BTreeSet<_> = inventory.files.into_iter().collect();
    assert_eq!(here, listed, "a manifest comes last");
    let text = fs::read_to_string(folder.join(MANIFEST)).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    manifest["seed"].as_u64()
}

/// Repeats the run with other failing steps each time, until it reaches none of them.
fn walk(replications: u64, had_results: bool, failing: impl Fn(u64) -> Range<u64>, check: Check) {
    for step in 0.. {
        let scene = Scene::new(replications);
        if had_results {
            scene.run(&Disk::default(), OLD).expect("good results");
        }
        let disk = Disk::failing(failing(step));
        let result = scene.run(&disk, NEW);
        scene.check_neighbours();
        let before = had_results.then_some(OLD);
        match result {
            Ok(()) if disk.steps() <= step => {
                assert_eq!(complete(&scene.target()), Some(NEW));
                assert!(step > 20, "{step} steps");
                return;
            }
            result => check(&scene, before, result, step),
        }
    }
}

type Check = fn(&Scene, Option<u64>, Result<(), RunError>, u64);

/// Makes one fault happen, after which the run must clean up.
fn one_fault(scene: &Scene, before: Option<u64>, result: Result<(), RunError>, step: u64) {
    let target = scene.target();
    assert!(incomplete(&target).is_empty(), "step {step}");
    let now = complete_or_absent(&target);
    match result.expect_err("a fault is reported") {
        RunError::Folder(FolderError::Remains { replaced, .. }) => {
            assert_eq!(now, Some(NEW), "step {step}");
            assert!(replaced.exists(), "{} is gone", replaced.display());
        }
        // The last step: the parent folder's entries may not be flushed yet.
        RunError::Folder(FolderError::System { path, .. }) if now == Some(NEW) => {
            assert_eq!(path, scene.around.path())
        }
        _ => {
            assert_eq!(now, before, "step {step}");
            assert!(replaced(&target).is_empty(), "step {step}");
        }
    }
}

/// After a kill, or on a disk that stays full, nothing can be cleaned up, but the next run
/// succeeds.
fn no_more(scene: &Scene, before: Option<u64>, result: Result<(), RunError>, step: u64) {
    assert!(result.is_err(), "step {step}");
    let target = scene.target();
    let now = complete_or_absent(&target);
    if now != Some(NEW) && now != before {
        let aside = replaced(&target);
        let aside: Vec<_> = aside.iter().map(|folder| complete(folder)).collect();
        assert_eq!((now, aside), (None, vec![before]), "step {step}");
    }
    let left = replaced(&target);
    scene.run(&Disk::default(), NEW + 1).expect("a good disk");
    assert_eq!(complete(&target), Some(NEW + 1));
    assert_eq!(
        replaced(&target),
        left,
        "it leaves alone what it does not know"
    );
    scene.check_neighbours();
}

fn complete_or_absent(target: &Path) -> Option<u64> {
    let seed = complete(target);
    assert!(seed.is_some() || !target.exists(), "half-written");
    seed
}

#[test]
fn after_any_single_fault_there_is_all_or_nothing() {
    walk(0, false, |step| step..step + 1, one_fault);
    walk(1, false, |step| step..step + 1, one_fault);
}

#[test]
fn after_any_single_fault_of_force_old_results_are_there_or_new_ones() {
    walk(0, true, |step| step..step + 1, one_fault);
    walk(1, true, |step| step..step + 1, one_fault);
}

#[test]
fn a_kill_at_any_step_leaves_nothing_that_looks_complete() {
    walk(0, false, |step| step..u64::MAX, no_more);
}

#[test]
fn a_kill_at_any_step_of_force_loses_nothing() {
    walk(0, true, |step| step..u64::MAX, no_more);
}
