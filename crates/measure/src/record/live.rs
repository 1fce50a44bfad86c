//! Rows of the packets of real hosts.

crate::row! {
    /// A packet of a host in a live run. Times are those of the network; on the way to a host, its
    /// lateness is the time from when it was due until it was written.
    LiveRow in "live" {
        t_ps: u64, "ps", "When it entered the network: the kernel's stamp, unless the network was past it.";
        read_ps: u64, "ps", "When the program read it.";
        flow_id: u32, "", "The flow: its row in flows.parquet has its group.";
        size_bytes: u32, "byte", "Its size, with the header of IPv4.";
        ecn: u8, "", "ECN field as its host sent it: 0 none, 1 ECT(1), 2 ECT(0), 3 CE.";
        outcome: Option<u8>, "", "What became of it: 0 delivered, 1 dropped at a port, 2 lost on the wire, 3 absorbed by a middlebox; missing if it was in the network at the end.";
        link_id: Option<u32>, "", "The link at which it was dropped or lost.";
        due_ps: Option<u64>, "ps", "When it left the network.";
        write_ps: Option<u64>, "ps", "When its write to its host began; missing unless it was delivered.";
        written_ps: Option<u64>, "ps", "When its write had ended.";
    }
}
