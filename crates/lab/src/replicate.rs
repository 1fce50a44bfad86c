//! Independent replications: means with confidence instead of single numbers.

mod metrics;
mod row;

pub use metrics::Mean;

use serde::Serialize;

use crate::folder::{Contents, ResultsFolder};
use crate::input::Input;
use crate::manifest::SCHEMA_VERSION;
use crate::run::{Plan, RunError, Supervisor, run_into};
use crate::summary::{Summary, to_json};
use metrics::means;
pub(crate) use metrics::{Metric, metrics};
use row::RunRow;

/// The level of all intervals.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// Several replications of one scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replications {
    /// The scenario's title, or its file's name.
    pub scenario: String,
    /// The seed of all random streams; replications differ in nothing else than their
    /// number.
    pub seed: u64,
    /// How many there are.
    pub replications: u64,
    /// The version of pacesim.
    pub version: &'static str,
    /// One hash of the fingerprints of all replications in their order; of a single
    /// one its own.
    pub fingerprint: String,
    /// The level of the means' intervals.
    pub confidence: f64,
    /// The mean of every number, over replications.
    pub means: Vec<Mean>,
    /// The replications one by one.
    pub runs: Vec<Summary>,
}

/// `manifest.json` of a folder of several replications.
#[derive(Serialize)]
struct Manifest<'a> {
    scenario: &'a str,
    seed: u64,
    replications: u64,
    version: &'static str,
    schema_version: u32,
    fingerprint: &'a str,
    fingerprints: Vec<&'a str>,
    command: &'a [String],
    host: crate::Host,
}

/// Runs replications 0 to `count` - 1 one after the other. A results folder has one
/// subfolder for each, and `runs.parquet`.
pub fn replicate(
    input: &Input,
    count: u64,
    plan: &Plan<'_>,
    supervisor: &mut dyn Supervisor,
) -> Result<Replications, RunError> {
    let create = |out| ResultsFolder::create(out, plan.force);
    let folder = plan.out.map(create).transpose()?;
    let contents = folder.as_ref().map(ResultsFolder::contents);
    let replications = replicate_into(contents, input, count, plan, supervisor)?;
    folder.map(ResultsFolder::finish).transpose()?;
    Ok(replications)
}

/// The same with the results in this folder, whatever the plan says.
pub(crate) fn replicate_into(
    folder: Option<&Contents>,
    input: &Input,
    count: u64,
    plan: &Plan<'_>,
    supervisor: &mut dyn Supervisor,
) -> Result<Replications, RunError> {
    let width = (count.max(1) - 1).to_string().len();
    let mut runs = Vec::new();
    for number in 0..count {
        supervisor.begin(number, count);
        let name = format!("replication-{number:0width$}");
        let own = folder.map(|folder| folder.subfolder(&name)).transpose()?;
        runs.push(run_into(own.as_ref(), input, number, plan, supervisor)?);
    }
    let all: Vec<Vec<Metric>> = runs.iter().map(metrics).collect();
    let replications = Replications {
        scenario: input.name.clone(),
        seed: plan.seed.unwrap_or(input.scenario.scenario().run.seed),
        replications: count,
        version: crate::VERSION,
        fingerprint: combined(&runs),
        confidence: CONFIDENCE,
        means: means(&all),
        runs,
    };
    if let Some(folder) = folder {
        keep(folder, &replications, all, plan, supervisor.host())?;
    }
    Ok(replications)
}

/// The first fingerprint, into which the others are mixed.
fn combined(runs: &[Summary]) -> String {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let number = |run: &Summary| u64::from_str_radix(&run.fingerprint, 16);
    let numbers = runs
        .iter()
        .map(|run| number(run).expect("written in hexadecimal"));
    let mix = |all: u64, next: u64| (all.rotate_left(5) ^ next).wrapping_mul(ODD);
    format!("{:016x}", numbers.reduce(mix).unwrap_or(0))
}

fn keep(
    folder: &Contents,
    replications: &Replications,
    metrics: Vec<Vec<Metric>>,
    plan: &Plan<'_>,
    host: crate::Host,
) -> Result<(), RunError> {
    let seed = replications.seed;
    let notes = [
        ("seed", seed.to_string()),
        ("version", crate::VERSION.to_owned()),
    ];
    let mut table = folder.table(&notes)?;
    for (replication, metrics) in (0..).zip(metrics) {
        for metric in metrics {
            table.push(&RunRow {
                replication,
                seed,
                metric,
            })?;
        }
    }
    table.finish()?;
    folder.write("summary.json", &to_json(replications))?;
    let manifest = Manifest {
        scenario: &replications.scenario,
        seed,
        replications: replications.replications,
        version: crate::VERSION,
        schema_version: SCHEMA_VERSION,
        fingerprint: &replications.fingerprint,
        fingerprints: replications
            .runs
            .iter()
            .map(|run| run.fingerprint.as_str())
            .collect(),
        command: plan.command,
        host,
    };
    Ok(folder.write_manifest(&manifest)?)
}

impl Replications {
    /// The summary as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
