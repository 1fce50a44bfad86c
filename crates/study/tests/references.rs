//! Tables of measured numbers: their reading, and their mistakes.

use crate::common::{on_base, refused};

/// Two buffers at two rates, and this table.
fn study(tables: &str) -> String {
    format!(
        r#"
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = ["5pkts", "20pkts"]
[[sweep.axis]]
name = "rate"
key = "flow.f.traffic.rate"
values = ["4Mbps", "8Mbps"]
{tables}"#
    )
}

const KERNEL: &str = r#"
[[reference]]
name = "kernel"
file = "kernel.csv"
y = "link.core.loss_ratio"
at = { rate = "8Mbps" }
mean = "loss"
unit = "%"
ignore = ["runs"]
"#;

#[test]
fn rows_are_points_with_a_mean_and_a_spread_in_the_unit_of_the_number() {
    let study = on_base(&study(KERNEL));
    let [reference] = &study.references[..] else {
        panic!("{:?}", study.references);
    };
    assert_eq!(reference.label, "kernel");
    let row = reference.row(&vec![(0, vec![1]), (1, vec![1])]);
    let row = row.expect("it was measured");
    assert_eq!((row.line, row.mean, row.sd), (3, 0.05, Some(0.005)));
    assert_eq!(reference.row(&vec![(0, vec![1]), (1, vec![0])]), None);
    // A study is read again from what was kept of it, without its files.
    let again = pacesim_study::StudyText::again(study.origin()).check();
    assert_eq!(again.expect("sound").references, study.references);
}

/// All problems of a study with these tables, in one text.
fn said(tables: &str) -> String {
    let text = study(tables);
    let text = format!("scenario = \"base.toml\"\n{text}");
    refused(&text).join("\n")
}

fn assert_says(tables: &str, wanted: &[&str]) {
    let said = said(tables);
    for wanted in wanted {
        assert!(said.contains(wanted), "no {wanted:?} in:\n{said}");
    }
}

#[test]
fn what_is_wrong_in_a_table_is_told_with_file_line_and_remedy() {
    assert_says(
        &KERNEL
            .replace("kernel.csv", "broken.csv")
            .replace("mean = \"loss\"\n", ""),
        &[
            "broken.csv, line 2: the axis \"buffer\" has no value \"5KB\"",
            "values are written as in the study, with their unit",
            "line 3: \"many\" is not a valid mean",
            "line 5: the same point as in line 4",
            "line 6: 2 cells and not 3",
            "line 7: a standard deviation below zero",
        ],
    );
    assert_says(
        &KERNEL.replace("ignore = [\"runs\"]", ""),
        &[
            "kernel.csv, line 1: there is no axis \"runs\"",
            "goes into ignore",
        ],
    );
    assert_says(
        &KERNEL.replace("at = { rate = \"8Mbps\" }", ""),
        &[
            "it is not said at which \"rate\" this was measured",
            "write at = { rate =",
        ],
    );
    assert_says(
        &KERNEL.replace("mean = \"loss\"", "mean = \"lost\""),
        &["there is no column \"lost\""],
    );
    assert_says(
        &KERNEL.replace("kernel.csv", "nowhere.csv"),
        &["cannot use the file \"nowhere.csv\": there is no such file"],
    );
}

fn claim(lines: &str) -> String {
    format!("{KERNEL}\n[[expect]]\nclaim = \"loss\"\ny = \"link.core.loss_ratio\"\n{lines}\n")
}

const AT: &str = "at = { buffer = \"5pkts\", rate = \"8Mbps\" }\n";

#[test]
fn a_claim_is_about_what_was_measured_where_and_how_well() {
    on_base(&study(&claim(&format!(
        "{AT}reference = \"kernel\"\nwithin = \"2 sd\""
    ))));
    on_base(&study(&claim(
        "at = { rate = \"8Mbps\" }\nalong = \"buffer\"\nreference = \"kernel\"\nwithin = \"5 %\"",
    )));
    let cases = [
        (
            "reference = \"kernal\"\nwithin = \"2 sd\"",
            "there is no reference \"kernal\"",
        ),
        ("reference = \"kernel\"", "the tolerance is missing"),
        (
            "reference = \"kernel\"\nwithin = \"2 sigma\"",
            "\"2 sigma\": there is no unit \"sigma\"",
        ),
        (
            "reference = \"kernel\"\nwithin = \"2 sd\"\nat_least = 0.1",
            "are claims of their own",
        ),
        (
            "reference = \"kernel\"\nwithin = \"2 sd\"\nover = { buffer = \"20pkts\" }",
            "\"kernel\" is of link.core.loss_ratio",
        ),
        ("about = 0.1\nwithin = \"2 sd\"", "a number from 0 to 1"),
    ];
    for (lines, wanted) in cases {
        assert_says(&claim(&format!("{AT}{lines}")), &[wanted]);
    }
    let slow = AT.replace("8Mbps", "4Mbps");
    assert_says(
        &claim(&format!("{slow}reference = \"kernel\"\nwithin = \"2 sd\"")),
        &["kernel.csv has no row at buffer = 5pkts, rate = 4Mbps"],
    );
}

/// Two rows of four are of 8 Mbps, and none of 4 Mbps.
#[test]
fn a_claim_along_an_axis_is_about_the_values_that_were_measured() {
    let along = |at: &str, axis: &str| {
        let lines = format!("at = {{ {at} }}\nalong = \"{axis}\"\n");
        claim(&format!("{lines}reference = \"kernel\"\nwithin = \"2 sd\""))
    };
    let study = on_base(&study(&along("buffer = \"20pkts\"", "rate")));
    let [expectation] = &study.expectations[..] else {
        panic!("{:?}", study.expectations);
    };
    let bounds = |rate| {
        let at = vec![(0, vec![1]), (1, vec![rate])];
        expectation.measured_bounds(&study.references, &at)
    };
    let (least, most) = bounds(1);
    let in_percent = [least, most].map(|bound| (bound * 100.0).round());
    assert_eq!(in_percent, [4.0, 6.0], "5 % and two deviations of 0.5 %");
    assert_eq!(bounds(0), (f64::NEG_INFINITY, f64::INFINITY), "no row");
    assert_says(
        &along("rate = \"4Mbps\"", "buffer"),
        &["kernel.csv has no row at rate = 4Mbps, buffer = 5pkts"],
    );
}

#[test]
fn a_claim_that_needs_a_spread_says_which_row_has_none() {
    let means = claim(&format!(
        "{AT}reference = \"kernel\"\nwithin = \"2 sd + 0.01\""
    ));
    let means = means
        .replace("kernel.csv", "means.csv")
        .replace("mean = \"loss\"\n", "");
    assert_says(
        &means,
        &[
            "means.csv, line 2: no standard deviation, and the claim needs it",
            "give the table a column sd, or within without sd",
        ],
    );
    on_base(&study(&means.replace("2 sd + 0.01", "0.01")));
}

#[test]
fn a_figure_draws_what_was_measured_of_its_own_number() {
    let plot = |y: &str| {
        format!(
            "{KERNEL}\n[[plot]]\nname = \"p\"\nx = \"buffer\"\ny = \"{y}\"\nlines = \"rate\"\nreference = [\"kernel\"]\n"
        )
    };
    on_base(&study(&plot("link.core.loss_ratio")));
    assert_says(
        &plot("link.core.utilisation"),
        &["\"kernel\" is about link.core.loss_ratio, which is not drawn"],
    );
}
