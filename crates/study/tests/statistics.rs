//! Replications of points, their stopping, and searches.

use crate::common::{BASE, on_base, problems, read, refused, scenario};
use pacesim_study::Study;

/// Problems of a search over the buffer, or over the rate with the load.
fn search(lines: &str) -> Vec<String> {
    let text = format!(
        r#"
{BASE}
[sweep]
axis = [
  {{ name = "buffer", key = "link.core.buffer", linear = {{ from = "1pkt", to = "9pkts", count = 9 }} }},
  {{ name = "pacing", cases = {{ none = {{}}, slow = {{ "link.core.delay" = "1ms" }} }} }},
  {{ name = "rate", key = "link.core.rate", values = ["1Mbps", "2Mbps"] }},
  {{ name = "load", key = "flow.f.traffic.rate", values = ["1Mbps", "3Mbps"], with = "rate" }},
]
[tune]
{lines}
"#
    );
    match read(&text, &[]) {
        Ok(_) => Vec::new(),
        problems => self::problems(problems),
    }
}

/// Tables [tune] with a mistake, and a part of its message.
const WRONG_SEARCHES: [(&str, &str); 21] = [
    (
        "search = []\nleast = \"link.core.loss_ratio\"",
        "nothing is searched",
    ),
    (
        "search = [\"bufer\"]\nleast = \"link.core.loss_ratio\"",
        "did you mean \"buffer\"",
    ),
    (
        "search = [\"pacing\"]\nleast = \"link.core.loss_ratio\"",
        "not numbers in order",
    ),
    (
        "search = [\"rate\"]\nleast = \"link.core.loss_ratio\"",
        "varies together with \"load\"",
    ),
    (
        "search = [\"buffer\", \"buffer\"]\nleast = \"link.core.loss_ratio\"",
        "twice",
    ),
    ("search = [\"buffer\"]", "there is no objective"),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\ngreatest = \"buffer\"",
        "exclude each other",
    ),
    (
        "search = [\"buffer\"]\nleast = \"pacing\"",
        "neither a searched axis",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"",
        "without a bound",
    ),
    (
        "search = [\"buffer\"]\nleast = \"link.core\"",
        "does not name a number",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.utilisation\" }]",
        "nothing is bounded",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.utilisation\", at_least = 2.0, at_most = 1.0 }]",
        "greater than at_most",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.utilisation\", at_least = \"much\" }]",
        "this is not an amount (write 0.9, \"90%\" or a formula without a unit",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.utilisation\", at_least = \"= rate(cor) / rate(core)\" }]",
        "tune.bound[0].at_least: there is no link of the name \"cor\": \"rate(cor)\" (did you mean \"core\"?",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.utilisation\", at_most = \"= delay(core)\" }]",
        "tune.bound[0].at_most: this is a time in s, but a number without a unit is expected",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.utilisation\", at_least = \"= 1 / 0\" }]",
        "this divides by zero",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.utilisation\", at_least = \"= 2 *\" }]",
        "expected a value, found the end",
    ),
    (
        "search = [\"buffer\"]\nleast = \"buffer\"\nbound = [{ y = \"link.core.throughput_bps\", at_least = \"= rate(core)\", at_most = \"1bps\" }]",
        "greater than at_most",
    ),
    (
        "search = [\"buffer\"]\nleast = \"link.core.loss_ratio\"\nstart = { pacing = \"none\" }",
        "\"pacing\" is not searched",
    ),
    (
        "search = [\"buffer\"]\nleast = \"link.core.loss_ratio\"\nstart = { buffer = \"10pkts\" }",
        "no value \"10pkts\"",
    ),
    (
        "search = [\"buffer\"]\nleast = \"link.core.loss_ratio\"\nmost = 1",
        "2",
    ),
];

#[test]
fn a_search_names_its_axes_and_what_is_wanted() {
    const BOUND: &str = "bound = [{ y = \"link.core.utilisation\", at_least = 0.9 }]";
    let sound = format!("search = [\"buffer\"]\nleast = \"buffer\"\n{BOUND}");
    assert_eq!(search(&sound), [""; 0]);
    for (lines, expected) in WRONG_SEARCHES {
        let found = search(lines);
        assert_eq!(found.len(), 1, "{lines}: {found:#?}");
        assert!(found[0].contains(expected), "{lines}: {found:#?}");
        assert!(found[0].contains("tune"), "{lines}: {found:#?}");
    }
}

#[test]
fn batches_are_windows_of_one_run() {
    assert_eq!(on_base("sweep = { batches = 20 }\n").batches, Some(20));
    assert_eq!(on_base("").batches, None);
    for (lines, at, message) in [
        (
            "batches = 0",
            "s.toml:3:11: sweep.batches",
            "from 2 to 1000",
        ),
        (
            "batches = 1",
            "s.toml:3:11: sweep.batches",
            "from 2 to 1000",
        ),
        (
            "batches = \"many\"",
            "s.toml:3:11: sweep.batches",
            "whole number",
        ),
        (
            "batchs = 20",
            "s.toml:3:1: sweep.batchs",
            "did you mean \"batches\"?",
        ),
        (
            "batches = 20\nreplications = 5",
            "s.toml:4:16: sweep.replications",
            "keep one of replications and batches",
        ),
    ] {
        let found = refused(&format!("scenario = \"base.toml\"\n[sweep]\n{lines}\n"));
        assert_eq!(found.len(), 1, "{lines}: {found:#?}");
        assert!(
            found[0].starts_with(at) && found[0].contains(message),
            "{lines}: {found:#?}"
        );
    }
}

const CLAIM: &str = "[[expect]]\nclaim = \"c\"\ny = \"link.core.loss_ratio\"\nat_most = 0.5\n";

#[test]
fn what_is_to_be_precise_is_what_figures_and_claims_are_about() {
    let study = on_base(&format!("sweep = {{ precision = \"2%\" }}\n{CLAIM}"));
    assert_eq!((study.precision, study.most), (Some(0.02), 100));
    let names = |study: &Study| -> Vec<String> {
        let names = study.precise_numbers().into_iter();
        names.map(|name| name.to_string()).collect()
    };
    assert_eq!(names(&study), ["link.core.loss_ratio"]);
    let named = on_base(&format!(
        "sweep = {{ precision = 0.1, most = 7, precise = [\"flows.f.goodput_bps\"] }}\n{CLAIM}"
    ));
    assert_eq!((named.precision, named.most), (Some(0.1), 7));
    assert_eq!(names(&named), ["flows.f.goodput_bps"]);
}

#[test]
fn what_is_wrong_with_statistics_stands_where_it_is_wrong() {
    for (lines, at, message) in [
        ("precision = 0", "3:13: sweep.precision", "above 0"),
        (
            "precision = \"much\"",
            "3:13: sweep.precision",
            "\"2%\" or 0.02",
        ),
        (
            "precision = \"2%\"\nbatches = 5",
            "3:13: sweep.precision",
            "keep one of",
        ),
        (
            "precision = \"2%\"\nmost = 5\nreplications = 6",
            "4:8: sweep.most",
            "at most 5 replications, and at least 6",
        ),
        ("most = 1", "3:8: sweep.most", "from 2"),
        (
            "precise = [\"loss\"]",
            "3:12: sweep.precise[0]",
            "OF.ENTITY.METRIC",
        ),
        (
            "find_warmup = [\"queue\"]",
            "3:16: sweep.find_warmup[0]",
            "OF.ENTITY.METRIC",
        ),
        (
            "find_warmup = [\"link.core.utilisation\"]\n[[sweep.axis]]\nname = \"w\"\nkey = \"run.warmup\"\nvalues = [\"1s\"]",
            "3:15: sweep.find_warmup",
            "the axis \"w\" gives run.warmup",
        ),
    ] {
        let found = refused(&format!(
            "scenario = \"base.toml\"\n[sweep]\n{lines}\n{CLAIM}"
        ));
        assert_eq!(found.len(), 1, "{lines}: {found:#?}");
        assert!(
            found[0].starts_with(&format!("s.toml:{at}")) && found[0].contains(message),
            "{lines}: {found:#?}"
        );
    }
    let nothing = refused("scenario = \"base.toml\"\nsweep = { precision = \"2%\" }\n");
    assert!(
        nothing[0].contains("neither figures nor claims"),
        "{nothing:#?}"
    );
    let many = refused(&format!(
        "scenario = \"base.toml\"\n[sweep]\nprecision = \"2%\"\nmost = 100000\n{CLAIM}[[sweep.axis]]\nname = \"x\"\nkey = \"run.seed\"\nlinear = {{ from = 1, to = 11, count = 11 }}\n"
    ));
    assert!(
        many.iter().any(|problem| problem.contains("sweep.most")),
        "{many:#?}"
    );
}

#[test]
fn an_option_that_gives_the_warm_up_goes_before_finding_it() {
    let text = "scenario = \"base.toml\"\nsweep = { find_warmup = [\"link.core.utilisation\"] }\n";
    assert_eq!(read(text, &[]).expect("sound").find_warmup.len(), 1);
    let given = read(text, &["run.warmup=2s"]).expect("sound");
    assert!(given.find_warmup.is_empty());
    assert_eq!(scenario(&given, 0).run.warmup.to_string(), "2s");
}

const MORE: &str = r#"
[sweep]
replications = 3
axis = [
  { name = "buffer", key = "link.core.buffer", values = ["1pkt", "5pkts"] },
  { name = "rate", key = "link.core.rate", values = ["1Mbps", "2Mbps"] },
]
[[variant]]
name = "far"
set = { "link.core.delay" = "1ms" }
"#;

/// The study with these lines below `[[sweep.more]]`.
fn with_more(lines: &str) -> String {
    let (sweep, variant) = MORE.split_once("[[variant]]").expect("a variant");
    format!("{BASE}{sweep}[[sweep.more]]\n{lines}\n[[variant]]{variant}")
}

#[test]
fn some_points_have_more_replications() {
    let of = |lines: &str| {
        let study = read(&with_more(lines), &[]).expect("a sound study");
        let all = study.points().map(|point| study.replications_of(point, 3));
        (all.collect::<Vec<u64>>(), study)
    };
    let (all, study) = of("at = { buffer = \"5pkts\" }\nreplications = 40");
    assert_eq!(all, [3, 3, 40, 40, 3, 3, 3, 3], "not at variants");
    assert_eq!(study.most_replications(), 40);
    assert_eq!(study.replications_of(2, 7), 7, "overridden");
    let scaled = study.at_scale(0.25);
    assert_eq!((scaled.replications, scaled.most_replications()), (3, 10));
    let named = "at = { buffer = \"5pkts\", rate = \"1Mbps\", variant = \"far\" }";
    let twice = format!(
        "{named}\nreplications = 9\n[[sweep.more]]\nat = {{ rate = [\"1Mbps\"] }}\nreplications = 4"
    );
    assert_eq!(of(&twice).0, [4, 3, 4, 3, 3, 3, 9, 3]);
}

#[test]
fn more_replications_of_no_point_or_beside_another_rule_are_refused() {
    let wrong = [
        ("at = {}\nreplications = 9", "this would be all points"),
        ("replications = 9", "at"),
        (
            "at = { bufer = \"5pkts\" }\nreplications = 9",
            "did you mean \"buffer\"",
        ),
        (
            "at = { buffer = \"6pkts\" }\nreplications = 9",
            "has no value \"6pkts\"",
        ),
        (
            "at = { buffer = \"5pkts\" }\nreplications = 3",
            "all points have 3 replications",
        ),
        (
            "at = { buffer = \"5pkts\" }\nreplications = 900000",
            "more than a million runs",
        ),
    ];
    for (lines, message) in wrong {
        let found = refused(&with_more(lines));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(message), "{found:?} for {message}");
    }
    let more = "at = { buffer = \"5pkts\" }\nreplications = 9";
    let precise = with_more(more).replace(
        "[sweep]\nreplications = 3",
        "[sweep]\nprecision = \"2%\"\nshow = []",
    );
    let precise = precise.replace("show = []", "");
    let found = refused(&precise);
    assert!(
        found
            .iter()
            .any(|text| text.contains("keep one of more and precision")),
        "{found:?}"
    );
}
