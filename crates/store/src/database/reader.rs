//! Reading of stored runs, one by one.

use std::collections::BTreeMap;

use pacesim_probes::table::MeasureTable;
use pacesim_runs::manifest::Digest;
use pacesim_study::NumberName;
use rusqlite::{Connection, OptionalExtension, Statement, params};

use crate::database::{Store, StoreError};
use crate::key::RESULTS_VERSION;
use crate::repetition::Repetition;

/// A run in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Number of the replication.
    pub replication: u64,
    /// Number of the window.
    pub window: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Fingerprint of the run.
    pub fingerprint: String,
    /// The id of the list of the names of its numbers.
    pub list: i64,
    /// Real time in seconds; for a window, its share of the run's.
    pub wall_s: f64,
    /// The reason for giving up, if the run did.
    pub gave_up: Option<String>,
    run: i64,
}

/// A reader of stored runs.
pub struct Reader<'s> {
    store: &'s Store,
    find: Statement<'s>,
    replications: Statement<'s>,
    numbers: Statement<'s>,
    table: Statement<'s>,
    lists: BTreeMap<i64, Vec<NumberName>>,
}

const FIND: &str = "
SELECT run, replication, window, seed, fingerprint, metrics, wall_s, gave_up FROM runs
WHERE scenario = ?1 AND results = ?2 AND replication = ?3 AND windows = ?4 AND window = ?5";

const REPLICATIONS: &str = "
SELECT replication FROM runs
WHERE scenario = ?1 AND results = ?2 AND replication < ?3 AND windows = ?4 AND window = 0
ORDER BY replication";

const NUMBERS: &str = "SELECT value FROM numbers WHERE run = ?1 ORDER BY place";

const TABLE: &str = "SELECT csv FROM measured WHERE run = ?1 AND measure = ?2";

impl Store {
    /// A reader of the runs in the store.
    pub fn reader(&self) -> Result<Reader<'_>, StoreError> {
        let prepare = |sql| self.connection.prepare(sql);
        let open = || {
            Ok(Reader {
                store: self,
                find: prepare(FIND)?,
                replications: prepare(REPLICATIONS)?,
                numbers: prepare(NUMBERS)?,
                table: prepare(TABLE)?,
                lists: lists(&self.connection)?,
            })
        };
        open().map_err(|error| self.error(error))
    }
}

/// Reads all lists of names.
pub(super) fn lists(connection: &Connection) -> rusqlite::Result<BTreeMap<i64, Vec<NumberName>>> {
    lists_in(connection, "main")
}

/// The lists of one of several attached stores.
pub(super) fn lists_in(
    connection: &Connection,
    store: &str,
) -> rusqlite::Result<BTreeMap<i64, Vec<NumberName>>> {
    let all = format!("SELECT list, of, entity, metric FROM {store}.metrics ORDER BY list, place");
    let mut all = connection.prepare(&all)?;
    let named = all.query_map([], |row| {
        let (of, entity, metric) = (row.get(1)?, row.get(2)?, row.get(3)?);
        Ok((row.get(0)?, NumberName { of, entity, metric }))
    })?;
    let mut lists: BTreeMap<i64, Vec<NumberName>> = BTreeMap::new();
    for named in named {
        let (list, name) = named?;
        lists.entry(list).or_default().push(name);
    }
    Ok(lists)
}

impl Reader<'_> {
    /// The stored replications of a scenario below `end`, divided into this number of windows, in
    /// order. All windows of a run are adjacent.
    pub fn replications(
        &mut self,
        scenario: Digest,
        windows: u64,
        end: u64,
    ) -> Result<Vec<u64>, StoreError> {
        let key = params![scenario.to_string(), RESULTS_VERSION, end, windows];
        let found = self.replications.query_map(key, |row| row.get(0));
        let all = found.and_then(|found| found.collect());
        all.map_err(|error| self.store.error(error))
    }

    /// A run or one of its windows, if stored.
    pub fn run(
        &mut self,
        scenario: Digest,
        repetition: Repetition,
    ) -> Result<Option<StoredRun>, StoreError> {
        let Repetition {
            replication,
            windows,
            window,
        } = repetition;
        let scenario = scenario.to_string();
        let key = params![scenario, RESULTS_VERSION, replication, windows, window];
        let found = self.find.query_one(key, |row| {
            Ok(StoredRun {
                run: row.get(0)?,
                replication: row.get(1)?,
                window: row.get(2)?,
                seed: row.get(3)?,
                fingerprint: row.get(4)?,
                list: row.get(5)?,
                wall_s: row.get(6)?,
                gave_up: row.get(7)?,
            })
        });
        let found = found.optional();
        found.map_err(|error| self.store.error(error))
    }

    /// True if a run was stopped for exceeding machine limits.
    pub fn is_abandoned(
        &self,
        scenario: Digest,
        repetition: Repetition,
    ) -> Result<bool, StoreError> {
        let Repetition {
            replication,
            windows,
            ..
        } = repetition;
        let scenario = scenario.to_string();
        let find = "SELECT count(*) FROM abandoned
            WHERE scenario = ?1 AND results = ?2 AND replication = ?3 AND windows = ?4";
        let key = params![scenario, RESULTS_VERSION, replication, windows];
        let found = self
            .store
            .connection
            .query_one(find, key, |row| row.get::<_, i64>(0));
        found
            .map(|n| n > 0)
            .map_err(|error| self.store.error(error))
    }

    /// The names of a run's numbers.
    pub fn names(&self, run: &StoredRun) -> &[NumberName] {
        self.lists.get(&run.list).map_or(&[], Vec::as_slice)
    }

    /// Reads the numbers of a run, replacing the content of the list.
    pub fn numbers(
        &mut self,
        run: &StoredRun,
        numbers: &mut Vec<Option<f64>>,
    ) -> Result<(), StoreError> {
        numbers.clear();
        let mut read = || -> rusqlite::Result<()> {
            let mut rows = self.numbers.query([run.run])?;
            while let Some(row) = rows.next()? {
                numbers.push(row.get(0)?);
            }
            Ok(())
        };
        read().map_err(|error| self.store.error(error))
    }

    /// The table of a measure in a run.
    pub fn table(&mut self, run: &StoredRun, measure: &str) -> Result<MeasureTable, StoreError> {
        let found = self.table.query_one(params![run.run, measure], |row| {
            let text = row.get_ref(0)?.as_str()?;
            Ok(MeasureTable::from_csv(text))
        });
        found.map_err(|error| self.store.error(error))
    }
}
