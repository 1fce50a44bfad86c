//! The results folder of a reproduction.

use serde::Serialize;

use super::{Claim, Fault, Reproduction, Value, figure};
use crate::folder::Contents;
use crate::manifest::SCHEMA_VERSION;
use crate::plot::{Figure, Format};
use crate::run::Supervisor;

/// `manifest.json`.
#[derive(Serialize)]
struct Manifest<'a> {
    reproduction: &'a str,
    scale: f64,
    seed: Option<u64>,
    version: &'static str,
    schema_version: u32,
    command: &'a [String],
    host: crate::Host,
}

/// Fills the folder.
pub(super) fn keep(
    folder: &Contents,
    reproduction: &Reproduction,
    command: &[String],
    supervisor: &dyn Supervisor,
) -> Result<(), Fault> {
    folder.write("claims.json", &reproduction.to_json())?;
    folder.write("table.md", &markdown(reproduction))?;
    if let Some(figure) = &reproduction.figure {
        for format in Format::ALL {
            let name = format!("figure.{}", format.suffix());
            folder.write_bytes(&name, &figure.encode(*format))?;
        }
        write_data(folder, reproduction, figure)?;
    }
    let manifest = Manifest {
        reproduction: reproduction.id,
        scale: reproduction.scale,
        seed: reproduction.seed,
        version: crate::VERSION,
        schema_version: SCHEMA_VERSION,
        command,
        host: supervisor.host(),
    };
    Ok(folder.write_manifest(&manifest)?)
}

fn write_data(
    folder: &Contents,
    reproduction: &Reproduction,
    figure: &Figure,
) -> Result<(), Fault> {
    let notes = [
        ("reproduction", reproduction.id.to_owned()),
        ("scale", reproduction.scale.to_string()),
        ("version", crate::VERSION.to_owned()),
    ];
    let mut table = folder.table(&notes)?;
    figure::rows(figure).try_for_each(|row| table.push(&row))?;
    table.finish()?;
    Ok(())
}

/// The claims as a table in Markdown, for papers and notes.
fn markdown(reproduction: &Reproduction) -> String {
    let mut text = format!("# {}\n\n{}\n\n", reproduction.id, reproduction.summary);
    text += "| claim | paper | ours | verdict | note |\n| --- | --- | --- | --- | --- |\n";
    for claim in &reproduction.claims {
        let ours = ours(claim);
        text += &format!(
            "| {} | {} | {} | {} | {} |\n",
            claim.claim,
            cell(claim.paper.as_ref()),
            ours,
            claim.verdict.text(),
            claim.note.as_deref().unwrap_or_default()
        );
    }
    for note in &reproduction.notes {
        text += &format!("\n{note}\n");
    }
    text
}

fn ours(claim: &Claim) -> String {
    let ours = cell(claim.ours.as_ref());
    match (claim.low, claim.high) {
        (Some(low), Some(high)) => format!("{ours} ({low} to {high})"),
        _ => ours,
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Text(text)) => text.clone(),
        None => String::new(),
    }
}
