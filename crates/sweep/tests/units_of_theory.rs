//! Lines of theory in figures: their results have the unit of what is drawn.

use pacesim_sweep::input::mistakes;

use crate::plots::PLOT;
use crate::queues::study;

/// The figure with another number and line of theory.
fn beside(y: &str, line: &str) -> String {
    let known = PLOT.split_once("theory = ").expect("a line of theory").0;
    format!(
        "{}\ntheory = [{{ {line} }}]\n",
        known.replace("link.core.loss_ratio", y)
    )
}

const RATE: &str = r#"model = "response", y = "cubic_bps", set = { rtt = "41ms", share = 0.01 }"#;
const BUFFER: &str =
    r#"model = "buffer", y = "root_n_bytes", set = { rate = "10Mbps", rtt = "40ms" }"#;
const UTILISATION: &str = "link.core.utilisation";
const QUEUE: &str = "link.core.queue_mean_pkts";
const GOODPUT: &str = "flows.f.goodput_bps";

/// Numbers drawn, lines with the rest of their keys, and the message.
const WRONG: [(&str, &str, &str, &str); 8] = [
    // A rate on a share, with no factor, or one that only a human can tell.
    (
        UTILISATION,
        RATE,
        "",
        "cubic_bps is a rate in bit/s, and the figure draws",
    ),
    (
        UTILISATION,
        RATE,
        ", times = 1e-7",
        "this factor does not make it",
    ),
    (
        UTILISATION,
        RATE,
        r#", times = "20Mbps""#,
        "this factor does not make it",
    ),
    (GOODPUT, RATE, ", times = 1e-3", "by hand"),
    (
        QUEUE,
        BUFFER,
        "",
        "root_n_bytes is an amount of data in bytes",
    ),
    (
        QUEUE,
        BUFFER,
        ", times = 6.7e-4",
        "this factor does not make it",
    ),
    (
        UTILISATION,
        RATE,
        r#", times = "much""#,
        "this is not a factor",
    ),
    (
        UTILISATION,
        RATE,
        ", times = 0",
        "every number times 0 is 0",
    ),
];

/// Numbers drawn, lines with their factors, and the factor that results.
const RIGHT: [(&str, &str, &str, f64); 4] = [
    (UTILISATION, RATE, "= 1 / 20Mbps", 5e-8),
    (UTILISATION, RATE, "= 1 / rate(core)", 1e-6),
    (GOODPUT, RATE, "= 0.5", 0.5),
    (QUEUE, BUFFER, "= 1pkts / 1500B", 1.0 / 1500.0),
];

#[test]
fn lines_of_theory_have_the_unit_of_what_is_drawn() {
    for (y, line, times, message) in WRONG {
        let found = mistakes(&study(1, &beside(y, &format!("{line}{times}"))));
        assert_eq!(found.len(), 1, "{y}, {line}{times}: {found:?}");
        assert!(found[0].message.contains(message), "{line}: {found:?}");
    }
    for (y, line, times, factor) in RIGHT {
        let study = study(1, &beside(y, &format!("{line}, times = \"{times}\"")));
        let found = mistakes(&study);
        assert!(found.is_empty(), "{times}: {found:?}");
        let plot = &study.plots[0];
        let found = plot.theory_factor(&study, &plot.theory()[0], 0);
        let found = found.expect("its unit fits");
        assert!((found / factor - 1.0).abs() < 1e-12, "{times}: {found}");
    }
}

#[test]
fn parameters_of_models_keep_their_units() {
    for (load, message) in [
        ("flows.f.delay_mean_s", "does not fit"),
        ("rate", "cannot be read"),
    ] {
        let line = format!("model = \"mm1k\", y = \"loss\", set = {{ load = \"{load}\" }}");
        let found = mistakes(&study(1, &beside("link.core.loss_ratio", &line)));
        assert_eq!(found.len(), 1, "{load}: {found:?}");
        assert!(found[0].message.contains(message), "{load}: {found:?}");
    }
}
