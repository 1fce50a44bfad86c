//! Time series, tidy: one value a row.

super::schema::table! {
    /// The value of one metric of one entity at one time.
    SeriesRow in "series" {
        t_ps: u64, "ps", "The time; of an interval, its start.";
        entity: String, "", "The link, flow or group by name.";
        metric: String, "", "The metric's name, with its unit.";
        value: f64, "", "The value, in the metric's unit.";
    }
}
