//! The warm-ups found by pilots.

use std::collections::BTreeMap;

use pacesim::units::Span;
use pacesim_runs::manifest::Digest;
use rusqlite::params;

use crate::database::{Store, StoreError, seal};
use crate::key::RESULTS_VERSION;
use crate::plan::FoundWarmup;

const ALL: &str = "
SELECT scenario, warmup_ps, settled FROM warmups WHERE results = ?1 AND numbers = ?2";

const INSERT: &str = "INSERT OR REPLACE INTO warmups VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

impl Store {
    /// The warm-ups found by these numbers, keyed by the scenario without a warm-up.
    pub fn warmups(&self, numbers: &str) -> Result<BTreeMap<Digest, FoundWarmup>, StoreError> {
        let read = || -> rusqlite::Result<BTreeMap<Digest, FoundWarmup>> {
            let mut all = self.connection.prepare(ALL)?;
            let mut rows = all.query(params![RESULTS_VERSION, numbers])?;
            let mut warmups = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let scenario: String = row.get(0)?;
                let found = FoundWarmup {
                    warmup: Span::from_ps(row.get(1)?),
                    is_settled: row.get(2)?,
                };
                warmups.extend(Digest::parse(&scenario).map(|scenario| (scenario, found)));
            }
            Ok(warmups)
        };
        read().map_err(|error| self.error(error))
    }

    /// Stores warm-ups in one transaction.
    pub fn keep_warmups(
        &self,
        numbers: &str,
        found: &[(Digest, FoundWarmup)],
    ) -> Result<(), StoreError> {
        let keep = || -> rusqlite::Result<()> {
            let transaction = self.connection.unchecked_transaction()?;
            let mut insert = transaction.prepare(INSERT)?;
            for (scenario, FoundWarmup { warmup, is_settled }) in found {
                let (scenario, warmup) = (scenario.to_string(), warmup.as_ps());
                let digest =
                    seal::of_warmup(&scenario, RESULTS_VERSION, numbers, warmup, *is_settled);
                insert.execute(params![
                    scenario,
                    RESULTS_VERSION,
                    numbers,
                    warmup,
                    is_settled,
                    digest
                ])?;
            }
            drop(insert);
            transaction.commit()
        };
        keep().map_err(|error| self.error(error))
    }
}
