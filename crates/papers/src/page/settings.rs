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
        "## What the papers must have used\n\nEach setting is one that a paper leaves open. It was chosen for one number, and decides the others, which are predictions; those that fail are named too. A number that chose a setting counts as fitted, not as reproduced.\n\n| experiment | setting | value | fitted to | predictions that hold | predictions that fail |\n| --- | --- | --- | --- | --- | --- |\n{rows}"
    )
}

fn row(findings: &Findings, setting: &InferredSetting) -> String {
    let told = |claim: &str| {
        let mut claims = findings.claims.iter();
        let known = claims.find(|known| known.claim == claim);
        let Some(known) = known else {
            return (Verdict::NotRun, format!("{claim}: not run"));
        };
        let (verdict, ours) = under(known, setting);
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
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.join(" | "))
}

/// The verdict on a claim and its number, under the setting.
fn under(claim: &Claim, setting: &InferredSetting) -> (Verdict, String) {
    let Some(name) = &setting.variant else {
        return (claim.verdict, claim.ours());
    };
    let mut variants = claim.variants.iter();
    match variants.find(|variant| variant.variant == *name) {
        Some(variant) => (variant.verdict, variant.number(claim.shown())),
        None => (Verdict::NotRun, "not run".to_owned()),
    }
}
