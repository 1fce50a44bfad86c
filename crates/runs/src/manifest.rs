//! Provenance of a results folder, recorded in the folder itself.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::Serialize;

use crate::summary::Summary;

/// The version of the results' files and columns, increased with every change of them.
pub const SCHEMA_VERSION: u32 = 5;

/// The machine that a run was made on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Host {
    /// Name of the machine; empty if it has none.
    pub name: String,
    /// Name of its operating system.
    pub os: &'static str,
    /// Name of its processor family.
    pub arch: &'static str,
    /// The number of processors that the program may use.
    pub cpus: u64,
}

/// `manifest.json`; the folder adds the list of its files, and the digest of the manifest itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manifest {
    /// Title of the scenario, or the name of its file.
    pub scenario: String,
    /// A digest of the resolved `scenario.toml` in this folder and the files it names.
    pub scenario_digest: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// Number of the replication.
    pub replication: u64,
    /// Version of pacesim that made the run.
    pub version: &'static str,
    /// Version of the layout of these files and their columns.
    pub schema_version: u32,
    /// Hash of the history of all packets.
    pub fingerprint: String,
    /// Command line that started the run.
    pub command: Vec<String>,
    /// Elapsed real time, in seconds.
    pub wall_s: f64,
    /// Machine that the run was made on.
    pub host: Host,
    /// The tables in this folder, with their row counts.
    pub tables: Vec<TableSize>,
}

/// The size of a table of a results folder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableSize {
    /// Name of the table's file.
    pub file: String,
    /// Number of rows in the table.
    pub rows: u64,
}

impl Manifest {
    /// The manifest of a run.
    pub fn new(
        summary: &Summary,
        scenario_digest: &str,
        command: &[String],
        host: Host,
        tables: Vec<TableSize>,
    ) -> Manifest {
        Manifest {
            scenario: summary.scenario.clone(),
            scenario_digest: scenario_digest.to_owned(),
            seed: summary.seed,
            replication: summary.replication,
            version: summary.version,
            schema_version: SCHEMA_VERSION,
            fingerprint: summary.fingerprint.clone(),
            command: command.to_vec(),
            wall_s: summary.wall_s,
            host,
            tables,
        }
    }
}

/// The 128-bit FNV-1a hash of a scenario and the files it names. It distinguishes scenarios, but is
/// not cryptographic.
///
/// ```
/// let mut digest = pacesim_runs::manifest::Digest::default();
/// digest.add(b"a");
/// assert_eq!(digest.to_string(), "fnv1a128:d228cb696f1a8caf78912b704e4a8964");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest(u128);

const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;

impl Digest {
    /// Parses a printed digest.
    pub fn parse(text: &str) -> Option<Digest> {
        let digits = text.strip_prefix("fnv1a128:")?;
        u128::from_str_radix(digits, 16).ok().map(Digest)
    }

    /// Hashes more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let hash = |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        self.0 = bytes.iter().fold(self.0, hash);
    }

    /// Hashes eight bytes as one word, which differs from hashing them one by one.
    pub fn add_word(&mut self, word: u64) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(PRIME);
    }

    /// The bytes of the digest.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// Hashes a whole file, and returns its length.
    pub fn add_file(&mut self, path: &Path) -> io::Result<u64> {
        let mut file = File::open(path)?;
        let mut bytes = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            match file.read(&mut bytes)? {
                0 => return Ok(length),
                n => {
                    length += n as u64;
                    self.add(&bytes[..n]);
                }
            }
        }
    }
}

impl Default for Digest {
    fn default() -> Digest {
        Digest(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D)
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "fnv1a128:{:032x}", self.0)
    }
}
