//! Faults of TCP traffic: those found by the configuration, at the keys that cause them, and
//! recordings of TCP for flows other than TCP.

use std::collections::BTreeSet;

use pacesim_keys::{Over, OwnEnds, OwnTraffic, Scenario, TcpTraffic, Traffic};
use pacesim_language::problem::{Faults, suggest};
use pacesim_tcp::Pacing;
use pacesim_units::Bytes;

use super::packet_size;
use crate::jobs;
use crate::resolve::Survey;
use pacesim_model::Tcp;

pub(crate) fn check(path: &str, traffic: &TcpTraffic, faults: &mut Faults) {
    let TcpTraffic { tcp, others, .. } = traffic;
    connection(path, tcp, None, faults);
    if let Some(exchanges) = &traffic.exchanges
        && exchanges.are_closed()
        && tcp.config.header == Bytes::ZERO
    {
        faults
            .add(
                format!("{path}.exchanges.closes"),
                "a FIN is a packet of headers alone, and there are none",
            )
            .help("give header, or closes = \"never\"");
    }
    if let Some(job) = &traffic.job {
        jobs::sizes(path, job, tcp, faults);
    }
    if let Some(others) = others {
        let path = format!("{path}.others");
        if !(0.0..=1.0).contains(&others.share) {
            let message = format!("{} is not a share", others.share);
            faults
                .add(format!("{path}.share"), message)
                .help("give a number from 0 to 1");
        }
        connection(&path, &others.tcp, Some(tcp), faults);
    }
}

/// Reports a transport of the program's own that refuses its keys or the size of its packets.
pub(crate) fn ends_open(path: &str, traffic: &Traffic, faults: &mut Faults) {
    let ends: &OwnEnds = match traffic {
        Traffic::Own(OwnTraffic::Ends(ends)) => ends,
        Traffic::Own(OwnTraffic::Dialogue(dialogue)) => match &dialogue.over {
            Over::Ends(ends) => ends,
            Over::Tcp(_) => return,
        },
        _ => return,
    };
    if let Some(reason) = ends.refusal() {
        faults
            .add(path, format!("its ends cannot be opened: {reason}"))
            .help("give its keys or packet_size other values");
    }
}

/// Reports an ECN field for connections whose ends have not agreed on it.
pub(crate) fn field(path: &str, traffic: &TcpTraffic, faults: &mut Faults) {
    let others = traffic.others.as_ref().map(|others| &others.tcp);
    let mut all = std::iter::once(&traffic.tcp).chain(others);
    if !all.any(|tcp| tcp.config.linux.ecn) {
        faults
            .add(
                path,
                "the ends of its TCP connections have not agreed on ECN",
            )
            .help("give its traffic ecn = true (profile \"linux\"), or leave the field out");
    }
}

/// Reports flows without a TCP sender, unless their traffic is unclear.
pub(crate) fn output(survey: &Survey, scenario: &Scenario, known: &Faults, faults: &mut Faults) {
    let Some(output) = &scenario.output.tcp else {
        return;
    };
    survey.flows(&output.flows, "output.tcp.flows", faults);
    let (mut tcp, mut others) = (vec![], BTreeSet::new());
    for (i, flow) in scenario.flows.iter().enumerate() {
        match flow.traffic {
            _ if known.touch(&format!("flow[{i}].traffic")) => {}
            Traffic::Tcp(_) => tcp.push(flow.name.as_str()),
            _ => _ = others.insert(flow.name.as_str()),
        }
    }
    for (i, reference) in output.flows.iter().enumerate() {
        if others.contains(reference.group.as_str()) && !faults.is_full() {
            let message = format!("\"{reference}\" is not TCP and has no sender to record");
            let help = suggest(&reference.group, tcp.iter().copied());
            faults
                .add(format!("output.tcp.flows[{i}]"), message)
                .help(help);
        }
    }
}

/// A function that selects one of a connection's sizes.
type SizeOf = fn(&Tcp) -> Bytes;

/// Reports faults of a connection, except those that the rest of the `group` has as well.
fn connection(path: &str, tcp: &Tcp, group: Option<&Tcp>, faults: &mut Faults) {
    let known = group.map_or_else(Vec::new, |group| group.config.validate());
    for problem in tcp.config.validate() {
        if !known.contains(&problem) {
            let key = key_of(problem.field);
            faults
                .add(format!("{path}.{key}"), problem.message)
                .help(problem.help);
        }
    }
    let differs = |of: SizeOf| group.is_none_or(|group| of(group) != of(tcp));
    let sizes: [(&str, SizeOf); 3] = [
        ("header", |tcp| tcp.config.header),
        ("syn_size", |tcp| tcp.config.syn_size),
        ("sack_block_size", |tcp| tcp.config.sack_block_size),
    ];
    for (key, size) in sizes {
        // Three blocks and the rest of an ACK must together fit the 32 bits of a size.
        if size(tcp).0 > u64::from(u32::MAX / 8) && differs(size) {
            packet_size(&format!("{path}.{key}"), Bytes(u64::MAX), faults);
        }
    }
    if tcp.config.pacing == Pacing::Controller {
        let message = "none of the variants has a rate of its own";
        faults
            .add(format!("{path}.pacing"), message)
            .help("give another pacing");
    }
    if group.is_none_or(|group| group.load != tcp.load) {
        super::transfers::load(path, &tcp.load, faults);
    }
}

/// The key of a field of the configuration.
fn key_of(field: &'static str) -> &'static str {
    match field {
        "window_cap" => "window",
        "max_sack_blocks" => "sack_blocks",
        "clock" => "tick",
        other => other,
    }
}
