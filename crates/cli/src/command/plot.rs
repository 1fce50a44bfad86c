//! `pacesim plot`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pacesim_lab::input::StudyInput;
use pacesim_lab::plot::{Figure, Format};
use pacesim_lab::study::{self, FIGURES, Sweep};
use pacesim_lab::write_complete;

use super::sweep::{end, folder};
use super::{Ended, fail, read, refuse};
use crate::args::PlotArgs;
use crate::exit::Outcome;
use crate::output::print;
use crate::overseer::{Watchtower, jobs};

/// Draws the figures of a study.
pub(crate) fn plot(args: &PlotArgs) -> Ended {
    let input = match read(&args.scenario) {
        Ok(input) => input.at_scale(args.scale).with_precision(args.precision),
        Err(rejected) => return refuse(false, &rejected),
    };
    let mistakes = input.mistakes();
    if !mistakes.is_empty() {
        return refuse(false, &input.reject(mistakes));
    }
    match files(args, &input) {
        Ok(Files { out, to, formats }) => draw(args, input, &out, &to, &formats),
        Err(message) => fail(false, Outcome::Invalid, message),
    }
}

/// What is read and written.
struct Files {
    /// The folder of the study.
    out: PathBuf,
    /// The folder of the figures.
    to: PathBuf,
    formats: Vec<Format>,
}

/// What the command line asks for, or what is wrong with it.
fn files(args: &PlotArgs, input: &StudyInput) -> Result<Files, String> {
    let plots: Vec<&str> = input
        .study
        .plots
        .iter()
        .map(|plot| plot.name.as_str())
        .collect();
    if plots.is_empty() {
        return Err("this study has no [[plot]]; docs/study.md says what one is".to_owned());
    }
    if let Some(unknown) = args
        .plots
        .iter()
        .find(|name| !plots.contains(&name.as_str()))
    {
        return Err(format!(
            "there is no plot \"{unknown}\"; there are {}",
            plots.join(", ")
        ));
    }
    let format = |kind: &String| Format::of(&Path::new("figure").with_extension(kind));
    let formats: Result<Vec<Format>, _> = args.formats.iter().map(format).collect();
    let out = folder(args.out.as_deref(), &input.study.name)?;
    Ok(Files {
        to: args.to.clone().unwrap_or_else(|| out.join(FIGURES)),
        formats: formats.map_err(|error| format!("--format: {error}"))?,
        out,
    })
}

fn draw(args: &PlotArgs, input: StudyInput, out: &Path, to: &Path, formats: &[Format]) -> Ended {
    let watch = Watchtower::new(false);
    let sweep = Sweep {
        study: &input.study,
        folder: &input.folder,
        seed: args.seed,
        replications: args.replications.unwrap_or(input.study.replications),
        jobs: jobs(None),
        out,
    };
    let figures = match study::draw(&sweep, &watch) {
        Ok(figures) => figures,
        Err(error) => return end(false, input, error),
    };
    let is_wanted = |name: &String| args.plots.is_empty() || args.plots.contains(name);
    let wanted = figures.iter().filter(|(name, _)| is_wanted(name));
    let pictures: Vec<(PathBuf, Vec<u8>)> = wanted
        .flat_map(|(name, figure)| pictures(to, name, figure, formats))
        .collect();
    // Either all are written or none.
    let changes = |(path, bytes): &&(PathBuf, Vec<u8>)| {
        path.exists() && fs::read(path).ok().as_ref() != Some(bytes)
    };
    if let Some((path, _)) = pictures.iter().find(changes).filter(|_| !args.force) {
        let message = format!("{} exists already; --force replaces it", path.display());
        return fail(false, Outcome::Invalid, message);
    }
    fs::create_dir_all(to).map_err(|error| named(to, &error))?;
    for (path, bytes) in &pictures {
        write_complete(path, bytes).map_err(|error| named(path, &error))?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(Outcome::Done)
}

/// The files of a figure.
fn pictures(to: &Path, name: &str, figure: &Figure, formats: &[Format]) -> Vec<(PathBuf, Vec<u8>)> {
    let file = |format: &Format| {
        let path = to.join(format!("{name}.{}", format.suffix()));
        (path, figure.encode(*format))
    };
    formats.iter().map(file).collect()
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::other(format!("{}: {error}", path.display()))
}
