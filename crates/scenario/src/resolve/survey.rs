//! The names of a scenario resolved as far as they can be, while it is being checked.

use pacesim_language::names::Named;
use pacesim_language::names::Reference;
use pacesim_language::problem::Faults;

use super::directory::{Directory, too_many};
use super::network::Network;
use super::pairs::Pairs;
use crate::fec::Edges;
use crate::language::{FecGroup, FlowGroup, MOST, Scenario};
use crate::values::Pairing;

pub(crate) struct Survey {
    pub(crate) network: Network,
    pub(crate) flows: Directory,
    /// The ends of each group of flows, if they are known.
    pub(crate) pairs: Vec<Option<Pairs>>,
}

impl Survey {
    /// Resolves what can be resolved; the rest goes to `faults`, but for what is
    /// `known` already.
    pub(crate) fn of(scenario: &Scenario, known: &Faults, faults: &mut Faults) -> Survey {
        let network = Network::of(scenario, known, faults);
        let mut survey = Survey {
            network,
            flows: Directory::new(Named::Flows),
            pairs: Vec::new(),
        };
        for (i, group) in scenario.flows.iter().enumerate() {
            let path = format!("flow[{i}]");
            let unsure = known.touch(&format!("{path}.count"));
            let mut pairs = survey.pairs(group, &path, faults).filter(|_| !unsure);
            let count = pairs.as_ref().map(|pairs| pairs.iter_len());
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

    fn pairs(&self, group: &FlowGroup, path: &str, faults: &mut Faults) -> Option<Pairs> {
        let nodes = &self.network.nodes;
        let (from_path, to_path) = (format!("{path}.from"), format!("{path}.to"));
        let from = nodes.resolve(&group.from, &from_path, faults);
        let to = nodes.resolve(&group.to, &to_path, faults);
        let pairs = Pairs {
            from: from?,
            to: to?,
            pair: group.pair,
            count: group.count,
        };
        if pairs.pair == Pairing::All && group.count.is_some() {
            let message = "pair = \"all\" says how many flows there are";
            faults
                .add(format!("{path}.count"), message)
                .help("leave count out");
            return None;
        }
        if pairs.len() == 0 {
            faults
                .add(format!("{path}.count"), "a group of 0 flows")
                .help("give at least 1");
            return None;
        }
        if pairs.len() > MOST {
            let all = pairs.len() + self.flows.len() as u64;
            too_many(&format!("{path}.count"), all, Named::Flows, faults);
            return None;
        }
        self.is_between_two(&pairs, &to_path, faults)
            .then_some(pairs)
    }

    /// Complains of a flow from a node to itself.
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

    /// Where packets of an entry enter and leave.
    pub(crate) fn edges(&self, group: &FecGroup, path: &str, faults: &mut Faults) -> Option<Edges> {
        let nodes = &self.network.nodes;
        let ingress = nodes.resolve(&group.ingress, &format!("{path}.ingress"), faults);
        let egress = nodes.resolve(&group.egress, &format!("{path}.egress"), faults);
        Some(Edges::new(group, ingress?, egress?))
    }

    /// The links that a list of references means.
    pub(crate) fn links(
        &self,
        references: &[Reference],
        path: &str,
        faults: &mut Faults,
    ) -> Vec<u32> {
        members(&self.network.links, references, path, faults)
    }

    /// The flows that a list of references means.
    pub(crate) fn flows(
        &self,
        references: &[Reference],
        path: &str,
        faults: &mut Faults,
    ) -> Vec<u32> {
        members(&self.flows, references, path, faults)
    }
}

/// In ascending order, each once.
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
