//! `pacesim check`.

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
                print(&format!("{}: no problems\n", input.name))?;
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
