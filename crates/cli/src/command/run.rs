//! `pacesim run`.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pacesim_front::host::{self, Stopwatch};
use pacesim_front::problems::{self, Look};
use pacesim_lab::input::{Input, NumberName, Rejected, StudyInput};
use pacesim_lab::summary::{Summary, WarningKind};
use pacesim_lab::{
    BatchMonitor, Cut, Exhausted, Host, Plan, Progress, Replications, RunError, RunLimits,
    RunMonitor, Schedule, Uncut, scenario_digest,
};

use super::twice::{RECORDING, elsewhere};
use super::{Ended, division, fail, read, refuse, seeing};
use crate::args::{DiffArgs, RunArgs};
use crate::exit::Outcome;
use crate::invocation::arguments;
use crate::monitor::{TerminalMonitor, jobs};
use crate::numbers::{count, how_many, time};
use crate::output::{WIDTH, complain, print, report};
use crate::progress::Bar;
use crate::statement::{Stated, statement};
use crate::{signals, tables};

/// Simulates a scenario, or one point of a study.
pub(crate) fn run(args: &RunArgs) -> Ended {
    if args.twice.is_some() && args.scenario.file == Path::new("-") {
        let message =
            "--twice takes a file, not standard input, which another process cannot read again";
        return fail(args.json, Outcome::Invalid, message);
    }
    let input = match input(args) {
        Ok(input) => input,
        Err(ended) => return ended,
    };
    if !args.quiet {
        report(&problems::warnings(&input, Look::Styled, WIDTH));
        args.out.iter().for_each(|out| report_leftovers(out));
    }
    let command = arguments();
    if let Some(folder) = &args.twice {
        return twice(args, &input, &command, folder);
    }
    let plan = Plan {
        seed: args.seed,
        out: args.out.as_deref(),
        force: args.force,
        command: &command,
        equip: None,
        lived: None,
    };
    let result = match args.replications {
        Some(count) => replications(args, &input, count, &plan),
        None => run_once(args, &input, &plan),
    };
    match result {
        Ok(Results { text, speed, left }) => {
            print(&text)?;
            if !args.quiet {
                report_speed(args, &input, &speed);
            }
            match left {
                0 => Ok(Outcome::Done),
                left => {
                    let left = how_many(left as usize, "replication");
                    complain(format!(
                        "interrupted: {left} not finished, and not in the results"
                    ));
                    Ok(Outcome::Interrupted)
                }
            }
        }
        Err(error) => fail(args.json, outcome_of(&error), error),
    }
}

/// The input of the run, or its problems, reported.
fn input(args: &RunArgs) -> Result<Input, Ended> {
    let rejected = |rejected: Rejected| refuse(args.json, &rejected);
    let study = match args.twice {
        None => read(&args.scenario),
        Some(_) => read(&args.scenario.with(RECORDING)),
    };
    let study = study.map_err(rejected)?;
    let numbers = study.study.find_warmup.clone();
    let input = point(args, study).map_err(rejected)?;
    with_warmup(args, input, &numbers).map_err(|error| fail(args.json, outcome_of(&error), error))
}

/// Runs twice, and tells the first event in which the runs differ.
fn twice(args: &RunArgs, input: &Input, command: &[String], folder: &Path) -> Ended {
    let [a, b] = ["first", "second"].map(|name| folder.join(name));
    let plan = Plan {
        seed: args.seed,
        out: Some(&a),
        force: args.force,
        command,
        ..Plan::default()
    };
    if let Err(error) = run_once(args, input, &plan) {
        return fail(args.json, outcome_of(&error), error);
    }
    if let Err((outcome, why)) = elsewhere(args.quiet, &b) {
        return fail(args.json, outcome, why);
    }
    seeing::diff(&DiffArgs {
        a,
        b,
        flow: None,
        within: None,
        json: args.json,
    })
}

/// The requested point, or the only one.
fn point(args: &RunArgs, study: StudyInput) -> Result<Input, Rejected> {
    match args.point {
        Some(number) => study.point_of(number),
        None => study.alone(),
    }
}

/// The input as a sweep would run it: with the warm-up found by a pilot, if the study asks for one.
fn with_warmup(args: &RunArgs, input: Input, numbers: &[NumberName]) -> Result<Input, RunError> {
    if numbers.is_empty() {
        return Ok(input);
    }
    let mut watch = Watch::new(!args.quiet);
    watch.limits = args.limits.limits();
    let found = pacesim_lab::study::find_warmup(numbers, &input.scenario, args.seed, &mut watch);
    watch.bar.clear();
    let warmup = found?.warmup;
    if !args.quiet {
        report(&format!(
            "warm-up found: {warmup} (--set run.warmup={warmup} gives it without a pilot)\n"
        ));
    }
    Ok(input.with_warmup(warmup))
}

/// The text for standard output, and the speed of the run.
struct Results {
    text: String,
    speed: Speed,
    /// The number of requested replications not finished.
    left: u64,
}

struct Speed {
    seconds: f64,
    packet_hops: f64,
}

fn run_once(args: &RunArgs, input: &Input, plan: &Plan<'_>) -> Result<Results, RunError> {
    let mut watch = Watch::new(!args.quiet);
    watch.limits = args.limits.limits();
    watch.threads = args.threads;
    watch.counts_rounds = args.count_rounds;
    watch.is_quiet = args.quiet;
    let summary = pacesim_lab::run(input, args.replication.unwrap_or(0), plan, &mut watch);
    watch.bar.clear();
    let summary = summary?;
    if !args.quiet && args.point.is_none() {
        idle_accepts(input, &summary);
    }
    Ok(Results {
        text: match (args.json, args.statement) {
            (true, _) => summary.to_json(),
            (_, true) => stated(input, plan, &summary)?,
            _ => tables::summary(&summary),
        },
        speed: Speed {
            seconds: watch.this_run.elapsed().as_secs_f64(),
            packet_hops: watch.packet_hops as f64,
        },
        left: 0,
    })
}

/// Reports warnings of runs that the scenario accepts and that this run does not have.
fn idle_accepts(input: &Input, summary: &Summary) {
    for accept in &input.scenario.scenario().accepts {
        let word = accept.warning.word();
        let mut accepted = summary.accepted.iter();
        let is_idle = !accepted.any(|accepted| accepted.warning.kind.name() == word);
        // Some kinds only studies have.
        let may_have = WarningKind::ALL.iter().any(|kind| kind.name() == word);
        if accept.warning.is_of_runs() && may_have && is_idle {
            report(&format!(
                "warning: there is no warning {word} to accept; leave its [[accept]] out\n"
            ));
        }
    }
}

fn replications(
    args: &RunArgs,
    input: &Input,
    count: u64,
    plan: &Plan<'_>,
) -> Result<Results, RunError> {
    let watch = TerminalMonitor::new(!args.quiet).within(args.limits.limits());
    let all = pacesim_lab::replicate(input, count, jobs(args.jobs), plan, &watch);
    watch.clear();
    let all = all?;
    Ok(Results {
        text: match (args.json, args.statement) {
            (true, _) => all.to_json(),
            (_, true) => all_stated(input, plan, &all)?,
            _ => tables::replications(&all),
        },
        speed: Speed {
            seconds: watch.elapsed().as_secs_f64(),
            packet_hops: watch.packet_hops() as f64,
        },
        left: all.asked - all.replications,
    })
}

/// The statement of one run.
fn stated(input: &Input, plan: &Plan<'_>, summary: &Summary) -> Result<String, RunError> {
    Ok(statement(&Stated {
        scenario: &summary.scenario,
        digest: &scenario_digest(input, summary.seed)?,
        seed: summary.seed,
        repeated: format!("replication {}", summary.replication),
        fingerprint: &summary.fingerprint,
        command: plan.command,
    }))
}

/// The statement of several replications.
fn all_stated(input: &Input, plan: &Plan<'_>, all: &Replications) -> Result<String, RunError> {
    Ok(statement(&Stated {
        scenario: &all.scenario,
        digest: &scenario_digest(input, all.seed)?,
        seed: all.seed,
        repeated: how_many(all.replications as usize, "replication"),
        fingerprint: &all.fingerprint,
        command: plan.command,
    }))
}

pub(super) fn outcome_of(error: &RunError) -> Outcome {
    match error {
        RunError::Interrupted => Outcome::Interrupted,
        RunError::Build(_) => Outcome::Invalid,
        RunError::Folder(error) if error.is_usage() => Outcome::Invalid,
        RunError::GaveUp(_) | RunError::Exhausted { .. } => Outcome::Failed,
        RunError::Recording(_) | RunError::Folder(_) | RunError::Live(_) | RunError::Table(_) => {
            Outcome::Failed
        }
    }
}

/// Reports folders that other runs left for this name. Their run may still be active, perhaps on
/// another machine, so they are kept.
pub(super) fn report_leftovers(out: &Path) {
    for folder in pacesim_lab::replaced(out) {
        report(&format!(
            "{} holds what was in {} until a run that was to replace it ended early; \
             rename it if you want it back, or delete it\n",
            folder.display(),
            out.display()
        ));
    }
    for folder in pacesim_lab::incomplete(out) {
        report(&format!(
            "{} belongs to a run that is active or was killed; if none is active, delete it. This run does not use it\n",
            folder.display()
        ));
    }
}

/// Reports the speed and the places of files, which are not results.
fn report_speed(args: &RunArgs, input: &Input, speed: &Speed) {
    report(&format!(
        "{} in {} ({})\n",
        count(speed.packet_hops, "packet-hops"),
        time(speed.seconds),
        count(speed.packet_hops / speed.seconds, "packet-hops/s")
    ));
    match &args.out {
        Some(out) => report(&format!("results are in {}\n", out.display())),
        None if input.scenario.scenario().output != Default::default() => {
            report("packets and series are recorded only with --out DIR\n");
        }
        None => {}
    }
}

/// Supervises a run: the clock, the bar, and Ctrl-C.
pub(super) struct Watch {
    pub(super) bar: Bar,
    this_run: Stopwatch,
    /// The packet hops of all runs so far.
    packet_hops: u64,
    finished_hops: u64,
    stop: Arc<AtomicBool>,
    limits: RunLimits,
    threads: Option<u32>,
    counts_rounds: bool,
    is_quiet: bool,
    /// The time of the next check of memory.
    next_look: Duration,
}

impl Watch {
    pub(super) fn new(bar: bool) -> Watch {
        let stop = Arc::new(AtomicBool::new(false));
        signals::on_stop(&stop);
        Watch {
            bar: Bar::new(bar),
            this_run: Stopwatch::start(),
            packet_hops: 0,
            finished_hops: 0,
            stop,
            limits: RunLimits::default(),
            threads: None,
            counts_rounds: false,
            is_quiet: true,
            next_look: Duration::ZERO,
        }
    }
}

/// The interval between checks of the program's memory.
const LOOK_EVERY: Duration = Duration::from_millis(20);

impl RunMonitor for Watch {
    fn begin(&mut self, number: u64, all: u64) {
        self.this_run = Stopwatch::start();
        self.finished_hops = self.packet_hops;
        if all > 1 {
            self.bar.label(format!("{}/{all} ", number + 1));
        }
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.packet_hops = self.finished_hops + progress.packet_hops;
        self.bar.show(progress, self.this_run.elapsed());
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn exhausted(&mut self, _: &Progress) -> Option<Exhausted> {
        let elapsed = self.elapsed();
        if let Some(limit) = self.limits.time.filter(|limit| elapsed > *limit) {
            return Some(Exhausted::Time(limit));
        }
        let limit = self.limits.memory?;
        if elapsed < self.next_look {
            return None;
        }
        self.next_look = elapsed + LOOK_EVERY;
        let is_beyond = host::rss_bytes()? > limit;
        is_beyond.then_some(Exhausted::Memory(limit))
    }

    fn threads(&self) -> Option<u32> {
        self.threads
    }

    fn divided(&mut self, cut: &Result<Cut, Uncut>, most: u32) {
        if !self.is_quiet {
            report(&division::sentence(cut, most));
        }
    }

    fn counts_rounds(&self) -> bool {
        self.counts_rounds
    }

    fn counted(&mut self, schedule: &Schedule) {
        report(&division::counted(schedule));
    }

    fn elapsed(&self) -> Duration {
        self.this_run.elapsed()
    }

    fn peak_rss_bytes(&self) -> Option<u64> {
        host::peak_rss_bytes()
    }

    fn host(&self) -> Host {
        host::host()
    }
}
