//! Kinds of claims, reasons that are calculated, bands, quotients and inferred settings: each mistake is
//! refused at its line and key, with a remedy.

use pacesim_study::{Because, ClaimKind, Claimed};

use crate::common::{BASE, read, refused};

const Y: &str = "y = \"flows.f.goodput_bps\"\nat = { rate = \"10Mbps\" }\n";

/// A study of three rates with a variant and these tables.
fn with(tables: &str) -> String {
    format!(
        r#"{BASE}
[[variant]]
name = "large packets"
set = {{ "link.core.buffer" = "20pkts" }}

[sweep]
axis = [{{ name = "rate", key = "link.core.rate", values = ["10Mbps", "20Mbps", "40Mbps"] }}]

{tables}"#
    )
}

/// A claim about the goodput at 10 Mbps, with these words and keys.
fn claim(words: &str, keys: &str) -> String {
    format!("[[expect]]\nclaim = \"{words}\"\n{Y}{keys}\n")
}

fn paper(words: &str) -> String {
    claim(words, "kind = \"paper\"\nabout = \"9Mbps\"")
}

/// Requires one problem with these parts, at the line on which the text has this part.
fn one_problem(tables: &str, at: &str, parts: &[&str]) {
    let text = with(tables);
    let line = text.lines().position(|line| line.contains(at));
    let line = line.unwrap_or_else(|| panic!("no line {at}")) + 1;
    let found = refused(&text);
    assert_eq!(found.len(), 1, "{tables}: {found:#?}");
    assert!(
        found[0].contains(&format!("s.toml:{line}:")),
        "{line}: {found:#?}"
    );
    for part in parts {
        assert!(found[0].contains(part), "{part}: {found:#?}");
    }
}

#[test]
fn a_kind_is_a_word_and_the_expected_number_is_none() {
    one_problem(
        &claim("a", "about = \"paper\""),
        "about =",
        &[
            "expect[0].about",
            "`about` is the expected number",
            "kind = \"paper\"",
        ],
    );
    one_problem(
        &claim("a", "kind = \"papers\"\nabout = \"9Mbps\""),
        "kind = \"papers\"",
        &["expect[0].kind", "did you mean \"paper\""],
    );
    let study = read(
        &with(&(paper("a") + &claim("b", "at_least = \"1bps\""))),
        &[],
    );
    let claims = study.expect("sound").expectations;
    let kinds: Vec<_> = claims.iter().map(|claim| claim.kind).collect();
    assert_eq!(
        kinds,
        [ClaimKind::Paper, ClaimKind::Own],
        "by default a claim is our own"
    );
}

#[test]
fn an_alternative_is_the_same_statement_at_another_value_of_one_axis() {
    let other = |keys: &str| {
        paper("a") + &format!("[[expect]]\nclaim = \"b\"\nkind = \"alternative\"\n{keys}\n")
    };
    let y = "y = \"flows.f.goodput_bps\"\nat = { rate = \"20Mbps\" }\n";
    let sound = format!("{y}instead_of = \"a\"\nabout = \"9Mbps\"");
    let study = read(&with(&other(&sound)), &[]).expect("sound");
    let beside = study.expectations[1].instead_of.as_ref().expect("a claim");
    assert_eq!((&*beside.claim, &*beside.setting), ("a", "rate = 20Mbps"));
    for (keys, at, parts) in [
        (
            format!("{y}about = \"9Mbps\""),
            "kind = \"alternative\"",
            ["expect[1].kind", "instead_of"],
        ),
        (
            sound.replace("\"a\"", "\"c\""),
            "instead_of",
            ["no claim \"c\" above", "valid here: a"],
        ),
        (
            sound.replace("9Mbps", "8Mbps"),
            "instead_of",
            ["another statement", "only `at` differs"],
        ),
        (
            sound.replace("20Mbps", "10Mbps"),
            "instead_of",
            ["on no axis", "one setting"],
        ),
    ] {
        one_problem(&other(&keys), at, &parts);
    }
    let of_own = other(&sound).replacen("kind = \"paper\"", "kind = \"own\"", 1);
    one_problem(&of_own, "instead_of", &["not of kind \"paper\""]);
    let of_paper = other(&sound).replace("\"alternative\"", "\"paper\"");
    one_problem(
        &of_paper,
        "instead_of",
        &["only an alternative", "kind = \"alternative\""],
    );
}

#[test]
fn a_group_is_a_sentence_of_the_paper_that_several_claims_repeat() {
    let member = |words: &str, group: &str| {
        claim(
            words,
            &format!("kind = \"paper\"\ngroup = \"{group}\"\nabout = \"9Mbps\""),
        )
    };
    assert!(read(&with(&(member("a", "g") + &member("b", "g"))), &[]).is_ok());
    one_problem(
        &(member("a", "good") + &member("b", "good") + &member("c", "god")),
        "\"god\"",
        &[
            "expect[2].group",
            "no other claim is in the group \"god\"",
            "good",
        ],
    );
    let own = member("a", "g").replace("\"paper\"", "\"own\"") + &member("b", "g");
    one_problem(
        &own,
        "group =",
        &["expect[0].group", "a group is a sentence of the paper"],
    );
}

#[test]
fn words_have_the_same_band_everywhere() {
    let bounds = |keys: &str| {
        let keys = format!("over = {{ rate = \"20Mbps\" }}\n{keys}");
        let study = read(&with(&claim("a", &keys)), &[]);
        let study = study.unwrap_or_else(|problems| panic!("{keys}: {problems}"));
        study.expectations[0].bounds(&study.references)
    };
    assert_eq!(bounds("band = \"no better\""), (None, Some(1.1)));
    assert_eq!(
        bounds("band = \"approximately the same\""),
        (Some(0.9), Some(1.1))
    );
    assert_eq!(bounds("band = \"white noise\""), (Some(-0.25), Some(0.25)));
    let ratio = |keys: &str| claim("a", &format!("over = {{ rate = \"20Mbps\" }}\n{keys}"));
    one_problem(
        &ratio("band = \"as much as\""),
        "band =",
        &["about a number", "about = 0.9"],
    );
    one_problem(
        &ratio("band = \"white noise\"\nabout = 0.9"),
        "band =",
        &["a range of their own"],
    );
    one_problem(
        &ratio("band = \"quite close\""),
        "band =",
        &["quite close to 1"],
    );
    one_problem(
        &ratio("band = \"no better\"\nat_most = 1"),
        "[[expect]]",
        &["claims of their own"],
    );
}

#[test]
fn the_tolerance_of_a_quotient_follows_from_its_two_numbers() {
    let tables = |keys: &str| {
        claim("a", "about = \"93kbps\"\nwithin = 0.03")
            + &claim("b", "about = \"82kbps\"\nwithin = 0.04")
            + &claim("c", "at_least = \"1bps\"")
            + &claim("d", &format!("over = {{ rate = \"20Mbps\" }}\n{keys}"))
    };
    let study = read(&with(&tables("quotient = [\"a\", \"b\"]")), &[]).expect("sound");
    let Claimed::About { number, within } = study.expectations[3].claimed else {
        panic!("{:?}", study.expectations[3].claimed);
    };
    assert!(
        (number - 93.0 / 82.0).abs() < 1e-12 && within == 0.05,
        "{within}"
    );
    for (keys, parts) in [
        ("quotient = [\"a\"]", ["of two claims", "dividend"]),
        (
            "quotient = [\"a\", \"e\"]",
            ["no claim \"e\" above", "quotient[1]"],
        ),
        (
            "quotient = [\"a\", \"c\"]",
            ["not about a printed number", "quotient[1]"],
        ),
        (
            "quotient = [\"a\", \"b\"]\nabout = 1.1",
            ["follow from two claims", "leave"],
        ),
    ] {
        one_problem(&tables(keys), "quotient =", &parts);
    }
}

#[test]
fn a_reason_is_evaluated_and_never_words_alone() {
    let tables = |because: &str| claim("a", &format!("about = \"9Mbps\"\nbecause = {because}"));
    for (because, parts) in [
        (
            "\"the paper is wrong\"",
            ["not a tested reason", "not explained"],
        ),
        (
            "{ shows = \"it\" }",
            ["not a tested reason", "not explained"],
        ),
        (
            "{ variant = \"large packets\" }",
            ["not said what this shows", "shows ="],
        ),
        (
            "{ variant = \"large packet\", shows = \"it\" }",
            ["no variant \"large packet\"", "large packets"],
        ),
        (
            "{ bound = \"a full link\", at_most = \"= rate(core)\", shows = \"it\" }",
            ["no bound \"a full link\"", "full link"],
        ),
        (
            "{ bound = \"full link\", shows = \"it\" }",
            ["a formula of the scenario's quantities", "at_most"],
        ),
        (
            "{ bound = \"full link\", at_most = \"8Mbps\", shows = \"it\" }",
            ["not calculated from the scenario", "= rate(core)"],
        ),
        (
            "{ bound = \"full link\", at_most = \"= delay(core)\", shows = \"it\" }",
            ["because.at_most", "a rate in bit/s is expected"],
        ),
        (
            "{ model = \"mm1k\", y = \"loss\", shows = \"it\" }",
            ["because.y", "claim's unit"],
        ),
        (
            "{ model = \"mm1k\", y = \"loss\", sets = {}, shows = \"it\" }",
            ["unknown key", "set"],
        ),
    ] {
        one_problem(&tables(because), "because =", &parts);
    }
    let full = "{ bound = \"full link\", at_most = \"= rate(core)\", shows = \"it\" }";
    let study = read(&with(&tables(full)), &[]).expect("sound");
    let Some(Because::Bound { most, least, .. }) = &study.expectations[0].because else {
        panic!("{:?}", study.expectations[0].because);
    };
    assert_eq!((*least, *most), (None, Some(10e6)));
}

#[test]
fn values_drawn_against_fitting_are_variants_other_than_the_inferred_one() {
    let inferred = |keys: &str| {
        paper("a")
            + &paper("b")
            + &format!(
                "[[inferred]]\nsetting = \"the buffer\"\nvalue = \"20 packets\"\nfitted = \"a\"\npredicts = [\"b\"]\n{keys}\n"
            )
    };
    let sound = "drawn = [\"large packets\"]";
    let study = read(&with(&inferred(sound)), &[]).expect("sound");
    assert_eq!(study.inferred[0].drawn, ["large packets"]);
    for (keys, parts) in [
        (
            sound.replace("large packets", "small"),
            ["no variant \"small\"", "large packets"],
        ),
        (
            format!("{sound}\nvariant = \"large packets\""),
            ["the inferred value", "other values"],
        ),
        (
            sound.replace("]", ", \"large packets\"]"),
            ["named twice", "leave one out"],
        ),
    ] {
        one_problem(&inferred(&keys), "drawn", &parts);
    }
}

#[test]
fn an_inferred_setting_has_a_fitted_number_and_predictions() {
    let inferred = |keys: &str| {
        paper("a")
            + &paper("b")
            + &claim("c", "at_least = \"1bps\"")
            + &format!("[[inferred]]\nsetting = \"the buffer\"\nvalue = \"20 packets\"\n{keys}\n")
    };
    let sound = "fitted = \"a\"\npredicts = [\"b\"]\nvariant = \"large packets\"";
    let study = read(&with(&inferred(sound)), &[]).expect("sound");
    assert_eq!(study.inferred[0].predicts, ["b"]);
    for (keys, at, parts) in [
        (
            "predicts = [\"b\"]".to_owned(),
            "[[inferred]]",
            ["inferred[0]", "fitted"],
        ),
        (
            sound.replace("[\"b\"]", "[]"),
            "predicts",
            ["inferred[0].predicts", "may be anything"],
        ),
        (
            sound.replace("[\"b\"]", "[\"a\"]"),
            "predicts",
            ["no prediction", "leave it out"],
        ),
        (
            sound.replace("[\"b\"]", "[\"d\"]"),
            "predicts",
            ["no claim \"d\"", "valid here: a, b"],
        ),
        (
            sound.replace("[\"b\"]", "[\"c\"]"),
            "predicts",
            ["none of the paper", "kind = \"paper\""],
        ),
        (
            sound.replace("[\"b\"]", "[\"b\", \"b\"]"),
            "predicts",
            ["named twice", "leave one out"],
        ),
        (
            sound.replace("\"a\"", "\"A\""),
            "fitted",
            ["inferred[0].fitted", "no claim \"A\""],
        ),
        (
            sound.replace("large packets", "small"),
            "variant =",
            ["no variant \"small\"", "large packets"],
        ),
    ] {
        one_problem(&inferred(&keys), at, &parts);
    }
}
