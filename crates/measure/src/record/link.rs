//! Rows of links.

crate::row! {
    /// The packets of a link and of the port before it in the measured time.
    LinkRow in "links" {
        link_id: u32, "", "The link's id.";
        link: String, "", "The link's name.";
        from: String, "", "The node it leaves.";
        to: String, "", "The node it reaches.";
        rate_bps: u64, "bit/s", "The line's rate.";
        delay_s: f64, "s", "The propagation delay.";
        arrived_pkts: u64, "packet", "Packets that came to the port.";
        arrived_bytes: u64, "byte", "Bytes that came to the port.";
        dropped_pkts: u64, "packet", "Packets dropped at the port, full or by a script.";
        dropped_bytes: u64, "byte", "Bytes dropped at the port, full or by a script.";
        lost_pkts: u64, "packet", "Packets lost on the wire, counted when they would have reached its far end; some may have left the port before the measured time.";
        lost_bytes: u64, "byte", "Bytes lost on the wire, counted likewise.";
        left_pkts: u64, "packet", "Packets whose transmission ended, those lost on the wire included.";
        left_bytes: u64, "byte", "Bytes whose transmission ended, those lost on the wire included.";
        reached_pkts: u64, "packet", "Packets that reached the far end of the wire, those lost on it included.";
        marked_pkts: u64, "packet", "Packets marked at the port: they met congestion there.";
        utilisation: f64, "", "Share of that time for which the line was sending, 0 to 1; of a packet that was leaving at either end only the part within.";
        loss_ratio: f64, "", "Share of packets that do not get through, 0 to 1: dropped over arrived, and of the others lost over reached.";
        queue_mean_pkts: f64, "packet", "Time-weighted mean of packets waiting, without the one being sent.";
        queue_max_pkts: u64, "packet", "Most packets waiting.";
        queue_mean_bytes: f64, "byte", "Time-weighted mean of bytes waiting, without the packet being sent.";
        queue_max_bytes: u64, "byte", "Most bytes waiting.";
        full_pkts: Option<u64>, "packet", "Packets that the queue discipline refused for want of room, of those dropped; missing without one.";
        early_pkts: Option<u64>, "packet", "Packets that it refused though there was room.";
        pushed_out_pkts: Option<u64>, "packet", "Packets that it had taken and pushed out for want of room.";
        departure_pkts: Option<u64>, "packet", "Packets that it had taken and dropped later though there was room.";
        sojourn_mean_s: Option<f64>, "s", "Mean time that packets waited in it, of those sent; missing if none was.";
        sojourn_p50_s: Option<f64>, "s", "Median of these times; exact up to 128 packets, else within 1/32 of it.";
        sojourn_p99_s: Option<f64>, "s", "Time that 99 % of these packets did not exceed, as exact as the median.";
        class0_dropped_pkts: Option<u64>, "packet", "Packets of class 0 that the queue discipline dropped; missing if it keeps no classes apart.";
        class0_full_pkts: Option<u64>, "packet", "Packets of class 0 that it refused for want of room.";
        class0_early_pkts: Option<u64>, "packet", "Packets of class 0 that it refused though there was room.";
        class0_pushed_out_pkts: Option<u64>, "packet", "Packets of class 0 that it had taken and pushed out for want of room.";
        class0_departure_pkts: Option<u64>, "packet", "Packets of class 0 that it had taken and dropped later though there was room.";
        class0_marked_pkts: Option<u64>, "packet", "Packets of class 0 that it marked.";
        class0_sojourn_mean_s: Option<f64>, "s", "Mean time that packets of class 0 waited in it, of those sent; missing if none was.";
        class0_sojourn_p50_s: Option<f64>, "s", "Median of these times.";
        class0_sojourn_p99_s: Option<f64>, "s", "Time that 99 % of these packets did not exceed.";
        class1_dropped_pkts: Option<u64>, "packet", "Packets of class 1 that the queue discipline dropped; missing if it keeps no classes apart.";
        class1_full_pkts: Option<u64>, "packet", "Packets of class 1 that it refused for want of room.";
        class1_early_pkts: Option<u64>, "packet", "Packets of class 1 that it refused though there was room.";
        class1_pushed_out_pkts: Option<u64>, "packet", "Packets of class 1 that it had taken and pushed out for want of room.";
        class1_departure_pkts: Option<u64>, "packet", "Packets of class 1 that it had taken and dropped later though there was room.";
        class1_marked_pkts: Option<u64>, "packet", "Packets of class 1 that it marked.";
        class1_sojourn_mean_s: Option<f64>, "s", "Mean time that packets of class 1 waited in it, of those sent; missing if none was.";
        class1_sojourn_p50_s: Option<f64>, "s", "Median of these times.";
        class1_sojourn_p99_s: Option<f64>, "s", "Time that 99 % of these packets did not exceed.";
        class2_dropped_pkts: Option<u64>, "packet", "Packets of class 2 that the queue discipline dropped; missing if it keeps no classes apart.";
        class2_full_pkts: Option<u64>, "packet", "Packets of class 2 that it refused for want of room.";
        class2_early_pkts: Option<u64>, "packet", "Packets of class 2 that it refused though there was room.";
        class2_pushed_out_pkts: Option<u64>, "packet", "Packets of class 2 that it had taken and pushed out for want of room.";
        class2_departure_pkts: Option<u64>, "packet", "Packets of class 2 that it had taken and dropped later though there was room.";
        class2_marked_pkts: Option<u64>, "packet", "Packets of class 2 that it marked.";
        class2_sojourn_mean_s: Option<f64>, "s", "Mean time that packets of class 2 waited in it, of those sent; missing if none was.";
        class2_sojourn_p50_s: Option<f64>, "s", "Median of these times.";
        class2_sojourn_p99_s: Option<f64>, "s", "Time that 99 % of these packets did not exceed.";
        class3_dropped_pkts: Option<u64>, "packet", "Packets of class 3 that the queue discipline dropped; missing if it keeps no classes apart.";
        class3_full_pkts: Option<u64>, "packet", "Packets of class 3 that it refused for want of room.";
        class3_early_pkts: Option<u64>, "packet", "Packets of class 3 that it refused though there was room.";
        class3_pushed_out_pkts: Option<u64>, "packet", "Packets of class 3 that it had taken and pushed out for want of room.";
        class3_departure_pkts: Option<u64>, "packet", "Packets of class 3 that it had taken and dropped later though there was room.";
        class3_marked_pkts: Option<u64>, "packet", "Packets of class 3 that it marked.";
        class3_sojourn_mean_s: Option<f64>, "s", "Mean time that packets of class 3 waited in it, of those sent; missing if none was.";
        class3_sojourn_p50_s: Option<f64>, "s", "Median of these times.";
        class3_sojourn_p99_s: Option<f64>, "s", "Time that 99 % of these packets did not exceed.";
        refused_pkts: Option<u64>, "packet", "Packets dropped because the pacer had no room, of those dropped; missing without a pacer.";
        held_mean_pkts: Option<f64>, "packet", "Time-weighted mean of packets held by the port's pacer, which are not in its queue yet; missing without a pacer.";
        held_max_pkts: Option<u64>, "packet", "Most packets held by the pacer.";
        held_mean_bytes: Option<f64>, "byte", "Time-weighted mean of bytes held by the pacer.";
        held_max_bytes: Option<u64>, "byte", "Most bytes held by the pacer.";
        pacing_delay_mean_s: Option<f64>, "s", "Mean time from arrival to release of those released; missing if none was.";
        pacing_delay_max_s: Option<f64>, "s", "Longest time from arrival to release.";
    }
}
