//! Conditions on the log of senders that are not TCP.

use pacesim_keys::{FlowGroup, Scenario, Traffic};
use pacesim_language::problem::{Faults, suggest};

use crate::resolve::Survey;

/// Reports flows whose senders declare no numbers, unless their traffic is unclear.
pub(crate) fn output(survey: &Survey, scenario: &Scenario, known: &Faults, faults: &mut Faults) {
    let Some(output) = &scenario.output.ends else {
        return;
    };
    survey.flows(&output.flows, "output.ends.flows", faults);
    let flows = scenario.flows.iter().enumerate();
    let clear = flows.filter(|(i, _)| !known.touch(&format!("flow[{i}].traffic")));
    let (with, without): (Vec<&FlowGroup>, Vec<&FlowGroup>) = clear
        .map(|(_, flow)| flow)
        .partition(|flow| declares(&flow.traffic));
    for (i, reference) in output.flows.iter().enumerate() {
        let is_without = without.iter().any(|flow| flow.name == reference.group);
        if is_without && !faults.is_full() {
            let message = format!("the senders of \"{reference}\" declare no numbers to record");
            let help = suggest(&reference.group, with.iter().map(|flow| flow.name.as_str()));
            let path = format!("output.ends.flows[{i}]");
            faults.add(path, message).help(help);
        }
    }
}

/// True if the sending ends of such traffic declare numbers.
pub(super) fn declares(traffic: &Traffic) -> bool {
    let transport = traffic.transport();
    transport.is_some_and(|make| !make.numbers().is_empty())
}
