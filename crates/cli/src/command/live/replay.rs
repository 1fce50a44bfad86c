//! Live runs repeated without a clock.

use std::path::Path;

use pacesim_lab::input::{self, StudyInput};
use pacesim_lab::{CheckedFolder, Lived, Plan};
use serde_json::{Value, json};

use crate::args::LiveArgs;
use crate::command::run::{Watch, outcome_of};
use crate::command::{Ended, fail, refuse};
use crate::exit::Outcome;
use crate::invocation::arguments;
use crate::output::print;

/// Repeats the live run of a folder, and compares fingerprints.
pub(super) fn replay(args: &LiveArgs, folder: &Path) -> Ended {
    let invalid = |text: String| fail(args.json, Outcome::Invalid, text);
    if let Err(error) = CheckedFolder::open(folder) {
        return invalid(error.to_string());
    }
    let lived = match Lived::read(folder) {
        Ok(lived) => lived,
        Err(error) => return invalid(error.to_string()),
    };
    let file = folder.join("scenario.toml");
    let input = match input::study_from_file(&file, &args.sets).and_then(StudyInput::alone) {
        Ok(input) => input,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    let command = arguments();
    let plan = Plan {
        out: args.out.as_deref(),
        force: args.force,
        command: &command,
        lived: Some(&lived),
        ..Plan::default()
    };
    let summary = match pacesim_lab::run(&input, 0, &plan, &mut Watch::new(!args.json)) {
        Ok(summary) => summary,
        Err(error) => return fail(args.json, outcome_of(&error), error),
    };
    let expected = format!("{:016x}", lived.fingerprint);
    let is_same = summary.fingerprint == expected;
    let verdict = lived.facts["verdict"].as_str().unwrap_or_default();
    if args.json {
        let answer: Value = json!({
            "fingerprint": summary.fingerprint, "live_fingerprint": expected, "same": is_same,
            "packets": lived.packets.len(), "verdict": verdict,
        });
        print(&format!("{answer:#}\n"))?;
    } else {
        let same = match is_same {
            true => "as live".to_owned(),
            false => format!("but live it was {expected}"),
        };
        let (number, found) = (lived.packets.len(), &summary.fingerprint);
        print(&format!(
            "{number} packets, fingerprint {found}, {same}\nverdict {verdict}\n"
        ))?;
    }
    Ok(if is_same {
        Outcome::Done
    } else {
        Outcome::Differs
    })
}
