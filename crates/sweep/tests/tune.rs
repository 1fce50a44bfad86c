//! Searches, against closed forms of M/M/1/K: loss (1 - r) r^K / (1 - r^(K+1)) at load r.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pacesim_claims::claims::Verdict;
use pacesim_plot::Sign;
use pacesim_runs::workers::BatchMonitor;
use pacesim_study::{Study, StudyText};
use pacesim_sweep::draw::draw;
use pacesim_sweep::error::SweepError;
use pacesim_sweep::input::mistakes;
use pacesim_sweep::make::sweep;
use pacesim_sweep::tune::forecast::forecast as forecast_searches;
use pacesim_sweep::tune::{SearchEnd, Tuned, tune, tune_as_far};
use pacesim_tables::{Numbers, TableReader};

use crate::common::{checked, order};
use crate::folders::files;

/// A packet takes 1 ms on average; load 0.8.
const QUEUE: &str = r#"
run = { duration = "40s", warmup = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "800Mbps", buffer = "5pkts", buffer_counts = "system" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "640Mbps", size = { exponential = "100KB" } } }]
[sweep]
replications = 4
"#;

/// The smallest buffer, of up to 64 packets, for a loss of at most 2 %.
const LEAST_ROOM: &str = r#"
[[sweep.axis]]
name = "room"
key = "link.core.buffer"
linear = { from = "1pkt", to = "64pkts", count = 64 }
[tune]
search = ["room"]
least = "room"
bound = [{ y = "link.core.loss_ratio", at_most = 0.02 }]
"#;

fn loss(load: f64, places: f64) -> f64 {
    let power = |exponent| libm::pow(load, exponent);
    (1.0 - load) * power(places) / (1.0 - power(places + 1.0))
}

fn study(more: &str) -> Study {
    let text = format!("{QUEUE}{more}");
    checked("queue", &text)
}

/// Stops the work after a number of queries.
struct Patience(AtomicU64);

impl BatchMonitor for Patience {
    fn wants_end(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(1)
    }
}

fn patient() -> Patience {
    Patience(AtomicU64::new(u64::MAX))
}

fn tuned(study: &Study, out: &Path, jobs: usize) -> Tuned {
    tune(&order(study, out, jobs), &patient()).expect("it comes to its end")
}

/// The result of a study in a temporary folder.
fn answer(study: &Study) -> Tuned {
    let folder = tempfile::tempdir().expect("a folder");
    tuned(study, &folder.path().join("queue"), 2)
}

const TABLES: [&str; 4] = [
    "runs.parquet",
    "summary.parquet",
    "wide.parquet",
    "tuned.parquet",
];

#[test]
fn the_least_room_is_that_of_the_closed_form() {
    let truth = (1..).find(|places| loss(0.8, f64::from(*places)) <= 0.02);
    let truth = f64::from(truth.expect("loss vanishes"));
    let tuned = answer(&study(LEAST_ROOM));
    let [case] = &tuned.cases[..] else {
        panic!("{tuned:?}");
    };
    assert_eq!(case.ended, SearchEnd::Found);
    let found = case.found[0].number.expect("packets");
    let broken = case.broken.as_ref().and_then(|broken| broken.value.number);
    // It claims nothing about the values in between, where the true value lies.
    assert!(
        broken.is_some_and(|broken| broken < truth) && found >= truth,
        "{case:?}"
    );
    assert!(found <= truth + 2.0, "{found} for {truth}");
    assert!(case.bounds[0].holds && case.tried <= 16, "{case:?}");
    assert!(
        case.not_monotone.is_none() && case.untried_before == 0,
        "{case:?}"
    );
}

/// A share of the loss without room, replication by replication.
const SHARE: &str = r#"{ y = "link.core.loss_ratio", over = { room = "1pkt" }, at_most = 0.1 }"#;

#[test]
fn a_bound_on_a_ratio_runs_the_point_to_compare_with() {
    let share = |places: f64| loss(0.8, places) / loss(0.8, 1.0);
    let truth = (1..).find(|places| share(f64::from(*places)) <= 0.1);
    let truth = f64::from(truth.expect("loss vanishes"));
    let text = LEAST_ROOM.replace("{ y = \"link.core.loss_ratio\", at_most = 0.02 }", SHARE);
    assert_ne!(text, LEAST_ROOM);
    let folder = tempfile::tempdir().expect("a folder");
    let tuned = tuned(&study(&text), &folder.path().join("queue"), 2);
    let case = &tuned.cases[0];
    assert_eq!(case.ended, SearchEnd::Found);
    let found = case.found[0].number.expect("packets");
    assert!(
        (truth..=truth + 2.0).contains(&found),
        "{found} for {truth}"
    );
    let bound = &case.bounds[0];
    assert_eq!(bound.y, "link.core.loss_ratio over room = 1pkt");
    let mean = bound.spread.mean.expect("a ratio");
    assert!(
        (mean - share(found)).abs() < 0.03,
        "{mean} for {}",
        share(found)
    );
    assert_eq!(
        tuned.conditions,
        ["link.core.loss_ratio over room = 1pkt at most 0.1"]
    );
    // Packets of room are no share.
    let wrong = text.replace("at_most = 0.1", "at_most = \"2pkts\"");
    let told = refused(&wrong);
    assert!(told.contains("tune.bound[0].at_most"), "{told}");
    let unknown = refused(&text.replace("room = \"1pkt\"", "room = \"99pkts\""));
    assert!(unknown.contains("has no value \"99pkts\""), "{unknown}");
    let excluded = format!("except = [{{ room = \"1pkt\" }}]\n{text}");
    assert!(refused(&excluded).contains("are excluded from the sweep"));
}

fn refused(more: &str) -> String {
    let text = StudyText::parse(
        "queue.toml",
        "queue",
        format!("{QUEUE}{more}").as_bytes(),
        Arc::new(()),
    );
    text.check()
        .map_or_else(|problems| problems.to_string(), |_| panic!("{more}"))
}

/// The greatest queue is the buffer, and the bound a polynomial of it that holds from 2 to 4 and
/// from 8 packets on.
const TWO_RANGES: &str = r#"
run = { duration = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", buffer = "5pkts" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "cbr", rate = "9Mbps", size = "1KB" } }]
[sweep]
replications = 3
axis = [{ name = "buffer", key = "link.core.buffer", linear = { from = "1pkt", to = "MOSTpkts", count = MOST } }]
[tune]
search = ["buffer"]
least = "buffer"
bound = [{ y = "(link.core.queue_max_pkts - 15 * 1pkts / 10) * (link.core.queue_max_pkts - 45 * 1pkts / 10) * (link.core.queue_max_pkts - 75 * 1pkts / 10)", at_least = 0.0 }]
[[plot]]
name = "curve"
x = "buffer"
y = "link.core.queue_max_pkts"
"#;

fn two_ranges(most: u32) -> Study {
    checked("two", &TWO_RANGES.replace("MOST", &most.to_string()))
}

#[test]
fn bounds_that_hold_in_two_ranges_are_said_not_to_be_monotone() {
    let tuned = answer(&two_ranges(10));
    let case = &tuned.cases[0];
    assert_eq!(
        (case.ended, case.found[0].text.as_str()),
        (SearchEnd::Found, "2pkts")
    );
    let found = case.not_monotone.as_ref().expect("it is not monotone");
    let texts = |values: &[pacesim_sweep::outline::OutlineValue]| -> Vec<String> {
        values.iter().map(|value| value.text.clone()).collect()
    };
    assert!(
        texts(&found.violates).contains(&"1pkt".to_owned()),
        "{found:?}"
    );
    assert!(
        texts(&found.violates).contains(&"7pkts".to_owned()),
        "{found:?}"
    );
    assert!(
        texts(&found.holds).contains(&"8pkts".to_owned()),
        "{found:?}"
    );
    let broken = case.broken.as_ref().expect("1 packet violates");
    assert!(broken.is_next && broken.value.text == "1pkt");
    assert_eq!(case.untried_before, 0);
}

/// On a long axis a narrow range may be missed; the output says how many values were not tried.
#[test]
fn the_answer_is_the_first_that_holds_among_those_tried() {
    let tuned = answer(&two_ranges(100));
    let case = &tuned.cases[0];
    let holds = case.tries.iter().filter(|tried| tried.verdict == "holds");
    let first = holds
        .filter_map(|tried| tried.values[0].number)
        .reduce(f64::min);
    assert_eq!(case.found[0].number, first);
    assert!(tuned.bisects);
}

#[test]
fn a_search_that_was_stopped_has_the_searches_that_ended() {
    let rates = r#"
[[sweep.axis]]
name = "rate"
key = "flow.f.traffic.rate"
values = ["400Mbps", "800Mbps"]
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(&format!("{rates}{LEAST_ROOM}"));
    let out = folder.path().join("queue");
    let mut patience = 60;
    let stopped = loop {
        let impatient = Patience(AtomicU64::new(patience));
        let tuned = tune_as_far(&order(&study, &out, 1), &impatient).expect("a part");
        if tuned.cases.len() == 2 || !tuned.interrupted {
            break tuned;
        }
        patience += 60;
    };
    assert!(stopped.interrupted && stopped.searches == 2, "{stopped:?}");
    assert_eq!(stopped.cases[0].ended, SearchEnd::Found);
    assert_eq!(stopped.cases[1].ended, SearchEnd::Interrupted);
    assert!(!out.join("tuned.parquet").exists());
    assert!(!tuned(&study, &out, 1).interrupted);
}

#[test]
fn a_forecast_of_searches_stores_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("queue");
    let study = study(LEAST_ROOM);
    let forecast = forecast_searches(&order(&study, &out, 2), &patient()).expect("a forecast");
    assert_eq!((forecast.searches, forecast.points), (1, 64));
    assert!(!out.exists());
    let case = &answer(&study).cases[0];
    assert!(
        (forecast.tries_least..=forecast.tries_most).contains(&case.tried),
        "{forecast:?}"
    );
}

/// Utilisation grows with the load alone, so the bound holds at no buffer at the lower rate.
#[test]
fn figures_of_answers_have_their_range_and_draw_settings_without_one() {
    let text = r#"
[[sweep.axis]]
name = "rate"
key = "flow.f.traffic.rate"
values = ["400Mbps", "780Mbps"]
[[sweep.axis]]
name = "room"
key = "link.core.buffer"
linear = { from = "1pkt", to = "12pkts", count = 12 }
[tune]
search = ["room"]
least = "room"
bound = [{ y = "link.core.utilisation", at_least = 0.8 }]
[[plot]]
name = "room"
x = "rate"
y = "tune.room.found_pkts"
[[expect]]
claim = "little room"
y = "tune.room.found_pkts"
at = { rate = "780Mbps" }
at_most = "12pkts"
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(text);
    let out = folder.path().join("queue");
    let tuned = tuned(&study, &out, 2);
    assert_eq!(tuned.cases[0].ended, SearchEnd::Nowhere);
    let figures = draw(&order(&study, &out, 2), &patient()).expect("all runs are there");
    let series = &figures[0].1.panels[0].series[0];
    let [none, found] = &series.points[..] else {
        panic!("{series:?}");
    };
    assert_eq!((none.sign, none.y), (Sign::Beyond, 12.0));
    let (low, high) = found.interval.expect("a range");
    assert!(low < found.y && high == found.y, "{found:?}");
    let told = series.remarks.join("; ");
    assert!(
        told.contains("none up to 12") && told.contains("last value that violates"),
        "{told}"
    );
    let claim = &tuned.claims[0];
    assert_eq!(
        (claim.verdict, claim.low, claim.high),
        (Verdict::Pass, Some(low), Some(high))
    );
}

#[test]
fn each_value_of_the_other_axes_has_a_search_of_its_own() {
    let rates = r#"
[[sweep.axis]]
name = "rate"
key = "flow.f.traffic.rate"
values = ["400Mbps", "800Mbps"]
"#;
    let tuned = answer(&study(&format!("{rates}{LEAST_ROOM}")));
    let found: Vec<(&str, f64)> = tuned
        .cases
        .iter()
        .map(|case| {
            (
                case.values[0].text.as_str(),
                case.found[0].number.expect("packets"),
            )
        })
        .collect();
    // Loads of 0.5 and 1; 1/(K+1) at the latter.
    assert_eq!(found[0], ("400Mbps", 5.0));
    assert!(
        found[1].0 == "800Mbps" && (49.0..=58.0).contains(&found[1].1),
        "{found:?}"
    );
}

/// A bound of its own at each point: the loss allowed grows with the rate, and the formula of the
/// goodput is one of the scenario's rate.
#[test]
fn bounds_may_be_formulas_of_the_point() {
    let rates = r#"
[[sweep.axis]]
name = "rate"
key = "flow.f.traffic.rate"
values = ["400Mbps", "800Mbps"]
[[sweep.axis]]
name = "line"
key = "link.core.rate"
values = ["800Mbps", "1600Mbps"]
"#;
    let by = |bound: &str| {
        let more = LEAST_ROOM.replace(
            "[{ y = \"link.core.loss_ratio\", at_most = 0.02 }]",
            &format!("[{bound}]"),
        );
        answer(&study(&format!("{rates}{more}")))
    };
    let formula = by(
        "{ y = \"link.core.loss_ratio\", at_most = \"= 0.02 * rate(core) / 800Mbps\" }, { y = \"flows.f.goodput_bps\", at_least = \"= rate(core) / 1000\", at_most = \"1Tbps\" }",
    );
    let found = |tuned: &Tuned| -> Vec<Option<f64>> {
        tuned
            .cases
            .iter()
            .map(|case| case.found[0].number)
            .collect()
    };
    let limits = |tuned: &Tuned, bound: usize| -> Vec<_> {
        let bounds = tuned.cases.iter().map(|case| &case.bounds[bound]);
        bounds
            .map(|bound| (bound.at_least, bound.at_most))
            .collect()
    };
    let most = [0.02, 0.04, 0.02, 0.04].map(|most| (None, Some(most)));
    assert_eq!(limits(&formula, 0), most);
    let least = [8e5, 16e5, 8e5, 16e5].map(|least| (Some(least), Some(1e12)));
    assert_eq!(limits(&formula, 1), least);
    let conditions = [
        "link.core.loss_ratio at most 0.02 * rate(core) / 800Mbps",
        "flows.f.goodput_bps from rate(core) / 1000 to 1Tbps",
    ];
    assert_eq!(formula.conditions, conditions);
    let (two, four) = (
        found(&by("{ y = \"link.core.loss_ratio\", at_most = 0.02 }")),
        found(&by("{ y = \"link.core.loss_ratio\", at_most = 0.04 }")),
    );
    assert_eq!(found(&formula), [two[0], four[1], two[2], four[3]]);
    assert_ne!(two[3], four[3], "the bound matters");
}

/// The goodput rises with the rate until the loss exceeds its bound.
#[test]
fn golden_section_ends_where_the_bound_begins() {
    let tuned = answer(&study(
        r#"
[[sweep.axis]]
name = "rate"
key = "flow.f.traffic.rate"
linear = { from = "10Mbps", to = "1000Mbps", count = 100 }
[tune]
search = ["rate"]
greatest = "flows.f.goodput_bps"
bound = [{ y = "link.core.loss_ratio", at_most = 0.05 }]
"#,
    ));
    // At five places this load loses 5 %.
    let loads = (1..1000).map(|i| f64::from(i) / 1000.0);
    let truth = loads.take_while(|load| loss(*load, 5.0) <= 0.05).last();
    let truth = 800e6 * truth.expect("little is lost at small loads");
    let case = &tuned.cases[0];
    let found = case.found[0].number.expect("bit/s");
    assert_eq!(case.ended, SearchEnd::Found);
    assert!((found - truth).abs() <= 20e6, "{found} for {truth}");
}

/// Two queues in series share the room: the loss is least if both have the same.
#[test]
fn a_walk_on_two_axes_finds_the_better_half() {
    let text = r#"
run = { duration = "20s", warmup = "1s" }
node = [{ name = "a" }, { name = "b" }, { name = "c" }]
link = [
  { name = "one", from = "a", to = "b", rate = "800Mbps", buffer = "5pkts", buffer_counts = "system" },
  { name = "two", from = "a", to = "c", rate = "800Mbps", buffer = "5pkts", buffer_counts = "system" },
]
flow = [
  { name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "640Mbps", size = { exponential = "100KB" } } },
  { name = "g", from = "a", to = "c", traffic = { kind = "poisson", rate = "640Mbps", size = { exponential = "100KB" } } },
]
[sweep]
replications = 4
axis = [
  { name = "f_rate", key = "flow.f.traffic.rate", linear = { from = "20Mbps", to = "800Mbps", count = 40 } },
  { name = "g_room", key = "link.two.buffer", linear = { from = "1pkt", to = "30pkts", count = 30 } },
]
[tune]
search = ["f_rate", "g_room"]
greatest = "flows.f.goodput_bps"
start = { f_rate = "20Mbps", g_room = "30pkts" }
bound = [
  { y = "link.one.loss_ratio", at_most = 0.05 },
  { y = "link.two.loss_ratio", at_most = 0.02 },
]
"#;
    let text = StudyText::parse("two.toml", "two", text.as_bytes(), Arc::new(()));
    let tuned = answer(&text.check().expect("sound"));
    let case = &tuned.cases[0];
    assert_eq!(case.ended, SearchEnd::Found, "{case:?}");
    let [rate, room] = [0, 1].map(|axis| case.found[axis].number.expect("a number"));
    assert!((500e6..=620e6).contains(&rate) && room >= 11.0, "{case:?}");
}

#[test]
fn the_same_search_again_makes_no_run_and_jobs_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(LEAST_ROOM);
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    let first = tuned(&study, &one, 1);
    assert_eq!(first.made, first.runs);
    let before = files(TABLES, &one);
    assert_eq!(tuned(&study, &one, 2).made, 0);
    tuned(&study, &two, 2);
    assert!(before == files(TABLES, &one) && before == files(TABLES, &two));
}

#[test]
fn a_search_that_was_stopped_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(LEAST_ROOM);
    let [whole, stopped] = ["whole", "stopped"].map(|name| folder.path().join(name));
    let all = tuned(&study, &whole, 2).made;
    let impatient = Patience(AtomicU64::new(60));
    let error = tune(&order(&study, &stopped, 2), &impatient).expect_err("it was stopped");
    assert!(error.is_interrupted(), "{error}");
    let rest = tuned(&study, &stopped, 2).made;
    assert!(0 < rest && rest < all, "{rest} of {all}");
    assert!(files(TABLES, &whole) == files(TABLES, &stopped));
}

#[test]
fn bounds_that_hold_nowhere_are_no_answer() {
    let bound = r#"y = "link.core.utilisation", at_least = 0.9"#;
    let never = LEAST_ROOM.replace(r#"y = "link.core.loss_ratio", at_most = 0.02"#, bound);
    let tuned = answer(&study(&never));
    let case = &tuned.cases[0];
    // Both ends, the half, the quarters and the eighths.
    assert_eq!((case.ended, case.tried), (SearchEnd::Nowhere, 9));
    assert!(!case.bounds[0].holds);
}

#[test]
fn claims_and_figures_are_about_what_was_found() {
    let more = r#"
[[plot]]
name = "loss"
x = "room"
y = "link.core.loss_ratio"
[[expect]]
claim = "loss at the answer"
y = "link.core.loss_ratio"
at_most = 0.02
[[expect]]
claim = "loss of half the room over it"
y = "link.core.loss_ratio"
at = { room = "5pkts" }
at_least = 0.07
[[expect]]
claim = "the room, planted false"
y = "tune.room.found_pkts"
at_least = "60pkts"
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(&format!("{LEAST_ROOM}{more}"));
    let out = folder.path().join("queue");
    let before = draw(&order(&study, &out, 2), &patient());
    assert!(matches!(before, Err(SweepError::NoRuns(_))), "{before:?}");
    let tuned = tuned(&study, &out, 2);
    let verdicts: Vec<Verdict> = tuned.claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(verdicts[..2], [Verdict::Pass, Verdict::Pass]);
    // A place has no interval.
    assert_ne!(verdicts[2], Verdict::Pass);
    let figures = draw(&order(&study, &out, 2), &patient()).expect("all runs are there");
    assert_eq!(figures[0].0, "loss");
    let written = std::fs::read(out.join("figures/loss.svg")).expect("a figure");
    assert!(written == figures[0].1.svg().as_bytes());
}

#[test]
fn figures_over_time_are_of_the_answer_and_repeat_no_other_run() {
    let over_time = "[[plot]]\nname = \"queue\"\nover = \"time\"\ny = \"link.core.queue_pkts\"\n";
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("queue");
    let before = tuned(&study(LEAST_ROOM), &out, 2);
    let study = study(&format!("{LEAST_ROOM}{over_time}"));
    let after = tuned(&study, &out, 2);
    assert_eq!((after.made, after.runs), (1, before.runs + 1));
    assert_eq!(after.fingerprint, before.fingerprint);
    let figures = draw(&order(&study, &out, 2), &patient()).expect("all runs are there");
    let line = &figures[0].1.panels[0].series[0];
    let most = line.points.iter().map(|point| point.y).fold(0.0, f64::max);
    let found = after.cases[0].found[0].number.expect("packets");
    assert!(1.0 < most && most <= found, "{most} of {found}");
    assert_eq!(tuned(&study, &out, 2).made, 0);
}

#[test]
fn the_table_has_a_row_for_each_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("queue");
    let tuned = tuned(&study(LEAST_ROOM), &out, 2);
    let table = TableReader::open(&out.join("tuned.parquet")).expect("a table");
    let names = table.column_names();
    let column = |name: &str| {
        let place = names.iter().position(|known| known == name).expect(name);
        table.numbers(place).expect("it can be read")
    };
    let found = tuned.cases[0].found[0].number.expect("packets");
    assert_eq!(column("room_pkts"), Some(Numbers::Reals(vec![found])));
    let lost = tuned.cases[0].bounds[0].spread.mean.expect("a loss");
    assert_eq!(
        column("link.core.loss_ratio"),
        Some(Numbers::Reals(vec![lost]))
    );
}

#[test]
fn a_sweep_of_a_search_is_refused_and_a_search_of_a_sweep_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("queue");
    let search = study(LEAST_ROOM);
    let refused = sweep(&order(&search, &out, 1), &patient()).expect_err("it is a search");
    let SweepError::Problems(problems) = refused else {
        panic!("{refused}");
    };
    assert!(
        problems[0].to_string().contains("pacesim tune"),
        "{problems:?}"
    );
    let plain = study("");
    let refused = tune(&order(&plain, &out, 1), &patient()).expect_err("nothing is searched");
    assert!(refused.is_usage() && !out.exists());
}

#[test]
fn numbers_that_are_not_there_are_refused() {
    let wrong = LEAST_ROOM.replace("link.core.loss_ratio", "link.cor.loss_ratio");
    let problems = mistakes(&study(&wrong));
    let text = problems[0].to_string();
    assert!(
        text.contains("tune.bound[0].y") && text.contains("core"),
        "{text}"
    );
    let unknown =
        "\n[[expect]]\nclaim = \"x\"\ny = \"tune.rom.found_pkts\"\nat_least = \"1pkts\"\n";
    let problems = mistakes(&study(&format!("{LEAST_ROOM}{unknown}")));
    assert!(
        problems[0].to_string().contains("tune.room.found_pkts"),
        "{problems:?}"
    );
}
