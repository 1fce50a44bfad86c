//! `evaluate` finds faults that are planted in a control of the program.

use serde_json::Value;

use crate::{new_part, program_of, run};

/// The results of these studies, for the control that leaves this share of the window after a loss.
fn evaluated(decrease: f64, more: &str, studies: &[&str]) -> Value {
    let folder = new_part("control");
    let traffic = format!(
        "kind = \"tcp\", profile = \"rfc\", control = {{ kind = \"own_control\", decrease = {decrease} }}{more}"
    );
    let mut args = vec![
        "evaluate", &traffic, "--json", "--quiet", "--scale", "0.3", "--out", "tried", "--only",
    ];
    args.extend(studies);
    let ran = run(program_of("control"), folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("one document")
}

/// The verdicts on its claims.
fn verdicts(decrease: f64, more: &str, studies: &[&str]) -> Vec<(String, String)> {
    let document = evaluated(decrease, more, studies);
    let all = document["studies"].as_array().expect("studies").iter();
    let claims = all.flat_map(|study| study["claims"].as_array().expect("claims"));
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    claims
        .map(|claim| (text(&claim["claim"]), text(&claim["verdict"])))
        .collect()
}

/// The verdicts on the claims whose words begin so, at each value of their axis.
fn of(verdicts: &[(String, String)], words: &str) -> Vec<String> {
    let found = verdicts
        .iter()
        .filter(|(claim, _)| claim.starts_with(words));
    let found: Vec<String> = found.map(|(_, verdict)| verdict.clone()).collect();
    assert!(!found.is_empty(), "{words}: {verdicts:?}");
    found
}

const USES_THE_LINE: &str = "alone, it uses a line";
const LEAVES_CUBIC: &str = "it leaves CUBIC";

#[test]
fn halving_after_a_loss_has_no_fault() {
    let found = verdicts(0.5, "", &["alone", "beside"]);
    for words in [USES_THE_LINE, LEAVES_CUBIC] {
        let found = of(&found, words);
        assert!(!found.contains(&"DIFFERS".to_owned()), "{words}: {found:?}");
    }
}

/// The trials that fail.
fn failing(decrease: f64) -> Vec<String> {
    let document = evaluated(decrease, "", &["conformance"]);
    let trials = document["trials"].as_array().expect("trials").iter();
    let failing = trials.filter(|trial| trial["verdict"] == "fails");
    failing.map(|trial| trial["trial"].to_string()).collect()
}

/// It counts an ACK that comes again, which one trial finds in both.
#[test]
fn a_control_that_hardly_heeds_losses_fails_in_trials_of_the_rfc() {
    let (halving, deaf) = (failing(0.5), failing(0.99));
    assert_eq!(halving.len(), 1, "{halving:?}");
    assert!(deaf.len() > 1, "{deaf:?}");
}

#[test]
fn a_window_too_small_for_the_line_is_found() {
    let found = of(
        &verdicts(0.5, ", window = \"4pkts\"", &["alone"]),
        USES_THE_LINE,
    );
    assert!(found.contains(&"DIFFERS".to_owned()), "{found:?}");
}
