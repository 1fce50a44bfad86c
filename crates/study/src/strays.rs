//! Numbers of figures and claims that are left out because of another error: their names may be
//! wrong too.

use pacesim_language::problem::Faults;

use crate::across::EACH;
use crate::keys::{Boxed, ExpectKeys, PlotKeys};
use crate::name::NumberName;
use crate::named::named;

/// Such numbers, each with the path of the key that names it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strays(pub Vec<(String, NumberName)>);

impl Strays {
    /// The numbers of a figure, unless a mistake leaves open what they are.
    pub(crate) fn of_plot(&mut self, path: &str, keys: &PlotKeys, known: [&Faults; 2]) {
        // Columns of tables, values within runs and series are not numbers.
        let is_asking =
            keys.over.is_some() || keys.distribution.is_some() || keys.boxes == Some(Boxed::Values);
        let decides = ["over", "distribution", "boxes", "x"];
        let mut decides = decides.iter().map(|key| format!("{path}.{key}"));
        let is_open = decides.any(|key| known.iter().any(|faults| faults.touch(&key)));
        if is_asking || is_open || keys.x.parse::<NumberName>().is_ok() {
            return;
        }
        self.add(path, "y", &keys.y);
        for (i, name) in keys.also.iter().enumerate() {
            self.add(path, &format!("also[{i}]"), name);
        }
        if let Some(per) = &keys.per {
            self.add(path, "per", per);
        }
    }

    pub(crate) fn of_claim(&mut self, path: &str, keys: &ExpectKeys) {
        self.add(path, "y", &keys.y);
        if let Some(per) = &keys.per {
            self.add(path, "per", per);
        }
        for (i, name) in keys.jain_with.iter().enumerate() {
            self.add(path, &format!("jain_with[{i}]"), name);
        }
    }

    fn add(&mut self, path: &str, key: &str, text: &str) {
        let name = named(text).ok();
        // A failed search may follow from its own mistakes.
        let name = name.filter(|name| name.entity != EACH && name.of != "tune");
        self.0
            .extend(name.map(|name| (format!("{path}.{key}"), name)));
    }
}
