//! Names in a scenario, as far as they are known if some other part has mistakes.

use pacesim_keys::Scenario;
use pacesim_language::problem::Faults;

use crate::resolve::Survey;

/// The names of groups of flows, of links and of protections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The groups of flows, each with its number of flows if known.
    pub flows: Vec<(String, Option<u32>)>,
    /// Names of single links, including those back.
    pub links: Vec<String>,
    /// Names of the entries of `[[fec]]`.
    pub fec: Vec<String>,
    /// True if no other groups of flows can exist.
    pub has_all_flows: bool,
    /// True if no other links can exist.
    pub has_all_links: bool,
}

impl Inventory {
    pub(crate) fn of(scenario: &Scenario, known: &Faults) -> Inventory {
        let survey = Survey::of(scenario, known, &mut Faults::default());
        let is_lost = |key: &str| known.list.iter().any(|fault| fault.path == key);
        let links = &survey.network.links;
        Inventory {
            // A scenario without flows, or without links, lacks those that are meant.
            has_all_flows: !is_lost("flow")
                && !scenario.flows.is_empty()
                && survey.flows.has_all_names(),
            has_all_links: !["link", "node", "topology"].into_iter().any(is_lost)
                && links.len() > 0
                && links.has_all_names()
                && links.groups().all(|(_, count)| count.is_some()),
            flows: survey.flows.groups().collect(),
            links: links.names().map(|name| name.to_string()).collect(),
            fec: (scenario.fec.iter())
                .map(|group| group.name.clone())
                .collect(),
        }
    }
}
