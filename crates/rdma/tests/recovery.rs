//! Recovery from loss, by going back and one by one: all data arrive once, whatever is lost.

use std::collections::BTreeSet;

use pacesim_rdma::{Config, ControlConfig, Recovery, Sink, Source};
use pacesim_transport::laws::{self, Fate};
use pacesim_transport::{Content, Datagram, Delivered, End, Header};
use pacesim_units::{Bytes, Rate, Span, Time};
use proptest::prelude::*;

const SELECTIVE: Recovery = Recovery::Selective {
    timeout_of_few: Span::from_us(200),
};
const GO_BACK: Recovery = Recovery::GoBackN {
    refusal_gap: Span::from_us(100),
};
const PAYLOAD: u64 = 1000;
const DELAY: Span = Span::from_us(20);

fn config(recovery: Recovery) -> Config {
    Config {
        payload: Bytes(PAYLOAD),
        header: Bytes(48),
        answer: Bytes(60),
        line: Rate::from_mbps(10_000),
        hops: 2,
        ecn: false,
        control: ControlConfig::Line,
        window: None,
        mark_gap: Span::ZERO,
        recovery,
        timeout: Span::from_us(500),
    }
}

fn ends(recovery: Recovery) -> [Box<dyn End>; 2] {
    let config = config(recovery);
    let sink = Sink::new(&config);
    [Box::new(Source::new(config)), Box::new(sink)]
}

/// A sink that does not get the first copy of some packets.
struct Deprived {
    sink: Box<dyn End>,
    lost: BTreeSet<u32>,
}

impl End for Deprived {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        if !self.lost.remove(&packet.seq) {
            self.sink.receive(now, packet, content);
        }
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        self.sink.transmit(now)
    }

    fn delivered(&self) -> Delivered {
        self.sink.delivered()
    }
}

/// Carries so many bytes without the first copy of these packets, and returns the packets sent again and
/// the expiries of the timer.
fn lost(recovery: Recovery, bytes: u64, lost: &[u32]) -> (u64, u32) {
    let [mut source, sink] = ends(recovery);
    let lost = lost.iter().copied().collect();
    let mut sink = Deprived { sink, lost };
    let fate = |_| Fate::Late(Span::ZERO);
    laws::check(&mut *source, &mut sink, &[Bytes(bytes)], DELAY, fate);
    let counters = source.counters();
    (counters.retransmitted, counters.timeouts)
}

proptest! {
    /// Losses, doubles and delays of any of the first packets of both directions, and of some later.
    #[test]
    fn all_data_arrive_once_whatever_is_lost(
        is_selective in any::<bool>(),
        fates in prop::collection::vec(0..10u8, 1..200),
        transfers in prop::collection::vec(1..60_000u64, 1..4),
        salt in any::<u32>(),
    ) {
        let recovery = if is_selective { SELECTIVE } else { GO_BACK };
        let transfers: Vec<Bytes> = transfers.into_iter().map(Bytes).collect();
        let fate = move |number: u32| {
            let later = || (number.wrapping_mul(2_654_435_761).wrapping_add(salt) >> 28) as u8;
            match fates.get(number as usize).copied().unwrap_or_else(later) {
                0..=2 => Fate::Lost,
                3 => Fate::Twice(Span::from_us(30)),
                4 => Fate::Late(Span::from_us(90)),
                _ => Fate::Late(Span::ZERO),
            }
        };
        laws::check_made(|_| ends(recovery), &transfers, DELAY, fate);
    }

    /// Any packets are lost of which none is sent again: each costs one.
    #[test]
    fn packets_that_are_lost_once_cost_one_each(gaps in prop::collection::vec(0..30u32, 1..20)) {
        let mut next = 0;
        let numbers: Vec<u32> = gaps
            .iter()
            .map(|gap| {
                next += gap + 1;
                next - 1
            })
            .collect();
        // A round trip of packets more, behind which those sent again come.
        let bytes = PAYLOAD * u64::from(next + 200);
        let (again, timeouts) = lost(SELECTIVE, bytes, &numbers);
        prop_assert_eq!((again, timeouts), (numbers.len() as u64, 0));
    }
}

#[test]
fn the_same_loss_costs_all_that_followed_when_going_back() {
    let numbers = [100];
    let (again, timeouts) = lost(GO_BACK, 1000 * PAYLOAD, &numbers);
    // A round trip of 40 us at 10 Gbps has 47 packets of 1048 bytes.
    assert!(
        (45..52).contains(&again) && timeouts == 0,
        "{again} {timeouts}"
    );
    assert_eq!(lost(SELECTIVE, 1000 * PAYLOAD, &numbers), (1, 0));
}

/// The last packet is refused by none that follows: the timer of few packets finds it.
#[test]
fn the_last_packet_waits_for_the_timer_of_few() {
    for recovery in [SELECTIVE, GO_BACK] {
        assert_eq!(lost(recovery, 10 * PAYLOAD, &[9]), (1, 1));
    }
}
