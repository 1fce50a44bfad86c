//! Slurm without Slurm: fake programs whose arguments are checked.

use std::cell::RefCell;
use std::path::Path;

use pacesim_campaign::campaign::{Queue, Submission, shards_folder, status};
use pacesim_campaign::engine::EngineCommand;
use pacesim_campaign::engine::error::EngineError;
use pacesim_campaign::engine::runner::Runner;
use pacesim_campaign::engine::slurm::{NAME, Slurm};
use pacesim_store::sweep::Sweep;
use pacesim_sweep::input::study_from_stream;

const STUDY: &str = r#"
    title = "One queue"
    run = { duration = "1s" }
    node = [{ name = "a" }, { name = "b" }]
    link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "10pkts" }]
    [[flow]]
    name = "f"
    from = "a"
    to = "b"
    traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" }
    [sweep]
    replications = 2
    axis = [{ name = "buffer", key = "link.core.buffer", values = ["5pkts", "20pkts"] }]
"#;

/// Fake programs that record their calls; `sbatch` returns numbers from 100 on, as often as
/// allowed.
struct Played {
    calls: RefCell<Vec<String>>,
    answers: usize,
    has: &'static [&'static str],
}

impl Played {
    fn new(answers: usize) -> Played {
        Played {
            calls: RefCell::default(),
            answers,
            has: &["sbatch", "squeue"],
        }
    }
}

impl Runner for Played {
    fn has(&self, program: &str) -> bool {
        self.has.contains(&program)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<String, EngineError> {
        let mut calls = self.calls.borrow_mut();
        calls.push(format!("{program} {}", arguments.join(" ")));
        if calls.len() <= self.answers {
            Ok(format!("{}\n", 99 + calls.len()))
        } else {
            Err(EngineError::failed("sbatch failed: no such partition"))
        }
    }
}

/// Submits two shards of the study below this folder.
fn submit(runner: &Played, folder: &Path) -> Result<(), EngineError> {
    let input = study_from_stream(STUDY.as_bytes(), &[]).expect("a study");
    let out = folder.join("whole");
    let sweep = Sweep {
        folder,
        replications: 2,
        ..Sweep::new(&input.study, &out)
    };
    let options = ["--time=1:00".to_owned()];
    let slurm = Slurm::find(runner, &options, false)?;
    let shards = shards_folder(&out);
    let mut submission = Submission::again_or_first(&shards, NAME, &sweep, Some(2))?;
    let command = EngineCommand {
        study: input.study.name.clone(),
        program: "/bin/pacesim".into(),
        file: folder.join("study.toml"),
        options: Vec::new(),
        plan: submission.plan.digest().to_string(),
        shards: submission.shards,
        jobs: None,
        folder: shards.clone(),
        out: out.clone(),
    };
    let queue = Queue::default();
    let status = status(&shards, &out, 2, &command.plan, &queue)?;
    let submitted = slurm.submit(&command, &mut submission, &status, &queue)?;
    assert_eq!(submitted.shards, [1, 2], "none is done");
    assert_eq!(submitted.merge.as_deref(), Some("101"), "the second job");
    Ok(())
}

#[test]
fn the_merge_waits_behind_the_array() {
    let (folder, played) = (tempfile::tempdir().expect("a folder"), Played::new(2));
    submit(&played, folder.path()).expect("both jobs are taken");
    let calls = played.calls.into_inner();
    let [array, merge] = &calls[..] else {
        panic!("{calls:?}");
    };
    assert!(array.contains("--array=1-2"), "{array}");
    assert!(array.contains("--time=1:00"), "the user's option: {array}");
    assert!(merge.contains("100"), "behind the first job: {merge}");
}

#[test]
fn a_job_that_was_taken_is_kept_though_the_next_is_refused() {
    let (folder, played) = (tempfile::tempdir().expect("a folder"), Played::new(1));
    let error = submit(&played, folder.path()).expect_err("the merge is refused");
    assert!(matches!(error, EngineError::Failed(_)), "{error}");
    let shards = shards_folder(&folder.path().join("whole"));
    let kept = Submission::read(&shards).expect("readable").expect("kept");
    let jobs: Vec<&str> = kept.jobs.iter().map(|job| job.id.as_str()).collect();
    assert_eq!(jobs, ["100"], "the array is in Slurm's hands");
}

#[test]
fn a_machine_without_slurm_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let played = Played {
        has: &["squeue"],
        ..Played::new(2)
    };
    let error = submit(&played, folder.path()).expect_err("there is no sbatch");
    assert!(error.to_string().contains("no sbatch"), "{error}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("it").collect();
    assert!(left.is_empty(), "{left:?}");
}
