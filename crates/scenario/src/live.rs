//! Live parts of a scenario in its model.

use pacesim_model::Model;
use pacesim_units::{FlowId, NodeId};

use crate::checked::Checked;

/// The parts of a model that a live run makes real.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveParts {
    /// Flows whose ends are real.
    pub flows: Vec<FlowId>,
    /// Hosts for programs, each with its name and node.
    pub hosts: Vec<(String, NodeId)>,
}

impl LiveParts {
    /// True if nothing is real.
    pub fn is_empty(&self) -> bool {
        self.flows.is_empty() && self.hosts.is_empty()
    }
}

impl Checked {
    /// The parts of a model of this scenario that are real in a live run.
    pub fn live_parts(&self, model: &Model) -> LiveParts {
        let groups = self.scenario().flows.iter().filter(|group| group.live);
        let groups: Vec<&str> = groups.map(|group| group.name.as_str()).collect();
        let flows = (0..model.flows.len()).map(FlowId::from_index);
        let is_live = |flow: &FlowId| groups.contains(&model.flows[flow.index()].group.as_ref());
        let named = |name: &str| model.nodes.iter().position(|node| node.name == *name);
        // A reference to a whole group of one leaves out the number.
        let node = |name: String| named(&name).or_else(|| named(&format!("{name}[0]")));
        let keys = self.scenario().live.iter().flat_map(|live| &live.hosts);
        let hosts = keys.filter_map(|(name, reference)| {
            let at = node(reference.to_string())?;
            Some((name.clone(), NodeId::from_index(at)))
        });
        LiveParts {
            flows: match groups.is_empty() {
                true => Vec::new(),
                false => flows.filter(is_live).collect(),
            },
            hosts: hosts.collect(),
        }
    }
}
