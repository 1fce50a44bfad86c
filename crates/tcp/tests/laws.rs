//! Laws that hold for every variant under all profiles, for any losses, delays or reordering: a
//! tiny network in which nothing else happens.

use std::sync::Arc;

use crate::net::{Net, Weather};
use pacesim_tcp::{
    AckRule, Amount, Clock, Config, Control, EcnEcho, Hystart, Pacing, Profile, Variant,
};
use pacesim_units::{Bytes, Rate, Span};
use proptest::prelude::*;

fn weather() -> impl Strategy<Value = Weather> {
    let losses = || prop::collection::vec(0..400u32, 0..40);
    let delays = prop::collection::vec((0..400u32, 1..60u64), 0..20);
    (losses(), losses(), delays, losses()).prop_map(|(data, acks, late, marked)| Weather {
        lost_data: data.into_iter().collect(),
        lost_acks: acks.into_iter().collect(),
        late_ms: late.into_iter().collect(),
        marked: marked.into_iter().collect(),
    })
}

fn pacing() -> impl Strategy<Value = Pacing> {
    prop_oneof![
        3 => Just(Pacing::Off),
        1 => Just(Pacing::Window),
        1 => any::<bool>().prop_map(|retransmissions| Pacing::WindowStrict { retransmissions }),
        1 => Just(Pacing::Linux),
        1 => Just(Pacing::Fixed(Rate::from_mbps(2))),
    ]
}

prop_compose! {
    fn config()(
        variant in prop::sample::select(Variant::ALL.to_vec()),
        profile in prop::sample::select(vec![Profile::Ns2, Profile::Rfc]),
        pacing in pacing(),
        window_cap in 1..40u32,
        initial_window in 1..12u32,
        syn in any::<bool>(),
        delayed in any::<bool>(),
        limited_transmit in any::<bool>(),
    ) -> Config {
        let mut config = Config::new(profile, variant);
        config.pacing = pacing;
        config.window_cap = f64::from(window_cap);
        config.initial_window = f64::from(initial_window);
        config.syn = syn;
        config.delayed_ack = delayed.then_some(Span::from_ms(40));
        config.limited_transmit = limited_transmit;
        config
    }
}

prop_compose! {
    fn linux()(
        sack in any::<bool>(),
        control in prop::sample::select([Control::HOUSE, Control::LINUX].concat()),
        pacing in prop::sample::select(vec![Pacing::Off, Pacing::Linux, Pacing::Fixed(Rate::from_mbps(2))]),
        window_cap in 1..40u32,
        initial_window in 1..12u32,
        syn in any::<bool>(),
        acks in prop::sample::select(vec![AckRule::Linux, AckRule::EveryPacket, AckRule::Pairs]),
        hz in prop::sample::select(vec![None, Some(100), Some(250), Some(1000)]),
        hystart in prop::sample::select(vec![Hystart::Off, Hystart::Linux, Hystart::Linux68, Hystart::PlusPlus]),
        echo in prop::sample::select(vec![EcnEcho::UntilCwr, EcnEcho::Exact, EcnEcho::Counted]),
        (ecn, ecn_low, stamps, gso) in any::<(bool, bool, bool, bool)>(),
    ) -> Config {
        let mut config = Config::linux(if sack { Variant::Sack } else { Variant::NewReno });
        config.control = control;
        config.pacing = pacing;
        config.window_cap = f64::from(window_cap);
        config.initial_window = f64::from(initial_window);
        config.syn = syn;
        config.linux.acks = acks;
        config.linux.hz = hz;
        config.linux.hystart = hystart;
        config.linux.ecn = ecn;
        config.linux.ecn_low = ecn_low;
        config.linux.gso = gso;
        config.linux.stamps = stamps;
        config.linux.echo = echo;
        config
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// As for the textbook senders: no deadlock, no packet twice or out of order, no overrun; and
    /// no window below a packet.
    #[test]
    fn a_sender_as_linux_s_delivers_everything(config in linux(), weather in weather(), packets in 1..150u32) {
        let mut net = Net::new(&Arc::new(config), weather);
        net.give(Amount::Packets(packets));
        net.run();
        prop_assert_eq!(net.transfers, 1);
        prop_assert!(net.sender.cwnd() >= 1.0);
        let state = net.sender.linux_state().expect("Linux's profile");
        let left = (state.unacked, state.sacked, state.lost, state.retrans);
        prop_assert_eq!(left, (0, 0, 0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// `Net::run` itself fails on a deadlock, on a packet delivered twice or out
    /// of order, and on a window overrun.
    #[test]
    fn everything_arrives_once_and_in_order(config in config(), weather in weather(), packets in 1..150u32) {
        let mut net = Net::new(&Arc::new(config), weather);
        net.give(Amount::Packets(packets));
        net.run();
        prop_assert_eq!(net.transfers, 1);
    }

    #[test]
    fn bytes_are_exact_by_the_rfc(weather in weather(), sizes in prop::collection::vec(1..20_000u64, 1..6), variant in 0..5usize) {
        let config = Arc::new(Config::rfc(Variant::ALL[variant]));
        let mut net = Net::new(&config, weather);
        for size in &sizes {
            net.give(Amount::Bytes(Bytes(*size)));
        }
        net.run();
        prop_assert_eq!(net.payload_delivered(), sizes.iter().sum::<u64>());
        prop_assert_eq!(net.transfers as usize, sizes.len());
    }

    /// Waking a sender early changes nothing.
    #[test]
    fn stale_wake_ups_are_harmless(config in config(), weather in weather()) {
        let config = Arc::new(config);
        let logs = [false, true].map(|nagging| {
            let mut net = Net::new(&config, weather.clone());
            net.nagging = nagging;
            net.give(Amount::Packets(60));
            net.run();
            net.log
        });
        prop_assert_eq!(&logs[0], &logs[1]);
    }
}

#[test]
fn transfers_follow_one_another_on_an_idle_flow() {
    for profile in [Profile::Ns2, Profile::Rfc] {
        for variant in Variant::ALL {
            let mut net = Net::new(&Arc::new(Config::new(profile, variant)), Weather::default());
            for _ in 0..3 {
                net.give(Amount::Packets(30));
                net.run();
                net.now += Span::from_secs(5);
            }
            assert_eq!((net.transfers, net.sender.counters().retransmitted), (3, 0));
        }
    }
}

#[test]
fn the_coarse_clock_makes_time_outs_coarse() {
    let mut config = Config::ns2(Variant::Reno);
    config.clock = Clock::Ticks(Span::from_ms(500));
    config.min_rto = Span::from_secs(1);
    let weather = Weather {
        lost_data: [10].into(),
        ..Weather::default()
    };
    config.dupack_threshold = 1000;
    let mut net = Net::new(&Arc::new(config), weather);
    net.give(Amount::Packets(10));
    net.run();
    assert_eq!(net.sender.counters().timeouts, 1);
    assert!(net.sender.rto() >= Span::from_secs(1));
}
