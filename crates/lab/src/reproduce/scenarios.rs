//! The scenarios of simulated experiments: the files in `scenarios/papers/`, which
//! `pacesim run` takes as well.

/// A file by its name without the ending.
macro_rules! shipped {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../../scenarios/papers/", $name, ".toml")),
        )
    };
}

/// The name and the text of each scenario.
pub const SCENARIOS: &[(&str, &str)] = &[
    shipped!("edge/fig3"),
    shipped!("impact/work-conserving"),
    shipped!("zerobuf/fig2"),
    shipped!("zerobuf/fig6"),
    shipped!("zerobuf/fig7"),
    shipped!("qlbp11/autocov"),
    shipped!("qlbp11/response"),
    shipped!("qlbp11/single-flow"),
    shipped!("qlbp11/table2"),
    shipped!("zerobuf/fig18"),
    shipped!("zerobuf/fig19"),
];

/// The text of the scenario of this name.
pub(super) fn text_of(name: &str) -> Option<&'static str> {
    let found = SCENARIOS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}
