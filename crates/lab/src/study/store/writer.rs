//! Runs into the store, several in one transaction.

use rusqlite::{Statement, params};

use super::reader::{Name, lists};
use super::{MeasureTable, Store, StoreError};
use crate::manifest::Digest;
use crate::replicate::Metric;
use crate::study::RESULTS_VERSION;

/// A run that has just ended.
#[derive(Debug)]
pub(in crate::study) struct Finished {
    pub(in crate::study) scenario: Digest,
    pub(in crate::study) replication: u64,
    pub(in crate::study) seed: u64,
    pub(in crate::study) fingerprint: String,
    pub(in crate::study) packet_hops: u64,
    pub(in crate::study) wall_s: f64,
    pub(in crate::study) peak_rss_bytes: Option<u64>,
    /// Why the run gave up, if it did.
    pub(in crate::study) gave_up: Option<String>,
    /// The numbers of each window; of one if its measured time is not cut.
    pub(in crate::study) windows: Vec<Vec<Metric>>,
    /// The tables of measures by name; there are none in windows.
    pub(in crate::study) tables: Vec<(String, MeasureTable)>,
}

/// Writes runs.
pub(in crate::study) struct Writer<'s> {
    store: &'s Store,
    insert_run: Statement<'s>,
    insert_number: Statement<'s>,
    insert_table: Statement<'s>,
    /// The lists of names that are known, by place and number; the last is the one that was
    /// used last.
    lists: Vec<(i64, Vec<Name>)>,
}

const INSERT_RUN: &str = "
INSERT OR IGNORE INTO runs (scenario, results, replication, windows, window, seed, fingerprint,
  metrics, packet_hops, wall_s, peak_rss_bytes, version, gave_up)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

const INSERT_NUMBER: &str = "INSERT INTO numbers (run, place, value) VALUES (?1, ?2, ?3)";

const INSERT_TABLE: &str = "INSERT INTO measured (run, measure, csv) VALUES (?1, ?2, ?3)";

impl Store {
    pub(in crate::study) fn writer(&self) -> Result<Writer<'_>, StoreError> {
        let prepare = |sql| self.connection.prepare(sql);
        let open = || {
            Ok(Writer {
                store: self,
                insert_run: prepare(INSERT_RUN)?,
                insert_number: prepare(INSERT_NUMBER)?,
                insert_table: prepare(INSERT_TABLE)?,
                lists: lists(&self.connection)?.into_iter().collect(),
            })
        };
        open().map_err(|error| self.error(error))
    }
}

impl Writer<'_> {
    /// Keeps runs; they come into the store together or not at all.
    pub(in crate::study) fn keep(
        &mut self,
        runs: impl Iterator<Item = Finished>,
    ) -> Result<(), StoreError> {
        let kept = self.keep_all(runs);
        kept.map_err(|error| self.store.error(error))
    }

    fn keep_all(&mut self, mut runs: impl Iterator<Item = Finished>) -> rusqlite::Result<()> {
        let store = self.store;
        // Dropped early, it rolls back.
        let transaction = store.connection.unchecked_transaction()?;
        runs.try_for_each(|run| self.insert_all(&run))?;
        transaction.commit()
    }

    fn insert_all(&mut self, run: &Finished) -> rusqlite::Result<()> {
        let mut windows = (0..).zip(&run.windows);
        windows.try_for_each(|(window, numbers)| self.insert(run, window, numbers))
    }

    fn insert(&mut self, run: &Finished, window: u64, numbers: &[Metric]) -> rusqlite::Result<()> {
        let metrics = self.list_of(numbers)?;
        let windows = run.windows.len() as u64;
        let inserted = self.insert_run.execute(params![
            run.scenario.to_string(),
            RESULTS_VERSION,
            run.replication,
            windows,
            window,
            run.seed,
            run.fingerprint,
            metrics,
            run.packet_hops,
            run.wall_s / windows as f64,
            run.peak_rss_bytes,
            crate::VERSION,
            run.gave_up,
        ])?;
        if inserted == 0 {
            return Ok(());
        }
        let id = self.store.connection.last_insert_rowid();
        for (place, number) in numbers.iter().enumerate() {
            self.insert_number
                .execute(params![id, place, number.value])?;
        }
        for (measure, table) in &run.tables {
            self.insert_table
                .execute(params![id, measure, table.to_csv()])?;
        }
        Ok(())
    }

    /// The number of the list of these names; a new list is written.
    fn list_of(&mut self, numbers: &[Metric]) -> rusqlite::Result<i64> {
        let is_it = |(_, names): &(i64, Vec<Name>)| {
            names.len() == numbers.len() && names.iter().zip(numbers).all(|(n, m)| n.is_of(m))
        };
        if let Some(place) = self.lists.iter().rposition(is_it) {
            let last = self.lists.len() - 1;
            self.lists.swap(place, last);
            return Ok(self.lists[last].0);
        }
        let highest = self.lists.iter().map(|(list, _)| *list).max();
        let list = highest.map_or(0, |highest| highest + 1);
        let insert = "INSERT INTO metrics VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut insert = self.store.connection.prepare(insert)?;
        for (place, of) in numbers.iter().enumerate() {
            insert.execute(params![list, place, of.of, of.entity, &*of.metric])?;
        }
        self.lists
            .push((list, numbers.iter().map(Name::of).collect()));
        Ok(list)
    }
}
