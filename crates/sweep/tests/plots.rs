//! Figures of an M/M/1/K queue with known loss, and what is not there for figures and claims.

use pacesim_runs::run_monitor::Unwatched;
use pacesim_store::sweep::Sweep;
use pacesim_sweep::draw::draw;
use pacesim_sweep::input::mistakes;

use crate::queues::{expect, run, study};

pub(crate) const PLOT: &str = r#"
[[plot]]
name = "loss"
x = "places"
y = "link.core.loss_ratio"
lines = "rate"
log = ["y"]
theory = [{ model = "mm1k", y = "loss", set = { load = 0.8, places = "places" }, label = "M/M/1/K" }]
printed = [{ label = "by hand", points = [["4pkts", 0.1218]] }]
"#;

#[test]
fn a_figure_has_lines_intervals_theory_and_printed_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("queues");
    let study = study(3, PLOT);
    assert!(mistakes(&study).is_empty(), "{:?}", mistakes(&study));
    run(&study, &out);
    assert!(out.join("figures/loss.svg").exists());
    let plan = Sweep {
        replications: 3,
        ..Sweep::new(&study, &out)
    };
    let figures = draw(&plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let panel = &figures[0].1.panels[0];
    let labels: Vec<&str> = panel
        .series
        .iter()
        .map(|series| series.label.as_str())
        .collect();
    assert_eq!(
        labels,
        ["rate 500kbps", "rate 800kbps", "M/M/1/K", "by hand"]
    );
    let [_, measured, theory, printed] = &panel.series[..] else {
        panic!("four series");
    };
    assert_eq!(printed.points[0].x, 4.0);
    for (ours, law) in measured.points.iter().zip(&theory.points) {
        let (low, high) = ours.interval.expect("three replications");
        assert_eq!(ours.x, law.x);
        // Wider than the interval: three replications of six points.
        let wide = 3.0 * (high - low);
        assert!((ours.y - law.y).abs() < wide, "{ours:?} {law:?}");
    }
    let svg = std::fs::read_to_string(out.join("figures/loss.svg")).expect("a figure");
    assert_eq!(svg, figures[0].1.svg());
}

#[test]
fn numbers_models_and_links_that_are_not_there_are_reported_at_their_keys() {
    for (tables, path, message) in [
        (
            PLOT.replace("loss_ratio", "los_ratio"),
            "plot[0].y",
            "no number \"los_ratio\"",
        ),
        (
            PLOT.replace("link.core", "link.cor"),
            "plot[0].y",
            "no link \"cor\"",
        ),
        (
            PLOT.replace("link.core", "lnk.core"),
            "plot[0].y",
            "no numbers of \"lnk\"",
        ),
        (
            PLOT.replace("mm1k", "mm1q"),
            "plot[0].theory[0].model",
            "mm1q",
        ),
        (
            PLOT.replace("y = \"loss\"", "y = \"lss\""),
            "plot[0].theory[0].y",
            "no result \"lss\"",
        ),
        (
            PLOT.replace("load = 0.8", "lod = 0.8"),
            "plot[0].theory[0].set.lod",
            "no parameter \"lod\"",
        ),
        (
            PLOT.replace("load = 0.8", "load = \"much\""),
            "plot[0].theory[0].set.load",
            "much",
        ),
        (
            expect("at = { places = \"2pkts\", rate = \"500kbps\" }\nat_least = 0")
                .replace("link.core", "flows.g"),
            "expect[0].y",
            "no group of flows \"g\"",
        ),
    ] {
        let found = mistakes(&study(1, &tables));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].path, path);
        assert!(found[0].message.contains(message), "{found:?}");
        assert!(found[0].line > 0, "{:?}", found[0].line);
    }
}
