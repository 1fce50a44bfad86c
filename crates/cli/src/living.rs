//! Live runs made for scenarios: all that is told of them, for results and for readers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pacesim_lab::{Checked, LiveOrder, Lived, Model, RunError};
use pacesim_live::{Beside, Command, Lateness, LiveError, Outcome, Plan, Settings, Verdict};
use serde_json::{Value, json};

use crate::output::report;
use crate::signals;

/// A live run and all that is told of it.
pub(crate) struct Told {
    pub(crate) lived: Lived,
    pub(crate) verdict: Verdict,
    pub(crate) is_interrupted: bool,
    pub(crate) text: String,
}

/// The settings of a scenario.
pub(crate) fn settings(scenario: &Checked) -> Result<Settings, LiveError> {
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

/// Makes a live run.
pub(crate) fn run(
    scenario: &Checked,
    model: &Model,
    settings: Settings,
) -> Result<Told, LiveError> {
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
fn facts(lived: &Outcome, beside: &[Beside]) -> Value {
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

fn text(lived: &Outcome, beside: &[Beside]) -> String {
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
