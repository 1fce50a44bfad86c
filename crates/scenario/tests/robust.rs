//! No input makes the reader panic, and broken files end like any other mistake.

use pacesim_scenario::{Problem, Raw, load, templates};
use proptest::prelude::*;

fn problems(text: &str) -> Vec<Problem> {
    load("test.toml", text, &[], &()).expect_err("broken").0
}

/// Every place must be in the text.
fn assert_placed(text: &str, problems: &[Problem]) {
    assert!(!problems.is_empty(), "{problems:?}");
    for problem in problems {
        assert!(text.get(problem.span.clone()).is_some(), "{problem:?}");
        assert!(
            problem.line >= 1 && problem.line <= text.lines().count().max(1) + 1,
            "{problem:?}"
        );
    }
}

#[test]
fn an_empty_file_lacks_what_is_required() {
    for text in ["", "\n\n", "# nothing\n"] {
        let all = problems(text);
        let paths: Vec<_> = all.iter().map(|p| p.path.as_str()).collect();
        assert_eq!(paths, ["run", "flow"], "{all:#?}");
        assert_placed(text, &all);
    }
}

#[test]
fn bytes_that_are_no_text_are_one_problem() {
    let all = Raw::parse_bytes("x.toml", b"title = \"a\"\n\xff\xfe")
        .check(&())
        .expect_err("no text")
        .0;
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].line, all[0].column), (2, 1));
    let binary: Vec<u8> = (0..4096u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    assert!(Raw::parse_bytes("x.toml", &binary).check(&()).is_err());
    let sound = templates()[0].text.as_bytes();
    assert!(Raw::parse_bytes("x.toml", sound).check(&()).is_ok());
}

#[test]
fn several_syntax_errors_are_told_with_the_other_mistakes() {
    let text = "[run]\nduration = 60s\nwarmup = \nseed = -1\n\n[[node]]\nname = \"a\"\ncuont = 4\n";
    let all = problems(text);
    let lines: Vec<_> = all.iter().map(|p| p.line).collect();
    assert_eq!(lines, [2, 3, 4, 8], "{all:#?}");
    assert!(all[0].message.starts_with("not TOML"), "{all:#?}");
}

#[test]
fn enormous_and_deep_files_are_refused() {
    let enormous = "#".repeat((16 << 20) + 1);
    assert!(
        problems(&enormous)[0].message.contains("too large"),
        "{}",
        problems(&enormous)[0].message
    );
    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let deep = format!("x = {}{}", open.repeat(100_000), close.repeat(100_000));
        assert_placed(&deep, &problems(&deep));
    }
    for deep in [
        "a.".repeat(1_000_000) + "a = 1",
        format!("[{}a]", "a.".repeat(1_000_000)),
    ] {
        assert!(
            problems(&deep)[0].message.contains("too deeply"),
            "{}",
            problems(&deep)[0].message
        );
    }
    let many = "[[node]]\nname = \"a\"\n".repeat(500);
    assert_eq!(
        problems(&many)
            .iter()
            .filter(|p| p.message.contains("already a node"))
            .count(),
        499
    );
}

/// Two megabytes of mistakes are handled in time, with the first of them reported.
#[test]
fn a_hostile_file_costs_little() {
    for (piece, least) in [
        ("[[node]]\nname = \"a\"\n", 500),
        ("[[link]]\nfrom = \"x\"\n", 500),
        ("[[node]]\nx = y\n", 20),
        ("= ", 1),
        ("a", 1),
        ("\"", 1),
        ("x = [\n", 1),
    ] {
        let text = piece.repeat((2 << 20) / piece.len());
        let all = problems(&text);
        assert!(all.len() >= least, "{piece:?}: {}", all.len());
    }
}

#[test]
fn truncated_templates_are_placed_problems_or_sound() {
    for template in templates() {
        for (end, _) in template.text.char_indices().step_by(7) {
            let text = &template.text[..end];
            if let Err(all) = load("test.toml", text, &[], &()) {
                assert_placed(text, &all.0);
            }
        }
    }
}

/// Text that a user may insert by mistake, or with malice.
const PIECES: &[&str] = &[
    "\"",
    "[",
    "]",
    "[[flow]]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "\n",
    "#",
    "'",
    "\0",
    "µ",
    "-1",
    "0",
    "1e400",
    "99999999999999999999",
    "nan",
    "inf",
    "true",
    "\"\"",
    "\"0pkts\"",
    "\"1ps\"",
    "\"18446744073709551615bps\"",
    "\"99999999h\"",
    "left[3]",
    "\"left[4294967295]\"",
    "\"left[5..2]\"",
    "count = 4294967295\n",
    "hops",
    "pair = \"all\"\n",
    "pair = { stride = 4294967295 }\n",
    "{ uniform = [\"1ms\", \"0ms\"] }",
    "{ pareto = { mean = \"0s\", shape = -1 } }",
    "1979-05-27",
    "kind",
    "shape = \"star\"\n",
    "seed = 1\n",
];

/// A template with a few pieces inserted, removed or duplicated.
fn mutated() -> impl Strategy<Value = String> {
    let edit = (
        any::<prop::sample::Index>(),
        0..40usize,
        prop::sample::select(PIECES),
    );
    (0..templates().len(), prop::collection::vec(edit, 1..6)).prop_map(|(which, edits)| {
        let mut text: Vec<char> = templates()[which].text.chars().collect();
        for (at, cut, piece) in edits {
            let start = at.index(text.len() + 1);
            let end = (start + cut).min(text.len());
            text.splice(start..end, piece.chars());
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_templates_never_panic(text in mutated()) {
        match load("test.toml", &text, &[], &()) {
            Ok(checked) => {
                let again = load("test.toml", &checked.scenario().to_toml(), &[], &());
                prop_assert_eq!(again.expect("the resolved text is sound"), checked);
            }
            Err(all) => assert_placed(&text, &all.0),
        }
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Raw::parse_bytes("x.toml", &bytes).check(&());
    }

    #[test]
    fn any_option_never_panics(
        path in "(run|flow|link|topology|output|f|radio|rate|x|[0-9]|\\[|\\]|\\.|\\PC){0,8}",
        value in "=?\\PC{0,12}",
        which in 0..templates().len(),
    ) {
        let option = format!("{path}{value}");
        let _ = load("x.toml", templates()[which].text, &[&option], &());
    }
}
