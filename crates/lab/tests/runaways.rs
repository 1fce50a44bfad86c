//! Runs that would never end, or exceed machine limits: the sweep continues, and reports them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_lab::claims::Verdict;
use pacesim_lab::study::{Merge, Merged, Outline, Sweep, merge, sweep};
use pacesim_lab::{BatchMonitor, RunLimits};
use pacesim_study::Study;

use crate::common::{checked, order};

const STUDY: &str = r#"
name = "overload"
run = { duration = "200ms", most_waiting = 500 }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
sweep.replications = 2
sweep.find_warmup = [WARMUP]
[[sweep.axis]]
name = "load"
key = "flow.f.traffic.rate"
values = [LOADS]
[[measure]]
name = "delays"
kind = "delays"
flows = "f"
[[expect]]
claim = "the link carries little more than it can"
y = "link.core.utilisation"
at = { load = "5Mbps" }
at_most = 10.0
"#;

const OF_ALL: &str = r#"
[[expect]]
claim = "the link is full"
y = "link.core.utilisation"
at = { load = "100Mbps" }
at_least = 0.0
[[expect]]
claim = "more load, more used"
y = "link.core.utilisation"
along = "load"
course = "rises"
[[expect]]
claim = "use grows on a line"
y = "link.core.utilisation"
along = "load"
slope = "linear"
at_least = 0.0
"#;

fn study(loads: &str, warmup: &str, more: &str) -> Study {
    let text = STUDY.replace("LOADS", loads).replace("WARMUP", warmup) + more;
    let text = match warmup {
        "" => text.replace("sweep.find_warmup = []\n", ""),
        _ => text,
    };
    checked("study", &text)
}

/// A machine whose clock advances with each reading.
#[derive(Default)]
struct Machine {
    looks: AtomicU64,
    rss: Option<u64>,
    limits: RunLimits,
}

impl BatchMonitor for Machine {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.looks.fetch_add(1, Ordering::Relaxed))
    }

    fn rss_bytes(&self) -> Option<u64> {
        self.rss
    }

    fn limits(&self) -> RunLimits {
        self.limits
    }
}

fn swept(study: &Study, out: &Path, limits: RunLimits, rss: Option<u64>) -> Outline {
    let machine = Machine {
        rss,
        limits,
        ..Machine::default()
    };
    sweep(&order(study, out, 2), &machine).expect("it comes to its end")
}

fn healthy(study: &Study, out: &Path) -> Outline {
    swept(study, out, RunLimits::default(), None)
}

const SHORT: RunLimits = RunLimits {
    time: Some(Duration::ZERO),
    memory: None,
    again: false,
};

#[test]
fn a_point_that_gives_up_leaves_the_others_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let (all, some) = (folder.path().join("all"), folder.path().join("some"));
    let with = study(r#""5Mbps", "8Mbps", "100Mbps""#, "", OF_ALL);
    let without = study(r#""5Mbps", "8Mbps""#, "", "");
    let (with, without) = (healthy(&with, &all), healthy(&without, &some));
    for (a, b) in with.points.iter().zip(&without.points) {
        assert_eq!(a.means, b.means, "point {}", a.point);
    }
    let gave_up: Vec<(u64, u64)> = with
        .gave_up
        .iter()
        .map(|run| (run.point, run.replication))
        .collect();
    assert_eq!(gave_up, [(2, 0), (2, 1)]);
    let why = &with.gave_up[0].why;
    assert!(
        why.starts_with("gave up: more than 500 packets wait, at "),
        "{why}"
    );
    assert!(why.contains("the port of link core"), "{why}");
    assert!(with.abandoned.is_empty());
    assert!(with.points[2].means.is_empty(), "it has no numbers");
    let verdicts: Vec<Verdict> = with.claims.iter().map(|claim| claim.verdict).collect();
    use Verdict::{Pass, Undecided};
    assert_eq!(verdicts, [Pass, Undecided, Undecided, Undecided]);
    for claim in &with.claims[1..] {
        let note = claim.note.as_deref().expect("a reason");
        assert!(
            note.contains("at point 2: gave up: "),
            "{}: {note}",
            claim.claim
        );
    }
}

#[test]
fn a_run_that_gave_up_is_kept_and_not_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(r#""5Mbps", "100Mbps""#, "", "");
    let first = healthy(&study, folder.path());
    let again = healthy(&study, folder.path());
    assert_eq!((first.made, again.made), (4, 0));
    assert_eq!(again.gave_up, first.gave_up);
    assert_eq!(again.fingerprint, first.fingerprint);
    let more = Sweep {
        replications: 3,
        ..order(&study, folder.path(), 2)
    };
    let more = sweep(&more, &Machine::default()).expect("it comes to its end");
    assert_eq!((more.made, more.gave_up.len()), (2, 3));
}

#[test]
fn a_pilot_that_gives_up_has_no_warmup_and_ends_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let numbers = r#""link.core.queue_mean_pkts""#;
    let study = study(r#""5Mbps", "100Mbps""#, numbers, "");
    let outline = healthy(&study, folder.path());
    assert_eq!(outline.points[1].is_settled, Some(false));
    assert_eq!(outline.gave_up.len(), 2);
}

#[test]
fn runs_beyond_the_machine_are_listed_and_made_when_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
    let study = study(r#""5Mbps", "8Mbps""#, "", "");
    let expected = healthy(&study, &theirs);
    let stopped = swept(&study, &ours, SHORT, None);
    assert_eq!(stopped.abandoned.len(), 4, "all took longer than nothing");
    let why = &stopped.abandoned[0].why;
    assert!(why.contains("--run-time"), "{why}");
    assert!(stopped.points.iter().all(|point| point.means.is_empty()));
    assert_eq!(stopped.claims[0].verdict, Verdict::Undecided);
    let again = healthy(&study, &ours);
    assert_eq!((again.made, again.abandoned.len()), (0, 4), "nobody asked");
    let again = true;
    let retried = swept(
        &study,
        &ours,
        RunLimits {
            again,
            ..RunLimits::default()
        },
        None,
    );
    assert_eq!((retried.made, retried.abandoned.len()), (4, 0));
    assert_eq!(retried.fingerprint, expected.fingerprint);
    assert_eq!(retried.points, expected.points);
}

#[test]
fn memory_beyond_its_limit_stops_runs_and_memory_within_it_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(r#""5Mbps", "8Mbps""#, "", "");
    let limits = RunLimits {
        memory: Some(1000),
        ..RunLimits::default()
    };
    let within = swept(&study, &folder.path().join("within"), limits, Some(1000));
    assert_eq!(within.abandoned, []);
    let beyond = swept(&study, &folder.path().join("beyond"), limits, Some(1001));
    assert!(!beyond.abandoned.is_empty());
    assert!(
        beyond
            .abandoned
            .iter()
            .all(|run| run.why.contains("--run-memory"))
    );
}

#[test]
fn a_finished_run_takes_the_place_of_a_stopped_one_in_a_merge() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(r#""5Mbps", "100Mbps""#, "", "");
    let [whole, stopped, both, alone] =
        ["whole", "stopped", "both", "alone"].map(|name| folder.path().join(name));
    let expected = healthy(&study, &whole);
    let short = swept(&study, &stopped, SHORT, None);
    assert!(!short.abandoned.is_empty());
    for folders in [[&stopped, &whole], [&whole, &stopped]] {
        let merged = united(&folders.map(Clone::clone), &both);
        assert_eq!(merged.abandoned, []);
        assert_eq!(merged.fingerprint, expected.fingerprint);
        assert_eq!(merged.gave_up, expected.gave_up);
    }
    let merged = united(&[stopped], &alone);
    assert_eq!(
        merged.abandoned, short.abandoned,
        "nobody has finished them"
    );
}

fn united(folders: &[PathBuf], into: &Path) -> Outline {
    let order = Merge {
        folders,
        into,
        plan: None,
    };
    match merge(&order, &Machine::default()).expect("they belong together") {
        Merged::Whole(outline) => *outline,
        Merged::Incomplete(gaps) => panic!("{gaps:?}"),
    }
}
