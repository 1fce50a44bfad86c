//! Conditions between the keys of a wire: recorded opportunities, jitter, middleboxes behind it.

use pacesim_keys::{LinkSpec, MiddleboxKind, OpportunityFile, Value};
use pacesim_language::problem::Faults;
use pacesim_pacers::RecordedRateConfig;
use pacesim_units::{Capacity, Span};

pub(super) fn check(path: &str, spec: &LinkSpec, faults: &mut Faults) {
    let (back, back_path) = (&spec.back, format!("{path}.back"));
    opportunities(path, spec.opportunities.as_ref(), faults);
    opportunities(&back_path, back.opportunities.as_ref(), faults);
    jitter(path, spec.jitter.as_ref(), spec.jitter_reorders, faults);
    jitter(
        &back_path,
        back.jitter.as_ref(),
        back.jitter_reorders,
        faults,
    );
    middleboxes(path, &spec.middleboxes, faults);
    middleboxes(&back_path, &back.middleboxes, faults);
}

fn opportunities(path: &str, recorded: Option<&OpportunityFile>, faults: &mut Faults) {
    let Some(recorded) = recorded else { return };
    let config = RecordedRateConfig {
        opportunities_ms: recorded.opportunities_ms.clone(),
        capacity: Capacity::Unlimited,
    };
    for problem in config.validate() {
        faults
            .add(format!("{path}.opportunities"), problem.broken)
            .help(problem.remedy);
    }
}

fn jitter(path: &str, jitter: Option<&Value<Span>>, reorders: bool, faults: &mut Faults) {
    if reorders && jitter.is_none() {
        faults
            .add(format!("{path}.jitter_reorders"), "there is no jitter here")
            .help("add jitter, such as { exponential = \"2ms\" }, or leave out jitter_reorders");
    }
}

fn middleboxes(path: &str, kinds: &[MiddleboxKind], faults: &mut Faults) {
    for (i, kind) in kinds.iter().enumerate() {
        if let MiddleboxKind::AckAggregation { every, .. } = kind
            && every.is_zero()
        {
            faults
                .add(
                    format!("{path}.middleboxes[{i}].every"),
                    "ACKs are collected for no time",
                )
                .help("give a time above 0s, or leave the middlebox out");
        }
    }
}
