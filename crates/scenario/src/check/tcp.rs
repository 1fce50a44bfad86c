//! What is wrong with TCP traffic: what the configuration finds, at the keys that
//! say it, an application that has nothing to send, and a record of what is not TCP.

use std::collections::BTreeSet;

use pacesim_language::problem::{Faults, suggest};
use pacesim_tcp::{Amount, Pacing};
use pacesim_units::Bytes;

use super::packet_size;
use crate::language::{Scenario, TcpTraffic, Traffic};
use crate::resolve::Survey;
use pacesim_model::range::MOST_IN_TABLES;
use pacesim_model::{Load, Sizes, Tcp};

pub(crate) fn check(path: &str, traffic: &TcpTraffic, faults: &mut Faults) {
    let TcpTraffic { tcp, others } = traffic;
    connection(path, tcp, None, faults);
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

/// Complains of flows without a TCP sender, unless it is unclear what they send.
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

/// Which of its sizes.
type SizeOf = fn(&Tcp) -> Bytes;

/// Complains of a connection, but not of what the rest of the `group` has as well.
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
        // Three blocks and the rest of an ACK must fit the 32 bits of a size as well.
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
        load(path, &tcp.load, faults);
    }
}

/// The key that says what a field of the configuration holds.
fn key_of(field: &'static str) -> &'static str {
    match field {
        "window_cap" => "window",
        "max_sack_blocks" => "sack_blocks",
        "clock" => "tick",
        other => other,
    }
}

fn load(path: &str, load: &Load, faults: &mut Faults) {
    let nothing = "a transfer without data would never end";
    let help = "give at least \"1B\" or \"1pkt\", or leave it out for data without end";
    match load {
        Load::Once(Amount::Packets(0) | Amount::Bytes(Bytes(0))) => {
            faults.add(format!("{path}.transfer"), nothing).help(help);
        }
        Load::Scheduled(_) => {
            faults
                .add(
                    format!("{path}.transfers"),
                    "data at given times has no key in scenarios",
                )
                .help("write a model in code, or use transfers with pauses");
        }
        Load::Once(Amount::Bytes(bytes)) if bytes.0 > MOST_IN_TABLES => {
            let most = Bytes(MOST_IN_TABLES);
            faults
                .add(format!("{path}.transfer"), format!("{bytes} is too much"))
                .help(format!(
                    "give at most \"{most}\", or leave it out for data without end"
                ));
        }
        Load::Endless | Load::Once(_) => (),
        Load::Transfers { size, count, .. } => {
            let path = format!("{path}.transfers");
            match size {
                Sizes::Constant(Bytes(0)) => {
                    faults
                        .add(format!("{path}.size"), nothing)
                        .help("give at least \"1B\"");
                }
                Sizes::Constant(size) => packet_size_limit(&path, *size, faults),
                Sizes::Drawn(_) => (),
            }
            if *count == Some(0) {
                faults
                    .add(format!("{path}.count"), "no transfer at all")
                    .help("give at least 1, or leave it out for no end");
            }
        }
    }
}

/// Transfers one after another are drawn as 32 bits.
fn packet_size_limit(path: &str, size: Bytes, faults: &mut Faults) {
    if size.0 > u64::from(u32::MAX) {
        let most = Bytes(u64::from(u32::MAX));
        faults
            .add(format!("{path}.size"), format!("{size} is too large"))
            .help(format!(
                "give at most \"{most}\", or one transfer of that size"
            ));
    }
}
