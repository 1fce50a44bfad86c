//! One row a flow.

super::schema::table! {
    /// What a flow did in the measured time. Throughput counts packets with headers and
    /// retransmissions; goodput counts each payload byte once, at the receiver.
    FlowRow in "flows" {
        flow: u32, "", "The flow's id.";
        group: String, "", "The name of the scenario's group it belongs to.";
        index: u32, "", "Its place in the group, from 0.";
        src: String, "", "The node that sends.";
        dst: String, "", "The node that receives.";
        sent_pkts: u64, "packet", "Packets sent, retransmissions included.";
        sent_bytes: u64, "byte", "Bytes sent, headers and retransmissions included.";
        delivered_pkts: u64, "packet", "Packets that reached the receiver.";
        delivered_bytes: u64, "byte", "Bytes that reached the receiver, headers included.";
        dropped_pkts: u64, "packet", "Packets dropped at a full queue or by a script.";
        lost_pkts: u64, "packet", "Packets lost on a wire.";
        retransmitted_pkts: u64, "packet", "Packets sent again.";
        timeouts: u64, "", "Retransmission time-outs.";
        fast_recoveries: u64, "", "Times the sender entered fast recovery.";
        throughput_bps: f64, "bit/s", "Rate of delivered bytes, headers and retransmissions included.";
        goodput_bps: f64, "bit/s", "Rate of payload bytes, each counted once at the receiver.";
        delay_mean_ns: Option<f64>, "ns", "Mean one-way delay of delivered packets.";
        delay_std_ns: Option<f64>, "ns", "Standard deviation of the one-way delay.";
        delay_min_ns: Option<f64>, "ns", "Least one-way delay.";
        delay_p50_ns: Option<f64>, "ns", "Median one-way delay.";
        delay_p95_ns: Option<f64>, "ns", "One-way delay that 95 % of packets do not exceed, within 1/64 of it.";
        delay_p99_ns: Option<f64>, "ns", "One-way delay that 99 % of packets do not exceed, within 1/64 of it.";
        delay_max_ns: Option<f64>, "ns", "Greatest one-way delay.";
        rtt_mean_ns: Option<f64>, "ns", "Mean round-trip time that the sender measured.";
        rtt_p50_ns: Option<f64>, "ns", "Median round-trip time.";
        rtt_p95_ns: Option<f64>, "ns", "Round-trip time that 95 % of the sender's samples do not exceed.";
        rtt_p99_ns: Option<f64>, "ns", "Round-trip time that 99 % of the sender's samples do not exceed.";
    }
}
