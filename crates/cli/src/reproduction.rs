//! Reproductions and the catalogue, as text and JSON.

use pacesim_lab::claims::{Claim, Verdict, notes};
use pacesim_lab::findings::Findings;
use pacesim_lab::study::Forecast;
use pacesim_papers::{Elsewhere, Experiment};
use serde_json::json;

use crate::columns::of_texts;
use crate::numbers::{how_many, time};
use crate::output::{WIDTH, result_columns};

/// The claims of one experiment: the paper's number and pacesim's.
pub(crate) fn table(findings: &Findings) -> String {
    let mut text = format!("{}: {}", findings.id, findings.summary);
    if findings.scale != 1.0 {
        text += &format!(", at scale {}", findings.scale);
    }
    text += &format!("\n\n{}\n", claims(&findings.claims));
    for (note, claims) in notes(&findings.claims) {
        let about = format!("{}: {}: {note}", claims[0].verdict.text(), listed(&claims));
        text += &format!("\n{}\n", broken(&about, width()));
    }
    for note in &findings.notes {
        text += &format!("\n{}\n", broken(&format!("note: {note}"), width()));
    }
    text + &format!("\n{}\n\n", counts(std::slice::from_ref(findings)))
}

/// The column of bounds.
const EXPECTED: &str = "expected";

/// The claims of a study with remarks; empty without any.
pub(crate) fn expected(claims: &[Claim]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", judged(claims, EXPECTED));
    for (note, claims) in notes(claims) {
        let about = format!("{}: {}: {note}", claims[0].verdict.text(), listed(&claims));
        text += &format!("\n{}\n", broken(&about, width()));
    }
    text
}

/// The width of lines.
fn width() -> usize {
    result_columns().unwrap_or(WIDTH).min(WIDTH)
}

/// One row per claim; a column for ns-2 only if it has numbers.
fn claims(claims: &[Claim]) -> String {
    judged(claims, "paper")
}

/// The table of claims whose reference need not be a paper.
fn judged(claims: &[Claim], other: &str) -> String {
    let asks_ns2 = claims.iter().any(|claim| claim.ns2.is_some());
    let mut header = ["claim", other, "ours", "verdict"]
        .map(str::to_owned)
        .to_vec();
    if asks_ns2 {
        header.insert(3, "ns-2".to_owned());
    }
    let row = |claim: &Claim| {
        let mut row = row(claim, other);
        if asks_ns2 {
            let ns2 = claim.ns2.map(|number| claim.shown().text(number));
            row.insert(3, ns2.unwrap_or_default());
        }
        row
    };
    of_texts(header, claims.iter().map(row))
}

fn row(claim: &Claim, other: &str) -> Vec<String> {
    let paper = match &claim.paper {
        _ if other == EXPECTED => claim.bound(),
        None => claim.accepts.clone(),
        paper => format!("{}{}", relation(claim), claim.shown().value(paper.as_ref())),
    };
    // Shares of a line of 100 columns, which most claims do not fill.
    let share = |columns: usize| columns * width() / WIDTH;
    vec![
        broken(&claim.claim, share(48)),
        broken(&paper, share(24)),
        broken(&claim.ours(), share(36)),
        claim.verdict.text().to_owned(),
    ]
}

/// The required relation of pacesim's number to the paper's, unless equality.
fn relation(claim: &Claim) -> &'static str {
    match claim.accepts.as_str() {
        "at least" => "≥ ",
        "at most" => "≤ ",
        _ => "",
    }
}

fn listed(claims: &[&Claim]) -> String {
    let texts: Vec<&str> = claims.iter().map(|claim| claim.claim.as_str()).collect();
    texts.join("; ")
}

/// A string broken between words.
pub(crate) fn broken(text: &str, widest: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("broken text has a line");
        let needed = last.chars().count() + 1 + word.chars().count();
        match () {
            () if last.is_empty() => last.push_str(word),
            () if needed <= widest => *last += &format!(" {word}"),
            () => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Totals over all experiments.
pub(crate) fn totals(all: &[Findings]) -> String {
    format!("{} experiments: {}\n", all.len(), counts(all))
}

fn counts(all: &[Findings]) -> String {
    use Verdict::{Differs, NotRun, Pass, Undecided};
    let count = |verdict| all.iter().map(|one| one.count(verdict)).sum::<usize>();
    let counted =
        [Pass, Differs, Undecided, NotRun].map(|verdict| (count(verdict), verdict.text()));
    let some = counted.iter().filter(|(count, _)| *count > 0);
    let texts: Vec<String> = some.map(|(n, text)| format!("{n} {text}")).collect();
    texts.join(", ")
}

/// Several findings in one document.
pub(crate) fn all_json(all: &[Findings]) -> String {
    json(&json!({ "experiments": all }))
}

/// An experiment, and its last findings.
type Known<'a> = (&'a Experiment, Option<Findings>);

/// The catalogue, paper by paper.
pub(crate) fn list(known: &[Known<'_>], elsewhere: &[&Elsewhere]) -> String {
    let ids = known.iter().map(|(experiment, _)| experiment.id.len());
    let width = ids.max().unwrap_or(0);
    let mut text = String::new();
    let mut paper = "";
    for (experiment, findings) in known {
        if !paper.is_empty() && paper != experiment.paper() {
            text.push('\n');
        }
        paper = experiment.paper();
        text += &format!("{:width$}  {}\n", experiment.id, experiment.summary);
        if let Some(findings) = findings {
            text += &format!("{:width$}  {}\n", "", last(findings));
        }
    }
    text += &format!(
        "\n{} experiments; a paper's name or \"all\" means each of its experiments\n",
        known.len()
    );
    for of in elsewhere {
        let Elsewhere {
            group,
            summary,
            program,
            command,
        } = of;
        text += &format!("\n{group}  {summary}; takes the program {program}: {command}\n");
    }
    text
}

/// The last findings of an experiment, in a line.
fn last(findings: &Findings) -> String {
    let counts = counts(std::slice::from_ref(findings));
    match findings.scale {
        1.0 => format!("last run: {counts}"),
        scale => format!("last run, at scale {scale}: {counts}"),
    }
}

/// The list as a JSON document.
pub(crate) fn list_json(known: &[Known<'_>], elsewhere: &[&Elsewhere]) -> String {
    let entry = |(experiment, findings): &Known<'_>| {
        json!({
            "id": experiment.id,
            "summary": experiment.summary,
            "last": findings,
        })
    };
    let all: Vec<_> = known.iter().map(entry).collect();
    let other = |of: &&Elsewhere| json!({ "group": of.group, "summary": of.summary, "program": of.program, "command": of.command });
    let elsewhere: Vec<_> = elsewhere.iter().map(other).collect();
    json(&json!({ "experiments": all, "elsewhere": elsewhere }))
}

/// The runs of experiments and their cost; nothing for experiments other than grids.
pub(crate) fn forecasts(all: &[(&Experiment, Option<Forecast>)], jobs: usize) -> String {
    let header = ["experiment", "runs", "missing", "about"].map(str::to_owned);
    let rows = all.iter().map(|(experiment, forecast)| {
        let cells = match forecast {
            None => ["-".into(), "-".into(), "not a grid".into()],
            Some(forecast) => [
                forecast.runs.to_string(),
                forecast.missing.to_string(),
                cost(forecast, jobs).map_or_else(String::new, time),
            ],
        };
        std::iter::once(experiment.id.clone())
            .chain(cells)
            .collect()
    });
    let table = of_texts(header.to_vec(), rows);
    let forecasts = all.iter().filter_map(|(_, forecast)| forecast.as_ref());
    let total: f64 = forecasts.filter_map(|forecast| cost(forecast, jobs)).sum();
    format!(
        "{table}\nabout {} with {}\n",
        time(total),
        how_many(jobs, "job")
    )
}

/// The time of the missing runs, in seconds.
fn cost(forecast: &Forecast, jobs: usize) -> Option<f64> {
    match forecast.missing {
        0 => Some(0.0),
        _ => forecast.missing_s.map(|seconds| seconds / jobs as f64),
    }
}

/// The forecasts as one JSON document.
pub(crate) fn forecasts_json(all: &[(&Experiment, Option<Forecast>)]) -> String {
    let entry = |(experiment, forecast): &(&Experiment, Option<Forecast>)| json!({ "id": experiment.id, "forecast": forecast });
    let all: Vec<_> = all.iter().map(entry).collect();
    json(&json!({ "experiments": all }))
}

fn json(document: &serde_json::Value) -> String {
    let text = serde_json::to_string_pretty(document).expect("string keys only");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_between_words() {
        let text = "word ".repeat(30);
        let broken = broken(text.trim(), 60);
        assert!(broken.lines().count() > 1, "{:?}", broken.lines().count());
        assert!(broken.lines().all(|line| line.len() <= 60));
        assert_eq!(broken.replace('\n', " "), text.trim());
    }
}
