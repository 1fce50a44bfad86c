//! The scenarios of simulated experiments: the files in `scenarios/papers/`, which
//! `pacesim run` takes as well.

/// Name and text of each.
pub const SCENARIOS: &[(&str, &str)] = &[];

/// The text of the scenario of this name.
pub(super) fn text_of(name: &str) -> Option<&'static str> {
    let found = SCENARIOS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}
