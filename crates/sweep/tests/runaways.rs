//! Runs that would never end, or exceed machine limits: the sweep continues, and reports them.

use pacesim_claims::claims::Verdict;
use pacesim_runs::limits::RunLimits;
use pacesim_store::sweep::Sweep;
use pacesim_sweep::make::sweep;

use crate::common::order;
use crate::overload::{Machine, SHORT, healthy, study, swept};

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
