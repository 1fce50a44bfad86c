//! Claims judged again by stored numbers, and reasons that are calculations.

use std::sync::Arc;

use pacesim_claims::claims::{Claim, Explanation, Kind, Verdict};
use pacesim_claims::judge::{Unknown, again};
use pacesim_study::StudyText;
use pacesim_sweep::input::mistakes;

use crate::claims::judged;
use crate::queues::{QUEUES, expect, study};

const AT: &str = "at = { places = \"4pkts\", rate = \"800kbps\" }";

const VARIANT: &str = "[[variant]]\nname = \"one size\"\nat = { places = \"4pkts\" }\nset = { \"flow.f.traffic.size\" = \"1KB\" }\n";

fn tables(claims: &[&str]) -> String {
    let claims: String = claims.iter().map(|keys| expect(keys)).collect();
    format!("{VARIANT}{claims}")
}

/// The claims of a study that ran, and those of another with the same runs, judged by their numbers.
fn first_and_then(first: &[&str], then: &[&str]) -> (Vec<Claim>, Result<Vec<Claim>, Unknown>) {
    let stored = judged(4, &tables(first));
    let study = study(4, &tables(then));
    let claims = again(&study, &stored);
    (stored, claims)
}

/// M/M/1/4 at load 0.8 loses 0.1218, and packets of one size less.
#[test]
fn a_claim_judged_again_by_the_same_bounds_is_the_same() {
    let kinds = [
        format!("{AT}\nabout = 0.12\nwithin = 0.1"),
        format!(
            "{AT}\nat_most = 0.1\nbecause = {{ variant = \"one size\", shows = \"sizes that vary lose more\" }}"
        ),
        format!("{AT}\nat_least = 0.12180001\nbecause = \"not explained\""),
        format!("{AT}\nat_most = 0.5\nkind = \"paper\"\npaper = \"little\""),
        "at = { rate = \"800kbps\" }\nalong = \"places\"\ncourse = \"falls\"".to_owned(),
        "at = { rate = \"800kbps\" }\nalong = \"places\"\nat_most = 0.9".to_owned(),
    ];
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let (stored, again) = first_and_then(&kinds, &kinds);
    assert_eq!(again, Ok(stored));
}

#[test]
fn other_words_kinds_and_bounds_need_no_runs() {
    let before = format!("{AT}\nat_most = 0.01");
    let after = format!(
        "{AT}\nat_most = 0.1\nkind = \"paper\"\nbecause = {{ variant = \"one size\", shows = \"sizes that vary lose more\" }}"
    );
    let passing = format!("{AT}\nat_least = 0.1\nat_most = 0.13");
    let (stored, claims) = first_and_then(&[&before], &[&after, &passing]);
    let claims = claims.expect("the same number");
    let direct = judged(4, &tables(&[&after, &passing]));
    assert_eq!(claims, direct, "as if the study had run with these claims");
    assert_eq!(
        (stored[0].verdict, claims[0].verdict),
        (Verdict::Differs, Verdict::Differs)
    );
    assert_eq!(stored[0].explanation(), None);
    assert_eq!(claims[0].explanation(), Some(Explanation::Variant));
    assert_eq!(
        (claims[0].kind, claims[1].verdict),
        (Kind::Paper, Verdict::Pass)
    );
}

/// Nothing may keep a verdict that other numbers earned.
#[test]
fn another_number_or_another_course_needs_its_runs() {
    let loss = format!("{AT}\nat_most = 0.5");
    let falls = "at = { rate = \"800kbps\" }\nalong = \"places\"\ncourse = \"falls\"";
    let others = [
        (loss.clone(), loss.replace("4pkts", "2pkts")),
        (loss.clone(), format!("{loss}\ntimes = 2")),
        (loss.clone(), format!("{loss}\nquantile = 0.5")),
        (falls.to_owned(), falls.replace("falls", "convex")),
        (
            falls.to_owned(),
            falls.replace("course = \"falls\"", "at_most = 0.5"),
        ),
    ];
    for (first, then) in others {
        let (_, claims) = first_and_then(&[&first], &[&then]);
        assert!(matches!(claims, Err(Unknown(_))), "{then}: {claims:?}");
    }
}

#[test]
fn a_model_explains_only_what_it_gives() {
    let because = |places: u32, more: &str| {
        format!(
            "because = {{ model = \"mm1k\", y = \"loss\", set = {{ load = 0.8, places = {places} }}{more}, shows = \"the formula\" }}"
        )
    };
    let claim = |bound: &str, because: String| format!("{AT}\n{bound}\n{because}");
    let told = [
        // The model gives 0.1218: our number, and not what is claimed.
        (
            claim("at_most = 0.05", because(4, "")),
            Some(Explanation::Model),
        ),
        // It gives 0.039 with eight places, as claimed.
        (claim("at_most = 0.05", because(8, "")), None),
        // It gives 0.44 with one: on our side of the bound, but not our number.
        (claim("at_most = 0.05", because(1, "")), None),
        // With a wide tolerance the number of three places, 0.17, would do.
        (
            claim("at_most = 0.05", because(3, ", within = 0.35")),
            Some(Explanation::Model),
        ),
    ];
    let texts: Vec<&str> = told.iter().map(|(text, _)| text.as_str()).collect();
    let claims = judged(4, &tables(&texts));
    for (claim, (text, expected)) in claims.iter().zip(&told) {
        assert_eq!(claim.verdict, Verdict::Differs);
        assert_eq!(claim.explanation(), *expected, "{text}");
        let note = claim.note.as_deref().expect("a note");
        let is_told = note.starts_with("not explained: ") && note.contains("does not show it");
        assert_eq!(is_told, expected.is_none(), "{note}");
    }
}

#[test]
fn a_bound_explains_only_what_it_excludes() {
    let claim = |bounds: &str, formula: &str| {
        format!(
            "{AT}\ny = \"flows.f.throughput_bps\"\n{bounds}\nbecause = {{ bound = \"full link\", {formula}, shows = \"no link passes more\" }}"
        )
    };
    let told = [
        (
            claim("at_least = \"1200kbps\"", "at_most = \"= rate(core)\""),
            Some(Explanation::Bound),
        ),
        // The bound admits what is claimed.
        (
            claim("at_least = \"900kbps\"", "at_most = \"= rate(core)\""),
            None,
        ),
        // Our runs exceed the bound, so that it is none.
        (
            claim("at_least = \"1200kbps\"", "at_most = \"= rate(core) / 10\""),
            None,
        ),
    ];
    let texts: Vec<String> = told.iter().map(|(text, _)| text.clone()).collect();
    let texts: String = texts
        .iter()
        .map(|text| format!("[[expect]]\nclaim = {text:?}\n{text}\n"))
        .collect();
    let claims = judged(4, &texts);
    for (claim, (text, expected)) in claims.iter().zip(&told) {
        assert_eq!(claim.explanation(), *expected, "{text}: {claim:?}");
    }
}

#[test]
fn a_reason_by_a_model_that_there_is_not_is_refused_where_it_stands() {
    for (reason, key, told) in [
        ("model = \"mm1l\", y = \"loss\"", "because.model", "mm1l"),
        ("model = \"mm1k\", y = \"lost\"", "because.y", "it has "),
        (
            "model = \"mm1k\", y = \"loss\", set = { loads = 1 }",
            "because.set.loads",
            "it has ",
        ),
    ] {
        let text = QUEUES.replace("REPLICATIONS", "1")
            + &expect(&format!(
                "{AT}\nat_most = 1\nbecause = {{ {reason}, shows = \"it\" }}"
            ));
        let study = StudyText::parse("queues.toml", "queues", text.as_bytes(), Arc::new(()));
        let study = study
            .check()
            .unwrap_or_else(|problems| panic!("{problems}"));
        let found = mistakes(&study);
        assert_eq!(found.len(), 1, "{found:?}");
        let found = found[0].to_string();
        assert!(
            found.contains("queues.toml:") && found.contains(key),
            "{found}"
        );
        assert!(found.contains(told), "{found}");
    }
}

#[test]
fn an_inferred_setting_is_the_reason_where_it_moves_a_number() {
    let paper = |keys: &str| format!("{AT}\n{keys}\nkind = \"paper\"");
    let (a, b, c) = (
        paper("at_most = 0.1"),
        paper("at_most = 0.09"),
        paper("at_most = 0.01"),
    );
    let inferred = format!(
        "[[inferred]]\nsetting = \"the sizes\"\nvalue = \"all the same\"\nvariant = \"one size\"\nfitted = {a:?}\npredicts = [{b:?}, {c:?}]\n"
    );
    let claims = judged(4, &(tables(&[&a, &b, &c]) + &inferred));
    let shown: Vec<_> = claims.iter().map(Claim::explanation).collect();
    assert_eq!(
        shown,
        [Some(Explanation::Variant), Some(Explanation::Variant), None]
    );
    let note = claims[1].note.as_deref().expect("a note");
    assert!(
        note.contains("the sizes, inferred as all the same"),
        "{note}"
    );
}
