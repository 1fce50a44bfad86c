//! The results as a page in Markdown, with the figures beside it.

use std::fmt::Write;

use pacesim_lab::claims::Claim;
use pacesim_lab::study::FIGURES;

use crate::ci::in_cell;

use super::{Evaluation, Tried, held, measured};

/// The page.
pub(crate) fn page(evaluation: &Evaluation) -> String {
    let mut text = format!(
        "# Evaluation of {}\n\n`traffic = {{ {} }}`\n\n{}.\n",
        evaluation.traffic.name(),
        evaluation.traffic.keys(),
        evaluation.totals()
    );
    if evaluation.scale != 1.0 {
        text += &format!(
            "\nMade at scale {}: runs and replications are not those that the bounds were meant for.\n",
            evaluation.scale
        );
    }
    text += "\nThe bounds are pacesim's own, the same for all controls; a claim that differs is a property of the \
             control, and for some the point of it.\n";
    for one in &evaluation.tried {
        study(&mut text, one);
    }
    if let Some(trials) = &evaluation.trials {
        text += "\n## conformance: trials of RFC 9743\n\n| criterion | trial | measured | verdict |\n| --- | --- | --- | --- |\n";
        for finding in trials {
            row(
                &mut text,
                &[
                    finding.criterion,
                    finding.trial,
                    &measured(finding),
                    held(finding.verdict),
                ],
            );
        }
    }
    text
}

fn study(text: &mut String, one: &Tried) {
    *text += &format!(
        "\n## {}\n\n{}\n\n| claim | expected | measured | verdict |\n| --- | --- | --- | --- |\n",
        one.name, one.subject
    );
    for claim in &one.claims {
        claimed(text, claim);
    }
    for why in &one.gave_up {
        row(text, &["runs to its end", "", why, "gave up"]);
    }
    for figure in &one.figures {
        *text += &format!("\n![{figure}]({}/{FIGURES}/{figure}.svg)\n", one.name);
    }
    *text += &format!(
        "\nTo repeat: `pacesim sweep {0}.study.toml --out {0}`; fingerprint {1}.\n",
        one.name, one.fingerprint
    );
}

fn claimed(text: &mut String, claim: &Claim) {
    let cells = [
        claim.claim.as_str(),
        &claim.bound(),
        &claim.ours(),
        claim.verdict.text(),
    ];
    row(text, &cells);
}

fn row(text: &mut String, cells: &[&str]) {
    let cells: Vec<String> = cells.iter().map(|cell| in_cell(cell)).collect();
    writeln!(text, "| {} |", cells.join(" | ")).expect("a String takes every text");
}
