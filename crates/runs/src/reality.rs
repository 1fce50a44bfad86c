//! Recorded live runs of a study: a folder with two files for each, which everyone can repeat.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use pacesim::measure::record::LiveRow;
use pacesim::scenario::{Scenario, load};
use pacesim::units::FlowId;
use pacesim_tables::TableWriter;
use pacesim_tables::partial::write_complete;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::RunError;
use crate::lived::{LiveOrder, Lived, read_packets};
use crate::summary::to_json;

/// A folder of recorded live runs.
#[derive(Clone, Debug)]
pub struct Recordings {
    folder: PathBuf,
}

/// The text beside the packets of a recorded live run.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// The scenario, fully resolved, by which the run is found.
    scenario: String,
    seed: u64,
    replication: u64,
    version: String,
    fingerprint: String,
    /// Goodput of real flows after the warm-up in bytes, by the number of the flow.
    goodput: Vec<(u32, u64)>,
    live: Value,
}

impl Recordings {
    /// The recordings in a folder, which need not exist yet.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Recordings {
        Recordings {
            folder: folder.into(),
        }
    }

    /// The recorded live run of a scenario, if there is one.
    pub fn find(&self, of: &LiveOrder<'_>) -> Result<Option<Lived>, RunError> {
        for name in self.names()? {
            let record = self.record(&name)?;
            if [record.seed, record.replication] != [of.model.seed, of.model.replication] {
                continue;
            }
            // Texts of earlier versions lack the keys that came later.
            let same = load(&name, &record.scenario, &[], &()).is_ok_and(|found| {
                same_hosts(found.scenario()) == same_hosts(of.scenario.scenario())
            });
            if same {
                return self.read(&name, record).map(Some);
            }
        }
        Ok(None)
    }

    /// Adds a live run to the folder.
    pub fn keep(&self, of: &LiveOrder<'_>, lived: &Lived) -> Result<(), RunError> {
        let failed = |path: &Path, error: &dyn ToString| wrong(path, &error.to_string());
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, &error))?;
        let next = self
            .names()?
            .last()
            .and_then(|name| name.parse::<u32>().ok());
        let name = format!("{:03}", next.map_or(0, |last| last + 1));
        let path = self.folder.join(format!("{name}.parquet"));
        let mut table = TableWriter::<LiveRow>::create(&path, &[])?;
        for packet in &lived.packets {
            table.push(only_entry(packet))?;
        }
        table.finish()?;
        let record = Record {
            scenario: of.scenario.scenario().to_toml(),
            seed: of.model.seed,
            replication: of.model.replication,
            version: crate::VERSION.to_owned(),
            fingerprint: format!("{:016x}", lived.fingerprint),
            goodput: lived
                .goodput
                .iter()
                .map(|(flow, bytes)| (flow.0, *bytes))
                .collect(),
            live: lived.facts.clone(),
        };
        // Last: without its text a table is no recording.
        let path = self.folder.join(format!("{name}.json"));
        write_complete(&path, to_json(&record).as_bytes()).map_err(|error| failed(&path, &error))
    }

    /// The names of the recordings, sorted.
    fn names(&self) -> Result<Vec<String>, RunError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(wrong(&self.folder, &error.to_string())),
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let texts = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        let stems = texts.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        let mut names: Vec<String> = stems.collect();
        names.sort();
        Ok(names)
    }

    fn record(&self, name: &str) -> Result<Record, RunError> {
        let path = self.folder.join(format!("{name}.json"));
        let text = fs::read_to_string(&path).map_err(|error| wrong(&path, &error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| wrong(&path, &error.to_string()))
    }

    fn read(&self, name: &str, record: Record) -> Result<Lived, RunError> {
        let path = self.folder.join(format!("{name}.parquet"));
        let packets = read_packets(&path).map_err(|error| RunError::Live(error.to_string()))?;
        let fingerprint = u64::from_str_radix(&record.fingerprint, 16);
        Ok(Lived {
            packets,
            goodput: record
                .goodput
                .iter()
                .map(|(flow, bytes)| (FlowId(*flow), *bytes))
                .collect(),
            transfers: Vec::new(),
            fingerprint: fingerprint.map_err(|_| wrong(&path, "not a fingerprint"))?,
            facts: record.live,
        })
    }
}

/// A scenario without what changes neither the network nor its hosts.
fn same_hosts(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.run.seed = 0;
    scenario.title.clear();
    // Without hosts it says how punctual the machine must be, and how it is made so.
    scenario.live = scenario.live.filter(|live| !live.hosts.is_empty());
    scenario
}

fn wrong(path: &Path, reason: &str) -> RunError {
    RunError::Live(format!("{}: {reason}", path.display()))
}

/// The part of a packet's row that a repetition needs.
fn only_entry(packet: &LiveRow) -> LiveRow {
    LiveRow {
        t_ps: packet.t_ps,
        flow_id: packet.flow_id,
        size_bytes: packet.size_bytes,
        ecn: packet.ecn,
        ..LiveRow::default()
    }
}
