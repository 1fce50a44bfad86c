//! The results folder of one run: its manifest, its names, and the tables that were recorded.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_runs::folder::{CheckedFolder, MANIFEST, OpenError};
use pacesim_tables::{Cell, TableReader};
use serde_json::Value;

use crate::trace::error::TraceError;

/// A recording: one run's results folder.
#[derive(Debug)]
pub struct Recording {
    /// The folder.
    pub folder: PathBuf,
    /// Folder of the results, compared with its digests.
    pub results: CheckedFolder,
    /// The flows by id.
    pub flows: Vec<Flow>,
    /// The links by id.
    pub links: Vec<Link>,
}

/// A flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The name, "burst\[3\]".
    pub name: String,
    /// Name of the flow's group.
    pub group: String,
    /// The sending node.
    pub src: String,
    /// The receiving node.
    pub dst: String,
    /// True for TCP.
    pub is_tcp: bool,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The name.
    pub name: String,
    /// The node it leaves.
    pub from: String,
    /// The node it reaches.
    pub to: String,
    /// The line's rate in bit/s.
    pub rate_bps: u64,
    /// The propagation delay.
    pub delay_ps: u64,
}

/// Tables that are recorded on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Packets at ports.
    Packets,
    /// Events of TCP senders.
    Senders,
    /// Numbers of other senders.
    Ends,
}

impl What {
    fn file(self) -> &'static str {
        match self {
            What::Packets => "packets.parquet",
            What::Senders => "tcp.parquet",
            What::Ends => "ends.parquet",
        }
    }
}

impl Recording {
    /// Opens the folder of one run.
    pub fn open(folder: &Path) -> Result<Recording, TraceError> {
        let results = match CheckedFolder::open(folder) {
            Err(OpenError::NotResults(_)) => return Err(not_one_run(folder)),
            results => results?,
        };
        if results.manifest()["replications"].is_u64() {
            return Err(not_one_run(folder));
        }
        let mut recording = Recording {
            folder: folder.to_path_buf(),
            results,
            flows: Vec::new(),
            links: Vec::new(),
        };
        recording.flows = rows(&recording.results.file("flows.parquet")?, flow)?;
        recording.links = rows(&recording.results.file("links.parquet")?, link)?;
        Ok(recording)
    }

    /// True if this table was recorded.
    pub fn has(&self, what: What) -> bool {
        self.results.has(what.file())
    }

    /// Opens a recorded table.
    pub(crate) fn table(&self, what: What) -> Result<TableReader, TraceError> {
        if !self.has(what) {
            let (what, key) = match what {
                What::Packets => ("packets", "packets = {}"),
                What::Senders => ("events of TCP senders", "tcp = {}"),
                What::Ends => ("numbers of senders other than TCP", "ends = {}"),
            };
            let path = self.folder.clone();
            return Err(TraceError::NotRecorded { path, what, key });
        }
        Ok(TableReader::open(&self.results.file(what.file())?)?)
    }

    /// Manifest of the folder.
    pub fn manifest(&self) -> &Value {
        self.results.manifest()
    }
}

/// The reason why a folder is not that of one run.
fn not_one_run(folder: &Path) -> TraceError {
    let path = folder.to_path_buf();
    let is_run = |path: &PathBuf| path.join(MANIFEST).is_file();
    let runs = |folder: PathBuf| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut runs: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_run).collect();
        runs.sort();
        runs
    };
    let mut found = runs(folder.join("recordings"));
    found.extend(runs(path.clone()));
    match found.first() {
        Some(one) => TraceError::SeveralRuns {
            path,
            one: one.display().to_string(),
        },
        None if folder.join("store.sqlite").is_file() => TraceError::Study(path),
        None => TraceError::NotResults(path),
    }
}

type Cells<'a> = &'a [(&'a str, Cell)];

fn rows<T>(path: &Path, row: fn(Cells) -> Option<T>) -> Result<Vec<T>, TraceError> {
    let (mut found, mut whole) = (Vec::new(), true);
    TableReader::open(path)?.for_each_row(|cells| match row(cells) {
        Some(read) => found.push(read),
        None => whole = false,
    })?;
    if whole {
        Ok(found)
    } else {
        Err(TraceError::Damaged {
            path: path.to_path_buf(),
            why: "a column is missing or of another type".to_owned(),
        })
    }
}

fn text(cells: Cells, name: &str) -> Option<String> {
    match cells.iter().find(|(of, _)| *of == name)? {
        (_, Cell::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

fn number(cells: Cells, name: &str) -> Option<f64> {
    match cells.iter().find(|(of, _)| *of == name)? {
        (_, Cell::Integer(n)) => Some(*n as f64),
        (_, Cell::Real(x)) => Some(*x),
        _ => None,
    }
}

fn flow(cells: Cells) -> Option<Flow> {
    let group = text(cells, "group")?;
    let index = number(cells, "index")?;
    Some(Flow {
        name: format!("{group}[{index}]"),
        group,
        src: text(cells, "src")?,
        dst: text(cells, "dst")?,
        // Other flows have none.
        is_tcp: number(cells, "transfer_s").is_some(),
    })
}

fn link(cells: Cells) -> Option<Link> {
    Some(Link {
        name: text(cells, "link")?,
        from: text(cells, "from")?,
        to: text(cells, "to")?,
        rate_bps: number(cells, "rate_bps")? as u64,
        delay_ps: (number(cells, "delay_s")? * 1e12).round() as u64,
    })
}
