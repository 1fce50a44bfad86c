//! `pacesim tune`.

use pacesim_lab::BatchMonitor;
use pacesim_lab::claims::{Claim, Verdict};
use pacesim_lab::study::{self, SearchEnd, Sweep, Tuned};

use super::sweep::{accepted, end, warned};
use super::{Ended, before_live, read};
use crate::args::TuneArgs;
use crate::exit::Outcome;
use crate::monitor::{TerminalMonitor, jobs};
use crate::numbers::{how_many, time};
use crate::output::{print, print_with, report};
use crate::{reproduction, search};

/// Makes the searches of a study.
pub(crate) fn tune(args: &TuneArgs) -> Ended {
    before_live(args.work.reality.as_deref());
    let input = read(&args.scenario).map(|input| input.at_scale(args.work.scale));
    let (input, out) = match accepted(input, args.work.out.as_deref(), args.json) {
        Ok(accepted) => accepted,
        Err(ended) => return ended,
    };
    let sweep = Sweep {
        study: &input.study,
        folder: &input.folder,
        seed: args.work.seed,
        replications: args.replications.unwrap_or(input.study.replications),
        jobs: jobs(args.work.jobs),
        out: &out,
    };
    let watch = TerminalMonitor::new(!args.quiet)
        .within(args.work.limits.limits())
        .with_reality(args.work.reality.clone());
    if args.dry_run {
        let forecast = study::forecast_searches(&sweep, &watch);
        watch.clear();
        return match forecast {
            Ok(forecast) => {
                let text = if args.json {
                    forecast.to_json()
                } else {
                    search::forecast(&forecast, sweep.jobs.get())
                };
                print(&text).map(|()| Outcome::Done)
            }
            Err(error) => end(args.json, input, error),
        };
    }
    let tuned = study::tune_as_far(&sweep, &watch);
    watch.clear();
    match tuned {
        Ok(tuned) => {
            let warned = warned(args.quiet, &sweep, tuned.made);
            show(args, &tuned, &watch, &warned)
        }
        Err(error) => end(args.json, input, error),
    }
}

fn show(args: &TuneArgs, tuned: &Tuned, watch: &TerminalMonitor, warned: &str) -> Ended {
    if args.json {
        print_with(|out| tuned.write_json(out))?
    } else {
        let claims = reproduction::expected(&tuned.claims);
        print(&(search::tuned(tuned) + &claims))?;
    }
    if tuned.interrupted {
        report(&stopped(tuned));
        return Ok(Outcome::Interrupted);
    }
    if !args.quiet {
        report(&(message(tuned, watch) + warned));
    }
    let differs = |claim: &Claim| claim.verdict == Verdict::Differs;
    let ended = |end: SearchEnd| tuned.cases.iter().any(|case| case.ended == end);
    let falls_short = ended(SearchEnd::OutOfTries) || tuned.claims.iter().any(differs);
    Ok(
        if ended(SearchEnd::Nowhere) || !tuned.abandoned.is_empty() || (args.strict && falls_short)
        {
            Outcome::Failed
        } else {
            Outcome::Done
        },
    )
}

/// The state of searches that were stopped.
fn stopped(tuned: &Tuned) -> String {
    let ended = tuned.cases.len().saturating_sub(1);
    format!(
        "interrupted: {ended} of {} ended; the {} made are kept in {}, and the same command resumes\n",
        search::counted(tuned.searches),
        how_many(tuned.made as usize, "run"),
        tuned.folder
    )
}

/// The number of runs and their place, which are not results.
fn message(tuned: &Tuned, watch: &TerminalMonitor) -> String {
    let runs = how_many(tuned.runs as usize, "run");
    let made = match tuned.made {
        0 => format!("all {runs} were there"),
        made => format!(
            "{made} of {runs} in {}",
            time(watch.elapsed().as_secs_f64())
        ),
    };
    format!("{made}\nstore and tables are in {}\n", tuned.folder)
}
