//! Runs that exceeded machine limits. They are listed apart from the results, and never under a
//! run's key: a finished run, here or in a store merged with this one, replaces such an entry.

use std::collections::BTreeMap;

use pacesim_runs::manifest::Digest;
use rusqlite::{Connection, params};

use crate::database::{Store, StoreError};
use crate::key::RESULTS_VERSION;

/// A run that was stopped.
#[derive(Debug)]
pub struct Abandoned {
    /// Key of the run's scenario.
    pub scenario: Digest,
    /// Number of the replication.
    pub replication: u64,
    /// The number of windows that its measured time is divided into.
    pub windows: u64,
    /// Limit that the run exceeded.
    pub why: String,
}

/// The limits that stopped runs, by scenario, windows and replication.
pub type AllAbandoned = BTreeMap<(String, u64, u64), String>;

const KEEP: &str = "INSERT OR REPLACE INTO abandoned VALUES (?1, ?2, ?3, ?4, ?5)";

const ALL: &str = "SELECT scenario, windows, replication, why FROM abandoned WHERE results = ?1";

const TAKE_OVER: &str = "
INSERT OR IGNORE INTO main.abandoned SELECT * FROM other.abandoned WHERE results = ?1";

const FINISHED: &str = "
DELETE FROM main.abandoned WHERE EXISTS (
  SELECT 1 FROM main.runs WHERE runs.scenario = abandoned.scenario AND runs.results = abandoned.results
    AND runs.replication = abandoned.replication AND runs.windows = abandoned.windows)";

impl Store {
    /// Lists stopped runs.
    pub fn keep_abandoned(&self, all: &[Abandoned]) -> Result<(), StoreError> {
        let keep = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            for run in all {
                let Abandoned {
                    replication,
                    windows,
                    why,
                    ..
                } = run;
                let scenario = run.scenario.to_string();
                let row = params![scenario, RESULTS_VERSION, replication, windows, why];
                transaction.execute(KEEP, row)?;
            }
            transaction.commit()
        };
        keep().map_err(|error| self.error(error))
    }

    /// All stopped runs.
    pub fn abandoned(&self) -> Result<AllAbandoned, StoreError> {
        let read = || -> rusqlite::Result<AllAbandoned> {
            let mut all = self.connection.prepare(ALL)?;
            let rows = all.query_map([RESULTS_VERSION], |row| {
                Ok(((row.get(0)?, row.get(1)?, row.get(2)?), row.get(3)?))
            })?;
            rows.collect()
        };
        read().map_err(|error| self.error(error))
    }

    /// Forgets stopped runs, so that they are missing again.
    pub fn forget_abandoned(&self) -> Result<(), StoreError> {
        let forgotten = self.connection.execute("DELETE FROM abandoned", []);
        forgotten.map(drop).map_err(|error| self.error(error))
    }
}

/// Imports the entries of another store, and drops those of runs finished in either.
pub(super) fn unite(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute(TAKE_OVER, [RESULTS_VERSION])?;
    connection.execute(FINISHED, []).map(drop)
}
