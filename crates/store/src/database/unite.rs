//! The import of runs from another store.

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_study::NumberName;
use rusqlite::{Connection, params};

use crate::database::reader::lists_in;
use crate::database::{FILE, Store, StoreError, abandoned};
use crate::key::RESULTS_VERSION;

/// Runs in both stores with different results.
const CONFLICT: &str = "
SELECT theirs.scenario, theirs.replication FROM other.runs AS theirs
CROSS JOIN main.runs AS ours USING (scenario, results, replication, windows, window)
WHERE theirs.digest <> ours.digest LIMIT 1";

/// Appends runs of the other store's last sweep with new ids; existing ones are unchanged.
const RUNS: &str = "
INSERT OR IGNORE INTO main.runs
SELECT run + ?1, scenario, results, replication, windows, window, seed, fingerprint,
  (SELECT ours FROM temp.same_lists WHERE theirs = metrics),
  packet_hops, wall_s, peak_rss_bytes, version, gave_up, digest
FROM other.runs
WHERE results = ?2 AND scenario IN (SELECT scenario FROM other.points)
ORDER BY run";

/// Rows that belong to the imported runs. The order of the join makes it a single pass over both.
const NUMBERS: &str = "
INSERT INTO main.numbers
SELECT new.run, theirs.place, theirs.value FROM other.numbers AS theirs
CROSS JOIN main.runs AS new ON new.run = theirs.run + ?1
ORDER BY theirs.run, theirs.place";

const MEASURED: &str = "
INSERT INTO main.measured
SELECT new.run, theirs.measure, theirs.csv FROM other.measured AS theirs
CROSS JOIN main.runs AS new ON new.run = theirs.run + ?1";

const WARMUPS: &str = "
INSERT OR IGNORE INTO main.warmups SELECT * FROM other.warmups WHERE results = ?1";

/// Maps lists of names to the same lists in the other store.
const SAME_LISTS: &str = "
CREATE TEMP TABLE IF NOT EXISTS same_lists (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);
DELETE FROM temp.same_lists";

impl Store {
    /// Imports the runs of another store's last sweep. A run in both stores must have the same
    /// result there.
    pub fn unite(&mut self, folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(FILE);
        let of_theirs = |error| StoreError::of(&path, error);
        let attach = "ATTACH DATABASE ?1 AS other";
        let name = path.to_str().ok_or_else(|| StoreError::System {
            path: path.clone(),
            source: std::io::ErrorKind::InvalidFilename.into(),
        })?;
        self.connection.execute(attach, [name]).map_err(of_theirs)?;
        let united = self.take_over(&path);
        let detached = self.connection.execute_batch("DETACH DATABASE other");
        united?;
        detached.map_err(of_theirs)
    }

    fn take_over(&mut self, path: &Path) -> Result<(), StoreError> {
        let of_theirs = |error| StoreError::of(path, error);
        let conflict = conflict(&self.connection).map_err(of_theirs)?;
        if let Some((scenario, replication)) = conflict {
            let path = path.to_path_buf();
            return Err(StoreError::Conflict {
                path,
                other: None,
                scenario,
                replication,
            });
        }
        self.in_one(copy).map_err(|error| match error {
            StoreError::Sqlite { source, .. } => StoreError::of(path, source),
            error => error,
        })
    }

    /// True if this store has the run.
    pub fn has_run(&self, scenario: &str, replication: u64) -> Result<bool, StoreError> {
        let find = "SELECT EXISTS (SELECT 1 FROM runs WHERE scenario = ?1 AND replication = ?2)";
        let found = self
            .connection
            .query_one(find, params![scenario, replication], |row| row.get(0));
        found.map_err(|error| self.error(error))
    }

    /// Another version of pacesim that made runs of the last sweep, if any.
    pub fn other_version(&self) -> Result<Option<String>, StoreError> {
        let find = "
            SELECT DISTINCT version FROM runs
            WHERE results = ?1 AND version <> ?2 AND scenario IN (SELECT scenario FROM points)";
        let read = || -> rusqlite::Result<Option<String>> {
            let mut find = self.connection.prepare(find)?;
            let mut rows = find.query(params![RESULTS_VERSION, pacesim_runs::VERSION])?;
            rows.next()?.map(|row| row.get(0)).transpose()
        };
        read().map_err(|error| self.error(error))
    }
}

fn conflict(connection: &Connection) -> rusqlite::Result<Option<(String, u64)>> {
    let mut find = connection.prepare(CONFLICT)?;
    let mut rows = find.query([])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    Ok(Some((row.get(0)?, row.get(1)?)))
}

fn copy(connection: &Connection) -> rusqlite::Result<()> {
    unite_lists(connection)?;
    let last = "SELECT coalesce(max(run), 0) FROM main.runs";
    let last: i64 = connection.query_one(last, [], |row| row.get(0))?;
    connection.execute(RUNS, params![last, RESULTS_VERSION])?;
    connection.execute(NUMBERS, [last])?;
    connection.execute(MEASURED, [last])?;
    abandoned::unite(connection)?;
    connection.execute(WARMUPS, [RESULTS_VERSION]).map(drop)
}

/// Maps the other store's lists of names to ids of this one.
fn unite_lists(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(SAME_LISTS)?;
    let mut ours = lists_in(connection, "main")?;
    let mut note = connection.prepare("INSERT INTO temp.same_lists VALUES (?1, ?2)")?;
    for (number, names) in lists_in(connection, "other")? {
        let known = ours.iter().find(|(_, known)| **known == names);
        let list = match known {
            Some((list, _)) => *list,
            None => insert_list(connection, &mut ours, names)?,
        };
        note.execute([number, list])?;
    }
    Ok(())
}

fn insert_list(
    connection: &Connection,
    ours: &mut BTreeMap<i64, Vec<NumberName>>,
    names: Vec<NumberName>,
) -> rusqlite::Result<i64> {
    let list = ours.last_key_value().map_or(0, |(last, _)| last + 1);
    let insert = "INSERT INTO main.metrics VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut insert = connection.prepare(insert)?;
    for (place, name) in names.iter().enumerate() {
        insert.execute(params![list, place, name.of, name.entity, name.metric])?;
    }
    ours.insert(list, names);
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Finished;
    use pacesim_runs::manifest::Digest;
    use pacesim_runs::metrics::Metric;

    /// A store with one run whose result is this number.
    fn store(folder: &Path, value: f64) -> Store {
        let mut store = Store::create(folder, "one").expect("a store");
        let run = Finished {
            scenario: Digest::default(),
            replication: 0,
            seed: 1,
            fingerprint: "00".to_owned(),
            packet_hops: 1,
            wall_s: 0.5,
            peak_rss_bytes: None,
            windows: vec![vec![Metric {
                of: "link",
                entity: "core".to_owned(),
                metric: "loss_ratio".into(),
                value: Some(value),
            }]],
            tables: Vec::new(),
            gave_up: None,
        };
        let kept = store
            .writer()
            .and_then(|mut writer| writer.keep([run].into_iter()));
        kept.expect("it is kept");
        let scenario = Digest::default().to_string();
        store.edit_plan(&format!(
            "INSERT INTO points VALUES (0, '{scenario}', 1, 1, 1)"
        ));
        store
    }

    #[test]
    fn a_run_that_came_to_other_numbers_elsewhere_is_a_conflict() {
        let folder = tempfile::tempdir().expect("a folder");
        let [ours, same, other] = ["ours", "same", "other"].map(|name| folder.path().join(name));
        drop((store(&same, 0.25), store(&other, 0.75)));
        let mut ours = store(&ours, 0.25);
        ours.unite(&same).expect("both came to the same");
        let conflict = ours.unite(&other).expect_err("one of them is wrong");
        assert!(
            matches!(conflict, StoreError::Conflict { .. }),
            "{conflict}"
        );
    }
}
