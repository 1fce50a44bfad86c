//! QLBP that blocks its queue, against its rule and against QLBP itself.

use pacesim_pacers::*;
use pacesim_units::{Capacity, FlowId, Rate, Span, Time};

fn config() -> QlbpConfig {
    QlbpConfig {
        mu_min: Some(Rate::from_mbps(2)),
        mu_max: Rate::from_mbps(10),
        q_max: Capacity::Packets(10),
        q_lim: Capacity::Packets(1000),
        line_rate: Rate::from_mbps(15),
    }
}

fn pacer() -> QlbpBlocking {
    QlbpBlocking::new(&config()).expect("valid")
}

fn us(n: u64) -> Time {
    Time::ZERO + Span::from_us(n)
}

fn offer(pacer: &mut QlbpBlocking, at: Time, key: u32, size: u32) {
    let packet = Pending::new(key, FlowId(0), size);
    pacer.enqueue(at, packet).expect("room");
}

#[test]
fn a_release_blocks_the_queue_for_its_own_size_over_the_rate_of_all_that_waits_with_it() {
    let mut pacer = pacer();
    offer(&mut pacer, us(100), 0, 700);
    assert_eq!(pacer.next_release(), Release::At(us(100)));
    pacer.dequeue(us(100)).expect("its time has come");
    // It was alone: 5600 bit at 2.8 Mbps, for any size of the next packet.
    offer(&mut pacer, us(200), 1, 450);
    offer(&mut pacer, us(300), 2, 1000);
    assert_eq!(pacer.next_release(), Release::At(us(2_100)));
    assert_eq!(pacer.dequeue(us(2_099)), None);
    assert_eq!(pacer.dequeue(us(2_100)).map(|packet| packet.key), Some(1));
    // There were two: 3600 bit at 3.6 Mbps.
    assert_eq!(pacer.next_release(), Release::At(us(3_100)));
}

#[test]
fn an_arrival_does_not_change_the_pause() {
    let mut pacer = pacer();
    offer(&mut pacer, us(0), 0, 1400);
    pacer.dequeue(us(0)).expect("its time has come");
    for key in 1..=500 {
        offer(&mut pacer, us(1), key, 1000);
        assert_eq!(pacer.next_release(), Release::At(us(4_000)));
    }
}

#[test]
fn a_packet_that_comes_after_the_pause_leaves_at_once() {
    let mut pacer = pacer();
    offer(&mut pacer, us(0), 0, 1000);
    pacer.dequeue(us(0)).expect("its time has come");
    offer(&mut pacer, us(5_000), 1, 1000);
    assert_eq!(pacer.next_release(), Release::At(us(5_000)));
}

#[test]
fn beyond_the_cutoff_packets_leave_at_the_rate_of_the_line() {
    let mut pacer = pacer();
    (0..=11).for_each(|key| offer(&mut pacer, us(0), key, 1500));
    pacer.dequeue(us(0)).expect("its time has come");
    assert_eq!(pacer.next_release(), Release::At(us(800)));
    pacer.dequeue(us(800)).expect("its time has come");
    // Eleven wait, and then ten: 12000 bit at 10 Mbps.
    assert_eq!(pacer.next_release(), Release::At(us(1_600)));
    pacer.dequeue(us(1_600)).expect("its time has come");
    assert_eq!(pacer.next_release(), Release::At(us(2_800)));
}

/// Both hold constant traffic for nearly as long, as an arrival changes mu by only 0.8 Mbps.
#[test]
fn constant_traffic_keeps_its_rate_and_waits_about_as_long_as_in_qlbp() {
    for (mbps, qlbp_ms) in [(4u64, 4.0), (8, 7.0), (10, 7.2)] {
        let gap = Span::from_ps(8_000_000_000 / mbps);
        let mut pacer = pacer();
        let mut at = Time::ZERO;
        let mut held = Vec::new();
        for key in 0..4000 {
            while let Release::At(next) = pacer.next_release()
                && next <= at
            {
                let packet = pacer.dequeue(next).expect("its time has come");
                held.push((next - (Time::ZERO + gap * u64::from(packet.key))).as_secs_f64() * 1e3);
            }
            offer(&mut pacer, at, key, 1000);
            at += gap;
        }
        let steady = &held[2000..3500];
        let mean = steady.iter().sum::<f64>() / steady.len() as f64;
        let packet_ms = 8.0 / mbps as f64;
        assert!(
            mean >= qlbp_ms && mean < qlbp_ms + packet_ms / 20.0,
            "{mbps} Mbps: {mean} ms"
        );
    }
}
