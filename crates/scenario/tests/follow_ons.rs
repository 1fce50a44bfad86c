//! Mistakes planted one at a time, and formulas in place of quantities: whatever depends on a refused
//! entry is silent, and conditions between keys see what formulas give.

use pacesim_scenario::{Problem, Raw, examples, load, templates};
use pacesim_units::{Bytes, Capacity, Rate, Span};
use toml::{Table, Value};

use crate::examples::{file, whole};

/// Small sound scenarios with every table of the language.
fn scenarios() -> Vec<Table> {
    let examples = examples().into_iter();
    let mut texts: Vec<String> = examples.map(|(_, example)| whole(example)).collect();
    texts.dedup();
    let large = ["nsfnet", "us24", "count = 784"];
    texts.retain(|text| !large.iter().any(|large| text.contains(large)));
    texts
        .iter()
        .map(|text| text.parse().expect("TOML"))
        .collect()
}

/// A step into a value.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Place(usize),
}

/// The paths of all plain values.
fn leaves(value: &Value, at: &[Step]) -> Vec<Vec<Step>> {
    let within = |step: Step, value: &Value| leaves(value, &[at, &[step]].concat());
    match value {
        Value::Table(table) => table
            .iter()
            .flat_map(|(key, value)| within(Step::Key(key.clone()), value))
            .collect(),
        Value::Array(all) => all
            .iter()
            .enumerate()
            .flat_map(|(place, value)| within(Step::Place(place), value))
            .collect(),
        _ => vec![at.to_vec()],
    }
}

fn at<'v>(value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    steps.iter().fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key.as_str()).expect("a key"),
        Step::Place(place) => value.get_mut(*place).expect("a place"),
    })
}

fn path(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Key(key) if path.is_empty() => path += key,
            Step::Key(key) => path += &format!(".{key}"),
            Step::Place(place) => path += &format!("[{place}]"),
        }
    }
    path
}

/// The text with another value.
fn changed(scenario: &Table, steps: &[Step], by: &Value) -> String {
    let mut changed = Value::Table(scenario.clone());
    *at(&mut changed, steps) = by.clone();
    text_of(&changed)
}

fn text_of(value: &Value) -> String {
    toml::to_string(value).expect("a table")
}

fn problems(text: &str) -> Vec<Problem> {
    match Raw::parse("changed.toml", text).check(&file) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.0,
    }
}

fn is_quantity(text: &str) -> bool {
    text.parse::<Span>().is_ok()
        || text.parse::<Rate>().is_ok()
        || text.parse::<Bytes>().is_ok()
        || text.parse::<Capacity>().is_ok() && text != "unlimited"
}

/// The quantities of a scenario, each with its text.
fn quantities(scenario: &Table) -> Vec<(Vec<Step>, String)> {
    let mut value = Value::Table(scenario.clone());
    let all = leaves(&value.clone(), &[]).into_iter();
    let quantities = all.filter_map(|steps| {
        let text = at(&mut value, &steps).as_str()?.to_owned();
        is_quantity(&text).then_some((steps, text))
    });
    quantities.collect()
}

#[test]
fn conditions_between_keys_see_the_values_of_formulas() {
    let large = templates().iter().map(|template| template.text);
    let large = large.map(|text| text.parse().expect("TOML"));
    for scenario in scenarios().into_iter().chain(large) {
        let plain = text_of(&Value::Table(scenario.clone()));
        let expected = load("plain.toml", &plain, &[], &file).expect("it is sound");
        let mut all = Value::Table(scenario.clone());
        for (steps, text) in quantities(&scenario) {
            let formula = Value::String(format!("= 2 * {text} - 1 * {text}"));
            *at(&mut all, &steps) = formula.clone();
            let changed = changed(&scenario, &steps, &formula);
            let found = load("formula.toml", &changed, &[], &file)
                .unwrap_or_else(|problems| panic!("{}: {problems}\n{changed}", path(&steps)));
            assert_eq!(found, expected, "{}", path(&steps));
        }
        let found = load("formulas.toml", &text_of(&all), &[], &file);
        let found = found.unwrap_or_else(|problems| panic!("{problems}\n{}", text_of(&all)));
        assert_eq!(found, expected, "all at once");
    }
}

/// Values beyond most limits, in the unit of a quantity.
fn extremes(text: &str) -> Vec<String> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '_');
    ["0", "1", "999999999999"]
        .map(|number| format!("{number}{unit}"))
        .to_vec()
}

#[test]
fn a_formula_has_the_mistakes_of_its_value() {
    for scenario in scenarios() {
        for (steps, text) in quantities(&scenario) {
            for extreme in extremes(&text) {
                let plain = changed(&scenario, &steps, &Value::String(extreme.clone()));
                let formula = Value::String(format!("= 1 * {extreme}"));
                let formula = changed(&scenario, &steps, &formula);
                let paths = |text: &str| -> Vec<String> {
                    problems(text)
                        .into_iter()
                        .map(|problem| problem.path)
                        .collect()
                };
                let (expected, found) = (paths(&plain), paths(&formula));
                assert_eq!(found, expected, "{} = {extreme}\n{plain}", path(&steps));
            }
        }
    }
}

/// Values that most keys refuse.
fn wrong() -> [Value; 5] {
    [
        Value::Boolean(true),
        Value::Integer(-7),
        Value::String("7".to_owned()),
        Value::String("= 1.5.2".to_owned()),
        Value::Table(Table::new()),
    ]
}

#[test]
fn a_planted_mistake_is_one_problem() {
    let (mut tried, mut several) = (0, Vec::new());
    for scenario in scenarios() {
        for steps in leaves(&Value::Table(scenario.clone()), &[]) {
            // References to the former name would be wrong.
            if path(&steps).ends_with("name") {
                continue;
            }
            for wrong in wrong() {
                let text = changed(&scenario, &steps, &wrong);
                let found = problems(&text);
                if found.is_empty() {
                    continue;
                }
                tried += 1;
                if found.len() > 1 {
                    let found: Vec<String> = found.iter().map(Problem::to_string).collect();
                    several.push(format!("{} = {wrong}: {found:#?}\n", path(&steps)));
                }
            }
        }
    }
    assert!(several.is_empty(), "{}", several.concat());
    assert!(tried > 1000, "{tried} mistakes");
}

#[test]
fn a_quantity_beyond_all_limits_is_one_problem() {
    for scenario in scenarios() {
        for (steps, text) in quantities(&scenario) {
            for extreme in extremes(&text) {
                let text = changed(&scenario, &steps, &Value::String(extreme.clone()));
                let found = problems(&text);
                // The value may also be one that other entries cannot go with.
                let is_here = found.iter().any(|problem| problem.path == path(&steps));
                let all = found.len();
                assert!(
                    !is_here || all == 1,
                    "{} = {extreme}: {found:#?}\n{text}",
                    path(&steps)
                );
            }
        }
    }
}

const FOUR: &str = r#"
run = { duration = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps" }]
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "cbr", rate = "= 1.5.2", size = "1B" }
[[flow]]
name = "g"
from = "a"
to = "b"
traffic = { kind = "cbr", rate = "= 10ms", size = "1KB" }
[[flow]]
name = "h"
from = "a"
to = "b"
start = "5"
traffic = { kind = "cbr", rate = "= 10Mbps / 0", size = "1KB" }
"#;

#[test]
fn all_mistakes_are_told_in_one_round_also_those_of_formulas() {
    let paths = |text: &str| -> Vec<String> {
        problems(text)
            .into_iter()
            .map(|problem| problem.path)
            .collect()
    };
    let four = [
        "flow[0].traffic.rate",
        "flow[1].traffic.rate",
        "flow[2].start",
        "flow[2].traffic.rate",
    ];
    assert_eq!(paths(FOUR), four);
    // A name that cannot be resolved leaves no model, and still no formula is hidden.
    let nowhere = FOUR.replacen("to = \"b\"\ntraffic", "to = \"c\"\ntraffic", 1);
    let nowhere = nowhere.replace("= 10ms", "= rate(cor)");
    assert_eq!(paths(&nowhere), [&["flow[0].to"][..], &four].concat());
    // Formulas of refused quantities have no value, and no mistake.
    let unknown = FOUR
        .replace("rate = \"10Mbps\"", "rate = \"10\"")
        .replace("= 10ms", "= rate(core) - 5Mbps");
    assert_eq!(paths(&unknown), ["link[0].rate", four[0], four[2], four[3]]);
}

#[test]
fn a_formula_of_a_refused_quantity_leaves_its_conditions_open() {
    let text = |warmup: &str, delay: &str| {
        format!(
            r#"
run = {{ duration = "= 10 * rtt(f)", warmup = "{warmup}" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "{delay}" }}]
flow = [{{ name = "f", from = "a", to = "b", traffic = {{ kind = "cbr", rate = "1Mbps", size = "1KB" }} }}]
"#
        )
    };
    assert!(problems(&text("100ms", "10ms")).is_empty());
    let late = problems(&text("200ms", "10ms"));
    assert_eq!(
        late[0].message,
        "a warm-up of 200ms leaves nothing of 200ms"
    );
    for delay in ["10", "= 1.5.2", "= 5Mbps", "999999999999h"] {
        let found = problems(&text("200ms", delay));
        let paths: Vec<&str> = found.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["link[0].delay"], "{delay}: {found:#?}");
    }
}

#[test]
fn a_refused_distribution_is_still_one() {
    for jitter in [
        r#"{ empirical = "no-such.csv" }"#,
        r#"{ uniform = ["1ms", "2"] }"#,
        r#"{ exponential = "-2ms" }"#,
        r#"{ mixture = [{ weight = 1, value = { empirical = "no-such.csv" } }] }"#,
    ] {
        let text = format!(
            r#"
run = {{ duration = "1s" }}
node = [{{ name = "a" }}, {{ name = "b" }}]
link = [{{ name = "core", from = "a", to = "b", rate = "10Mbps", jitter = {jitter}, jitter_reorders = true }}]
flow = [{{ name = "f", from = "a", to = "b", traffic = {{ kind = "cbr", rate = "1Mbps", size = "1KB" }} }}]
"#
        );
        let found = problems(&text);
        assert_eq!(found.len(), 1, "{jitter}: {found:#?}");
        assert!(found[0].path.starts_with("link[0].jitter"), "{found:#?}");
    }
}

#[test]
fn a_link_that_joins_nothing_is_one_problem() {
    let text = r#"
run = { duration = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [
  { name = "core", from = "a", to = "b", rate = "10Mbps" },
  { name = "loop", from = "a", to = "a", pair = "all", rate = "10Mbps" },
]
event = [{ at = "0.5s", links = ["loop[0]"], up = false }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } }]
"#;
    let found = problems(text);
    let paths: Vec<&str> = found.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["link[1].to"], "{found:#?}");
}

#[test]
fn a_path_is_not_missed_while_ends_of_links_are_refused() {
    let text = |one: &str, other: &str| {
        format!(
            r#"
run = {{ duration = "1s" }}
node = [{{ name = "a", count = 3 }}, {{ name = "b", count = 3 }}]
link = [
  {{ name = "one", from = "a[1]", to = {one}, rate = "10Mbps" }},
  {{ name = "other", from = {other}, to = "b[1]", rate = "10Mbps" }},
]
flow = [{{ name = "f", from = "a[0]", to = "b[0]", traffic = {{ kind = "cbr", rate = "1Mbps", size = "1KB" }} }}]
"#
        )
    };
    for wrong in ["\"no such thing\"", "{ a = false }", "-3"] {
        let found = problems(&text(wrong, wrong));
        let paths: Vec<&str> = found.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["link[0].to", "link[1].from"], "{found:#?}");
    }
    let found = problems(&text("\"b[2]\"", "\"a[2]\""));
    let missed: Vec<&str> = found.iter().map(|problem| &*problem.message).collect();
    assert_eq!(missed, ["there is no path from a[0] to b[0]"]);
}

#[test]
fn the_way_back_of_a_link_with_unknown_ends_is_no_unknown_name() {
    let text = r#"
run = { duration = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [
  { name = "core", from = "a", to = "b", rate = "10Mbps" },
  { name = "other", from = "c", to = { a = false }, rate = "10Mbps" },
]
event = [{ at = "0.5s", links = ["other.back"], up = false }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } }]
"#;
    let found = problems(text);
    let paths: Vec<&str> = found.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["link[1].from", "link[1].to"], "{found:#?}");
}

#[test]
fn a_path_that_hangs_on_a_refused_length_is_not_judged() {
    let text = r#"
run = { duration = "1s", routing = "length" }
node = [{ name = "a" }, { name = "b" }]
link = [
  { name = "one", from = "a", to = "b", rate = "10Mbps", length = "1.5.2" },
  { name = "other", from = "a", to = "b", rate = "10Mbps", length = "320m" },
]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", size = "1KB", load = 0.5, of = "one" } }]
"#;
    let found = problems(text);
    let paths: Vec<&str> = found.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["link[0].length"], "{found:#?}");
}
