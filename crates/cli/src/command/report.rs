//! `pacesim report`: a run, several replications, a study, or a folder of experiments as one page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pacesim_lab::claims::{Claim, Verdict};
use pacesim_lab::findings::Findings;
use pacesim_lab::plot::Figure;
use pacesim_lab::seeing::TraceError;
use pacesim_lab::seeing::html::{self, Chapter, Table};
use pacesim_lab::study::{Kept, NumberName, PointMeans, Study, SweepError};
use pacesim_lab::{CheckedFolder, expand};
use serde_json::Value;

use super::seeing::refused;
use super::sweep::outcome;
use super::{Ended, fail};
use crate::args::ReportArgs;
use crate::exit::Outcome;
use crate::monitor::TerminalMonitor;
use crate::output::print;

/// Findings of an experiment, in its folder.
const CLAIMS: &str = "claims.json";

/// Writes a report as one HTML file.
pub(crate) fn write_report(args: &ReportArgs) -> Ended {
    let to = &args.output;
    if to.symlink_metadata().is_ok() {
        return refused(&TraceError::Exists(to.clone()));
    }
    let experiments = experiments(&args.results);
    if !experiments.is_empty() && !args.flow.is_empty() {
        let message =
            "--flow selects packets of one run; name a folder in recordings/ of the study";
        return fail(false, Outcome::Invalid, message);
    }
    let written = if experiments.is_empty() {
        html::report(&args.results, &args.flow, to)
    } else {
        match chapters(&experiments) {
            Ok(chapters) => html::book(
                &title(&args.results, &chapters),
                &facts(&chapters),
                &chapters,
                to,
            ),
            Err(Fault::Sweep(error)) => return fail(false, outcome(&error), error),
            Err(Fault::Trace(error)) => Err(error),
        }
    };
    match written {
        Ok(()) => {
            print(&format!("{}: open it in a browser\n", to.display()))?;
            Ok(Outcome::Done)
        }
        Err(error) => refused(&error),
    }
}

enum Fault {
    Sweep(SweepError),
    Trace(TraceError),
}

impl From<SweepError> for Fault {
    fn from(error: SweepError) -> Fault {
        Fault::Sweep(error)
    }
}

impl From<TraceError> for Fault {
    fn from(error: TraceError) -> Fault {
        Fault::Trace(error)
    }
}

/// The folder itself if it is a study or an experiment, otherwise those directly in it.
fn experiments(results: &Path) -> Vec<PathBuf> {
    let is_one = |folder: &Path| Kept::is_in(folder) || folder.join(CLAIMS).is_file();
    if is_one(results) {
        return vec![results.to_path_buf()];
    }
    let entries = fs::read_dir(results).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.retain(|folder| is_one(folder));
    found.sort();
    found
}

fn chapters(folders: &[PathBuf]) -> Result<Vec<Chapter>, Fault> {
    let chapters = folders.iter().map(|folder| match chapter(folder) {
        // In a folder of several experiments, some may not have been run yet.
        Err(Fault::Sweep(SweepError::NoRuns(_))) if folders.len() > 1 => Ok(Chapter {
            title: name(folder),
            about: vec!["No runs yet: sweep to make them.".to_owned()],
            ..Chapter::default()
        }),
        chapter => chapter,
    });
    chapters.collect()
}

fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn chapter(folder: &Path) -> Result<Chapter, Fault> {
    let findings = findings(folder)?;
    let chapter = if Kept::is_in(folder) {
        of_study(folder, findings.is_none())?
    } else {
        Chapter {
            figures: figure_of_points(folder)?,
            ..Chapter::default()
        }
    };
    Ok(match findings {
        None => chapter,
        Some(findings) => Chapter {
            title: findings.id,
            about: [vec![findings.summary], findings.notes].concat(),
            // They include the numbers of ns-2.
            claims: findings.claims,
            ..chapter
        },
    })
}

fn findings(folder: &Path) -> Result<Option<Findings>, TraceError> {
    let path = folder.join(CLAIMS);
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(TraceError::at(&path))?;
    match Findings::from_sealed(&text) {
        Some(findings) => Ok(Some(findings)),
        None => Err(TraceError::Damaged {
            path,
            why: "it does not have the findings of an experiment as they were written".to_owned(),
        }),
    }
}

/// A study: figures, claims, the numbers behind them, its network and its text.
fn of_study(folder: &Path, judges: bool) -> Result<Chapter, Fault> {
    let kept = Kept::open(folder)?;
    let study = kept.study()?;
    let watch = TerminalMonitor::new(false);
    let (figures, claims): (Vec<(String, Figure)>, Vec<Claim>) = if judges {
        kept.findings(&study, &watch)?
    } else {
        (kept.draw(&study, None, &watch)?, Vec::new())
    };
    let (missing, all) = kept.missing()?;
    let mut about = vec![format!("{} points, {all} runs.", study.points().count())];
    if missing > 0 {
        about.push(format!(
            "{missing} of the runs are missing: sweep again to make them."
        ));
    }
    let first = study.points().next().filter(|_| !study.is_of_models_alone);
    let first = first.and_then(|number| study.scenario(number).ok());
    Ok(Chapter {
        title: study.name.clone(),
        about,
        claims,
        figures,
        tables: numbers(&kept, &study)?,
        network: first.map(|scenario| html::network(&expand(&scenario, 1, 0))),
        text: Some(String::from_utf8_lossy(&study.origin().text).into_owned()),
    })
}

/// The numbers of figures and claims at each point, with the half-widths of their intervals.
fn numbers(kept: &Kept, study: &Study) -> Result<Vec<Table>, Fault> {
    let wanted: BTreeSet<NumberName> = study.mentioned().collect();
    let means = kept.means(study, &wanted)?;
    let axes = study.axes.iter().map(|axis| axis.name.clone());
    let numbers = means.names.iter();
    let numbers = numbers.flat_map(|name| [name.to_string(), format!("{name}.half_width")]);
    let row = |point: &PointMeans| {
        let values = point.values.iter().map(|text| Value::from(text.as_str()));
        let spreads = point.spreads.iter().flat_map(|spread| match spread {
            Some((mean, half_width)) => [Value::from(*mean), Value::from(*half_width)],
            None => [Value::Null, Value::Null],
        });
        let number = std::iter::once(Value::from(point.number));
        number.chain(values).chain(spreads).collect()
    };
    Ok(vec![Table {
        title: "Means by point".to_owned(),
        columns: std::iter::once("point".to_owned())
            .chain(axes)
            .chain(numbers)
            .collect(),
        rows: means.points.iter().map(row).collect(),
    }])
}

/// The figure of an experiment that is not a study, from the table of its points.
fn figure_of_points(folder: &Path) -> Result<Vec<(String, Figure)>, TraceError> {
    const DATA: &str = "data.parquet";
    let checked = CheckedFolder::open(folder).map_err(TraceError::from)?;
    if !checked.has(DATA) {
        return Ok(Vec::new());
    }
    let path = checked.file(DATA).map_err(TraceError::from)?;
    let table = Table::of(&path, "data", |_| true)?;
    let figure = html::figure_of(&name(folder), &table);
    Ok(vec![("figure".to_owned(), figure)])
}

fn title(results: &Path, chapters: &[Chapter]) -> String {
    match chapters {
        [one] => one.title.clone(),
        _ => {
            let path = results.canonicalize();
            let path = path.unwrap_or_else(|_| results.to_path_buf());
            format!("Experiments in {}", name(&path))
        }
    }
}

/// The number of claims by verdict.
fn facts(chapters: &[Chapter]) -> Vec<String> {
    let verdicts = [
        Verdict::Pass,
        Verdict::Differs,
        Verdict::Undecided,
        Verdict::NotRun,
    ];
    let claims = || chapters.iter().flat_map(|chapter| &chapter.claims);
    let count = |verdict| claims().filter(|claim| claim.verdict == verdict).count();
    let counted = verdicts.map(|verdict| (count(verdict), verdict.text()));
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    counted
        .map(|(count, text)| format!("{count} {text}"))
        .collect()
}
