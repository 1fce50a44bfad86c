//! A wrongly declared key is named, in any table.

// One of the keys has no documentation.
#![allow(clippy::empty_docs, dead_code, missing_docs)]

use pacesim_language::field::{Count, Keys, Perhaps, Record, Tagged};
use pacesim_language::{cases, review, table, words};

words! {
    /// Metric of the shortest path.
    pub enum Metric {
        Hops "hops", "the fewest links";
        Delay "delay", "the least delay";
    }
}

table! {
    /// Keys that were added wrongly, except the last.
    struct Wrong "wrong" {
        silent: u32 as Count, "", "1";
        vague: u32 as Count, "when", "1";
        garbled: u32 as Count, "Its example is no number.", "one";
        beyond: u32 as Count, (= "0"), "Its default is out of range.", "1";
        strange: Metric, (= "hop"), "Its default is no word of its list.", "hops";
        good: Metric, (= "hops"), "Nothing is wrong with it.", "delay";
    }
}

fn named(complaints: &[String]) -> Vec<&str> {
    let names = complaints.iter().filter_map(|c| c.split(':').next());
    names.collect()
}

#[test]
fn a_key_that_was_added_wrongly_is_named() {
    let complaints = review(Wrong::TABLE, &());
    let expected = [
        "wrong.silent",
        "wrong.vague",
        "wrong.garbled, example",
        "wrong.garbled, example",
        "wrong.beyond, default",
        "wrong.beyond, default",
        "wrong.strange, default",
        "wrong.strange, default",
    ];
    assert_eq!(named(&complaints), expected, "{complaints:#?}");
}

table! {
    /// A key that was added wrongly.
    struct Deep "deep" {
        vague: Option<u32> as Option<Count>, "when", "1";
    }
}

cases! {
    /// Cases of a table.
    pub enum Kind by "kind" {
        /// No keys of its own.
        Plain "plain"
        /// Another table.
        Other "other" { deep: Deep, "A table.", "{ vague = 2 }"; }
    }
}

table! {
    /// A table with its only error deep within.
    struct Outer "outer" {
        kinds: Vec<Kind> as Perhaps<Vec<Tagged<Kind>>>, "A list of cases.", "[{ kind = \"plain\" }]";
    }
}

#[test]
fn tables_in_lists_of_cases_are_reviewed() {
    let complaints = review(Outer::TABLE, &());
    assert_eq!(named(&complaints), ["deep.vague"], "{complaints:#?}");
    let outer = Outer {
        kinds: vec![Kind::Plain],
    };
    let text = Keys::of::<Outer>(&outer).sections();
    assert!(text.contains("kind = \"plain\""), "{text}");
}
