//! A sketch of a scenario: what formulas can name, and nothing else, so that no condition between
//! other keys need hold.

use std::sync::Arc;

use pacesim_keys::{
    Back, Files, LinkSpec, Output, OwnTraffic, Scenario, TcpTraffic, Traffic, Value,
};
use pacesim_language::document::Document;
use pacesim_language::problem::{Fault, Faults};
use pacesim_model::range::DELAY;
use pacesim_model::{Load, Model};
use pacesim_units::{Bytes, Rate, Span};

use super::names::Members;
use crate::expand::expand;
use crate::inventory::Inventory;
use crate::resolve::{Plan, Survey};

/// The scenario and its model, or the names in it if these mistakes leave it without one.
pub(super) struct Sketch {
    pub(super) scenario: Scenario,
    model: Option<Model>,
    names: Inventory,
}

impl Sketch {
    pub(super) fn of(document: &Document, files: &dyn Files) -> Sketch {
        let mut faults = document.differences().unwrap_or_default();
        let mut found = Faults::default();
        let scenario = Scenario::read(document.tree(), files, &mut found);
        let is_whole = !document.is_broken()
            && !faults.list.iter().any(is_of_network)
            && !found.touch("topology");
        faults.merge(found);
        let model = is_whole.then(|| model(&scenario)).flatten();
        let mut names = Inventory::default();
        if model.is_none() {
            names = Inventory::of(&scenario, &faults);
            names.has_all_flows &= !document.is_broken();
            names.has_all_links &= !document.is_broken();
        }
        Sketch {
            scenario,
            model,
            names,
        }
    }

    /// The names for formulas; without a model, their numbers are those of this set of stand-ins.
    pub(super) fn members(&self, set: usize) -> Members<'_> {
        match &self.model {
            Some(model) => Members::new(model),
            None => Members::of_names(&self.names, set),
        }
    }
}

/// True if part of the network or its flows may be missing for this mistake.
fn is_of_network(fault: &Fault) -> bool {
    let tables = ["topology", "node", "link", "flow"];
    !fault.at_key && tables.iter().any(|table| fault.path.starts_with(table))
}

/// The model, if all of its names are known.
fn model(scenario: &Scenario) -> Option<Model> {
    let bare = bare(scenario);
    let mut faults = Faults::default();
    let mut survey = Survey::of(&bare, &Faults::default(), &mut faults);
    if !faults.list.is_empty() {
        return None;
    }
    for wires in &mut survey.network.wires {
        wires.spec = bare_link(&wires.spec);
    }
    let plan = Plan::of(survey, &bare)?;
    Some(expand(&bare, &plan, bare.run.seed, 0))
}

/// Reduces a scenario to names, network and loads.
fn bare(scenario: &Scenario) -> Scenario {
    let mut bare = scenario.clone();
    bare.fec.clear();
    bare.events.clear();
    bare.switches.clear();
    bare.host = None;
    bare.nodes.iter_mut().for_each(|node| node.host = None);
    bare.output = Output::default();
    for flow in &mut bare.flows {
        flow.start = Span::ZERO.into();
        flow.stop = None;
        flow.traffic = bare_traffic(&flow.traffic);
    }
    bare
}

/// Traffic with the same share of time in which it is active.
fn bare_traffic(traffic: &Traffic) -> Traffic {
    match traffic {
        Traffic::OnOff { .. } | Traffic::ParetoOnOff(_) => traffic.clone(),
        Traffic::Recorded(recorded)
            if recorded.deal && recorded.file.recording.conversations.is_some() =>
        {
            let mut recorded = recorded.clone();
            (recorded.rate, recorded.smooth) = (None, None);
            Traffic::Recorded(recorded)
        }
        Traffic::Ndp(ndp) => bare_traffic(&Traffic::Tcp(ndp.traffic.clone())),
        Traffic::Rdma(rdma) => bare_traffic(&Traffic::Tcp(rdma.traffic.clone())),
        Traffic::Own(OwnTraffic::Ends(ends)) => bare_traffic(&Traffic::Tcp(ends.traffic.clone())),
        // The number of flows follows from the application.
        Traffic::Own(OwnTraffic::Dialogue(_)) => traffic.clone(),
        Traffic::Tcp(of_group) => {
            let mut tcp = of_group.tcp.clone();
            Arc::make_mut(&mut tcp.config).payload = Bytes(1000);
            tcp.load = Load::Endless;
            // The number of flows follows from recorded connections.
            let mut exchanges = of_group.exchanges.clone();
            if let Some(exchanges) = &mut exchanges {
                exchanges.delay_box = None;
            }
            Traffic::Tcp(TcpTraffic {
                exchanges,
                job: of_group.job.clone(),
                ..TcpTraffic::from(tcp)
            })
        }
        _ => Traffic::Cbr {
            rate: Rate::from_mbps(1).into(),
            size: Bytes(1000),
        },
    }
}

/// A link with rates, delays, jitter and buffers only.
fn bare_link(spec: &LinkSpec) -> LinkSpec {
    let delay = |delay: &Option<Value<Span>>| match delay {
        Some(Value::Constant(delay)) => Some(Value::Constant(DELAY.most.min(*delay))),
        other => other.clone(),
    };
    let mut bare = LinkSpec::new(spec.rate.clone());
    bare.delay = delay(&spec.delay);
    bare.length = spec.length;
    bare.queue = spec.queue;
    bare.jitter = spec.jitter.clone();
    bare.back = Back {
        rate: spec.back.rate.clone(),
        delay: delay(&spec.back.delay),
        buffer: spec.back.buffer,
        counts: spec.back.counts,
        jitter: spec.back.jitter.clone(),
        ..Back::default()
    };
    bare
}
