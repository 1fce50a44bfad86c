//! Thresholds of quiche's simulator tests of BBR (google/quiche at f44fa9f, `bbr_sender_test.cc` and `bbr3_simulator_test.cc`) for Linux's
//! BBR: those of one flow over a plain link, a change of its rate, or a policer, with options that change nothing here.
//!
//! Packets are 1500 B where quiche's are 1350 B at most, the first window is 10 packets where its version 1 has 32, and each packet is acknowledged.
//! Paths, limits and names of the cases are as there, but the link before the bottleneck is only a delay.
//!
//! Left out is the smoothed round trip of bbr1/SimpleTransfer, at most 1.2 of an idle path's: here it ends at 1.27.

#[path = "path/mod.rs"]
mod path;

use pacesim_tcp::{Amount, Control, LinuxState, Model, Sender};
use pacesim_units::{Bytes, Rate, Span, Time};
use path::{Part, Path, Watch};

/// Bottleneck in kbit/s, and the limit on waiting packets: two bandwidth-delay products, or half of
/// one.
const D: (u64, u32) = (4000, 48);
const D_HALF: (u64, u32) = (4000, 12);
const W: (u64, u32) = (10_000, 113);
const U: (u64, u32) = (100, 5);
/// The delays of both directions, 32 ms each.
const DELAYS: Span = Span::from_ms(64);

const MIB: u32 = 1_048_576;

/// A case: thresholds that are not stated are infinite.
struct Case {
    name: &'static str,
    control: Control,
    net: (u64, u32),
    /// Another rate, in kbit/s from some seconds on.
    change: Option<(u64, u64)>,
    policed: bool,
    mib: u32,
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
    startup: [f64; 2],
}

const ANY: f64 = f64::INFINITY;

const PLAIN: Case = Case {
    name: "",
    control: Control::Bbr3,
    net: D,
    change: None,
    policed: false,
    mib: 12,
    limit: 30,
    bandwidth: [ANY; 2],
    loss: ANY,
    srtt: ANY,
    min_rtt: ANY,
    startup: [0.0, ANY],
};

const CASES: [Case; 11] = [
    Case {
        name: "bbr3/SimpleTransferBBQ1",
        limit: 35,
        bandwidth: [0.01, ANY],
        loss: 0.05,
        srtt: 4.0,
        min_rtt: 0.2,
        ..PLAIN
    },
    Case {
        name: "bbr3/SimpleTransferAckDecimation",
        limit: 35,
        bandwidth: [0.01, ANY],
        loss: 0.001,
        srtt: 3.0,
        min_rtt: 0.1,
        ..PLAIN
    },
    Case {
        name: "bbr3/SimpleTransferSmallBuffer",
        net: D_HALF,
        bandwidth: [0.02, ANY],
        ..PLAIN
    },
    Case {
        name: "bbr3/BandwidthDecrease",
        net: W,
        change: Some((10, 100)),
        mib: 20,
        limit: 810,
        bandwidth: [ANY, 0.1],
        loss: 0.0,
        ..PLAIN
    },
    Case {
        name: "bbr3/BandwidthIncrease",
        net: U,
        change: Some((15, 10_000)),
        mib: 10,
        limit: 65,
        bandwidth: [0.02, 0.1],
        loss: 0.3,
        ..PLAIN
    },
    Case {
        name: "bbr3/SenderPoliced",
        policed: true,
        mib: 3,
        loss: 0.3,
        ..PLAIN
    },
    Case {
        name: "bbr3/StartupStats",
        mib: 1,
        limit: 15,
        bandwidth: [0.02, ANY],
        startup: [500.0, 1500.0],
        ..PLAIN
    },
    Case {
        name: "bbr1/SimpleTransfer",
        control: Control::Bbr,
        loss: 0.0,
        ..PLAIN
    },
    Case {
        name: "bbr1/SimpleTransferSmallBuffer",
        control: Control::Bbr,
        net: D_HALF,
        bandwidth: [0.01, ANY],
        min_rtt: 0.2,
        ..PLAIN
    },
    Case {
        name: "bbr1/PacketLossOnSmallBufferStartup",
        control: Control::Bbr,
        net: D_HALF,
        mib: 1,
        limit: 15,
        bandwidth: [0.02, ANY],
        loss: 0.31,
        ..PLAIN
    },
    Case {
        name: "bbr1/StartupStats",
        control: Control::Bbr,
        mib: 1,
        limit: 15,
        bandwidth: [0.02, ANY],
        startup: [500.0, 1500.0],
        ..PLAIN
    },
];

/// The state at a time and at the end, losses until that time, and the end of startup.
#[derive(Default)]
struct Seen {
    until: Option<Time>,
    before: Option<LinuxState>,
    lost: u32,
    last: Option<LinuxState>,
    startup_ms: Option<f64>,
}

fn model(state: &LinuxState) -> Model {
    state.model.expect("BBR's model")
}

impl Watch for Seen {
    fn event(&mut self, now: Time, sender: &Sender, path: &Path) {
        let state = sender.linux_state().expect("Linux's profile");
        if self.until.is_none_or(|until| now <= until) {
            (self.before, self.lost) = (Some(state), path.dropped);
        }
        let is_over = state
            .model
            .is_some_and(|model| model.phase_name != "startup");
        if is_over && self.startup_ms.is_none() {
            self.startup_ms = Some(1e3 * now.as_secs_f64());
        }
        self.last = Some(state);
    }
}

fn after(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// The thresholds that a case breaks.
fn broken(case: &Case) -> Vec<String> {
    let (kbps, buffer) = case.net;
    let rate = |kbps: u64| Rate::from_bps(1000 * kbps).expect("above zero");
    let packets = case.mib * MIB / 1448;
    // One more packet, later than all that is looked at.
    let later = (after(case.limit + 1), Amount::Packets(1));
    let data = vec![(Time::ZERO, Amount::Packets(packets)), later];
    let mut path = Path::new(rate(kbps), DELAYS, buffer as usize).with(Part::Data(data));
    if let Some((at, kbps)) = case.change {
        path = path.with(Part::NewRate(after(at), rate(kbps)));
    }
    if case.policed {
        path = path.with(Part::Policer(Rate::from_mbps(1), Bytes(100_000)));
    }
    let mut seen = Seen {
        until: case.change.map(|(at, _)| after(at)),
        ..Seen::default()
    };
    let delivered = path::run(
        case.control.clone(),
        1,
        &mut path,
        after(case.limit),
        &mut seen,
    );
    let numbers = numbers(case, &seen, packets - delivered.min(packets));
    let breaks = numbers.into_iter().filter(|(_, is, most)| is > most);
    breaks
        .map(|(what, is, most)| format!("{}: {what} {is:.4}, at most {most}", case.name))
        .collect()
}

/// Numbers with their names, and their upper limits.
fn numbers(case: &Case, seen: &Seen, missing: u32) -> [(&'static str, f64, f64); 8] {
    let (kbps, _) = case.net;
    let (before, last) = (seen.before.expect("events"), seen.last.expect("events"));
    let payload = |kbps: u64| kbps as f64 * 125.0 * 1448.0 / 1500.0;
    let off = |state: &LinuxState, kbps: u64| {
        let model = model(state);
        model.bandwidth.max(model.bandwidth_hi) as f64 / payload(kbps) - 1.0
    };
    let rtt_us = 64_000.0 + 2.0 * 12_000_000.0 / kbps as f64;
    let sent = f64::from(before.delivered + seen.lost);
    [
        ("packets missing", f64::from(missing), 0.0),
        (
            "bandwidth",
            off(&last, case.change.map_or(kbps, |(_, kbps)| kbps)).abs(),
            case.bandwidth[0],
        ),
        (
            "bandwidth before",
            off(&before, kbps).abs(),
            case.bandwidth[1],
        ),
        ("loss", f64::from(seen.lost) / sent, case.loss),
        ("srtt", last.srtt_us as f64 / rtt_us, case.srtt),
        (
            "least round trip",
            (last.min_rtt_us as f64 / rtt_us - 1.0).abs(),
            case.min_rtt,
        ),
        (
            "startup, ms",
            seen.startup_ms.unwrap_or(ANY),
            case.startup[1],
        ),
        (
            "startup, ms, less",
            -seen.startup_ms.unwrap_or(ANY),
            -case.startup[0],
        ),
    ]
}

#[test]
fn thresholds_of_quiche_hold() {
    let broken: Vec<String> = CASES.iter().flat_map(broken).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}
