//! The score: statements of the papers by their standing, and apart from them alternatives and tests of
//! our own.

use pacesim_lab::claims::{Claim, Kind, Verdict};
use pacesim_lab::findings::Findings;
use pacesim_lab::statements::{Standing, of_kind, statements};

use super::Known;

/// The sections that are ours: their claims are apart from those about papers.
pub(super) const OURS: [&str; 3] = ["beyond", "fabric", "lossless"];

/// The claims of each kind by verdict, then the statements of each paper by standing.
pub(super) fn score(known: &[Known<'_>]) -> String {
    let papers = papers(known);
    let ours: Vec<&str> = papers
        .iter()
        .copied()
        .filter(|paper| OURS.contains(paper))
        .collect();
    let others: Vec<&str> = papers
        .iter()
        .copied()
        .filter(|paper| !OURS.contains(paper))
        .collect();
    let found: Vec<&Findings> = others.iter().flat_map(|paper| of(known, paper)).collect();
    let mut text = kinds(&found);
    text += &format!("\n{}\n", unexplained(&found));
    text += &format!("\n{}", standings(known, &others));
    if !ours.is_empty() {
        let found: Vec<&Findings> = ours.iter().flat_map(|paper| of(known, paper)).collect();
        let names = ours.join(", ");
        text += &format!("\nExperiments of our own ({names}):\n\n{}", kinds(&found));
    }
    text
}

/// The papers of a page in order.
fn papers<'a>(known: &[Known<'a>]) -> Vec<&'a str> {
    let mut papers: Vec<&str> = known
        .iter()
        .map(|(experiment, _)| experiment.paper())
        .collect();
    papers.dedup();
    papers
}

/// The findings of a paper.
fn of<'a>(known: &[Known<'a>], paper: &str) -> Vec<&'a Findings> {
    let of_paper = known
        .iter()
        .filter(|(experiment, _)| experiment.paper() == paper);
    of_paper.filter_map(|(_, findings)| *findings).collect()
}

/// The number of claims of each kind, by verdict.
fn kinds(all: &[&Findings]) -> String {
    const VERDICTS: [Verdict; 4] = [
        Verdict::Pass,
        Verdict::Differs,
        Verdict::Undecided,
        Verdict::NotRun,
    ];
    let mut text = "| kind of claim | claims | PASS | DIFFERS | UNDECIDED | NOT RUN | without a reason |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n".to_owned();
    for kind in [Kind::Paper, Kind::Alternative, Kind::Own] {
        let claims: Vec<&Claim> = all.iter().flat_map(|found| of_kind(found, kind)).collect();
        if claims.is_empty() {
            continue;
        }
        text += &format!("| {} | {} |", kind.text(), claims.len());
        for verdict in VERDICTS {
            let count = claims
                .iter()
                .filter(|claim| claim.verdict == verdict)
                .count();
            text += &format!(" {count} |");
        }
        let silent = claims.iter().filter(|claim| claim.is_unexplained()).count();
        text += &format!(" {silent} |\n");
    }
    text
}

/// The sentence on what nothing explains.
fn unexplained(all: &[&Findings]) -> String {
    let all: Vec<Standing> = standings_of(all);
    let count = |standing: Standing| all.iter().filter(|one| **one == standing).count();
    format!(
        "The papers make {} statements about their systems. {} hold, {} of them because a setting was fitted to them. {} differ, and {} of these have no explanation; {} are undecided.",
        all.len(),
        count(Standing::Pass) + count(Standing::Fitted),
        count(Standing::Fitted),
        count(Standing::Shown)
            + count(Standing::Calculated)
            + count(Standing::Ns2)
            + count(Standing::Unexplained),
        count(Standing::Unexplained),
        count(Standing::Undecided),
    )
}

fn standings_of(all: &[&Findings]) -> Vec<Standing> {
    let statements = all.iter().flat_map(|findings| statements(findings));
    statements.map(|statement| statement.standing()).collect()
}

/// The statements of each paper, by standing.
fn standings(known: &[Known<'_>], papers: &[&str]) -> String {
    let mut text = "| paper | experiments | statements |".to_owned();
    for standing in Standing::ALL {
        text += &format!(" {} |", standing.text());
    }
    text += "\n| --- | ---: | ---: |";
    text += &" ---: |".repeat(Standing::ALL.len());
    text.push('\n');
    for paper in papers {
        let found = of(known, paper);
        let all = standings_of(&found);
        text += &format!("| {paper} | {} | {} |", found.len(), all.len());
        for standing in Standing::ALL {
            let count = all.iter().filter(|one| **one == standing).count();
            text += &format!(" {count} |");
        }
        text.push('\n');
    }
    text
}
