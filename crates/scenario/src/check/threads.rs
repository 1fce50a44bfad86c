//! Conditions on the division of a run among threads.

use std::collections::BTreeMap;

use pacesim_keys::{Scenario, Value};
use pacesim_language::problem::Faults;
use pacesim_units::Span;

use crate::resolve::Survey;

pub(super) fn check(survey: &Survey, scenario: &Scenario, known: &Faults, faults: &mut Faults) {
    let mut thread_of: BTreeMap<u32, usize> = BTreeMap::new();
    for (i, group) in scenario.threads.iter().enumerate() {
        let path = format!("thread[{i}].nodes");
        if group.nodes.is_empty() && !known.touch(&path) {
            let help = "write nodes = [\"left\"], or leave this [[thread]] out";
            let fault = faults.add(&path, "no node runs on this thread");
            fault.help(help).absence();
        }
        for node in survey.nodes(&group.nodes, &path, faults) {
            match thread_of.insert(node, i) {
                Some(other) if other != i => {
                    let name = survey.network.nodes.name(node);
                    let message = format!("{name} runs on the thread of thread[{other}] already");
                    faults.add(&path, message).help("name each node once");
                }
                _ => {}
            }
        }
    }
    wires(survey, &thread_of, faults);
    let sets = scenario.threads.len();
    if let Some(threads) = scenario.run.threads
        && (threads as usize) < sets
    {
        let message = format!("{threads} is too few for the nodes of {sets} [[thread]]");
        let help = format!("give threads = {sets}, or leave it out");
        faults.add("run.threads", message).help(help);
    }
}

/// Reports links without delay whose ends are to run on different threads.
fn wires(survey: &Survey, thread_of: &BTreeMap<u32, usize>, faults: &mut Faults) {
    for wires in &survey.network.wires {
        let delay = wires.spec.delay.as_ref();
        let is_zero = delay.is_none_or(|delay| *delay == Value::Constant(Span::ZERO));
        let is_cut = |(from, to): &&(u32, u32)| match (thread_of.get(from), thread_of.get(to)) {
            (Some(from), Some(to)) => from != to,
            _ => false,
        };
        let cut = wires.ends.iter().find(is_cut);
        if let Some((from, to)) = cut.filter(|_| is_zero && wires.listed.is_none()) {
            let name = |node: u32| survey.network.nodes.name(node);
            let message = format!(
                "the link {} has no delay, and its ends {} and {} are on two threads",
                wires.name,
                name(*from),
                name(*to)
            );
            let help = "name both in one [[thread]], or give the link a delay";
            let place = thread_of[from].max(thread_of[to]);
            let at = format!("thread[{place}].nodes");
            faults.add(at, message).help(help);
        }
    }
}
