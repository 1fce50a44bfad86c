//! Problems as people read them: what is wrong, where, and what is right.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use pacesim_lab::Problem;
use pacesim_lab::input::Rejected;
use serde_json::{Value, json};

/// All problems with their source lines, and how many there are.
pub(crate) fn render(rejected: &Rejected, width: usize) -> String {
    let renderer = Renderer::styled().term_width(width);
    let one = |problem: &Problem| {
        let source = rejected.text_of(&problem.file).filter(|_| problem.line > 0);
        let report = match source {
            Some(source) => vec![at(problem, source)],
            None => nowhere(problem),
        };
        renderer.render(&report) + "\n\n"
    };
    let text: String = rejected.problems.iter().map(one).collect();
    text + &count(rejected.problems.len())
}

fn count(problems: usize) -> String {
    match problems {
        1 => "1 problem\n".to_owned(),
        n => format!("{n} problems\n"),
    }
}

/// With the source line.
fn at<'a>(problem: &'a Problem, source: &'a str) -> Group<'a> {
    let title = match problem.path.as_str() {
        "" => problem.message.clone(),
        path => format!("{path}: {}", problem.message),
    };
    let mark = AnnotationKind::Primary.span(problem.span.clone());
    let snippet = Snippet::source(source).path(&problem.file).annotation(mark);
    let group = Level::ERROR.primary_title(title).element(snippet);
    match &problem.help {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    }
}

/// Of a whole file.
fn nowhere(problem: &Problem) -> Vec<Group<'_>> {
    let title = Level::ERROR.primary_title(format!("{}: {}", problem.file, problem.message));
    let help = problem
        .help
        .iter()
        .map(|help| Group::with_title(Level::HELP.secondary_title(help)));
    std::iter::once(Group::with_title(title))
        .chain(help)
        .collect()
}

/// The same for programs.
pub(crate) fn to_json(problems: &[Problem]) -> Value {
    let one = |problem: &Problem| {
        json!({
            "file": problem.file,
            "line": problem.line,
            "column": problem.column,
            "path": problem.path,
            "message": problem.message,
            "help": problem.help,
        })
    };
    json!({ "problems": problems.iter().map(one).collect::<Vec<_>>() })
}
