//! The settings that the papers must have used: each inferred from one number, with all that it predicts.

use pacesim_lab::claims::{Claim, Verdict};
use pacesim_lab::findings::{Findings, InferredSetting};

/// A table of inferred settings; empty if there are none.
pub(super) fn table(all: &[&Findings]) -> String {
    let rows = all.iter().flat_map(|findings| {
        let settings = findings.inferred.iter();
        settings.map(move |setting| row(findings, setting))
    });
    let rows: String = rows.collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "## What the papers must have used\n\nEach setting is one that a paper leaves open. It was chosen for one number, and decides the others, which are predictions; those that fail are named too. A number that chose a setting counts as fitted, not as reproduced. The last column is a test against fitting: how many of the same numbers, the fitted one included, hold with values drawn at random from the plausible range of the setting. Their runs may be shorter, as the study says.\n\n| experiment | setting | value | fitted to | predictions that hold | predictions that fail | numbers that hold with the value, and with drawn ones |\n| --- | --- | --- | --- | --- | --- | --- |\n{rows}"
    )
}

fn row(findings: &Findings, setting: &InferredSetting) -> String {
    let told = |claim: &str| {
        let mut claims = findings.claims.iter();
        let known = claims.find(|known| known.claim == claim);
        let Some(known) = known else {
            return (Verdict::NotRun, format!("{claim}: not run"));
        };
        let (verdict, ours) = under(known, setting.variant.as_ref());
        let paper = known.shown().value(known.paper.as_ref());
        (verdict, format!("{claim}: {ours} (paper: {paper})"))
    };
    let fitted = told(&setting.fitted).1;
    let (mut hold, mut fail) = (Vec::new(), Vec::new());
    for claim in &setting.predicts {
        match told(claim) {
            (Verdict::Pass, text) => hold.push(text),
            (Verdict::Differs, text) => fail.push(text),
            (verdict, text) => fail.push(format!("{text}, {}", verdict.text())),
        }
    }
    let list = |all: Vec<String>| match all.is_empty() {
        true => "none".to_owned(),
        false => all.join("; "),
    };
    let (hold, fail) = (list(hold), list(fail));
    let cells = [
        findings.id.clone(),
        setting.setting.clone(),
        setting.value.clone(),
        fitted,
        hold,
        fail,
        against_fitting(findings, setting),
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.join(" | "))
}

/// The numbers that hold with the inferred value, and with each of the drawn ones.
fn against_fitting(findings: &Findings, setting: &InferredSetting) -> String {
    if setting.drawn.is_empty() {
        return "not tested".to_owned();
    }
    let held = |variant: Option<&String>| {
        let claims = findings.claims.iter();
        let of_setting = claims.filter(|known| {
            known.claim == setting.fitted || setting.predicts.contains(&known.claim)
        });
        let verdicts = of_setting.map(|known| under(known, variant).0);
        verdicts.filter(|verdict| *verdict == Verdict::Pass).count()
    };
    let drawn: Vec<usize> = setting.drawn.iter().map(|name| held(Some(name))).collect();
    let mean = drawn.iter().sum::<usize>() as f64 / drawn.len() as f64;
    let list: Vec<String> = drawn.iter().map(usize::to_string).collect();
    format!(
        "{} of {} with the value; {} with drawn ones ({mean:.1} in the mean)",
        held(setting.variant.as_ref()),
        setting.predicts.len() + 1,
        list.join(", ")
    )
}

/// The verdict on a claim and its number, under a variant if one is given.
fn under(claim: &Claim, variant: Option<&String>) -> (Verdict, String) {
    let Some(name) = variant else {
        return (claim.verdict, claim.ours());
    };
    let mut variants = claim.variants.iter();
    match variants.find(|variant| variant.variant == *name) {
        Some(variant) => (variant.verdict, variant.number(claim.shown())),
        None => (Verdict::NotRun, "not run".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use pacesim_lab::claims::OfVariant;

    use super::*;

    fn claim(words: &str, verdict: Verdict, variants: &[(&str, Verdict)]) -> Claim {
        let of_variant = |(name, verdict): &(&str, Verdict)| OfVariant {
            variant: (*name).to_owned(),
            verdict: *verdict,
            ours: None,
            low: None,
            high: None,
        };
        Claim {
            verdict,
            variants: variants.iter().map(of_variant).collect(),
            ..Claim::shows(words, 1.0, true, "")
        }
    }

    fn findings() -> Findings {
        use Verdict::{Differs, Pass};
        let claims = vec![
            claim("a", Differs, &[("v", Pass), ("d1", Pass), ("d2", Differs)]),
            claim("b", Differs, &[("v", Pass), ("d1", Differs), ("d2", Pass)]),
            claim("c", Pass, &[("v", Differs), ("d1", Differs), ("d2", Pass)]),
            claim(
                "not named",
                Pass,
                &[("v", Pass), ("d1", Pass), ("d2", Pass)],
            ),
        ];
        let setting = InferredSetting {
            setting: "s".to_owned(),
            value: "1".to_owned(),
            variant: Some("v".to_owned()),
            fitted: "a".to_owned(),
            predicts: vec!["b".to_owned(), "c".to_owned()],
            drawn: vec!["d1".to_owned(), "d2".to_owned()],
        };
        Findings {
            claims,
            inferred: vec![setting],
            ..Findings::default()
        }
    }

    #[test]
    fn drawn_values_are_counted_over_the_same_numbers() {
        let found = findings();
        assert_eq!(
            against_fitting(&found, &found.inferred[0]),
            "2 of 3 with the value; 1, 2 with drawn ones (1.5 in the mean)"
        );
    }

    #[test]
    fn a_setting_without_drawn_values_is_not_tested() {
        let mut found = findings();
        found.inferred[0].drawn.clear();
        assert_eq!(against_fitting(&found, &found.inferred[0]), "not tested");
        found.inferred[0].variant = None;
        found.inferred[0].drawn = vec!["d1".to_owned()];
        let text = against_fitting(&found, &found.inferred[0]);
        assert!(text.starts_with("1 of 3 with the value; 1 with"), "{text}");
    }
}
