//! `pacesim reproduce`.

use std::path::PathBuf;

use pacesim_lab::reproduce::{
    Experiment, Fault, Options, Reproduction, Verdict, catalogue, may_be_kept_in,
    reproduce as run_one,
};
use pacesim_lab::{FolderError, Supervisor};

use super::run::{Watch, outcome_of, report_leftovers};
use super::{Ended, fail};
use crate::args::ReproduceArgs;
use crate::exit::Outcome;
use crate::output::{print, report};
use crate::reproduction;

/// Where results are kept if no folder is named.
const RESULTS: &str = "results/reproduce";

/// Runs experiments of the papers and checks their claims.
pub(crate) fn reproduce(args: &ReproduceArgs) -> Ended {
    if args.list {
        print(&list(args))?;
        return Ok(Outcome::Done);
    }
    let experiments = match catalogue::select(&args.ids) {
        Ok(experiments) => experiments,
        Err(unknown) => return fail(args.json, Outcome::Invalid, unknown),
    };
    if let Some(fault) = taken(args, &experiments) {
        return fail(args.json, Outcome::Invalid, fault);
    }
    let mut watch = Watch::new(!args.quiet);
    let mut done = Vec::new();
    for (number, experiment) in experiments.iter().enumerate() {
        watch.begin(number as u64, experiments.len() as u64);
        match one(args, experiment, experiments.len(), &mut watch) {
            Ok(reproduction) => {
                if !args.json {
                    print(&reproduction::table(&reproduction))?;
                }
                done.push(reproduction);
            }
            Err(fault) => {
                let message = format!("{}: {fault}", experiment.id);
                return fail(args.json, outcome_of_fault(&fault), message);
            }
        }
    }
    finish(args, &done)
}

fn list(args: &ReproduceArgs) -> String {
    match (args.json, args.markdown) {
        (true, _) => reproduction::list_json(),
        (_, true) => catalogue::markdown(),
        _ => reproduction::list(),
    }
}

fn one(
    args: &ReproduceArgs,
    experiment: &Experiment,
    all: usize,
    watch: &mut Watch,
) -> Result<Reproduction, Fault> {
    let out = folder(args, experiment, all);
    if !args.quiet {
        report_leftovers(&out);
    }
    let command: Vec<String> = std::env::args().collect();
    let options = Options {
        scale: args.scale,
        seed: args.seed,
        out: Some(&out),
        force: args.force,
        command: &command,
    };
    let reproduction = run_one(experiment, &options, watch);
    watch.bar.clear();
    let reproduction = reproduction?;
    if experiment.waits_for().is_none() && !args.quiet {
        report(&format!(
            "{}: results are in {}\n",
            experiment.id,
            out.display()
        ));
    }
    Ok(reproduction)
}

/// A folder that is taken, reported before the first of many experiments is run.
fn taken(args: &ReproduceArgs, experiments: &[&'static Experiment]) -> Option<FolderError> {
    let ready = experiments.iter().filter(|e| e.waits_for().is_none());
    let folders = ready.map(|experiment| folder(args, experiment, experiments.len()));
    folders
        .map(|folder| may_be_kept_in(&folder, args.force))
        .find_map(Result::err)
}

/// A single experiment fills DIR itself, several have folders of their own in it.
fn folder(args: &ReproduceArgs, experiment: &Experiment, all: usize) -> PathBuf {
    match &args.out {
        Some(out) if all == 1 => out.clone(),
        Some(out) => out.join(experiment.folder()),
        None => PathBuf::from(RESULTS).join(experiment.folder()),
    }
}

fn outcome_of_fault(fault: &Fault) -> Outcome {
    match fault {
        Fault::Run(error) => outcome_of(error),
        _ => Outcome::Failed,
    }
}

/// The document, or the last line, and what it all comes to.
fn finish(args: &ReproduceArgs, done: &[Reproduction]) -> Ended {
    match (args.json, done) {
        (true, [one]) => print(&one.to_json())?,
        (true, all) => print(&reproduction::all_json(all))?,
        (false, [_]) => {}
        (false, all) => print(&reproduction::totals(all))?,
    }
    let asked_in_vain = |id: &&String| {
        catalogue::is_id(id)
            && done
                .iter()
                .any(|one| one.id == **id && one.count(Verdict::NotYet) == one.claims.len())
    };
    let differs = done.iter().any(|one| one.count(Verdict::Differs) > 0);
    Ok(match () {
        () if args.strict && differs => Outcome::Failed,
        () if args.ids.iter().any(|id| asked_in_vain(&id)) => Outcome::NotYet,
        () => Outcome::Done,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_lab::RunError;

    #[test]
    fn a_stopped_run_is_told_from_a_failed_one() {
        let stopped = Fault::Run(RunError::Interrupted);
        assert_eq!(outcome_of_fault(&stopped), Outcome::Interrupted);
    }
}
