//! `[tune]`: a search for the best values of some axes.

use pacesim_language::field::{Anything, MapOf, Name, Perhaps, Whole};
use pacesim_language::table;
use pacesim_language::tree::Item;

table! {
    /// A search, made by `pacesim tune`, for the best values of some axes instead of runs at all of
    /// them. Each combination of the values of the other axes has its own search.
    pub(crate) struct TuneKeys "tune" {
        search: Vec<String> as Vec<Name>, "The axes to search, each of ordered numbers that set the resolution of the answer.", "[\"buffer\"]";
        least: Option<String>, "The objective to minimise: one of these axes, or a number as OF.ENTITY.METRIC.", "buffer";
        greatest: Option<String>, "The objective to maximise, in place of `least`.", "flows.f.goodput_bps";
        bounds "bound": Vec<BoundKeys> as Perhaps<Vec<BoundKeys>>, "The bounds that the answer must meet.", "[{ y = \"link.core.utilisation\", at_least = 0.99 }]";
        start: Vec<(String, Item)> as Perhaps<MapOf<Anything>>, "The start of a search over several axes; by default the middle.", "{ mu_max = \"75Mbps\", mu_min = \"25Mbps\" }";
        most: u32 as Whole<u32, 2, 100_000>, (= "40"), "The most replications of a point, used while the better of two points, or a bound, is undecided.", "100";
        tries: u32 as Whole<u32, 10, 1_000_000>, (= "200"), "The most points tried by a search.", "500";
    }
}

table! {
    /// A bound on a number of the study, which holds if the whole confidence interval is within it.
    pub(crate) struct BoundKeys "bound" {
        y: String, "The number, as OF.ENTITY.METRIC.", "link.core.utilisation";
        over: Vec<(String, Item)> as Perhaps<MapOf<Anything>>, "The bound is about the ratio of y to y where these axes have these values instead, replication by replication; those points are run as well.", "{ pacing = \"none\" }";
        at_least: Option<Item> as Option<Anything>, "The lower bound: an amount with the unit of y, \"9Mbps\" or \"5ms\", or a formula of quantities of the scenario at each point; a number or a percentage if y has no unit.", "\"= 0.9 * rate(core)\"";
        at_most: Option<Item> as Option<Anything>, "The upper bound.", "0.01";
    }
}
