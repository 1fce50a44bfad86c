//! `pacesim plot`.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_front::study_folder;
use pacesim_lab::input;
use pacesim_lab::plot::{Figure, Format, Sheet};
use pacesim_lab::study::{self, FIGURES, Kept, Study, Sweep};
use pacesim_lab::write_complete;
use pacesim_language::problem::suggest;

use super::sweep::{end, outcome};
use super::{Ended, fail, misplaced, read, refuse};
use crate::args::{PlotArgs, ScenarioArgs, StyleArg};
use crate::exit::Outcome;
use crate::monitor::{TerminalMonitor, jobs};
use crate::output::{print, report};

/// Draws the figures of a study, given its file or only its folder.
pub(crate) fn plot(args: &PlotArgs) -> Ended {
    if args.study.is_dir() {
        of_folder(args)
    } else {
        of_file(args)
    }
}

fn of_folder(args: &PlotArgs) -> Ended {
    if let Some(option) = of_files_only(args) {
        let message = format!(
            "{option} goes with the file of a study; of a folder the last sweep's figures are drawn"
        );
        return fail(false, Outcome::Invalid, message);
    }
    let drawn = Kept::open(&args.study).and_then(|kept| Ok((kept.study()?, kept)));
    let (study, kept) = match drawn {
        Ok(drawn) => drawn,
        Err(error) => return fail(false, outcome(&error), error),
    };
    let files = match files(args, &study, args.study.clone()) {
        Ok(files) => files,
        Err(message) => return fail(false, Outcome::Invalid, message),
    };
    match kept.draw(&study, args.replications, &TerminalMonitor::new(false)) {
        Ok(figures) => write(args, &files, &figures),
        Err(error) => fail(false, outcome(&error), error),
    }
}

/// The name of an option, if given, that only applies to a study's file, not to its folder.
fn of_files_only(args: &PlotArgs) -> Option<&'static str> {
    let given = [
        ("--set", !args.sets.is_empty()),
        ("--seed", args.seed.is_some()),
        ("--scale", args.scale != 1.0),
        ("--precision", args.precision.is_some()),
        ("--out", args.out.is_some()),
    ];
    let mut given = given.into_iter().filter(|(_, is_given)| *is_given);
    given.next().map(|(option, _)| option)
}

fn of_file(args: &PlotArgs) -> Ended {
    let scenario = ScenarioArgs {
        file: args.study.clone(),
        sets: args.sets.clone(),
    };
    let input = match read(&scenario) {
        Ok(input) => input.at_scale(args.scale).with_precision(args.precision),
        Err(rejected) => return refuse(false, &rejected),
    };
    let mistakes = input::mistakes(&input.study);
    if !mistakes.is_empty() {
        return refuse(false, &input.reject(mistakes));
    }
    let out = study_folder(args.out.as_deref(), &input.study.name);
    let files = match out.and_then(|out| files(args, &input.study, out)) {
        Ok(files) => files,
        Err(message) => return fail(false, Outcome::Invalid, message),
    };
    let watch = TerminalMonitor::new(false);
    let sweep = Sweep {
        study: &input.study,
        folder: &input.folder,
        seed: args.seed,
        replications: args.replications.unwrap_or(input.study.replications),
        jobs: jobs(None),
        out: &files.out,
    };
    match study::draw(&sweep, &watch) {
        Ok(figures) => write(args, &files, &figures),
        Err(error) => end(false, input, error),
    }
}

/// Input and output paths.
struct Files {
    /// The folder of the study.
    out: PathBuf,
    /// The folder of the figures.
    to: PathBuf,
    formats: Vec<Format>,
}

/// The paths requested on the command line, or an error message.
fn files(args: &PlotArgs, study: &Study, out: PathBuf) -> Result<Files, String> {
    let plots: Vec<&str> = study.plots.iter().map(|plot| plot.name.as_str()).collect();
    if plots.is_empty() {
        return Err("this study has no [[plot]]; docs/study.md describes it".to_owned());
    }
    let is_unknown = |name: &&String| !plots.contains(&name.as_str());
    if let Some(unknown) = args.plots.iter().find(is_unknown) {
        return Err(format!(
            "there is no plot \"{unknown}\"; {}",
            suggest(unknown, plots.iter().copied())
        ));
    }
    let format = |kind: &String| Format::of(&Path::new("figure").with_extension(kind));
    let formats: Result<Vec<Format>, _> = args.formats.iter().map(format).collect();
    Ok(Files {
        to: args.to.clone().unwrap_or_else(|| out.join(FIGURES)),
        formats: formats.map_err(|error| format!("--format: {error}"))?,
        out,
    })
}

fn write(args: &PlotArgs, files: &Files, figures: &[(String, Figure)]) -> Ended {
    let Files { to, formats, .. } = files;
    let is_wanted = |name: &String| args.plots.is_empty() || args.plots.contains(name);
    let wanted = figures.iter().filter(|(name, _)| is_wanted(name));
    wanted
        .clone()
        .for_each(|(name, figure)| report(&overridden(name, figure, args)));
    let wanted = wanted.map(|(name, figure)| (name, styled(figure, args)));
    let wanted: Vec<(&String, Figure)> = wanted.collect();
    for (name, figure) in &wanted {
        let notes = figure.notes().into_iter();
        report(
            &notes
                .map(|note| format!("{name}: {note}\n"))
                .collect::<String>(),
        );
    }
    let pictures: Vec<(PathBuf, Vec<u8>)> = wanted
        .into_iter()
        .flat_map(|(name, figure)| {
            let values = args.data.then(|| values(to, name, &figure));
            pictures(to, name, &figure, formats)
                .into_iter()
                .chain(values)
        })
        .collect();
    // Either all files are written or none.
    let changes = |(path, bytes): &&(PathBuf, Vec<u8>)| {
        path.exists() && fs::read(path).ok().as_ref() != Some(bytes)
    };
    if let Some((path, _)) = pictures.iter().find(changes).filter(|_| !args.force) {
        let message = format!("{} exists already; --force replaces it", path.display());
        return fail(false, Outcome::Invalid, message);
    }
    if let Err(error) = fs::create_dir_all(to) {
        return misplaced(to, &error);
    }
    for (path, bytes) in &pictures {
        if let Err(error) = write_complete(path, bytes) {
            return misplaced(path, &error);
        }
        print(&format!("{}\n", path.display()))?;
    }
    Ok(Outcome::Done)
}

/// The figure in the style that the command line asks for; its columns are the file's.
fn styled(figure: &Figure, args: &PlotArgs) -> Figure {
    let columns = figure.sheet.columns;
    let sheet = args.style.map(StyleArg::sheet);
    let sheet = sheet.map_or(figure.sheet, |sheet| Sheet { columns, ..sheet });
    figure.clone().on(sheet)
}

/// Tells that a style takes the place of a sheet that the file states.
fn overridden(name: &str, figure: &Figure, args: &PlotArgs) -> String {
    let columns = figure.sheet.columns;
    let asked = args.style.map(StyleArg::sheet);
    let Some(asked) = asked.map(|asked| Sheet { columns, ..asked }) else {
        return String::new();
    };
    let plain = Sheet {
        columns,
        ..Sheet::default()
    };
    if figure.sheet == plain || figure.sheet == asked {
        return String::new();
    }
    let (of_file, now) = (figure.sheet.width_in, asked.width_in);
    format!(
        "{name}: --style takes the place of width, font, legend and title of the file: {now} in wide, not {of_file} in\n"
    )
}

/// The file of a figure's numbers.
fn values(to: &Path, name: &str, figure: &Figure) -> (PathBuf, Vec<u8>) {
    let file = format!("{name}.csv");
    let text = figure.values(&file);
    (to.join(file), text.into_bytes())
}

/// The files of a figure.
fn pictures(to: &Path, name: &str, figure: &Figure, formats: &[Format]) -> Vec<(PathBuf, Vec<u8>)> {
    let file = |format: &Format| {
        let path = to.join(format!("{name}.{}", format.suffix()));
        (path, figure.encode(*format))
    };
    formats.iter().map(file).collect()
}
