//! Printed solutions and models.

use pacesim_lab::solve::catalogue::{MODELS, Model, Param, Table};
use pacesim_lab::solve::{Range, Solved};

use crate::columns::of_texts;
use crate::numbers::six_digits;

/// The most rows printed of a table; files have all of them.
const MOST_ROWS: usize = 21;

/// The headline numbers, the tables and remarks on them.
pub(crate) fn solution(solved: &Solved, tables: &[&Table]) -> String {
    let model = MODELS.iter().find(|model| model.name == solved.model);
    let about = model.map_or_else(String::new, |model| format!(": {}", model.summary));
    let mut text = format!("{}{about}\n", solved.model);
    text += &format!("{}\n\n", params_in_force(solved));
    for scalar in &solved.solution.scalars {
        let width = name_width(solved);
        text += &format!("{:width$}  {}\n", scalar.name, six_digits(scalar.value));
    }
    for table in tables {
        text += &format!("\n{}: {}\n{}\n", table.name, table.title, rows(table));
    }
    if let Some(origin) = &solved.origin {
        let port = origin.port.as_ref();
        let port = port.map_or_else(String::new, |port| format!(", port {port}"));
        text += &format!("\n{}{port}; assumed:\n", origin.scenario);
        for assumption in &origin.assumptions {
            text += &format!("  - {assumption}\n");
        }
    }
    for note in &solved.solution.notes {
        text += &format!("\nnote: {note}\n");
    }
    text
}

fn params_in_force(solved: &Solved) -> String {
    let params = solved.solution.params.iter();
    let pairs = params.map(|(name, text)| format!("{name}={text}"));
    pairs.collect::<Vec<_>>().join(" ")
}

fn name_width(solved: &Solved) -> usize {
    let names = solved.solution.scalars.iter().map(|s| s.name.len());
    names.max().unwrap_or(0)
}

/// A table's rows; a long one is sampled at equal steps, ending with the last row.
fn rows(table: &Table) -> String {
    let all = table.rows();
    let shown = all.min(MOST_ROWS);
    let place = |i: usize| i * (all - 1) / (shown - 1).max(1);
    let row = |i: usize| {
        let cells = table.columns.iter().map(|c| six_digits(c.values[place(i)]));
        cells.collect()
    };
    let header = table.columns.iter().map(|c| c.name.clone()).collect();
    let text = of_texts(header, (0..shown).map(row));
    if shown < all {
        format!("{text}\n({shown} of {all} rows; --json and --parquet give all)")
    } else {
        text
    }
}

/// All models, one per line.
pub(crate) fn models() -> String {
    let line = |model: &Model| format!("{:<12} {}\n", model.name, model.summary);
    let lines: String = MODELS.iter().map(line).collect();
    lines + "\n`pacesim solve MODEL --params` lists the parameters of a model.\n"
}

/// The parameters of a model.
pub(crate) fn params(model: &Model) -> String {
    let mut text = format!("{}: {}\n({})\n", model.name, model.summary, model.source);
    for param in model.params {
        text += &format!("\n  {} = {}\n", param.name, param.default);
        text += &format!("      {}\n      {}\n", param.doc, admissible(param));
    }
    let example = model.params.first();
    let set = example.map_or_else(String::new, |p| format!(" --set {}={}", p.name, p.default));
    text + &format!("\nExample: pacesim solve {}{set}\n", model.name)
}

fn admissible(param: &Param) -> String {
    let accepts = param.kind.accepts();
    if param.range == Range::ANY {
        accepts
    } else {
        format!("{accepts}; {}", param.range)
    }
}
