//! Conditions of `[live]` and of flows that are live.

use std::collections::BTreeMap;

use pacesim_keys::{FlowGroup, Live, Scenario, Traffic};
use pacesim_language::problem::{Faults, suggest};
use pacesim_model::Load;
use pacesim_tcp::Profile;
use pacesim_units::Bytes;

use crate::resolve::Survey;

/// The sizes of datagrams that hosts send: from the headers and a number to a full packet.
const DATAGRAMS: std::ops::RangeInclusive<Bytes> = Bytes(36)..=Bytes(1500);

pub(super) fn check(survey: &Survey, scenario: &Scenario, known: &Faults, faults: &mut Faults) {
    for (i, flow) in scenario
        .flows
        .iter()
        .enumerate()
        .filter(|(_, flow)| flow.live)
    {
        let path = format!("flow[{i}]");
        if known.touch(&format!("{path}.traffic")) {
            continue;
        }
        if let Some((message, help)) = refusal(flow) {
            faults.add(format!("{path}.live"), message).help(help);
        }
    }
    for (i, group) in scenario.fec.iter().enumerate() {
        if group.adaptive.is_some() && is_live(scenario) {
            let message = "its reports are simulated packets, which real coders do not see";
            let help = "give a block of a fixed size, or leave live out";
            faults.add(format!("fec[{i}].adaptive"), message).help(help);
        }
    }
    if let Some(live) = &scenario.live {
        hosts(live, survey, faults);
        commands(live, faults);
        if let Err(message) = live.late() {
            let help = "write a share of the drain time, \"50%\", or a time, \"2ms\"";
            faults.add("live.late", message).help(help);
        }
    }
}

/// True if a part of the scenario is live.
fn is_live(scenario: &Scenario) -> bool {
    let mut flows = scenario.flows.iter();
    scenario.live.is_some() || flows.any(|flow| flow.live)
}

/// The reason why no kernel sends a flow, and a remedy.
fn refusal(flow: &FlowGroup) -> Option<(String, &'static str)> {
    let refused = |message: &str, help| Some((message.to_owned(), help));
    match &flow.traffic {
        Traffic::Cbr { size, .. } if DATAGRAMS.contains(size) => None,
        Traffic::Cbr { size, .. } => {
            let message = format!("a host does not send datagrams of {size}");
            Some((message, "give a size of 36B to 1500B"))
        }
        Traffic::Tcp(traffic) => {
            let config = &traffic.tcp.config;
            if config.profile != Profile::Linux {
                let message = "the kernel's TCP is Linux's";
                return refused(message, "give its traffic profile = \"linux\"");
            }
            if traffic.others.is_some() {
                let message = "its members differ, and the kernel's are all alike";
                return refused(message, "leave others out, or make two groups of them");
            }
            if traffic.job.is_some() || traffic.exchanges.is_some() {
                let message =
                    "the program's own hosts send data without end, one amount, or transfers";
                return refused(message, "write transfers, or give [live] commands");
            }
            match &traffic.tcp.load {
                Load::Exchange(_) | Load::Tasks(_) | Load::Messages(_) => {
                    refused("no host sends this load", "write transfers")
                }
                _ => None,
            }
        }
        _ => refused(
            "only traffic of kind tcp and cbr has a counterpart in the kernel",
            "give it one of these kinds, or leave live out",
        ),
    }
}

fn hosts(live: &Live, survey: &Survey, faults: &mut Faults) {
    let mut taken: BTreeMap<u32, &str> = BTreeMap::new();
    for (name, reference) in &live.hosts {
        let path = format!("live.hosts.{name}");
        let Some(range) = survey.network.nodes.resolve(reference, &path, faults) else {
            continue;
        };
        if range.len() != 1 {
            let message = format!("\"{reference}\" are {} nodes", range.len());
            let help = format!("name one of them, \"{}[0]\"", reference.group);
            faults.add(path, message).help(help);
            continue;
        }
        if let Some(other) = taken.insert(range.start, name) {
            let message = format!("the host \"{other}\" stands at this node");
            faults.add(path, message).help("give another node");
        }
    }
    if live.hosts.len() == 1 {
        let message = "one host has no other to send to";
        faults.add("live.hosts", message).help("name a second one");
    }
}

fn commands(live: &Live, faults: &mut Faults) {
    let names: Vec<&str> = live.hosts.iter().map(|(name, _)| name.as_str()).collect();
    for (host, command) in &live.commands {
        let path = format!("live.commands.{host}");
        if command.trim().is_empty() {
            let message = "an empty command";
            faults.add(path, message).help("give one, or leave it out");
        } else if !names.contains(&host.as_str()) {
            let message = format!("there is no host \"{host}\"");
            let help = suggest(host, names.iter().copied());
            faults.add(path, message).help(help);
        }
    }
}
