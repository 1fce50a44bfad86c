//! Lines of theory in figures: their results have the unit of what is drawn.

use pacesim_lab::input::mistakes;

use crate::claims::{PLOT, study};

/// The figure with another number and line of theory.
fn beside(y: &str, line: &str) -> String {
    let known = PLOT.split_once("theory = ").expect("a line of theory").0;
    format!(
        "{}\ntheory = [{{ {line} }}]\n",
        known.replace("link.core.loss_ratio", y)
    )
}

#[test]
fn lines_of_theory_have_the_unit_of_what_is_drawn() {
    let rate = "model = \"response\", y = \"cubic_bps\", set = { rtt = \"41ms\", share = 0.01 }";
    let buffer =
        "model = \"buffer\", y = \"root_n_bytes\", set = { rate = \"10Mbps\", rtt = \"40ms\" }";
    let utilisation = "link.core.utilisation";
    let queue = "link.core.queue_mean_pkts";
    for (y, line, message) in [
        // A rate on a share, with no factor, or one that only a human can tell.
        (
            utilisation,
            rate.to_owned(),
            "cubic_bps is a rate in bit/s, and the figure draws",
        ),
        (
            utilisation,
            format!("{rate}, times = 1e-7"),
            "this factor does not make it",
        ),
        (
            utilisation,
            format!("{rate}, times = \"20Mbps\""),
            "this factor does not make it",
        ),
        (
            "flows.f.goodput_bps",
            format!("{rate}, times = 1e-3"),
            "by hand",
        ),
        (
            queue,
            buffer.to_owned(),
            "root_n_bytes is an amount of data in bytes",
        ),
        (
            queue,
            format!("{buffer}, times = 6.7e-4"),
            "this factor does not make it",
        ),
        (
            utilisation,
            format!("{rate}, times = \"much\""),
            "this is not a factor",
        ),
        (
            utilisation,
            format!("{rate}, times = 0"),
            "every number times 0 is 0",
        ),
        // A time in place of a share of losses, and bytes in place of places.
        (
            "link.core.loss_ratio",
            "model = \"mm1k\", y = \"loss\", set = { load = \"flows.f.delay_mean_s\" }".to_owned(),
            "does not fit",
        ),
        (
            "link.core.loss_ratio",
            "model = \"mm1k\", y = \"loss\", set = { load = \"rate\" }".to_owned(),
            "cannot be read",
        ),
    ] {
        let found = mistakes(&study(1, &beside(y, &line)));
        assert_eq!(found.len(), 1, "{y}, {line}: {found:?}");
        assert!(found[0].message.contains(message), "{line}: {found:?}");
    }
    for (y, line, factor) in [
        (
            utilisation,
            format!("{rate}, times = \"= 1 / 20Mbps\""),
            5e-8,
        ),
        (
            utilisation,
            format!("{rate}, times = \"= 1 / rate(core)\""),
            1e-6,
        ),
        (
            "flows.f.goodput_bps",
            format!("{rate}, times = \"= 0.5\""),
            0.5,
        ),
        (
            queue,
            format!("{buffer}, times = \"= 1pkts / 1500B\""),
            1.0 / 1500.0,
        ),
    ] {
        let study = study(1, &beside(y, &line));
        assert!(
            mistakes(&study).is_empty(),
            "{line}: {:?}",
            mistakes(&study)
        );
        let plot = &study.plots[0];
        let found = plot.theory_factor(&study, &plot.theory()[0], 0);
        let found = found.expect("its unit fits");
        assert!((found / factor - 1.0).abs() < 1e-12, "{line}: {found}");
    }
}
