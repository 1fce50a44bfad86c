//! The results folder of an experiment.

use pacesim_plot::{Figure, Format};
use pacesim_runs::error::RunError;
use pacesim_runs::folder::Contents;
use pacesim_runs::manifest::{Host, SCHEMA_VERSION};
use serde::Serialize;

use crate::claims::{Claim, Value, notes, six_digits};
use crate::findings::{CLAIMS, Findings, TABLE, points};

/// `manifest.json`.
#[derive(Serialize)]
struct Manifest<'a> {
    reproduction: &'a str,
    scale: f64,
    seed: Option<u64>,
    version: &'static str,
    schema_version: u32,
    command: &'a [String],
    host: Host,
}

/// Fills the folder.
pub(super) fn keep(
    folder: &Contents,
    findings: &Findings,
    command: &[String],
    host: Host,
) -> Result<(), RunError> {
    folder.write(CLAIMS, &findings.to_json())?;
    folder.write(TABLE, &findings.page())?;
    if let Some(figure) = &findings.figure {
        for format in Format::ALL {
            let name = format!("figure.{}", format.suffix());
            folder.write_bytes(&name, &figure.encode(*format))?;
        }
        write_data(folder, findings, figure)?;
    }
    let manifest = Manifest {
        reproduction: &findings.id,
        scale: findings.scale,
        seed: findings.seed,
        version: pacesim_runs::VERSION,
        schema_version: SCHEMA_VERSION,
        command,
        host,
    };
    Ok(folder.write_manifest(&manifest)?)
}

fn write_data(folder: &Contents, findings: &Findings, figure: &Figure) -> Result<(), RunError> {
    let notes = [
        ("reproduction", findings.id.clone()),
        ("scale", findings.scale.to_string()),
        ("version", pacesim_runs::VERSION.to_owned()),
    ];
    let mut table = folder.table(&notes)?;
    points::rows(figure).try_for_each(|row| table.push(row))?;
    table.finish()?;
    Ok(())
}

/// The claims as a table in Markdown, and what is to be known of them, for papers and notes.
pub(super) fn markdown(findings: &Findings) -> String {
    let mut text = "| claim | paper | ours | verdict |\n| --- | --- | --- | --- |\n".to_owned();
    for claim in &findings.claims {
        let paper = match &claim.paper {
            None => claim.accepts.clone(),
            paper => cell(paper.as_ref()),
        };
        let cells = [&claim.claim, &paper, &ours(claim), claim.verdict.text()];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text.extend(notes(&findings.claims).into_iter().map(paragraph));
    for note in &findings.notes {
        text += &format!("\n{note}\n");
    }
    text
}

/// A note, with the claims that share it.
fn paragraph((note, claims): (&str, Vec<&Claim>)) -> String {
    let names: Vec<&str> = claims.iter().map(|claim| claim.claim.as_str()).collect();
    let (verdict, names) = (claims[0].verdict.text(), names.join("; "));
    format!("\n*{verdict}: {names}*: {note}.\n")
}

fn ours(claim: &Claim) -> String {
    let ours = cell(claim.ours.as_ref());
    match (claim.low, claim.high) {
        (Some(low), Some(high)) => {
            format!("{ours} ({} to {})", six_digits(low), six_digits(high))
        }
        _ => ours,
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => six_digits(*number),
        Some(Value::Text(text)) => text.clone(),
        None => String::new(),
    }
}
