//! The writing of runs, several per transaction.

use pacesim_probes::table::MeasureTable;
use pacesim_runs::manifest::Digest;
use pacesim_runs::metrics::Metric;
use pacesim_study::NumberName;
use rusqlite::{Statement, params};

use crate::database::reader::lists;
use crate::database::seal::Sealed;
use crate::database::{Store, StoreError, seal};
use crate::key::RESULTS_VERSION;

/// A run that has just ended.
#[derive(Debug)]
pub struct Finished {
    /// Key of the run's scenario.
    pub scenario: Digest,
    /// Number of the replication.
    pub replication: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Fingerprint of the run.
    pub fingerprint: String,
    /// Number of packet-hops made.
    pub packet_hops: u64,
    /// Wall-clock time in seconds.
    pub wall_s: f64,
    /// The largest resident set, if the system reports it.
    pub peak_rss_bytes: Option<u64>,
    /// The reason for giving up, if the run did.
    pub gave_up: Option<String>,
    /// The numbers of each window; one window if its measured time is not divided.
    pub windows: Vec<Vec<Metric>>,
    /// The tables of measures by name; windows have none.
    pub tables: Vec<(String, MeasureTable)>,
}

impl Finished {
    /// The columns of a window that its digest covers.
    fn sealed<'a>(&'a self, scenario: &'a str, window: u64) -> Sealed<'a> {
        Sealed {
            scenario,
            results: RESULTS_VERSION,
            replication: self.replication,
            windows: self.windows.len() as u64,
            window,
            seed: self.seed,
            fingerprint: &self.fingerprint,
            packet_hops: self.packet_hops,
            gave_up: self.gave_up.as_deref(),
        }
    }

    /// The tables of measures, ordered by name.
    fn csv_tables(&self) -> Vec<(&str, String)> {
        let tables = self
            .tables
            .iter()
            .map(|(name, table)| (&**name, table.to_csv()));
        let mut tables: Vec<(&str, String)> = tables.collect();
        tables.sort();
        tables
    }

    /// The digests of its windows, as a store would have them.
    pub fn seals(&self) -> Vec<Vec<u8>> {
        let (scenario, tables) = (self.scenario.to_string(), self.csv_tables());
        let seal = |(window, numbers): (u64, &Vec<Metric>)| {
            let names: Vec<NumberName> = numbers.iter().map(name_of).collect();
            let texts = tables.iter().map(|(name, csv)| (*name, &**csv));
            let numbers = numbers.iter().map(|number| number.value);
            let sealed = self.sealed(&scenario, window);
            sealed.seal(seal::of_names(&names), numbers, texts).to_vec()
        };
        (0..).zip(&self.windows).map(seal).collect()
    }
}

impl Store {
    /// The stored digests of the windows of a run.
    pub fn seals(&self, run: &Finished) -> Result<Vec<Vec<u8>>, StoreError> {
        const SEALS: &str = "
            SELECT digest FROM runs
            WHERE scenario = ?1 AND results = ?2 AND replication = ?3 AND windows = ?4
            ORDER BY window";
        let windows = run.windows.len() as u64;
        let key = params![
            run.scenario.to_string(),
            RESULTS_VERSION,
            run.replication,
            windows
        ];
        let read = || -> rusqlite::Result<Vec<Vec<u8>>> {
            let mut seals = self.connection.prepare(SEALS)?;
            let seals = seals.query_map(key, |row| row.get(0))?;
            seals.collect()
        };
        read().map_err(|error| self.error(error))
    }
}

/// A writer of runs.
pub struct Writer<'s> {
    store: &'s Store,
    insert_run: Statement<'s>,
    insert_number: Statement<'s>,
    insert_table: Statement<'s>,
    /// The known lists of names, the most recently used one last.
    lists: Vec<List>,
}

/// A list of names with its id and its digest.
struct List {
    number: i64,
    names: Vec<NumberName>,
    digest: Digest,
}

impl List {
    fn new(number: i64, names: Vec<NumberName>) -> List {
        let digest = seal::of_names(&names);
        List {
            number,
            names,
            digest,
        }
    }

    fn is_of(&self, numbers: &[Metric]) -> bool {
        let mut pairs = self.names.iter().zip(numbers);
        self.names.len() == numbers.len() && pairs.all(|(name, metric)| is_of(name, metric))
    }
}

const INSERT_RUN: &str = "
INSERT OR IGNORE INTO runs (scenario, results, replication, windows, window, seed, fingerprint,
  metrics, packet_hops, wall_s, peak_rss_bytes, version, gave_up, digest)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";

const INSERT_NUMBER: &str = "INSERT INTO numbers (run, place, value) VALUES (?1, ?2, ?3)";

const INSERT_TABLE: &str = "INSERT INTO measured (run, measure, csv) VALUES (?1, ?2, ?3)";

impl Store {
    /// Opens a writer of runs.
    pub fn writer(&self) -> Result<Writer<'_>, StoreError> {
        let prepare = |sql| self.connection.prepare(sql);
        let open = || {
            Ok(Writer {
                store: self,
                insert_run: prepare(INSERT_RUN)?,
                insert_number: prepare(INSERT_NUMBER)?,
                insert_table: prepare(INSERT_TABLE)?,
                lists: known_lists(self)?,
            })
        };
        open().map_err(|error| self.error(error))
    }
}

impl Writer<'_> {
    /// Stores runs in one transaction.
    pub fn keep(&mut self, runs: impl Iterator<Item = Finished>) -> Result<(), StoreError> {
        let kept = self.keep_all(runs);
        kept.map_err(|error| self.store.error(error))
    }

    fn keep_all(&mut self, mut runs: impl Iterator<Item = Finished>) -> rusqlite::Result<()> {
        let store = self.store;
        // Dropping it early rolls back.
        let transaction = store.connection.unchecked_transaction()?;
        runs.try_for_each(|run| self.insert_all(&run))?;
        transaction.commit()
    }

    fn insert_all(&mut self, run: &Finished) -> rusqlite::Result<()> {
        let mut windows = (0..).zip(&run.windows);
        windows.try_for_each(|(window, numbers)| self.insert(run, window, numbers))
    }

    fn insert(&mut self, run: &Finished, window: u64, numbers: &[Metric]) -> rusqlite::Result<()> {
        let (metrics, names) = self.list_of(numbers)?;
        let scenario = run.scenario.to_string();
        let (sealed, tables) = (run.sealed(&scenario, window), run.csv_tables());
        let texts = tables.iter().map(|(name, csv)| (*name, &**csv));
        let digest = sealed.seal(names, numbers.iter().map(|number| number.value), texts);
        let inserted = self.insert_run.execute(params![
            sealed.scenario,
            sealed.results,
            sealed.replication,
            sealed.windows,
            sealed.window,
            sealed.seed,
            sealed.fingerprint,
            metrics,
            sealed.packet_hops,
            run.wall_s / sealed.windows as f64,
            run.peak_rss_bytes,
            pacesim_runs::VERSION,
            run.gave_up,
            digest,
        ])?;
        if inserted == 0 {
            return Ok(());
        }
        let id = self.store.connection.last_insert_rowid();
        for (place, number) in numbers.iter().enumerate() {
            self.insert_number
                .execute(params![id, place, number.value])?;
        }
        for (measure, csv) in &tables {
            self.insert_table.execute(params![id, measure, csv])?;
        }
        Ok(())
    }

    /// The id and the digest of the list of these names; writes a new list.
    fn list_of(&mut self, numbers: &[Metric]) -> rusqlite::Result<(i64, Digest)> {
        if let Some(place) = self.lists.iter().rposition(|list| list.is_of(numbers)) {
            let last = self.lists.len() - 1;
            self.lists.swap(place, last);
            return Ok((self.lists[last].number, self.lists[last].digest));
        }
        let highest = self.lists.iter().map(|list| list.number).max();
        let number = highest.map_or(0, |highest| highest + 1);
        let insert = "INSERT INTO metrics VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut insert = self.store.connection.prepare(insert)?;
        for (place, of) in numbers.iter().enumerate() {
            insert.execute(params![number, place, of.of, of.entity, &*of.metric])?;
        }
        let list = List::new(number, numbers.iter().map(name_of).collect());
        let digest = list.digest;
        self.lists.push(list);
        Ok((number, digest))
    }
}

fn known_lists(store: &Store) -> rusqlite::Result<Vec<List>> {
    let all = lists(&store.connection)?.into_iter();
    Ok(all
        .map(|(number, names)| List::new(number, names))
        .collect())
}

fn name_of(metric: &Metric) -> NumberName {
    NumberName::new(metric.of, &metric.entity, &metric.metric)
}

/// True if a name is that of a number, comparing first where names differ most.
fn is_of(name: &NumberName, metric: &Metric) -> bool {
    (&*name.entity, &*name.metric, &*name.of) == (&*metric.entity, &*metric.metric, metric.of)
}
