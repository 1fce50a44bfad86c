//! One row a finished transfer.

super::schema::table! {
    /// A file or burst that was delivered wholly.
    TransferRow in "transfers" {
        flow: u32, "", "The flow that carried it.";
        transfer: u32, "", "Its place among the flow's transfers, from 0.";
        start_ps: u64, "ps", "When the source handed it over.";
        end_ps: u64, "ps", "When its last payload byte was delivered.";
        bytes: u64, "byte", "Payload bytes.";
        retransmitted_pkts: u64, "packet", "Packets sent again while it lasted.";
    }
}
