//! A part with its keys, as a scenario holds it.

use pacesim_language::field::{Keys, PartName, Written};

/// A program's own part, as named in a scenario.
#[derive(Clone, Debug)]
pub struct Own<M> {
    pub(crate) name: PartName,
    pub(crate) keys: Keys,
    /// The constructor, as a model has it.
    pub make: M,
}

/// Parts made from the same keys are equal.
impl<M> PartialEq for Own<M> {
    fn eq(&self, other: &Own<M>) -> bool {
        let text = |own: &Own<M>| Written::Table(own.keys.clone()).to_string();
        self.name == other.name && text(self) == text(other)
    }
}

impl<M> Own<M> {
    /// Writes the tag and the keys.
    pub(crate) fn write(&self, tag: &'static str, keys: &mut Keys) {
        keys.0.push((tag, Written::Part(self.name.clone())));
        keys.0.extend(self.keys.0.iter().cloned());
    }
}
