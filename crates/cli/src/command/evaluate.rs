//! `pacesim evaluate`.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_front::study_folder;
use pacesim_lab::input::{self, Rejected, StudyInput};
use pacesim_lab::study::{self, Sweep, SweepError};
use pacesim_lab::write_complete;
use pacesim_language::problem::suggest;
use pacesim_tcp_conformance::{Finding, check};

use super::sweep::end;
use super::{Ended, fail, misplaced, refuse};
use crate::args::EvaluateArgs;
use crate::evaluation::{CONFORMANCE, Evaluation, TEMPLATES, Template, Traffic, Tried, page};
use crate::exit::Outcome;
use crate::monitor::{TerminalMonitor, jobs};
use crate::output::{print, report};

/// The files of an evaluation.
const PAGE: &str = "evaluation.md";
const JUNIT: &str = "junit.xml";

/// Tries a congestion control in all studies, or lists them.
pub(crate) fn evaluate(args: &EvaluateArgs) -> Ended {
    let traffic = match Traffic::read(&args.control) {
        Ok(traffic) => traffic,
        Err(error) => return fail(args.json, Outcome::Invalid, error),
    };
    if let Some(unknown) = args
        .only
        .iter()
        .find(|name| !names().any(|one| one == *name))
    {
        let message = format!(
            "there is no study \"{unknown}\"; {}",
            suggest(unknown, names())
        );
        return fail(args.json, Outcome::Invalid, message);
    }
    // All studies are checked before the first run: a mistake in the traffic is one in each.
    let mut inputs = Vec::new();
    for template in TEMPLATES
        .iter()
        .filter(|template| is_asked(args, template.name))
    {
        match read(template, &traffic, args.scale) {
            Ok(input) => inputs.push((template, input)),
            Err(rejected) => return refuse(args.json, &rejected),
        }
    }
    if args.list {
        print(&listed(&inputs))?;
        return Ok(Outcome::Done);
    }
    let name = format!("evaluate-{}", traffic.name());
    let out = match study_folder(args.out.as_deref(), &name) {
        Ok(out) => out,
        Err(message) => return fail(args.json, Outcome::Invalid, message),
    };
    let trials = match trials(args, &traffic) {
        Ok(trials) => trials,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    let watch = TerminalMonitor::new(!args.quiet).within(args.limits.limits());
    let mut tried = Vec::new();
    for (template, input) in inputs {
        let folder = out.join(template.name);
        if let Err((path, error)) = keep_file(&out, template, &traffic) {
            return misplaced(&path, &error);
        }
        match tried_in(args, template, &input, &folder, &watch) {
            Ok(one) => tried.push(one),
            Err(error) => return end(args.json, input, error),
        }
    }
    let evaluation = Evaluation {
        traffic,
        tried,
        trials,
        scale: args.scale,
    };
    finish(args, &out, &evaluation)
}

/// The names of all studies, and of the trials.
fn names() -> impl Iterator<Item = &'static str> {
    let studies = TEMPLATES.iter().map(|template| template.name);
    studies.chain([CONFORMANCE])
}

fn is_asked(args: &EvaluateArgs, name: &str) -> bool {
    args.only.is_empty() || args.only.iter().any(|only| only == name)
}

/// The name of a study's file.
fn file(template: &Template) -> String {
    format!("{}.study.toml", template.name)
}

fn read(template: &Template, traffic: &Traffic, scale: f64) -> Result<StudyInput, Rejected> {
    let text = template.of(traffic);
    let input =
        input::study_from_text(&file(template), &text, Path::new("."), &[])?.at_scale(scale);
    let mistakes = input::mistakes(&input.study);
    match mistakes.is_empty() {
        true => Ok(input),
        false => Err(input.reject(mistakes)),
    }
}

/// Writes the study's file beside the folder of its results.
fn keep_file(
    out: &Path,
    template: &Template,
    traffic: &Traffic,
) -> Result<(), (PathBuf, std::io::Error)> {
    let path = out.join(file(template));
    let written = fs::create_dir_all(out)
        .and_then(|()| write_complete(&path, template.of(traffic).as_bytes()));
    written.map_err(|error| (path, error))
}

/// Sweeps a study.
fn tried_in(
    args: &EvaluateArgs,
    template: &Template,
    input: &StudyInput,
    folder: &Path,
    watch: &TerminalMonitor,
) -> Result<Tried, SweepError> {
    let sweep = Sweep {
        folder: &input.folder,
        seed: args.seed,
        jobs: jobs(args.jobs),
        ..Sweep::new(&input.study, folder)
    };
    let outline = study::sweep(&sweep, watch);
    watch.clear();
    let outline = outline?;
    if !args.quiet {
        report(&format!(
            "{}: {} of {} runs made\n",
            template.name, outline.made, outline.runs
        ));
    }
    Ok(Tried {
        name: template.name,
        subject: template.subject().to_owned(),
        figures: input
            .study
            .plots
            .iter()
            .map(|plot| plot.name.clone())
            .collect(),
        gave_up: outline.gave_up.iter().map(|run| run.why.clone()).collect(),
        fingerprint: outline.fingerprint,
        claims: outline.claims,
    })
}

/// The trials of RFC 9743 with the sender that the studies have; none for other transports.
fn trials(args: &EvaluateArgs, traffic: &Traffic) -> Result<Option<Vec<Finding>>, Rejected> {
    if !is_asked(args, CONFORMANCE) {
        return Ok(None);
    }
    let input = read(&TEMPLATES[0], traffic, 1.0)?;
    let first = input.study.points().next();
    let scenario = first.and_then(|point| input.study.scenario(point).ok());
    let model = scenario.map(|scenario| scenario.expand(args.seed.unwrap_or(1), 0));
    let config = model.and_then(|model| model.flows.first()?.tcp_config());
    Ok(config.map(|config| check(&config).findings))
}

/// The studies with their subjects and claims.
fn listed(inputs: &[(&Template, StudyInput)]) -> String {
    let mut text = String::new();
    for (template, input) in inputs {
        text += &format!("{}: {}\n", template.name, template.subject());
        for claim in &input.study.expectations {
            text += &format!("    {}\n", claim.claim);
        }
    }
    text + &format!("{CONFORMANCE}: trials of RFC 9743, see docs/conformance.md\n")
}

/// Writes the page and JUnit's file, and prints the results.
fn finish(args: &EvaluateArgs, out: &Path, evaluation: &Evaluation) -> Ended {
    for (name, text) in [(PAGE, page(evaluation)), (JUNIT, evaluation.junit())] {
        let path = out.join(name);
        let written = fs::create_dir_all(out).and_then(|()| write_complete(&path, text.as_bytes()));
        if let Err(error) = written {
            return misplaced(&path, &error);
        }
    }
    if args.json {
        let text = serde_json::to_string_pretty(&evaluation.json()).expect("string keys only");
        print(&(text + "\n"))?;
    } else {
        print(&evaluation.text())?;
    }
    if !args.quiet {
        report(&format!("the page is {}\n", out.join(PAGE).display()));
    }
    Ok(if args.strict && evaluation.has_failures() {
        Outcome::Failed
    } else {
        Outcome::Done
    })
}
