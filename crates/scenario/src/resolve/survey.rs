//! The names of a scenario, resolved as far as possible while it is being checked.

use std::ops::Range;
use std::sync::Arc;

use pacesim_keys::{FecGroup, FlowGroup, Job, MOST, Pairing, Scenario};
use pacesim_language::names::Named;
use pacesim_language::names::Reference;
use pacesim_language::problem::Faults;

use super::core_map::CoreMap;
use super::directory::{Directory, too_many};
use super::edges::Edges;
use super::network::Network;
use super::pairs::{Across, Pairs};
use super::racks::Racks;
use crate::applications;
use crate::exchanges;
use crate::jobs;

pub(crate) struct Survey {
    pub(crate) network: Network,
    pub(crate) flows: Directory,
    /// The ends of each group of flows, if known.
    pub(crate) pairs: Vec<Option<Pairs>>,
    /// Map of the core of trunks, if flows need it.
    core: Option<Arc<CoreMap>>,
}

impl Survey {
    /// Resolves all names that can be resolved; other faults that are not `known` already go to
    /// `faults`.
    pub(crate) fn of(scenario: &Scenario, known: &Faults, faults: &mut Faults) -> Survey {
        let network = Network::of(scenario, known, faults);
        let asks = |flow: &FlowGroup| matches!(flow.pair, Pairing::Across | Pairing::Hops(_));
        // Its map grows with the square of the number of routers.
        let is_asked = scenario.flows.iter().any(asks);
        let core = is_asked.then(|| network.core()).flatten();
        let mut survey = Survey {
            core: core.map(Arc::new),
            network,
            flows: Directory::new(Named::Flows),
            pairs: Vec::new(),
        };
        for (i, group) in scenario.flows.iter().enumerate() {
            let path = format!("flow[{i}]");
            let unsure = known.touch(&format!("{path}.count"));
            let pairs = survey.pairs(group, &path, known, faults);
            let mut pairs = pairs.filter(|_| !unsure);
            let count = pairs.as_ref().map(|pairs| pairs.flows());
            let (name, count_path) = (format!("{path}.name"), format!("{path}.count"));
            if !survey
                .flows
                .insert(&group.name, count, true, (&name, &count_path), faults)
            {
                pairs = None;
            }
            survey.pairs.push(pairs);
        }
        survey
    }

    fn pairs(
        &self,
        group: &FlowGroup,
        path: &str,
        known: &Faults,
        faults: &mut Faults,
    ) -> Option<Pairs> {
        let nodes = &self.network.nodes;
        let exchanged = exchanged(group, path, faults)?;
        let (from_path, to_path) = (format!("{path}.from"), format!("{path}.to"));
        let from = nodes.resolve(&group.from, &from_path, faults);
        let to = nodes.resolve(&group.to, &to_path, faults);
        let (from, to) = (from?, to?);
        if has_refused_pairs(path, known) {
            return None;
        }
        if let Some((job, _)) = jobs::of_group(group) {
            return job_pairs(group, job, (from, to), path, faults);
        }
        let racks = match group.racks.is_empty() {
            true => None,
            false => Some(self.racks(group, [&from, &to], path, faults)?),
        };
        let pairs = Pairs {
            count: exchanged.map_or(group.count, Some),
            both_ways: exchanged.is_some() || applications::of_group(group).is_some(),
            across: self.across(group, path, faults)?,
            racks,
            ..Pairs::by_rule(from, to, group.pair)
        };
        if says_twice(&pairs, exchanged, path, faults) {
            return None;
        }
        if group.count == Some(0) {
            return Some(pairs);
        }
        if pairs.len() == 0 {
            faults
                .add(format!("{path}.count"), "a group of 0 flows")
                .help("give at least 1");
            return None;
        }
        if pairs.flows() > MOST {
            let all = pairs.flows() + self.flows.len() as u64;
            too_many(&format!("{path}.count"), all, Named::Flows, faults);
            return None;
        }
        let sound = match &pairs.across {
            Some(across) => are_enough(across, &pairs, path, faults),
            None if pairs.pair == Pairing::Permutation => permutes(&pairs, path, faults),
            None if pairs.racks.is_some() => true,
            // Traffic that is refused might have been a job, with pairs of its own.
            None if pairs.are_within_one_group()
                && known.touch(&format!("{path}.traffic.kind")) =>
            {
                true
            }
            None => self.is_between_two(&pairs, &to_path, faults),
        };
        sound.then_some(pairs)
    }

    /// The racks between which pairs are drawn by weight.
    fn racks(
        &self,
        group: &FlowGroup,
        ends: [&Range<u32>; 2],
        path: &str,
        faults: &mut Faults,
    ) -> Option<Arc<Racks>> {
        if group.pair != Pairing::Cyclic {
            let message = "racks draws the pairs";
            let help = "leave pair out, or racks";
            faults.add(format!("{path}.pair"), message).help(help);
            return None;
        }
        Racks::of(&self.network, group, ends, path, faults).map(Arc::new)
    }

    /// The conditions on random pairs across the core; `None` without such pairs.
    fn across(&self, group: &FlowGroup, path: &str, faults: &mut Faults) -> Option<Option<Across>> {
        let hops = match group.pair {
            Pairing::Across => None,
            Pairing::Hops(hops) => Some(hops),
            _ => {
                for (key, given) in [("bundle", group.bundle != 1), ("distinct", group.distinct)] {
                    if given {
                        let message = format!("{key} is for pairs across a core");
                        let help = "give pair = \"across\" or pair = { hops = 2 }, or leave it out";
                        faults.add(format!("{path}.{key}"), message).help(help);
                    }
                }
                return Some(None);
            }
        };
        let Some(core) = &self.core else {
            let message = "there is no core with trunks to cross";
            let help = "give the topology a shape of routers: nsfnet, us24 or edge_list";
            faults.add(format!("{path}.pair"), message).help(help);
            return None;
        };
        Some(Some(Across {
            core: core.clone(),
            hops,
            bundle: group.bundle,
            distinct: group.distinct,
        }))
    }

    /// Reports a flow from a node to itself.
    fn is_between_two(&self, pairs: &Pairs, to_path: &str, faults: &mut Faults) -> bool {
        let alone = pairs.from.contains(&pairs.to.start) && pairs.to.len() == 1;
        let itself = match pairs.pair {
            Pairing::Random => alone.then_some(pairs.to.start),
            Pairing::All if pairs.iter().next().is_none() => Some(pairs.to.start),
            _ => pairs.iter().find(|(a, b)| a == b).map(|(a, _)| a),
        };
        if let Some(node) = itself {
            let message = format!("a flow from {0} to {0}", self.network.nodes.name(node));
            let help =
                "give other nodes, or pair = \"all\" or \"random\", which leave a node itself out";
            faults.add(to_path, message).help(help);
        }
        itself.is_none()
    }

    /// The edges of an entry.
    pub(crate) fn edges(&self, group: &FecGroup, path: &str, faults: &mut Faults) -> Option<Edges> {
        let nodes = &self.network.nodes;
        let ingress = nodes.resolve(&group.ingress, &format!("{path}.ingress"), faults);
        let egress = nodes.resolve(&group.egress, &format!("{path}.egress"), faults);
        Some(Edges::new(group, ingress?, egress?))
    }

    /// The nodes selected by a list of references.
    pub(crate) fn nodes(
        &self,
        references: &[Reference],
        path: &str,
        faults: &mut Faults,
    ) -> Vec<u32> {
        members(&self.network.nodes, references, path, faults)
    }

    /// The links selected by a list of references.
    pub(crate) fn links(
        &self,
        references: &[Reference],
        path: &str,
        faults: &mut Faults,
    ) -> Vec<u32> {
        members(&self.network.links, references, path, faults)
    }

    /// The flows selected by a list of references.
    pub(crate) fn flows(
        &self,
        references: &[Reference],
        path: &str,
        faults: &mut Faults,
    ) -> Vec<u32> {
        members(&self.flows, references, path, faults)
    }
}

/// True if the pairs of a group are unknown, since their key or its job, which would have said them,
/// is refused.
fn has_refused_pairs(path: &str, known: &Faults) -> bool {
    let job = format!("{path}.traffic.job");
    let mut mistakes = known.list.iter().map(|fault| fault.path.as_str());
    mistakes.any(|at| at.starts_with(&job)) || known.touch(&format!("{path}.pair"))
}

/// The pairs of nodes of a group with a job, which says which flows there are.
fn job_pairs(
    group: &FlowGroup,
    job: &Job,
    (from, to): (Range<u32>, Range<u32>),
    path: &str,
    faults: &mut Faults,
) -> Option<Pairs> {
    let is_own = [
        ("count", group.count.is_some()),
        ("pair", group.pair != Pairing::Cyclic),
        ("bundle", group.bundle != 1),
        ("distinct", group.distinct),
        ("racks", !group.racks.is_empty()),
    ];
    let mut is_sound = true;
    for (key, _) in is_own.into_iter().filter(|(_, is_given)| *is_given) {
        let message = "the job says which flows there are";
        let fault = faults.add(format!("{path}.{key}"), message);
        fault.help(format!("leave {key} out"));
        is_sound = false;
    }
    let listed = jobs::pairs(job, (&from, &to), path, faults)?;
    if listed.len() as u64 > MOST {
        too_many(
            &format!("{path}.traffic.job"),
            listed.len() as u64,
            Named::Flows,
            faults,
        );
        return None;
    }
    is_sound.then_some(Pairs {
        listed: Some(listed),
        ..Pairs::by_rule(from, to, Pairing::Cyclic)
    })
}

/// Reports a pairing that determines the number of flows beside that number; true if it does.
fn says_twice(pairs: &Pairs, exchanged: Option<u32>, path: &str, faults: &mut Faults) -> bool {
    if pairs.pair != Pairing::All || pairs.count.is_none() {
        return false;
    }
    let (key, message, help) = match exchanged {
        None => (
            "count",
            "pair = \"all\" determines the number of flows",
            "leave count out",
        ),
        Some(_) => (
            "pair",
            "exchanges say how many flows there are",
            "give another pairing",
        ),
    };
    faults.add(format!("{path}.{key}"), message).help(help);
    true
}

/// Reports nodes that no permutation pairs; true if one does.
fn permutes(pairs: &Pairs, path: &str, faults: &mut Faults) -> bool {
    let [from, to] = [&pairs.from, &pairs.to].map(|side| side.end - side.start);
    let message = if from != to {
        format!("a permutation pairs equally many nodes, not {from} with {to}")
    } else if pairs.count.is_some_and(|count| count != from) {
        format!("a permutation of {from} nodes has {from} flows")
    } else if pairs.from == pairs.to && from == 1 {
        "a permutation of one node leaves it to itself".to_owned()
    } else {
        return true;
    };
    let help = "give from and to the same group, such as \"host\", and leave count out";
    faults.add(format!("{path}.pair"), message).help(help);
    false
}

/// The number of recorded connections of a group, if it has any; `None` if there are fewer than
/// requested.
fn exchanged(group: &FlowGroup, path: &str, faults: &mut Faults) -> Option<Option<u32>> {
    let Some((exchanges, _)) = exchanges::of_group(group) else {
        return Some(None);
    };
    let known = exchanges.file.vectors.len();
    let asked = group.count.map_or(known, |count| count as usize);
    if asked > known {
        let name = &exchanges.file.name;
        let message = format!("{asked} connections, but \"{name}\" has only {known}");
        let help = "give at most this number, or omit it for all";
        faults.add(format!("{path}.count"), message).help(help);
        return None;
    }
    Some(Some(asked as u32))
}

/// Reports flows without nodes, or with too few nodes.
fn are_enough(across: &Across, pairs: &Pairs, path: &str, faults: &mut Faults) -> bool {
    if across.sources(pairs).is_empty() {
        none_to_join(across, pairs, path, faults);
        return false;
    }
    let most = across.most(pairs);
    let are_enough = !across.distinct || pairs.len() <= most;
    if !are_enough {
        let message = format!(
            "{} flows shall join different nodes, but there are pairs for {most}",
            pairs.len()
        );
        let help = "give fewer flows, or leave distinct out";
        faults.add(format!("{path}.count"), message).help(help);
    }
    are_enough
}

/// Reports that no node of `from` has one of `to` at the required distance.
fn none_to_join(across: &Across, pairs: &Pairs, path: &str, faults: &mut Faults) {
    let distances = across.distances(pairs);
    let (Some(hops), false) = (across.hops, distances.is_empty()) else {
        let message = "all nodes of from and to are behind one router";
        let help = "give other nodes";
        faults.add(format!("{path}.pair"), message).help(help);
        return;
    };
    let message = format!("no node of from and node of to are {hops} trunks apart");
    let distances: Vec<String> = distances.iter().map(u32::to_string).collect();
    let help = format!("they are {} apart", distances.join(", "));
    faults.add(format!("{path}.pair.hops"), message).help(help);
}

/// The selected members in ascending order, without repetitions.
fn members(
    directory: &Directory,
    references: &[Reference],
    path: &str,
    faults: &mut Faults,
) -> Vec<u32> {
    let mut members: Vec<u32> = references
        .iter()
        .enumerate()
        .filter_map(|(i, reference)| directory.resolve(reference, &format!("{path}[{i}]"), faults))
        .flatten()
        .collect();
    members.sort_unstable();
    members.dedup();
    members
}
