//! Stored description of the last sweep: its grid, the text of the study, and the options.

use std::collections::BTreeMap;

use pacesim_runs::manifest::Digest;
use pacesim_study::{Origin, Study};
use rusqlite::{Connection, params};

use crate::database::seal::seal_plan;
use crate::database::value::value;
use crate::database::{Store, StoreError, identity};
use crate::key::RESULTS_VERSION;
use crate::plan::{Outcome, Planned, SweepPlan};
use crate::shard::{Part, Shard};
use crate::sweep::Sweep;

/// The values of a point by axis, as strings.
type AxisValues = Vec<(String, String)>;

/// The last sweep, as it is stored.
pub struct LastSweep {
    /// SweepPlan of the sweep.
    pub plan: SweepPlan,
    /// Text of the study.
    pub origin: Origin,
    /// The factor applied to times and replications.
    pub scale: f64,
}

impl Store {
    /// Stores the grid and the study's text, replacing those of the last sweep; the grid may be
    /// that of a shard.
    pub fn keep_plan(
        &mut self,
        sweep: &Sweep<'_>,
        plan: &SweepPlan,
        shard: Option<Shard>,
    ) -> Result<(), StoreError> {
        let study = sweep.study;
        self.in_one(|connection| {
            connection.execute_batch("DELETE FROM axes; DELETE FROM points")?;
            connection.execute(
                "INSERT OR REPLACE INTO study
                 VALUES ('results', ?1), ('version', ?2), ('windows', ?3)",
                params![
                    RESULTS_VERSION,
                    pacesim_runs::VERSION,
                    study.batches.unwrap_or(1)
                ],
            )?;
            keep_text(connection, study)?;
            identity::keep(connection, sweep, plan, shard)?;
            insert_points(connection, study, plan)?;
            seal_plan(connection)
        })
    }

    /// The last sweep. Fails if its results have another version.
    pub fn last_sweep(&self) -> Result<LastSweep, StoreError> {
        let connection = &self.connection;
        let found = value(connection, "results").map_err(|error| self.error(error))?;
        let found: Option<u32> = found;
        if found != Some(RESULTS_VERSION) {
            return Err(StoreError::Results {
                path: self.path.clone(),
                found: found.unwrap_or(0),
                known: RESULTS_VERSION,
            });
        }
        let read = || {
            Ok(LastSweep {
                plan: plan(connection)?,
                origin: origin(connection)?,
                scale: value(connection, "scale")?.unwrap_or(1.0),
            })
        };
        read().map_err(|error| self.error(error))
    }

    /// The values of all points, by axis name.
    pub fn axes(&self) -> Result<BTreeMap<u64, AxisValues>, StoreError> {
        let read = || {
            let all = "SELECT point, axis, text FROM axes ORDER BY point, axis";
            let mut all = self.connection.prepare(all)?;
            let mut rows = all.query([])?;
            let mut axes: BTreeMap<u64, AxisValues> = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let values = axes.entry(row.get(0)?).or_default();
                values.push((row.get(1)?, row.get(2)?));
            }
            Ok(axes)
        };
        read().map_err(|error| self.error(error))
    }
}

/// Stores the source text of the study, so that its figures can be drawn without its file.
fn keep_text(connection: &Connection, study: &Study) -> rusqlite::Result<()> {
    let Origin {
        file,
        stem,
        text,
        base,
        tables,
        sets,
    } = study.origin();
    let sets = serde_json::to_string(sets).expect("texts are JSON");
    let tables = serde_json::to_string(tables).expect("texts are JSON");
    let text = String::from_utf8_lossy(text);
    connection.execute_batch("DELETE FROM study WHERE key IN ('base', 'base_text')")?;
    let mut set = connection.prepare("INSERT OR REPLACE INTO study VALUES (?1, ?2)")?;
    for (key, value) in [
        ("file", file),
        ("stem", stem),
        ("sets", &sets),
        ("tables", &tables),
    ] {
        set.execute(params![key, value])?;
    }
    set.execute(params!["text", text])?;
    set.execute(params!["scale", study.scale()])?;
    if let Some((base, text)) = base {
        set.execute(params!["base", base])?;
        set.execute(params!["base_text", text])?;
    }
    Ok(())
}

fn insert_points(connection: &Connection, study: &Study, plan: &SweepPlan) -> rusqlite::Result<()> {
    let mut point = connection.prepare("INSERT INTO points VALUES (?1, ?2, ?3, ?4, ?5)")?;
    let mut value = connection.prepare("INSERT INTO axes VALUES (?1, ?2, ?3, ?4)")?;
    for planned in &plan.points {
        let Planned {
            number,
            scenario,
            seed,
            replications,
            windows,
            ..
        } = planned;
        let scenario = scenario.to_string();
        point.execute(params![number, scenario, seed, replications, windows])?;
        for (axis, at) in study.axes.iter().zip(planned.at(study).values) {
            value.execute(params![number, axis.name, at.text, at.number])?;
        }
    }
    Ok(())
}

fn origin(connection: &Connection) -> rusqlite::Result<Origin> {
    let text = |key: &str| value::<String>(connection, key);
    let sets = text("sets")?.and_then(|sets| serde_json::from_str(&sets).ok());
    let tables = text("tables")?.and_then(|tables| serde_json::from_str(&tables).ok());
    Ok(Origin {
        file: text("file")?.unwrap_or_default(),
        stem: text("stem")?.unwrap_or_default(),
        text: text("text")?.unwrap_or_default().into_bytes(),
        base: text("base")?.zip(text("base_text")?),
        tables: tables.unwrap_or_default(),
        sets: sets.unwrap_or_default(),
    })
}

fn plan(connection: &Connection) -> rusqlite::Result<SweepPlan> {
    let all = "SELECT point, scenario, seed, replications, windows FROM points ORDER BY point";
    let mut all = connection.prepare(all)?;
    let points = all.query_map([], |row| {
        let scenario: String = row.get(1)?;
        Ok(Planned {
            number: row.get(0)?,
            scenario: Digest::parse(&scenario).ok_or(rusqlite::Error::InvalidQuery)?,
            seed: row.get(2)?,
            replications: row.get(3)?,
            outcome: Outcome::Given,
            warmup: None,
            windows: row.get(4)?,
            part: Part::WHOLE,
        })
    })?;
    let points: rusqlite::Result<Vec<Planned>> = points.collect();
    Ok(SweepPlan { points: points? })
}
