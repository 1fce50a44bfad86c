//! `[[variant]]`: the study under other choices.

use pacesim_language::field::{Anything, MapOf, Perhaps};
use pacesim_language::table;
use pacesim_language::tree::Item;

table! {
    /// The study with other choices at some of its points. Claims and figures are about the study
    /// as stated; each claim is also judged with every variant that covers its points, which shows
    /// the effect of that choice. Points of variants are numbered after all others.
    pub(crate) struct VariantKeys "variant" {
        name: String, "Its name: the value of the axis \"variant\" in the tables.", "delayed ACKs";
        at: Vec<(String, Item)> as Perhaps<MapOf<Anything>>, "Its points: axes, each with a value or a list of values; by default all points.", "{ buffer = [\"5pkts\", \"20pkts\"] }";
        set: Vec<(String, Item)> as MapOf<Anything>, "Keys of the scenario with their values. Axes take precedence.", "{ \"flow.f.traffic.delayed_acks\" = true }";
    }
}
