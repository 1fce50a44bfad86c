//! A scenario without mistakes.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use pacesim_keys::Scenario;
use pacesim_language::problem::{Fault, Faults, Problem, Problems};
use pacesim_language::tree::Place;
use pacesim_model::Model;

use crate::accepted::unaccepted;
use crate::arrivals::{Flood, floods};
use crate::check::round_trips::{RoundTrips, round_trips};
use crate::check::{check, idle_links, notes, warnings};
use crate::expand::expand;
use crate::resolve::Plan;

/// A scenario without mistakes, with its names resolved.
#[derive(Clone)]
pub struct Checked {
    scenario: Scenario,
    plan: Arc<Plan>,
    /// Rates that followed from loads, in sentences.
    pub(crate) loads: Vec<(String, String)>,
    /// The values of its formulas, each with the place of the formula.
    pub(crate) formulas: Vec<(Place, String)>,
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Checked").field(&self.scenario).finish()
    }
}

/// The plan is not compared, since it follows from the scenario.
impl PartialEq for Checked {
    fn eq(&self, other: &Checked) -> bool {
        self.scenario == other.scenario
    }
}

impl Checked {
    /// All faults of a scenario that was built in code, or the scenario ready for expansion.
    ///
    /// ```
    /// use pacesim_scenario::{Checked, LinkGroup, FlowGroup, LinkSpec, NodeGroup, Scenario, Traffic};
    /// use pacesim_units::{Bytes, Capacity, Rate, Span};
    ///
    /// let mut scenario = Scenario::new(Span::from_secs(10));
    /// scenario.nodes.push(NodeGroup::many("left", 3));
    /// scenario.nodes.push(NodeGroup::one("router"));
    /// scenario.nodes.push(NodeGroup::one("sink"));
    /// let access = LinkSpec::new(Rate::from_mbps(100)).delay(Span::from_ms(1));
    /// let core = LinkSpec::new(Rate::from_mbps(10)).delay(Span::from_ms(20))
    ///     .buffer(Capacity::Packets(20));
    /// scenario.links.push(LinkGroup::new("access", "left", "router", access));
    /// scenario.links.push(LinkGroup::new("core", "router", "sink", core));
    /// let cbr = Traffic::Cbr { rate: Rate::from_mbps(2).into(), size: Bytes(1000) };
    /// scenario.flows.push(FlowGroup::new("f", "left", "sink", cbr));
    ///
    /// let model = Checked::of(scenario)?.expand(1, 0);
    /// assert_eq!((model.nodes.len(), model.links.len(), model.flows.len()), (5, 8, 3));
    /// # Ok::<(), pacesim_scenario::Problems>(())
    /// ```
    pub fn of(scenario: Scenario) -> Result<Checked, Problems> {
        let (found, plan) = check(&scenario, &Faults::default());
        let mut faults = Faults::default();
        faults.merge(found);
        faults.list.retain(|fault| !fault.silent);
        if faults.list.is_empty() {
            return Ok(Checked::new(scenario, plan));
        }
        let problems = faults.list.into_iter().map(Fault::without_place);
        Err(Problems(problems.collect()))
    }

    /// A scenario without mistakes, and its plan.
    pub(crate) fn new(scenario: Scenario, plan: Option<Plan>) -> Checked {
        let plan = plan.expect("every name of a scenario without a fault is known");
        Checked {
            scenario,
            plan: Arc::new(plan),
            loads: Vec::new(),
            formulas: Vec::new(),
        }
    }

    /// The scenario itself; to change it, clone it and check it again.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The quantity that the formula at this place has.
    pub fn formula_at(&self, place: Place) -> Option<&str> {
        let found = self.formulas.iter().find(|(of, _)| *of == place);
        found.map(|(_, value)| value.as_str())
    }

    /// The network and its traffic, every value drawn, for one seed and one
    /// replication.
    pub fn expand(&self, seed: u64, replication: u64) -> Model {
        expand(&self.scenario, &self.plan, seed, replication)
    }

    /// Keys that are drawn, and their frequency, as in "once for each link" or "for each packet".
    pub fn draws(&self) -> Vec<(String, &'static str)> {
        let notes = notes(&self.scenario).into_iter();
        notes.map(|(path, each)| (path, each.words())).collect()
    }

    /// Rates that follow from loads, and those of transfers that arrive for a whole group, with a
    /// sentence for each key that sets one.
    pub fn arrivals(&self) -> Vec<(String, String)> {
        let model = self.expand(self.scenario.run.seed, 0);
        let floods = floods(&self.scenario, &self.plan, &model.links).into_iter();
        let sentence = |flood: Flood<'_>| (flood.path.clone(), flood.in_words());
        self.loads
            .iter()
            .cloned()
            .chain(floods.map(sentence))
            .collect()
    }

    /// Settings that are legal but probably mistakes, such as a flow that starts after the end,
    /// and that the scenario does not accept; [`Raw::warnings`](crate::Raw::warnings) adds their
    /// places.
    pub fn warnings(&self) -> Vec<Problem> {
        let warnings = self.suspicions().list.into_iter();
        let warnings = warnings.map(Fault::without_place).collect();
        unaccepted(warnings, &self.scenario.accepts)
    }

    /// The round trips in an empty network, group by group, of flows whose packets are acknowledged.
    pub fn round_trips(&self) -> Vec<RoundTrips> {
        let model = self.expand(self.scenario.run.seed, 0);
        round_trips(&self.plan, &model)
    }

    /// The names of the links that no flow ever crosses.
    pub fn idle_links(&self) -> BTreeSet<String> {
        let model = self.expand(self.scenario.run.seed, 0);
        idle_links(&self.scenario, &self.plan, &model)
    }

    /// The suspicions without their places in the text.
    pub(crate) fn suspicions(&self) -> Faults {
        let model = self.expand(self.scenario.run.seed, 0);
        warnings(&self.scenario, &self.plan, &model)
    }
}
