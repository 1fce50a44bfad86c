//! The congestion controls that come with pacesim: their findings are docs/conformance.md.

use std::fmt::Write;
use std::path::Path;

use pacesim_tcp::{Config, Control, Profile, Variant};
use pacesim_tcp_conformance::{Finding, Report, Verdict, check};

fn linux(control: Control, ecn: bool) -> Config {
    let mut config = Config::linux(Variant::Sack);
    config.control = control;
    config.linux.ecn = ecn;
    config
}

fn rfc(control: Control) -> Config {
    let mut config = Config::rfc(Variant::Sack);
    config.control = control;
    config
}

/// The senders on the page.
fn senders() -> Vec<(&'static str, Config)> {
    vec![
        (
            "NewReno of ns-2",
            Config::new(Profile::Ns2, Variant::NewReno),
        ),
        ("SACK of ns-2", Config::new(Profile::Ns2, Variant::Sack)),
        ("Reno of the RFCs", rfc(Control::Reno)),
        ("CUBIC of the RFCs", rfc(Control::Cubic)),
        ("Reno of Linux", linux(Control::Reno, false)),
        ("CUBIC of Linux", linux(Control::Cubic, false)),
        ("CUBIC of Linux, ECN", linux(Control::Cubic, true)),
        ("DCTCP, ECN", linux(Control::Dctcp, true)),
        ("Prague, ECN", linux(Control::Prague, true)),
        ("BBR", linux(Control::Bbr, false)),
        ("BBR version 3", linux(Control::Bbr3, false)),
        (
            "BBR version 3 by its draft",
            linux(Control::Bbr3Draft, false),
        ),
    ]
}

const HEAD: &str = "# Conformance of congestion controls

RFC 9743 (*Specifying New Congestion Control Algorithms*, BCP 133) lists what a new control must be evaluated on.
`pacesim_tcp_conformance::check` runs a trial for each of its criteria that concerns a sender, and checks the laws of senders at
every step: the window is at least one packet and kept, so is the receiver's window; data outstanding imply a timer; a paced
sender does not exceed its rate; everything arrives once and in order. For a control of your own:

```rust
let mut config = Config::rfc(Variant::Sack);
config.control = OwnControl::new(\"mine\", |_: &Setup| Mine::default()).into();
let report = pacesim_tcp_conformance::check(&config);
assert_eq!(report.failures().count(), 0, \"{report}\");
```

The bounds are pacesim's own, since the RFC has no numbers. This page has the findings on the controls that come with pacesim, all on one path of 10 Mbps and 40 ms unless the trial says otherwise. A
failure is a property of the algorithm, not a defect of the model: DCTCP, for example, is not meant for paths that it shares
with Reno.

`UPDATE_DOCS=1 cargo test -p pacesim-tcp-conformance --test all built_in` writes this page.
";

fn section(page: &mut String, trial: usize, reports: &[(&str, Report)]) {
    let first: &Finding = &reports[0].1.findings[trial];
    let of = |report: &Report| report.findings[trial].clone();
    let bound = reports.iter().find_map(|(_, report)| of(report).bound);
    let title = format!(
        "{}{}",
        first.criterion[..1].to_uppercase(),
        &first.criterion[1..]
    );
    let bound = bound.map_or("without a bound".to_owned(), |bound| {
        format!("must be {bound}")
    });
    let trial = format!("{}{}", first.trial[..1].to_uppercase(), &first.trial[1..]);
    write!(page, "\n## {title}\n\n{trial} ({bound}).\n\n").expect("a string");
    page.push_str("| control | measured | verdict |\n| --- | --- | --- |\n");
    for (name, report) in reports {
        let Finding {
            measured, verdict, ..
        } = of(report);
        writeln!(page, "| {name} | {measured} | {verdict} |").expect("a string");
    }
}

fn page(reports: &[(&str, Report)]) -> String {
    let mut page = HEAD.to_owned();
    for trial in 0..reports[0].1.findings.len() {
        section(&mut page, trial, reports);
    }
    page
}

#[test]
fn the_page_has_the_findings_on_each_control() {
    let senders = senders();
    let reports: Vec<(&str, Report)> = std::thread::scope(|scope| {
        let runs: Vec<_> = senders
            .iter()
            .map(|(name, config)| (*name, scope.spawn(|| check(config))))
            .collect();
        let joined = runs
            .into_iter()
            .map(|(name, run)| (name, run.join().expect("a report")));
        joined.collect()
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/conformance.md");
    let made = page(&reports);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).expect("a writable page");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/conformance.md has other findings: UPDATE_DOCS=1 cargo test -p pacesim-tcp-conformance --test all built_in writes it"
    );
    for (name, report) in &reports {
        let broken = report
            .findings
            .iter()
            .find(|of| of.measured.contains("the law of"));
        assert_eq!(broken, None, "{name}: no law of senders is broken");
        assert!(
            report
                .findings
                .iter()
                .any(|of| of.verdict == Verdict::Holds)
        );
    }
}
