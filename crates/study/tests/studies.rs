//! Studies from their texts: points and scenarios, and problems.

use std::sync::Arc;

use crate::common::{BASE, buffers, on_base, problems, read, refused, scenario};
use pacesim_study::{SharedFiles, StudyText};
use pacesim_units::Capacity;

#[test]
fn a_plain_scenario_is_a_study_of_one_point() {
    let study = read(BASE, &[]).expect("sound");
    assert_eq!(study.points().collect::<Vec<_>>(), [0]);
    assert_eq!((study.name.as_str(), study.replications), ("s", 1));
    assert!(study.point(0).expect("the point").values.is_empty());
}

#[test]
fn an_axis_sets_its_key_at_each_point() {
    let axis = "[[sweep.axis]]\nname = \"buffer\"\nkey = \"link.core.buffer\"\nvalues = [\"5pkts\", \"2KB\"]";
    let study = on_base(axis);
    let five = Capacity::Packets(5);
    assert_eq!(buffers(&study)[0], five);
    assert_eq!(buffers(&study)[1].to_string(), "2KB");
    // Packets and bytes do not share an axis of numbers.
    assert_eq!(study.axes[0].unit, None);
    assert_eq!(study.axes[0].values[0].number, None);
}

#[test]
fn values_of_axes_are_formulas_of_their_own_point() {
    let study = on_base(
        r#"
        [sweep]
        axis = [
          { name = "rate", key = "link.core.rate", values = ["10Mbps", "= 2 * 10Mbps"] },
          { name = "buffer", key = "link.core.buffer", values = ["= rate(core) * 8ms", "= 4pkts * sqrt(4 * flows)"] },
        ]
        "#,
    );
    let buffers: Vec<String> = buffers(&study).iter().map(Capacity::to_string).collect();
    let flows = scenario(&study, 0).flows[0].count.unwrap_or(1);
    assert_eq!(flows, 1, "flows of the base");
    assert_eq!(buffers, ["10KB", "8pkts", "20KB", "8pkts"]);
}

#[test]
fn a_formula_on_an_axis_has_its_quantity_at_each_point_and_its_text_in_selections() {
    let study = on_base(
        r#"
        [sweep]
        axis = [
          { name = "rate", key = "link.core.rate", values = ["10Mbps", "20Mbps"] },
          { name = "buffer", key = "link.core.buffer", values = ["= rate(core) * 8ms", "5KB"] },
        ]
        except = [{ rate = "20Mbps", buffer = "5KB" }]
        "#,
    );
    let buffer = &study.axes[1];
    assert_eq!(buffer.unit, Some("bytes"));
    let points = study.points().filter_map(|number| study.point(number));
    let values: Vec<_> = points.map(|point| point.values[1].clone()).collect();
    let shown: Vec<_> = values.iter().map(|value| value.shown()).collect();
    let formula = "rate(core) * 8ms";
    let expected = [
        format!("{formula} = 10KB"),
        "5KB".to_owned(),
        format!("{formula} = 20KB"),
    ];
    assert_eq!(shown, expected);
    let numbers: Vec<_> = values.iter().map(|value| value.number).collect();
    assert_eq!(numbers, [Some(10e3), Some(5e3), Some(20e3)]);
    assert!(
        values
            .iter()
            .all(|value| buffer.values.iter().any(|of| of.text == value.text))
    );
    // It is the same at each rate, or has no quantity of its own.
    let among = |points: &[u64]| {
        study
            .value_among(points.iter().copied(), 1, 0)
            .shown()
            .into_owned()
    };
    assert_eq!(among(&[0, 1]), expected[0]);
    assert_eq!(among(&[0, 2]), format!("= {formula}"));
}

#[test]
fn a_range_between_formulas_differs_from_point_to_point() {
    let study = on_base(
        r#"
        [sweep]
        axis = [
          { name = "rate", key = "link.core.rate", values = ["10Mbps", "20Mbps"] },
          { name = "buffer", key = "link.core.buffer", log = { from = "1KB", to = "= rate(core) * 12.8ms", count = 3 } },
        ]
        except = [{ buffer = "= 2 of 3", rate = "20Mbps" }]
        "#,
    );
    let points = study.points().filter_map(|number| study.point(number));
    let values: Vec<_> = points.map(|point| point.values[1].clone()).collect();
    let shown: Vec<_> = values.iter().map(|value| value.shown()).collect();
    let formula = "rate(core) * 12.8ms";
    // 1 KB, 4 KB, 16 KB; to 32 KB the inner value is excluded.
    let expected = [
        "1KB".to_owned(),
        "2 of 3 = 4KB".to_owned(),
        format!("{formula} = 16KB"),
        "1KB".to_owned(),
        format!("{formula} = 32KB"),
    ];
    assert_eq!(shown, expected);
    let buffers: Vec<String> = buffers(&study).iter().map(Capacity::to_string).collect();
    assert_eq!(buffers, ["1KB", "4KB", "16KB", "1KB", "32KB"]);
}

#[test]
fn a_range_between_quantities_of_different_units_is_refused_with_both() {
    let axis = "[sweep]\naxis = [{ name = \"b\", key = \"link.core.buffer\", \
                linear = { from = \"1KB\", to = \"= rate(core)\", count = 3 } }]";
    let wrong = problems(on_base(axis).scenario(1));
    let units = "an amount of data in bit";
    assert!(wrong[0].contains(units), "{wrong:?}");
    assert!(wrong[0].contains("bit/s"), "{wrong:?}");
}

#[test]
fn formulas_of_other_units_than_their_axis_have_no_numbers() {
    let study = on_base(
        r#"
        [sweep]
        axis = [{ name = "buffer", key = "link.core.buffer", values = ["5pkts", "= rate(core) * 8ms"] }]
        "#,
    );
    assert_eq!(study.axes[0].unit, None);
    let value = &study.point(1).expect("a point").values[0];
    assert_eq!(
        (value.number, value.resolved.as_deref()),
        (None, Some("10KB"))
    );
    assert_eq!(study.point(0).expect("a point").values[0].number, None);
}

#[test]
fn ranges_cases_and_zipped_axes_make_points() {
    let study = on_base(
        r#"
        name = "zoo"
        [sweep]
        replications = 3
        [[sweep.axis]]
        name = "buffer"
        key = "link.core.buffer"
        linear = { from = "1pkt", to = "3pkts", count = 3 }
        [[sweep.axis]]
        name = "seed_of"
        key = "run.seed"
        values = [5, 6, 7]
        with = "buffer"
        [[sweep.axis]]
        name = "traffic"
        cases = { slow = {}, fast = { "flow.f.traffic.rate" = "9Mbps", "run.warmup" = "1s" } }
        "#,
    );
    assert_eq!((study.name.as_str(), study.replications), ("zoo", 3));
    assert_eq!(study.points().count(), 6);
    let point = study.point(3).expect("a point");
    assert_eq!(
        point.describe(&study.axes),
        "buffer = 2pkts, seed_of = 6, traffic = fast"
    );
    assert_eq!(point.values[0].number, Some(2.0));
    assert_eq!(study.axes[0].unit, Some("pkts"));
    let fast = scenario(&study, 3);
    assert_eq!(
        (fast.run.seed, fast.run.warmup.to_string()),
        (6, "1s".to_owned())
    );
    assert_eq!(scenario(&study, 2).run.warmup.to_string(), "0s");
}

#[test]
fn exceptions_leave_points_out_and_numbers_as_they_are() {
    let axes = r#"
        [[sweep.axis]]
        name = "buffer"
        key = "link.core.buffer"
        values = ["1pkt", "2pkts", "3pkts"]
        [[sweep.axis]]
        name = "seeds"
        key = "run.seed"
        values = [1, 2]
        [[sweep.except]]
        buffer = ["1pkt", "3pkts"]
        seeds = 2
    "#;
    let points: Vec<u64> = on_base(axes).points().collect();
    assert_eq!(points, [0, 2, 3, 4]);
}

#[test]
fn the_file_lies_over_the_scenario_it_stands_on() {
    let study = on_base("set = { \"flow.f.count\" = 7 }\n[run]\nwarmup = \"2s\"\n");
    let scenario = scenario(&study, 0);
    assert_eq!(scenario.run.duration.to_string(), "10s");
    assert_eq!(scenario.run.warmup.to_string(), "2s");
    assert_eq!(scenario.flows[0].count, Some(7));
}

#[test]
fn files_of_the_other_scenario_are_beside_it() {
    let study = read("scenario = \"sub/listed.toml\"", &[]).expect("sound");
    assert_eq!(scenario(&study, 0).file_names(), ["sub/net.csv"]);
}

#[test]
fn options_change_every_point_and_the_sweep_itself() {
    let text = format!(
        "{BASE}[[sweep.axis]]\nname = \"buffer\"\nkey = \"link.core.buffer\"\nvalues = [\"5pkts\"]"
    );
    let sets = [
        "run.duration=3s",
        "sweep.axis.buffer.values=[\"1pkt\", \"2pkts\"]",
        "sweep.replications=4",
    ];
    let study = read(&text, &sets).expect("sound");
    assert_eq!((study.points().count(), study.replications), (2, 4));
    assert_eq!(scenario(&study, 1).run.duration.to_string(), "3s");
    let twice = problems(read(&text, &["link.core.buffer=9pkts"]));
    assert!(
        twice[0].contains("an option sets \"link.core.buffer\", which this axis varies"),
        "{twice:?}"
    );
}

/// The study of one faulty axis.
fn axis(lines: &str) -> Vec<String> {
    refused(&format!(
        "scenario = \"base.toml\"\n[[sweep.axis]]\nname = \"x\"\n{lines}"
    ))
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn what_is_wrong_with_an_axis_stands_where_it_is_wrong() {
    for (lines, at, message) in [
        (
            "key = \"link.core.bufer\"\nvalues = [\"1pkt\"]",
            "s.toml:4:7: link.core.bufer",
            "did you mean \"buffer\"?",
        ),
        (
            "key = \"run.seed\"\nvalues = []",
            "s.toml:2:1: sweep.axis[0]",
            "no values",
        ),
        (
            "key = \"run.seed\"",
            "s.toml:2:1: sweep.axis[0]",
            "give one of values, linear, log and cases",
        ),
        ("values = [1]", "s.toml:2:1: sweep.axis[0]", "varies no key"),
        (
            "key = \"run.seed\"\nvalues = [1, 2, 1]",
            "s.toml:5:17: sweep.axis[0].values[2]",
            "\"1\" is there twice",
        ),
        (
            "key = \"run.seed\"\nvalues = [1]\nlinear = { from = 1, to = 2, count = 2 }",
            "s.toml:2:1",
            "values and linear exclude each other",
        ),
        (
            "key = \"link.core.buffer\"\nlinear = { from = [2], to = \"2KB\", count = 2 }",
            "s.toml:5:19: sweep.axis[0].linear.from",
            "or a formula",
        ),
        (
            "key = \"link.core.buffer\"\nlinear = { from = \"1pkt\", to = \"2KB\", count = 2 }",
            "s.toml:5:10: sweep.axis[0].linear",
            "not of the same kind",
        ),
        (
            "key = \"link.core.buffer\"\nlog = { from = \"0pkts\", to = \"2pkts\", count = 2 }",
            "s.toml:5:7: sweep.axis[0].log",
            "cannot reach zero",
        ),
        (
            "key = \"link.core.buffer\"\nlog = { from = \"lots\", to = \"2pkts\", count = 2 }",
            "s.toml:5:16: sweep.axis[0].log.from",
            "not a number or quantity",
        ),
        (
            "key = \"run.seed\"\ncases = { a = {} }",
            "s.toml:2:1",
            "each case names its own keys",
        ),
        (
            "cases = { a = { \"run.sede\" = 2 } }",
            "s.toml:4:17",
            "did you mean \"seed\"?",
        ),
        (
            "key = \"run.seed\"\nvalues = [1]\nwith = \"y\"",
            "s.toml:6:8: sweep.axis[0].with",
            "no axis \"y\" above",
        ),
        (
            "key = \"run.seed\"\nlinear = { from = 1, to = 2000000, count = 1000001 }",
            "s.toml:5:44",
            "out of range",
        ),
    ] {
        let found = axis(lines);
        assert!(
            found
                .iter()
                .any(|p| p.starts_with(at) && p.contains(message)),
            "{lines}: {found:#?}"
        );
        assert_eq!(found.len(), 1, "{lines}: {found:#?}");
    }
}

#[test]
fn a_wrong_value_is_reported_at_its_point() {
    let study = on_base(
        "[[sweep.axis]]\nname = \"b\"\nkey = \"link.core.buffer\"\nvalues = [\"1pkt\", \"2furlongs\"]",
    );
    let found = study.scenario(1).expect_err("no unit of buffers").0;
    assert_eq!(found.len(), 1);
    let text = found[0].to_string();
    assert!(
        text.starts_with("s.toml:5:19: link[0].buffer: ") && text.contains("furlongs"),
        "{text}"
    );
}

#[test]
fn what_is_wrong_with_several_axes_or_points() {
    let two = |lines: &str| {
        refused(&format!(
            "scenario = \"base.toml\"\n[[sweep.axis]]\nname = \"x\"\nkey = \"run.seed\"\nvalues = [1, 2]\n{lines}"
        ))
    };
    for (lines, message) in [
        (
            "[[sweep.axis]]\nname = \"x\"\nkey = \"link.core.buffer\"\nvalues = [\"1pkt\"]",
            "another axis \"x\"",
        ),
        (
            "[[sweep.axis]]\nname = \"y\"\nkey = \"run.seed\"\nvalues = [1]",
            "\"run.seed\" is varied by the axis \"x\" too",
        ),
        (
            "[[sweep.axis]]\nname = \"y\"\nkey = \"link.core.buffer\"\nvalues = [\"1pkt\"]\nwith = \"x\"",
            "1 values cannot go together with 2",
        ),
        (
            "[[sweep.axis]]\nname = \"point\"\nkey = \"link.core.buffer\"\nvalues = [\"1pkt\"]",
            "a column of every study's tables",
        ),
        ("[[sweep.except]]\nz = 1", "there is no axis \"z\""),
        (
            "[[sweep.except]]\nx = 3",
            "the axis \"x\" has no value \"3\"",
        ),
        ("[[sweep.except]]\nx = [1, 2]", "no point is left"),
        ("[[sweep.except]]", "leave out all points"),
        ("[[sweep.keep]]\nz = 1", "there is no axis \"z\""),
        ("[[sweep.keep]]\nx = 3", "the axis \"x\" has no value \"3\""),
        (
            "[[sweep.except]]\nx = 1\n[[sweep.keep]]\nx = 1",
            "no point of the grid is like this",
        ),
        (
            "[[sweep.axis]]\nname = \"y\"\nkey = \"link.core.buffer\"\nlinear = { from = \"1pkt\", to = \"1001pkts\", count = 1001 }\n[[sweep.axis]]\nname = \"z\"\nkey = \"flow.f.count\"\nlinear = { from = 1, to = 1001, count = 1001 }",
            "more than a million points",
        ),
        ("[sweep]\nreplications = 600000", "more than a million runs"),
        ("swep = 1", "unknown key"),
    ] {
        let found = two(lines);
        assert!(
            found.iter().any(|problem| problem.contains(message)),
            "{lines}: {found:#?}"
        );
    }
}

#[test]
fn a_study_and_its_scenario_report_all_their_mistakes_together() {
    let found = refused(
        "scenario = \"base.toml\"\nswep = 1\nset = { \"run.sead\" = 1 }\n[run]\nwarmup = \"20s\"\n[[sweep.axis]]\nnme = \"x\"\n",
    );
    let has = |text: &str| found.iter().any(|problem| problem.contains(text));
    assert!(
        has("swep: unknown key (did you mean \"sweep\"?"),
        "{found:#?}"
    );
    assert!(has("s.toml:3:9: run.sead"), "{found:#?}");
    assert!(has("leaves nothing of"), "{found:#?}");
    assert!(has("sweep.axis[0].nme: unknown key"), "{found:#?}");
}

#[test]
fn a_scenario_that_is_not_there_is_reported_at_its_name() {
    let found = refused("scenario = \"bas.toml\"\n");
    assert!(
        found[0].starts_with(
            "s.toml:1:12: scenario: cannot use the file \"bas.toml\": there is no such file"
        ),
        "{found:#?}"
    );
}

#[test]
fn a_mistake_in_the_other_file_carries_its_name() {
    let files: SharedFiles = Arc::new(|_: &str| Ok(BASE.replace("10s", "ten")));
    let text = StudyText::parse("s.toml", "s", b"scenario = \"base.toml\"", files);
    let found = problems(text.check());
    assert!(
        found[0].starts_with("base.toml:2:20: run.duration: "),
        "{found:#?}"
    );
    assert!(text.text_of("base.toml").is_some());
}

#[test]
fn an_option_goes_before_the_keys_that_the_study_sets() {
    let text =
        "scenario = \"base.toml\"\nset = { \"run.duration\" = \"20s\", \"run.warmup\" = \"4s\" }\n";
    let study = read(text, &["run.duration=5s", "name=other"]).expect("a sound study");
    let run = scenario(&study, 0).run;
    let times = (run.duration.to_string(), run.warmup.to_string());
    assert_eq!(times, ("5s".into(), "4s".into()));
    let found = problems(read(text, &["run.duratoin=5s"]));
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn a_scale_shortens_times_and_replications_only() {
    let study = on_base("set = { \"run.warmup\" = \"4s\" }\nsweep = { replications = 80 }\n");
    let whole = scenario(&study, 0);
    let short = study.at_scale(0.1);
    assert_eq!(short.replications, 8);
    let run = scenario(&short, 0).run;
    assert_eq!(
        (run.duration.to_string(), run.warmup.to_string()),
        ("1s".into(), "400ms".into())
    );
    assert_eq!(scenario(&short, 0).links, whole.links);
    let replications = |all: u64, scale: f64| {
        let study = on_base(&format!("sweep = {{ replications = {all} }}\n"));
        study.at_scale(scale).replications
    };
    let left = [(80, 0.01), (5, 0.01), (3, 0.5), (1, 0.1), (3, 2.0)];
    let left = left.map(|(all, scale)| replications(all, scale));
    assert_eq!(left, [5, 5, 3, 1, 6]);
}

/// The values of axes come after a variant's, and would silently override it.
#[test]
fn a_variant_may_not_set_what_an_axis_varies() {
    let found = refused(
        "scenario = \"base.toml\"\n[[sweep.axis]]\nname = \"buffer\"\nkey = \"link.core.buffer\"\nvalues = [\"5pkts\"]\n[[variant]]\nname = \"v\"\nset = { \"link.core.buffer\" = \"9pkts\" }\n",
    );
    let found = found.join("\n");
    let said = "\"link.core.buffer\" is varied by the axis \"buffer\"";
    assert!(found.contains(said), "{found}");
}

#[test]
fn an_exception_of_an_axis_that_cannot_be_joined_is_no_panic() {
    let found = refused(
        "scenario = \"base.toml\"\n[[sweep.axis]]\nname = \"x\"\nkey = \"run.seed\"\nvalues = [1]\nwith = \"y\"\n[[sweep.except]]\nx = 1\n",
    );
    assert!(found[0].contains("no axis \"y\" above"), "{found:#?}");
}

#[test]
fn a_faulty_axis_makes_no_figure_complain() {
    let found = refused(
        "scenario = \"base.toml\"\n[[sweep.axis]]\nname = \"x\"\nkey = \"run.seed\"\nvales = [1]\n[[plot]]\nname = \"p\"\nx = \"x\"\ny = \"flows.f.goodput_bps\"\n",
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("sweep.axis[0].vales: unknown key"),
        "{found:#?}"
    );
}

#[test]
fn a_base_stands_alone() {
    let found = refused("scenario = \"based.toml\"\n");
    let told = "\"based.toml\" is itself based on a scenario, \"base.toml\"";
    assert!(found[0].contains(told), "{found:#?}");
    let itself = refused("scenario = \"circle.toml\"\n");
    assert!(
        itself[0].contains("is itself based on a scenario"),
        "{itself:#?}"
    );
}

#[test]
fn options_change_and_add_cases_of_an_axis() {
    let axis = format!(
        "{BASE}\n[[sweep.axis]]\nname = \"way\"\ncases = {{ slow = {{}}, fast = {{ \"run.warmup\" = \"1s\" }} }}\n"
    );
    let sets = [
        "sweep.axis.way.cases.fast={ \"run.warmup\" = \"2s\" }",
        "sweep.axis.way.cases.late={ \"run.warmup\" = \"3s\" }",
    ];
    let study = read(&axis, &sets).expect("sound");
    let warmups: Vec<String> = study
        .points()
        .map(|point| scenario(&study, point).run.warmup.to_string())
        .collect();
    assert_eq!(warmups[1..], ["2s", "3s"], "{warmups:?}");
}
