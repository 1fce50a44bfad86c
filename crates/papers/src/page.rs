//! The page of everything that is kept: docs/reproduction.md.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_lab::claims::Verdict;
use pacesim_lab::findings::Findings;
use pacesim_lab::write_complete;

use crate::shipped::ShowError;
use crate::{Catalogue, Experiment, ExperimentKind, kept};

/// The page's first part.
const HEAD: &str = include_str!("head.md");

/// Writes a page of all experiments with what is kept of them in `out`, and their figures into a
/// folder beside it. Files that are there and would change are replaced only by `force`. Says how
/// many experiments it has findings of.
pub fn page(
    catalogue: &Catalogue,
    out: &Path,
    file: &Path,
    force: bool,
) -> Result<usize, ShowError> {
    let experiments = catalogue.experiments().iter();
    let known: Vec<_> = experiments.map(|e| (e, kept(e, out))).collect();
    let pictures = Pictures::beside(file);
    let mut files = vec![(file.to_path_buf(), text(&known, &pictures).into_bytes())];
    for (experiment, findings) in &known {
        for figure in findings.iter().flat_map(|findings| &findings.figures) {
            let from = out.join(experiment.folder()).join(figure);
            let bytes = fs::read(&from).map_err(|error| ShowError::System(from, error))?;
            files.push((pictures.path(experiment, figure), bytes));
        }
    }
    let changes = |(path, bytes): &&(PathBuf, Vec<u8>)| {
        path.symlink_metadata().is_ok() && fs::read(path).ok().as_ref() != Some(bytes)
    };
    if let Some((path, _)) = files.iter().find(changes).filter(|_| !force) {
        return Err(ShowError::Taken(path.clone()));
    }
    for (path, bytes) in &files {
        let system = |error| ShowError::System(path.clone(), error);
        let around = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(around).map_err(system)?;
        write_complete(path, bytes).map_err(system)?;
    }
    Ok(known
        .iter()
        .filter(|(_, findings)| findings.is_some())
        .count())
}

/// Where the pictures of the page are.
struct Pictures {
    around: PathBuf,
    folder: String,
}

impl Pictures {
    /// A folder with the name of the page.
    fn beside(page: &Path) -> Pictures {
        let stem = page.file_stem().unwrap_or_default();
        Pictures {
            around: page.parent().unwrap_or(Path::new("")).to_path_buf(),
            folder: stem.to_string_lossy().into_owned(),
        }
    }

    fn name(&self, experiment: &Experiment, figure: &str) -> String {
        let figure = figure.rsplit('/').next().unwrap_or(figure);
        format!("{}/{}-{figure}", self.folder, experiment.folder())
    }

    fn path(&self, experiment: &Experiment, figure: &str) -> PathBuf {
        self.around.join(self.name(experiment, figure))
    }
}

fn text(known: &[(&Experiment, Option<Findings>)], pictures: &Pictures) -> String {
    let mut text = format!("{HEAD}\n{}", overview(known));
    let mut paper = "";
    for (experiment, findings) in known {
        if experiment.paper() != paper {
            paper = experiment.paper();
            text += &format!("\n## {paper}\n");
        }
        text += &section(experiment, findings.as_ref(), pictures);
    }
    text
}

/// How many claims of each paper have each verdict.
fn overview(known: &[(&Experiment, Option<Findings>)]) -> String {
    let verdicts = [
        Verdict::Pass,
        Verdict::Differs,
        Verdict::Undecided,
        Verdict::NotRun,
    ];
    let mut text = "| paper | experiments | waiting |".to_owned();
    verdicts
        .iter()
        .for_each(|verdict| text += &format!(" {} |", verdict.text()));
    text += "\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    let mut papers: Vec<&str> = known.iter().map(|(e, _)| e.paper()).collect();
    papers.dedup();
    for paper in papers {
        let of_paper: Vec<_> = known.iter().filter(|(e, _)| e.paper() == paper).collect();
        let waiting = of_paper.iter().filter(|(e, _)| e.waits_for().is_some());
        text += &format!("| {paper} | {} | {} |", of_paper.len(), waiting.count());
        for verdict in verdicts {
            let findings = of_paper
                .iter()
                .filter_map(|(_, findings)| findings.as_ref());
            let count: usize = findings.map(|findings| findings.count(verdict)).sum();
            text += &format!(" {count} |");
        }
        text.push('\n');
    }
    text
}

fn section(experiment: &Experiment, findings: Option<&Findings>, pictures: &Pictures) -> String {
    let Experiment { id, summary, kind } = experiment;
    let mut text = format!("\n### {id}\n\n{summary}.\n");
    let Some(findings) = findings else {
        return text
            + &match kind {
                ExperimentKind::NotYet(what) => format!("\nNOT YET: waits for {what}.\n"),
                _ => "\nNot run.\n".to_owned(),
            };
    };
    text += &format!("\n{}", findings.markdown());
    for figure in &findings.figures {
        text += &format!("\n![{summary}]({})\n", pictures.name(experiment, figure));
    }
    let scale = format!("Scale {}, version {}", findings.scale, findings.version);
    let runs = match &findings.fingerprint {
        Some(digest) => format!("; digest of its runs `{digest}`"),
        None => String::new(),
    };
    let seed = findings
        .seed
        .map_or_else(String::new, |seed| format!(", seed {seed}"));
    text + &format!("\n{scale}{seed}{runs}.\n")
}
