//! The table of transfers: its rows and columns.

crate::row! {
    /// A file or burst for a TCP flow to send, finished within the run or not. Endless data are not
    /// a transfer.
    TransferRow in "transfers" {
        flow_id: u32, "", "The flow that carried it.";
        group: String, "", "The name of the scenario's group that the flow belongs to.";
        transfer: u32, "", "Its place among the flow's transfers, from 0.";
        path: Option<u32>, "", "The place of the path that switches chose for its connection by a hash, among those of equal cost, from 0 in the order of their links; missing without a choice for each transfer, or if flows are rerouted.";
        start_ps: u64, "ps", "When the source handed it over.";
        end_ps: Option<u64>, "ps", "When the sender knew that all of it had been delivered: the last acknowledgement's arrival; missing if the run ended before.";
        ideal_s: f64, "s", "How long it takes at best: all sent at once on idle lines, to the last acknowledgement, after a SYN's round trip on a connection of its own.";
        size_bytes: u64, "byte", "Payload bytes.";
        retransmitted_pkts: u64, "packet", "Packets sent again from the end of the flow's transfer before to its own, or to the end of the run.";
        began_in_warmup: bool, "", "Whether it started before the measured time, in which the counters of flows and links do not count.";
    }
}
