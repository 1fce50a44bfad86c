//! Stored identity of the last sweep: its plan, its part, and whether it was completed.

use std::collections::BTreeMap;

use pacesim::units::Span;
use rusqlite::{Connection, params};

use crate::database::seal::seal_plan;
use crate::database::value::value;
use crate::database::{FileDigests, Store, StoreError};
use crate::identity::Identity;
use crate::plan::{FoundWarmup, SweepPlan};
use crate::shard::Shard;
use crate::sweep::Sweep;

/// Warm-ups found, by point number: picoseconds, and true if settled.
type Found = BTreeMap<u64, (u64, bool)>;

impl Store {
    /// True if a sweep has begun to make runs; before that the store has neither plan nor run.
    pub fn was_planned(&self) -> Result<bool, StoreError> {
        Ok(self.value::<i64>("results")?.is_some())
    }

    /// The plan of the last sweep, unless that did not store it.
    pub fn identity(&self) -> Result<Option<Identity>, StoreError> {
        let text: Option<String> = self.value("plan")?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The part that the last sweep made; `None` for the whole study.
    pub fn shard(&self) -> Result<Option<Shard>, StoreError> {
        let text: Option<String> = self.value("shard")?;
        Ok(text.and_then(|text| Shard::parse(&text).ok()))
    }

    /// The warm-ups that the last sweep found, by point number.
    pub fn found_warmups(&self) -> Result<BTreeMap<u64, FoundWarmup>, StoreError> {
        let text: Option<String> = self.value("found_warmups")?;
        let found: Option<Found> = text.and_then(|text| serde_json::from_str(&text).ok());
        let found = found.unwrap_or_default().into_iter();
        let of_point = |(number, (ps, is_settled))| {
            let warmup = Span::from_ps(ps);
            (number, FoundWarmup { warmup, is_settled })
        };
        Ok(found.map(of_point).collect())
    }

    /// True if the last sweep was completed.
    pub(crate) fn is_complete(&self) -> Result<bool, StoreError> {
        Ok(self.value::<i64>("complete")?.is_some())
    }

    /// Records that the last sweep was completed.
    pub fn keep_complete(&mut self) -> Result<(), StoreError> {
        self.in_one(|connection| {
            let insert = "INSERT OR REPLACE INTO study VALUES ('complete', 1)";
            connection.execute(insert, [])?;
            seal_plan(connection)
        })
    }

    /// The digests of the figures that were drawn last.
    pub fn drawn(&self) -> Result<FileDigests, StoreError> {
        self.digests("drawn")
    }

    /// Stores digests of the figures drawn now.
    pub fn keep_drawn(&mut self, drawn: &FileDigests) -> Result<(), StoreError> {
        self.keep_digests("drawn", drawn)
    }

    /// The digests of the tables that were written last.
    pub fn tabulated(&self) -> Result<FileDigests, StoreError> {
        self.digests("tabulated")
    }

    /// Stores digests of the tables written now.
    pub fn keep_tabulated(&mut self, tabulated: &FileDigests) -> Result<(), StoreError> {
        self.keep_digests("tabulated", tabulated)
    }

    fn digests(&self, key: &str) -> Result<FileDigests, StoreError> {
        let text: Option<String> = self.value(key)?;
        let digests = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(digests.unwrap_or_default())
    }

    fn keep_digests(&mut self, key: &str, digests: &FileDigests) -> Result<(), StoreError> {
        let digests = serde_json::to_string(digests).expect("texts are JSON");
        self.in_one(|connection| {
            let insert = "INSERT OR REPLACE INTO study VALUES (?1, ?2)";
            connection.execute(insert, [key, digests.as_str()])?;
            seal_plan(connection)
        })
    }

    /// Number of runs in the store.
    pub fn runs(&self) -> Result<u64, StoreError> {
        let count = "SELECT count(*) FROM runs WHERE window = 0";
        let runs = self.connection.query_one(count, [], |row| row.get(0));
        runs.map_err(|error| self.error(error))
    }

    fn value<T: rusqlite::types::FromSql>(&self, key: &str) -> Result<Option<T>, StoreError> {
        value(&self.connection, key).map_err(|error| self.error(error))
    }
}

/// Stores the plan of a sweep at its beginning and at its end.
pub(super) fn keep(
    connection: &Connection,
    sweep: &Sweep<'_>,
    plan: &SweepPlan,
    shard: Option<Shard>,
) -> rusqlite::Result<()> {
    let forget = "DELETE FROM study WHERE key IN ('shard', 'found_warmups', 'complete')";
    connection.execute_batch(forget)?;
    let mut set = connection.prepare("INSERT OR REPLACE INTO study VALUES (?1, ?2)")?;
    let json = |value: serde_json::Result<String>| value.expect("texts and numbers are JSON");
    let identity = Identity::of(sweep);
    set.execute(params!["plan", json(serde_json::to_string(&identity))])?;
    if let Some(shard) = shard {
        set.execute(params!["shard", shard.to_string()])?;
    }
    if !sweep.study.find_warmup.is_empty() {
        let of_point = |found: FoundWarmup| (found.warmup.as_ps(), found.is_settled);
        let points = plan.points.iter();
        let found = points.filter_map(|point| Some((point.number, of_point(point.warmup?))));
        let found: Found = found.collect();
        set.execute(params![
            "found_warmups",
            json(serde_json::to_string(&found))
        ])?;
    }
    Ok(())
}
