//! `pacesim check`.

use pacesim_front::problems::{self, Look};
use pacesim_lab::input::{self, Input, Rejected, StudyInput};
use pacesim_lab::{Cut, PACKET_BYTES, footprint_bytes};

use super::{Ended, division, read, refuse};
use crate::args::CheckArgs;
use crate::exit::Outcome;
use crate::monitor::jobs;
use crate::numbers::{how_many, time};
use crate::output::{WIDTH, print, report};

/// The most groups of flows with a line of their own.
const MOST_GROUPS: usize = 8;

/// Reports all mistakes of a scenario, or of all points of a study.
pub(crate) fn check(args: &CheckArgs) -> Ended {
    let checked = read(&args.scenario).and_then(size);
    let (study, size) = match checked {
        Ok(checked) => checked,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    let warnings = input::warnings(&study.study, jobs(None));
    let first = study.study.points().next().unwrap_or(0);
    let mut input = match study.point_of(first) {
        Ok(input) => input,
        Err(rejected) => return refuse(args.json, &rejected),
    };
    input.warnings = warnings;
    if args.json {
        print(&problems::accepted_json(
            &input,
            size.map(|size| (size.points, size.runs)),
        ))?
    } else {
        report(&problems::warnings(&input, Look::Styled, WIDTH));
        print(&facts(&input, size.as_ref()))?;
        print(&draws(&input))?;
        print(&protected(&input))?;
        print(&round_trips(&input))?;
        print(&divided(&input, args.threads))?;
    }
    Ok(Outcome::Done)
}

/// The division among threads that is asked for, by an option or by the scenario itself.
fn divided(input: &Input, threads: Option<u32>) -> String {
    let scenario = input.scenario.scenario();
    if threads.is_none() && scenario.run.threads.is_none() && scenario.threads.is_empty() {
        return String::new();
    }
    let model = input.scenario.expand(scenario.run.seed, 0);
    let most = threads.unwrap_or(model.division.most());
    division::sentence(&Cut::of(&model, most), most)
}

/// The size of a study.
struct Size {
    name: String,
    points: u64,
    /// Unknown for a search, whose number of runs depends on its results.
    runs: Option<u64>,
}

/// Checks every point; a plain scenario has no size.
fn size(study: StudyInput) -> Result<(StudyInput, Option<Size>), Rejected> {
    let points = match input::check(&study.study, jobs(None)) {
        Ok(points) => points,
        Err(problems) => return Err(study.reject(problems)),
    };
    let of = &study.study;
    if of.axes.is_empty() {
        return Ok((study, None));
    }
    let (points, runs) = match of.tune {
        None => {
            let each = of
                .points()
                .map(|point| of.replications_of(point, of.replications));
            (points, Some(each.sum()))
        }
        Some(_) => (of.points().count() as u64, None),
    };
    let name = of.name.clone();
    Ok((study, Some(Size { name, points, runs })))
}

/// A line for each kind of random draw, and the rates of transfers.
fn draws(input: &Input) -> String {
    let mut by_rhythm: Vec<(&str, Vec<String>)> = Vec::new();
    for (path, each) in input.scenario.draws() {
        match by_rhythm.iter_mut().find(|(known, _)| *known == each) {
            Some((_, paths)) => paths.push(path),
            None => by_rhythm.push((each, vec![path])),
        }
    }
    let line = |(each, paths): (&str, Vec<String>)| format!("drawn {each}: {}\n", paths.join(", "));
    let drawn: String = by_rhythm.into_iter().map(line).collect();
    let arrivals = input.scenario.arrivals().into_iter();
    let arrivals = arrivals.map(|(path, sentence)| format!("{path}: {sentence}\n"));
    arrivals.fold(drawn, |text, line| text + &line)
}

/// A line for each `[[fec]]` entry and the flows it protects.
fn protected(input: &Input) -> String {
    let scenario = input.scenario.scenario();
    let model = input.scenario.expand(scenario.run.seed, 0);
    let line = |name: &str| {
        let pairs = model.protections.iter().filter(|pair| pair.group == name);
        let data: usize = pairs.clone().map(|pair| pair.data.len()).sum();
        let acks: usize = pairs.clone().map(|pair| pair.acks.len()).sum();
        let acks = match acks {
            0 => String::new(),
            n => format!(" and the acknowledgements of {n}"),
        };
        format!(
            "{name}: {} of edges protect the data of {data} of {}{acks}\n",
            how_many(pairs.count(), "pair"),
            how_many(model.flows.len(), "flow"),
        )
    };
    let names = scenario.fec.iter().map(|group| line(&group.name));
    names.collect()
}

/// A line for each group of flows whose packets are acknowledged: a shape's delays count on both
/// sides of it, and so do links that it copies.
fn round_trips(input: &Input) -> String {
    let all = input.scenario.round_trips();
    let lines = all.iter().take(MOST_GROUPS).map(|of| {
        let (group, least, mean) = (&of.group, time(of.least_s), time(of.mean_s));
        match time(of.greatest_s) {
            greatest if greatest == least => {
                format!("round trip of {group}, links alone: {least}\n")
            }
            greatest => {
                format!("round trips of {group}, links alone: {least} to {greatest}, mean {mean}\n")
            }
        }
    });
    let lines: String = lines.collect();
    match all.len().saturating_sub(MOST_GROUPS) {
        0 => lines,
        more => {
            lines
                + &format!(
                    "round trips of {} by --json\n",
                    how_many(more, "more group")
                )
        }
    }
}

/// The size of a scenario without mistakes, or the number of points and runs of a study.
fn facts(input: &Input, size: Option<&Size>) -> String {
    let run = input.scenario.scenario().run;
    let model = input.scenario.expand(run.seed, 0);
    let warnings = match input.warnings.len() {
        0 => String::new(),
        n => format!(", {}", how_many(n, "warning")),
    };
    let (name, grid) = match size {
        None => (&input.name, String::new()),
        Some(Size { name, points, runs }) => {
            let points = how_many(*points as usize, "point");
            let grid = match runs {
                Some(runs) => format!("{points}, {}", how_many(*runs as usize, "run")),
                None => format!("a search among {points}"),
            };
            (name, format!("{grid}; the first point has "))
        }
    };
    let memory = footprint_bytes(&model) as f64 / 1e6;
    format!(
        "{name}: no problems{warnings}; {grid}{}, {}, {}, {} to simulate\n\
         memory: about {memory:.0} MB for a run, and {PACKET_BYTES} B more for each packet on its way\n",
        how_many(model.nodes.len(), "node"),
        how_many(model.links.len(), "link"),
        how_many(model.flows.len(), "flow"),
        run.duration
    )
}
