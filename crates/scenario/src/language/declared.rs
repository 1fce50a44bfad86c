//! Every declaration of the language is as good as its type allows to check: the tests that
//! name a key that was added wrongly.

// One of the keys that are declared wrongly has no documentation.
#![allow(clippy::empty_docs)]

use super::{Metric, Scenario};
use crate::declare::{row, table};
use crate::field::{Count, Record};
use crate::form::{Form, Key, Need, Table, Word};
use crate::tree::parse_option;
use crate::walk::Walk;

/// What is wrong with the declarations of a table and of all tables within.
#[derive(Default)]
struct Review {
    complaints: Vec<String>,
    done: Vec<*const Table>,
}

impl Review {
    fn of(table: &'static Table) -> Vec<String> {
        let mut review = Review::default();
        review.table(table);
        review.complaints
    }

    fn complain(&mut self, what: &str, complaint: &str) {
        self.complaints.push(format!("{what}: {complaint}"));
    }

    fn table(&mut self, table: &'static Table) {
        if self.done.contains(&std::ptr::from_ref(table)) {
            return;
        }
        self.done.push(table);
        self.sentence(table.name, table.doc);
        self.keys(table.name, &table.keys());
    }

    fn keys(&mut self, table: &str, keys: &[&'static Key]) {
        for (i, key) in keys.iter().enumerate() {
            let name = format!("{table}.{}", key.name);
            if keys[..i].iter().any(|other| other.name == key.name) {
                self.complain(&name, "declared twice");
            }
            self.key(&name, key);
        }
    }

    fn key(&mut self, name: &str, key: &'static Key) {
        self.sentence(name, key.doc);
        self.value(&format!("{name}, example"), key, key.example);
        if let Need::Default(text) = key.need {
            self.value(&format!("{name}, default"), key, text);
        }
        self.form(name, key.form);
    }

    fn sentence(&mut self, name: &str, doc: &str) {
        let doc = doc.trim();
        if !doc.ends_with('.') || !doc.starts_with(|first: char| !first.is_lowercase()) {
            self.complain(name, "its documentation is not a sentence");
        }
    }

    /// The form must accept a value, and the type of the field must take it.
    fn value(&mut self, what: &str, key: &Key, text: &str) {
        let item = parse_option(text, 0, 0);
        let mut walk = Walk::default();
        walk.item("", &item, key.form);
        for fault in walk.faults.list {
            self.complain(what, &fault.message);
        }
        if !(key.takes)(&item) {
            self.complain(what, "the type of its field does not take it");
        }
    }

    fn words(&mut self, name: &str, words: &[Word]) {
        for (word, meaning) in words {
            if meaning.is_empty() || word.is_empty() {
                self.complain(name, "a word without a meaning");
            }
        }
    }

    fn form(&mut self, name: &str, form: &'static Form) {
        match form {
            Form::Table(table) => self.table(table),
            Form::Tagged { cases, .. } => cases.iter().for_each(|case| self.table(case)),
            Form::List(of) | Form::Pair(of) => self.form(name, of),
            Form::OneOf(keys) | Form::Drawn(_, keys) => {
                self.keys(name, &keys.iter().collect::<Vec<_>>());
            }
            Form::Choice(words) => self.words(name, words),
            Form::ChoiceOr(words, keys) => {
                self.words(name, words);
                self.keys(name, &keys.iter().collect::<Vec<_>>());
            }
            _ => (),
        }
    }
}

#[test]
fn every_key_of_the_language_is_declared_well() {
    let complaints = Review::of(Scenario::TABLE);
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn the_whole_language_is_reviewed() {
    let mut review = Review::default();
    review.table(Scenario::TABLE);
    // 8 topologies, 5 kinds of traffic, 9 pacers are among them.
    assert!(review.done.len() > 40, "{} tables", review.done.len());
}

table! {
    /// Keys that were added wrongly, but for the last.
    struct Wrong "wrong" {
        silent: u32 as Count, "", "1";
        vague: u32 as Count, "when", "1";
        garbled: u32 as Count, "Its example is no number.", "one";
        beyond: u32 as Count, (= "0"), "Its default is out of range.", "1";
        strange: Metric, (= "hop"), "Its default is no word of its list.", "hops";
        good: Metric, (= "hops"), "Nothing is wrong with it.", "delay";
    }
}

#[test]
fn a_key_that_was_added_wrongly_is_named() {
    let complaints = Review::of(Wrong::TABLE);
    let named: Vec<_> = complaints
        .iter()
        .filter_map(|c| c.split(':').next())
        .collect();
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
    assert_eq!(named, expected, "{complaints:#?}");
}
