//! The table of flows: its rows and columns.

crate::row! {
    /// The packets of a flow in the measured time. Packets, bytes, losses and delays are of its
    /// data, on the way from `src` to `dst`: acknowledgements do not count here, as they do at
    /// links. Throughput counts packets with headers and retransmissions; goodput counts each
    /// payload byte once, at the receiver. Rates are divided by the time for which the flow
    /// existed.
    FlowRow in "flows" {
        flow_id: u32, "", "The flow's id.";
        group: String, "", "The name of the scenario's group it belongs to.";
        index: u32, "", "Its place in the group, from 0.";
        src: String, "", "The node that sends.";
        dst: String, "", "The node that receives.";
        path: Option<u32>, "", "The place of the path of its data among those of equal cost, from 0 in the order of their links, at the end of the run; missing if all flows take the first, and if packets or transfers choose.";
        paths: Option<u32>, "", "How many paths of equal cost there are for its data, at the end of the run; missing if it takes the first.";
        from_ps: u64, "ps", "From when on it was there in the measured time: its start, or the warm-up's end.";
        until_ps: u64, "ps", "Until when: the stop of its source, the end of its last transfer, or the end of the run.";
        sent_pkts: u64, "packet", "Data packets sent, retransmissions included, acknowledgements not.";
        sent_bytes: u64, "byte", "Bytes of these, headers included.";
        delivered_pkts: u64, "packet", "Data packets that reached the receiver, acknowledgements not included.";
        delivered_bytes: u64, "byte", "Bytes of these, headers included.";
        goodput_bytes: u64, "byte", "Payload bytes that reached the receiver, each counted once.";
        dropped_pkts: u64, "packet", "Data packets dropped at a full queue, by a full pacer or by a script; not acknowledgements.";
        lost_pkts: u64, "packet", "Data packets lost on a wire; not acknowledgements.";
        repaired_pkts: u64, "packet", "Of the dropped and lost, those that came nevertheless: forward error correction repaired them.";
        marked_pkts: u64, "packet", "Data packets marked at ports, each once for every port that marked it.";
        retransmitted_pkts: u64, "packet", "Data packets sent again.";
        timeouts: u64, "", "Retransmission time-outs.";
        fast_recoveries: u64, "", "Times the sender entered fast recovery.";
        cnps: Option<u64>, "", "Answers that told the sender of marks (CNPs); missing for TCP, and for flows without senders.";
        nacks: Option<u64>, "", "Answers that told the sender of a missing packet (NACKs); missing for TCP, and for flows without senders.";
        throughput_bps: f64, "bit/s", "Delivered bytes over the time that the flow was there, headers and retransmissions included.";
        goodput_bps: f64, "bit/s", "Payload bytes, each counted once at the receiver, over the time that the flow was there.";
        delay_mean_s: Option<f64>, "s", "Mean one-way delay of delivered data packets.";
        delay_std_s: Option<f64>, "s", "Standard deviation of the one-way delay.";
        delay_min_s: Option<f64>, "s", "Least one-way delay.";
        delay_p50_s: Option<f64>, "s", "Median one-way delay; exact up to 128 packets, else within 1/32 of it.";
        delay_p95_s: Option<f64>, "s", "One-way delay that 95 % of data packets do not exceed; exact up to 128 packets, else within 1/32 of it.";
        delay_p99_s: Option<f64>, "s", "One-way delay that 99 % of data packets do not exceed; exact up to 128 packets, else within 1/32 of it.";
        delay_max_s: Option<f64>, "s", "Greatest one-way delay.";
        rtt_samples: u64, "", "Round-trip times that the sender measured.";
        rtt_mean_s: Option<f64>, "s", "Mean round-trip time that the sender measured.";
        rtt_p50_s: Option<f64>, "s", "Median round-trip time; exact up to 128 samples, else within 1/32 of it.";
        rtt_p95_s: Option<f64>, "s", "Round-trip time that 95 % of the sender's samples do not exceed, as exact as the median.";
        rtt_p99_s: Option<f64>, "s", "Round-trip time that 99 % of the sender's samples do not exceed, as exact as the median.";
        window_limited: Option<f64>, "", "Share of its time, 0 to 1, in which the receiver's window kept the sender from sending more; missing for what is not TCP.";
        congestion_limited: Option<f64>, "", "Share in which the congestion window, the repair of losses or a time-out did.";
        data_limited: Option<f64>, "", "Share in which all had been sent that the application had handed over.";
        pacing_limited: Option<f64>, "", "Share in which the sender's own pacing did.";
        transfer_s: Option<f64>, "s", "How long data were in progress, from being handed over to their last acknowledgement; of several connections the sum. Missing for what is not TCP.";
        slow_start: Option<f64>, "", "Share of that in which the congestion window was below the slow-start threshold.";
    }
}
