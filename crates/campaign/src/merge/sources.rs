//! The stores to merge, checked before any change.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::LastSweep;
use pacesim_store::database::{FILE, Store};
use pacesim_store::identity::Identity;
use pacesim_store::plan::Planned;
use pacesim_store::shard::Shard;
use pacesim_study::Origin;

use crate::campaign::shards_in;
use crate::merge::{Merge, MergeError, report};

/// Stores of one plan.
pub(super) struct Sources {
    /// Identity that all sources share.
    pub(super) identity: Identity,
    pub(super) origin: Origin,
    /// The folders with runs.
    pub(super) folders: Vec<PathBuf>,
    /// Folders in which a sweep has not yet stored anything.
    pub(super) blank: Vec<PathBuf>,
    /// The number of shards that the study is divided into, if all agree.
    pub(super) shards: Option<u64>,
    /// The points of all stores.
    pub(super) points: BTreeMap<u64, Planned>,
    /// For each point the index of a folder that has it.
    from: BTreeMap<u64, usize>,
}

/// One of the stores.
struct Source {
    identity: Identity,
    origin: Origin,
    shard: Option<Shard>,
    points: Vec<Planned>,
}

impl Sources {
    /// Reads the plans of all stores; refuses those that are damaged, foreign or of another plan.
    pub(super) fn check(
        merge: &Merge<'_>,
        monitor: &dyn BatchMonitor,
    ) -> Result<Sources, MergeError> {
        let mut sources: Option<Sources> = None;
        let mut blank = Vec::new();
        let folders: Vec<PathBuf> = merge.folders.iter().flat_map(|at| stores_in(at)).collect();
        refuse_target(&folders, merge.into)?;
        for (done, folder) in folders.iter().enumerate() {
            report("checked", done, folders.len(), monitor)?;
            match (Source::read(folder)?, &mut sources) {
                (None, _) => blank.push(folder.clone()),
                (Some(source), Some(sources)) => sources.add(folder, source)?,
                (Some(source), None) => sources = Some(Sources::first(folder, source)),
            }
        }
        let Some(mut sources) = sources else {
            let names: Vec<String> = blank.iter().map(|at| at.display().to_string()).collect();
            return Err(MergeError::AllBlank(names.join(", ")));
        };
        let found = sources.identity.digest().to_string();
        if let Some(asked) = merge.plan.filter(|asked| *asked != found) {
            let asked = asked.to_owned();
            return Err(MergeError::NotAsked { found, asked });
        }
        sources.blank = blank;
        Ok(sources)
    }

    fn first(folder: &Path, source: Source) -> Sources {
        let numbers = source.points.iter().map(|point| point.number);
        Sources {
            identity: source.identity,
            origin: source.origin,
            folders: vec![folder.to_path_buf()],
            blank: Vec::new(),
            shards: source.shard.map(Shard::of),
            from: numbers.map(|number| (number, 0)).collect(),
            points: source
                .points
                .iter()
                .map(|point| (point.number, *point))
                .collect(),
        }
    }

    fn add(&mut self, folder: &Path, source: Source) -> Result<(), MergeError> {
        if let Some(difference) = self.identity.difference(&source.identity) {
            return Err(MergeError::OtherPlan {
                folder: folder.to_path_buf(),
                first: self.folders[0].clone(),
                difference,
            });
        }
        let place = self.folders.len();
        for point in source.points {
            let number = point.number;
            let known = *self.points.entry(number).or_insert(point);
            let from = *self.from.entry(number).or_insert(place);
            if (known.scenario, known.seed) != (point.scenario, point.seed) {
                return Err(MergeError::OtherPoint {
                    point: number,
                    folder: folder.to_path_buf(),
                    other: self.folders[from].clone(),
                });
            }
        }
        let is_same = self.shards == source.shard.map(Shard::of);
        self.shards = self.shards.filter(|_| is_same);
        self.folders.push(folder.to_path_buf());
        Ok(())
    }
}

impl Source {
    /// The source in a folder; `None` if a sweep has begun there without storing anything yet.
    fn read(folder: &Path) -> Result<Option<Source>, MergeError> {
        if is_empty(folder) {
            return Ok(None);
        }
        let Some(store) = Store::reopen_perhaps_blank(folder)? else {
            return Ok(None);
        };
        if !store.was_planned()? {
            return Ok(None);
        }
        let LastSweep {
            mut plan, origin, ..
        } = store.last_sweep()?;
        let path = || folder.join(FILE);
        let Some(identity) = store.identity()? else {
            return Err(MergeError::NoPlan(path()));
        };
        let version = if identity.version == pacesim_runs::VERSION {
            store.other_version()?
        } else {
            Some(identity.version.clone())
        };
        if let Some(version) = version {
            let path = path();
            return Err(MergeError::OtherVersion { path, version });
        }
        let warmups = store.found_warmups()?;
        for point in &mut plan.points {
            point.warmup = warmups.get(&point.number).copied();
        }
        Ok(Some(Source {
            identity,
            origin,
            shard: store.shard()?,
            points: plan.points,
        }))
    }
}

/// Refuses to import a store into itself.
fn refuse_target(folders: &[PathBuf], into: &Path) -> Result<(), MergeError> {
    let Ok(into) = into.canonicalize() else {
        return Ok(());
    };
    let is_target = |folder: &&PathBuf| folder.canonicalize().is_ok_and(|folder| folder == into);
    match folders.iter().find(is_target) {
        Some(folder) => Err(MergeError::IntoItself(folder.clone())),
        None => Ok(()),
    }
}

/// The folders of the shards inside a folder, or the folder itself without shards.
fn stores_in(folder: &Path) -> Vec<PathBuf> {
    let shards = if folder.join(FILE).exists() {
        Vec::new()
    } else {
        shards_in(folder)
    };
    if shards.is_empty() {
        vec![folder.to_path_buf()]
    } else {
        shards.into_iter().map(|(_, folder)| folder).collect()
    }
}

/// True if this is an empty folder, whose sweep was stopped before it made a store.
fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_runs::run_monitor::Unwatched;
    use pacesim_store::sweep::Sweep;
    use pacesim_study::StudyText;
    use pacesim_sweep::make::sweep;
    use std::sync::Arc;

    const STUDY: &str = r#"
        name = "one"
        run = { duration = "10ms" }
        node = [{ name = "a" }, { name = "b" }]
        link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
        flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
        [sweep]
        [[sweep.axis]]
        name = "buffer"
        key = "link.core.buffer"
        values = ["1pkts", "5pkts"]
    "#;

    /// The reason for refusing a store with these changes to its plan.
    fn refused(sql: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let text = StudyText::parse("study.toml", "study", STUDY.as_bytes(), Arc::new(()));
        let study = text.check().expect("a good study");
        let order = Sweep {
            replications: 1,
            ..Sweep::new(&study, folder.path())
        };
        sweep(&order, &Unwatched).expect("it comes to its end");
        Store::reopen(folder.path())
            .expect("it is there")
            .edit_plan(sql);
        let read = Source::read(folder.path());
        read.err().expect("it is refused").to_string()
    }

    #[test]
    fn stores_of_another_pacesim_are_refused() {
        let plan = r#"UPDATE study SET value = replace(value, '"version":"', '"version":"9') WHERE key = 'plan'"#;
        let said = refused(plan);
        assert!(said.contains("has runs of pacesim 9"), "{said}");
        let said = refused("UPDATE study SET value = 1 WHERE key = 'results'");
        assert!(said.contains("results of version 1"), "{said}");
    }
}
