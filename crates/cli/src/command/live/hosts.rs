//! Live runs: real hosts through a scenario.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pacesim_lab::input::{self, Input, Rejected, StudyInput};
use pacesim_lab::{Checked, LiveOrder, Lived, Model, Plan as RunPlan, RunError};
use pacesim_live::{
    Beside, Command, Lateness, LiveError, Outcome as LiveOutcome, Plan, Settings, Verdict,
};
use serde_json::{Value, json};

use crate::args::LiveArgs;
use crate::command::run::{Watch, outcome_of};
use crate::command::{Ended, fail, refuse};
use crate::exit::Outcome;
use crate::invocation::arguments;
use crate::output::{print, report};
use crate::signals;

/// A live run and all that is told of it.
struct Told {
    lived: Lived,
    verdict: Verdict,
    is_interrupted: bool,
    text: String,
}

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

/// The settings of a scenario.
fn settings(scenario: &Checked) -> Result<Settings, LiveError> {
    let Some(live) = &scenario.scenario().live else {
        return Ok(Settings::default());
    };
    let command = |(host, text): &(String, String)| Command {
        host: host.clone(),
        text: text.clone(),
        must_end: false,
    };
    Ok(Settings {
        commands: live.commands.iter().map(command).collect(),
        control: live.control.clone(),
        late: live.late().map_err(LiveError::Scenario)?,
        priority: live.priority,
        timeout: None,
    })
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

/// Makes the live run that a study asks for.
pub(crate) fn made_live(of: &LiveOrder<'_>) -> Result<Lived, RunError> {
    let told = settings(of.scenario).and_then(|settings| run(of.scenario, of.model, settings));
    let told = told.map_err(|error| RunError::Live(error.to_string()))?;
    match told.verdict {
        _ if told.is_interrupted => Err(RunError::Interrupted),
        Verdict::Failed(reason) => Err(RunError::Live(format!("a live run failed: {reason}"))),
        verdict => {
            report(&format!("live run: {verdict}\n"));
            Ok(told.lived)
        }
    }
}

fn run(scenario: &Checked, model: &Model, settings: Settings) -> Result<Told, LiveError> {
    let parts = scenario.live_parts(model);
    let priority = settings.priority;
    let plan = Plan::new(model.clone(), &parts, settings)?;
    let stop = Arc::new(AtomicBool::new(false));
    signals::on_stop(&stop);
    let lived = pacesim_live::run(&plan, &stop)?;
    let beside = pacesim_live::beside(model, &plan, &lived);
    let beside = beside.map_err(|error| LiveError::Scenario(error.to_string()))?;
    let goodput = lived.goodput(&plan);
    let mut facts = facts(&lived, &beside);
    facts["priority"] = json!(priority);
    let received = goodput.iter();
    let received = received.map(|(flow, bytes)| json!({"flow_id": flow.0, "goodput_bytes": bytes}));
    facts["received"] = received.collect();
    Ok(Told {
        verdict: lived.verdict(),
        is_interrupted: stop.load(Ordering::Relaxed),
        text: text(&lived, &beside),
        lived: Lived {
            packets: lived.packets(),
            goodput,
            transfers: lived.transfers(&plan),
            fingerprint: lived.world.fingerprint(),
            facts,
        },
    })
}

fn seconds(ns: i64) -> f64 {
    ns as f64 / 1e9
}

/// The verdict and its facts.
fn facts(lived: &LiveOutcome, beside: &[Beside]) -> Value {
    let late = |late: &Lateness| {
        let [p50, p99, p999, most] =
            [late.p50_ns, late.p99_ns, late.p999_ns, late.max_ns].map(seconds);
        json!({"packets": late.packets, "p50_s": p50, "p99_s": p99, "p999_s": p999, "max_s": most})
    };
    let flow = |row: &Beside| {
        json!({
            "flow": row.flow, "live_bps": row.live_bps, "simulated_bps": row.simulated_bps,
            "jittered_bps": row.jittered_bps,
        })
    };
    let foreign = lived.foreign.iter();
    let foreign: Vec<Value> = foreign
        .map(|(reason, frames)| json!({ "reason": format!("{reason:?}"), "frames": frames }))
        .collect();
    let command = |ended: &pacesim_live::Ended| {
        json!({
            "host": ended.host, "command": ended.text, "exit_code": ended.code,
            "ended_s": seconds(ended.after_ns), "failure": ended.failure,
        })
    };
    let evidence = &lived.evidence;
    json!({
        "verdict": lived.verdict().to_string(),
        "door": "veth and packet sockets",
        "machine_load": machine_load(),
        "cpu_share": lived.cpu_share,
        "late": late(&lived.late),
        "entry_lag": late(&lived.entry_lag),
        "clamped_pkts": lived.clamped,
        "door_drops": evidence.door_drops,
        "drain_s": evidence.drain_ns.map(seconds),
        "late_bound_s": evidence.bound_ns().map(seconds),
        "clock_step_s": seconds(evidence.clock_step_ns),
        "failures": evidence.failures,
        "foreign": foreign,
        "intact": lived.received.iter().all(|received| received.intact),
        "repaired_pkts": lived.repairs,
        "commands": lived.commands.iter().map(command).collect::<Vec<_>>(),
        "flows": beside.iter().map(flow).collect::<Vec<_>>(),
    })
}

/// The machine's load average over the last minute.
fn machine_load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn text(lived: &LiveOutcome, beside: &[Beside]) -> String {
    let mbps = |bps: f64| format!("{:>12.4}", bps / 1e6);
    let mut text = String::new();
    if !beside.is_empty() {
        text += &format!(
            "{:<16}{:>12}{:>12}{:>12}\n",
            "goodput, Mbps", "live", "simulated", "with jitter"
        );
    }
    for row in beside {
        let [live, plain, jittered] = [row.live_bps, row.simulated_bps, row.jittered_bps].map(mbps);
        text += &format!("{:<16}{live}{plain}{jittered}\n", row.flow);
    }
    for ended in &lived.commands {
        let end = match (&ended.failure, ended.code) {
            (Some(failure), _) => failure.clone(),
            (None, Some(code)) => {
                format!(
                    "ended with exit code {code} after {:.1} s",
                    seconds(ended.after_ns)
                )
            }
            (None, None) => "ran until the end".to_owned(),
        };
        text += &format!("{} at {}: {end}\n", ended.text, ended.host);
    }
    let us = |ns: i64| ns as f64 / 1000.0;
    let (late, lag) = (&lived.late, &lived.entry_lag);
    text += &format!(
        "late by p50 {:.1}, p99 {:.1}, p99.9 {:.1}, most {:.1} us; read after p50 {:.1}, p99 {:.1} us\n",
        us(late.p50_ns),
        us(late.p99_ns),
        us(late.p999_ns),
        us(late.max_ns),
        us(lag.p50_ns),
        us(lag.p99_ns),
    );
    text += &format!(
        "{} packets entered, {} left, {:.2} of a processor\n",
        lived.entries.len(),
        lived.departures.len(),
        lived.cpu_share
    );
    let print = format!("{:016x}", lived.world.fingerprint());
    text + &format!("verdict {}\nfingerprint {print}\n", lived.verdict())
}
