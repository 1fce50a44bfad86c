//! Live runs, looked at like simulated ones: the packets of their hosts enter a world again, at the
//! recorded times and without a clock.

use std::path::Path;

use pacesim::measure::record::{LiveRow, TransferRow};
use pacesim::model::Model;
use pacesim::net::{Ecn, Probe};
use pacesim::scenario::Checked;
use pacesim::units::{FlowId, Time};
use pacesim::{Outside, World};
use pacesim_tables::{TableError, TableReader, Values};
use serde_json::Value;

use crate::error::RunError;
use crate::metrics::{Metric, OF_RUN};

/// A live run: all that its repetition needs, and what is to be told of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lived {
    /// The packets of its hosts, in the order in which they entered.
    pub packets: Vec<LiveRow>,
    /// Goodput of its real flows after the warm-up in bytes, as their receivers counted it.
    pub goodput: Vec<(FlowId, u64)>,
    /// The transfers of its real flows, whose ends are those of the receivers.
    pub transfers: Vec<TransferRow>,
    /// Fingerprint of the live world.
    pub fingerprint: u64,
    /// The verdict and its facts, for `summary.json`.
    pub facts: Value,
}

/// A run that is to be live.
#[derive(Clone, Copy, Debug)]
pub struct LiveOrder<'a> {
    /// Its scenario.
    pub scenario: &'a Checked,
    /// Its model, in which nothing is real yet.
    pub model: &'a Model,
}

impl LiveOrder<'_> {
    /// The error of a program that makes no live runs.
    pub fn refused(&self) -> RunError {
        let text = "this run is live, for which the program needs Linux, a build with the feature \
                    `live`, and `--reality DIR`, the folder of its recorded live runs";
        RunError::Live(text.to_owned())
    }
}

/// The reason why a folder has no live run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotLived(String);

/// Metric of live runs: 1 unless the run stands. Claims about such runs are left open.
pub const UNDECIDED: &str = "live_undecided";
/// Metric of live runs: the largest lateness.
pub const LATE: &str = "live_late_max_s";

/// The table of packets, and the key of the facts in the summary.
const TABLE: &str = "live.parquet";
const FACTS: &str = "live";

/// Lets the packets of a scenario's live parts come from outside.
pub fn open(scenario: &Checked, model: &mut Model) -> Outside {
    let parts = scenario.live_parts(model);
    Outside::open(model, &parts.flows, &parts.hosts)
}

impl Lived {
    /// True if a results folder is that of a live run.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(TABLE).is_file()
    }

    /// Reads the live run of a results folder.
    pub fn read(folder: &Path) -> Result<Lived, NotLived> {
        let path = folder.join("summary.json");
        let refused =
            |path: &Path, reason: String| NotLived(format!("{}: {reason}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|e| refused(&path, e.to_string()))?;
        let summary: Value =
            serde_json::from_str(&text).map_err(|e| refused(&path, e.to_string()))?;
        let facts = summary[FACTS].clone();
        let no_facts = || refused(&path, "not the summary of a live run".to_owned());
        let fingerprint = summary["fingerprint"].as_str();
        let fingerprint = fingerprint.and_then(|text| u64::from_str_radix(text, 16).ok());
        let goodput = facts["received"].as_array().map(|flows| {
            let of = |flow: &Value| {
                Some((
                    FlowId(flow["flow_id"].as_u64()? as u32),
                    flow["goodput_bytes"].as_u64()?,
                ))
            };
            flows.iter().map(of).collect::<Option<Vec<_>>>()
        });
        let mut lived = Lived {
            packets: Vec::new(),
            goodput: goodput.flatten().ok_or_else(no_facts)?,
            transfers: Vec::new(),
            fingerprint: fingerprint.ok_or_else(no_facts)?,
            facts,
        };
        lived.packets = read_packets(&folder.join(TABLE))?;
        Ok(lived)
    }

    /// Numbers of the run for studies: its largest lateness, and 1 unless it stands.
    pub fn metrics(&self) -> [Metric; 2] {
        let metric = |name: &'static str, value| Metric {
            of: OF_RUN,
            entity: OF_RUN.to_owned(),
            metric: name.into(),
            value,
        };
        let stands = self.facts["verdict"] == "STANDS";
        [
            metric(UNDECIDED, Some(f64::from(u8::from(!stands)))),
            metric(LATE, self.facts["late"]["max_s"].as_f64()),
        ]
    }

    /// Fails unless the fingerprint of its repetition is that of the live world.
    pub fn expect(&self, found: &str) -> Result<(), RunError> {
        let live = format!("{:016x}", self.fingerprint);
        match found == live {
            true => Ok(()),
            false => Err(RunError::Live(format!(
                "a recorded live run has the fingerprint {live}, and its repetition {found}: this \
                 version's network answers other packets than that which the hosts met; make it anew"
            ))),
        }
    }

    /// Notes at the end of a world what receivers counted.
    pub(crate) fn note<P: Probe>(&self, world: &mut World<P>) {
        for (flow, bytes) in &self.goodput {
            world.set_goodput(*flow, *bytes);
        }
    }
}

/// Lets a packet enter a world at its current time.
pub(crate) fn enter<P: Probe>(world: &mut World<P>, (number, packet): (usize, &LiveRow)) {
    let handle = number as u32 & (u32::MAX >> 2);
    let ecn = Ecn::from_bits(packet.ecn);
    world.enter(FlowId(packet.flow_id), packet.size_bytes, ecn, handle);
}

/// The time at which a packet entered.
pub(crate) fn entered(packet: &LiveRow) -> Time {
    Time::from_ps(packet.t_ps)
}

/// Reads a table of packets.
pub(crate) fn read_packets(path: &Path) -> Result<Vec<LiveRow>, NotLived> {
    let refused = |reason: String| NotLived(format!("{}: {reason}", path.display()));
    let read = || -> Result<Option<Vec<LiveRow>>, TableError> {
        let table = TableReader::open(path)?;
        let names = table.column_names();
        let mut packets = Vec::new();
        for group in 0..table.groups() {
            let first = packets.len();
            for (place, name) in names.iter().enumerate() {
                let Values::Integers(column) = table.values(group, place)? else {
                    return Ok(None);
                };
                packets.resize(first + column.len(), LiveRow::default());
                let rows = packets[first..].iter_mut().zip(column);
                let mut set = rows.map(|(row, number)| set(row, name, number));
                if !set.all(|is_set| is_set) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(packets))
    };
    match read() {
        Ok(Some(packets)) => Ok(packets),
        Ok(None) => Err(refused("not a table of packets of a live run".to_owned())),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// Sets a value of a row; false if there is no such value.
fn set(row: &mut LiveRow, name: &str, number: Option<i64>) -> bool {
    let unsigned = number.map(i64::cast_unsigned);
    let (small, tiny) = (
        unsigned.map(|number| number as u32),
        unsigned.map(|number| number as u8),
    );
    match (name, unsigned) {
        ("t_ps", Some(number)) => row.t_ps = number,
        ("read_ps", Some(number)) => row.read_ps = number,
        ("flow_id", Some(number)) => row.flow_id = number as u32,
        ("size_bytes", Some(number)) => row.size_bytes = number as u32,
        ("ecn", Some(number)) => row.ecn = number as u8,
        ("outcome", _) => row.outcome = tiny,
        ("link_id", _) => row.link_id = small,
        ("due_ps", _) => row.due_ps = unsigned,
        ("write_ps", _) => row.write_ps = unsigned,
        ("written_ps", _) => row.written_ps = unsigned,
        _ => return false,
    }
    true
}
