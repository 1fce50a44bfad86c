//! The results folder of an experiment.

use pacesim_plot::{Figure, Format};
use pacesim_runs::error::RunError;
use pacesim_runs::folder::Contents;
use pacesim_runs::manifest::{Host, SCHEMA_VERSION};
use serde::Serialize;

use crate::claims::{Claim, Kind, Verdict, notes};
use crate::findings::{CLAIMS, Findings, TABLE, points};

/// The content of `manifest.json`.
#[derive(Serialize)]
struct FindingsManifest<'a> {
    reproduction: &'a str,
    scale: f64,
    seed: Option<u64>,
    version: &'static str,
    schema_version: u32,
    command: &'a [String],
    host: Host,
}

/// Writes all files of the folder.
pub(super) fn keep(
    folder: &Contents,
    findings: &Findings,
    command: &[String],
    host: Host,
) -> Result<(), RunError> {
    folder.write(CLAIMS, &findings.sealed())?;
    folder.write(TABLE, &findings.page())?;
    if let Some(figure) = &findings.figure {
        for format in Format::ALL {
            let name = format!("figure.{}", format.suffix());
            folder.write_bytes(&name, &figure.encode(*format))?;
        }
        write_data(folder, findings, figure)?;
    }
    let manifest = FindingsManifest {
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

/// The claims as tables in Markdown, with remarks, for papers and notes: those of the paper, and tests of
/// our own.
pub(super) fn markdown(findings: &Findings) -> String {
    let is_own = |claim: &&Claim| claim.kind == Kind::Own;
    let (own, of_paper): (Vec<&Claim>, Vec<&Claim>) = findings.claims.iter().partition(is_own);
    let mut text = match of_paper.is_empty() {
        true => String::new(),
        false => table(&of_paper),
    };
    if !own.is_empty() {
        if !of_paper.is_empty() {
            text += "\nTests of our own:\n\n";
        }
        text += &table(&own);
    }
    text.extend(notes(&findings.claims).into_iter().map(paragraph));
    text += &ns2(&findings.claims);
    text += &choices(&findings.claims);
    for note in &findings.notes {
        text += &format!("\n{note}\n");
    }
    text
}

/// Claims, one in each row.
fn table(claims: &[&Claim]) -> String {
    let mut text =
        "| claim | paper | accepted | ours | verdict |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
    for claim in claims {
        let (paper, ours) = (claim.shown().value(claim.paper.as_ref()), claim.ours());
        let words = match &claim.instead_of {
            Some(other) => format!("*alternative, {}*: {}", other.setting, claim.claim),
            None => claim.claim.clone(),
        };
        let cells = [&words, &paper, &claim.accepts, &ours, claim.verdict_text()];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

/// The numbers of ns-2 on the same network, if it was run.
fn ns2(claims: &[Claim]) -> String {
    let rows = claims.iter().filter_map(|claim| {
        let (number, ours) = (claim.number_of_ns2()?, claim.ours());
        let name = claim.claim.replace('|', "\\|");
        Some(format!("| {name} | {number} | {ours} |\n"))
    });
    table_of(
        "| on the same network | ns-2 | ours |\n| --- | --- | --- |\n",
        rows,
    )
}

/// The range of results over the choices that a paper leaves open: for each claim judged under
/// other choices, its least and greatest number, and the choices that make it hold.
fn choices(claims: &[Claim]) -> String {
    let varied = claims.iter().filter(|claim| !claim.variants.is_empty());
    let rows = varied.map(|claim| {
        let each = claim.variants.iter();
        let each = each.map(|one| format!("{}: {}", one.variant, one.number(claim.shown())));
        let each: Vec<String> = each.collect();
        let reached = claim
            .variants
            .iter()
            .filter(|one| one.verdict == Verdict::Pass);
        let reached: Vec<&str> = reached.map(|one| one.variant.as_str()).collect();
        let reached = match (claim.verdict, reached.is_empty()) {
            (Verdict::Pass, _) => "as stated".to_owned(),
            (_, true) => "not reached".to_owned(),
            (_, false) => reached.join(", "),
        };
        let name = claim.claim.replace('|', "\\|");
        format!("| {name} | {} | {reached} |\n", each.join("; "))
    });
    table_of(
        "| claim under other choices | numbers | holds under |\n| --- | --- | --- |\n",
        rows,
    )
}

/// A separate table, unless it is empty.
fn table_of(head: &str, rows: impl Iterator<Item = String>) -> String {
    let rows: String = rows.collect();
    if rows.is_empty() {
        rows
    } else {
        format!("\n{head}{rows}")
    }
}

/// A note, with the claims that share it.
fn paragraph((note, claims): (String, Vec<&Claim>)) -> String {
    let names: Vec<&str> = claims.iter().map(|claim| claim.claim.as_str()).collect();
    let (verdict, names) = (claims[0].verdict.text(), names.join("; "));
    format!("\n*{verdict}: {names}*: {note}.\n")
}
