//! Rows of time series, tidy: one value per row.

crate::row! {
    /// The value of one metric of one entity at one time.
    SeriesRow in "series" {
        t_ps: u64, "ps", "The time; of an interval, its start.";
        of: &'static str, "", "What the entity is: link, flow or group.";
        entity: std::sync::Arc<str>, "", "The link, the flow (its group and its place there) or the group of flows, by name.";
        metric: &'static str, "", "The metric's name, with its unit.";
        value: f64, "", "The value, in the metric's unit.";
    }
}
