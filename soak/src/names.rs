//! Names available for references in a scenario.

use pacesim::model::{Metric, Model};

use crate::dice::Dice;

/// Members of one name: "left\[0\]", "left\[1\]"..., or a single one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    name: String,
    /// `None` for a single one without an index.
    count: Option<u64>,
}

/// The nodes, links and flows of a scenario.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Groups of nodes.
    pub(crate) nodes: Vec<Group>,
    /// Groups of links, with reverse links in separate groups.
    pub(crate) links: Vec<Group>,
    /// Groups of flows.
    pub(crate) flows: Vec<Group>,
    /// Pairs of nodes joined by a link.
    pub(crate) joined: Vec<(String, String)>,
    /// The ends of flows.
    pub(crate) ends: Vec<(String, String)>,
    /// True if all links must have a length.
    pub(crate) with_lengths: bool,
}

impl Names {
    /// Learns the names of all nodes and links of a network.
    pub(crate) fn learn(&mut self, model: &Model) {
        self.with_lengths = model.metric == Metric::Length;
        self.nodes = groups(model.nodes.iter().map(|node| node.name.to_string()));
        self.links = groups(model.links.iter().map(|link| link.name.to_string()));
        let name = |node: pacesim::units::NodeId| model.nodes[node.index()].name.to_string();
        let pair = |link: &pacesim::model::Link| (name(link.from), name(link.to));
        self.joined = model.links.iter().map(pair).collect();
    }

    /// Learns the number of flows of each name, and their ends.
    pub(crate) fn learn_flows(&mut self, model: &Model) {
        let name = |node: pacesim::units::NodeId| model.nodes[node.index()].name.to_string();
        let ends = model
            .flows
            .iter()
            .map(|flow| (name(flow.from), name(flow.to)));
        self.ends = ends.collect();
        for group in &mut self.flows {
            let members = model.flows.iter().filter(|flow| *flow.group == *group.name);
            group.count = Some(members.count() as u64).filter(|count| *count > 1);
        }
    }

    /// Forgets the nodes and links of these names.
    pub(crate) fn forget(&mut self, names: &[&str]) {
        let stays = |name: &str| !names.contains(&name);
        self.nodes.retain(|group| stays(&group.name));
        self.links
            .retain(|group| stays(group.name.trim_end_matches(".back")));
        self.joined.retain(|(from, _)| stays(from));
    }
}

impl Group {
    /// A single member.
    pub(crate) fn single(name: String) -> Group {
        Group { name, count: None }
    }

    /// Its name and the number of its members, if these have numbers.
    pub(crate) fn range(&self) -> Option<(&str, u64)> {
        Some((self.name.as_str(), self.count?))
    }

    /// A reference to all members, one of them, or a range.
    pub(crate) fn reference(&self, dice: &mut Dice) -> String {
        let name = &self.name;
        let Some(count) = self.count.filter(|_| dice.percent(60)) else {
            return name.clone();
        };
        let first = dice.below(count);
        if dice.percent(50) {
            format!("{name}[{first}]")
        } else {
            format!("{name}[{first}..{}]", first + 1 + dice.below(count - first))
        }
    }
}

fn groups(members: impl Iterator<Item = String>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for member in members {
        let (name, place) = member.split_once('[').unwrap_or((&member, ""));
        let count = (!place.is_empty()).then_some(1);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(known) => known.count = known.count.map(|count| count + 1),
            None => groups.push(Group {
                name: name.to_owned(),
                count,
            }),
        }
    }
    groups
}
