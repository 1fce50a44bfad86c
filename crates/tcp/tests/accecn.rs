//! AccECN's count of marks (RFC 9768): the sender knows each mark, whatever ACKs are lost.

use std::sync::Arc;

use crate::net::{Net, Weather};
use pacesim_tcp::{AckRule, Amount, Config, Control, EcnEcho, Variant};
use proptest::prelude::*;

fn config(control: Control, echo: EcnEcho, acks: AckRule) -> Arc<Config> {
    let mut config = Config::linux(Variant::Sack);
    config.control = control;
    config.linux.ecn = true;
    config.linux.echo = echo;
    config.linux.acks = acks;
    config.into()
}

/// The marks that the sender knows of, those that it was told of, and those that arrived; the last only if no
/// packet was sent twice, whose second copy may arrive after the last ACK.
fn known(config: &Arc<Config>, weather: Weather) -> (u32, u32, Option<u32>) {
    let mut net = Net::new(config, weather);
    net.give(Amount::Packets(200));
    net.run();
    let state = net.sender.linux_state().expect("Linux's profile");
    let once = net.sender.counters().retransmitted == 0;
    (state.delivered_ce, net.told, once.then_some(net.marks))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_mark_is_known(
        control in prop::sample::select(vec![Control::Cubic, Control::Dctcp, Control::Prague]),
        acks in prop::sample::select(vec![AckRule::Linux, AckRule::EveryPacket, AckRule::Pairs]),
        marked in prop::collection::btree_set(0..300u32, 0..100),
        lost_acks in prop::collection::btree_set(0..300u32, 0..100),
        lost_data in prop::collection::btree_set(0..300u32, 0..10),
    ) {
        let weather = Weather { marked, lost_acks, lost_data, ..Weather::default() };
        let (known, told, arrived) = known(&config(control, EcnEcho::Counted, acks), weather);
        prop_assert_eq!(known, told);
        prop_assert_eq!(told, arrived.unwrap_or(told));
    }
}

/// Every eighth packet is marked, and two ACKs of three are lost.
#[test]
fn the_echo_of_dctcp_takes_lost_acks_for_others() {
    let weather = Weather {
        marked: (0..300).step_by(8).collect(),
        lost_acks: (20..180).filter(|ack| ack % 3 != 0).collect(),
        ..Weather::default()
    };
    let known = |echo| {
        let config = config(Control::Dctcp, echo, AckRule::EveryPacket);
        known(&config, weather.clone())
    };
    let (counted, _, arrived) = known(EcnEcho::Counted);
    assert_eq!((counted, arrived), (25, Some(25)), "of 200 packets");
    let (exact, _, arrived) = known(EcnEcho::Exact);
    assert_ne!(
        Some(exact),
        arrived,
        "an ACK speaks for those lost before it"
    );
}
