//! For any strings of a user, a model returns finite numbers or an error.

use pacesim_analytic::catalogue::{self, MODELS, Solution};
use proptest::prelude::*;
use proptest::sample::Index;

const NASTY: [&str; 27] = [
    "",
    " ",
    "0",
    "-1",
    "1",
    "2",
    "1.5",
    "1e308",
    "1e-308",
    "nan",
    "inf",
    "0.999999999",
    "1B",
    "7B",
    "1bps",
    "1Gbps",
    "1ps",
    "1h",
    "99999999999",
    "0x0",
    "1e-70x1",
    "0.1x1,0x1",
    "0.5x2",
    "0-1",
    "0-1,2-3",
    "0.5..0.6:0.05",
    "..",
];

fn assert_finite(model: &str, param: &str, text: &str, solution: &Solution) {
    let tables = solution.tables.iter().flat_map(|t| &t.columns);
    let columns = tables.flat_map(|c| c.values.iter().map(move |v| (&c.name, *v)));
    let scalars = solution.scalars.iter().map(|s| (&s.name, s.value));
    for (name, value) in scalars.chain(columns) {
        assert!(
            value.is_finite(),
            "{model} {param}={text:?}: {name} = {value}"
        );
    }
}

#[test]
fn no_text_makes_a_model_panic_or_answer_with_what_is_no_number() {
    for model in MODELS {
        for param in model.params {
            for text in NASTY {
                match catalogue::solve(model.name, &[(param.name, text)]) {
                    Ok(solution) => assert_finite(model.name, param.name, text, &solution),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn nor_do_three_together(
        model in any::<Index>(),
        picks in prop::collection::vec((any::<Index>(), prop::sample::select(&NASTY[..])), 3),
    ) {
        let model = model.get(MODELS);
        let given: Vec<(&str, &str)> = picks
            .iter()
            .map(|(param, text)| (param.get(model.params).name, *text))
            .collect();
        if let Ok(solution) = catalogue::solve(model.name, &given) {
            assert_finite(model.name, "several", &format!("{given:?}"), &solution);
        }
    }
}
