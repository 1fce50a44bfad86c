//! `pacesim phases`.

use pacesim_front::problems::{self, Look};
use pacesim_lab::RunError;
use pacesim_lab::input::{Input, Rejected};
use pacesim_lab::phases::{Moved, MovedNumber, moved};

use super::run::outcome_of;
use super::{Ended, fail, read, refuse};
use crate::args::PhasesArgs;
use crate::columns::{Column, of_columns};
use crate::exit::Outcome;
use crate::monitor::{TerminalMonitor, jobs};
use crate::numbers::{how_many, three_digits, time};
use crate::output::{WIDTH, complain, print, report};
use crate::units::{Unit, unit_of};

/// Tells the numbers of a scenario that hang on a phase.
pub(crate) fn phases(args: &PhasesArgs) -> Ended {
    let input = match point(args) {
        Ok(input) => input,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    if !args.quiet {
        report(&problems::warnings(&input, Look::Styled, WIDTH));
    }
    let watch = TerminalMonitor::new(!args.quiet).within(args.limits.limits());
    let compared = moved(&input, args.runs, jobs(args.jobs), args.seed, &watch);
    watch.clear();
    match compared {
        Ok(compared) if args.json => print(&compared.to_json())?,
        Ok(compared) => print(&table(&compared))?,
        Err(RunError::Interrupted) => {
            complain("interrupted: nothing is compared");
            return Ok(Outcome::Interrupted);
        }
        Err(error) => return fail(args.json, outcome_of(&error), error),
    }
    Ok(Outcome::Done)
}

/// The requested point, or the only one.
fn point(args: &PhasesArgs) -> Result<Input, Rejected> {
    let study = read(&args.scenario)?;
    if !study.study.find_warmup.is_empty() && !args.quiet {
        report(
            "the warm-up is the file's, not one that a pilot finds: `pacesim run` prints that one, for --set run.warmup\n",
        );
    }
    match args.point {
        Some(number) => study.point_of(number),
        None => study.alone(),
    }
}

fn table(compared: &Moved) -> String {
    let columns: [Column<&MovedNumber>; 5] = [
        ("number", |number| {
            let mark = if number.hangs { "!" } else { "" };
            format!("{}.{}.{}{mark}", number.of, number.entity, number.metric)
        }),
        ("as written", |number| {
            shown(number, &[number.written.mean, number.written.deviation])
        }),
        ("moved", |number| {
            shown(number, &[number.moved.mean, number.moved.deviation])
        }),
        ("least", |number| shown(number, &[number.moved.least])),
        ("greatest", |number| shown(number, &[number.moved.greatest])),
    ];
    let title = format!(
        "{}: {} as written, seed {}, and as many whose links at the ends have delays up to {} longer or shorter, \
         mean ± standard deviation",
        compared.scenario,
        how_many(compared.runs as usize, "run"),
        compared.seed,
        time(compared.moved_by_s),
    );
    let rows = of_columns(&columns, compared.numbers.iter());
    format!("{title}\n\n{rows}\n\n{}\n", verdict(compared))
}

fn verdict(compared: &Moved) -> String {
    let hanging = compared
        .numbers
        .iter()
        .filter(|number| number.hangs)
        .count();
    let ideal = if compared.has_ideal_hosts {
        "; a lock-out that every phase has needs a noise to be seen: --set host=linux"
    } else {
        ""
    };
    let left_out = match compared.left_out {
        0 => String::new(),
        n => format!("\n{} not compared", how_many(n, "further number")),
    };
    match hanging {
        0 => format!("no number hangs on a phase, as far as these runs can tell{ideal}{left_out}"),
        n => format!(
            "! {} on a phase: moves of a part of a packet's time change {} more than chance would. \
             The honest number is the moved one: draw the delays, or give hosts a noise{left_out}",
            if n == 1 {
                "a number hangs".to_owned()
            } else {
                format!("{n} numbers hang")
            },
            if n == 1 { "it" } else { "them" },
        ),
    }
}

/// One number, or a mean and its deviation, in the unit of the number's mean as written.
fn shown(number: &MovedNumber, values: &[f64]) -> String {
    let unit: Unit = unit_of(&number.metric);
    let (factor, name) = unit(number.written.mean);
    let texts: Vec<String> = values.iter().map(|x| three_digits(x * factor)).collect();
    format!("{}{name}", texts.join(" ± "))
}
