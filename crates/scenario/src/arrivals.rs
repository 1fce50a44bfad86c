//! Transfers that arrive for a whole group of flows: their rate, and each flow's share.

use pacesim_keys::{Arrivals, PACKETS, Pace, Scenario, Traffic, Unit};
use pacesim_model::range::{DELAY, SIZE};
use pacesim_model::{
    Carrier, Distribution, Link, Load, Pause, PauseFrom, Schedule, Sizes, Tcp, TransferSizes,
    Transfers,
};
use pacesim_tcp::{Amount, Profile};
use pacesim_units::{LinkId, Rate, Span};

use crate::pieces::pieces;
use crate::resolve::Plan;

/// The mean time between transfers of the whole group, in picoseconds. A load refers to a link of
/// this rate.
pub(crate) fn mean_gap_ps(pace: &Pace, tcp: &Tcp, line: Option<Rate>) -> f64 {
    let ps = match (pace.every, pace.load, line) {
        (Some(every), _, _) => every.as_ps() as f64,
        (None, Some(load), Some(line)) => {
            let bits = mean_wire_bytes(tcp) * 8.0;
            bits / (load * line.as_bps() as f64) * 1e12
        }
        // This happens only while a scenario is being checked; the check reports the missing part.
        _ => 1e12,
    };
    ps.clamp(1.0, DELAY.most.to_number())
}

/// The loads of the members of a group of `count` flows.
pub(crate) fn of_members(
    arrivals: &Arrivals,
    tcp: &Tcp,
    line: Option<Rate>,
    count: usize,
) -> Vec<Load> {
    let Load::Transfers(transfers) = &tcp.load else {
        return vec![tcp.load.clone(); count];
    };
    let gap = |pace| mean_gap_ps(pace, tcp, line);
    let exponential = |pace| {
        Pause::Drawn(Distribution::Exponential {
            mean: gap(pace) * count as f64,
        })
    };
    let member = |i: usize| match arrivals {
        Arrivals::Poisson(pace) => {
            let pause = [exponential(pace), exponential(pace)];
            spaced(transfers, pause, PauseFrom::Start).into()
        }
        // The rest of a thinking time of users who have always been there has the same law.
        Arrivals::Users(pace) => {
            let pause = [exponential(pace), exponential(pace)];
            spaced(transfers, pause, PauseFrom::LastAck).into()
        }
        Arrivals::Periodic(pace) => {
            let span = |turns: usize| Pause::Constant(DELAY.nearest(gap(pace) * turns as f64));
            spaced(transfers, [span(i), span(count)], PauseFrom::Start).into()
        }
        Arrivals::Recorded(recorded) => {
            let recording = &recorded.file.recording.arrivals;
            let own = recording.iter().skip(i).step_by(count);
            Load::Scheduled(Schedule {
                list: own.map(|row| (row.at, Amount::Bytes(row.size))).collect(),
                connection: transfers.connection,
                recording: Some(Box::new(recording.clone())),
            })
        }
    };
    (0..count).map(member).collect()
}

fn spaced(transfers: &Transfers, [first, pause]: [Pause; 2], pause_from: PauseFrom) -> Transfers {
    Transfers {
        first,
        pause,
        pause_from,
        ..transfers.clone()
    }
}

/// Mean bytes of a transfer on the wire, without retransmissions and ACKs.
pub(crate) fn mean_wire_bytes(tcp: &Tcp) -> f64 {
    let Load::Transfers(transfers) = &tcp.load else {
        return 0.0;
    };
    let config = &tcp.config;
    let payload = config.payload.0;
    let (bytes, packets) = match &transfers.size {
        TransferSizes::Packets(n) => (f64::from(*n) * payload as f64, f64::from(*n)),
        TransferSizes::DrawnPackets(distribution) => {
            let packets = pieces(distribution, 1, PACKETS.most.to_number());
            (packets * payload as f64, packets)
        }
        TransferSizes::Bytes(Sizes::Constant(size)) => {
            (size.0 as f64, size.0.div_ceil(payload.max(1)) as f64)
        }
        TransferSizes::Bytes(Sizes::Drawn(distribution)) => {
            let most = SIZE.most.to_number();
            let packets = pieces(distribution, payload, most);
            (pieces(distribution, 1, most), packets)
        }
    };
    let bytes = match config.profile {
        Profile::Ns2 => packets * payload as f64,
        Profile::Rfc | Profile::Linux => bytes,
    };
    let syn = match transfers.connection {
        Carrier::New if config.syn => config.syn_size.0 as f64,
        _ => 0.0,
    };
    bytes + packets * config.header.0 as f64 + syn
}

/// Transfers that arrive for a group, or for the others in it.
pub(crate) struct Flood<'s> {
    /// The key.
    pub(crate) path: String,
    /// The place of the group.
    pub(crate) group: usize,
    pub(crate) pace: &'s Pace,
    /// True for users, who wait for their transfers.
    pub(crate) waits: bool,
    /// The link to which the load refers, if it was given so.
    pub(crate) link: Option<LinkId>,
    gap_ps: f64,
    wire_bytes: f64,
}

/// All such transfers of a scenario except those from files.
pub(crate) fn floods<'s>(scenario: &'s Scenario, plan: &Plan, links: &[Link]) -> Vec<Flood<'s>> {
    let mut all = Vec::new();
    for (group, flow) in scenario.flows.iter().enumerate() {
        let Traffic::Tcp(traffic) = &flow.traffic else {
            continue;
        };
        let others = traffic.others.as_ref();
        let of_others = others.map(|others| ("others.", &others.tcp, others.arrivals.as_ref()));
        let of_group = ("", &traffic.tcp, traffic.arrivals.as_ref());
        let loaded = plan.loaded[group].into_iter();
        for ((within, tcp, arrivals), link) in [Some(of_group), of_others]
            .into_iter()
            .flatten()
            .zip(loaded)
        {
            let Some(pace) = arrivals.and_then(Arrivals::pace) else {
                continue;
            };
            let waits = matches!(arrivals, Some(Arrivals::Users(_)));
            let line = link.map(|link| links[link.index()].rate);
            all.push(Flood {
                path: format!("flow[{group}].traffic.{within}transfers.arrivals"),
                group,
                pace,
                waits,
                link,
                gap_ps: mean_gap_ps(pace, tcp, line),
                wire_bytes: mean_wire_bytes(tcp),
            });
        }
    }
    all
}

impl Flood<'_> {
    /// The description for a sentence.
    pub(crate) fn in_words(&self) -> String {
        let rate = self.wire_bytes * 8.0 / self.gap_ps * 1e6;
        let limit = match self.waits {
            true => " if they take no time",
            false => "",
        };
        format!(
            "a transfer every {} over the group, {:.1} B on the wire each: {rate:.3} Mbps are offered{limit}",
            Span::from_number(self.gap_ps),
            self.wire_bytes
        )
    }
}
