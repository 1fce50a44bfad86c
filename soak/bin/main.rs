//! Campaigns: cases from a first number on, with their results. `scripts/soak.sh` runs them.

mod coverage;
mod damage;
mod files;
mod folders;
mod laws;
mod mutants;
mod pairs;
mod panics;
mod scenarios;
mod studies;
mod watch;

use std::path::Path;
use std::process::ExitCode;

use pacesim_cli::main_of;
use pacesim_lab::parts::Parts;

const USAGE: &str = "usage: soak scenarios|studies|laws|formulas|planted|spellings|cuts|bounds|folders|files|damage|coverage COUNT FIRST\n       soak mutants COUNT FIRST OUT";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Campaigns about commands start the program from this file.
    if words.first().is_some_and(|word| word == "program") {
        let arguments = std::env::args_os().skip(1).collect();
        return ExitCode::from(main_of(Parts::new(), arguments));
    }
    let [campaign, count, first, out @ ..] = &words[..] else {
        return refuse();
    };
    let (Ok(count), Ok(first)) = (count.parse::<u64>(), first.parse::<u64>()) else {
        return refuse();
    };
    let numbers = first..first.saturating_add(count);
    panics::remember();
    watch::begin();
    let failed = match (campaign.as_str(), out) {
        ("scenarios", []) => scenarios::run(numbers).map_err(Box::from),
        ("studies", []) => studies::run(numbers).map_err(Box::from),
        ("files", []) => files::run(numbers).map_err(Box::from),
        ("folders", []) => folders::run(numbers).map_err(Box::from),
        ("formulas", []) => pairs::formulas(numbers).map_err(Box::from),
        ("planted", []) => pairs::planted(numbers).map_err(Box::from),
        ("bounds", []) => pairs::bounds(numbers).map_err(Box::from),
        ("spellings", []) => pairs::spellings(numbers).map_err(Box::from),
        ("cuts", []) => pairs::cuts(numbers).map_err(Box::from),
        ("laws", []) => laws::run(numbers).map_err(Box::from),
        ("damage", []) => damage::run(numbers).map_err(Box::from),
        ("coverage", []) => coverage::run(numbers),
        ("mutants", [out]) => mutants::write(numbers, Path::new(out)).map_err(Box::from),
        _ => return refuse(),
    };
    match failed {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the campaign itself ended: {error}");
            ExitCode::from(3)
        }
    }
}

fn refuse() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}
