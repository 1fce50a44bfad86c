//! Warnings at the end of a run: each appears where it should, and nowhere else.

use pacesim_runs::plan::Plan;
use pacesim_runs::run::run;
use pacesim_runs::summary::{Bottleneck, Summary, WarningKind};

use crate::common::from_text;
use crate::runs::PATIENT;

/// One link with these keys, and one flow with this traffic.
fn summary(run_keys: &str, link: &str, traffic: &str) -> Summary {
    let text = format!(
        r#"
run = {{ {run_keys} }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", duplex = true, back = {{ buffer = "unlimited", pacer = {{ kind = "none" }} }}, {link} }}]
flow = [{{ name = "f", from = "a", to = "b", traffic = {{ {traffic} }} }}]
"#
    );
    let input = from_text(&text, &[]);
    run(&input, 0, &Plan::default(), &mut { PATIENT }).expect("it runs")
}

fn kinds(summary: &Summary) -> Vec<WarningKind> {
    summary
        .warnings
        .iter()
        .map(|warning| warning.kind)
        .collect()
}

const LONG: &str = r#"duration = "20s", warmup = "1s""#;
const SLOW_LINE: &str = r#"rate = "10Mbps", delay = "5ms""#;

#[test]
fn a_sound_run_has_no_warnings() {
    let poisson = r#"kind = "poisson", rate = "8Mbps", size = "1KB""#;
    let link = format!("{SLOW_LINE}, buffer = \"20pkts\"");
    assert_eq!(kinds(&summary(LONG, &link, poisson)), []);
    let tcp = r#"kind = "tcp", window = "100pkts""#;
    assert_eq!(kinds(&summary(LONG, &link, tcp)), []);
    // A queue that settles at a high level is long all the time, and does not grow.
    let windowed = format!("{SLOW_LINE}, buffer = \"unlimited\"");
    assert_eq!(kinds(&summary(LONG, &windowed, tcp)), []);
}

#[test]
fn a_pacer_that_holds_without_end_is_told() {
    let paced = format!(
        "{SLOW_LINE}, buffer = \"20pkts\", pacer = {{ kind = \"rule_of_thumb\", utilisation = 0.8, d_max = \"5ms\" }}"
    );
    let over = r#"kind = "poisson", rate = "11Mbps", size = "1KB""#;
    let summary = summary(LONG, &paced, over);
    assert!(
        kinds(&summary).contains(&WarningKind::GrowingPorts),
        "{:?}",
        summary.warnings
    );
    let text = &summary.warnings[0].text;
    assert!(text.contains("core"), "{text}");
}

#[test]
fn a_queue_of_seconds_is_told_where_it_is() {
    let deep = r#"rate = "1Mbps", delay = "5ms", buffer = "1000pkts""#;
    let over = r#"kind = "cbr", rate = "2Mbps", size = "1KB""#;
    let summary = summary(r#"duration = "60s", warmup = "20s""#, deep, over);
    assert_eq!(kinds(&summary), [WarningKind::StandingPorts]);
    // A thousand packets of 8 ms.
    assert!(
        summary.warnings[0].text.contains("wait 8.0 s at core"),
        "{:?}",
        summary.warnings
    );
}

#[test]
fn a_shaper_is_the_bottleneck_of_what_it_holds() {
    let shaped = r#"rate = "100Mbps", delay = "10ms", pacer = { kind = "token_bucket", rate = "5Mbps", burst = "10KB" }"#;
    let summary = summary(LONG, shaped, r#"kind = "tcp", window = "50pkts""#);
    assert_eq!(kinds(&summary), [WarningKind::FullPacers]);
    let tcp = summary.flows[0].tcp.clone().expect("TCP");
    let limit = tcp.limited_by.expect("it was there");
    assert_eq!(limit.what, Bottleneck::Pacer);
    assert_eq!(limit.which.as_deref(), Some("core"));
    let pacer = summary.links[0].pacer.clone().expect("a pacer");
    let share = pacer.pacer_utilisation.expect("a rate of its own");
    assert!((share - 1.0).abs() < 0.01, "{share}");
}

#[test]
fn sizes_that_are_clipped_are_told() {
    let clipped = r#"kind = "poisson", rate = "1Mbps", size = { normal = { mean = "500B", std_dev = "400B" } }"#;
    let summary = summary(LONG, SLOW_LINE, clipped);
    assert_eq!(kinds(&summary), [WarningKind::ClippedGroups]);
    // The probability that the normal distribution is below half a byte: 10.6 %.
    assert!(
        summary.warnings[0].text.starts_with("10.6 %"),
        "{:?}",
        summary.warnings
    );
}

#[test]
fn transfers_that_had_not_ended_are_told() {
    let transfers = |every: &str| {
        let arrivals = format!("{{ kind = \"poisson\", every = \"{every}\" }}");
        let traffic =
            format!("kind = \"tcp\", transfers = {{ size = \"100KB\", arrivals = {arrivals} }}");
        summary(r#"duration = "20s""#, SLOW_LINE, &traffic)
    };
    // Each takes 80 ms of the line.
    let over = transfers("50ms");
    let warned = kinds(&over).contains(&WarningKind::UnfinishedGroups);
    assert!(warned, "{:?}", over.warnings);
    assert_eq!(kinds(&transfers("400ms")), [WarningKind::NoWarmup]);
}

#[test]
fn a_warm_up_below_the_round_trip_is_told() {
    let far = r#"rate = "10Mbps", delay = "300ms""#;
    let tcp = r#"kind = "tcp", window = "20pkts""#;
    let short = summary(r#"duration = "20s", warmup = "100ms""#, far, tcp);
    // The window of 20 packets leaves the line idle, whatever the warm-up.
    let window = WarningKind::SmallWindows;
    assert_eq!(kinds(&short), [WarningKind::ShortWarmups, window]);
    let long = summary(r#"duration = "20s", warmup = "2s""#, far, tcp);
    assert_eq!(kinds(&long), [window]);
    assert!(
        long.warnings[0]
            .text
            .starts_with("f is limited by its window of 20 packets for "),
        "{:?}",
        long.warnings
    );
    let none = summary(r#"duration = "20s""#, far, tcp);
    assert_eq!(kinds(&none), [WarningKind::NoWarmup, window]);
}
