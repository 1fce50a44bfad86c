//! Rows of changes of a TCP sender.

crate::row! {
    /// An event of a TCP sender, and its state after everything at that moment has been handled and
    /// the segments it allowed have been sent; a change of the window has the window of that
    /// change.
    TcpRow in "tcp" {
        t_ps: u64, "ps", "When.";
        flow_id: u32, "", "The flow: its row in flows.parquet has its group.";
        event: &'static str, "", "What happened: window, timeout, fast_retransmit, recovered or rtt.";
        reason: &'static str, "", "Why the window changed: opened, growth, fast_retransmit, partial_ack, recovered, timeout or idle; empty for other events.";
        cwnd_pkts: f64, "packet", "The congestion window.";
        ssthresh_pkts: Option<f64>, "packet", "Where slow start ends; missing while that is nowhere.";
        srtt_s: Option<f64>, "s", "The smoothed round trip; missing before the first sample.";
        rto_s: f64, "s", "The time-out in force, back-off included.";
        in_flight_pkts: u32, "packet", "Packets sent and not cumulatively acknowledged.";
        state: &'static str, "", "Whether holes are being repaired: open or recovery.";
    }
}
