//! `pacesim live`.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use pacesim_lab::input::{self, Input, StudyInput};
use pacesim_lab::tables::partial::write_complete;
use pacesim_live::{Beside, LiveError, Outcome as Lived, Plan, Verdict};
use serde_json::{Value, json};

use super::{Ended, fail, misplaced, refuse};
use crate::args::LiveArgs;
use crate::exit::Outcome;
use crate::output::{print, report};

/// Files of a record.
const SCENARIO: &str = "scenario.toml";
const SUMMARY: &str = "summary.json";
const ENTRIES: &str = "entries.csv";
const DEPARTURES: &str = "live.csv";

/// A scenario and the choice of its real flows: all that a record repeats.
#[derive(Clone, Debug)]
struct Chosen {
    sets: Vec<String>,
    real: Vec<String>,
    seed: u64,
}

/// Carries real hosts through a scenario, or replays the record of that.
pub(crate) fn live(args: &LiveArgs) -> Ended {
    if let Some(folder) = &args.replay {
        return replay(args.json, folder);
    }
    let Some(file) = &args.file else {
        return fail(
            args.json,
            Outcome::Invalid,
            "give a scenario, or --replay DIR",
        );
    };
    if let Some(out) = &args.out
        && out.exists()
    {
        let text = format!("{}: it exists; name a new folder", out.display());
        return fail(args.json, Outcome::Invalid, text);
    }
    // Before the first thread: the kernel moves only programs without others.
    if let Err(error) = pacesim_live::separate_user() {
        return fail(args.json, Outcome::Failed, error);
    }
    let input = match input::study_from_file(file, &args.sets).and_then(StudyInput::alone) {
        Ok(input) => input,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    let chosen = Chosen {
        sets: args.sets.clone(),
        real: args.real.clone(),
        seed: args.seed.unwrap_or(input.scenario.scenario().run.seed),
    };
    let plan = match plan(&input, &chosen) {
        Ok(plan) => plan,
        Err(error) => return fail(args.json, Outcome::Invalid, error),
    };
    let scenario = input.scenario.expand(chosen.seed, 0);
    report(&format!("live for {}\n", scenario.duration));
    let lived = match pacesim_live::run(&plan, &AtomicBool::new(false)) {
        Ok(lived) => lived,
        Err(error @ LiveError::Scenario(_)) => return fail(args.json, Outcome::Invalid, error),
        Err(error) => return fail(args.json, Outcome::Failed, error),
    };
    let beside = match pacesim_live::beside(&scenario, &plan, &lived) {
        Ok(beside) => beside,
        Err(error) => return fail(args.json, Outcome::Invalid, error),
    };
    let summary = summary(&input, &chosen, &lived, &beside);
    if let Some(out) = &args.out
        && let Err(error) = write(out, file, &summary, &lived)
    {
        return misplaced(out, &error);
    }
    if args.json {
        print(&format!("{summary:#}\n"))?;
    } else {
        print(&text(&lived, &beside))?;
    }
    Ok(match lived.verdict() {
        Verdict::Failed(_) => Outcome::Failed,
        Verdict::Stands | Verdict::Undecided(_) => Outcome::Done,
    })
}

/// The plan of a scenario, with the chosen groups of flows.
fn plan(input: &Input, chosen: &Chosen) -> Result<Plan, LiveError> {
    let model = input.scenario.expand(chosen.seed, 0);
    let groups: Vec<&str> = model.flows.iter().map(|flow| flow.group.as_ref()).collect();
    if let Some(unknown) = chosen
        .real
        .iter()
        .find(|name| !groups.contains(&name.as_str()))
    {
        let mut known = groups.clone();
        known.dedup();
        let text = format!(
            "--real {unknown}: the groups of flows are {}",
            known.join(", ")
        );
        return Err(LiveError::Scenario(text));
    }
    let all = chosen.real.is_empty();
    Plan::new(model.clone(), |flow| {
        all || chosen.real.iter().any(|name| name == flow.group.as_ref())
    })
}

fn fingerprint(lived: &pacesim_live::Outcome) -> String {
    format!("{:016x}", lived.world.fingerprint())
}

fn summary(input: &Input, chosen: &Chosen, lived: &Lived, beside: &[Beside]) -> Value {
    let late = |late: &pacesim_live::Lateness| {
        json!({
            "packets": late.packets, "p50_ns": late.p50_ns, "p99_ns": late.p99_ns,
            "p999_ns": late.p999_ns, "max_ns": late.max_ns,
        })
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
    let flows: Vec<Value> = beside.iter().map(flow).collect();
    json!({
        "scenario": input.name,
        "sets": chosen.sets,
        "real": chosen.real,
        "seed": chosen.seed,
        "version": env!("CARGO_PKG_VERSION"),
        "fingerprint": fingerprint(lived),
        "live": {
            "verdict": lived.verdict().to_string(),
            "door": "veth and packet sockets",
            "cpu_share": lived.cpu_share,
            "late": late(&lived.late),
            "entry_lag": late(&lived.entry_lag),
            "clamped": lived.clamped,
            "door_drops": lived.evidence.door_drops,
            "drain_ns": lived.evidence.drain_ns,
            "clock_step_ns": lived.evidence.clock_step_ns,
            "failures": lived.evidence.failures,
            "entries": lived.entries.len(),
            "departures": lived.departures.len(),
            "foreign": foreign,
            "intact": lived.received.iter().all(|received| received.intact),
            "flows": flows,
        },
    })
}

/// Writes a record under a name that marks it as incomplete, and renames it.
fn write(out: &Path, file: &Path, summary: &Value, lived: &Lived) -> io::Result<()> {
    let mut name = out
        .file_name()
        .ok_or(io::ErrorKind::InvalidFilename)?
        .to_owned();
    name.push(format!(
        ".{}{}",
        std::process::id(),
        pacesim_lab::tables::partial::PARTIAL
    ));
    let partial = out.with_file_name(name);
    fs::create_dir(&partial)?;
    let written = || -> io::Result<()> {
        write_complete(&partial.join(SCENARIO), &fs::read(file)?)?;
        write_complete(&partial.join(SUMMARY), format!("{summary:#}\n").as_bytes())?;
        let entries = pacesim_live::write_entries(&lived.entries);
        write_complete(&partial.join(ENTRIES), entries.as_bytes())?;
        let departures = pacesim_live::write_departures(&lived.departures);
        write_complete(&partial.join(DEPARTURES), departures.as_bytes())?;
        fs::rename(&partial, out)
    };
    written().inspect_err(|_| {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&partial);
    })
}

fn text(lived: &Lived, beside: &[Beside]) -> String {
    let mbps = |bps: f64| format!("{:>12.4}", bps / 1e6);
    let mut text = format!(
        "{:<16}{:>12}{:>12}{:>12}\n",
        "goodput, Mbps", "live", "simulated", "with jitter"
    );
    for row in beside {
        let [live, plain, jittered] = [row.live_bps, row.simulated_bps, row.jittered_bps].map(mbps);
        text += &format!("{:<16}{live}{plain}{jittered}\n", row.flow);
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
    let print = fingerprint(lived);
    text + &format!("verdict {}\nfingerprint {print}\n", lived.verdict())
}

/// Replays a record.
fn replay(as_json: bool, folder: &Path) -> Ended {
    let invalid = |text: String| fail(as_json, Outcome::Invalid, text);
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (summary, entries) = match (read(SUMMARY), read(ENTRIES)) {
        (Ok(summary), Ok(entries)) => (summary, entries),
        (Err(error), _) | (_, Err(error)) => return invalid(error),
    };
    let Some((chosen, expected)) = chosen(&summary) else {
        return invalid(format!(
            "{}: not the summary of a live run",
            folder.join(SUMMARY).display()
        ));
    };
    let file = folder.join(SCENARIO);
    let input = match input::study_from_file(&file, &chosen.sets).and_then(StudyInput::alone) {
        Ok(input) => input,
        Err(rejected) => return refuse(as_json, &rejected),
    };
    let plan = match plan(&input, &chosen) {
        Ok(plan) => plan,
        Err(error) => return fail(as_json, Outcome::Invalid, error),
    };
    let entries = match pacesim_live::read_entries(&plan, &entries) {
        Ok(entries) => entries,
        Err(error) => return invalid(format!("{}: {error}", folder.join(ENTRIES).display())),
    };
    let world = match pacesim_live::replay(&plan, &entries) {
        Ok(world) => world,
        Err(error) => return fail(as_json, Outcome::Invalid, error),
    };
    let found = format!("{:016x}", world.fingerprint());
    let is_same = found == expected;
    if as_json {
        let answer = json!({
            "fingerprint": found, "live_fingerprint": expected, "same": is_same,
            "entries": entries.len(),
        });
        print(&format!("{answer:#}\n"))?;
    } else {
        let verdict = if is_same {
            "as live"
        } else {
            "but live it was "
        };
        let other = if is_same { "" } else { &expected };
        let number = entries.len();
        print(&format!(
            "{number} entries, fingerprint {found}, {verdict}{other}\n"
        ))?;
    }
    Ok(if is_same {
        Outcome::Done
    } else {
        Outcome::Differs
    })
}

/// The choices that a record was made with, and its fingerprint.
fn chosen(summary: &str) -> Option<(Chosen, String)> {
    let summary: Value = serde_json::from_str(summary).ok()?;
    let texts = |key: &str| -> Option<Vec<String>> {
        let texts = summary[key].as_array()?.iter();
        texts.map(|text| Some(text.as_str()?.to_owned())).collect()
    };
    let chosen = Chosen {
        sets: texts("sets")?,
        real: texts("real")?,
        seed: summary["seed"].as_u64()?,
    };
    Some((chosen, summary["fingerprint"].as_str()?.to_owned()))
}
