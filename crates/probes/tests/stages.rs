//! Every kind of measure gives the same numbers at a plain port, at one whose drop-tail queue is
//! declared, and at one whose link an event changes without effect.

use std::collections::BTreeSet;
use std::sync::Arc;

use pacesim::model::change::{Change, TimedChange};
use pacesim::model::{Model, PortQueue};
use pacesim::units::{LinkId, Span, Time};
use pacesim_probes::measured::measured;
use pacesim_probes::schema::Measurement;
use pacesim_runs::run_monitor::Unwatched;
use pacesim_study::measure::built_in;
use pacesim_study::{Study, StudyText};

/// All that can be measured at "core" and of the flows that pass it.
const MEASURES: &str = r#"
measure = [
    { name = "bo", kind = "burstiness", link = "core", at = "offered", finest = "1ms", scales = 6 },
    { name = "sp", kind = "spectrum", link = "core", at = "offered", interval = "1ms" },
    { name = "bs", kind = "burstiness", link = "core", at = "sent", finest = "1ms", scales = 6 },
    { name = "a", kind = "autocovariance", link = "core", at = "released", interval = "10ms", lags = [0, 1, 5] },
    { name = "h", kind = "hurst", link = "core", at = "offered", interval = "10ms" },
    { name = "go", kind = "gaps", link = "core", at = "offered" },
    { name = "gr", kind = "gaps", link = "core", at = "released" },
    { name = "gs", kind = "gaps", link = "core", at = "sent", flows = "t" },
    { name = "qp", kind = "queue", link = "core" },
    { name = "qb", kind = "queue", link = "core", unit = "bytes", bin = 100 },
    { name = "ql", kind = "queue", link = "core", sampled = "departures" },
    { name = "qa", kind = "queue_autocovariance", link = "core", interval = "10ms", lags = [0, 1, 5] },
    { name = "d", kind = "delays", flows = "p" },
    { name = "th", kind = "throughput", link = "core", interval = "100ms" },
    { name = "c", kind = "completions", flows = "t" },
    { name = "f", kind = "fairness", groups = ["p", "t"] },
    { name = "l", kind = "losses", flows = "p" },
    { name = "u", kind = "loads", links = "core" },
    { name = "vd", kind = "distribution", of = "delays", flows = "p" },
    { name = "vg", kind = "distribution", of = "gaps", link = "core" },
    { name = "vc", kind = "distribution", of = "completions", flows = "t" },
    { name = "vb", kind = "distribution", of = "goodputs", flows = "t" },
    { name = "sq", kind = "series", link = "core", metric = "queue_pkts", every = "50ms" },
    { name = "sa", kind = "series", link = "core", metric = "arrived_pkts", every = "50ms" },
    { name = "su", kind = "series", link = "core", metric = "utilisation", every = "50ms" },
    { name = "ho", kind = "hops", flows = "t" },
    { name = "vi", kind = "victims", flows = "t" },
    { name = "sg", kind = "series", flows = "t", metric = "goodput_bps", every = "50ms" },
]
"#;

const PORTS: [&str; 6] = [
    r#"buffer = "20pkts""#,
    "buffer = \"20pkts\"\nbuffer_counts = \"system\"",
    r#"buffer = "15KB""#,
    r#"buffer = "unlimited""#,
    "buffer = \"40pkts\"\npacer = { kind = \"leaky_bucket\", rate = \"9500kbps\", buffer = \"30pkts\" }",
    "buffer = \"40pkts\"\nloss = { bernoulli = 0.01 }",
];

fn study(port: &str) -> Study {
    let text = format!(
        r#"
        run = {{ duration = "6s", warmup = "1s" }}
        node = [{{ name = "a" }}, {{ name = "b" }}, {{ name = "c" }}]
        flow = [
            {{ name = "p", from = "a", to = "c", traffic = {{ kind = "poisson", rate = "7Mbps", size = {{ uniform = ["100B", "1500B"] }} }} }},
            {{ name = "t", count = 3, from = "a", to = "c", traffic = {{ kind = "tcp", profile = "linux", ecn = true, transfers = {{ size = "50KB", pause = "100ms" }} }} }},
        ]
        {MEASURES}
        [[link]]
        name = "wire"
        from = "a"
        to = "b"
        rate = "100Mbps"
        delay = "1ms"
        [[link]]
        name = "core"
        from = "b"
        to = "c"
        rate = "10Mbps"
        delay = "5ms"
        {port}
        [sweep]
        replications = 1
        axis = [{{ name = "draw", key = "run.seed", values = [1] }}]
        "#
    );
    let text = StudyText::parse("stages.toml", "stages", text.as_bytes(), Arc::new(()));
    text.check().unwrap_or_else(|problems| panic!("{problems}"))
}

fn found(study: &Study, model: Model) -> Vec<Measurement> {
    let measured = measured(model, &study.measures, &mut Unwatched);
    measured.unwrap_or_else(|error| panic!("{error}")).1
}

/// The model with changes of the link at this time that change nothing.
fn changed(model: &Model, link: LinkId, at: Span) -> Model {
    let now = &model.links[link.index()];
    let all = [Change::Rate(now.rate), Change::Delay(now.delay), Change::Up];
    let at_time = |change| TimedChange {
        at: Time::ZERO + at,
        link,
        change,
    };
    let mut changed = model.clone();
    changed.changes.extend(all.map(at_time));
    changed
}

#[test]
fn measures_do_not_depend_on_what_makes_a_port_a_stage() {
    for port in PORTS {
        let study = study(port);
        let model = study.scenario(0).expect("a sound point").expand(1, 0);
        let core = model.links.iter().position(|link| link.name == "core");
        let core = LinkId::from_index(core.expect("a core"));
        let plain = found(&study, model.clone());
        let mut declared = model.clone();
        declared.link_mut(core).extras.queue = Some(PortQueue::DropTail);
        let others = [
            ("declared", declared),
            ("an event amid", changed(&model, core, Span::from_ms(3210))),
            ("an event later", changed(&model, core, Span::from_secs(60))),
        ];
        for (name, other) in others {
            let staged = found(&study, other);
            for ((measure, plain), staged) in study.measures.iter().zip(&plain).zip(&staged) {
                let which = format!("{port}: {name}, {}", measure.name);
                assert_eq!(plain.numbers, staged.numbers, "{which}");
                assert_eq!(plain.rows, staged.rows, "{which}");
            }
        }
    }
}

#[test]
fn every_kind_of_measure_is_in_that_law() {
    let measures = study(PORTS[0]).measures;
    let of_kind = |kind: &str| {
        let line = format!("kind = \"{kind}\"");
        measures
            .iter()
            .any(|measure| measure.to_toml().contains(&line))
    };
    let kinds: BTreeSet<&str> = built_in().into_iter().map(|(_, kind)| kind).collect();
    let missing: Vec<_> = kinds.into_iter().filter(|kind| !of_kind(kind)).collect();
    assert!(missing.is_empty(), "{missing:?} are not tried");
}
