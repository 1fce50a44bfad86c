//! The results of a sweep for a build machine: JUnit's XML, and a summary in Markdown.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pacesim_lab::claims::Verdict;
use pacesim_lab::study::{EndedEarly, Outline, OutlinePoint};

use crate::args::SweepArgs;
use crate::junit::{self, Case, Fault, Suite};
use crate::numbers::how_many;

/// Writes the files that are asked for.
pub(crate) fn write(args: &SweepArgs, outline: &Outline) -> io::Result<()> {
    let again = Again::of(args);
    if let Some(file) = &args.junit {
        write_to(file, &junit(outline, &again))?;
    }
    if let Some(file) = &args.markdown {
        let figures = figures_from(file, Path::new(&outline.folder));
        write_to(file, &markdown(outline, &again, &figures))?;
    }
    Ok(())
}

fn write_to(file: &Path, text: &str) -> io::Result<()> {
    let place = |error| io::Error::other(format!("{}: {error}", file.display()));
    fs::write(file, text).map_err(place)
}

/// The drawn figures, as links from a file that may lie in or beside the folder of the study.
fn figures_from(file: &Path, folder: &Path) -> Vec<String> {
    let figures = folder.join("figures");
    let beside = file.parent().unwrap_or(Path::new(""));
    let entries = fs::read_dir(&figures).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let drawn = files.filter(|path| path.extension().is_some_and(|of| of == "svg"));
    let link = |path: PathBuf| shown(path.strip_prefix(beside).unwrap_or(&path));
    let mut links: Vec<String> = drawn.map(link).collect();
    links.sort();
    links
}

/// The command that repeats a run alone.
struct Again {
    file: String,
    options: String,
}

impl Again {
    fn of(args: &SweepArgs) -> Again {
        let sets = args.scenario.sets.iter();
        let set = sets.map(|set| format!(" --set '{set}'"));
        let seed = args.work.seed.map(|seed| format!(" --seed {seed}"));
        Again {
            file: shown(&args.scenario.file),
            options: set.chain(seed).collect(),
        }
    }

    fn run(&self, run: &EndedEarly) -> String {
        let (point, replication) = (run.point, run.replication);
        let Again { file, options } = self;
        format!("pacesim run {file} --point {point} --replication {replication}{options}")
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The runs of a point without results.
fn failed_at<'o>(outline: &'o Outline, point: &OutlinePoint) -> Vec<&'o EndedEarly> {
    let point = point.point;
    let all = outline.gave_up.iter().chain(&outline.abandoned);
    all.filter(|run| run.point == point).collect()
}

/// The values of a point, "rate=2Mbps, buffer=5pkts".
fn values(outline: &Outline, point: &OutlinePoint) -> String {
    let pairs = outline.axes.iter().zip(&point.values);
    let pairs = pairs.map(|(axis, value)| format!("{}={}", axis.name, value.shown()));
    let pairs: Vec<String> = pairs.collect();
    format!("point {}: {}", point.point, pairs.join(", "))
}

/// A test case for each claim, and one for each point, which fails if a run has no results.
fn junit(outline: &Outline, again: &Again) -> String {
    let study = &outline.study;
    let claims = outline.claims.iter();
    let claims = claims.map(|claim| Case::of_claim(format!("{study}.claims"), claim));
    let points = outline.points.iter().map(|point| {
        let failed = failed_at(outline, point).into_iter();
        let fault = |run: &EndedEarly| Fault::Failed {
            message: run.why.clone(),
            text: again.run(run),
        };
        Case {
            class: format!("{study}.points"),
            name: values(outline, point),
            faults: failed.map(fault).collect(),
        }
    });
    junit::document(&[Suite {
        name: study.clone(),
        cases: claims.chain(points).collect(),
    }])
}

/// Verdicts, runs without results with the commands that repeat them, and the figures.
fn markdown(outline: &Outline, again: &Again, figures: &[String]) -> String {
    let mut text = format!(
        "# {}: {}\n\n{}, {}, fingerprint {}\n",
        outline.study,
        verdict(outline),
        how_many(outline.points.len(), "point"),
        how_many(outline.runs as usize, "run"),
        outline.fingerprint
    );
    if !outline.claims.is_empty() {
        text += "\n| claim | expected | ours | verdict |\n| --- | --- | --- | --- |\n";
    }
    for claim in &outline.claims {
        let cells = [&claim.claim, &claim.bound(), &claim.ours()].map(|cell| in_cell(cell));
        let _ = writeln!(text, "| {} | {} |", cells.join(" | "), claim.verdict.text());
    }
    let failed: Vec<_> = outline.gave_up.iter().chain(&outline.abandoned).collect();
    if !failed.is_empty() {
        let _ = writeln!(
            text,
            "\n{} without results:\n",
            how_many(failed.len(), "run")
        );
    }
    for run in failed {
        let point = outline.points.iter().find(|point| point.point == run.point);
        let values = point.map_or(String::new(), |point| values(outline, point));
        let (why, again) = (in_cell(&run.why), again.run(run));
        let _ = writeln!(text, "- {}: {why}\n  `{again}`", in_cell(&values));
    }
    for figure in figures {
        let _ = writeln!(text, "\n![{figure}]({figure})");
    }
    text
}

/// The verdict on the whole.
fn verdict(outline: &Outline) -> String {
    let differ = outline.claims.iter();
    let differ = differ.filter(|claim| claim.verdict == Verdict::Differs);
    let (differ, failed) = (
        differ.count(),
        outline.gave_up.len() + outline.abandoned.len(),
    );
    match (differ, failed) {
        (0, 0) => "passed".to_owned(),
        (n, 0) => format!(
            "{} of {} differ",
            n,
            how_many(outline.claims.len(), "claim")
        ),
        (0, n) => format!("{} without results", how_many(n, "run")),
        (n, m) => format!(
            "{} of {} differ, {} without results",
            n,
            how_many(outline.claims.len(), "claim"),
            how_many(m, "run")
        ),
    }
}

/// Text within a cell of a table.
pub(crate) fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
