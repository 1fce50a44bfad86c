//! `pacesim run`.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pacesim_lab::input::Input;
use pacesim_lab::{Host, Plan, Progress, RunError, Supervisor};

use super::{Ended, fail, read, refuse};
use crate::args::RunArgs;
use crate::exit::Outcome;
use crate::host::{self, Stopwatch};
use crate::numbers::{count, time};
use crate::output::{WIDTH, print, report};
use crate::progress::Bar;
use crate::{problems, signals, tables};

/// Simulates a scenario.
pub(crate) fn run(args: &RunArgs) -> Ended {
    let input = match read(&args.scenario) {
        Ok(input) => input,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    if !args.quiet {
        report(&problems::warnings(&input, WIDTH));
        args.out.iter().for_each(|out| report_leftovers(out));
    }
    let mut watch = Watch::new(!args.quiet);
    let result = results(args, &input, &mut watch);
    watch.bar.clear();
    match result {
        Ok(text) => {
            print(&text)?;
            report_about(args, &input, &watch);
            Ok(Outcome::Done)
        }
        Err(error) => fail(args.json, outcome_of(&error), error),
    }
}

/// What goes to standard output.
fn results(args: &RunArgs, input: &Input, watch: &mut Watch) -> Result<String, RunError> {
    let command: Vec<String> = std::env::args().collect();
    let plan = Plan {
        seed: args.seed,
        out: args.out.as_deref(),
        force: args.force,
        command: &command,
    };
    match args.replications {
        Some(count) => {
            let all = pacesim_lab::replicate(input, count, &plan, watch)?;
            Ok(if args.json {
                all.to_json()
            } else {
                tables::replications(&all)
            })
        }
        None => {
            let summary = pacesim_lab::run(input, 0, &plan, watch)?;
            Ok(if args.json {
                summary.to_json()
            } else {
                tables::summary(&summary)
            })
        }
    }
}

pub(super) fn outcome_of(error: &RunError) -> Outcome {
    match error {
        RunError::Interrupted => Outcome::Interrupted,
        RunError::Build(_) => Outcome::Invalid,
        RunError::Folder(error) if error.is_usage() => Outcome::Invalid,
        RunError::Folder(_) | RunError::Table(_) => Outcome::Failed,
    }
}

/// Other folders that were to become this one, or were this one. Nobody can know whether
/// their run goes on, perhaps on another machine, so they stay.
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
            "{} is of a run that goes on or was killed; if none goes on, delete it. This run does not use it\n",
            folder.display()
        ));
    }
}

/// What is no result: the speed of the run, and where files are.
fn report_about(args: &RunArgs, input: &Input, watch: &Watch) {
    if args.quiet {
        return;
    }
    let seconds = watch.total.elapsed().as_secs_f64();
    let hops = watch.packet_hops as f64;
    report(&format!(
        "{} in {} ({})\n",
        count(hops, "packet-hops"),
        time(seconds),
        count(hops / seconds, "packet-hops/s")
    ));
    match &args.out {
        Some(out) => report(&format!("results are in {}\n", out.display())),
        None if input.scenario.scenario().output != Default::default() => {
            report("packets and series are recorded only with --out DIR\n");
        }
        None => {}
    }
}

/// Watches a run: the clock, the bar, and Ctrl-C.
pub(super) struct Watch {
    pub(super) bar: Bar,
    total: Stopwatch,
    this_run: Stopwatch,
    /// The packet-hops of all runs so far.
    packet_hops: u64,
    finished_hops: u64,
    stop: Arc<AtomicBool>,
}

impl Watch {
    pub(super) fn new(bar: bool) -> Watch {
        let stop = Arc::new(AtomicBool::new(false));
        signals::on_stop(&stop);
        Watch {
            bar: Bar::new(bar),
            total: Stopwatch::start(),
            this_run: Stopwatch::start(),
            packet_hops: 0,
            finished_hops: 0,
            stop,
        }
    }
}

impl Supervisor for Watch {
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
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
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
