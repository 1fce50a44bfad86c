//! Laws of NDP: packets are conserved at ports that cut payloads off, pulls keep their distance, and a
//! flow ends over a network that loses payloads, pulls and ACKs.

use pacesim_datacentre::ndp::{
    Fate, Kind, NdpSink, NdpSource, PullClock, PullClockConfig, TrimmingQueue, TrimmingQueueConfig,
    Trims,
};
use pacesim_units::{Bytes, Capacity, Span, Time};
use proptest::prelude::*;

proptest! {
    #[test]
    fn each_packet_leaves_a_port_once_or_is_reported_lost(
        steps in prop::collection::vec((0u32..4, 1u64..9000, any::<bool>()), 1..400),
        (limit, header_limit) in (9000u64..40_000, 64u64..1000),
        (counts_sending, headers_per_packet) in (any::<bool>(), 1u32..12),
    ) {
        let mut queue = TrimmingQueue::new(TrimmingQueueConfig {
            limit: Capacity::Bytes(Bytes(limit)),
            header_limit: Capacity::Bytes(Bytes(header_limit)),
            header: Bytes(64),
            counts_sending,
            trims_sending: false,
            headers_per_packet,
        });
        let [mut arrived, mut ended] = [0u32, 0];
        for (action, size, is_last) in steps {
            let coin = || if is_last { Trims::Last } else { Trims::Arriving };
            match action {
                0 | 1 => {
                    let kind = if action == 0 { Kind::Data } else { Kind::Header };
                    let size = if action == 0 { size } else { 64 };
                    let fate = queue.arrive(arrived, Bytes(size), kind, coin);
                    arrived += 1;
                    ended += u32::from(matches!(fate, Fate::Lost | Fate::LostLast(_)));
                }
                2 => ended += u32::from(queue.finish().is_some()),
                _ => {
                    let waits = queue.held() != [0, 0];
                    let starts = queue.start().is_some();
                    prop_assert!(!starts || waits);
                }
            }
            let [data, headers] = queue.held();
            prop_assert_eq!(arrived as usize, ended as usize + data + headers);
        }
        let mut left = 0;
        loop {
            queue.start();
            if queue.finish().is_none() {
                break;
            }
            left += 1;
        }
        prop_assert_eq!(arrived, ended + left);
        let fate = queue.arrive(arrived, Bytes(limit), Kind::Data, || Trims::Arriving);
        prop_assert_eq!(fate, Fate::Taken, "an empty queue has all its room");
    }

    #[test]
    fn pulls_keep_their_distance_and_leave_in_the_order_of_each_flow(
        answers in prop::collection::vec((0u64..30, 0u64..4, any::<bool>()), 1..300),
    ) {
        let gap = Span::from_us(7);
        let config = PullClockConfig { gap, keeps_stale_timers: false };
        let mut clock = PullClock::new(config);
        let mut numbers = [0; 4];
        let mut sent: Vec<(Time, u64, u32)> = Vec::new();
        let mut now = Time::ZERO;
        for (us, flow, ends) in answers {
            now += Span::from_us(us);
            while let Some(due) = clock.next_wake().filter(|due| *due <= now) {
                while let Some(pull) = clock.pull(due) {
                    sent.push((due, pull.flow, pull.number));
                }
            }
            let number = &mut numbers[flow as usize];
            *number += 1;
            if clock.answer(now, flow, *number) {
                sent.push((now, flow, *number));
            }
            if ends && us == 0 {
                clock.remove(flow);
            }
        }
        prop_assert!(sent.windows(2).all(|pair| pair[1].0 - pair[0].0 >= gap));
        for flow in 0..4 {
            let of_flow: Vec<u32> = sent.iter().filter(|pull| pull.1 == flow).map(|pull| pull.2).collect();
            prop_assert!(of_flow.is_sorted(), "{:?}", of_flow);
        }
    }

    /// A network that turns data into headers and loses pulls. The last pull of all is not lost.
    #[test]
    fn a_flow_ends_although_payloads_and_pulls_are_lost(
        packets in 1u32..80,
        window in 1u32..20,
        losses in prop::collection::vec((0u32..3, 0u32..3), 2000),
    ) {
        let mut source = NdpSource::new(packets, window);
        let mut sink = NdpSink::new();
        let mut losses = losses.into_iter();
        let mut most_pull = 0;
        let (mut sent, mut is_complete) = (0, false);
        while !is_complete {
            let Some(data) = source.transmit() else {
                source.pull(most_pull);
                let moves = source.clone().transmit().is_some();
                prop_assert!(moves, "stuck after {sent} packets");
                continue;
            };
            sent += 1;
            let (payload, pull) = losses.next().unwrap_or((1, 1));
            let answer = if payload == 0 {
                let answer = sink.header();
                source.nack(data.packet, None);
                answer
            } else {
                sink.data(data.packet, data.packet + 1 == packets)
            };
            most_pull = answer.pull;
            is_complete = answer.is_complete;
            if pull > 0 {
                source.pull(answer.pull);
            }
        }
        prop_assert!(source.transmit().is_none() || sent > packets);
    }
}
