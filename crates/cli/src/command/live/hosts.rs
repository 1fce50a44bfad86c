//! Live runs: real hosts through a scenario.

use std::path::Path;

use pacesim_lab::input::{self, Input, Rejected, StudyInput};
use pacesim_lab::{Checked, Plan as RunPlan};
use pacesim_live::{Command, LiveError, Settings, Verdict};
use serde_json::json;

use crate::args::LiveArgs;
use crate::command::run::{Watch, outcome_of};
use crate::command::{Ended, fail, refuse};
use crate::exit::Outcome;
use crate::invocation::arguments;
use crate::living::{Told, run, settings};
use crate::output::{print, report};

/// Makes a live run, and writes its results by repeating it.
pub(super) fn live(args: &LiveArgs, file: &Path) -> Ended {
    // Before the first thread: the kernel moves only programs without others.
    if let Err(error) = pacesim_live::separate_user() {
        return fail(args.json, Outcome::Failed, error);
    }
    let input = match read(args, file) {
        Ok(input) => input,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    let told = match make(args, &input) {
        Ok(told) => told,
        Err(error @ (LiveError::Scenario(_) | LiveError::Control { .. })) => {
            return fail(args.json, Outcome::Invalid, error);
        }
        Err(error) => return fail(args.json, Outcome::Failed, error),
    };
    if told.is_interrupted {
        return fail(
            args.json,
            Outcome::Interrupted,
            "interrupted; nothing was written",
        );
    }
    if let Verdict::Failed(_) = &told.verdict {
        match args.json {
            true => print(&format!("{:#}\n", json!({ "live": told.lived.facts })))?,
            false => print(&told.text)?,
        }
        let text = "the run failed: its numbers say nothing, and nothing was written";
        return fail(false, Outcome::Failed, text);
    }
    let command = arguments();
    let plan = RunPlan {
        seed: args.seed,
        out: args.out.as_deref(),
        force: args.force,
        command: &command,
        lived: Some(&told.lived),
        ..RunPlan::default()
    };
    let summary = match pacesim_lab::run(&input, 0, &plan, &mut Watch::new(false)) {
        Ok(summary) => summary,
        Err(error) => return fail(args.json, outcome_of(&error), error),
    };
    let expected = format!("{:016x}", told.lived.fingerprint);
    if summary.fingerprint != expected {
        let text = format!(
            "a repetition of this run has the fingerprint {}, and live it was {expected}: please report this",
            summary.fingerprint
        );
        return fail(args.json, Outcome::Failed, text);
    }
    if args.json {
        print(&summary.to_json())?;
    } else {
        print(&told.text)?;
    }
    Ok(Outcome::Done)
}

/// Reads the scenario, in which the flows that are to be live say so.
fn read(args: &LiveArgs, file: &Path) -> Result<Input, Rejected> {
    let input = input::study_from_file(file, &args.sets).and_then(StudyInput::alone)?;
    let scenario = input.scenario.scenario();
    let has_commands = !args.command.is_empty()
        || scenario
            .live
            .as_ref()
            .is_some_and(|live| !live.commands.is_empty());
    let says = scenario.flows.iter().any(|flow| flow.live) || has_commands;
    if args.real.is_empty() && says {
        return Ok(input);
    }
    let mut sets = args.sets.clone();
    if args.real.is_empty() {
        let names = scenario.flows.iter().map(|flow| &flow.name);
        sets.extend(names.map(|name| format!("flow.{name}.live=true")));
    } else {
        let others = scenario.flows.iter().filter(|flow| flow.live);
        sets.extend(others.map(|flow| format!("flow.{}.live=false", flow.name)));
        sets.extend(
            args.real
                .iter()
                .map(|name| format!("flow.{name}.live=true")),
        );
    }
    input::study_from_file(file, &sets).and_then(StudyInput::alone)
}

/// The same with the command of the invocation, at the first host.
fn commanded(args: &LiveArgs, scenario: &Checked) -> Result<Settings, LiveError> {
    let mut settings = Settings {
        timeout: args.timeout,
        ..settings(scenario)?
    };
    if args.command.is_empty() {
        return Ok(settings);
    }
    let live = scenario.scenario().live.as_ref();
    let host = live.and_then(|live| live.hosts.first());
    let no_host =
        "a command needs hosts: write [live] hosts = { client = \"NODE\", server = \"NODE\" }";
    settings.commands.push(Command {
        host: host
            .ok_or(LiveError::Scenario(no_host.to_owned()))?
            .0
            .clone(),
        text: args.command.join(" "),
        must_end: true,
    });
    Ok(settings)
}

fn make(args: &LiveArgs, input: &Input) -> Result<Told, LiveError> {
    let seed = args.seed.unwrap_or(input.scenario.scenario().run.seed);
    let model = pacesim_lab::expand(&input.scenario, seed, 0);
    let settings = commanded(args, &input.scenario)?;
    report(&format!("live for {}\n", model.duration));
    run(&input.scenario, &model, settings)
}
