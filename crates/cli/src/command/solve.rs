//! `pacesim solve`.

use std::io;
use std::path::Path;

use pacesim_lab::input::{Input, StudyInput};
use pacesim_lab::plot::Format;
use pacesim_lab::solve::{self, SolveFault, Solved, catalogue};
use pacesim_lab::tables::place::explained;

use super::{Ended, fail, read, refuse};
use crate::args::{ScenarioArgs, SolveArgs};
use crate::exit::Outcome;
use crate::output::{print, report};
use crate::solution;

/// Solves an analytic model.
pub(crate) fn solve(args: &SolveArgs) -> Ended {
    if args.list {
        print(&solution::models())?;
        return Ok(Outcome::Done);
    }
    // Before the work, so that an unusable name is reported at once.
    if let Some(fault) = no_files(args) {
        return invalid(args, fault);
    }
    let name = args.model.as_deref().unwrap_or_default();
    if let Some(file) = &args.scenario {
        return match (&args.port, name) {
            (Some(port), _) => of_scenario(args, file, |input| solve::solve_port(input, port)),
            (None, "ecmp") => of_scenario(args, file, solve::solve_paths),
            (None, "") => invalid(args, "--scenario needs --port, the name of a link"),
            _ => invalid(
                args,
                format!("{name} takes no scenario: write --scenario FILE --port NAME, or ecmp"),
            ),
        };
    }
    if args.params {
        return params(args, name);
    }
    match solve::solve(name, &args.sets) {
        Ok(solved) => answer(args, &solved),
        Err(fault) => invalid(args, fault),
    }
}

/// Solves a model whose parameters are those of a scenario.
fn of_scenario(
    args: &SolveArgs,
    file: &Path,
    solve: impl Fn(&Input) -> Result<Solved, SolveFault>,
) -> Ended {
    let scenario = ScenarioArgs {
        file: file.to_path_buf(),
        sets: args.sets.clone(),
    };
    match read(&scenario).and_then(StudyInput::alone) {
        Ok(input) => match solve(&input) {
            Ok(solved) => answer(args, &solved),
            Err(fault) => invalid(args, fault),
        },
        Err(rejected) => refuse(args.json, &rejected),
    }
}

fn params(args: &SolveArgs, name: &str) -> Ended {
    match catalogue::model(name) {
        Ok(model) => {
            print(&solution::params(model))?;
            Ok(Outcome::Done)
        }
        Err(error) => invalid(args, error),
    }
}

fn invalid(args: &SolveArgs, fault: impl std::fmt::Display) -> Ended {
    fail(args.json, Outcome::Invalid, fault)
}

/// Writes files first, so that the printed result comes last.
fn answer(args: &SolveArgs, solved: &Solved) -> Ended {
    let drawn = match solved.table(args.table.as_deref()) {
        Ok(table) => table,
        Err(fault) => return invalid(args, fault),
    };
    // Checked again, since a file may have appeared in the meantime.
    if let Some(fault) = no_files(args) {
        return invalid(args, fault);
    }
    if let Some(path) = &args.parquet {
        solved.write_parquet(path).map_err(io::Error::other)?;
    }
    if let Some(path) = &args.plot {
        plot(path, solved, drawn)?;
    }
    let printed = match args.table {
        Some(_) => vec![drawn],
        None => solved.solution.tables.iter().collect(),
    };
    if args.json {
        print(&solved.to_json())?
    } else {
        print(&solution::solution(solved, &printed))?
    }
    Ok(Outcome::Done)
}

/// The reason why the requested files cannot be written.
fn no_files(args: &SolveArgs) -> Option<String> {
    let picture = args.plot.as_deref().and_then(no_picture);
    let files = [&args.parquet, &args.plot].into_iter().flatten();
    picture.or_else(|| files.filter_map(|path| no_file(path, args.force)).next())
}

/// The reason why this cannot be a new file.
fn no_file(path: &Path, force: bool) -> Option<String> {
    let name = path.display();
    if path.file_name().is_none() || path.is_dir() {
        return Some(format!("{name} is a folder; give a file's name"));
    }
    let there = path.symlink_metadata().ok()?;
    match there.is_file() {
        true if force => None,
        true => Some(format!("{name} exists already; --force replaces it")),
        false => Some(format!("{name} is not an ordinary file; give another name")),
    }
}

/// The reason why this file name has no supported picture format.
fn no_picture(path: &Path) -> Option<String> {
    let fault = Format::of(path).err()?;
    Some(format!("--plot {}: {fault}", path.display()))
}

fn plot(path: &Path, solved: &Solved, table: &catalogue::Table) -> io::Result<()> {
    let format = Format::of(path).map_err(io::Error::other)?;
    let picture = pacesim_lab::solve::figure_of(table).encode(format);
    let written = pacesim_lab::write_complete(path, &picture);
    written.map_err(|error| io::Error::other(explained(path, &error)))?;
    let others = solved
        .solution
        .tables
        .iter()
        .map(|t| t.name)
        .filter(|n| *n != table.name);
    let others: Vec<&str> = others.collect();
    let hint = if others.is_empty() {
        String::new()
    } else {
        format!("; --table draws another: {}", others.join(", "))
    };
    report(&format!(
        "drew {} into {}{hint}\n",
        table.name,
        path.display()
    ));
    Ok(())
}
