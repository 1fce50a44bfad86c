//! Formulas in scenarios: their values, and their mistakes with places.

use pacesim_scenario::{Problem, load};

/// A dumbbell whose flows have round trips of 2 * (2 * 5 + 10) = 40 ms over a core of 10 Mbps.
fn text(buffer: &str) -> String {
    format!(
        r#"
run = {{ duration = "10s" }}
node = [{{ name = "a", count = 4 }}, {{ name = "r" }}, {{ name = "s" }}, {{ name = "b", count = 4 }}]
flow = [{{ name = "web", from = "a", to = "b", traffic = {{ kind = "tcp" }} }}]

[[link]]
name = "core"
from = "r"
to = "s"
rate = "10Mbps"
delay = "10ms"
buffer = "{buffer}"

[[link]]
name = "left"
from = "a"
to = "r"
rate = "100Mbps"
delay = "5ms"

[[link]]
name = "right"
from = "s"
to = "b"
rate = "100Mbps"
delay = "5ms"
"#
    )
}

/// The buffer of the core in the resolved scenario.
fn buffer(formula: &str) -> String {
    let text = text(formula);
    let checked = load("test.toml", &text, &[], &()).unwrap_or_else(|e| panic!("{formula}: {e}"));
    checked.expand(1, 0).links[0].buffer.capacity.to_string()
}

fn problem(text: &str, sets: &[&str]) -> Problem {
    let problems = load("test.toml", text, sets, &()).expect_err("a mistake");
    problems.0.into_iter().next().expect("a problem")
}

#[test]
fn formulas_have_the_values_of_their_scenario() {
    for (formula, expected) in [
        ("= bdp(core)", "50KB"),
        ("= bdp(core) * 0.5", "25KB"),
        ("=bdp(core) / sqrt(flows)", "25KB"),
        ("= bdp(core) / sqrt(flows(web)) / 1000B * 1pkt", "25pkts"),
        ("= rate(core) * 2 * rtt(web[2])", "100KB"),
        ("= rate(left) * delay(right)", "62.5KB"),
        ("= max(20pkts, 3pkts)", "20pkts"),
    ] {
        assert_eq!(buffer(formula), expected, "{formula}");
    }
}

#[test]
fn round_trips_have_the_mean_jitter_of_each_link() {
    let sets = [
        "link.core.jitter={ exponential = \"2ms\" }",
        "link.core.back.jitter={ uniform = [\"0ms\", \"4ms\"] }",
    ];
    let checked = load("test.toml", &text("= bdp(core)"), &sets, &()).expect("good formulas");
    // 40 ms of propagation, and 2 ms on average each way.
    let buffer = checked.expand(1, 0).links[0].buffer.capacity.to_string();
    assert_eq!(buffer, "55KB");
}

#[test]
fn formulas_may_name_quantities_that_are_formulas_and_the_result_is_written_resolved() {
    let sets = [
        "link.core.rate== rate(left) / 10",
        "link.core.delay== 2 * delay(right)",
        "link.left.rate== 4 * 25Mbps",
        "run.duration== 100 * rtt(web)",
    ];
    let checked = load("test.toml", &text("= bdp(core)"), &sets, &()).expect("good formulas");
    let written = checked.scenario().to_toml();
    for line in [
        "buffer = \"50KB\"",
        "rate = \"10Mbps\"",
        "delay = \"10ms\"",
        "duration = \"4s\"",
    ] {
        assert!(written.contains(line), "{line}: {written}");
    }
    let again = load("test.toml", &written, &[], &()).expect("what was written");
    assert_eq!(again.scenario().to_toml(), written);
}

/// Formulas for a buffer, each with the message and the remedy.
const WRONG: [(&str, &str, &str); 13] = [
    (
        "= bdpp(core)",
        "a formula has no \"bdpp\": \"bdpp(core)\"",
        "did you mean \"bdp\"?",
    ),
    (
        "= bdp(corr)",
        "there is no link of the name \"corr\": \"bdp(corr)\"",
        "did you mean \"core\"?",
    ),
    (
        "= rtt(core) * 1Mbps",
        "there is no flow of the name \"core\": \"rtt(core)\"",
        "valid here: web",
    ),
    (
        "= bdp",
        "bdp takes the name of a link or flow: \"bdp\"",
        "write bdp(name)",
    ),
    (
        "= 2 * rate(core)",
        "this is a rate in bit/s, but an amount of data in bit or a number of packets in pkt is expected: \"2 * rate(core)\"",
        "multiply by a time",
    ),
    (
        "= bdp(core) / 0",
        "this divides by zero: \"bdp(core) / 0\"",
        "divide by something",
    ),
    ("= 2 *", "expected a value, found the end", "give a number"),
    (
        "= buffer(left)",
        "the buffer of \"left[0]\" is unlimited: \"buffer(left)\"",
        "give it a size",
    ),
    (
        "= bdp(core) / (flows - flows(web))",
        "this divides by zero: \"bdp(core) / (flows - flows(web))\"",
        "divide by something",
    ),
    (
        "= 1e300 * 1e300 * bdp(core)",
        "this is beyond all numbers: \"1e300 * 1e300\"",
        "choose smaller values",
    ),
    (
        "= log(flows - 4) * 1pkt",
        "log of zero or a negative number: \"log(flows - 4)\"",
        "give it more than zero",
    ),
    (
        "= 1e30 * 1pkt",
        "this is more than 18446744073709551615pkts: \"1e30 * 1pkt\"",
        "choose smaller values",
    ),
    (
        "= bdp(core) / (flows-1)",
        "a formula has no \"flows-1\": \"flows-1\"",
        "write flows - 1 with spaces to subtract",
    ),
];

#[test]
fn mistakes_have_the_place_of_their_key() {
    for (formula, message, help) in WRONG {
        let problem = problem(&text(formula), &[]);
        assert_eq!(problem.message, message, "{formula}");
        assert_eq!(
            (problem.path.as_str(), problem.line),
            ("link[0].buffer", 12),
            "{formula}"
        );
        let told = problem.help.expect("a remedy");
        assert!(told.starts_with(help), "{formula}: {told}");
    }
}

/// The keys and lines of formulas that depend on themselves, in a scenario with these options.
fn circle(buffer: &str, sets: &[&str]) -> Vec<(String, usize)> {
    let problems = load("test.toml", &text(buffer), sets, &()).expect_err("a circle");
    let place = |problem: Problem| {
        assert_eq!(
            problem.message,
            "the value of this formula, or of one that it names, depends on itself"
        );
        let help = "give one of the quantities that it names as a number";
        assert_eq!(problem.help.as_deref(), Some(help));
        (problem.path, problem.line)
    };
    let mut places: Vec<_> = problems.0.into_iter().map(place).collect();
    places.sort();
    places
}

#[test]
fn circles_are_refused_at_their_formulas_and_no_others() {
    let buffer = |line| ("link[0].buffer".to_owned(), line);
    assert_eq!(circle("= buffer(core)", &[]), [buffer(12)]);
    // A value that grows in each round, beside a formula that has one.
    let innocent = "link.core.delay== 2 * delay(left)";
    assert_eq!(circle("= buffer(core) * 2", &[innocent]), [buffer(12)]);
    let sets = ["link.core.rate== rate(left)", "link.left.rate== rate(core)"];
    let both = [
        ("link[0].rate".to_owned(), 1),
        ("link[1].rate".to_owned(), 1),
    ];
    assert_eq!(circle("10pkts", &sets), both);
    // Two that grow in turn.
    let back = ["link.core.back.buffer== buffer(core)"];
    let growing = circle("= buffer(core.back) + 1pkt", &back);
    let there_and_back = [("link[0].back.buffer".to_owned(), 1), buffer(12)];
    assert_eq!(growing, there_and_back);
    // The buffer depends on the circle, and is no mistake of its own.
    assert_eq!(circle("= bdp(core)", &sets), both);
}

/// The rate of four flows over the core with this traffic, or the first mistake.
fn loaded(traffic: &str) -> Result<String, Box<Problem>> {
    let text = text("10pkts").replace("{ kind = \"tcp\" }", traffic);
    let checked = load("test.toml", &text, &[], &()).map_err(|problems| {
        let mut problems = problems.0.into_iter();
        Box::new(problems.next().expect("a problem"))
    })?;
    Ok(checked.scenario().to_toml())
}

#[test]
fn a_load_is_shared_by_the_flows_of_a_group() {
    for (traffic, expected) in [
        (
            "{ kind = \"cbr\", rate = \"= 0.3 * load(core)\", size = \"1KB\" }",
            "rate = \"750kbps\"",
        ),
        (
            "{ kind = \"poisson\", rate = \"= load(left)\", size = \"1KB\" }",
            "rate = \"100Mbps\"",
        ),
        (
            "{ kind = \"on_off\", peak = \"= 0.5 * load(core)\", size = \"1KB\", mean_on = \"1s\", mean_off = \"3s\" }",
            "peak = \"5Mbps\"",
        ),
        (
            "{ kind = \"pareto_on_off\", sources = 5, peak = \"= 0.5 * load(core)\", size = \"1KB\", mean_on = \"1s\", mean_off = \"3s\", hurst = 0.8 }",
            "peak = \"1Mbps\"",
        ),
    ] {
        let written = loaded(traffic).unwrap_or_else(|problem| panic!("{traffic}: {problem}"));
        assert!(written.contains(expected), "{traffic}: {written}");
    }
}

#[test]
fn a_load_without_a_meaning_is_refused_at_its_key() {
    let cbr = "{ kind = \"cbr\", rate = \"= 0.3 * load(core.back)\", size = \"1KB\" }";
    let problem = loaded(cbr).expect_err("no flow crosses the link back");
    assert_eq!(problem.path, "flow[0].traffic.rate");
    let message = "web[0] does not cross that link: \"load(core.back)\"";
    assert_eq!(problem.message, message);
    let outside = problem_of_buffer("= load(core) * 1s");
    assert_eq!(
        outside.message,
        "load is for the traffic of flows: \"load(core)\""
    );
    assert_eq!(outside.help.as_deref(), Some("write 0.5 * rate(core)"));
}

fn problem_of_buffer(formula: &str) -> Problem {
    problem(&text(formula), &[])
}
