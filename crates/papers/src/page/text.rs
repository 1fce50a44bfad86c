//! The text of the page.

use pacesim_lab::findings::Findings;
use pacesim_lab::study::RESULTS_VERSION;

use super::messages::{Message, filled, messages};
use super::score::score;
use super::{Known, Pictures, numbers, settings};
use crate::Experiment;

/// The first part of the page, and the part after its tables.
const HEAD: &str = include_str!("../head.md");

/// The placeholder in the first part for the page's numbers.
const NUMBERS: &str = "NUMBERS\n";

pub(super) fn text(known: &[Known<'_>], digest: &str, pictures: &Pictures) -> String {
    let all: Vec<&Findings> = known.iter().filter_map(|(_, findings)| *findings).collect();
    let numbers = [
        provenance(&all, digest),
        earlier(&all),
        score(known),
        papers(&all),
    ];
    let mut text = HEAD.replace(NUMBERS, &numbers.join("\n"));
    for table in [numbers::table(&all, pictures), settings::table(&all)] {
        if !table.is_empty() {
            text += &format!("\n{table}");
        }
    }
    let mut paper = "";
    for (experiment, findings) in known {
        if experiment.paper() != paper {
            paper = experiment.paper();
            text += &format!("\n## {paper}\n");
            let messages = messages();
            let message = messages.iter().find(|message| message.paper == paper);
            text += &message.map_or_else(String::new, |message| verdict_on(message, &all));
        }
        text += &section(experiment, *findings, pictures);
    }
    text
}

/// The commit, the machine, the scale and the digest of all results.
fn provenance(all: &[&Findings], digest: &str) -> String {
    let each = |of: &dyn Fn(&Findings) -> Option<String>| {
        let mut values: Vec<String> = all.iter().filter_map(|findings| of(findings)).collect();
        values.sort();
        values.dedup();
        if values.is_empty() {
            "not said".to_owned()
        } else {
            values.join(" and ")
        }
    };
    let commit = each(&|findings| findings.origin.commit.clone());
    let machine = each(&|findings| findings.origin.machine.clone());
    let scale = scales(all);
    let seconds: f64 = all
        .iter()
        .filter_map(|findings| findings.origin.wall_s)
        .sum();
    format!(
        "Commit {commit}; machine: {machine}; scale {scale}; the runs took {} of wall time in total, on a machine that did other work too.\n\
         Digest of all results: `{digest}`; the findings are in a JSON document beside this page, from which a test regenerates it.\n",
        duration(seconds)
    )
}

fn is_earlier(results: &u32) -> bool {
    *results < RESULTS_VERSION
}

/// The number of sections whose runs are of an earlier version of results.
fn earlier(all: &[&Findings]) -> String {
    let of_studies = || all.iter().filter_map(|findings| findings.origin.results);
    let earlier = of_studies().filter(is_earlier).count();
    match earlier {
        0 => String::new(),
        _ => format!(
            "The runs of {earlier} of the {} studies are of results before version {RESULTS_VERSION}, as their sections say: the changelog lists what has moved since.\n",
            of_studies().count()
        ),
    }
}

/// "1", or "1, but 0.1 of edge/fig3 and edge/fig4".
fn scales(all: &[&Findings]) -> String {
    let mut scales: Vec<f64> = all.iter().map(|findings| findings.scale).collect();
    scales.sort_by(f64::total_cmp);
    scales.dedup();
    let Some(full) = scales.pop() else {
        return "not said".to_owned();
    };
    let mut text = full.to_string();
    for scale in scales.into_iter().rev() {
        let of_scale = all.iter().filter(|findings| findings.scale == scale);
        let ids: Vec<&str> = of_scale.map(|findings| &*findings.id).collect();
        text += &format!(", but {scale} of {}", ids.join(", "));
    }
    text
}

/// "3 h 5 min", "12 min", "3.2 s".
fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 3600.0 => format!(
            "{:.0} h {:.0} min",
            (s / 3600.0).floor(),
            (s % 3600.0) / 60.0
        ),
        s if s >= 60.0 => format!("{:.0} min", s / 60.0),
        s => format!("{s:.1} s"),
    }
}

/// One line per paper: its message, and the part of it that holds.
fn papers(all: &[&Findings]) -> String {
    let line = |message: Message| {
        let stands = filled(&message.stands, all);
        format!("| {} | {} | {stands} |\n", message.paper, message.says)
    };
    let lines: String = messages().into_iter().map(line).collect();
    // Two tables in a row are drawn as one.
    format!(
        "Each paper in a sentence, and our results:\n\n| paper | its message | our results |\n| --- | --- | --- |\n{lines}"
    )
}

/// The results to build on, and the gaps of the paper.
fn verdict_on(message: &Message, all: &[&Findings]) -> String {
    let build_on = filled(&message.build_on, all);
    let left_out = &message.left_out;
    format!("\n**Results to build on.** {build_on}\n\n**Omitted by the paper.** {left_out}\n")
}

fn section(experiment: &Experiment, findings: Option<&Findings>, pictures: &Pictures) -> String {
    let Experiment { id, summary, .. } = experiment;
    let mut text = format!("\n### {id}\n\n{summary}.\n");
    let Some(findings) = findings else {
        return text + "\nNot run.\n";
    };
    text += &format!("\n{}", findings.markdown());
    for figure in &findings.figures {
        text += &format!("\n![{summary}]({})\n", pictures.name(experiment, figure));
    }
    text + &format!("\n{}.\n", origin(findings))
}

/// "Scale 1, version 0.1.0, seed 1, 5 replications; runs of 3 min in total; digests of runs and results".
fn origin(findings: &Findings) -> String {
    let mut text = format!("Scale {}", findings.scale);
    if findings.scale != 1.0 {
        text += " (of the times and replications stated above)";
    }
    text += &format!(", version {}", findings.version);
    if let Some(results) = findings.origin.results.filter(is_earlier) {
        text += &format!(", results of version {results}");
    }
    if let Some(seeds) = &findings.origin.seeds {
        text += &format!(", {seeds}");
    }
    if let Some(seconds) = findings.origin.wall_s {
        text += &format!("; runs of {} in total", duration(seconds));
    }
    if let Some(digest) = &findings.fingerprint {
        text += &format!("; digest of its runs `{digest}`");
    }
    text + &format!("; digest of its results `{}`", findings.digest())
}
