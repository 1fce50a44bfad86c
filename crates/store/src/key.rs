//! The identity of a run: the resolved scenario, the files it names, its measures, its replication,
//! and the version of the results.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pacesim::scenario::Checked;
use pacesim::units::Span;
use pacesim_probes::kinds::{asked, written};
use pacesim_runs::manifest::Digest;
use pacesim_runs::metrics::{ENTITIES, metric_names};
use pacesim_study::measure::Measure;

/// The version of the results of scenarios. It increases when a stored fingerprint changes, or the
/// name or the meaning of a metric, so that no sweep resumes with runs of an engine with other
/// results.
pub const RESULTS_VERSION: u32 = 18;

/// Digests of scenarios and their files, each of which is read once.
pub struct Keys<'a> {
    folder: &'a Path,
    /// The measures in a study's notation, and the names of all stored numbers.
    measures: String,
    files: Mutex<BTreeMap<String, Digest>>,
}

/// The names of all numbers and columns stored for a run with these measures, one per line: a
/// version of pacesim that stored others made a different run.
fn kept_names(measures: &[Measure]) -> String {
    let of_tables = ENTITIES.into_iter().flat_map(|of| {
        let names = metric_names(of).into_iter();
        names.map(move |name| format!("{of}.{name}\n"))
    });
    let of_measures = measures.iter().flat_map(|measure| {
        let kind = asked(&measure.kind);
        let names = kind.names().into_iter();
        names.chain(kind.columns().iter().map(|column| column.name.to_owned()))
    });
    of_tables
        .chain(of_measures.map(|name| name + "\n"))
        .collect()
}

/// The declared table of metrics: the meaning of names such as "link.utilisation" in results of
/// [`RESULTS_VERSION`].
pub fn declared_metrics() -> Vec<String> {
    kept_names(&[]).lines().map(str::to_owned).collect()
}

/// The key of the run that also records these series, with the same numbers; the same key if there
/// are none.
pub fn with_courses(scenario: Digest, courses: &[Measure]) -> Digest {
    if courses.is_empty() {
        return scenario;
    }
    let mut digest = Digest::default();
    digest.add(scenario.to_string().as_bytes());
    digest.add(written(courses).as_bytes());
    digest
}

impl<'a> Keys<'a> {
    /// Keys for scenarios whose files are in this folder.
    pub fn new(folder: &'a Path, measures: &[Measure]) -> Keys<'a> {
        Keys {
            folder,
            measures: written(measures) + &kept_names(measures),
            files: Mutex::default(),
        }
    }

    /// The digest of a scenario with this seed and, if given, this warm-up. Omits its title, its
    /// recordings and the warnings that it accepts, which affect no number; includes the versions of the program's own parts.
    pub fn of(
        &self,
        scenario: &Checked,
        seed: u64,
        warmup: Option<Span>,
    ) -> Result<Digest, (PathBuf, io::Error)> {
        let mut scenario = scenario.scenario().clone();
        scenario.run.seed = seed;
        scenario.run.warmup = warmup.unwrap_or(scenario.run.warmup);
        scenario.title.clear();
        scenario.accepts.clear();
        scenario.output = Default::default();
        let mut digest = Digest::default();
        digest.add(scenario.undivided().to_toml().as_bytes());
        digest.add(self.measures.as_bytes());
        for part in scenario.own_parts() {
            digest.add(format!("part {} {}\n", part.name, part.version).as_bytes());
        }
        for name in scenario.file_names() {
            digest.add(self.of_file(&name)?.to_string().as_bytes());
        }
        Ok(digest)
    }

    fn of_file(&self, name: &str) -> Result<Digest, (PathBuf, io::Error)> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files.get(name) {
            return Ok(*known);
        }
        let path = self.folder.join(name);
        let mut digest = Digest::default();
        match digest.add_file(&path) {
            Ok(_) => files.insert(name.to_owned(), digest),
            Err(error) => return Err((path, error)),
        };
        Ok(digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::scenario::load;

    const TEXT: &str = r#"
        title = "One queue"
        run = { duration = "10s" }
        node = [{ name = "a" }, { name = "b" }]
        link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "10pkts" }]
        flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
    "#;

    fn key(sets: &[&str], seed: u64) -> Digest {
        let scenario = load("test", TEXT, sets, &()).expect("a good scenario");
        let keys = Keys::new(Path::new(""), &[]);
        keys.of(&scenario, seed, None).expect("it names no files")
    }

    #[test]
    fn a_key_follows_from_what_moves_results_and_from_nothing_else() {
        let plain = key(&[], 1);
        assert_eq!(plain, key(&["title=other"], 1), "a title moves nothing");
        assert_eq!(plain, key(&["output.packets={}"], 1), "nor does recording");
        assert_eq!(plain, key(&["run.seed=7"], 1), "the seed is given");
        assert_eq!(plain, key(&["link.core.rate=10000kbps"], 1), "units");
        assert_ne!(plain, key(&[], 2));
        let warm = load("test", TEXT, &[], &()).expect("a good scenario");
        let warm = Keys::new(Path::new(""), &[]).of(&warm, 1, Some(Span::from_secs(2)));
        let given = key(&["run.warmup=2s"], 1);
        assert_eq!(warm.expect("it names no files"), given, "found or given");
        assert_ne!(plain, key(&["link.core.buffer=11pkts"], 1));
    }

    #[test]
    fn a_key_follows_the_content_of_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("edges.csv");
        let read = |name: &str| -> Result<String, String> {
            std::fs::read_to_string(folder.path().join(name)).map_err(|e| e.to_string())
        };
        let text = r#"
            run = { duration = "1s" }
            topology = { shape = "edge_list", file = "edges.csv", link = { rate = "10Mbps", delay = "1ms" } }
            flow = [{ name = "f", from = "router[0]", to = "router[1]", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
        "#;
        let key = |content: &str| {
            std::fs::write(&file, content).expect("written");
            let scenario = load("test", text, &[], &read).expect("a good scenario");
            Keys::new(folder.path(), &[])
                .of(&scenario, 1, None)
                .expect("read")
        };
        let plain = key("a,b,km\nx,y,1\n");
        assert_eq!(plain, key("a,b,km\nx,y,1\n"));
        assert_ne!(plain, key("a,b,km\nx,y,1\n\n"));
        std::fs::remove_file(&file).expect("removed");
        let scenario = load("test", text, &[], &|_: &str| {
            Ok("a,b,km\nx,y,1\n".to_owned())
        });
        let scenario = scenario.expect("a good scenario");
        let gone = Keys::new(folder.path(), &[]).of(&scenario, 1, None);
        assert!(gone.is_err_and(|(path, _)| path == file));
    }
}
