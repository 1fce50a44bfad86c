//! Notes on the distributions of a scenario: each key, and the frequency of its draws.

use pacesim_keys::{Scenario, Unit, Value};
use pacesim_model::range::Range;

use super::{Each, Visitor, visit};

/// The keys that are drawn, and their frequency.
pub(crate) fn notes(scenario: &Scenario) -> Vec<(String, Each)> {
    let mut notes = Notes(Vec::new());
    visit(scenario, &mut notes);
    notes.0
}

struct Notes(Vec<(String, Each)>);

impl Visitor for Notes {
    fn visit<T: Unit>(&mut self, path: String, value: &Value<T>, _: Range<T>, each: Each) {
        if let Value::Drawn(_) = value {
            self.0.push((path, each));
        }
    }
}
