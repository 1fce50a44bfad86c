//! One shard of a study, swept into a store of its own: runs and recordings, no tables.

use pacesim_runs::summary::to_json;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::{Store, StoreError};
use pacesim_store::identity::Identity;
use pacesim_store::shard::Shard;
use pacesim_store::sweep::Sweep;
use serde::Serialize;

use crate::error::SweepError;
use crate::make::{make_missing, repeat_recorded, try_again_if_asked};
use crate::planning::plan_shard;
use crate::refuse::refuse;
use crate::warmup;

/// The outcome of a shard.
#[derive(Debug, Serialize)]
pub struct PartSwept {
    /// Name of the study.
    pub study: String,
    /// Name of the shard, such as "3/200".
    pub shard: String,
    /// Plan of the whole study.
    pub plan: String,
    /// Folder of the shard's store.
    pub folder: String,
    /// Number of runs in the shard.
    pub runs: u64,
    /// Number of runs made now.
    pub made: u64,
}

/// Makes the runs of a shard that are missing in its store.
pub fn sweep_part(
    sweep: &Sweep<'_>,
    shard: Shard,
    monitor: &dyn BatchMonitor,
) -> Result<PartSwept, SweepError> {
    refuse(sweep)?;
    let name = &sweep.study.name;
    let store = Store::open_mended(sweep.out, name, monitor)?;
    if let Some(store) = &store {
        refuse_other_part(sweep, store, shard)?;
    }
    let plan = plan_shard(sweep, shard, monitor)?;
    let mut store = match store {
        Some(store) => store,
        None => Store::create(sweep.out, name)?,
    };
    try_again_if_asked(&store, monitor)?;
    let mut plan = warmup::find(sweep, plan, &store, monitor)?;
    store.keep_plan(sweep, &plan, Some(shard))?;
    let mut work = make_missing(sweep, &mut plan, &store, monitor)?;
    if sweep.study.precision.is_some() {
        // The replications that count are known only now.
        store.keep_plan(sweep, &plan, Some(shard))?;
    }
    repeat_recorded(sweep, &plan, &store, &mut work, monitor)?;
    store.keep_complete()?;
    Ok(PartSwept {
        study: name.clone(),
        shard: shard.to_string(),
        plan: Identity::of(sweep).digest().to_string(),
        folder: sweep.out.display().to_string(),
        runs: work.all,
        made: work.missing,
    })
}

/// Leaves a store unchanged that holds another part, or the whole study.
fn refuse_other_part(sweep: &Sweep<'_>, store: &Store, ours: Shard) -> Result<(), StoreError> {
    let theirs = store.shard()?;
    if theirs == Some(ours) || store.identity()?.is_none() {
        return Ok(());
    }
    Err(StoreError::OtherPart {
        folder: sweep.out.to_path_buf(),
        theirs: match theirs {
            Some(theirs) => format!("the shard {theirs}"),
            None => "all of the study".to_owned(),
        },
        ours: ours.to_string(),
    })
}

/// Fails if the study, its options or this program differ from those of a plan.
pub fn expect_plan(sweep: &Sweep<'_>, plan: &str) -> Result<(), SweepError> {
    let ours = Identity::of(sweep).digest().to_string();
    if ours == plan {
        Ok(())
    } else {
        Err(SweepError::OtherPlan {
            theirs: plan.to_owned(),
            ours,
        })
    }
}

impl PartSwept {
    /// The outcome as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
