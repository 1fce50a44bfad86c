//! Disciplines that choose among classes and flows.

use pacesim_queues::{
    Drr, Line, Pending, Pfabric, PriorityConfig, Queue, Reason, StrictPriority, Turn,
};
use pacesim_units::{Capacity, FlowId, Time};

/// The keys of packets that a free line sends one after another.
fn sent(queue: &mut impl Queue, count: usize) -> Vec<u32> {
    let next = |_| match queue.turn(Time::ZERO, Line::Free) {
        Turn::Go { key, .. } => Some(key),
        _ => None,
    };
    (0..count).filter_map(next).collect()
}

#[test]
fn a_lower_class_goes_first_and_pushes_the_newest_of_the_highest_out() {
    let mut queue = StrictPriority::new(Capacity::Packets(4), false, PriorityConfig::default());
    let mut offer = |key: u32, class: u16| {
        let packet = Pending::new(key, FlowId(0), 1000).of_class(class);
        let taken = queue.arrive(Time::ZERO, packet);
        let dropped = match queue.turn(Time::ZERO, Line::Busy) {
            Turn::Drop(key, Reason::Full) => Some(key),
            _ => None,
        };
        (taken.is_ok(), dropped)
    };
    for (key, class) in [(0, 2), (1, 1), (2, 2), (3, 0)] {
        assert_eq!(offer(key, class), (true, None));
    }
    assert_eq!(
        offer(4, 1),
        (true, Some(2)),
        "the newest of class 2 makes room"
    );
    assert_eq!(offer(5, 2), (false, None), "and none of its own class does");
    assert_eq!(sent(&mut queue, 5), [3, 1, 4, 0]);
}

#[test]
fn smaller_transfers_go_first_whatever_the_class_of_their_flow() {
    let sizes = vec![10_000, 100_000];
    let mut queue = StrictPriority::new(Capacity::Packets(6), false, PriorityConfig { sizes });
    let sizes = [u32::MAX, 100_001, 100_000, 10_001, 10_000, 0];
    for (key, size) in (0..).zip(sizes) {
        let packet = Pending::new(key, FlowId(0), 1000).of_class(key as u16);
        let taken = queue.arrive(Time::ZERO, packet.with_remaining(size));
        assert!(taken.is_ok());
    }
    assert!(!queue.hold_class(0, true), "pauses know classes of flows");
    assert_eq!(sent(&mut queue, 6), [4, 5, 2, 3, 0, 1]);
}

#[test]
fn flows_share_bytes_whatever_the_sizes_of_their_packets() {
    let mut queue = Drr::new(Capacity::Unlimited, false, 1500);
    let sizes = [1500u32, 300, 700];
    let mut flow_of = Vec::new();
    for _ in 0..2000 {
        for (flow, size) in sizes.iter().enumerate() {
            let packet = Pending::new(flow_of.len() as u32, FlowId(flow as u32), *size);
            flow_of.push(flow);
            assert!(queue.arrive(Time::ZERO, packet).is_ok());
        }
    }
    let mut bytes = [0u64; 3];
    for key in sent(&mut queue, 1500) {
        let flow = flow_of[key as usize];
        bytes[flow] += u64::from(sizes[flow]);
    }
    let (least, most) = (bytes.iter().min().unwrap(), bytes.iter().max().unwrap());
    assert!(most - least <= 3000, "{bytes:?}");
}

#[test]
fn a_full_buffer_drops_the_newest_of_the_flow_that_holds_most() {
    let mut queue = Drr::new(Capacity::Packets(5), false, 1500);
    let mut dropped = Vec::new();
    for (key, flow) in [0, 0, 0, 0, 1, 1, 2].into_iter().enumerate() {
        let packet = Pending::new(key as u32, FlowId(flow), 1000);
        assert!(queue.arrive(Time::ZERO, packet).is_ok());
        if let Turn::Drop(key, Reason::Full) = queue.turn(Time::ZERO, Line::Busy) {
            dropped.push(key);
        }
    }
    assert_eq!(dropped, [3, 2]);
    assert_eq!(sent(&mut queue, 5), [0, 4, 6, 1, 5]);
}

/// A packet of this flow with so much of its transfer left.
fn of_transfer(key: u32, flow: u32, remaining: u32) -> Pending {
    Pending::new(key, FlowId(flow), 1000).with_remaining(remaining)
}

#[test]
fn the_shortest_transfer_goes_first_and_none_is_reordered() {
    let mut queue = Pfabric::new(Capacity::Unlimited, false);
    let packets = [(0, 9), (1, 4), (0, 8), (2, 4), (0, 1), (1, 3), (3, 0)];
    for (key, (flow, remaining)) in (0..).zip(packets) {
        let packet = of_transfer(key, flow, remaining);
        assert!(queue.arrive(Time::ZERO, packet).is_ok());
    }
    // An acknowledgement, then flow 1, whose tie with flow 2 goes to the first; the last packet of
    // flow 0 waits for those before it.
    assert_eq!(sent(&mut queue, 8), [6, 1, 5, 3, 0, 2, 4]);
}

#[test]
fn a_full_buffer_drops_the_newest_packet_of_the_longest_transfer() {
    let mut queue = Pfabric::new(Capacity::Packets(3), false);
    let mut offer = |key: u32, flow: u32, remaining: u32| {
        let taken = queue.arrive(Time::ZERO, of_transfer(key, flow, remaining));
        assert!(taken.is_ok());
        match queue.turn(Time::ZERO, Line::Busy) {
            Turn::Drop(key, Reason::Full) => Some(key),
            _ => None,
        }
    };
    for (key, flow) in [(0, 0), (1, 0), (2, 1)] {
        assert_eq!(offer(key, flow, 9 - key), None);
    }
    assert_eq!(
        offer(3, 2, 5),
        Some(1),
        "the newest of flow 0, not its oldest"
    );
    assert_eq!(offer(4, 3, u32::MAX), Some(4), "data without end come last");
    assert_eq!(offer(5, 3, 0), Some(0));
    assert_eq!(sent(&mut queue, 5), [5, 3, 2]);
}
