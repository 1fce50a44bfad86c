//! Gaps in a merge.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pacesim_runs::summary::to_json;
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;
use pacesim_sweep::division::Division;
use pacesim_sweep::execute::Missing;
use serde::Serialize;

use crate::merge::sources::Sources;

/// The missing runs or recordings that prevent tables.
#[derive(Debug, Serialize)]
pub struct Gaps {
    /// The study's name.
    pub study: String,
    /// The folder with the runs that are present.
    pub folder: String,
    /// The number of runs in the plan, as far as it is known.
    pub runs: u64,
    /// The number of missing runs.
    pub missing: u64,
    /// The numbers of points that lack runs.
    pub points: Vec<u64>,
    /// The number of shards of the study, if the stores agree on it.
    pub shards: Option<u64>,
    /// The numbers of the shards that lack runs.
    pub missing_shards: Vec<u64>,
    /// Folders without any runs yet.
    pub blank: Vec<String>,
    /// The numbers of points that lack a recording requested by the study.
    pub unrecorded: Vec<u64>,
}

impl Gaps {
    /// The gaps between the plan and the store. A point that no store has lacks all its runs.
    pub(super) fn find(
        sweep: &Sweep<'_>,
        sources: &Sources,
        plan: &SweepPlan,
        missing: &[Missing],
    ) -> Gaps {
        let lacking = missing.iter().map(|run| {
            let point = plan.points[run.place].number;
            (point, run.replication)
        });
        let mut lacking: Vec<(u64, u64)> = lacking.collect();
        let is_unknown = |number: &u64| !sources.points.contains_key(number);
        let of = |point: u64| sweep.study.replications_of(point, sweep.replications);
        let unknown = sweep.study.points().filter(is_unknown);
        lacking.extend(unknown.flat_map(|point| (0..of(point)).map(move |n| (point, n))));
        let known: u64 = plan.points.iter().map(|point| point.replications).sum();
        let points: BTreeSet<u64> = lacking.iter().map(|(point, _)| *point).collect();
        let unknown = points.iter().filter(|point| is_unknown(point));
        let display = |folder: &Path| folder.display().to_string();
        Gaps {
            study: sweep.study.name.clone(),
            folder: display(sweep.out),
            runs: known + unknown.map(|point| of(*point)).sum::<u64>(),
            missing: lacking.len() as u64,
            points: points.into_iter().collect(),
            shards: sources.shards,
            missing_shards: shards_of(sweep, sources.shards, &lacking),
            blank: sources.blank.iter().map(|folder| display(folder)).collect(),
            unrecorded: Vec::new(),
        }
    }

    pub(super) fn are_there(&self) -> bool {
        self.missing > 0 || !self.unrecorded.is_empty()
    }

    /// The gaps as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// The numbers of the shards that should have made these runs.
fn shards_of(sweep: &Sweep<'_>, shards: Option<u64>, lacking: &[(u64, u64)]) -> Vec<u64> {
    let Some(shards) = shards.filter(|_| !lacking.is_empty()) else {
        return Vec::new();
    };
    let division = Division::new(sweep.study, sweep.replications, shards);
    let places: BTreeMap<u64, u64> = sweep.study.points().zip(0..).collect();
    let shard = |(point, replication): &(u64, u64)| {
        division.shard(places[point], *point, *replication).number()
    };
    let numbers: BTreeSet<u64> = lacking.iter().map(shard).collect();
    numbers.into_iter().collect()
}
