//! `[[model]]`: numbers of theory beside those of the runs.

use pacesim_language::field::{Anything, MapOf, Name, Perhaps};
use pacesim_language::table;
use pacesim_language::tree::Item;

table! {
    /// An analytic model, solved for each run; figures and claims use its results like numbers of
    /// the run.
    pub struct ModelKeys "model" {
        name: String as Name, "Its name: its numbers are model.NAME.RESULT.", "theory";
        model: String, "A model of `pacesim solve`.", "mm1k";
        set: Vec<(String, Item)> as Perhaps<MapOf<Anything>>, "Its parameters: a value, the name of an axis for its value at the point (of cases, a name that is a number), or OF.ENTITY.METRIC for the number of that run.", "{ load = \"link.core.utilisation\", places = \"buffer\" }";
    }
}
