//! `[sweep]`: axes of the study.

use pacesim_language::field::{Anything, Count, MapOf, Name, Perhaps, Whole};
use pacesim_language::table;
use pacesim_language::tree::Item;

/// The most values of a range.
type Steps = Whole<u32, 2, 1_000_000>;

/// One window has no interval, and more than a thousand are never needed.
type Windows = Whole<u32, 2, 1000>;

/// The largest number with which numbers can become precise.
type Replications = Whole<u32, 2, 100_000>;

table! {
    /// Axes that vary from point to point, and the repetitions of each point. The points are all
    /// combinations of the values of all axes; the first axis varies slowest.
    pub(crate) struct Sweep "sweep" {
        replications: u32 as Count, (= "1"), "The number of independent replications of each point.", "5";
        batches: Option<u32> as Option<Windows>, "Batch means instead of replications: each point is one run, whose measured time is cut into this number of equal windows; intervals are over windows. 20 to 30 are enough; windows must be long compared with the memory of the network.", "20";
        find_warmup: Vec<String> as Perhaps<Vec<String>>, "Determine run.warmup of each point, instead of using the scenario's: a pilot run records these numbers over time, and MSER-5 finds the time from which each is steady; the latest counts. --set run.warmup=... overrides it.", "[\"link.core.queue_mean_pkts\"]";
        precision: Option<Item> as Option<Anything>, "Repeat each point until the half width of its intervals is at most this share of the mean, like --precision: checked after every 5 replications, from `replications` on.", "\"2%\"";
        precise: Vec<String> as Perhaps<Vec<String>>, "The numbers that must become this precise; by default those in figures and claims.", "[\"link.core.loss_ratio\"]";
        most: u32 as Replications, (= "100"), "The most replications of a point with `precision`.", "1000";
        axes "axis": Vec<AxisKeys> as Perhaps<Vec<AxisKeys>>, "The axes.", "[{ name = \"buffer\", key = \"link.core.buffer\", values = [\"5pkts\", \"20pkts\"] }]";
        except: Vec<Vec<(String, Item)>> as Perhaps<Vec<MapOf<Anything>>>, "Excluded points: axes, each with a value or a list of values, all of which must match.", "[{ buffer = [\"5pkts\", \"20pkts\"], pacing = \"host\" }]";
        more: Vec<MoreKeys> as Perhaps<Vec<MoreKeys>>, "Points with more replications than the others, for claims that need a narrower interval there; --replications overrides them. Points of variants are selected only by name: variant = \"NAME\".", "[{ at = { buffer = \"5pkts\" }, replications = 100 }]";
        keep: Vec<Vec<(String, Item)>> as Perhaps<Vec<MapOf<Anything>>>, "Points whose recordings ([output] packets, tcp and series) a sweep keeps, for replication 0: axes, each with a value or a list of values, all of which must match; {} selects every point.", "[{ buffer = \"5pkts\", pacing = \"none\" }]";
    }
}

table! {
    /// Points with a number of replications of their own.
    pub(crate) struct MoreKeys "more" {
        at: Vec<(String, Item)> as MapOf<Anything>, "The points: axes, each with a value or a list of values, all of which must match.", "{ buffer = [\"5pkts\", \"20pkts\"] }";
        replications: u32 as Count, "The number of replications.", "100";
    }
}

table! {
    /// One axis: the values of one key or of several keys, listed, as a range, or as named cases.
    /// It has one of `values`, `linear`, `log` and `cases`.
    pub(crate) struct AxisKeys "axis" {
        name: String as Name, "Its name in tables and figures.", "buffer";
        label: Option<String>, "Its name in figures, in words; by default name.", "core buffer";
        labels: Vec<(String, Item)> as Perhaps<MapOf<Anything>>, "The names of its values or cases in figures, in words; by default those in the file.", "{ none = \"no pacing\", host = \"paced by hosts\" }";
        key: Option<String>, "The key that it varies, as in --set.", "link.core.buffer";
        keys: Option<Vec<String>>, "Several keys that get the same value.", "[\"link.core.buffer\", \"link.edge.buffer\"]";
        values: Option<Vec<Item>> as Option<Vec<Anything>>, "The values, in their order in tables and figures.", "[\"5pkts\", \"20pkts\"]";
        linear: Option<RangeKeys>, "Values at equal differences.", "{ from = \"10KB\", to = \"50KB\", count = 5 }";
        log: Option<RangeKeys>, "Values at equal ratios; inner ones are rounded to four digits.", "{ from = \"1ms\", to = \"1s\", count = 7 }";
        cases: Option<Vec<(String, Vec<(String, Item)>)>> as Option<MapOf<MapOf<Anything>>>, "Named cases instead of values: each is a table of keys of the scenario with their values.", "{ none = {}, host = { \"flow.f.traffic.pacing\" = \"window\" } }";
        with: Option<String> as Option<Name>, "An earlier axis with which this one varies together instead of independently: the first value with the first, and so on; for repeated values use cases.", "buffer";
    }
}

table! {
    /// A range of values.
    pub(crate) struct RangeKeys "range" {
        from: Item as Anything, "The first value.", "10KB";
        to: Item as Anything, "The last value.", "50KB";
        count: u32 as Steps, "The number of values.", "5";
    }
}

impl Default for Sweep {
    fn default() -> Sweep {
        Sweep {
            replications: 1,
            batches: None,
            find_warmup: Vec::new(),
            precision: None,
            precise: Vec::new(),
            most: 100,
            axes: Vec::new(),
            except: Vec::new(),
            more: Vec::new(),
            keep: Vec::new(),
        }
    }
}
