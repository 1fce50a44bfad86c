//! Amounts in claims, searches, tables and figures carry their unit.

use crate::common::{BASE, on_base, read};
use pacesim_study::{Claimed, Paper, Study, Unit};
use proptest::prelude::*;

/// A study of two buffers with these tables.
fn with(tables: &str) -> String {
    format!(
        "{BASE}\n[[sweep.axis]]\nname = \"buffer\"\nkey = \"link.core.buffer\"\nvalues = [\"2KB\", \"4KB\"]\n{tables}\n"
    )
}

fn claim(y: &str, keys: &str) -> String {
    with(&format!(
        "[[expect]]\nclaim = \"c\"\ny = \"{y}\"\nat = {{ buffer = \"2KB\" }}\n{keys}"
    ))
}

fn study(text: &str) -> Study {
    read(text, &[]).unwrap_or_else(|problems| panic!("{text}\n{problems}"))
}

/// The first problem, as its path and its message with the remedy.
fn refused(text: &str) -> (String, String) {
    let problems = read(text, &[]).expect_err(text);
    let [problem] = &problems.0[..] else {
        panic!("{text}\n{problems}");
    };
    assert!(problem.line > 0, "{problem}");
    let help = problem.help.as_deref().expect("a remedy");
    (
        problem.path.clone(),
        format!("{} ({help})", problem.message),
    )
}

fn least(text: &str) -> Option<f64> {
    let study = study(text);
    study.expectations[0].bounds(&study.references).0
}

/// A number, keys of a claim about it with a bare number, and the refusal.
const BARE: [(&str, &str, &str); 12] = [
    (
        "flows.f.goodput_bps",
        "at_least = 10",
        "10 has no unit, and this is a rate in bit/s (write at_least = \"10bps\" or, if Mbps are meant, \"10Mbps\")",
    ),
    (
        "flows.f.goodput_bps",
        "at_least = 8.2e6",
        "8200000 has no unit, and this is a rate in bit/s (write at_least = \"8.2Mbps\")",
    ),
    (
        "flows.f.goodput_bps",
        "at_least = 9.6\ntimes = 1e-6",
        "9.6 has no unit, and this is a rate in bit/s (write at_least = \"9.6Mbps\", and leave times = 1e-6 out)",
    ),
    (
        "flows.f.delay_mean_s",
        "at_least = 0.005",
        "0.005 has no unit, and this is a time in s (write at_least = \"5ms\")",
    ),
    (
        "flows.f.delay_mean_s",
        "at_least = 5",
        "5 has no unit, and this is a time in s (write at_least = \"5s\" or, if ms are meant, \"5ms\")",
    ),
    (
        "link.core.queue_mean_bytes",
        "at_least = 1500.0",
        "1500 has no unit, and this is an amount of data in bytes (write at_least = \"1.5KB\")",
    ),
    (
        "link.core.queue_mean_pkts",
        "at_least = \"7.5\"",
        "7.5 has no unit, and this is a number of packets in pkt (write at_least = \"7.5pkts\")",
    ),
    (
        "flows.f.goodput_bps / 2",
        "at_least = 4e6",
        "4000000 has no unit, and this is a rate in bit/s (write at_least = \"4Mbps\")",
    ),
    (
        "flows.f.goodput_bps * flows.f.goodput_bps",
        "at_least = 2e12",
        "2000000000000 has no unit, and this is a quantity in bit^2/s^2 (write at_least = \"2 Mbps^2\")",
    ),
    (
        "flows.f.goodput_bps",
        "minus = { buffer = \"4KB\" }\nat_least = 1e6",
        "1000000 has no unit, and this is a rate in bit/s (write at_least = \"1Mbps\")",
    ),
    (
        "flows.f.goodput_bps",
        "at_least = \"1Mbps\"\npaper = 9.5e6",
        "9500000 has no unit, and this is a rate in bit/s (write paper = \"9.5Mbps\")",
    ),
    (
        "flows.f.goodput_bps",
        "at_least = \"1Mbps\"\nns2 = 9.5e6",
        "9500000 has no unit, and this is a rate in bit/s (write ns2 = \"9.5Mbps\")",
    ),
];

#[test]
fn a_bare_number_of_a_quantity_is_refused_with_its_new_spelling() {
    for (y, keys, told) in BARE {
        let (path, found) = refused(&claim(y, keys));
        assert_eq!(found, told, "{y}: {keys}");
        assert!(path.starts_with("expect[0]."), "{path}");
    }
}

#[test]
fn an_amount_of_another_unit_is_refused_with_a_way_to_write_it() {
    for (y, keys, told) in [
        (
            "flows.f.goodput_bps",
            "at_least = \"90%\"",
            "90% is a share, and this is a rate in bit/s: a share of what?",
        ),
        (
            "flows.f.goodput_bps",
            "at_least = \"5ms\"",
            "this is a time in s, but a rate in bit/s is expected (write an amount such as \"9.5Mbps\"",
        ),
        (
            "flows.f.goodput_bps",
            "at_least = \"10mbps\"",
            "did you mean \"Mbps\"?",
        ),
        (
            "link.core.utilisation",
            "at_least = \"9Mbps\"",
            "this is a rate in bit/s, but a number without a unit is expected (write 0.9, \"90%\"",
        ),
        (
            "flows.f.goodput_bps",
            "over = { buffer = \"4KB\" }\nat_least = \"1Mbps\"",
            "but a number without a unit is expected",
        ),
        (
            "flows.f.goodput_bps",
            "times = 1e-6\nat_least = \"9Mbps\"",
            "times = 1e-6 converts a rate in bit/s by hand",
        ),
        (
            "link.core.utilisation",
            "times = 100\nat_least = \"98%\"",
            "a percentage of a number that is multiplied by 100.0 (leave times out",
        ),
        (
            "flows.f.goodput_bps",
            "about = \"9Mbps\"\nwithin = \"1Mbps\"",
            "for an amount, claim at_least and at_most",
        ),
    ] {
        let (_, found) = refused(&claim(y, keys));
        assert!(found.contains(told), "{y}: {keys}: {found}");
    }
}

#[test]
fn amounts_are_numbers_in_the_units_of_results() {
    for (y, keys, least_of) in [
        ("flows.f.goodput_bps", "at_least = \"9.6Mbps\"", 9.6e6),
        ("flows.f.goodput_bps", "at_least = \"9.6 Mbit/s\"", 9.6e6),
        (
            "flows.f.goodput_bps",
            "at_least = \"= 0.9 * rate(core)\"",
            9e6,
        ),
        ("flows.f.delay_mean_s", "at_least = \"5ms\"", 0.005),
        ("link.core.queue_mean_bytes", "at_least = \"3KB\"", 3000.0),
        (
            "link.core.queue_mean_pkts",
            "at_least = \"7.8126pkts\"",
            7.8126,
        ),
        ("link.core.utilisation", "at_least = \"98.6%\"", 0.986),
        ("link.core.utilisation", "at_least = 0.986", 0.986),
        (
            "flows.f.goodput_bps",
            "per = \"link.core.throughput_bps\"\nat_least = 0.9",
            0.9,
        ),
        (
            "link.core.queue_mean_bytes",
            "per = \"link.core.throughput_bps\"\nat_least = \"2ms\"",
            0.002,
        ),
        (
            "flows.f.goodput_bps * flows.f.goodput_bps",
            "at_least = \"1.5 Mbps^2\"",
            1.5e12,
        ),
        (
            "flows.f.goodput_bps",
            "times = \"= 1 / rate(core)\"\nat_least = 0.8",
            0.8,
        ),
        (
            "link.core.utilisation",
            "times = \"200pkts\"\nat_least = \"1.5pkts\"",
            1.5,
        ),
        ("link.core.loss_ratio", "times = 325.7\nat_least = 1.0", 1.0),
    ] {
        assert_eq!(least(&claim(y, keys)), Some(least_of), "{y}: {keys}");
    }
}

#[test]
fn a_factor_brings_its_unit_into_the_claim() {
    let of = |y: &str, keys: &str| {
        let study = study(&claim(y, keys));
        let claim = &study.expectations[0];
        (claim.times, claim.unit)
    };
    let share = of(
        "flows.f.goodput_bps",
        "times = \"= 1 / rate(core)\"\nat_least = 0.8",
    );
    assert_eq!(share, (1e-7, Unit::ONE));
    let window = of(
        "flows.f.goodput_bps",
        "times = \"= 40ms / 1KB * 1pkt\"\nat_least = \"3pkts\"",
    );
    assert_eq!(window, (5e-6, Unit::PACKET));
    let bits = of(
        "link.core.queue_mean_bytes / 1pkts",
        "at_least = \"3B/pkt\"",
    );
    assert_eq!(bits.0, 0.125, "formulas count bits, claims bytes");
}

#[test]
fn slopes_are_per_unit_of_their_axis() {
    let slope = |kind: &str, bound: &str| {
        with(&format!(
            "[[expect]]\nclaim = \"c\"\ny = \"flows.f.goodput_bps\"\nalong = \"buffer\"\nslope = \"{kind}\"\n{bound}"
        ))
    };
    assert_eq!(
        least(&slope("log_y", "at_least = \"-0.14/KB\"")),
        Some(-0.14e-3)
    );
    // Bits per second and byte are eighths per second.
    assert_eq!(
        least(&slope("linear", "at_least = \"0.5 Mbps/KB\"")),
        Some(62.5)
    );
    assert_eq!(least(&slope("log_log", "at_least = -0.5")), Some(-0.5));
    let (_, told) = refused(&slope("log_y", "at_least = -0.00014"));
    assert!(told.ends_with("(write at_least = \"-0.14/KB\")"), "{told}");
}

#[test]
fn the_paper_has_numbers_with_units_or_words() {
    let paper = |y: &str, keys: &str| study(&claim(y, keys)).expectations[0].paper.clone();
    let rate = "at_least = \"1Mbps\"\n";
    let words = |text: &str| Some(Paper::Words(text.to_owned()));
    let of_rate = |text: &str| paper("flows.f.goodput_bps", &format!("{rate}paper = \"{text}\""));
    assert_eq!(of_rate("9.6 Mbps"), Some(Paper::Number(9.6e6)));
    assert_eq!(of_rate("nearly 9.6 Mbps"), words("nearly 9.6 Mbps"));
    assert_eq!(of_rate("50 %"), words("50 %"));
    let share = "at_least = \"97%\"\npaper = \"98%\"";
    assert_eq!(
        paper("link.core.utilisation", share),
        Some(Paper::Number(0.98))
    );
}

#[test]
fn bounds_of_searches_carry_their_unit() {
    let tune = |bound: &str| {
        with(&format!(
            "[tune]\nsearch = [\"buffer\"]\nleast = \"buffer\"\nbound = [{{ y = \"flows.f.goodput_bps\", at_least = {bound} }}]"
        ))
    };
    let found = study(&tune("\"9 Mbps\""));
    let bounds = found.bounds_at(0).expect("sound");
    assert_eq!(bounds[0].least, Some(9e6));
    let tuned = found.tune.as_ref().expect("a search");
    assert_eq!(
        tuned.bounds[0].to_string(),
        "flows.f.goodput_bps at least 9 Mbps"
    );
    let (path, told) = refused(&tune("9"));
    assert_eq!(path, "tune.bound[0].at_least");
    assert!(
        told.contains("\"9bps\" or, if Mbps are meant, \"9Mbps\""),
        "{told}"
    );
    assert!(refused(&tune("\"90%\"")).1.contains("a share of what?"));
}

#[test]
fn tables_name_the_unit_of_their_columns() {
    let table = |y: &str, keys: &str| {
        format!(
            "[[sweep.axis]]\nname = \"buffer\"\nkey = \"link.core.buffer\"\nvalues = [\"5pkts\", \"20pkts\"]\n[[reference]]\nname = \"r\"\nfile = \"means.csv\"\ny = \"{y}\"\n{keys}\n"
        )
    };
    let rates = on_base(&table("flows.f.goodput_bps", "unit = \"Mbps\""));
    let means: Vec<f64> = rates.references[0]
        .rows
        .iter()
        .map(|row| row.mean)
        .collect();
    assert_eq!(means, [0.2e6, 0.05e6]);
    let told = |y: &str, keys: &str| {
        let text = format!("scenario = \"base.toml\"\n{}", table(y, keys));
        refused(&text).1
    };
    let bare = told("flows.f.goodput_bps", "");
    assert!(
        bare.contains("\"0.2\" is not a valid mean: it has no unit, and this is a rate in bit/s"),
        "{bare}"
    );
    assert!(bare.contains("unit = \"Mbps\""), "{bare}");
    let former = told("flows.f.goodput_bps", "times = 1e6");
    assert!(
        former.contains("a table names its unit instead: unit = \"Mbps\""),
        "{former}"
    );
    let of_share = told("link.core.utilisation", "times = 0.01");
    assert!(of_share.contains("unit = \"%\""), "{of_share}");
    let wrong = told("flows.f.goodput_bps", "unit = \"ms\"");
    assert!(
        wrong.contains("this is a time in s, but a rate in bit/s is expected"),
        "{wrong}"
    );
    let tolerance = "[[expect]]\nclaim = \"c\"\ny = \"flows.f.goodput_bps\"\nat = { buffer = \"5pkts\" }\nreference = \"r\"\nwithin = \"5% + 0.5Mbps\"";
    let claimed = on_base(&format!(
        "{}{tolerance}",
        table("flows.f.goodput_bps", "unit = \"Mbps\"")
    ));
    let Claimed::Measured { within, .. } = &claimed.expectations[0].claimed else {
        panic!("{:?}", claimed.expectations);
    };
    assert_eq!((within.share, within.amount), (0.05, 0.5e6));
    let text = format!(
        "scenario = \"base.toml\"\n{}{}",
        table("flows.f.goodput_bps", "unit = \"Mbps\""),
        tolerance.replace("0.5Mbps", "0.5")
    );
    assert!(
        refused(&text).1.contains("0.5 has no unit"),
        "{}",
        refused(&text).1
    );
}

#[test]
fn points_and_limits_of_figures_carry_their_units() {
    let plot = |keys: &str| {
        with(&format!(
            "[[plot]]\nname = \"p\"\nx = \"buffer\"\ny = \"flows.f.goodput_bps\"\n{keys}"
        ))
    };
    let drawn = study(&plot(
        "between = [\"1KB\", \"3KB\"]\nprinted = [{ label = \"paper\", points = [[\"2KB\", \"8.5Mbps\"]] }]",
    ));
    let figure = &drawn.plots[0];
    assert_eq!(figure.between, Some((1000.0, 3000.0)));
    let (across, up) = &figure.printed()[0].points[0];
    assert_eq!(figure.printed_x(across, &drawn.axes), Some(2000.0));
    assert_eq!(figure.printed_y(up), Some(8.5e6));
    for (keys, told) in [
        ("between = [1000, 3000]", "write \"1KB\""),
        (
            "printed = [{ label = \"paper\", points = [[\"2KB\", 8.5e6]] }]",
            "(write \"8.5Mbps\")",
        ),
        (
            "printed = [{ label = \"paper\", points = [[2000, \"8.5Mbps\"]] }]",
            "(write \"2KB\")",
        ),
        (
            "printed = [{ label = \"paper\", points = [[\"2KB\", \"8.5ms\"]] }]",
            "but a rate in bit/s is expected",
        ),
    ] {
        let problems = read(&plot(keys), &[]).expect_err(keys).to_string();
        assert!(problems.contains(told), "{keys}: {problems}");
    }
}

proptest! {
    /// The remedy for a bare number is read as the very number that the file had.
    #[test]
    fn the_new_spelling_of_a_bare_number_is_that_number(
        number in prop_oneof![1e-9..1e15_f64, -1e6..1e6_f64],
        place in 0_usize..4,
    ) {
        let y = [
            "flows.f.goodput_bps",
            "flows.f.delay_mean_s",
            "link.core.queue_mean_bytes",
            "flows.f.goodput_bps * flows.f.delay_mean_s / 1pkts",
        ][place];
        let (_, told) = refused(&claim(y, &format!("at_least = {number:?}")));
        let spelling = told.split("at_least = \"").nth(1).and_then(|text| text.split('"').next());
        let again = claim(y, &format!("at_least = \"{}\"", spelling.expect("a spelling")));
        let expected = match place {
            3 => number / 8.0 * 8.0,
            _ => number,
        };
        prop_assert_eq!(least(&again), Some(expected), "{}", told);
    }
}
