//! Claims and figures of studies: bounds, points that are left out, values that no number meets.

use crate::common::{BASE, on_base, read, refused};

/// A study of two rates with a claim that has these keys.
fn with_claim(keys: &str) -> String {
    format!(
        r#"{BASE}
[sweep]
axis = [{{ name = "rate", key = "link.core.rate", values = ["10Mbps", "20Mbps"] }}]

[[expect]]
claim = "it is so"
{keys}
"#
    )
}

#[test]
fn claims_have_words_and_no_two_the_same() {
    let other = "[[expect]]\nclaim = \"it is so\"\ny = \"flows.f.goodput_bps\"\nat = { rate = \"10Mbps\" }\nat_most = \"10Mbps\"";
    let first = "y = \"flows.f.goodput_bps\"\nat = { rate = \"20Mbps\" }\nat_least = \"1bps\"";
    let found = refused(&with_claim(&format!("{first}\n{other}")));
    assert_eq!(found.len(), 1, "{found:#?}");
    let told = "expect[1].claim: there is another claim \"it is so\"";
    assert!(found[0].contains(told), "{found:#?}");
    let found = refused(&with_claim(first).replace("it is so", " "));
    assert!(
        found[0].contains("expect[0].claim: this claim has no words"),
        "{found:#?}"
    );
}

#[test]
fn bounds_of_claims_are_formulas_of_the_scenario_at_their_point() {
    let goodput = "y = \"flows.f.goodput_bps\"";
    for (keys, least) in [
        (
            "at = { rate = \"20Mbps\" }\nat_least = \"= 0.9 * rate(core)\"",
            18e6,
        ),
        (
            "at = { rate = \"10Mbps\" }\nat_least = \"= 0.9 * rate(core)\"",
            9e6,
        ),
        (
            "times = \"= 1 / rate(core)\"\nat = { rate = \"20Mbps\" }\nat_least = \"= 0.9 * rate(core) / 20Mbps\"",
            0.9,
        ),
        (
            "over = { rate = \"10Mbps\" }\nat = { rate = \"20Mbps\" }\nat_least = \"= sqrt(4 * flows)\"",
            2.0,
        ),
        ("along = \"rate\"\nat_least = \"= 3Mbps * flows\"", 3e6),
        (
            "over = { rate = \"10Mbps\" }\nat = { rate = \"20Mbps\" }\nat_least = \"150 %\"",
            1.5,
        ),
        (
            "times = \"= 2\"\nat = { rate = \"20Mbps\" }\nat_least = \"2 Mbps\"",
            2e6,
        ),
    ] {
        let study = read(&with_claim(&format!("{goodput}\n{keys}")), &[]);
        let study = study.unwrap_or_else(|problems| panic!("{keys}: {problems}"));
        let bounds = study.expectations[0].bounds(&study.references);
        assert_eq!(bounds, (Some(least), None), "{keys}");
    }
    let delay = "y = \"flows.f.delay_mean_s\"\nat = { rate = \"10Mbps\" }\nabout = \"= 2 * 10ms\"";
    let study = read(&with_claim(delay), &[]).expect("sound");
    let bounds = study.expectations[0].bounds(&study.references);
    let expected = (Some(0.018), Some(0.022));
    let close =
        |a: Option<f64>, b: Option<f64>| (a.expect("a bound") - b.expect("a bound")).abs() < 1e-12;
    assert!(
        close(bounds.0, expected.0) && close(bounds.1, expected.1),
        "{bounds:?}"
    );
    let within = format!("{delay}\nwithin = \"10%\"");
    let study = read(&with_claim(&within), &[]).expect("sound");
    let same = study.expectations[0].bounds(&study.references);
    assert_eq!(same, bounds, "a tenth is the default too");
}

#[test]
fn a_point_is_not_compared_with_itself() {
    for (keys, wrong) in [
        (
            "at_least = 1.1\nover = { rate = \"20Mbps\" }",
            "expect[0].over: this is the point of the claim itself",
        ),
        (
            "at_least = \"1Mbps\"\nminus = { rate = \"20Mbps\" }",
            "expect[0].minus: this is the point of the claim itself",
        ),
    ] {
        let claim = format!("y = \"flows.f.goodput_bps\"\nat = {{ rate = \"20Mbps\" }}\n{keys}");
        let told = read(&with_claim(&claim), &[])
            .expect_err("a mistake")
            .to_string();
        assert!(told.contains(wrong), "{told}");
        assert!(
            told.contains("give another value of rate than in `at`"),
            "{told}"
        );
    }
}

#[test]
fn bounds_of_claims_that_have_no_value_are_refused_at_their_key() {
    for (bound, told) in [
        (
            "at = { rate = \"10Mbps\" }\nat_least = \"= 2 * 10ms\"",
            "this is a time in s, but a rate in bit/s is expected",
        ),
        (
            "at = { rate = \"10Mbps\" }\nat_least = \"= rate(core) / 0\"",
            "this divides by zero: \"rate(core) / 0\"",
        ),
        (
            "at = { rate = \"10Mbps\" }\nat_least = \"= rate(corr)\"",
            "there is no link of the name \"corr\": \"rate(corr)\"",
        ),
        (
            "at = { rate = \"10Mbps\" }\nat_least = \"most of it\"",
            "this is not an amount",
        ),
        (
            "along = \"rate\"\nat_least = \"= 0.9 * rate(core)\"",
            "the formula has different values along the axis",
        ),
    ] {
        let text = with_claim(&format!("y = \"flows.f.goodput_bps\"\n{bound}"));
        let problems = read(&text, &[]).expect_err("a mistake");
        let problem = &problems.0[0];
        assert_eq!(problem.message, told, "{bound}");
        assert_eq!(problem.path, "expect[0].at_least", "{bound}");
        assert!(
            problem.line > 0 && problem.help.is_some(),
            "{bound}: {problem}"
        );
    }
}

/// Buffers of 5, 10, 20 and 40 packets with pacing or without, part of which is left out.
fn with_gaps(except: &str, tables: &str) -> String {
    format!(
        r#"
        [sweep]
        replications = 2
        axis = [
          {{ name = "buffer", key = "link.core.buffer", values = ["5pkts", "10pkts", "20pkts", "40pkts"] }},
          {{ name = "start", key = "flow.f.start", values = ["0s", "1s"] }},
        ]
        except = [{except}]
        {tables}
        "#
    )
}

/// A claim about loss with these keys.
fn claim(more: &str) -> String {
    format!("[[expect]]\nclaim = \"c\"\ny = \"link.core.loss_ratio\"\n{more}")
}

/// Refuses the tables with this left out, with one problem.
fn refuses(except: &str, tables: &str, (key, message, help): (&str, &str, &str)) {
    let text = format!("scenario = \"base.toml\"\n{}", with_gaps(except, tables));
    let all = read(&text, &[]).expect_err("points that are left out").0;
    assert_eq!(all.len(), 1, "{tables}: {all:#?}");
    let found = (all[0].path.as_str(), all[0].message.as_str());
    assert_eq!(found, (key, message), "{tables}");
    assert_eq!(all[0].help.as_deref(), Some(help), "{tables}");
    assert!(all[0].line > 1, "{tables}");
}

const FIRST: &str = "{ buffer = \"5pkts\", start = \"1s\" }";

#[test]
fn claims_of_points_that_are_left_out_are_refused_with_those_that_are_there() {
    let course = claim("along = \"buffer\"\nat = { start = \"1s\" }\ncourse = \"falls\"");
    let each = claim("along = \"buffer\"\nat = { start = \"1s\" }\nat_most = 0.1");
    let out = "sweep.except leaves out start = 1s, buffer = 5pkts";
    let between = "write between = [\"10pkts\", \"40pkts\"], which are there";
    for along in [&course, &each] {
        refuses(FIRST, along, ("expect[0].along", out, between));
    }
    let apart = "{ buffer = [\"10pkts\", \"40pkts\"], start = \"1s\" }";
    let message = "sweep.except leaves out start = 1s, buffer = 10pkts";
    let help = "claim a single point, with at";
    refuses(apart, &course, ("expect[0].along", message, help));
    let one = claim("at = { start = \"1s\", buffer = \"5pkts\" }\nat_most = 0.1");
    refuses(FIRST, &one, ("expect[0].at", out, "claim another point"));
    let over = "over = { start = \"1s\" }\nat_most = 1.0";
    let over = claim(&format!(
        "at = {{ start = \"0s\", buffer = \"5pkts\" }}\n{over}"
    ));
    let message = "it is compared with buffer = 5pkts, start = 1s, which sweep.except leaves out";
    let help = "compare it with another point";
    refuses(FIRST, &over, ("expect[0]", message, help));
    let mended = course.replace("course", "between = [\"10pkts\", \"40pkts\"]\ncourse");
    on_base(&with_gaps(FIRST, &mended));
}

#[test]
fn figures_without_a_point_and_baselines_that_are_left_out_are_refused() {
    let figure = "[[plot]]\nname = \"p\"\nx = \"buffer\"\ny = \"link.core.loss_ratio\"\n";
    let late = "{ start = \"1s\" }";
    let only = format!("{figure}only = {late}");
    let message = "sweep.except leaves out all of these points";
    let help = "`pacesim sweep --dry-run` lists the points";
    refuses(late, &only, ("plot[0].only", message, help));
    let relative = format!("{figure}only = {{ start = \"0s\" }}\nrelative_to = {late}");
    let message = "sweep.except leaves out the points that these are drawn relative to";
    let help = "give values of points that are there";
    refuses(late, &relative, ("plot[0].relative_to", message, help));
    on_base(&with_gaps(FIRST, &format!("{figure}lines = \"start\"")));
}

#[test]
fn claims_that_no_number_or_any_number_meets_are_refused() {
    for (bound, path, told) in [
        ("at_least = nan", "at_least", "NaN is not a bound"),
        ("about = inf", "about", "inf is not a bound"),
        ("at_most = -inf", "at_most", "-inf is not a bound"),
        (
            "at_least = 0.9\nat_most = 0.5",
            "at_least",
            "no number is at least 0.9 and at most 0.5",
        ),
        (
            "at_least = 0.9\ntimes = 0.0",
            "times",
            "every number times 0 is 0",
        ),
    ] {
        let keys = format!("y = \"flows.f.loss_ratio\"\nat = {{ rate = \"10Mbps\" }}\n{bound}");
        let problems = read(&with_claim(&keys), &[]).expect_err("a mistake");
        let problem = &problems.0[0];
        assert_eq!(problem.message, told, "{bound}");
        assert_eq!(problem.path, format!("expect[0].{path}"), "{bound}");
        assert!(problem.help.is_some(), "{bound}");
    }
}

#[test]
fn a_figure_between_reversed_limits_is_refused() {
    let plot = "[[plot]]\nname = \"p\"\nx = \"rate\"\ny = \"flows.f.loss_ratio\"\nbetween = [\"20Mbps\", \"9Mbps\"]";
    let text = with_claim("y = \"flows.f.loss_ratio\"\nalong = \"rate\"\nat_least = 0.0");
    let found = refused(&format!("{text}\n{plot}"));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("no point lies between 20Mbps and 9Mbps"),
        "{found:#?}"
    );
}

#[test]
fn a_figure_without_room_for_its_letters_is_refused() {
    let plot = |keys: &str| {
        let text = with_claim("y = \"flows.f.loss_ratio\"\nalong = \"rate\"\nat_least = 0.0");
        format!("{text}\n[[plot]]\nname = \"p\"\nx = \"rate\"\ny = \"flows.f.loss_ratio\"\n{keys}")
    };
    for (keys, told) in [
        (
            "width = \"1in\"",
            "a panel with letters of 10.5pt needs 168pt of width, not 72pt",
        ),
        (
            "style = \"ieee\"\ncolumns = 2",
            "2 panels side by side with letters of 8pt need 256pt of width, not 252pt",
        ),
        (
            "font = \"1pt\"",
            "letters of 1pt are too small for a figure of 630pt",
        ),
        ("width = \"3.33\"", "is not a length on paper with a unit"),
        (
            "style = \"ieee\"\nheight = \"1in\"\nfont = \"9pt\"",
            "a panel with letters of 9pt needs 81pt of height, not 72pt",
        ),
    ] {
        let found = refused(&plot(keys));
        assert_eq!(found.len(), 1, "{keys}: {found:#?}");
        assert!(found[0].contains(told), "{keys}: {found:#?}");
    }
}
