//! Rows of the numbers of ends.

crate::row! {
    /// A number of a sending end that has changed: one that its transport declares.
    EndRow in "ends" {
        t_ps: u64, "ps", "When.";
        flow_id: u32, "", "The flow: its row in flows.parquet has its group.";
        name: &'static str, "", "The number, by the name that its transport declares: of RDMA senders rate_bps, target_bps, window_bytes, alpha, utilisation and target_delay_s.";
        value: Option<f64>, "", "Its value from then on; missing if it has none.";
    }
}
