//! Numbers that need care: quantiles of few values, missing and identical replications, clusters,
//! intervals of what cannot be negative, zeros on logarithmic axes.

use pacesim_claims::claims::{Claim, Verdict};
use pacesim_runs::run_monitor::Unwatched;
use pacesim_study::Study;
use pacesim_sweep::draw::draw;
use pacesim_sweep::input::mistakes;
use pacesim_sweep::make::sweep;
use pacesim_sweep::outline::{MainMean, Outline};

use crate::common::{checked, order};

const NODES: &str = "[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n";

/// Few transfers of heavy-tailed sizes behind two buffers.
const TRANSFERS: &str = r#"
run = { duration = "150ms" }
[[link]]
name = "core"
from = "a"
to = "b"
rate = "1Mbps"
delay = "5ms"
buffer = "20pkts"
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "tcp", transfers = { size = { pareto = { mean = "20KB", shape = 1.1 } }, arrivals = { kind = "poisson", every = "60ms" }, connection = "new" } }
[sweep]
replications = 20
axis = [{ name = "buffer", key = "link.core.buffer", values = ["4pkts", "8pkts"] }]
[[plot]]
name = "times"
x = "buffer"
y = "flows.f.completion_mean_s"
[[expect]]
claim = "transfers are fast"
y = "flows.f.completion_mean_s"
at = { buffer = "8pkts" }
at_most = "140ms"
[[expect]]
claim = "a quantile of few transfers"
y = "flows.f.completion_p99_s"
at = { buffer = "8pkts" }
at_most = "10s"
[[expect]]
claim = "a ratio that few replications have"
y = "link.core.loss_ratio"
at = { buffer = "4pkts" }
over = { buffer = "8pkts" }
at_least = 0.01
"#;

/// Flows of CUBIC, without anything random.
const SAME: &str = r#"
run = { duration = "1s", ties = "ids" }
[[link]]
name = "core"
from = "a"
to = "b"
rate = "10Mbps"
buffer = "20pkts"
[[flow]]
name = "f"
count = 3
from = "a"
to = "b"
traffic = { kind = "tcp", profile = "rfc", control = "cubic" }
[sweep]
replications = 4
[[expect]]
claim = "busy"
y = "link.core.utilisation"
at_least = 0.5
[[expect]]
claim = "nothing is lost, planted false"
y = "link.core.loss_ratio"
at_most = 0.0
"#;

fn study(text: &str) -> Study {
    // Keys of the root come before tables.
    let (root, tables) = text.trim_start().split_once('\n').expect("several lines");
    let study = checked("care", &format!("{root}\n{NODES}{tables}"));
    assert!(mistakes(&study).is_empty(), "{:?}", mistakes(&study));
    study
}

fn run(study: &Study) -> Outline {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("care");
    sweep(&order(study, &out, 2), &Unwatched).unwrap_or_else(|error| panic!("{error}"))
}

/// The note on an undecided claim.
fn note(claim: &Claim) -> &str {
    assert_eq!(claim.verdict, Verdict::Undecided, "{claim:?}");
    claim.note.as_deref().expect("a note")
}

fn mean<'o>(outline: &'o Outline, point: usize, metric: &str) -> &'o MainMean {
    let mut all = outline.points[point].means.iter();
    let found = all.find(|mean| mean.number.metric == metric);
    found.expect(metric)
}

#[test]
fn claims_count_the_replications_that_have_a_number() {
    let study = study(TRANSFERS);
    let outline = run(&study);
    let spread = mean(&outline, 1, "completion_mean_s").spread;
    assert!(
        0 < spread.n && spread.n < 20 && spread.replications == 20,
        "{spread:?}"
    );
    let [fast, few, ratio] = &outline.claims[..] else {
        panic!("{:?}", outline.claims);
    };
    let counted = format!("{} of 20 replications have", spread.n);
    assert!(note(fast).contains(&counted), "{fast:?}");
    assert!(!note(fast).contains("give two"), "{fast:?}");
    assert!(note(few).contains("fewer than five values"), "{few:?}");
    assert!(
        mean(&outline, 1, "completion_p99_s")
            .spread
            .marks
            .few_values
    );
    assert!(note(ratio).contains("of 20 replications ha"), "{ratio:?}");
    assert!(!note(ratio).contains("would decide"), "{ratio:?}");
}

#[test]
fn figures_ring_the_points_that_replications_lack() {
    let study = study(TRANSFERS);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("care");
    let order = order(&study, &out, 2);
    sweep(&order, &Unwatched).expect("it runs");
    let figures = draw(&order, &Unwatched).expect("all runs are there");
    let series = &figures[0].1.panels[0].series[0];
    let is_told = |remark: &String| remark.contains("of 20 have a value");
    assert!(series.remarks.iter().any(is_told), "{series:?}");
    assert!(series.points.iter().all(|point| point.interval.is_none()));
}

#[test]
fn identical_replications_have_no_interval_and_are_judged_by_the_number() {
    let outline = run(&study(SAME));
    let utilisation = mean(&outline, 0, "utilisation").spread;
    assert!(utilisation.marks.identical);
    assert_eq!((utilisation.low, utilisation.high), (None, None));
    for (claim, verdict) in outline.claims.iter().zip([Verdict::Pass, Verdict::Differs]) {
        assert_eq!(
            (claim.verdict, claim.low, claim.high),
            (verdict, None, None),
            "{claim:?}"
        );
        let note = claim.note.as_deref().expect("a note");
        assert!(
            note.starts_with("4 identical replications: nothing is drawn"),
            "{note}"
        );
    }
}

/// A wire that may lose packets and has not: the replications are the same by chance.
#[test]
fn replications_that_happen_to_be_the_same_keep_their_interval() {
    let lossy = SAME.replace(
        "buffer = \"20pkts\"",
        "buffer = \"2000pkts\"\nloss = { bernoulli = 1e-9 }",
    );
    let outline = run(&study(&lossy));
    assert!(!mean(&outline, 0, "utilisation").spread.marks.identical);
    let [busy, lost] = &outline.claims[..] else {
        panic!("{:?}", outline.claims);
    };
    assert_eq!((busy.verdict, busy.low), (Verdict::Pass, busy.high));
    assert!(note(lost).contains("claim a bound above zero"), "{lost:?}");
}

/// Bursts of some replications overflow the buffer, so that the losses are skewed.
#[test]
fn intervals_of_what_cannot_be_negative_stay_above_zero() {
    let rare = r#"
run = { duration = "2s" }
[[link]]
name = "core"
from = "a"
to = "b"
rate = "10Mbps"
buffer = "60pkts"
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "9Mbps", size = "1KB" }
[sweep]
replications = 3
axis = [{ name = "buffer", key = "link.core.buffer", values = ["2pkts", "10pkts", "20pkts", "30pkts", "40pkts", "60pkts"] }]
[[plot]]
name = "loss"
x = "buffer"
y = "link.core.loss_ratio"
log = ["y"]
[[plot]]
name = "queue"
x = "buffer"
y = "link.core.queue_mean_pkts"
[[plot]]
name = "greatest"
x = "buffer"
y = "link.core.queue_max_pkts"
"#;
    let study = study(rare);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("care");
    let order = order(&study, &out, 2);
    let outline = sweep(&order, &Unwatched).expect("it runs");
    let spreads = outline.points.iter().flat_map(|point| &point.means);
    for spread in spreads.map(|mean| mean.spread) {
        assert!(
            spread.low >= Some(0.0) && spread.low <= spread.mean,
            "{spread:?}"
        );
        assert!(spread.high >= spread.mean, "{spread:?}");
    }
    // Every point of the figure is drawn, that with a loss of 0 as an arrow at the edge.
    let figures = draw(&order, &Unwatched).expect("all runs are there");
    assert_eq!(figures[0].1.panels[0].series[0].points.len(), 6);
    assert!(figures[0].1.svg().contains("arrow at the edge"));
}
