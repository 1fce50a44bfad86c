//! Timed events with their links and flows by number.

use std::collections::BTreeSet;

use pacesim_keys::{Event, Fate};
use pacesim_language::problem::Faults;
use pacesim_model::Flow;
use pacesim_model::change::{Change, LinkStates, TimedChange};
use pacesim_units::{FlowId, LinkId, Span, Time};

use super::survey::Survey;

/// The events that happen at given times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events(Vec<Resolved>);

#[derive(Clone, Debug)]
struct Resolved {
    event: Event,
    links: Vec<u32>,
    start: Vec<u32>,
    stop: Vec<u32>,
}

impl Events {
    /// The events of a scenario; unknown names go to `faults`.
    pub(crate) fn of(survey: &Survey, events: &[Event], faults: &mut Faults) -> Events {
        let resolved = events.iter().enumerate().map(|(i, event)| Resolved {
            links: survey.links(&event.links, &format!("event[{i}].links"), faults),
            start: survey.flows(&event.start, &format!("event[{i}].start"), faults),
            stop: survey.flows(&event.stop, &format!("event[{i}].stop"), faults),
            event: event.clone(),
        });
        Events(resolved.collect())
    }

    /// Reports flows that are started or stopped more than once.
    pub(crate) fn check_flows(&self, faults: &mut Faults) {
        type Flows = fn(&Resolved) -> &Vec<u32>;
        let keys: [(&str, Flows); 2] = [
            ("start", |event| &event.start),
            ("stop", |event| &event.stop),
        ];
        for (key, flows) in keys {
            let mut seen = BTreeSet::new();
            for (i, event) in self.0.iter().enumerate() {
                let again = flows(event)
                    .iter()
                    .filter(|flow| !seen.insert(**flow))
                    .count();
                if again > 0 {
                    let message = format!("{again} of these flows {key} at another event already");
                    let help = "a flow starts once and stops once: give another group of flows";
                    faults.add(format!("event[{i}].{key}"), message).help(help);
                }
            }
        }
    }

    /// The changes of links.
    pub(crate) fn changes(&self) -> Vec<TimedChange> {
        let mut changes = Vec::new();
        for Resolved { event, links, .. } in &self.0 {
            for link in links.iter().copied().map(LinkId) {
                let at = since_start(event.at);
                let of_event = changes_of(event).into_iter().flatten();
                changes.extend(of_event.map(|change| TimedChange { at, link, change }));
            }
        }
        changes
    }

    /// The times at which routes are recomputed.
    pub(crate) fn reroutes(&self) -> Vec<Time> {
        let reroutes = self.0.iter().filter(|resolved| resolved.event.reroute);
        reroutes
            .map(|resolved| since_start(resolved.event.at))
            .collect()
    }

    /// The states of links at each rerouting, each distinct state once.
    pub(crate) fn standings(&self) -> BTreeSet<LinkStates> {
        let mut changes = self.changes();
        changes.sort_by_key(|change| change.at);
        let mut changes = changes.iter().peekable();
        let mut reroutes = self.reroutes();
        reroutes.sort_unstable();
        let mut now = LinkStates::default();
        let mut standings = BTreeSet::new();
        for at in reroutes {
            while let Some(change) = changes.next_if(|change| change.at <= at) {
                now.note(change);
            }
            standings.insert(now.clone());
        }
        standings
    }

    /// Applies the times at which events start and stop flows.
    pub(crate) fn apply(&self, flows: &mut [Flow]) {
        for event in &self.0 {
            let at = since_start(event.event.at);
            for flow in event.start.iter().copied().map(FlowId) {
                flows[flow.index()].start = at;
            }
            for flow in event.stop.iter().copied().map(FlowId) {
                flows[flow.index()].stop = Some(at);
            }
        }
    }
}

fn changes_of(event: &Event) -> [Option<Change>; 4] {
    let up = |up| match (up, event.packets) {
        (true, _) => Change::Up,
        (false, Fate::Lost) => Change::Down,
        (false, Fate::Kept) => Change::Pause,
    };
    [
        event.rate.map(Change::Rate),
        event.delay.map(Change::Delay),
        event.loss.map(|loss| Change::Loss(Some(loss))),
        event.up.map(up),
    ]
}

fn since_start(span: Span) -> Time {
    Time::ZERO.saturating_add(span)
}
