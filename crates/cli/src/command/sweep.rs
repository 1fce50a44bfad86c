//! `pacesim sweep`.

use std::io;
use std::path::{Path, PathBuf};

use pacesim_front::study_folder;
use pacesim_lab::BatchMonitor;
use pacesim_lab::claims::{Claim, Verdict};
use pacesim_lab::input::{self, Rejected, StudyInput};
use pacesim_lab::study::engine::error::EngineError;
use pacesim_lab::study::{self, Outline, Shard, Sweep, SweepError};

use super::{Ended, before_live, fail, part, read, refuse, submit};
use crate::args::SweepArgs;
use crate::exit::Outcome;
use crate::invocation::arguments;
use crate::monitor::{TerminalMonitor, jobs};
use crate::numbers::{count, how_many, time};
use crate::output::{print, print_with, report};
use crate::statement::statement_of_study;
use crate::{ci, grid, reproduction};

/// Makes the missing runs of a study.
pub(crate) fn sweep(args: &SweepArgs) -> Ended {
    before_live(args.work.reality.as_deref());
    let input = read(&args.scenario);
    let input = input.map(|input| {
        input
            .at_scale(args.work.scale)
            .with_precision(args.precision)
    });
    let (input, out) = match accepted(input, args.work.out.as_deref(), args.json) {
        Ok(accepted) => accepted,
        Err(ended) => return ended,
    };
    let out = match args.campaign.shard {
        Some(shard) => part::folder(args.work.out.as_deref(), &out, shard),
        None => out,
    };
    let sweep = Sweep {
        study: &input.study,
        folder: &input.folder,
        seed: args.work.seed,
        replications: args.replications.unwrap_or(input.study.replications),
        jobs: jobs(args.work.jobs),
        out: &out,
    };
    if let Some(ended) = refuse_other_plan(args, &sweep) {
        return ended;
    }
    let watch = watch(args);
    if let Some(result) = in_hands_of_engine(args, &sweep, &watch) {
        watch.clear();
        return match result {
            Ok(text) => print(&text).map(|()| Outcome::Done),
            Err(EngineError::Sweep(error)) => end(args.json, input, error),
            Err(EngineError::Invalid(text)) => fail(args.json, Outcome::Invalid, text),
            Err(EngineError::Failed(text)) => fail(args.json, Outcome::Failed, text),
        };
    }
    let result = match (args.campaign.shard, args.dry_run) {
        (Some(shard), _) => part_of(args, &sweep, shard, &watch),
        (None, true) => forecast(args, &sweep, &watch),
        (None, false) => results(args, &sweep, &watch),
    };
    watch.clear();
    match result {
        Ok(printed) => finish(args, printed),
        Err(error) => end(args.json, input, error),
    }
}

/// Prints the results.
fn finish(args: &SweepArgs, printed: Printed) -> Ended {
    printed.files?;
    match printed.result {
        Shown::Text(text) => print(&text)?,
        Shown::Document(outline) => print_with(|out| outline.write_json(out))?,
    }
    if !args.quiet {
        report(&printed.message);
    }
    Ok(printed.outcome)
}

fn watch(args: &SweepArgs) -> TerminalMonitor {
    TerminalMonitor::new(!args.quiet)
        .within(args.work.limits.limits())
        .with_reality(args.work.reality.clone())
}

/// Ends if the requested plan is not that of the sweep.
fn refuse_other_plan(args: &SweepArgs, sweep: &Sweep<'_>) -> Option<Ended> {
    let plan = args.campaign.plan.as_deref()?;
    let error = study::expect_plan(sweep, plan).err()?;
    Some(fail(args.json, outcome(&error), error))
}

/// The result if an engine does the work now, or has done so before.
fn in_hands_of_engine(
    args: &SweepArgs,
    sweep: &Sweep<'_>,
    watch: &TerminalMonitor,
) -> Option<Result<String, EngineError>> {
    match (args.campaign.on, args.campaign.status) {
        (Some(engine), _) => Some(submit::submit(args, engine, sweep, watch)),
        (None, true) => Some(submit::look(args, sweep)),
        (None, false) => None,
    }
}

/// Sweeps one shard.
fn part_of(
    args: &SweepArgs,
    sweep: &Sweep<'_>,
    shard: Shard,
    watch: &TerminalMonitor,
) -> Result<Printed, SweepError> {
    let (text, message) = part::sweep(sweep, shard, args.json, watch)?;
    Ok(Printed {
        result: Shown::Text(text),
        message,
        outcome: Outcome::Done,
        files: Ok(()),
    })
}

/// The output for standard output and for standard error.
struct Printed {
    result: Shown,
    message: String,
    outcome: Outcome,
    /// The success of writing files other than the tables.
    files: io::Result<()>,
}

enum Shown {
    Text(String),
    Document(Box<Outline>),
}

fn forecast(
    args: &SweepArgs,
    sweep: &Sweep<'_>,
    watch: &TerminalMonitor,
) -> Result<Printed, SweepError> {
    let forecast = study::forecast(sweep, watch)?;
    let text = if args.json {
        forecast.to_json()
    } else {
        grid::forecast(&forecast, sweep.jobs.get())
    };
    Ok(Printed {
        result: Shown::Text(text),
        message: String::new(),
        outcome: Outcome::Done,
        files: Ok(()),
    })
}

fn results(
    args: &SweepArgs,
    sweep: &Sweep<'_>,
    watch: &TerminalMonitor,
) -> Result<Printed, SweepError> {
    let outline = study::sweep(sweep, watch)?;
    let message = message(&outline, watch) + &warned(args.quiet, sweep, outline.made);
    let differs = |claim: &Claim| claim.verdict == Verdict::Differs;
    let is_bad = outline.claims.iter().any(differs) || !outline.gave_up.is_empty();
    let fails = args.strict && is_bad;
    let outcome = if fails || !outline.abandoned.is_empty() {
        Outcome::Failed
    } else {
        Outcome::Done
    };
    let files = ci::write(args, &outline);
    let result = match (args.json, args.statement) {
        (true, _) => Shown::Document(Box::new(outline)),
        (_, true) => Shown::Text(stated(&outline, sweep)),
        _ => {
            let claims = reproduction::expected(&outline.claims);
            Shown::Text(grid::outline(&outline) + &claims)
        }
    };
    Ok(Printed {
        result,
        message,
        outcome,
        files,
    })
}

fn stated(outline: &Outline, sweep: &Sweep<'_>) -> String {
    let first = sweep.study.points().next();
    let scenario = first.and_then(|point| sweep.study.scenario(point).ok());
    let own = scenario.map_or(1, |scenario| scenario.scenario().run.seed);
    statement_of_study(outline, sweep.seed.unwrap_or(own), &arguments())
}

/// The time taken and the place of the tables, which are not results.
fn message(outline: &Outline, watch: &TerminalMonitor) -> String {
    let seconds = watch.elapsed().as_secs_f64();
    let made = match outline.made {
        0 => format!("all {} were there", how_many(outline.runs as usize, "run")),
        made => format!(
            "{made} of {} in {} ({})",
            how_many(outline.runs as usize, "run"),
            time(seconds),
            count(watch.packet_hops() as f64 / seconds, "packet-hops/s")
        ),
    };
    format!("{made}\nstore and tables are in {}\n", outline.folder)
}

/// The number of warnings of the study's file after runs were made, and the command that shows them.
pub(super) fn warned(is_quiet: bool, sweep: &Sweep<'_>, made: u64) -> String {
    if is_quiet || made == 0 {
        return String::new();
    }
    match input::warnings(sweep.study, sweep.jobs).len() {
        0 => String::new(),
        n => format!("{}: `pacesim check` shows them\n", how_many(n, "warning")),
    }
}

/// A study with valid figures and claims, and its folder; otherwise the outcome of the command.
pub(super) fn accepted(
    input: Result<StudyInput, Rejected>,
    out: Option<&Path>,
    as_json: bool,
) -> Result<(StudyInput, PathBuf), Ended> {
    let input = input.map_err(|rejected| refuse(as_json, &rejected))?;
    if let Err(mistakes) = input::judge_tables(&input.study, jobs(None)) {
        return Err(refuse(as_json, &input.reject(mistakes)));
    }
    match study_folder(out, &input.study.name) {
        Ok(out) => Ok((input, out)),
        Err(message) => Err(fail(as_json, Outcome::Invalid, message)),
    }
}

/// Ends without tables.
pub(super) fn end(as_json: bool, input: StudyInput, error: SweepError) -> Ended {
    match error {
        SweepError::Problems(problems) => refuse(as_json, &input.reject(problems)),
        error => fail(as_json, outcome(&error), error),
    }
}

/// The outcome that corresponds to this error.
pub(super) fn outcome(error: &SweepError) -> Outcome {
    match error {
        error if error.is_interrupted() => Outcome::Interrupted,
        error if error.is_usage() => Outcome::Invalid,
        _ => Outcome::Failed,
    }
}
