//! The tables of a study file in addition to those of a scenario. Keys are declared here;
//! `axis.rs`, `text.rs` and the code that runs, draws and judges give them their meaning.

mod expect;
pub(crate) mod measure;
mod model;
mod plot;
mod reference;
mod sheet;
mod sweep;
mod tune;
mod variant;

pub(crate) use expect::ExpectKeys;
pub use expect::{Course, Slope};
pub use model::ModelKeys;
pub use plot::{Boxed, Direction, Over, PlotKeys, PrintedKeys, Shape, TheoryKeys};
pub(crate) use reference::ReferenceKeys;
pub use sheet::{LegendWord, SheetKeys, SheetStyle};
pub(crate) use sweep::{AxisKeys, MoreKeys, RangeKeys, Sweep};
pub(crate) use tune::{BoundKeys, TuneKeys};
pub(crate) use variant::VariantKeys;

use measure::Measure;
use pacesim_language::field::{Anything, FileName, MapOf, Name, Perhaps};
use pacesim_language::table;
use pacesim_language::tree::Item;

table! {
    /// An experiment: a scenario and its axes. All keys of a scenario may stand beside these.
    pub(crate) struct StudyKeys "study" derive(Default) {
        name: Option<String> as Option<Name>, "The name of the study and of the folder of its results; by default the name of its file.", "buffers";
        base "scenario": Option<String> as Option<FileName>, "Another scenario file, relative to this one, on which this study is based; keys here override those there.", "dumbbell.toml";
        set: Vec<(String, Item)> as Perhaps<MapOf<Anything>>, "Keys of the scenario with their values, as --set changes them.", "{ \"run.duration\" = \"20s\", \"flow.f.count\" = 50 }";
        sweep: Sweep as Perhaps<Sweep>, "The values that vary from point to point.", "{ replications = 5, axis = [{ name = \"buffer\", key = \"link.core.buffer\", values = [\"5pkts\", \"20pkts\"] }] }";
        variants "variant": Vec<VariantKeys> as Perhaps<Vec<VariantKeys>>, "Other choices, with which each claim is judged too.", "[{ name = \"small window\", set = { \"flow.f.traffic.window\" = \"20pkts\" } }]";
        measures "measure": Vec<Measure> as Perhaps<Vec<Measure>>, "Measurements beyond the counters.", "[{ name = \"burst\", kind = \"burstiness\", link = \"core\", finest = \"1ms\", scales = 10 }]";
        models "model": Vec<ModelKeys> as Perhaps<Vec<ModelKeys>>, "Numbers of theory beside those of the runs.", "[{ name = \"theory\", model = \"mm1k\", set = { load = 0.8, places = \"buffer\" } }]";
        references "reference": Vec<ReferenceKeys> as Perhaps<Vec<ReferenceKeys>>, "Measured numbers beside those of the runs.", "[{ name = \"kernel\", file = \"kernel.csv\", y = \"link.core.utilisation\" }]";
        show: Vec<String> as Perhaps<Vec<String>>, "Numbers that the printed table has before those of figures and claims.", "[\"flows.f.goodput_bps\"]";
        plots "plot": Vec<PlotKeys> as Perhaps<Vec<PlotKeys>>, "Figures of the study.", "[{ name = \"goodput\", x = \"buffer\", y = \"flows.f.goodput_bps\" }]";
        tune: Option<TuneKeys>, "A search for the best values of some axes.", "{ search = [\"buffer\"], least = \"buffer\", bound = [{ y = \"link.core.utilisation\", at_least = 0.99 }] }";
        expects "expect": Vec<ExpectKeys> as Perhaps<Vec<ExpectKeys>>, "Claims that must hold.", "[{ claim = \"the link is full\", y = \"link.core.utilisation\", at_least = 0.99 }]";
    }
}
