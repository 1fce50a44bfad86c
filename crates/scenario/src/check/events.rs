//! Checks of the conditions on timed events.

use pacesim_keys::{Event, Fate, FlowGroup, Scenario};
use pacesim_language::problem::Faults;
use pacesim_model::Metric;
use pacesim_model::range::{DELAY, LINE_RATE};
use pacesim_units::Span;

use crate::exchanges;
use crate::resolve::{Events, Survey};

pub(super) fn check(survey: &Survey, scenario: &Scenario, known: &Faults, faults: &mut Faults) {
    for (i, event) in scenario.events.iter().enumerate() {
        let path = format!("event[{i}]");
        time(&path, event, scenario.run.duration, faults);
        values(&path, event, faults);
        // A key that could not be read is not reported as missing.
        if !known.touch(&path) {
            purpose(&path, event, faults);
        }
    }
    recorded_starts(scenario, faults);
    reroutes(scenario, faults);
    Events::of(survey, &scenario.events, faults).check_flows(faults);
}

/// Reports a start of connections that begin at recorded times.
fn recorded_starts(scenario: &Scenario, faults: &mut Faults) {
    let recorded = |name: &str| {
        let mut flows = scenario.flows.iter();
        flows.any(|flow| flow.name == name && exchanges::of_group(flow).is_some())
    };
    for (i, event) in scenario.events.iter().enumerate() {
        for flows in event.start.iter().filter(|flows| recorded(&flows.group)) {
            let message = format!(
                "the connections of \"{}\" begin at the times of their file",
                flows.group
            );
            let help = "leave it out, or give the flow a start, which is added to these times";
            faults.add(format!("event[{i}].start"), message).help(help);
        }
    }
}

/// Reports routes that are recomputed without need, or while something depends on them.
fn reroutes(scenario: &Scenario, faults: &mut Faults) {
    let has_box = |flow: &FlowGroup| {
        exchanges::of_group(flow).is_some_and(|(exchanges, _)| exchanges.delay_box.is_some())
    };
    let stands = match scenario.flows.iter().find(|flow| has_box(flow)) {
        _ if !scenario.fec.is_empty() => Some("coders of [[fec]] are on routes".to_owned()),
        None => None,
        Some(flow) => Some(format!("the delay box of \"{}\" is on routes", flow.name)),
    };
    let by_delay = scenario.run.routing == Metric::Delay;
    for (i, event) in scenario
        .events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.reroute)
    {
        let path = format!("event[{i}].reroute");
        if let Some(stands) = &stands {
            let message = format!("{stands}, which must therefore stay");
            let help = "omit reroute, or the part that is on routes";
            faults.add(path, message).help(help);
        } else if event.up.is_none() && !(by_delay && event.delay.is_some()) {
            let help = match (event.delay, event.rate) {
                (Some(_), _) => "write run.routing = \"delay\", or leave reroute out",
                (None, Some(_)) => "no path is shorter by its rate: leave reroute out",
                _ => "write up = false where links go down and up = true where they come back",
            };
            faults
                .add(path, "no route changes by this event")
                .help(help);
        }
    }
}

fn time(path: &str, event: &Event, duration: Span, faults: &mut Faults) {
    if event.at >= duration {
        let message = format!("it never happens: the run ends at {duration}");
        let help = "give a time before run.duration";
        faults.add(format!("{path}.at"), message).help(help);
    }
}

fn values(path: &str, event: &Event, faults: &mut Faults) {
    if event.rate.is_some_and(|rate| !LINE_RATE.contains(rate)) {
        let help = format!("give at most \"{}\"", LINE_RATE.most);
        faults
            .add(format!("{path}.rate"), "this is too much")
            .help(help);
    }
    if event.delay.is_some_and(|delay| !DELAY.contains(delay)) {
        let help = format!("give at most \"{}\"", DELAY.most);
        faults
            .add(format!("{path}.delay"), "this is too much")
            .help(help);
    }
    super::loss(&format!("{path}.loss"), event.loss, faults);
}

/// Reports an event that lacks the keys to have an effect.
fn purpose(path: &str, event: &Event, faults: &mut Faults) {
    let links = format!("{path}.links");
    match (event.links.is_empty(), event.changes_links()) {
        (true, true) => {
            let help = "write links = [\"core\"]";
            let fault = faults.add(links, "no link is named that changes");
            fault.help(help).absence();
        }
        (false, false) => {
            let message = "nothing of these links changes";
            let help = "give rate, delay, loss or up";
            faults.add(links, message).help(help);
        }
        (true, false) if event.start.is_empty() && event.stop.is_empty() => {
            let message = "nothing happens at this event";
            let help = "give links and their changes, or flows to start or stop";
            faults.add(format!("{path}.at"), message).help(help);
        }
        _ => {}
    }
    if event.packets == Fate::Kept && event.up != Some(false) {
        let message = "packets are kept or lost where links go down";
        let help = "write up = false, or leave packets out";
        faults.add(format!("{path}.packets"), message).help(help);
    }
}
