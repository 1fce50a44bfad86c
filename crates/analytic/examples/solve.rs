//! Lists the models, or solves one: the use of the catalogue by a program.
//!
//! `cargo run -p pacesim-analytic --example solve -- fec_network load=0.2`

use std::process::ExitCode;

use pacesim_analytic::catalogue::{self, MODELS, Solution};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, settings)) = arguments.split_first() else {
        list();
        return ExitCode::SUCCESS;
    };
    let given = settings
        .iter()
        .map(|s| s.split_once('=').unwrap_or((s, "")));
    match catalogue::solve(name, &given.collect::<Vec<_>>()) {
        Ok(solution) => {
            print(&solution);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn list() {
    for model in MODELS {
        println!("{}: {} [{}]", model.name, model.summary, model.source);
        for p in model.params {
            println!(
                "    {} = {}  {} ({})",
                p.name,
                p.default,
                p.doc,
                p.kind.accepts()
            );
        }
    }
}

fn print(solution: &Solution) {
    for scalar in &solution.scalars {
        println!("{} = {}", scalar.name, scalar.value);
    }
    for table in &solution.tables {
        let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
        println!("\n# {}\n{}", table.title, names.join("\t"));
        for row in 0..table.rows() {
            let cells = table.columns.iter().map(|c| c.values[row].to_string());
            println!("{}", cells.collect::<Vec<_>>().join("\t"));
        }
    }
    for note in &solution.notes {
        println!("\nNote: {note}.");
    }
}
