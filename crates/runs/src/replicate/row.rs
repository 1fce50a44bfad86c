//! Rows of `runs.parquet`: one per run and metric.

use std::borrow::Cow;

pacesim::measure::row! {
    /// A row of `runs.parquet`.
    RunRow in "runs" {
        replication: u64, "", "Which independent repetition, from 0.";
        seed: u64, "", "The seed of all random streams.";
        of: &'static str, "", "What it is about: flows (a group), link, fec (protected pairs) or measure.";
        entity: String, "", "The group, link, entry of [[fec]] or measure by name.";
        metric: Cow<'static, str>, "", "The metric's name, with its unit.";
        value: Option<f64>, "", "The value, in the metric's unit.";
    }
}
