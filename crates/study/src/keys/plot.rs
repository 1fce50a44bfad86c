//! `[[plot]]`: figures of a study.

use pacesim_language::field::{Anything, MapOf, Name, Number, PairOf, Perhaps, Probability, Whole};
use pacesim_language::tree::Item;
use pacesim_language::{table, words};
use pacesim_units::Span;

use super::sheet::SheetKeys;

/// Axes, each with a value or a list of values.
type Selection = Vec<(String, Item)>;

table! {
    /// A figure: a number of the study's points against one axis, or a column of a measure's table
    /// against another, with its intervals.
    pub struct PlotKeys "plot" {
        name: String as Name, "Its name, and that of its files.", "goodput";
        title: String, (= ""), "Its title; by default its name.", "Goodput of 50 flows";
        x: String, (= ""), "The horizontal axis, with a place for each of its values if they are not numbers of one unit; or measure.NAME.COLUMN for a column of a measure's table.", "buffer";
        each: Vec<String> as Perhaps<Vec<String>>, "The entries along the horizontal axis, instead of x: each replaces the * in y.", "[\"near\", \"far\"]";
        y: String, "The number on the vertical axis: OF.ENTITY.METRIC, as in the tables of the study, OF.*.METRIC with `each`; another column if x is one.", "flows.f.goodput_bps";
        also: Vec<String> as Perhaps<Vec<String>>, "Further numbers, drawn as y is: each has a line of its own, or with panels = \"y\" a panel.", "[\"flows.g.goodput_bps\"]";
        labels: Vec<String> as Perhaps<Vec<String>>, "The names of y and of each of also; by default the parts in which they differ. With panels = \"y\" and other metrics in each panel, they are the labels of the vertical axes, to which units are added.", "[\"paced\", \"plain\"]";
        over: Option<Over>, "Draw y against time instead of an axis, from a series that each run then records from its start: flows.NAME or link.NAME with a metric of series, such as cwnd_pkts, queue_pkts, held_pkts, goodput_bps.", "time";
        every: Option<Span>, "The interval of that series; by default a 500th of the run.", "100ms";
        replication: u32 as Count0, (= "0"), "The replication that is drawn over time.", "3";
        distribution: Option<Shape>, "Draw the distribution of the values within each run, with bands over replications: flows.NAME.delay_s of packets, flows.NAME.completion_s of transfers, flows.NAME.gap_s or link.NAME.gap_s between packets, flows.NAME.goodput_bps of single flows.", "ecdf";
        boxes: Option<Boxed>, "Draw boxes at the values of x, which then need not be numbers: from quartile to quartile, with a bar at the median and whiskers.", "replications";
        quantile: Option<f64> as Option<Probability>, "Draw this quantile of y over replications instead of its mean, with intervals from order statistics.", "0.5";
        per: Option<String>, "Another number, by which y is divided in each run before anything else.", "flows.plain.flow_goodput_bps";
        lines: Option<String> as Option<Name>, "An axis with a line for each value.", "pacing";
        dash: Option<String> as Option<Name>, "A further axis with a line for each value: lines of one value of `lines` have one colour, those of one value of `dash` the same dash and marker.", "flows";
        label: Option<String>, "The name of the only line.", "simulated";
        shares_axes "share_axes": bool, (= "true"), "Give axes with the same label the same ends in all panels, so that they can be compared.", "false";
        panels: Option<String> as Option<Name>, "An axis with a panel for each value; or \"y\", for a panel for each of y and also, which log, y_label and times then all have, without theory and printed values.", "rtt";
        only: Selection as Perhaps<MapOf<Anything>>, "The points that are drawn: axes, each with a value or a list of values; by default all.", "{ pacing = [\"none\", \"host\"] }";
        relative_to: Selection as Perhaps<MapOf<Anything>>, "Draw the ratio to the point with these values, replication by replication.", "{ pacing = \"none\" }";
        between: Option<(Item, Item)> as Option<PairOf<Anything>>, "The least and the greatest x that are drawn, with the unit of the axis or column; by default all.", "[\"0ms\", \"100ms\"]";
        log: Vec<Direction> as Perhaps<Vec<Direction>>, "The axes with a logarithmic scale.", "[\"x\"]";
        x_label: Option<String>, "The label of x, without its unit; by default the name of the axis.", "core buffer";
        y_label: Option<String>, "The label of y, to which the unit is added unless y is a ratio or multiplied; by default the metric.", "goodput";
        times: f64 as Number, (= "1.0"), "The factor applied to y; y_label must then name the unit.", "100.0";
        sheet: SheetKeys, "Its size and arrangement.";
        theory: Vec<TheoryKeys> as Perhaps<Vec<TheoryKeys>>, "Lines of analytic models beside the points.", "[{ model = \"mm1k\", y = \"loss\", set = { load = 0.8, places = \"buffer\" } }]";
        references "reference": Vec<String> as Perhaps<Vec<Name>>, "Tables of measured numbers to draw beside the points, each with its spread.", "[\"kernel\"]";
        printed: Vec<PrintedKeys> as Perhaps<Vec<PrintedKeys>>, "Points printed in a paper, or measured elsewhere.", "[{ label = \"the paper\", points = [[\"5KB\", \"82kbps\"], [\"10KB\", \"93kbps\"]] }]";
    }
}

/// A number of a replication.
type Count0 = Whole<u32, 0, 1_000_000>;

words! {
    /// A quantity other than an axis that goes across.
    pub enum Over {
        Time "time", "the time since the start of the run";
    }
}

words! {
    /// A view of a distribution.
    pub enum Shape {
        Ecdf "ecdf", "the share of values up to x";
        Ccdf "ccdf", "the share of values above x";
        Histogram "histogram", "the share of values in each bin; 40 bins make a factor of ten";
    }
}

words! {
    /// The values in a box.
    pub enum Boxed {
        Replications "replications", "the number y of each replication; the whiskers end at the least and the greatest";
        Values "values", "the values within all runs together, of the kinds that distribution takes; the whiskers end at the 1st and the 99th percentile";
    }
}

words! {
    /// A direction of a figure.
    pub enum Direction {
        X "x", "across";
        Y "y", "up";
    }
}

table! {
    /// A line of an analytic model, solved at each point that is drawn.
    pub struct TheoryKeys "theory" {
        model: String, "A model of `pacesim solve`.", "mm1k";
        y: String, "One of its results.", "loss";
        set: Selection as Perhaps<MapOf<Anything>>, "Its parameters: a value, the name of an axis for its value at the point (of cases, a name that is a number), or OF.ENTITY.METRIC for the mean at the point.", "{ load = 0.8, places = \"buffer\" }";
        times: Option<Item> as Option<Anything>, "The factor of the result, which makes a number in the unit of y, before the `times` of y: a quantity or a formula if the units differ, otherwise a bare number if they have none.", "\"= 1pkts / 1500B\"";
        label: Option<String>, "Its name in the legend; by default the model's.", "M/M/1/K";
    }
}

table! {
    /// Points from elsewhere.
    pub struct PrintedKeys "printed" {
        label: String, "Their name in the legend.", "the paper";
        line: Option<Item> as Option<Anything>, "The value of `lines` whose line they belong to: they have its colour.", "\"host\"";
        points: Vec<(Item, Item)> as Vec<PairOf<Anything>>, "Pairs: x as a value of the axis (or one of `each`), and y with the unit of the number, a bare number or a percentage if it has none.", "[[\"5KB\", \"82kbps\"], [\"10KB\", \"93kbps\"]]";
    }
}
