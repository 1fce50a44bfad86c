//! Runs that are steady are rarely called unsteady, and those that are not are.

use pacesim_runs::plan::Plan;
use pacesim_runs::run::run;
use pacesim_runs::summary::WarningKind;

use crate::common::from_text;
use crate::runs::PATIENT;

/// Steady runs: text, and the number of replications.
fn steady() -> Vec<(String, u64)> {
    let one_link = |run: &str, buffer: &str, flows: &str| {
        format!(
            "run = {{ {run} }}\nnode = [{{ name = \"a\" }}, {{ name = \"b\" }}]\nlink = [{{ name = \"core\", from = \"a\", to = \"b\", rate = \"10Mbps\", delay = \"5ms\", buffer = \"{buffer}\" }}]\n{flows}"
        )
    };
    let poisson = |load: &str| {
        format!(
            "flow = [{{ name = \"f\", from = \"a\", to = \"b\", traffic = {{ kind = \"poisson\", rate = \"{load}\", size = \"1KB\" }} }}]\n"
        )
    };
    let tcp = |count: u32, keys: &str| {
        format!(
            "flow = [{{ name = \"t\", count = {count}, from = \"a\", to = \"b\", start = {{ uniform = [\"0s\", \"1s\"] }}, traffic = {{ kind = \"tcp\", {keys} }} }}]\n"
        )
    };
    let short = "duration = \"12s\", warmup = \"2s\"";
    let long = "duration = \"60s\", warmup = \"15s\"";
    vec![
        (one_link(short, "1000pkts", &poisson("8Mbps")), 300),
        (one_link(short, "5pkts", &poisson("9Mbps")), 200),
        (one_link(short, "20pkts", &poisson("9.5Mbps")), 200),
        (one_link(short, "10pkts", &poisson("12Mbps")), 100),
        (one_link(long, "20pkts", &tcp(10, "variant = \"sack\"")), 60),
        (one_link(long, "20pkts", &tcp(5, "profile = \"linux\"")), 60),
        (
            one_link(
                long,
                "50pkts",
                &tcp(2, "profile = \"linux\", control = \"bbr\""),
            ),
            40,
        ),
        (
            one_link(
                long,
                "30pkts",
                &tcp(3, "variant = \"newreno\", window = \"100pkts\""),
            ),
            40,
        ),
    ]
}

/// The replications of a scenario that are called unsteady, with their reasons.
fn unsteady(text: &str, replications: std::ops::Range<u64>) -> Vec<String> {
    warned(WarningKind::Unsteady, text, replications)
}

fn warned(kind: WarningKind, text: &str, replications: std::ops::Range<u64>) -> Vec<String> {
    let input = from_text(text, &[]);
    let mut found = Vec::new();
    for replication in replications {
        let summary =
            run(&input, replication, &Plan::default(), &mut { PATIENT }).expect("it runs");
        let warnings = summary.warnings.into_iter();
        let told = warnings.filter(|warning| warning.kind == kind);
        found.extend(told.map(|warning| format!("{replication}: {}", warning.text)));
    }
    found
}

/// The whole test takes two minutes; every part of it must hold alone.
fn false_alarms(share: u64) -> (u64, Vec<String>) {
    let mut all = 0;
    let mut found = Vec::new();
    for (text, count) in steady() {
        let count = (count / share).max(1);
        all += count;
        found.extend(unsteady(&text, 0..count));
    }
    (all, found)
}

#[test]
fn a_stationary_run_is_rarely_called_unsteady() {
    let (all, found) = false_alarms(10);
    assert!(found.len() <= 2, "{} of {all}: {found:#?}", found.len());
}

#[test]
#[ignore = "1000 runs take two minutes"]
fn of_a_thousand_stationary_runs_ten_at_most_are_called_unsteady() {
    let (all, found) = false_alarms(1);
    println!("{} of {all}: {found:#?}", found.len());
    assert!(
        all == 1000 && found.len() <= 10,
        "{} of {all}: {found:#?}",
        found.len()
    );
}

/// Two flows behind a deep buffer.
fn beside_cubic(duration: &str, rate: &str, control: &str) -> String {
    format!(
        r#"
run = {{ duration = "{duration}", warmup = "15s" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", rate = "{rate}", delay = "10ms", buffer = "2000pkts" }}]
[[flow]]
name = "bbr"
from = "a"
to = "b"
traffic = {{ kind = "tcp", profile = "linux", control = "{control}" }}
[[flow]]
name = "cubic"
from = "a"
to = "b"
traffic = {{ kind = "tcp", profile = "linux", control = "cubic" }}
"#
    )
}

/// A ring of four nodes, done after half of a second, and Poisson traffic on two of its lines.
fn job_beside_poisson(job: &str) -> String {
    format!(
        r#"
host = "none"
[run]
duration = "1s"
warmup = "0s"
[topology]
shape = "leaf_spine"
leaves = 2
spines = 2
hosts = 4
access = {{ rate = "1Gbps", delay = "1us", buffer = "500pkts" }}
uplink = {{ rate = "1Gbps", delay = "1us", buffer = "500pkts" }}
[[flow]]
name = "noise"
from = "host[0]"
to = "host[4]"
traffic = {{ kind = "poisson", rate = "300Mbps", size = "1KB" }}
[[flow]]
name = "job"
from = "host[0..4]"
to = "host[0..4]"
traffic = {{ kind = "tcp", profile = "linux", {job} }}
"#
    )
}

/// The end of a job is no lack of steadiness; that of transfers without a job is one.
#[test]
fn a_finished_job_is_not_called_unsteady() {
    let job = r#"job = { kind = "ring", size = "4MB", rounds = 9 }"#;
    assert_eq!(
        unsteady(&job_beside_poisson(job), 0..1),
        Vec::<String>::new()
    );
    let transfer = r#"transfer = "4MB""#;
    let found = unsteady(
        &job_beside_poisson(transfer).replace("to = \"host[0..4]\"", "to = \"host[4..8]\""),
        0..1,
    );
    assert_eq!(found.len(), 1, "{found:?}");
}

/// BBR beside CUBIC behind a deep buffer: the losses of the start last beyond the warm-up.
#[test]
fn a_transient_beyond_the_warm_up_is_told() {
    let found = unsteady(&beside_cubic("40s", "10Mbps", "bbr3"), 0..1);
    println!("{found:#?}");
    assert_eq!(found.len(), 1);
}

/// Losses in three episodes after the warm-up, each smaller than the one before, are too few for
/// the halves to differ beyond their intervals.
#[test]
fn a_loss_that_hangs_on_few_episodes_is_told() {
    for (duration, rate) in [("40s", "10Mbps"), ("60s", "10Mbps"), ("60s", "20Mbps")] {
        for control in ["bbr", "bbr3"] {
            let text = beside_cubic(duration, rate, control);
            let found = warned(WarningKind::FewLosses, &text, 0..1);
            println!("{duration}, {rate}, {control}: {found:#?}");
            assert_eq!(found.len(), 1, "{duration}, {rate}, {control}");
        }
    }
    let busy = &steady()[4].0;
    assert_eq!(warned(WarningKind::FewLosses, busy, 0..3), [""; 0]);
}
