//! Damage in a store: detected whenever one is opened, repaired by commands that make runs.

use std::collections::{BTreeMap, BTreeSet};
use std::{fmt, fs};

use pacesim_runs::manifest::Digest;
use pacesim_study::NumberName;
use rusqlite::{Connection, OptionalExtension, Row, Statement};

use crate::database::reader::lists;
use crate::database::seal::Sealed;
use crate::database::{Store, StoreError, seal};

/// Damage in a store that SQLite can read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Runs that have changed since they were stored.
    pub runs: Vec<DamagedRun>,
    /// The number of runs that vanished since the last sweep ended.
    pub gone: u64,
    /// The number of warm-ups that have changed since they were stored.
    pub warmups: u64,
    /// True if the plan of the last sweep has changed since it was stored.
    pub plan: bool,
    /// True if numbers or tables exist for runs that do not.
    orphans: bool,
}

/// A run, or a window of one, that has changed since it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedRun {
    /// Row of the run in its table.
    run: i64,
    /// The digest of its scenario, as far as it is readable.
    pub scenario: String,
    /// Number of the replication.
    pub replication: u64,
    /// The numbers of the points with this scenario.
    pub points: Vec<u64>,
}

impl Damage {
    /// The same damage without single runs.
    pub fn but_runs(&self) -> Damage {
        Damage {
            runs: Vec::new(),
            ..self.clone()
        }
    }

    /// True if there is no damage.
    pub fn is_none(&self) -> bool {
        *self == Damage::default()
    }
}

impl fmt::Display for DamagedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.points.first() {
            Some(point) => write!(f, "point {point}, replication {}", self.replication),
            None => write!(f, "replication {} of {}", self.replication, self.scenario),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 5;
        let mut parts = Vec::new();
        if !self.runs.is_empty() {
            let named: Vec<String> = self
                .runs
                .iter()
                .take(NAMED)
                .map(ToString::to_string)
                .collect();
            let more = self.runs.len().saturating_sub(NAMED);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            parts.push(format!(
                "runs that have changed since they were stored: {}{more}",
                named.join("; ")
            ));
        }
        if self.gone > 0 {
            parts.push(format!("{} runs that are gone", self.gone));
        }
        if self.warmups > 0 {
            parts.push(format!(
                "{} warm-ups that have changed since they were stored",
                self.warmups
            ));
        }
        if self.plan {
            parts.push("the plan of the last sweep".to_owned());
        }
        if self.orphans {
            parts.push("numbers of runs that are not there".to_owned());
        }
        f.write_str(&parts.join("; "))
    }
}

impl Store {
    /// Refuses a store with any damage.
    pub(super) fn refuse_damaged(&self) -> Result<(), StoreError> {
        self.refuse(self.damage()?)
    }

    /// Refuses a store with damage, for commands that derive the missing runs from the plan.
    pub(super) fn refuse_damaged_runs(&self) -> Result<(), StoreError> {
        let damage = self.damage()?;
        self.refuse(Damage { gone: 0, ..damage })
    }

    fn refuse(&self, damage: Damage) -> Result<(), StoreError> {
        if damage.is_none() {
            Ok(())
        } else {
            Err(StoreError::Unsound {
                path: self.path.clone(),
                damage: Box::new(damage),
            })
        }
    }

    /// Removes damaged data, so that the runs are missing and repeated. Returns the damage.
    pub(super) fn mend(&mut self) -> Result<Damage, StoreError> {
        let damage = self.damage()?;
        if !damage.is_none() {
            self.in_one(|connection| remove(connection, &damage))?;
        }
        Ok(damage)
    }

    /// Refuses a file that is truncated, or whose pages are inconsistent.
    fn refuse_damaged_file(&self) -> Result<(), StoreError> {
        let damaged = || StoreError::Damaged(self.path.clone());
        let size = |pragma| {
            let size = self
                .connection
                .pragma_query_value(None, pragma, |row| row.get::<_, u64>(0));
            size.map_err(|error| self.error(error))
        };
        let whole = size("page_size")?.saturating_mul(size("page_count")?);
        let length = fs::metadata(&self.path).map(|found| found.len());
        if length.map_or(true, |length| length != whole) {
            return Err(damaged());
        }
        let check = "PRAGMA integrity_check(1)";
        let found = self.connection.query_one(check, [], |row| row.get(0));
        let found: String = found.map_err(|error| self.error(error))?;
        if found == "ok" {
            Ok(())
        } else {
            Err(damaged())
        }
    }

    /// All damage in a file with consistent pages.
    pub(crate) fn damage(&self) -> Result<Damage, StoreError> {
        self.refuse_damaged_file()?;
        let look = || -> rusqlite::Result<Damage> {
            let connection = &self.connection;
            let known = self.known_runs()?;
            let there: u64 =
                connection.query_one("SELECT count(*) FROM runs", [], |row| row.get(0))?;
            Ok(Damage {
                runs: damaged_runs(connection)?,
                gone: known.saturating_sub(there),
                warmups: damaged_warmups(connection)?.len() as u64,
                plan: plan_is_damaged(connection)?,
                orphans: connection.query_one(ORPHANS, [], |row| row.get(0))?,
            })
        };
        look().map_err(|error| self.error(error))
    }

    /// The number of runs when the plan was last stored.
    fn known_runs(&self) -> rusqlite::Result<u64> {
        let find = "SELECT value FROM study WHERE key = 'runs'";
        let found = self
            .connection
            .query_one(find, [], |row| row.get::<_, u64>(0));
        match found.optional() {
            Err(error) if is_of_value(&error) => Ok(0),
            found => Ok(found?.unwrap_or(0)),
        }
    }
}

const ORPHANS: &str = "
SELECT EXISTS (SELECT 1 FROM numbers WHERE run NOT IN (SELECT run FROM runs))
    OR EXISTS (SELECT 1 FROM measured WHERE run NOT IN (SELECT run FROM runs))";

const RUNS: &str = "
SELECT run, scenario, results, replication, windows, window, seed, fingerprint, packet_hops,
  metrics, digest, gave_up
FROM runs ORDER BY run";

const WARMUPS: &str = "
SELECT scenario, results, numbers, warmup_ps, settled, digest FROM warmups";

/// True if an error concerns a value of the wrong type, and not the file.
fn is_of_value(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code().is_none()
}

/// Reads a row; `None` if it holds values of other types.
fn readable<T>(read: rusqlite::Result<T>) -> rusqlite::Result<Option<T>> {
    match read {
        Err(error) if is_of_value(&error) => Ok(None),
        read => read.map(Some),
    }
}

fn damaged_runs(connection: &Connection) -> rusqlite::Result<Vec<DamagedRun>> {
    let mut check = RunCheck::new(connection)?;
    let points = points_by_scenario(connection)?;
    let mut runs = connection.prepare(RUNS)?;
    let mut rows = runs.query([])?;
    let mut damaged = Vec::new();
    while let Some(row) = rows.next()? {
        if readable(check.is_sound(row))? == Some(true) {
            continue;
        }
        let scenario: String = readable(row.get(1))?.unwrap_or_default();
        damaged.push(DamagedRun {
            run: row.get(0)?,
            replication: readable(row.get(3))?.unwrap_or_default(),
            points: points.get(&scenario).cloned().unwrap_or_default(),
            scenario,
        });
    }
    Ok(damaged)
}

fn points_by_scenario(connection: &Connection) -> rusqlite::Result<BTreeMap<String, Vec<u64>>> {
    let mut all = connection.prepare("SELECT scenario, point FROM points ORDER BY point")?;
    let mut rows = all.query([])?;
    let mut points: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let point = readable(row.get(0).and_then(|scenario| Ok((scenario, row.get(1)?))))?;
        if let Some((scenario, point)) = point {
            points.entry(scenario).or_default().push(point);
        }
    }
    Ok(points)
}

/// Compares runs with their digests.
struct RunCheck<'s> {
    numbers: Statement<'s>,
    tables: Statement<'s>,
    /// Lists of names with their digests; those with gaps are omitted.
    lists: BTreeMap<i64, (usize, Digest)>,
}

impl<'s> RunCheck<'s> {
    fn new(connection: &'s Connection) -> rusqlite::Result<RunCheck<'s>> {
        let of_list =
            |(list, names): (i64, Vec<NumberName>)| (list, (names.len(), seal::of_names(&names)));
        Ok(RunCheck {
            numbers: connection
                .prepare("SELECT place, value FROM numbers WHERE run = ?1 ORDER BY place")?,
            tables: connection
                .prepare("SELECT measure, csv FROM measured WHERE run = ?1 ORDER BY measure")?,
            lists: sound_lists(connection)?.into_iter().map(of_list).collect(),
        })
    }

    /// True if a run is undamaged; an error if a value has another type.
    fn is_sound(&mut self, row: &Row<'_>) -> rusqlite::Result<bool> {
        let run: i64 = row.get(0)?;
        let (scenario, fingerprint): (String, String) = (row.get(1)?, row.get(7)?);
        let gave_up: Option<String> = row.get(11)?;
        let sealed = Sealed {
            scenario: &scenario,
            results: row.get(2)?,
            replication: row.get(3)?,
            windows: row.get(4)?,
            window: row.get(5)?,
            seed: row.get(6)?,
            fingerprint: &fingerprint,
            packet_hops: row.get(8)?,
            gave_up: gave_up.as_deref(),
        };
        let Some(&(length, names)) = self.lists.get(&row.get(9)?) else {
            return Ok(false);
        };
        let Some(numbers) = self.numbers(run)?.filter(|numbers| numbers.len() == length) else {
            return Ok(false);
        };
        let tables = self.tables(run)?;
        let texts = tables.iter().map(|(measure, csv)| (&**measure, &**csv));
        let kept: Vec<u8> = row.get(10)?;
        Ok(sealed.seal(names, numbers.into_iter(), texts)[..] == kept)
    }

    /// The numbers of a run; `None` if their positions have gaps.
    fn numbers(&mut self, run: i64) -> rusqlite::Result<Option<Vec<Option<f64>>>> {
        let mut rows = self.numbers.query([run])?;
        let mut numbers = Vec::new();
        while let Some(row) = rows.next()? {
            if row.get::<_, usize>(0)? != numbers.len() {
                return Ok(None);
            }
            numbers.push(row.get(1)?);
        }
        Ok(Some(numbers))
    }

    fn tables(&mut self, run: i64) -> rusqlite::Result<Vec<(String, String)>> {
        let tables = self
            .tables
            .query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?;
        tables.collect()
    }
}

/// Lists of names whose positions have no gaps.
fn sound_lists(connection: &Connection) -> rusqlite::Result<BTreeMap<i64, Vec<NumberName>>> {
    let count = "SELECT list FROM metrics GROUP BY list HAVING max(place) + 1 <> count(*) OR min(place) <> 0";
    let mut gaps = connection.prepare(count)?;
    let gaps: rusqlite::Result<BTreeSet<i64>> = gaps.query_map([], |row| row.get(0))?.collect();
    let gaps = readable(gaps)?.unwrap_or_default();
    let mut lists = readable(lists(connection))?.unwrap_or_default();
    lists.retain(|list, _| !gaps.contains(list));
    Ok(lists)
}

/// Rows of damaged warm-ups.
fn damaged_warmups(connection: &Connection) -> rusqlite::Result<Vec<(String, u32, String)>> {
    let mut all = connection.prepare(WARMUPS)?;
    let mut rows = all.query([])?;
    let mut damaged = Vec::new();
    while let Some(row) = rows.next()? {
        let is_sound = || -> rusqlite::Result<bool> {
            let (scenario, numbers): (String, String) = (row.get(0)?, row.get(2)?);
            let found = seal::of_warmup(&scenario, row.get(1)?, &numbers, row.get(3)?, row.get(4)?);
            let kept: Vec<u8> = row.get(5)?;
            Ok(found[..] == kept)
        };
        if readable(is_sound())? != Some(true) {
            damaged.push((row.get(0)?, row.get(1)?, row.get(2)?));
        }
    }
    Ok(damaged)
}

/// True if a plan was stored and has changed.
fn plan_is_damaged(connection: &Connection) -> rusqlite::Result<bool> {
    let find = "SELECT value FROM study WHERE key = 'digest'";
    let kept = connection.query_one(find, [], |row| row.get::<_, Vec<u8>>(0));
    let Some(kept) = readable(kept.optional())? else {
        return Ok(true);
    };
    match kept {
        Some(kept) => Ok(kept != seal::of_plan(connection)?),
        // Nothing is planned yet; the study's name is the only entry.
        None => connection.query_one("SELECT count(*) > 1 FROM study", [], |row| row.get(0)),
    }
}

fn remove(connection: &Connection, damage: &Damage) -> rusqlite::Result<()> {
    let mut remove = connection.prepare("DELETE FROM runs WHERE run = ?1")?;
    for damaged in &damage.runs {
        remove.execute([damaged.run])?;
    }
    let mut remove = connection
        .prepare("DELETE FROM warmups WHERE scenario = ?1 AND results = ?2 AND numbers = ?3")?;
    for key in damaged_warmups(connection)? {
        remove.execute(key)?;
    }
    connection.execute_batch(
        "DELETE FROM numbers WHERE run NOT IN (SELECT run FROM runs);
         DELETE FROM measured WHERE run NOT IN (SELECT run FROM runs);
         DELETE FROM metrics WHERE list NOT IN (SELECT metrics FROM runs)",
    )
}
