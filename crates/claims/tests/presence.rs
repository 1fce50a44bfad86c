//! Rates of groups that are present at different times.

use pacesim_claims::claims::{Claim, Value, Verdict};

use crate::common::checked;
use crate::queues::run;

/// Two groups of 9 Mbps on a link of 10 Mbps, with the presence of each.
fn study(first: &str, second: &str, claims: &str) -> String {
    format!(
        r#"
run = {{ duration = "4s" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "20pkts" }}]
[[flow]]
name = "f"
from = "a"
to = "b"
{first}
traffic = {{ kind = "cbr", rate = "9Mbps", size = "1KB" }}
[[flow]]
name = "g"
from = "a"
to = "b"
{second}
traffic = {{ kind = "cbr", rate = "9Mbps", size = "1KB" }}
[sweep]
replications = 2
{claims}
"#
    )
}

fn judged(first: &str, second: &str, claims: &[(&str, &str)]) -> Vec<Claim> {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = claims
        .iter()
        .enumerate()
        .map(|(i, (y, keys))| format!("[[expect]]\nclaim = \"{i}\"\ny = \"{y}\"\n{keys}\n"));
    let text = study(first, second, &tables.collect::<String>());
    run(&checked("presence", &text), &folder.path().join("out")).claims
}

fn number(claim: &Claim) -> f64 {
    match &claim.ours {
        Some(Value::Number(number)) => *number,
        other => panic!("{other:?}"),
    }
}

const FIRST: &str = "stop = \"2s\"";
const SECOND: &str = "start = \"2s\"";

#[test]
fn rates_of_groups_one_after_the_other_do_not_add_up_beyond_the_link() {
    let found = judged(
        FIRST,
        SECOND,
        &[
            (
                "sum(flows.*.goodput_bps)",
                "at_least = \"= 1.5 * rate(core)\"",
            ),
            (
                "flows.f.throughput_bps + flows.g.throughput_bps",
                "at_most = \"= rate(core)\"",
            ),
            ("flows.f.goodput_bps", "at_least = \"8.5Mbps\""),
            (
                "flows.f.goodput_bps / link.core.utilisation",
                "at_most = \"= rate(core)\"",
            ),
            ("mean(flows.*.goodput_bps)", "about = \"4.5Mbps\""),
        ],
    );
    let verdicts: Vec<Verdict> = found.iter().map(|claim| claim.verdict).collect();
    use Verdict::{Differs, Pass};
    assert_eq!(verdicts, [Differs, Pass, Pass, Pass, Pass], "{found:#?}");
    let note = found[0].note.as_deref().expect("a note");
    let told = "rates of several groups are over the measured time; present are f for 50 % of it, g for 50 % of it";
    assert!(note.ends_with(told), "{note}");
    let alone = found[2].note.as_deref().unwrap_or_default();
    assert!(
        !alone.contains("present are"),
        "a rate of one group is over its own time: {alone}"
    );
    assert!(found[0].ours().contains("Mbps"), "{}", found[0].ours());
}

#[test]
fn quotients_and_fairness_of_groups_are_of_one_time_too() {
    let found = judged(
        "stop = \"1s\"",
        "start = \"2s\"",
        &[
            (
                "flows.f.goodput_bps",
                "per = \"flows.g.goodput_bps\"\nabout = 0.5",
            ),
            ("flows.f.goodput_bps / flows.g.goodput_bps", "about = 0.5"),
            (
                "flows.f.goodput_bps",
                "jain_with = [\"flows.g.goodput_bps\"]\nabout = 0.9",
            ),
        ],
    );
    for claim in &found {
        assert_eq!(claim.verdict, Verdict::Pass, "{claim:#?}");
        let note = claim.note.as_deref().expect("a note");
        assert!(
            note.contains("f for 25 % of it, g for 50 % of it"),
            "{note}"
        );
    }
}

/// A law: all that groups get together is what the link carried, whenever they are present.
#[test]
fn the_throughput_of_all_groups_is_what_the_link_carries() {
    let times = [
        "",
        "start = \"1s\"",
        "stop = \"3s\"",
        "start = \"3s\"",
        "start = \"1s\"\nstop = \"2s\"",
    ];
    for first in times {
        for second in times {
            let law = "sum(flows.*.throughput_bps) / (10Mbps * link.core.utilisation)";
            let found = judged(first, second, &[(law, "about = 1.0\nwithin = 0.01")]);
            let share = number(&found[0]);
            assert!((share - 1.0).abs() < 0.01, "{first} {second}: {share}");
        }
    }
}
