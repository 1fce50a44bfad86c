//! `pacesim merge`.

use pacesim_lab::BatchMonitor;
use pacesim_lab::claims::Verdict;
use pacesim_lab::study::{Merge, MergeError, Merged, Outline, merge as unite};

use super::{Ended, fail};
use crate::args::MergeArgs;
use crate::exit::Outcome;
use crate::monitor::TerminalMonitor;
use crate::numbers::{how_many, time};
use crate::output::{print, print_with, report};
use crate::{campaign, grid, reproduction};

/// Merges stores and writes the tables, or reports missing runs.
pub(crate) fn merge(args: &MergeArgs) -> Ended {
    let watch = TerminalMonitor::new(!args.quiet);
    let merge = Merge {
        folders: &args.folders,
        into: &args.into,
        plan: args.plan.as_deref(),
    };
    let merged = unite(&merge, &watch);
    watch.clear();
    match merged {
        Ok(Merged::Whole(outline)) => whole(args, &outline, &watch),
        Ok(Merged::Incomplete(gaps)) => {
            let text = if args.json {
                gaps.to_json()
            } else {
                campaign::gaps(&gaps)
            };
            print(&text)?;
            Ok(Outcome::Failed)
        }
        Err(error) => fail(args.json, outcome(&error), error),
    }
}

fn whole(args: &MergeArgs, outline: &Outline, watch: &TerminalMonitor) -> Ended {
    if args.json {
        print_with(|out| outline.write_json(out))?
    } else {
        let claims = reproduction::expected(&outline.claims);
        print(&(grid::outline(outline) + &claims))?;
    }
    if !args.quiet {
        let runs = how_many(outline.runs as usize, "run");
        let seconds = time(watch.elapsed().as_secs_f64());
        let folder = &outline.folder;
        report(&format!(
            "{runs} merged in {seconds}\nstore and tables are in {folder}\n"
        ));
    }
    let differs = outline
        .claims
        .iter()
        .any(|claim| claim.verdict == Verdict::Differs);
    Ok(if args.strict && differs {
        Outcome::Failed
    } else {
        Outcome::Done
    })
}

fn outcome(error: &MergeError) -> Outcome {
    match error {
        error if error.is_interrupted() => Outcome::Interrupted,
        error if error.is_usage() => Outcome::Invalid,
        _ => Outcome::Failed,
    }
}
