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
        limited_by: &'static str, "", "Limit that keeps it from sending more: data (the application's), window (the receiver's), congestion, or pacing (with Linux's small queues).";
        ca_state: Option<&'static str>, "", "State of congestion of profile linux: open, disorder, cwr, recovery or loss. Missing for other profiles, as is all that follows.";
        sacked_pkts: Option<u32>, "packet", "Packets in flight that are SACKed.";
        lost_pkts: Option<u32>, "packet", "Packets in flight that count as lost.";
        resent_pkts: Option<u32>, "packet", "Retransmissions under way.";
        prr_delivered_pkts: Option<u32>, "packet", "Packets delivered since the window's reduction began (PRR); missing unless one is under way.";
        prr_out_pkts: Option<u32>, "packet", "Packets sent since then.";
        w_max_pkts: Option<u32>, "packet", "Window at which CUBIC's curve is flat; missing before its first reduction, and for other controls.";
        k_s: Option<f64>, "s", "Time from the start of CUBIC's epoch to there; missing until the epoch starts.";
        alpha: Option<f64>, "", "Share of packets marked that DCTCP reckons with.";
        min_rtt_s: Option<f64>, "s", "Least round trip: of BBR its own, else of the last five minutes.";
        bbr_phase: Option<&'static str>, "", "Phase of BBR: startup, drain, probe_rtt, probe_bw; of version 3 probe_bw_down, probe_bw_cruise, probe_bw_refill, probe_bw_up. Missing for other controls, as is all that follows.";
        bbr_bandwidth_bps: Option<f64>, "bit/s", "Bandwidth of its model, in payload.";
        bbr_pacing_gain: Option<f64>, "", "Gain of its pacing rate.";
        bbr_cwnd_gain: Option<f64>, "", "Gain of its window.";
        bbr_inflight_hi_pkts: Option<u32>, "packet", "Bound on packets in flight by its trials, of version 3; missing while there is none.";
        bbr_inflight_lo_pkts: Option<u32>, "packet", "Bound by recent losses and marks.";
    }
}
