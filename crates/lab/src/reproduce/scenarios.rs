//! The scenarios of simulated experiments: the files in `scenarios/papers/`, which
//! `pacesim run` takes as well.

macro_rules! scenario {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../scenarios/papers/",
                $name,
                ".toml"
            )),
        )
    };
}

/// Name and text of each.
pub const SCENARIOS: &[(&str, &str)] = &[
    scenario!("qlbp11-autocov"),
    scenario!("qlbp11-response"),
    scenario!("qlbp11-table2"),
    scenario!("single-flow"),
    scenario!("zerobuf-fig18"),
];

/// The text of the scenario of this name.
pub(super) fn text_of(name: &str) -> Option<&'static str> {
    let found = SCENARIOS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}
