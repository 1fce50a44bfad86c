//! `pacesim metrics`.

use pacesim_lab::input;
use pacesim_lab::metrics::{ENTITIES, declared};
use pacesim_lab::study::{Listed, numbers};
use serde_json::json;

use super::{Ended, fail, refuse};
use crate::args::MetricsArgs;
use crate::exit::Outcome;
use crate::output::print;

/// Prints the metrics that fit a pattern.
pub(crate) fn metrics(args: &MetricsArgs) -> Ended {
    let pattern = args.pattern.as_deref().unwrap_or_default().to_lowercase();
    let fits =
        |row: &Listed| row.name.contains(&pattern) || row.meaning.to_lowercase().contains(&pattern);
    let all = match &args.of {
        None => all_metrics(),
        Some(file) => match input::study_from_file(file, &[]) {
            Ok(of) => numbers(&of.study),
            Err(rejected) => return refuse(args.json, &rejected),
        },
    };
    let rows: Vec<Listed> = all.into_iter().filter(fits).collect();
    if rows.is_empty() {
        let message = format!(
            "no metric has \"{pattern}\" in its name or meaning; `pacesim metrics` lists all"
        );
        return fail(args.json, Outcome::Invalid, message);
    }
    let text = if args.json {
        format!("{:#}\n", as_json(&rows))
    } else {
        lines(&rows)
    };
    print(&text)?;
    Ok(Outcome::Done)
}

/// All metrics as studies name them.
fn all_metrics() -> Vec<Listed> {
    let of_entity = |of: &'static str| {
        let entity = if of == "run" { "run" } else { "NAME" };
        declared(of).into_iter().map(move |metric| Listed {
            name: format!("{of}.{entity}.{}", metric.name),
            meaning: metric.meaning,
        })
    };
    ENTITIES.into_iter().flat_map(of_entity).collect()
}

fn lines(rows: &[Listed]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let line = |row: &Listed| format!("{:<width$}  {}\n", row.name, row.meaning);
    rows.iter().map(line).collect()
}

fn as_json(rows: &[Listed]) -> serde_json::Value {
    let row = |row: &Listed| json!({ "name": row.name, "meaning": row.meaning });
    json!({ "metrics": rows.iter().map(row).collect::<Vec<_>>() })
}
