//! The nodes and links of fabrics of data centres.

use pacesim_keys::{LinkSpec, Topology};

use super::super::drafts::{Ends, LinkDraft, NodeParts, RuledEnds};
use super::{Parts, draft, many};

/// The parts of a leaf-spine fabric or of a fat tree.
pub(super) fn parts(topology: &Topology) -> Parts<'_> {
    match topology {
        Topology::LeafSpine {
            leaves,
            spines,
            hosts,
            parallel,
            access,
            uplink,
        } => leaf_spine([*leaves, *spines, *hosts, *parallel], access, uplink),
        Topology::FatTree {
            k,
            tiers,
            oversubscription,
            access,
            link,
            core,
        } => {
            let link = link.as_ref().unwrap_or(access);
            let sizes = Sizes {
                half: u64::from(*k) / 2,
                hosts: u64::from(*k) / 2 * u64::from(*oversubscription),
            };
            let specs = [access, link, core.as_ref().unwrap_or(link)];
            match tiers {
                2 => two_tiers(&sizes, specs),
                _ => three_tiers(&sizes, specs),
            }
        }
        _ => unreachable!("other shapes are no fabrics"),
    }
}

fn leaf_spine<'s>(
    [leaves, spines, hosts, parallel]: [u32; 4],
    access: &'s LinkSpec,
    uplink: &'s LinkSpec,
) -> Parts<'s> {
    let nodes = vec![
        many("host", u64::from(leaves) * u64::from(hosts), "hosts"),
        many("leaf", leaves, "leaves"),
        many("spine", spines, "spines"),
    ];
    let pairs = u64::from(leaves) * u64::from(spines);
    let up = move |i: u32| {
        let pair = i / parallel;
        (pair / spines, pair % spines)
    };
    let links = vec![
        hosts_at("leaf", u64::from(leaves), u64::from(hosts), access),
        ruled(
            ("uplink", "uplink"),
            ["leaf", "spine"],
            pairs.saturating_mul(parallel.into()),
            up,
            uplink,
        ),
    ];
    (nodes, links)
}

/// The sizes of a fat tree: half the ports of a switch, and the hosts at an edge switch.
struct Sizes {
    half: u64,
    hosts: u64,
}

fn two_tiers<'s>(sizes: &Sizes, [access, link, _]: [&'s LinkSpec; 3]) -> Parts<'s> {
    let (edges, cores) = (2 * sizes.half, sizes.half);
    let nodes = vec![
        many("host", edges * sizes.hosts, "k"),
        many("edge", edges, "k"),
        many("core", cores, "k"),
    ];
    let half = sizes.half as u32;
    let links = vec![
        hosts_at("edge", edges, sizes.hosts, access),
        ruled(
            ("edge_up", "link"),
            ["edge", "core"],
            edges * cores,
            move |i| (i / half, i % half),
            link,
        ),
    ];
    (nodes, links)
}

fn three_tiers<'s>(sizes: &Sizes, [access, link, core]: [&'s LinkSpec; 3]) -> Parts<'s> {
    let half = sizes.half as u32;
    let of_tier = 2 * sizes.half * sizes.half;
    let in_pods = |name| {
        let mut draft = many(name, of_tier, "k");
        draft.parts = Some(NodeParts {
            prefix: "pod",
            size: half,
        });
        draft
    };
    let nodes = vec![
        many("host", of_tier * sizes.hosts, "k"),
        in_pods("edge"),
        in_pods("aggregation"),
        many("core", sizes.half * sizes.half, "k"),
    ];
    let links = vec![
        hosts_at("edge", of_tier, sizes.hosts, access),
        ruled(
            ("edge_up", "link"),
            ["edge", "aggregation"],
            of_tier * sizes.half,
            move |i| (i / half, i / (half * half) * half + i % half),
            link,
        ),
        ruled(
            ("core_up", "core"),
            ["aggregation", "core"],
            of_tier * sizes.half,
            // The same cores for the same place in each pod: the core fixes the way down.
            move |i| (i / half, i / half % half + i % half * half),
            core,
        ),
    ];
    (nodes, links)
}

/// Links from hosts to switches, each with as many hosts.
fn hosts_at<'s>(switches: &str, count: u64, hosts: u64, spec: &'s LinkSpec) -> LinkDraft<'s> {
    let each = hosts.max(1) as u32;
    let rule = move |i| (i, i / each);
    ruled(
        ("access", "access"),
        ["host", switches],
        count.saturating_mul(hosts),
        rule,
        spec,
    )
}

fn ruled<'s>(
    (name, key): (&str, &str),
    [from, to]: [&str; 2],
    count: u64,
    rule: impl Fn(u32) -> (u32, u32) + 'static,
    spec: &'s LinkSpec,
) -> LinkDraft<'s> {
    let ends = Ends::Ruled(RuledEnds {
        from: from.into(),
        to: to.into(),
        count,
        rule: Box::new(rule),
    });
    draft(name, key, ends, spec)
}
