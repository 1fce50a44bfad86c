//! `pacesim verify`.

use pacesim_lab::verify::{Again, Verified, VerifyError, verify as check};

use super::{Ended, fail};
use crate::args::VerifyArgs;
use crate::exit::Outcome;
use crate::monitor::TerminalMonitor;
use crate::numbers::how_many;
use crate::output::print;

/// Checks a folder against its digests.
pub(crate) fn verify(args: &VerifyArgs) -> Ended {
    let monitor = TerminalMonitor::new(!args.quiet && !args.json);
    let again = Again {
        runs: args.again,
        seed: args.seed,
    };
    let verified = check(&args.folder, again, &monitor);
    monitor.clear();
    let verified = match verified {
        Ok(verified) => verified,
        Err(error) => return fail(args.json, outcome(&error), error),
    };
    if args.json {
        print(&verified.to_json())?
    } else {
        print(&text(&verified))?
    }
    Ok(if verified.is_sound() {
        Outcome::Done
    } else {
        Outcome::Differs
    })
}

fn outcome(error: &VerifyError) -> Outcome {
    match error {
        VerifyError::Interrupted => Outcome::Interrupted,
        error if error.is_usage() => Outcome::Invalid,
        _ => Outcome::Failed,
    }
}

fn text(verified: &Verified) -> String {
    let checked = match verified.kind {
        "study" => how_many(verified.runs as usize, "run"),
        _ => how_many(verified.files as usize, "file"),
    };
    let again = match verified.again {
        0 => String::new(),
        runs => format!(", {} made again", how_many(runs as usize, "run")),
    };
    let folder = verified.folder.display();
    let found = match verified.problems.len() {
        0 => "everything is unchanged".to_owned(),
        problems => how_many(problems, "problem"),
    };
    let lines = verified
        .problems
        .iter()
        .map(|problem| format!("  {problem}\n"));
    format!(
        "{folder}: {checked} checked{again}: {found}\n{}",
        lines.collect::<String>()
    )
}
