//! Flows of NDP whose packets a port drops, since it does not cut them, or whose answers it takes for data.

use std::collections::BTreeSet;

use pacesim_keys::{NdpTraffic, Traffic, WarningName};
use pacesim_language::problem::Faults;
use pacesim_model::{Link, PortQueue};
use pacesim_units::LinkId;

use super::{View, listed};
use crate::check::warn::Warn as _;

/// Warns of both. The first of several paths stands for all.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    for (i, flows) in view.flows_of_entries() {
        let group = &view.scenario.flows[i];
        let Traffic::Ndp(ndp) = &group.traffic else {
            continue;
        };
        let there = &view.paths.there[flows.clone()];
        // The card of a host has no more packets in its port than the line sends.
        let links = there.iter().flat_map(|path| path.iter().skip(1));
        let plain = names(view, links, |link| !trims(link));
        if !plain.is_empty() {
            let message = format!(
                "NDP sends its first window at the rate of the line, and {} drops packets in place of their payloads",
                listed_names(&plain)
            );
            let help = "give the links discipline = { kind = \"trim\" } and buffer = \"8pkts\", also in back";
            let path = format!("flow[{i}].traffic.kind");
            faults.warn(WarningName::NoTrims, path, message).help(help);
        }
        let back = view.paths.back[flows].iter().flatten();
        let both = there.iter().flatten().chain(back);
        answers_as_data(
            i,
            ndp,
            &names(view, both, |link| takes_as_data(ndp, link)),
            faults,
        );
    }
}

fn answers_as_data(i: usize, ndp: &NdpTraffic, at: &BTreeSet<String>, faults: &mut Faults) {
    if at.is_empty() {
        return;
    }
    let message = format!(
        "answers of {} are larger than a header of {}, wait behind data there, and are dropped",
        ndp.answer(),
        listed_names(at)
    );
    let help = "give ack_size = \"64B\", or the queues a larger header";
    let path = format!("flow[{i}].traffic.ack_size");
    faults.warn(WarningName::NoTrims, path, message).help(help);
}

/// The names of those of these links.
fn names<'l>(
    view: &View<'_>,
    links: impl Iterator<Item = &'l LinkId>,
    are: impl Fn(&Link) -> bool,
) -> BTreeSet<String> {
    let links: BTreeSet<&LinkId> = links.collect();
    let links = links
        .into_iter()
        .map(|link| &view.model.links[link.index()]);
    links
        .filter(|link| are(link))
        .map(|link| link.name.to_string())
        .collect()
}

fn listed_names(names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    listed(&names)
}

fn trims(link: &Link) -> bool {
    matches!(link.extras.queue, Some(PortQueue::Trim(_)))
}

fn takes_as_data(ndp: &NdpTraffic, link: &Link) -> bool {
    match &link.extras.queue {
        Some(PortQueue::Trim(trim)) => ndp.answer().get() > u64::from(trim.header),
        _ => false,
    }
}
