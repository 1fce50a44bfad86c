//! Review of declarations beyond their types, for the tests of a language: it names a wrongly
//! declared key.

use crate::files::NamedFiles;
use crate::form::{Form, Key, Need, Table, Word};
use crate::tree::parse_option;
use crate::walk::Walk;

/// Errors in the declarations of a table and of all tables within: a key without a meaning, a key
/// declared twice, or an example or a default that its form or its type does not accept. `files`
/// are the files that examples name.
pub fn review(table: &'static Table, files: &dyn NamedFiles) -> Vec<String> {
    let mut review = Review {
        files,
        complaints: vec![],
        done: vec![],
    };
    review.table(table);
    review.complaints
}

struct Review<'f> {
    files: &'f dyn NamedFiles,
    complaints: Vec<String>,
    done: Vec<*const Table>,
}

impl Review<'_> {
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

    /// Checks that the form and the type of the field accept a value.
    fn value(&mut self, what: &str, key: &Key, text: &str) {
        let item = parse_option(text, 0, 0);
        let mut walk = Walk::default();
        walk.item("", &item, key.form);
        for fault in walk.faults.list {
            self.complain(what, &fault.message);
        }
        if !(key.takes)(&item, self.files) {
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
            Form::Tagged { cases, .. } => cases.all().for_each(|case| self.table(case)),
            Form::List(of) | Form::Pair(of) | Form::Map(of) => self.form(name, of),
            Form::OneOf(keys) | Form::Drawn(_, keys) => {
                self.keys(name, &keys.iter().collect::<Vec<_>>());
            }
            Form::Choice(words) => self.words(name, words),
            Form::WordOrOwn(words, own) => {
                self.words(name, words);
                own.all().for_each(|table| self.table(table));
            }
            Form::WordOrTable(words, table) => {
                self.words(name, words);
                self.table(table);
            }
            Form::ChoiceOr(words, keys) => {
                self.words(name, words);
                self.keys(name, &keys.iter().collect::<Vec<_>>());
            }
            _ => (),
        }
    }
}
