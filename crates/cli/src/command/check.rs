//! `pacesim check`.

use pacesim_lab::input::Input;

use super::{Ended, read};
use crate::args::CheckArgs;
use crate::exit::Outcome;
use crate::output::{WIDTH, print, tell};
use crate::problems;

/// Tells every mistake of a scenario.
pub(crate) fn check(args: &CheckArgs) -> Ended {
    let checked = read(&args.scenario);
    if args.json {
        let problems = checked
            .as_ref()
            .map_or_else(|r| r.problems.as_slice(), |_| &[]);
        print(&format!("{:#}\n", problems::to_json(problems)))?;
    }
    match checked {
        Ok(input) => {
            if !args.json {
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
    format!(
        "{}: no problems; {} nodes, {} links, {} flows, {} to simulate\n",
        input.name,
        model.nodes.len(),
        model.links.len(),
        model.flows.len(),
        run.duration
    )
}
