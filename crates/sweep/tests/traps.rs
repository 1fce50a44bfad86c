//! Planted traps: each a legal file with one part that has no effect, or numbers that mislead. All
//! are warned of by the kind that is named, and the file without the trap is not.

use std::num::NonZeroUsize;
use std::path::Path;

use pacesim::scenario::WarningName;
use pacesim_runs::plan::Plan;
use pacesim_runs::run::run;
use pacesim_runs::run_monitor::Unwatched;
use pacesim_sweep::input::{self, StudyInput};

/// Two groups of flows over an access link and a core; a link and a node beside them.
const CLEAN: &str = r#"
run = { duration = "20s", warmup = "2s" }
[[node]]
name = "a"
[[node]]
name = "r"
[[node]]
name = "b"
[[node]]
name = "s"
[[link]]
name = "access"
from = "a"
to = "r"
rate = "100Mbps"
[[link]]
name = "core"
from = "r"
to = "b"
rate = "10Mbps"
delay = "5ms"
buffer = "20pkts"
[[link]]
name = "side"
from = "r"
to = "s"
rate = "100Mbps"
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "5Mbps", size = "1KB" }
[[flow]]
name = "t"
count = 4
from = "a"
to = "b"
traffic = { kind = "tcp", profile = "linux", control = "reno" }
"#;

/// Traps that a check finds: their kind, options, and lines at the end of the file.
const TRAPS: &[(WarningName, &[&str], &str)] = {
    use WarningName::*;
    &[
        (NeverStarts, &["flow.f.start=25s"], ""),
        (
            NeverStarts,
            &["flow.t.start={ uniform = [\"15s\", \"40s\"] }"],
            "",
        ),
        (NeverStarts, &["flow.f.start=20s"], ""),
        (LateFlows, &["flow.f.start=5s"], ""),
        (
            LateFlows,
            &["flow.t.start={ uniform = [\"3s\", \"4s\"] }"],
            "",
        ),
        (LateFlows, &[], "[[event]]\nat = \"6s\"\nstart = [\"f\"]\n"),
        (NeverStops, &["flow.f.stop=30s"], ""),
        (Unmeasured, &["flow.f.stop=1s"], ""),
        (Unmeasured, &[], "[[event]]\nat = \"2s\"\nstop = [\"t\"]\n"),
        (NoWarmup, &["run.warmup=0s"], ""),
        (
            NoWarmup,
            &[
                "run.warmup=0s",
                "flow.t.traffic.transfers={ size = \"100KB\", pause = \"1s\" }",
            ],
            "",
        ),
        (
            EmptyShare,
            &["link.core.pacer={ kind = \"hull\", delay = \"5ms\", share = 0.3 }"],
            "",
        ),
        (
            EmptyShare,
            &["link.core.pacer={ kind = \"hull\", delay = \"5ms\", share = 0.7 }"],
            "",
        ),
        (
            EmptyShare,
            &["link.core.back={ pacer = { kind = \"hull\", delay = \"5ms\", share = 0.1 } }"],
            "",
        ),
        (
            EmptyShare,
            &["flow.t.traffic.others={ share = 0.1, pacing = \"linux\" }"],
            "",
        ),
        (
            EmptyShare,
            &["flow.t.traffic.others={ share = 0.9, pacing = \"linux\" }"],
            "",
        ),
        (
            EmptyShare,
            &[
                "flow.t.count=1",
                "flow.t.traffic.others={ share = 0.3, pacing = \"linux\" }",
            ],
            "",
        ),
        (EqualOthers, &["flow.t.traffic.others={ share = 0.5 }"], ""),
        (
            EqualOthers,
            &["flow.t.traffic.others={ share = 0.5, control = \"reno\" }"],
            "",
        ),
        (
            SlowSource,
            &["flow.f.traffic={ kind = \"cbr\", rate = \"100bps\", size = \"1KB\" }"],
            "",
        ),
        (
            SlowSource,
            &[
                "flow.f.traffic={ kind = \"on_off\", peak = \"5Mbps\", size = \"1KB\", mean_on = \"1s\", mean_off = \"60s\" }",
            ],
            "",
        ),
        (
            SlowSource,
            &["flow.t.traffic.transfers={ size = \"100KB\", pause = { exponential = \"1min\" } }"],
            "",
        ),
        (EmptyRecording, &["output.packets={ from = \"25s\" }"], ""),
        (EmptyRecording, &["output.packets={ from = \"20s\" }"], ""),
        (EmptyRecording, &["output.packets={ to = \"30s\" }"], ""),
        (
            EmptyRecording,
            &["output.packets={ links = [\"side\"] }"],
            "",
        ),
        (
            EmptyRecording,
            &["output.packets={ links = [\"core.back\"], flows = [\"f\"] }"],
            "",
        ),
        (
            EmptyRecording,
            &["output.series={ interval = \"30s\" }"],
            "",
        ),
        (
            EmptyRecording,
            &["output.series={ interval = \"1s\", links = [\"side\"] }"],
            "",
        ),
        (
            IdleQueue,
            &["link.core.discipline={ kind = \"pfabric\" }"],
            "",
        ),
        (
            NoMarks,
            &["flow.t.traffic.control=dctcp", "flow.t.traffic.ecn=true"],
            "",
        ),
        (
            NoMarks,
            &["flow.t.traffic.control=prague", "flow.t.traffic.ecn=true"],
            "",
        ),
        (NoMarks, &["flow.t.traffic.ecn=true"], ""),
        (NoMarks, &["flow.f.ecn=ect0"], ""),
        (
            NoMarks,
            &[
                "flow.t.traffic.control=dctcp",
                "flow.t.traffic.ecn=true",
                "link.core.discipline={ kind = \"codel\", ecn = false }",
            ],
            "",
        ),
        // Marks by a memory begin where its port's buffer is full, or not at all.
        (
            NoMarks,
            &["flow.f.ecn=ect0", "link.core.buffer=50KB"],
            "[[switch]]\nnodes = [\"r\"]\nmemory = \"1MB\"\nmark = { min = \"100KB\" }\n",
        ),
        (EcnOff, &["flow.f.ecn=ect0", "link.core.mark=5pkts"], ""),
        (
            EcnOff,
            &["flow.f.ecn=ect0"],
            "[[switch]]\nnodes = [\"r\"]\nmemory = \"1MB\"\nmark = { min = \"5KB\" }\n",
        ),
        (
            UnheededMarks,
            &[],
            "[[switch]]\nnodes = [\"r\"]\nmemory = \"1MB\"\nmark = { min = \"5KB\" }\n",
        ),
        (
            EcnOff,
            &["link.core.discipline={ kind = \"dualpi2\" }"],
            "[[flow]]\nname = \"p\"\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"tcp\", profile = \"linux\", control = \"prague\", ecn = true }\n",
        ),
        (UnheededMarks, &["link.core.mark=5pkts"], ""),
        (FqAtHost, &["link.access.discipline={ kind = \"fq\" }"], ""),
        (ShortMinRto, &["flow.t.traffic.min_rto=1ms"], ""),
        (
            ShortMinRto,
            &["flow.t.traffic.min_rto=5ms", "flow.t.traffic.hz=100"],
            "",
        ),
        (
            ShortMinRto,
            &["flow.t.traffic={ kind = \"tcp\", tick = \"500ms\", min_rto = \"200ms\" }"],
            "",
        ),
        (UnusedLink, &["link.side.buffer=20pkts"], ""),
        (
            UnusedLink,
            &["link.side.pacer={ kind = \"hull\", delay = \"5ms\" }"],
            "",
        ),
        (
            UnusedLink,
            &["link.side.jitter={ exponential = \"1ms\" }"],
            "",
        ),
        (
            UnusedLink,
            &["link.side.discipline={ kind = \"codel\" }"],
            "",
        ),
        (UnusedLink, &["link.side.loss={ bernoulli = 0.1 }"], ""),
        (UnusedLink, &["link.side.mark=5pkts"], ""),
        (
            UnusedLink,
            &["link.side.back={ pacer = { kind = \"hull\", delay = \"5ms\" } }"],
            "",
        ),
        (IdleDrop, &["link.core.drops=[{ packet = 100000000 }]"], ""),
        (
            IdlePacer,
            &["link.core.pacer={ kind = \"leaky_bucket\", rate = \"20Mbps\" }"],
            "",
        ),
        (
            IdlePacer,
            &["link.core.pacer={ kind = \"policer\", rate = \"10Mbps\", burst = \"15KB\" }"],
            "",
        ),
        (
            IdleQueue,
            &["link.core.discipline={ kind = \"tbf\", rate = \"10Mbps\", burst = \"15KB\" }"],
            "",
        ),
        (
            IdleQueue,
            &["link.core.discipline={ kind = \"departure_limit\", limit = \"20pkts\" }"],
            "",
        ),
        (
            IdleQueue,
            &["link.core.discipline={ kind = \"red\", min_th = \"20pkts\", max_th = \"60pkts\" }"],
            "",
        ),
        (
            IdleQueue,
            &["link.core.discipline={ kind = \"codel\", target = \"30ms\" }"],
            "",
        ),
        (
            IdleQueue,
            &[
                "link.core.buffer=4KB",
                "link.core.discipline={ kind = \"fq_codel\" }",
            ],
            "",
        ),
        (
            NoMarks,
            &[
                "flow.t.traffic.ecn=true",
                "link.core.discipline={ kind = \"fq_codel\", l4s_threshold = \"1ms\" }",
            ],
            "",
        ),
        (
            IdleMiddlebox,
            &["link.core.middleboxes=[{ kind = \"ack_thinning\", every = 4 }]"],
            "",
        ),
        (
            NoTrims,
            &["flow.t.traffic={ kind = \"ndp\", transfer = \"100KB\" }"],
            "",
        ),
        (IdleClass, &["flow.f.class=3"], ""),
        (
            SlowSource,
            &[
                "flow.t.traffic.transfers={ size = \"10KB\", arrivals = { kind = \"poisson\", every = \"30s\" } }",
            ],
            "",
        ),
        (
            EmptyRecording,
            &[
                "flow.t.traffic={ kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }",
                "output.tcp={}",
            ],
            "",
        ),
        (
            IdleNode,
            &[
                "node=[{ name = \"a\" }, { name = \"r\" }, { name = \"b\" }, { name = \"s\" }, { name = \"z\" }]",
            ],
            "",
        ),
        (
            IdleEvent,
            &[],
            "[[event]]\nat = \"5s\"\nlinks = [\"core\"]\nrate = \"10Mbps\"\n",
        ),
        (
            IdleEvent,
            &[],
            "[[event]]\nat = \"5s\"\nlinks = [\"core\"]\nup = true\n",
        ),
        (
            IdleEvent,
            &[],
            "[[event]]\nat = \"5s\"\nlinks = [\"side\"]\nrate = \"1Mbps\"\n",
        ),
        (
            IdleEvent,
            &[],
            "[[event]]\nat = \"5s\"\nlinks = [\"core\"]\nloss = { bernoulli = 0.0 }\n",
        ),
        (
            IdleDrop,
            &["link.core.back={ drops = [{ flow = \"f\", seq = 7 }] }"],
            "",
        ),
        (
            MissedPart,
            &[],
            "[[node]]\nname = \"x\"\ncount = 2\n[[link]]\nname = \"x0\"\nfrom = \"x[0]\"\nto = \"r\"\nrate = \"100Mbps\"\npacer = { kind = \"hull\", delay = \"5ms\" }\n[[link]]\nname = \"x1\"\nfrom = \"x[1]\"\nto = \"r\"\nrate = \"100Mbps\"\n[[flow]]\nname = \"g\"\nfrom = \"x\"\nto = \"b\"\ntraffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }\n",
        ),
        (
            IdleMeasure,
            &[],
            "[[measure]]\nname = \"q\"\nkind = \"queue\"\nlink = \"side\"\n",
        ),
        (
            IdleMeasure,
            &[],
            "[[measure]]\nname = \"g\"\nkind = \"gaps\"\nlink = \"side\"\n",
        ),
        (
            IdleMeasure,
            &[],
            "[[measure]]\nname = \"s\"\nkind = \"series\"\nlink = \"core\"\nmetric = \"queue_pkts\"\nevery = \"30s\"\n",
        ),
        (
            IdleAxis,
            &[],
            "[[sweep.axis]]\nname = \"share\"\nkey = \"flow.t.traffic.others\"\nvalues = [{ share = 0.5, pacing = \"linux\" }, { share = 0.51, pacing = \"linux\" }]\n",
        ),
        (
            IdleAxis,
            &[],
            "[[sweep.axis]]\nname = \"case\"\ncases = { one = {}, two = { \"link.core.rate\" = \"10000kbps\" } }\n",
        ),
        (
            UnkeptRecordings,
            &["output.packets={}"],
            "[[sweep.axis]]\nname = \"b\"\nkey = \"link.core.buffer\"\nvalues = [\"9pkts\", \"10pkts\"]\n",
        ),
    ]
};

/// Traps that only a run finds, in place of the flows of the clean file.
const TRAPS_OF_RUNS: &[(WarningName, &str)] = {
    use WarningName::*;
    &[
        // The rate of a source, of a link, the loss of a link, and the number of flows change.
        (
            Unsteady,
            "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"poisson\", rate = \"5Mbps\", size = \"1KB\" }\n[[flow]]\nname = \"g\"\nfrom = \"a\"\nto = \"b\"\nstop = \"8s\"\ntraffic = { kind = \"poisson\", rate = \"6Mbps\", size = \"1KB\" }\n",
        ),
        (
            Unsteady,
            "[[flow]]\nname = \"t\"\ncount = 2\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"tcp\", profile = \"linux\" }\n[[event]]\nat = \"12s\"\nlinks = [\"core\"]\nrate = \"5Mbps\"\n",
        ),
        (
            Unsteady,
            "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"poisson\", rate = \"5Mbps\", size = \"1KB\" }\n[[event]]\nat = \"14s\"\nlinks = [\"core\"]\nloss = { bernoulli = 0.1 }\n",
        ),
        (
            LateFlows,
            "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\nstart = \"8s\"\ntraffic = { kind = \"poisson\", rate = \"5Mbps\", size = \"1KB\" }\n",
        ),
        (
            MissedDrops,
            "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"poisson\", rate = \"5Mbps\", size = \"1KB\" }\n[[link]]\nname = \"exit\"\nfrom = \"a\"\nto = \"b\"\nrate = \"10Mbps\"\ndrops = [{ packet = 3 }, { flow = \"f\", seq = 4000000000 }]\n",
        ),
        (
            SmallWindows,
            "[[flow]]\nname = \"t\"\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"tcp\" }\n[[link]]\nname = \"long\"\nfrom = \"a\"\nto = \"b\"\nrate = \"10Mbps\"\ndelay = \"50ms\"\n",
        ),
        (
            UnusedMarks,
            "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\necn = \"ect0\"\ntraffic = { kind = \"poisson\", rate = \"5Mbps\", size = \"1KB\" }\n[[link]]\nname = \"marking\"\nfrom = \"a\"\nto = \"b\"\nrate = \"10Mbps\"\nbuffer = \"600pkts\"\nmark = \"500pkts\"\n",
        ),
        (
            MissedLoads,
            "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"tcp\", profile = \"linux\", transfers = { size = \"2MB\", arrivals = { kind = \"poisson\", every = \"1s\" }, connection = \"new\" } }\n",
        ),
        (
            SilentGroups,
            "[[flow]]\nname = \"t\"\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"tcp\", transfer = \"100KB\" }\n",
        ),
    ]
};

fn read(text: &str, sets: &[&str]) -> StudyInput {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let read = input::study_from_text("trap.toml", text, Path::new(""), &sets);
    read.unwrap_or_else(|rejected| panic!("{sets:?} {text}: {:#?}", rejected.problems))
}

/// The kinds of warnings of a check.
fn warned(text: &str, sets: &[&str]) -> Vec<&'static str> {
    let study = read(text, sets).study;
    let warnings = input::warnings(&study, NonZeroUsize::MIN);
    for warning in &warnings {
        assert!(warning.help.is_some() && warning.line > 0, "{warning:?}");
    }
    warnings.iter().map(|warning| warning.kind).collect()
}

#[test]
fn every_planted_trap_is_warned_of() {
    assert_eq!(warned(CLEAN, &[]), [""; 0], "the clean file");
    let mut missed = Vec::new();
    for (name, sets, lines) in TRAPS {
        let found = warned(&format!("{CLEAN}{lines}"), sets);
        if !found.contains(&name.word()) {
            missed.push(format!("{name:?} {sets:?} {lines}: {found:?}"));
        }
    }
    assert!(TRAPS.len() >= 40, "{}", TRAPS.len());
    assert!(
        missed.is_empty(),
        "{} of {}:\n{}",
        missed.len(),
        TRAPS.len(),
        missed.join("\n")
    );
}

/// Rules just within reach, in place of those of traps.
#[test]
fn a_rule_that_may_act_is_not_warned_of() {
    for keys in [
        "kind = \"tbf\", rate = \"9999kbps\", burst = \"15KB\"",
        "kind = \"departure_limit\", limit = \"19pkts\"",
        "kind = \"red\", min_th = \"19pkts\", max_th = \"60pkts\"",
        "kind = \"codel\", target = \"24ms\"",
    ] {
        let found = warned(CLEAN, &[&format!("link.core.discipline={{ {keys} }}")]);
        assert_eq!(found, [""; 0], "{keys}");
    }
    let acks = "link.core.back={ middleboxes = [{ kind = \"ack_thinning\", every = 4 }] }";
    assert_eq!(warned(CLEAN, &[acks]), [""; 0]);
}

#[test]
fn every_trap_can_be_accepted_with_a_reason() {
    for (name, sets, lines) in TRAPS {
        let word = name.word();
        let accept = format!("[[accept]]\nwarning = \"{word}\"\nbecause = \"it is planted\"\n");
        let text = format!("{CLEAN}{lines}{accept}");
        assert!(
            !warned(&text, sets).contains(&word),
            "{name:?} {sets:?} {lines}"
        );
    }
    let idle = "[[accept]]\nwarning = \"no_warmup\"\nbecause = \"there is one\"\n";
    let study = read(&format!("{CLEAN}{idle}"), &[]).study;
    let found = input::warnings(&study, NonZeroUsize::MIN);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].message.contains("no warning no_warmup to accept"),
        "{found:#?}"
    );
}

#[test]
fn traps_that_only_a_run_shows_are_warned_of_at_its_end() {
    let base = &CLEAN[..CLEAN.find("[[flow]]").expect("flows")];
    for (name, lines) in TRAPS_OF_RUNS {
        let text = format!("{base}{lines}");
        let summary = |text: &str| {
            let input = read(text, &[]).alone().expect("one point");
            run(&input, 0, &Plan::default(), &mut Unwatched).expect("it runs")
        };
        let found = summary(&text);
        let kinds: Vec<&str> = found
            .warnings
            .iter()
            .map(|warning| warning.kind.name())
            .collect();
        assert!(kinds.contains(&name.word()), "{name:?} {lines}: {kinds:?}");
        let accept = format!(
            "[[accept]]\nwarning = \"{}\"\nbecause = \"it is planted\"\n",
            name.word()
        );
        let silenced = summary(&(text + &accept));
        assert!(
            silenced
                .warnings
                .iter()
                .all(|warning| warning.kind.name() != name.word())
        );
        assert!(
            silenced
                .accepted
                .iter()
                .any(|accepted| accepted.because == "it is planted")
        );
        assert_eq!(silenced.fingerprint, found.fingerprint);
    }
}
