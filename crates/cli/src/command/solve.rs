//! `pacesim solve`.

use std::io;

use pacesim_lab::solve::{self, Solved, catalogue};

use super::Ended;
use crate::args::SolveArgs;
use crate::exit::Outcome;
use crate::output::{complain, print};
use crate::solution;

/// Solves an analytic model.
pub(crate) fn solve(args: &SolveArgs) -> Ended {
    if args.list {
        print(&solution::models())?;
        return Ok(Outcome::Done);
    }
    let name = args.model.as_deref().unwrap_or_default();
    if args.params {
        return params(name);
    }
    match solve::solve(name, &args.sets) {
        Ok(solved) => answer(args, &solved),
        Err(fault) => invalid(fault),
    }
}

fn params(name: &str) -> Ended {
    match catalogue::model(name) {
        Ok(model) => {
            print(&solution::params(model))?;
            Ok(Outcome::Done)
        }
        Err(error) => invalid(error),
    }
}

fn invalid(fault: impl std::fmt::Display) -> Ended {
    complain(fault);
    Ok(Outcome::Invalid)
}

/// Files first, so that what is printed last is the result.
fn answer(args: &SolveArgs, solved: &Solved) -> Ended {
    let tables = match &args.table {
        None => solved.solution.tables.iter().collect(),
        Some(name) => match solved.table(Some(name)) {
            Ok(table) => vec![table],
            Err(fault) => return invalid(fault),
        },
    };
    if let Some(path) = &args.parquet {
        solved.write_parquet(path).map_err(io::Error::other)?;
    }
    match args.json {
        true => print(&solved.to_json())?,
        false => print(&solution::solution(solved, &tables))?,
    }
    Ok(Outcome::Done)
}
