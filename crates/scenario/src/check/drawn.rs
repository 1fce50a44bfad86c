//! A list of all values that may be drawn: key, range, and frequency. Checks, warnings and notes
//! all use it.

mod check;
mod notes;
mod warnings;

use pacesim_core::random::samplers::Sampler;
use pacesim_keys::{FlowGroup, HostKeys, LinkSpec, Scenario, Unit};
use pacesim_model::range::{DELAY, LINE_RATE};

pub(crate) use check::check;
pub(crate) use notes::notes;
pub(crate) use warnings::warnings;

use super::hosts::hosts;
use super::specs;
use crate::traffic;
pub(crate) use crate::visit::{Each, Visitor};

/// Passes every value that may be drawn to a visitor, in the order of the file.
pub(crate) fn visit(scenario: &Scenario, visitor: &mut impl Visitor) {
    for (path, spec) in specs(scenario) {
        of_links(&path, spec, visitor);
    }
    for (path, host) in hosts(scenario) {
        of_hosts(&path, host, visitor);
    }
    for (i, flow) in scenario.flows.iter().enumerate() {
        of_flows(&format!("flow[{i}]"), flow, visitor);
    }
}

fn of_links(path: &str, spec: &LinkSpec, visitor: &mut impl Visitor) {
    let both = [
        (path.to_owned(), Some(&spec.rate), &spec.delay, &spec.jitter),
        (
            format!("{path}.back"),
            spec.back.rate.as_ref(),
            &spec.back.delay,
            &spec.back.jitter,
        ),
    ];
    for (path, rate, delay, jitter) in both {
        if let Some(rate) = rate {
            visitor.visit(format!("{path}.rate"), rate, LINE_RATE, Each::Link);
        }
        if let Some(delay) = delay {
            visitor.visit(format!("{path}.delay"), delay, DELAY, Each::Link);
        }
        if let Some(jitter) = jitter {
            visitor.visit(format!("{path}.jitter"), jitter, DELAY, Each::Packet);
        }
    }
}

fn of_hosts(path: &str, host: &HostKeys, visitor: &mut impl Visitor) {
    for (key, time) in [("send", &host.send), ("answer", &host.answer)] {
        if let Some(time) = time {
            visitor.visit(format!("{path}.{key}"), time, DELAY, Each::Packet);
        }
    }
    if let Some(stalls) = &host.stalls {
        let path = format!("{path}.stalls.length");
        visitor.visit(path, &stalls.length, DELAY, Each::Stall);
    }
}

fn of_flows(path: &str, flow: &FlowGroup, visitor: &mut impl Visitor) {
    visitor.visit(format!("{path}.start"), &flow.start, DELAY, Each::Flow);
    traffic::visit(&flow.traffic, &format!("{path}.traffic"), visitor);
}

/// The probability that the rounded value is below this.
fn share_below<T: Unit>(sampler: &Sampler, least: T) -> f64 {
    sampler.at_most(least.to_number() - 0.5)
}

/// The probability that the rounded value is above this.
fn share_above<T: Unit>(sampler: &Sampler, most: T) -> f64 {
    1.0 - sampler.at_most(most.to_number() + 0.5)
}
