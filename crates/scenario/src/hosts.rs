//! Hosts: the nodes that are some, and the properties that their links get.

use pacesim_keys::{Host, HostKeys, HostQueue, Scenario, StallKeys, Value};
use pacesim_language::names::Reference;
use pacesim_language::problem::Faults;
use pacesim_model::host::{HostArrivals, HostSends, HostStalls, Lumps};
use pacesim_model::{Buffer, Distribution, Flow, Link, Model, PortQueue, Ties, Traffic};
use pacesim_queues::FqConfig;
use pacesim_tcp::Profile;
use pacesim_units::{Bytes, LinkId, NodeId, Rate, Span};

use crate::resolve::Plan;

/// The longest time that the host "linux" takes for a packet, and the packet whose
/// transmission time limits it on lines above 1 Gbps: the least noise that ends ties and phases in
/// all cases of `crates/sim/tests/hosts.rs` (docs/models/phases.md has the search).
const NOISE: Span = Span::from_us(12);
const NOISE_PACKET: Bytes = Bytes(1500);

/// Gives the links of hosts their properties, and ties their order.
pub(crate) fn place(scenario: &Scenario, plan: &Plan, model: &mut Model) {
    let sites = sites(model);
    let own = own_hosts(scenario, plan, model.nodes.len());
    for (site, own) in sites.iter().zip(own) {
        if !site.is_host() {
            continue;
        }
        let host = own.or(scenario.host.as_ref());
        let host = host.unwrap_or_else(|| site.host_by_default());
        if let Some(link) = site.out {
            equip(&mut model.links[link.index()], host);
        }
        if let Some(link) = site.back {
            let extras = &mut model.links[link.index()].extras;
            if let Some(arrivals) = arrivals(host) {
                extras.host_arrivals = Some(arrivals);
            }
        }
    }
    model.ties = scenario.run.ties.unwrap_or_else(|| ties(&model.flows));
}

/// A node, as a place for a host.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Site {
    /// Numbers of links from and to it.
    links: [usize; 2],
    /// The last of each.
    pub(crate) out: Option<LinkId>,
    pub(crate) back: Option<LinkId>,
    /// True if packets of a flow arrive here: data, or answers to TCP.
    pub(crate) receives: bool,
    ends_flows: bool,
    /// True if TCP of profile "linux" begins or ends here, and if TCP of another profile does.
    has_linux: bool,
    has_exact: bool,
}

impl Site {
    /// True if flows begin or end here, and no packet of others passes.
    pub(crate) fn is_host(&self) -> bool {
        self.ends_flows && self.is_leaf()
    }

    /// The host of which nothing is said: that of its TCP, of which ns-2's and the RFCs' are exact.
    fn host_by_default(&self) -> &'static Host {
        if self.has_linux && !self.has_exact {
            &Host::Noisy
        } else {
            &Host::Ideal
        }
    }

    /// True if it has one link, maybe in both directions.
    pub(crate) fn is_leaf(&self) -> bool {
        self.links[0] <= 1 && self.links[1] <= 1
    }

    /// The number of links in the direction with more of them.
    pub(crate) fn degree(&self) -> usize {
        self.links[0].max(self.links[1])
    }
}

/// All nodes, as places for hosts.
pub(crate) fn sites(model: &Model) -> Vec<Site> {
    let mut sites = vec![Site::default(); model.nodes.len()];
    for (id, link) in (0..).map(LinkId).zip(&model.links) {
        let from = &mut sites[link.from.index()];
        from.links[0] += 1;
        from.out = Some(id);
        let to = &mut sites[link.to.index()];
        to.links[1] += 1;
        to.back = Some(id);
    }
    for flow in &model.flows {
        let profile = profile(flow);
        for node in [flow.from, flow.to] {
            let site = &mut sites[node.index()];
            site.ends_flows = true;
            site.receives |= node == flow.to || profile.is_some();
            site.has_linux |= profile == Some(Profile::Linux);
            site.has_exact |= matches!(profile, Some(Profile::Ns2 | Profile::Rfc));
        }
    }
    sites
}

fn profile(flow: &Flow) -> Option<Profile> {
    match &flow.traffic {
        Traffic::Tcp(tcp) => Some(tcp.config.profile),
        _ => None,
    }
}

/// The host that [[node]] gives to each node.
fn own_hosts<'s>(scenario: &'s Scenario, plan: &Plan, nodes: usize) -> Vec<Option<&'s Host>> {
    let mut own = vec![None; nodes];
    for (i, group) in scenario.nodes.iter().enumerate() {
        if let Some(host) = &group.host {
            for node in members(plan, scenario, i) {
                own[node.index()] = Some(host);
            }
        }
    }
    own
}

/// The nodes of an entry of [[node]].
pub(crate) fn members(plan: &Plan, scenario: &Scenario, entry: usize) -> Vec<NodeId> {
    let name = Reference::from(scenario.nodes[entry].name.as_str());
    let known = plan
        .network
        .nodes
        .resolve(&name, "", &mut Faults::default());
    known.into_iter().flatten().map(NodeId).collect()
}

/// Gives the link of a host its time to send and its queue.
fn equip(link: &mut Link, host: &Host) {
    match host {
        Host::Ideal => {}
        Host::Noisy => link.extras.host_sends = Some(sends(&HostKeys::NONE, link.rate)),
        Host::Made(keys) => {
            link.extras.host_sends = Some(sends(keys, link.rate));
            own_queue(link, keys.qdisc);
        }
    }
}

fn sends(keys: &HostKeys, line: Rate) -> HostSends {
    let time = |given: &Option<Value<Span>>| match given {
        Some(given) => distribution(given),
        None => noise(line),
    };
    HostSends {
        data: time(&keys.send),
        answers: time(&keys.answer),
        stalls: keys.stalls.as_ref().map(stalls),
    }
}

/// The noise of the host "linux" at a line of this rate.
fn noise(line: Rate) -> Distribution {
    let packet = line.transmission_time(NOISE_PACKET);
    let high = packet.map_or(NOISE, |packet| packet.min(NOISE)).as_ps() as f64;
    Distribution::Uniform { low: 0.0, high }
}

fn stalls(keys: &StallKeys) -> HostStalls {
    HostStalls {
        every: keys.every,
        length: distribution(&keys.length),
    }
}

fn arrivals(host: &Host) -> Option<HostArrivals> {
    let Host::Made(keys) = host else { return None };
    let lumps = keys.lumps.map(|lumps| Lumps {
        every: lumps.every,
        most: lumps.most,
    });
    let stalls = keys.stalls.as_ref().map(stalls);
    (lumps.is_some() || stalls.is_some()).then_some(HostArrivals { lumps, stalls })
}

/// The host's own queue in place of the one that its link would have.
fn own_queue(link: &mut Link, queue: HostQueue) {
    if queue == HostQueue::Link {
        return;
    }
    link.buffer = Buffer::UNLIMITED;
    link.extras.mark = None;
    link.extras.queue = (queue == HostQueue::Fq).then(|| {
        PortQueue::Fq(FqConfig {
            flow_limit: usize::MAX,
            ..FqConfig::default()
        })
    });
}

/// A time as a distribution, also if it is constant.
pub(crate) fn distribution(time: &Value<Span>) -> Distribution {
    match time {
        Value::Drawn(distribution) => distribution.clone(),
        Value::Constant(always) => {
            let both = always.as_ps() as f64;
            Distribution::Uniform {
                low: both,
                high: both,
            }
        }
    }
}

/// Ties are drawn unless a flow is exact to ns-2, whose ties go by number.
fn ties(flows: &[Flow]) -> Ties {
    let is_exact = |flow: &Flow| matches!(profile(flow), Some(Profile::Ns2 | Profile::Rfc));
    match flows.iter().any(is_exact) {
        true => Ties::ByNumber,
        false => Ties::Drawn,
    }
}
