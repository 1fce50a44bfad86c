//! Claims that compare runs with models, and claims along an axis.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_claims::claims::Verdict;
use pacesim_runs::workers::BatchMonitor;
use pacesim_study::StudyText;
use pacesim_sweep::input::mistakes;
use pacesim_sweep::make::sweep;

use crate::claims::judged;
use crate::common::order;
use crate::queues::{QUEUES, expect, run, study};

/// The queue's own theory, a theory with a measured parameter, and an axis outside all scenarios.
const MODELS: &str = r#"
[[sweep.axis]]
name = "hypothetical"
values = [0.1, 0.5, 0.8]
[[model]]
name = "queue"
model = "mm1k"
set = { load = "hypothetical", places = "places" }
[[model]]
name = "carried"
model = "mm1k"
set = { load = "link.core.utilisation", places = "places" }
"#;

fn expect_model(lines: &str) -> String {
    format!("[[expect]]\nclaim = {lines:?}\n{lines}\n")
}

#[test]
fn claims_hold_runs_against_models_replication_by_replication() {
    let at = "at = { places = \"4pkts\", rate = \"800kbps\", hypothetical = 0.8 }";
    let claims = [
        // M/M/1/4 at load 0.8 loses 0.1218.
        format!(
            "y = \"link.core.loss_ratio\"\nper = \"model.queue.loss\"\n{at}\nabout = 1\nwithin = 0.08"
        ),
        format!("y = \"link.core.loss_ratio\"\nper = \"model.queue.loss\"\n{at}\nabout = 2"),
        // The carried load is less than the offered: 0.8 (1 - 0.1218) = 0.7026, which would lose
        // 0.0911.
        format!("y = \"model.carried.loss\"\n{at}\nabout = 0.0911\nwithin = 0.05"),
    ];
    let claims: String = claims.iter().map(|lines| expect_model(lines)).collect();
    let claims = judged(6, &format!("{MODELS}{claims}"));
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    let (pass, differs) = (Verdict::Pass, Verdict::Differs);
    assert_eq!(verdicts, [pass, differs, pass], "{claims:?}");
    assert!(
        claims[2].low < claims[2].high,
        "{:?} and {:?}",
        claims[2].low,
        claims[2].high
    );
}

#[test]
fn what_follows_from_the_point_alone_is_judged_in_one_run() {
    let at = "at = { places = \"4pkts\", rate = \"500kbps\" }\nalong = \"hypothetical\"";
    let claims = [
        format!("y = \"model.queue.loss\"\n{at}\ncourse = \"rises\""),
        format!("y = \"model.queue.loss\"\n{at}\nleast_at = 0.5"),
        format!("y = \"model.carried.loss\"\n{at}\ncourse = \"rises\""),
    ];
    let claims: String = claims.iter().map(|lines| expect_model(lines)).collect();
    let claims = judged(1, &format!("{MODELS}{claims}"));
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    let (pass, differs) = (Verdict::Pass, Verdict::Differs);
    assert_eq!(verdicts, [pass, differs, Verdict::Undecided], "{claims:?}");
}

/// A clock that goes on by a second whenever it is read.
struct Ticking(AtomicU64);

impl BatchMonitor for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn points_that_only_models_tell_apart_share_their_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = Ticking(AtomicU64::new(0));
    let made = |tables: &str| {
        let study = study(2, tables);
        sweep(&order(&study, &folder.path().join("queues"), 2), &clock).expect("it runs")
    };
    let (alone, shared) = (made(""), made(MODELS));
    // Three sizes, two rates and two replications; not three times as many.
    assert_eq!((shared.points.len(), shared.runs), (18, 12));
    assert_eq!((alone.made, shared.made), (12, 0));
    assert!(alone.wall_s > 0.0);
    let times = shared.wall_s / alone.wall_s;
    assert!(
        (times - 1.0).abs() < 1e-9,
        "their time counts {times} times"
    );
}

#[test]
fn what_models_lack_is_reported_at_its_key() {
    let claim = expect_model(
        "y = \"model.queue.loss\"\nat = { places = \"2pkts\", rate = \"500kbps\", hypothetical = 0.1 }\nat_least = 0",
    );
    let tables = format!("{MODELS}{claim}");
    for (tables, path, message) in [
        (
            tables.replace("model.queue.", "model.queu."),
            "expect[0].y",
            "no model \"queu\"",
        ),
        (
            tables.replace("queue.loss", "queue.lss"),
            "expect[0].y",
            "mm1k has no result \"lss\"",
        ),
        (tables.replacen("mm1k", "mm1q", 1), "model[0].model", "mm1q"),
        (
            tables.replace("load = \"hypo", "lod = \"hypo"),
            "model[0].set.lod",
            "no parameter \"lod\"",
        ),
        (
            tables.replace("utilisation", "utilization"),
            "model[1].set",
            "no number \"utilization\"",
        ),
    ] {
        let found = mistakes(&study(1, &tables));
        let found: Vec<(String, String)> = found
            .into_iter()
            .map(|problem| (problem.path.clone(), problem.message.clone()))
            .collect();
        let is_it = |(at, what): &(String, String)| at == path && what.contains(message);
        assert!(found.iter().any(is_it), "{path} {message}: {found:?}");
    }
}

#[test]
fn a_claim_along_an_axis_holds_at_each_of_its_values() {
    let at = "at = { rate = \"800kbps\", hypothetical = 0.8 }\nalong = \"places\"";
    let claims = [
        format!(
            "y = \"link.core.loss_ratio\"\nper = \"model.queue.loss\"\n{at}\nabout = 1\nwithin = 0.3"
        ),
        // M/M/1/K at load 0.8 loses 0.2623, 0.1218 and 0.0388 at 2, 4 and 8 places.
        format!("y = \"link.core.loss_ratio\"\n{at}\nat_least = 0.1"),
        format!("y = \"link.core.loss_ratio\"\n{at}\nat_least = 0.0388"),
    ];
    let claims: String = claims.iter().map(|lines| expect_model(lines)).collect();
    let claims = judged(6, &format!("{MODELS}{claims}"));
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    let expected = [Verdict::Pass, Verdict::Differs, Verdict::Undecided];
    assert_eq!(verdicts, expected, "{claims:?}");
}

#[test]
fn bends_are_of_slopes_and_not_of_steps() {
    // Steps of 1, 2 and 4 between the values: each place reduces the loss of a longer queue by
    // less.
    let axis = "[[sweep.axis]]\nname = \"room\"\nvalues = [1, 2, 4, 8]\n[[model]]\nname = \"queue\"\nmodel = \"mm1k\"\nset = { load = 0.99, places = \"room\" }\n";
    let at = "at = { rate = \"500kbps\", places = \"2pkts\" }\nalong = \"room\"";
    let claims = ["convex", "concave"].map(|course| {
        expect_model(&format!(
            "y = \"model.queue.loss\"\n{at}\ncourse = \"{course}\""
        ))
    });
    let claims = judged(1, &format!("{axis}{}", claims.concat()));
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Differs], "{claims:?}");
}

/// UDP loss with concurrent TCP at four buffers, from the chain: it falls, rises and falls again.
const ANOMALY: &str = "[[sweep.axis]]\nname = \"room\"\nvalues = [\"1KB\", \"8KB\", \"30KB\", \"50KB\"]\n[[model]]\nname = \"queue\"\nmodel = \"anomaly\"\nset = { buffer = \"room\", from = \"room\", to = \"room\" }\n";

fn expect_anomaly(lines: &str) -> String {
    let at = "at = { rate = \"500kbps\", places = \"2pkts\" }\nalong = \"room\"";
    expect_model(&format!("y = \"model.queue.udp_loss\"\n{at}\n{lines}"))
}

#[test]
fn a_part_of_an_axis_has_a_course_and_extremes_of_its_own() {
    let claims = [
        "course = \"falls\"",
        "course = \"rises\"\nbetween = [\"8KB\", \"30KB\"]",
        "greatest_at = \"30KB\"",
        "greatest_at = \"30KB\"\nbetween = [\"8KB\", \"50KB\"]",
        // The slope of a line through all of it is negative.
        "slope = \"linear\"\nat_least = 0.0\nbetween = [\"8KB\", \"30KB\"]",
        "at_most = 1e-3\nbetween = [\"8KB\", \"30KB\"]",
    ];
    let claims = claims.map(expect_anomaly).concat();
    let claims = judged(1, &format!("{ANOMALY}{claims}"));
    let verdicts: Vec<Verdict> = claims.iter().map(|claim| claim.verdict).collect();
    let (pass, differs) = (Verdict::Pass, Verdict::Differs);
    assert_eq!(
        verdicts,
        [differs, pass, differs, pass, pass, pass],
        "{claims:?}"
    );
}

#[test]
fn a_part_that_is_none_is_reported_at_its_key() {
    for (lines, message) in [
        (
            "course = \"falls\"\nbetween = [\"30KB\", \"8KB\"]",
            "not before",
        ),
        (
            "course = \"falls\"\nbetween = [\"8KB\", \"31KB\"]",
            "no value \"31KB\"",
        ),
        (
            "least_at = \"1KB\"\nbetween = [\"8KB\", \"50KB\"]",
            "not between",
        ),
    ] {
        let claim = expect_anomaly(lines);
        let text = QUEUES.replace("REPLICATIONS", "1") + ANOMALY + &claim;
        let text = StudyText::parse("queues.toml", "queues", text.as_bytes(), Arc::new(()));
        let problems = text.check().expect_err(message).to_string();
        assert!(problems.contains("expect[0].between"), "{problems}");
        assert!(problems.contains(message), "{problems}");
    }
}

#[test]
fn no_loss_among_few_packets_shows_no_more_than_their_number_allows() {
    let at = "at = { places = \"8pkts\", rate = \"50kbps\" }";
    let claims = ["0.01", "0.0001", "0.0"].map(|bound| expect(&format!("{at}\nat_most = {bound}")));
    let text = QUEUES
        .replace("REPLICATIONS", "3")
        .replace("500kbps\", \"800kbps", "50kbps\", \"800kbps");
    let text = StudyText::parse(
        "queues.toml",
        "queues",
        (text + &claims.concat()).as_bytes(),
        Arc::new(()),
    );
    let study = text.check().unwrap_or_else(|problems| panic!("{problems}"));
    let folder = tempfile::tempdir().expect("a folder");
    let judged = run(&study, &folder.path().join("queues")).claims;
    let verdicts: Vec<Verdict> = judged.iter().map(|claim| claim.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Pass, Verdict::Undecided, Verdict::Undecided]
    );
    let note = |place: usize| judged[place].note.clone().unwrap_or_default();
    assert!(note(1).contains("more packets are needed"), "{}", note(1));
    assert!(note(2).contains("claim a bound above zero"), "{}", note(2));
    assert_eq!(judged[0].low, Some(0.0));
    // Some 7300 packets: Wilson's upper end is 3.84 divided by their number.
    let high = judged[0].high.expect("an interval");
    assert!((0.0004..0.0007).contains(&high), "{high}");
}
