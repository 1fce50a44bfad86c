//! `pacesim check`.

use pacesim_lab::input::Input;

use super::{Ended, read};
use crate::args::CheckArgs;
use crate::exit::Outcome;
use crate::numbers::how_many;
use crate::output::{WIDTH, print, tell};
use crate::problems;

/// Tells every mistake of a scenario.
pub(crate) fn check(args: &CheckArgs) -> Ended {
    let checked = read(&args.scenario);
    if args.json {
        let (problems, warnings) = match &checked {
            Ok(input) => (&[][..], input.warnings.as_slice()),
            Err(rejected) => (rejected.problems.as_slice(), &[][..]),
        };
        print(&format!("{:#}\n", problems::to_json(problems, warnings)))?;
    }
    match checked {
        Ok(input) => {
            if !args.json {
                tell(&problems::warnings(&input, WIDTH));
                print(&facts(&input))?;
            }
            Ok(Outcome::Done)
        }
        Err(rejected) => {
            if !args.json {
                tell(&problems::render(&rejected, WIDTH));
            }
            Ok(Outcome::Invalid)
        }
    }
}

/// What a right scenario comes to.
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
