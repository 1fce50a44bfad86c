//! The table of FEC pairs: its rows and columns.

crate::row! {
    /// The work of a pair of edges in the measured time: its encoder adds a repair packet to each
    /// block of packets, its decoder repairs the one that a block may miss.
    FecRow in "fec" {
        fec_id: u32, "", "The pair's id.";
        pair: String, "", "The pair's name: where packets enter and where they leave, as in a>b.";
        group: String, "", "The name of the scenario's entry that it is of.";
        hops: u32, "", "How many links of the core are on its way.";
        block_pkts: u32, "packet", "The packets of a block at the end of the run.";
        flows: u64, "", "The flows whose packets to their sinks it protects.";
        ack_flows: u64, "", "The flows whose acknowledgements it protects.";
        protected_pkts: u64, "packet", "Packets that it protected.";
        protected_bytes: u64, "byte", "Bytes of these.";
        repair_pkts: u64, "packet", "Repair packets that it sent.";
        repair_bytes: u64, "byte", "Bytes of these.";
        report_pkts: u64, "packet", "Reports of 40 bytes that its egress sent back, where block sizes follow the loss.";
        settled_pkts: u64, "packet", "Packets whose fate is known: those that were protected when the last repair packet that came was sent.";
        lost_pkts: u64, "packet", "Those of them that did not come.";
        repaired_pkts: u64, "packet", "Those of these that were repaired.";
        late_pkts: u64, "packet", "Repaired packets that left after others sent later.";
        loss_ratio: Option<f64>, "", "Lost packets over settled ones.";
        residual_loss_ratio: Option<f64>, "", "Lost packets that were not repaired over settled ones.";
        overhead_ratio: Option<f64>, "", "Bytes of repair packets divided by protected bytes.";
        recovery_delay_mean_s: Option<f64>, "s", "Mean time from when the first packet came of those behind a missing one in its block until that was repaired; 0 for the last of a block.";
        recovery_delay_p99_s: Option<f64>, "s", "The time that 99 % of repairs did not exceed; exact up to 128 of them, else within 1/32 of it.";
    }
}
