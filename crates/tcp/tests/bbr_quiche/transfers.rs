//! Transfers of one flow: over a plain link, one whose rate changes, a policer, and with ACKs in lumps.

use pacesim_tcp::{Amount, Control, LinuxState};
use pacesim_units::{Bytes, Span};

use super::check::{Numbers, judge};
use super::net::{Links, Net, PACKET, after, kbps};

const ANY: f64 = f64::INFINITY;
const MIB: u64 = 1 << 20;

#[derive(Clone, Copy, PartialEq)]
enum Feature {
    Nothing,
    /// ACKs in lumps, after this wait at the latest.
    Lumps(Span),
    Policer,
}

/// A transfer: thresholds that are not stated are infinite.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    links: Links,
    feature: Feature,
    /// Another rate, in kbit/s from some seconds on.
    change: Option<(u64, u64)>,
    mib: u64,
    /// Seconds in which all is delivered.
    limit: u64,
    /// Off the link's rate at the end, and before the change.
    bandwidth: [f64; 2],
    /// Share of packets lost: until the change, if there is one.
    loss: f64,
    /// Smoothed round trip divided by that of full packets on an idle path.
    srtt: f64,
    min_rtt: f64,
    /// Milliseconds of startup.
    startup_ms: [f64; 2],
    /// Bytes acknowledged beyond the expected ones, before the change.
    extra_acked: f64,
    /// The phase at the end (or at the change) may also be a search for the least round trip.
    may_search: bool,
}

const fn case(name: &'static str, links: Links, mib: u64, limit: u64) -> Case {
    Case {
        name,
        links,
        feature: Feature::Nothing,
        change: None,
        mib,
        limit,
        bandwidth: [ANY; 2],
        loss: ANY,
        srtt: ANY,
        min_rtt: ANY,
        startup_ms: [0.0, ANY],
        extra_acked: ANY,
        may_search: true,
    }
}

impl Case {
    const fn bandwidth(mut self, off: f64) -> Case {
        self.bandwidth[0] = off;
        self
    }

    const fn loss(self, loss: f64) -> Case {
        Case { loss, ..self }
    }

    const fn rtts(self, srtt: f64, min_rtt: f64) -> Case {
        Case {
            srtt,
            min_rtt,
            ..self
        }
    }

    const fn startup(self, least: f64, most: f64) -> Case {
        Case {
            startup_ms: [least, most],
            ..self
        }
    }

    const fn cycles(self) -> Case {
        Case {
            may_search: false,
            ..self
        }
    }

    const fn with(self, feature: Feature) -> Case {
        Case { feature, ..self }
    }

    const fn extra_acked(self, extra_acked: f64) -> Case {
        Case {
            extra_acked,
            ..self
        }
    }

    fn control(&self) -> Control {
        match self.name.as_bytes()[3] {
            b'1' => Control::Bbr,
            _ => Control::Bbr3,
        }
    }
}

const HALF: Links = Links::D.with_buffer(0.5);

const fn plain(name: &'static str) -> Case {
    case(name, Links::D, 12, 35).bandwidth(0.01)
}

/// From 100 kbit/s to 10 Mbit/s, with the buffer of the low rate.
const fn increase(name: &'static str, mib: u64, off: [f64; 2], loss: f64) -> Case {
    Case {
        change: Some((15, 10_000)),
        bandwidth: off,
        loss,
        ..case(name, Links::U, mib, 65)
    }
}

const fn lumpy(name: &'static str, mib: u64, off: [f64; 2], loss: f64) -> Case {
    increase(name, mib, off, loss).with(Feature::Lumps(Span::from_us(595_800)))
}

#[rustfmt::skip]
const CASES: [Case; 26] = [
    plain("bbr3/SimpleTransferB206").loss(0.05).rtts(4.0, 0.2),
    plain("bbr3/SimpleTransferBBR4").loss(0.05).rtts(4.0, 0.2),
    plain("bbr3/SimpleTransferBBQ1").loss(0.05).rtts(4.0, 0.2),
    plain("bbr3/SimpleTransferAckDecimation").loss(0.001).rtts(3.0, 0.1),
    case("bbr3/SimpleTransferSmallBuffer", HALF, 12, 30).bandwidth(0.02),
    case("bbr3/SimpleTransferSmallBufferB2H2", HALF, 12, 30).bandwidth(0.02),
    case("bbr3/PacketLossBBQ6SmallBufferStartup", HALF, 1, 15).bandwidth(0.02).loss(0.1).cycles(),
    case("bbr3/PacketLossBBQ7SmallBufferStartup", HALF, 1, 15).bandwidth(0.02).loss(0.06).cycles(),
    case("bbr3/StartupStats", Links::D, 1, 15).bandwidth(0.02).startup(500.0, 1500.0).cycles(),
    case("bbr3/SenderPoliced", Links::D, 3, 30).loss(0.3).with(Feature::Policer),
    Case { change: Some((10, 100)), bandwidth: [ANY, 0.1], ..case("bbr3/BandwidthDecrease", Links::W, 20, 810).loss(0.0) },
    increase("bbr3/BandwidthIncrease", 10, [0.02, 0.1], 0.3),
    increase("bbr3/BandwidthIncreaseBBQ0", 10, [0.02, 0.1], 0.3),
    increase("bbr3/BandwidthIncreaseB202", 10, [0.1, 0.1], 0.3),
    increase("bbr3/BandwidthIncreaseB204", 10, [0.02, 0.1], 0.25).extra_acked(2000.0),
    lumpy("bbr3/BandwidthIncreaseAggregation", 2, [0.91, 0.6], 0.35),
    lumpy("bbr3/BandwidthIncreaseB202Aggregation", 2, [0.92, 0.8], 0.35),
    lumpy("bbr3/BandwidthIncreaseBBHIAggregation", 2, [0.9, 0.8], 0.35),
    lumpy("bbr3/BandwidthIncreaseBBHI_B202Aggregation", 2, [0.9, 0.8], 0.35),
    lumpy("bbr3/BandwidthIncreaseB204Aggregation", 2, [0.95, 0.6], 0.35).extra_acked(10_000.0),
    lumpy("bbr3/BandwidthIncreaseBB2UandBBHIAggregation", 5, [0.85, 0.8], 0.3),
    case("bbr1/SimpleTransfer", Links::D, 12, 30).loss(0.0).rtts(1.2, ANY).cycles(),
    case("bbr1/SimpleTransferSmallBuffer", HALF, 12, 30).bandwidth(0.01).rtts(ANY, 0.2).cycles(),
    plain("bbr1/SimpleTransfer2RTTAggregationBytes").rtts(4.0, 0.5).with(Feature::Lumps(Span::from_us(144_260))),
    case("bbr1/PacketLossOnSmallBufferStartup", HALF, 1, 15).bandwidth(0.02).loss(0.31).cycles(),
    case("bbr1/StartupStats", Links::D, 1, 15).bandwidth(0.02).startup(500.0, 1500.0).cycles(),
];

/// The state and losses at a moment.
#[derive(Clone, Copy)]
struct Seen {
    state: LinuxState,
    loss: f64,
    bandwidth: f64,
    phase: &'static str,
}

fn seen(net: &Net) -> Seen {
    let flow = &net.flows[0];
    Seen {
        state: flow.state(),
        loss: f64::from(flow.dropped) / f64::from(flow.sent.max(1)),
        bandwidth: flow.bandwidth(),
        phase: flow.phase(),
    }
}

/// All numbers of a case.
fn numbers(case: &Case, seed: u64) -> Numbers {
    let mut net = Net::alone(case.links, case.control(), seed);
    match case.feature {
        Feature::Nothing => {}
        Feature::Lumps(wait) => net.aggregate(wait),
        Feature::Policer => net.police(kbps(1000), Bytes(10_000), Bytes(100_000)),
    }
    let packets = (case.mib * MIB).div_ceil(PACKET) as u32;
    net.write(0, Amount::Packets(packets));
    let mut numbers = Numbers::of(case.name);
    let mut startup_ms = None;
    let mut watch = |net: &mut Net| {
        if startup_ms.is_none() && net.flows[0].phase() != "startup" {
            startup_ms = Some(1e3 * net.now.as_secs_f64());
        }
        let sender = &net.flows[0].sender;
        sender.acknowledged() + sender.outstanding() > packets
    };
    let before = case.change.map(|(at, kbps)| {
        net.run(after(at as f64), &mut watch);
        let before = seen(&net);
        net.set_rate(kbps);
        before
    });
    net.run(after(case.limit as f64), &mut watch);
    let last = seen(&net);
    net.run(after(case.limit as f64), |net| {
        net.flows[0].delivered() > packets
    });
    let missing = (packets + 1).saturating_sub(net.flows[0].delivered());
    numbers.at_most("packets missing", f64::from(missing), 0.0);
    judge_ends(case, &mut numbers, before, last);
    let startup_ms = startup_ms.unwrap_or(ANY);
    let [least, most] = case.startup_ms;
    numbers.within("startup, ms", startup_ms, least, most);
    numbers
}

/// Numbers before the change and at the end.
fn judge_ends(case: &Case, numbers: &mut Numbers, before: Option<Seen>, last: Seen) {
    let off = |seen: &Seen, kbps: u64| (seen.bandwidth / (kbps as f64 * 125.0) - 1.0).abs();
    let first = before.unwrap_or(last);
    let rate = case.change.map_or(case.links.kbps, |(_, kbps)| kbps);
    numbers.at_most("bandwidth", off(&last, rate), case.bandwidth[0]);
    numbers.at_most(
        "bandwidth before",
        off(&first, case.links.kbps),
        case.bandwidth[1],
    );
    numbers.at_most("loss", first.loss, case.loss);
    let cycles = first.phase.starts_with("probe_bw");
    let searches = case.may_search && first.phase == "probe_rtt";
    numbers.is_so("phase", cycles || searches);
    let rtt_us = 1e6 * case.links.rtt();
    numbers.at_most("srtt", last.state.srtt_us as f64 / rtt_us, case.srtt);
    let least = last.state.min_rtt_us as f64 / rtt_us;
    numbers.at_most("least round trip", (least - 1.0).abs(), case.min_rtt);
    let extra = first.state.model.expect("BBR's model").extra_acked;
    let extra = f64::from(extra) * PACKET as f64;
    numbers.at_most("extra acked, B", extra, case.extra_acked);
}

/// Limits that do not hold: Linux's window in Startup has room for three bursts more than quiche's, so that a few packets exceed the buffer
/// of two products; an even stream has an excess of two packets; ACKs that wait for 0.6 s need more room than Linux allows for them, 0.1 s.
const BROKEN: [(&str, &str); 15] = [
    ("bbr1/SimpleTransfer", "loss"),
    ("bbr1/SimpleTransfer", "srtt"),
    ("bbr3/BandwidthIncreaseB204", "extra acked, B"),
    ("bbr3/BandwidthIncreaseAggregation", MISSING),
    ("bbr3/BandwidthIncreaseAggregation", "bandwidth"),
    ("bbr3/BandwidthIncreaseB202Aggregation", MISSING),
    ("bbr3/BandwidthIncreaseB202Aggregation", "bandwidth"),
    ("bbr3/BandwidthIncreaseBBHIAggregation", MISSING),
    ("bbr3/BandwidthIncreaseBBHIAggregation", "bandwidth"),
    ("bbr3/BandwidthIncreaseBBHI_B202Aggregation", MISSING),
    ("bbr3/BandwidthIncreaseBBHI_B202Aggregation", "bandwidth"),
    ("bbr3/BandwidthIncreaseB204Aggregation", MISSING),
    ("bbr3/BandwidthIncreaseB204Aggregation", "bandwidth"),
    ("bbr3/BandwidthIncreaseBB2UandBBHIAggregation", MISSING),
    ("bbr3/BandwidthIncreaseBB2UandBBHIAggregation", "bandwidth"),
];
const MISSING: &str = "packets missing";

#[test]
fn transfers_keep_the_thresholds() {
    let all = CASES
        .iter()
        .flat_map(|case| (0..3).map(|seed| numbers(case, seed)));
    judge(all.collect(), &BROKEN);
}

/// Nothing is lost with a buffer larger by the bursts; at ten times the rate they hardly delay; lumps of two idle round trips leave room.
#[rustfmt::skip]
const EASED: [Case; 8] = [
    case("bbr1/SimpleTransfer", Links::D.with_buffer(2.25), 12, 30).loss(0.0).cycles(),
    case("bbr1/SimpleTransfer", Links::FAST, 12, 30).rtts(1.2, ANY).cycles(),
    eased("bbr3/BandwidthIncreaseAggregation", 2, [0.91, 0.6], 0.35),
    eased("bbr3/BandwidthIncreaseB202Aggregation", 2, [0.92, 0.8], 0.35),
    eased("bbr3/BandwidthIncreaseBBHIAggregation", 2, [0.9, 0.8], 0.35),
    eased("bbr3/BandwidthIncreaseBBHI_B202Aggregation", 2, [0.9, 0.8], 0.35),
    eased("bbr3/BandwidthIncreaseB204Aggregation", 2, [0.95, 0.6], 0.35).extra_acked(10_000.0),
    eased("bbr3/BandwidthIncreaseBB2UandBBHIAggregation", 5, [0.85, 0.8], 0.3),
];

const fn eased(name: &'static str, mib: u64, off: [f64; 2], loss: f64) -> Case {
    increase(name, mib, off, loss).with(Feature::Lumps(Span::from_ms(130)))
}

#[test]
fn broken_thresholds_hold_without_their_reasons() {
    let all = EASED
        .iter()
        .flat_map(|case| (0..3).map(|seed| numbers(case, seed)));
    judge(all.collect(), &[]);
}
