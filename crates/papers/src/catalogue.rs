//! All experiments by name: shipped studies, checks in Rust, and the studies in a user's folder.

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::checks::CHECKS;
use crate::experiment::{Experiment, ExperimentKind};
use crate::input::is_whole;
use crate::shipped::{STUDY, files};
use crate::text::{number_or_text, title};

/// The papers in the order of the list; anything else follows.
const PAPERS: [&str; 8] = [
    "qlbp11", "qlbp09", "impact", "edge", "zerobuf", "beyond", "fabric", "lossless",
];

/// The name for all experiments.
const ALL: &str = "all";

/// The experiments, paper by paper.
#[derive(Clone, Debug)]
pub struct Catalogue {
    experiments: Vec<Experiment>,
}

/// A name that is neither an id, nor a group's or a paper's, nor "all".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownName {
    /// No program has it.
    #[error(
        "there is no experiment or paper \"{name}\"; did you mean \"{nearest}\"? --list has all"
    )]
    Nowhere {
        /// The requested name.
        name: String,
        /// The most similar valid name.
        nearest: String,
    },
    /// Another program has it.
    #[error("\"{name}\" takes the program {}: {}", .of.program, .of.command)]
    Elsewhere {
        /// The requested name.
        name: String,
        /// The group that it is in.
        of: &'static Elsewhere,
    },
}

/// Experiments of another program of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The beginning of their ids.
    pub group: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Name of the program.
    pub program: &'static str,
    /// The command that runs them, in the folder of the sources.
    pub command: &'static str,
}

/// All experiments that take a program of their own.
const ELSEWHERE: &[Elsewhere] = &[Elsewhere {
    group: "beyond/quic",
    summary: "quinn's CUBIC, NewReno and BBR beside Linux's before small buffers",
    program: "pacesim-quinn",
    command: "cd ends/quinn && cargo run --release -- reproduce beyond/quic",
}];

/// The reason why a folder cannot be added to the catalogue.
#[derive(Debug, thiserror::Error)]
pub enum FolderOfStudies {
    /// A file of the folder cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// The folder contains no studies.
    #[error("there is no study in {}: no file NAME{STUDY}, there or in its folders", .0.display())]
    Empty(PathBuf),
    /// An id is taken.
    #[error("{} has the name of \"{id}\", which is in the catalogue; give it another one", .path.display())]
    Taken {
        /// The id.
        id: String,
        /// The file.
        path: PathBuf,
    },
}

impl Catalogue {
    /// The shipped catalogue.
    pub fn shipped() -> Catalogue {
        let files = files().filter(|(name, _)| is_whole(name));
        let studies = files.filter_map(|(name, text)| {
            Some(Experiment {
                id: name.strip_suffix(STUDY)?.to_owned(),
                summary: title(text),
                kind: ExperimentKind::Shipped(name),
            })
        });
        let checks = CHECKS.iter().map(|check| Experiment {
            id: check.id.to_owned(),
            summary: check.summary.to_owned(),
            kind: ExperimentKind::Check(*check),
        });
        Catalogue::sorted(studies.chain(checks).collect())
    }

    /// The catalogue with all studies of a folder and its subfolders added, each named after its
    /// file.
    pub fn with_folder(mut self, folder: &Path) -> Result<Catalogue, FolderOfStudies> {
        let mut found = Vec::new();
        studies_in(folder, "", &mut found)?;
        if found.is_empty() {
            return Err(FolderOfStudies::Empty(folder.to_path_buf()));
        }
        for (id, path) in found {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let experiment = Experiment {
                id,
                summary: title(&text),
                kind: ExperimentKind::File(path.clone()),
            };
            // Their results would be in the same folder.
            let folder = experiment.folder();
            if let Some(known) = self
                .experiments
                .iter()
                .find(|known| known.folder() == folder)
            {
                let id = known.id.clone();
                return Err(FolderOfStudies::Taken { id, path });
            }
            self.experiments.push(experiment);
        }
        Ok(Catalogue::sorted(self.experiments))
    }

    fn sorted(mut experiments: Vec<Experiment>) -> Catalogue {
        experiments.sort_by(|a, b| order(&a.id, &b.id));
        let twice = experiments.windows(2).find(|two| two[0].id == two[1].id);
        if let Some(two) = twice {
            panic!(
                "two studies of this program have the id \"{}\": rename one",
                two[0].id
            );
        }
        Catalogue { experiments }
    }

    /// All experiments, paper by paper.
    pub fn experiments(&self) -> &[Experiment] {
        &self.experiments
    }

    /// The experiments of other programs, which this one lacks.
    pub fn elsewhere(&self) -> impl Iterator<Item = &'static Elsewhere> {
        ELSEWHERE.iter().filter(|of| !self.knows(of.group))
    }

    fn knows(&self, name: &str) -> bool {
        self.experiments.iter().any(|e| means(name, e))
    }

    /// The experiments selected by these names: ids, groups (`beyond/quic` has `beyond/quic/one-flow`),
    /// papers, or "all"; each once, in the catalogue's order.
    pub fn select(&self, names: &[String]) -> Result<Vec<&Experiment>, UnknownName> {
        if let Some(name) = names.iter().find(|name| !self.knows(name)) {
            return Err(self.unknown(name.clone()));
        }
        let wanted = |experiment: &&Experiment| names.iter().any(|name| means(name, experiment));
        Ok(self.experiments.iter().filter(wanted).collect())
    }

    /// True if a name is the id of an experiment, not of a group.
    pub fn is_id(&self, name: &str) -> bool {
        self.experiments
            .iter()
            .any(|experiment| experiment.id == name)
    }

    fn unknown(&self, name: String) -> UnknownName {
        match self.elsewhere().find(|of| is_in(of.group, &name)) {
            Some(of) => UnknownName::Elsewhere { name, of },
            None => UnknownName::Nowhere {
                nearest: self.nearest(&name),
                name,
            },
        }
    }

    fn nearest(&self, name: &str) -> String {
        let papers = self.experiments.iter().map(Experiment::paper);
        let ids = self.experiments.iter().map(|e| e.id.as_str());
        let likeness = |known: &&str| likeness(name, known);
        let best = ids
            .chain(papers)
            .chain([ALL])
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        best.unwrap_or(ALL).to_owned()
    }
}

fn means(name: &str, experiment: &Experiment) -> bool {
    name == ALL || is_in(name, &experiment.id)
}

/// True for a group's own name and the ids in it.
fn is_in(group: &str, id: &str) -> bool {
    let rest = id.strip_prefix(group);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Similarity of names: first by a common beginning ("zerobuf/fig9" of fig9-10) or end ("fig8"),
/// then by the number of wrong letters, then by a common prefix.
fn likeness(name: &str, known: &str) -> f64 {
    let is_part = known.starts_with(&format!("{name}-")) || known.ends_with(&format!("/{name}"));
    f64::from(u8::from(is_part))
        + strsim::normalized_damerau_levenshtein(name, known)
        + 0.01 * strsim::jaro_winkler(name, known)
}

/// Orders ids by paper, and within a paper naturally: fig9 before fig10.
fn order(a: &str, b: &str) -> Ordering {
    let paper = |id: &str| {
        let paper = id.split('/').next().unwrap_or_default();
        let place = PAPERS.iter().position(|known| *known == paper);
        place.unwrap_or(PAPERS.len())
    };
    paper(a)
        .cmp(&paper(b))
        .then_with(|| number_or_text(a).cmp(number_or_text(b)))
}

/// The studies in a folder, with their ids; hidden files are ignored.
fn studies_in(
    folder: &Path,
    prefix: &str,
    found: &mut Vec<(String, PathBuf)>,
) -> Result<(), FolderOfStudies> {
    let unreadable = |source| FolderOfStudies::Unreadable {
        path: folder.to_path_buf(),
        source,
    };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let entries = entries.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.filter(|name| !name.starts_with('.')) else {
            continue;
        };
        match name.strip_suffix(STUDY) {
            Some(stem) if path.is_file() => found.push((format!("{prefix}{stem}"), path)),
            // A link may lead back to a folder above.
            _ if path.is_dir() && !path.is_symlink() => {
                studies_in(&path, &format!("{prefix}{name}/"), found)?;
            }
            _ => {}
        }
    }
    Ok(())
}
