//! `pacesim check`.

use pacesim_lab::input::Input;

use super::{Ended, read, refuse};
use crate::args::CheckArgs;
use crate::exit::Outcome;
use crate::numbers::how_many;
use crate::output::{WIDTH, print, report};
use crate::problems;

/// Reports every mistake of a scenario.
pub(crate) fn check(args: &CheckArgs) -> Ended {
    let input = match read(&args.scenario) {
        Ok(input) => input,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    match args.json {
        true => print(&problems::accepted_json(&input))?,
        false => {
            report(&problems::warnings(&input, WIDTH));
            print(&facts(&input))?;
            print(&draws(&input))?;
        }
    }
    Ok(Outcome::Done)
}

/// What is drawn, a line for each kind of draw.
fn draws(input: &Input) -> String {
    let mut by_rhythm: Vec<(&str, Vec<String>)> = Vec::new();
    for (path, each) in input.scenario.draws() {
        match by_rhythm.iter_mut().find(|(known, _)| *known == each) {
            Some((_, paths)) => paths.push(path),
            None => by_rhythm.push((each, vec![path])),
        }
    }
    let line = |(each, paths): (&str, Vec<String>)| format!("drawn {each}: {}\n", paths.join(", "));
    by_rhythm.into_iter().map(line).collect()
}

/// The size of a scenario without mistakes.
fn facts(input: &Input) -> String {
    let run = input.scenario.scenario().run;
    let model = input.scenario.expand(run.seed, 0);
    let warnings = match input.warnings.len() {
        0 => String::new(),
        n => format!(", {}", how_many(n, "warning")),
    };
    format!(
        "{}: no problems{warnings}; {}, {}, {}, {} to simulate\n",
        input.name,
        how_many(model.nodes.len(), "node"),
        how_many(model.links.len(), "link"),
        how_many(model.flows.len(), "flow"),
        run.duration
    )
}
