//! Printed problems and warnings: the mistake, its place, and the remedy.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use pacesim_lab::input::{Input, Rejected};
use pacesim_lab::{Problem, footprint_bytes};
use serde_json::{Value, json};

/// The look of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Colours, as escape codes of terminals.
    Styled,
    /// Text alone.
    Plain,
}

/// All problems with their source lines, and their number.
pub fn render(rejected: &Rejected, look: Look, width: usize) -> String {
    let report = Report::new(Level::ERROR, look, width);
    let text = report.all(&rejected.problems, |file| rejected.text_of(file));
    match rejected.problems.len() {
        1 => text + "1 problem\n",
        n => text + &format!("{n} problems\n"),
    }
}

/// All warnings with their source lines; empty without any.
pub fn warnings(input: &Input, look: Look, width: usize) -> String {
    let report = Report::new(Level::WARNING, look, width);
    report.all(&input.warnings, |file| input.text_of(file))
}

/// The format of problems.
struct Report {
    level: Level<'static>,
    renderer: Renderer,
}

impl Report {
    fn new(level: Level<'static>, look: Look, width: usize) -> Report {
        let renderer = match look {
            Look::Styled => Renderer::styled(),
            Look::Plain => Renderer::plain(),
        };
        Report {
            level,
            renderer: renderer.term_width(width),
        }
    }

    fn all<'t>(&self, problems: &[Problem], text_of: impl Fn(&str) -> Option<&'t str>) -> String {
        let one = |problem: &Problem| {
            let source = text_of(&problem.file).filter(|_| problem.line > 0);
            let report = match source {
                Some(source) => self.at(problem, source),
                None => self.nowhere(problem),
            };
            report + "\n\n"
        };
        problems.iter().map(one).collect()
    }

    /// A problem, with its line of the source.
    fn at(&self, problem: &Problem, source: &str) -> String {
        let title = match problem.path.as_str() {
            "" => problem.message.clone(),
            path => format!("{path}: {}", problem.message),
        };
        let mark = AnnotationKind::Primary.span(problem.span.clone());
        let snippet = Snippet::source(source).path(&problem.file).annotation(mark);
        let title = match problem.kind {
            "" => self.level.clone().primary_title(title),
            kind => self.level.clone().primary_title(title).id(kind),
        };
        let group = title.element(snippet);
        let group = match &problem.help {
            Some(help) => group.element(Level::HELP.message(help)),
            None => group,
        };
        self.renderer.render(&[group])
    }

    /// A problem that concerns a whole file.
    fn nowhere(&self, problem: &Problem) -> String {
        let title = format!("{}: {}", problem.file, problem.message);
        let title = Group::with_title(self.level.clone().primary_title(title));
        let mut text = self.renderer.render(&[title]);
        if let Some(help) = &problem.help {
            let help = Group::with_title(Level::HELP.secondary_title(help));
            text += "\n";
            text += &self.renderer.render(&[help]);
        }
        text
    }
}

/// All problems as JSON.
pub fn rejected_json(rejected: &Rejected) -> String {
    document(json!({ "problems": list(&rejected.problems), "warnings": [] }))
}

/// The JSON report on a scenario without problems: all warnings, and the random draws; for a study,
/// those of its first point, and the numbers of points and runs.
pub fn accepted_json(input: &Input, size: Option<(u64, Option<u64>)>) -> String {
    let draw = |(path, drawn): (String, &str)| json!({ "path": path, "drawn": drawn });
    let draws: Vec<Value> = input.scenario.draws().into_iter().map(draw).collect();
    let arrival = |(path, text): (String, String)| json!({ "path": path, "arrivals": text });
    let arrivals: Vec<Value> = input.scenario.arrivals().into_iter().map(arrival).collect();
    let trips = input.scenario.round_trips().into_iter().map(|of| {
        json!({
            "group": of.group,
            "least_s": of.least_s,
            "mean_s": of.mean_s,
            "greatest_s": of.greatest_s,
        })
    });
    let trips: Vec<Value> = trips.collect();
    let seed = input.scenario.scenario().run.seed;
    let mut report = json!({
        "problems": [],
        "warnings": list(&input.warnings),
        "draws": draws,
        "arrivals": arrivals,
        "round_trips": trips,
        "memory_bytes": footprint_bytes(&input.scenario.expand(seed, 0)),
    });
    if let Some((points, runs)) = size {
        report["points"] = points.into();
        // Unknown for a search.
        report["runs"] = runs.into();
    }
    document(report)
}

/// An error other than a scenario's, as JSON.
pub fn error_json(error: impl std::fmt::Display) -> String {
    document(json!({ "error": error.to_string() }))
}

fn document(value: Value) -> String {
    format!("{value:#}\n")
}

fn list(problems: &[Problem]) -> Vec<Value> {
    let one = |problem: &Problem| {
        json!({
            "file": problem.file,
            "line": problem.line,
            "column": problem.column,
            "path": problem.path,
            "message": problem.message,
            "help": problem.help,
            "kind": Some(problem.kind).filter(|kind| !kind.is_empty()),
        })
    };
    problems.iter().map(one).collect()
}
