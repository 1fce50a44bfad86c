//! `pacesim reproduce`.

use std::path::Path;

use pacesim_lab::BatchMonitor;
use pacesim_lab::claims::Verdict;
use pacesim_lab::findings::Findings;
use pacesim_lab::study::SweepError;
use pacesim_papers::{
    Catalogue, Experiment, ExperimentKind, Fault, Options, checks_to_repeat, forecast, kept,
    may_be_kept,
};

use super::run::{outcome_of, report_leftovers};
use super::{Ended, fail, refuse, sweep};
use crate::args::ReproduceArgs;
use crate::exit::Outcome;
use crate::invocation::arguments;
use crate::monitor::{TerminalMonitor, jobs};
use crate::numbers::how_many;
use crate::output::{print, report};
use crate::reproduction;

/// Runs experiments of the papers and checks their claims, or prints a forecast.
pub(crate) fn reproduce(args: &ReproduceArgs) -> Ended {
    let folders = args.catalogue.iter();
    let catalogue = Catalogue::shipped();
    let catalogue = match folders
        .cloned()
        .try_fold(catalogue, |all, more| all.with_folder(&more))
    {
        Ok(catalogue) => catalogue,
        Err(error) => return fail(args.json, Outcome::Invalid, error),
    };
    if args.list {
        print(&list(args, &catalogue))?;
        return Ok(Outcome::Done);
    }
    if let Some(file) = args.report.as_ref().filter(|_| args.ids.is_empty()) {
        return page(args, &catalogue, file);
    }
    let experiments = match catalogue.select(&args.ids) {
        Ok(experiments) => experiments,
        Err(unknown) => return fail(args.json, Outcome::Invalid, unknown),
    };
    let ended = match (&args.show, &args.input) {
        (Some(folder), _) => show(args, &experiments, folder),
        (None, Some(file)) => of_input(args, &experiments, file),
        (None, None) => run(args, &experiments),
    }?;
    // A page is only written after complete runs.
    match (&args.report, ended) {
        (Some(file), Outcome::Done) => page(args, &catalogue, file),
        _ => Ok(ended),
    }
}

fn list(args: &ReproduceArgs, catalogue: &Catalogue) -> String {
    let experiments = catalogue.experiments().iter();
    let known: Vec<_> = experiments.map(|e| (e, kept(e, &args.out))).collect();
    let elsewhere: Vec<_> = catalogue.elsewhere().collect();
    if args.json {
        reproduction::list_json(&known, &elsewhere)
    } else {
        reproduction::list(&known, &elsewhere)
    }
}

/// Writes the page, after repeating the checks that it would otherwise lose.
fn page(args: &ReproduceArgs, catalogue: &Catalogue, file: &Path) -> Ended {
    let command = arguments();
    let options = options(args, &command);
    let watch = TerminalMonitor::new(!args.quiet);
    for check in checks_to_repeat(catalogue, &args.out, file) {
        if let Err(fault) = reproduce_one(args, check, &options, &watch) {
            return end_early(args, check, fault);
        }
    }
    match pacesim_papers::page(catalogue, &args.out, file, args.force) {
        Ok(experiments) => {
            if !args.quiet {
                let experiments = how_many(experiments, "experiment");
                report(&format!("{experiments} in {}\n", file.display()));
            }
            Ok(Outcome::Done)
        }
        Err(error) => fail(args.json, Outcome::Invalid, error),
    }
}

/// Writes the files of studies, and names the experiments that are not studies.
fn show(args: &ReproduceArgs, experiments: &[&Experiment], folder: &Path) -> Ended {
    let mut none = true;
    for experiment in experiments {
        let files = match pacesim_papers::show(experiment, folder, args.force) {
            Ok(files) => files,
            Err(error) => return fail(args.json, Outcome::Invalid, error),
        };
        for file in &files {
            none = false;
            print(&format!("{}\n", file.display()))?;
        }
        if files.is_empty() && !args.quiet {
            report(&format!(
                "{}: {}\n",
                experiment.id,
                why_no_files(experiment)
            ));
        }
    }
    if none {
        fail(args.json, Outcome::Invalid, "there is no file to write")
    } else {
        Ok(Outcome::Done)
    }
}

fn why_no_files(experiment: &Experiment) -> String {
    match &experiment.kind {
        ExperimentKind::File(path) => format!("it is {} already", path.display()),
        _ => "not a study: it is a check in Rust of something other than a scenario".to_owned(),
    }
}

/// Runs an experiment with the user's own recording.
fn of_input(args: &ReproduceArgs, experiments: &[&Experiment], file: &Path) -> Ended {
    let [experiment] = experiments else {
        let message = "--input is of one experiment: give its id";
        return fail(args.json, Outcome::Invalid, message);
    };
    match experiment.of_input(file) {
        Ok(experiment) => run(args, &[&experiment]),
        Err(error) => fail(args.json, Outcome::Invalid, error),
    }
}

fn options<'a>(args: &'a ReproduceArgs, command: &'a [String]) -> Options<'a> {
    Options {
        scale: args.scale,
        seed: args.seed,
        jobs: Some(jobs(args.jobs)),
        out: &args.out,
        force: args.force,
        command,
    }
}

/// Runs experiments one by one, or forecasts their cost.
fn run(args: &ReproduceArgs, experiments: &[&Experiment]) -> Ended {
    let command = arguments();
    let options = options(args, &command);
    let watch = TerminalMonitor::new(!args.quiet).within(args.limits.limits());
    if args.dry_run {
        return dry_run(args, experiments, &options, &watch);
    }
    let taken = |experiment: &&Experiment| may_be_kept(experiment, &options).err();
    if let Some(fault) = experiments.iter().find_map(taken) {
        return fail(args.json, Outcome::Invalid, fault);
    }
    let mut done = Vec::new();
    for experiment in experiments {
        match reproduce_one(args, experiment, &options, &watch) {
            Ok(findings) => {
                if !args.json {
                    print(&reproduction::table(&findings))?;
                }
                done.push(findings);
            }
            Err(fault) => return end_early(args, experiment, fault),
        }
    }
    finish(args, &done)
}

fn reproduce_one(
    args: &ReproduceArgs,
    experiment: &Experiment,
    options: &Options<'_>,
    watch: &TerminalMonitor,
) -> Result<Findings, Fault> {
    let out = options.folder(experiment);
    if !args.quiet {
        report_leftovers(&out);
    }
    let findings = pacesim_papers::reproduce(experiment, options, watch);
    watch.clear();
    if findings.is_ok() && !args.quiet {
        let (id, out) = (&experiment.id, out.display());
        report(&format!("{id}: results are in {out}\n"));
    }
    findings
}

fn dry_run(
    args: &ReproduceArgs,
    experiments: &[&Experiment],
    options: &Options<'_>,
    watch: &TerminalMonitor,
) -> Ended {
    let mut forecasts = Vec::new();
    for experiment in experiments {
        let forecast = forecast(experiment, options, watch);
        watch.clear();
        match forecast {
            Ok(forecast) => forecasts.push((*experiment, forecast)),
            Err(fault) => return end_early(args, experiment, fault),
        }
        if watch.wants_end() {
            return Ok(Outcome::Interrupted);
        }
    }
    let jobs = jobs(args.jobs).get();
    print(&if args.json {
        reproduction::forecasts_json(&forecasts)
    } else {
        reproduction::forecasts(&forecasts, jobs)
    })?;
    Ok(Outcome::Done)
}

/// Ends without all findings.
fn end_early(args: &ReproduceArgs, experiment: &Experiment, fault: Fault) -> Ended {
    match fault {
        Fault::Rejected(rejected) => refuse(args.json, &rejected),
        Fault::Study(input, SweepError::Problems(problems)) => {
            refuse(args.json, &input.reject(problems))
        }
        fault => {
            let message = format!("{}: {fault}", experiment.id);
            fail(args.json, outcome_of_fault(&fault), message)
        }
    }
}

fn outcome_of_fault(fault: &Fault) -> Outcome {
    match fault {
        Fault::Run(error) => outcome_of(error),
        Fault::Study(_, error) => sweep::outcome(error),
        Fault::Show(_) => Outcome::Invalid,
        _ => Outcome::Failed,
    }
}

/// Prints the JSON document or the last line, and the overall result.
fn finish(args: &ReproduceArgs, done: &[Findings]) -> Ended {
    match (args.json, done) {
        (true, [one]) => print(&one.to_json())?,
        (true, all) => print(&reproduction::all_json(all))?,
        (false, [_]) => {}
        (false, all) => print(&reproduction::totals(all))?,
    }
    let differs = done.iter().any(|one| one.count(Verdict::Differs) > 0);
    Ok(if args.strict && differs {
        Outcome::Failed
    } else {
        Outcome::Done
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
