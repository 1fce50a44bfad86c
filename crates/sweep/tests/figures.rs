//! The x axes of studies' figures, and the numbers allowed in figures and claims.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pacesim_plot::{DataPoint, Mark, Panel};
use pacesim_runs::run_monitor::Unwatched;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::sweep::Sweep;
use pacesim_study::{Study, StudyText};
use pacesim_sweep::draw::draw;
use pacesim_sweep::input::mistakes;
use pacesim_sweep::make::sweep;

use crate::common::order;

/// Two flows over a core that loses a tenth; only one of three points has repair packets, neither
/// the first nor the last.
const CORES: &str = r#"
run = { duration = "20s" }
node = [{ name = "a" }, { name = "in" }, { name = "out" }, { name = "b" }]
link = [
  { name = "access", from = "a", to = "in", rate = "10Mbps" },
  { name = "core", from = "in", to = "out", rate = "10Mbps", loss = { bernoulli = 0.1 } },
  { name = "exit", from = "out", to = "b", rate = "10Mbps" },
]
flow = [
  { name = "thin_one", from = "a", to = "b", traffic = { kind = "poisson", rate = "500kbps", size = "1KB" } },
  { name = "wide", from = "a", to = "b", traffic = { kind = "poisson", rate = "2Mbps", size = "1KB" } },
]
fec = [{ ingress = "in", egress = "out", block = 1 }]
[sweep]
replications = 3
[[sweep.axis]]
name = "core"
[sweep.axis.cases]
"no FEC" = { fec = [] }
"k = 1" = {}
"no loss" = { fec = [], "link.core.loss.bernoulli" = 0.0 }
"#;

fn parsed(tables: &str) -> Result<Study, String> {
    let text = format!("{CORES}{tables}");
    let text = StudyText::parse("cores.toml", "cores", text.as_bytes(), Arc::new(()));
    text.check().map_err(|problems| problems.to_string())
}

/// The panel of the only figure.
fn drawn(tables: &str) -> Panel {
    let study = parsed(tables).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(mistakes(&study), []);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("cores");
    let plan = order(&study, &out, 2);
    sweep(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let mut figures = draw(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    figures.remove(0).1.panels.remove(0)
}

/// The points of a series, by its label.
fn points<'a>(panel: &'a Panel, label: &str) -> &'a [DataPoint] {
    let series = panel.series.iter().find(|series| series.label == label);
    &series.unwrap_or_else(|| panic!("{panel:?}")).points
}

#[test]
fn a_number_may_be_there_at_an_inner_point_only() {
    let claim = |name: &str| {
        let bound = if name.ends_with("_s") {
            "\"500ms\""
        } else {
            "0.5"
        };
        let claim = "claim = \"repaired\"\nat = { core = \"k = 1\" }\nat_least =";
        parsed(&format!("[[expect]]\ny = \"{name}\"\n{claim} {bound}")).expect("a study")
    };
    assert_eq!(mistakes(&claim("fec.fec.residual_loss_ratio")), []);
    assert_eq!(mistakes(&claim("fec.fec.hops[1].residual_loss_ratio")), []);
    for (name, message) in [
        ("fec.fce.residual_loss_ratio", "there is no fec \"fce\""),
        ("fec.fec.residual", "no number \"residual\""),
        ("link.cor.loss_ratio", "there is no link \"cor\""),
        (
            "link.core.sojourn_p99_s",
            "\"core\" has no queue discipline, which counts sojourn_p99_s",
        ),
    ] {
        let found = mistakes(&claim(name));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].path, "expect[0].y");
        assert!(found[0].message.contains(message), "{found:?}");
    }
}

/// A port of a switch with a memory counts drops by cause without a discipline of its own.
#[test]
fn drops_by_cause_are_numbers_of_ports_that_share_a_memory() {
    let claim = "[[expect]]\ny = \"link.core.early_pkts\"\nclaim = \"refused\"\nat = { core = \"k = 1\" }\nat_most = \"1000000pkts\"";
    let plain = parsed(claim).expect("a study");
    assert_eq!(mistakes(&plain).len(), 1, "a port without a memory");
    let memory = "[[switch]]\nnodes = [\"in\"]\nmemory = \"20KB\"\nalpha = 1\n";
    let shared =
        parsed(&format!("{memory}{claim}")).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(mistakes(&shared), []);
}

#[test]
fn an_axis_without_numbers_has_a_place_for_each_value() {
    let panel = drawn(
        "[[plot]]\nname = \"loss\"\nx = \"core\"\ny = \"flows.wide.loss_ratio\"\n\
         only = { core = [\"k = 1\", \"no loss\"] }\n\
         printed = [{ label = \"by hand\", points = [[\"no loss\", 0.0]] }]",
    );
    assert_eq!(panel.x.names, ["k = 1", "no loss"]);
    let [repaired, lossless] = points(&panel, "simulated") else {
        panic!("{panel:?}");
    };
    // One packet in a hundred is lost along with its repair packet.
    assert!((0.002..0.03).contains(&repaired.y), "{repaired:?}");
    assert!(repaired.interval.is_some());
    assert_eq!(lossless.y, 0.0);
    let by_hand = points(&panel, "by hand");
    assert_eq!((by_hand.len(), by_hand[0].y), (1, 0.0));
    // Side by side, within the second place, and not joined to the first.
    assert!(
        lossless.x < by_hand[0].x,
        "{:?} and {:?}",
        lossless.x,
        by_hand[0].x
    );
    assert!(
        [lossless.x, by_hand[0].x]
            .iter()
            .all(|x| (x - 1.0).abs() < 0.5)
    );
    assert!(
        panel
            .series
            .iter()
            .all(|series| series.mark == Mark::Points)
    );
}

/// A study of two rates and of buffers by formula.
const BY_FORMULA: &str = r#"
        run = { duration = "2s" }
        node = [{ name = "a" }, { name = "b" }]
        link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", delay = "1ms" }]
        flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "900kbps", size = "1KB" } }]
        [sweep]
        replications = 2
        axis = [
          { name = "buffer", key = "link.core.buffer", values = ["= rate(core) * 16ms", "8KB", "= rate(core) * 96ms"] },
          { name = "rate", key = "link.core.rate", values = ["1Mbps", "2Mbps"] },
        ]
        [[plot]]
        name = "across"
        x = "buffer"
        y = "link.core.loss_ratio"
        lines = "rate"
        [[plot]]
        name = "lines"
        x = "rate"
        y = "link.core.loss_ratio"
        lines = "buffer"
        [[plot]]
        name = "one"
        boxes = "values"
        x = "buffer"
        y = "flows.f.delay_s"
        only = { rate = "2Mbps" }
    "#;

#[test]
fn formulas_across_stand_at_their_quantities_and_in_legends_where_they_have_one() {
    let study = crate::common::checked("buffers", BY_FORMULA);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("buffers");
    let plan = order(&study, &out, 2);
    let outline = sweep(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let labels: Vec<String> = outline
        .points
        .iter()
        .map(|point| point.values[0].shown())
        .collect();
    assert_eq!(labels[0], "rate(core) * 16ms = 2KB");
    assert_eq!(labels[1], "rate(core) * 16ms = 4KB");
    assert_eq!(labels[2], "8KB");
    let figures = draw(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let panel = |place: usize| &figures[place].1.panels[0];
    assert_eq!(panel(0).x.label, "buffer (KB)");
    let xs = |label: &str| -> Vec<f64> { points(panel(0), label).iter().map(|p| p.x).collect() };
    assert_eq!(xs("rate 1Mbps"), [2.0, 8.0, 12.0]);
    assert_eq!(xs("rate 2Mbps"), [4.0, 8.0, 24.0]);
    let lines: Vec<&str> = panel(1)
        .series
        .iter()
        .map(|line| line.label.as_str())
        .collect();
    let expected = [
        "buffer = rate(core) * 16ms",
        "buffer 8KB",
        "buffer = rate(core) * 96ms",
    ];
    assert_eq!(lines, expected);
    let places = ["rate(core) * 16ms = 4KB", "8KB", "rate(core) * 96ms = 24KB"];
    assert_eq!(panel(2).x.names, places);
    let table = pacesim_tables::TableReader::open(&out.join("wide.parquet")).expect("a table");
    let names = table.column_names();
    assert_eq!(names[1..4], ["buffer", "buffer_resolved", "buffer_bytes"]);
    let numbers = table.numbers(3).expect("it can be read");
    let bytes = [2e3, 4e3, 8e3, 8e3, 12e3, 24e3].to_vec();
    assert_eq!(numbers, Some(pacesim_tables::Numbers::Reals(bytes)));
}

#[test]
fn several_groups_go_across_beside_what_is_printed_of_them() {
    let panel = drawn(
        "[[plot]]\nname = \"rates\"\neach = [\"wide\", \"thin_one\"]\ny = \"flows.*.throughput_bps\"\n\
         per = \"flows.*.offered_bps\"\nlines = \"core\"\n\
         printed = [{ label = \"by hand\", line = \"no FEC\", points = [[\"thin_one\", 0.9]] }]",
    );
    assert_eq!(panel.x.names, ["wide", "thin one"]);
    let [wide, thin] = points(&panel, "no FEC") else {
        panic!("{panel:?}");
    };
    assert!((wide.y - 0.9).abs() < 0.02, "{wide:?}");
    assert!((thin.y - 0.9).abs() < 0.03 && thin.y != wide.y, "{thin:?}");
    // Printed points have the colour of their line, and lie where it does.
    let by_hand = points(&panel, "by hand");
    assert_eq!(by_hand[0].x, thin.x);
    let colour = |label: &str| {
        panel
            .series
            .iter()
            .find(|s| s.label == label)
            .map(|s| s.colour)
    };
    assert_eq!(colour("by hand"), colour("no FEC"));
    assert_ne!(colour("by hand"), colour("k = 1"));
}

#[test]
fn what_lies_beyond_is_not_drawn() {
    let losses = "[[measure]]\nname = \"loss\"\nkind = \"losses\"\nflows = \"wide\"\nbin = 0.01\n\
                  [[plot]]\nname = \"loss\"\nx = \"measure.loss.loss_ratio\"\ny = \"measure.loss.flows_ratio\"\n\
                  only = { core = \"no FEC\" }\n";
    // A row for each bin up to the loss of a tenth.
    assert!(
        drawn(losses).series[0].points.len() > 8,
        "{:?}",
        drawn(losses).series[0].points.len()
    );
    let few = drawn(&format!("{losses}between = [0.02, 0.05]\n"));
    let xs: Vec<f64> = few.series[0].points.iter().map(|point| point.x).collect();
    assert_eq!(xs.len(), 3, "{xs:?}");
}

#[test]
fn what_cannot_go_across_is_reported_at_its_key() {
    let flows = "each = [\"wide\"]\ny = \"flows.*.loss_ratio\"\nlines = \"core\"";
    let cores = "x = \"core\"\ny = \"flows.wide.loss_ratio\"";
    for (lines, path, message) in [
        (
            "y = \"flows.wide.loss_ratio\"".to_owned(),
            "plot[0]",
            "nothing goes across",
        ),
        (
            format!("x = \"core\"\n{flows}"),
            "plot[0]",
            "x and each exclude each other",
        ),
        (flows.replace('*', "wide"), "plot[0].y", "several go across"),
        (format!("{cores}\nlog = [\"x\"]"), "plot[0].log", "no scale"),
        (
            format!("{cores}\nbetween = [0, 1]"),
            "plot[0].between",
            "has categories, and so no scale",
        ),
        (
            format!("{cores}\nprinted = [{{ label = \"p\", points = [[\"no los\", 1]] }}]"),
            "plot[0].printed[0].points[0]",
            "no \"no los\" on the horizontal axis",
        ),
        (
            format!(
                "{flows}\nprinted = [{{ label = \"p\", line = \"k = 2\", points = [[\"wide\", 1]] }}]"
            ),
            "plot[0].printed[0].line",
            "has no value \"k = 2\"",
        ),
        (
            format!("{cores}\nprinted = [{{ label = \"p\", line = \"k = 1\", points = [] }}]"),
            "plot[0].printed[0].line",
            "has one line",
        ),
    ] {
        let tables = format!("[[plot]]\nname = \"p\"\n{lines}");
        let problems = parsed(&tables).err().unwrap_or_else(|| panic!("{lines}"));
        assert!(
            problems.contains(path) && problems.contains(message),
            "{problems}"
        );
    }
    let unknown = flows.replace("[\"wide\"]", "[\"wide\", \"wied\"]");
    let unknown = parsed(&format!("[[plot]]\nname = \"p\"\n{unknown}")).expect("a study");
    let found = mistakes(&unknown);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].to_string().contains("wied"), "{found:?}");
}

/// Collects the messages to the user.
#[derive(Default)]
struct Listener(std::sync::Mutex<Vec<String>>);

impl BatchMonitor for Listener {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn note(&self, sentence: &str) {
        self.0.lock().expect("one thread").push(sentence.to_owned());
    }
}

/// Sweeps, and returns the messages to the user.
fn told(study: &Study, out: &Path) -> Vec<String> {
    let listener = Listener::default();
    let plan = Sweep {
        replications: 1,
        ..Sweep::new(study, out)
    };
    sweep(&plan, &listener).unwrap_or_else(|error| panic!("{error}"));
    listener.0.into_inner().expect("one thread")
}

#[test]
fn a_figure_that_somebody_changed_stays() {
    let figure = "[[plot]]\nname = \"loss\"\nx = \"core\"\ny = \"flows.wide.loss_ratio\"";
    let study = parsed(figure).expect("a study");
    let folder = tempfile::tempdir().expect("a folder");
    let figures = folder.path().join("figures");
    assert_eq!(told(&study, folder.path()), [""; 0]);
    let path = figures.join("loss.svg");
    let ours = std::fs::read(&path).expect("drawn");
    std::fs::write(&path, "mine").expect("written");
    let said = told(&study, folder.path());
    assert!(
        said[0].contains("loss.svg was changed since it was drawn"),
        "{said:?}"
    );
    assert_eq!(std::fs::read(&path).expect("there"), b"mine", "it stays");
    assert_eq!(
        std::fs::read(figures.join("loss.new.svg")).expect("there"),
        ours
    );
    std::fs::write(&path, &ours).expect("written");
    assert_eq!(
        told(&study, folder.path()),
        [""; 0],
        "its own figure is drawn again"
    );
}

#[cfg(unix)]
#[test]
fn no_figure_is_drawn_through_a_link() {
    let figure = "[[plot]]\nname = \"loss\"\nx = \"core\"\ny = \"flows.wide.loss_ratio\"";
    let study = parsed(figure).expect("a study");
    let folder = tempfile::tempdir().expect("a folder");
    let (out, elsewhere) = (folder.path().join("out"), folder.path().join("elsewhere"));
    std::fs::create_dir(&elsewhere).expect("made");
    told(&study, &out);
    std::fs::remove_dir_all(out.join("figures")).expect("removed");
    std::os::unix::fs::symlink(&elsewhere, out.join("figures")).expect("linked");
    let said = told(&study, &out);
    assert!(said[0].contains("is a link"), "{said:?}");
    assert_eq!(
        std::fs::read_dir(&elsewhere).expect("there").count(),
        0,
        "nothing came out"
    );
}
