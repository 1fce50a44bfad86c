//! Printed tables of studies, with a row for each point.

use std::sync::Arc;

use pacesim_lab::study::{
    EndedEarly, Forecast, MainMean, NumberName, Outline, OutlineAxis, OutlinePoint, OutlineValue,
    Warned,
};

use crate::care::{Notes, Shown};
use crate::columns::of_texts;
use crate::numbers::{how_many, percent, time};
use crate::units::{Unit, bps, per_cent, pkts, plain, seconds};

/// The most rows of a table.
const MOST_ROWS: usize = 200;

/// The most runs listed individually.
const MOST_LISTED: usize = 10;

/// The main numbers of every point.
pub(crate) fn outline(outline: &Outline) -> String {
    let points = how_many(outline.points.len(), "point");
    if outline.main.is_empty() {
        return format!("{}: {points}\n", outline.study);
    }
    let meaning = meaning(outline);
    let shown: Vec<_> = outline
        .main
        .iter()
        .filter(|n| is_shown(outline, n))
        .collect();
    let header = shown.iter().map(|number| header(number));
    let header = std::iter::once(axes(&outline.axes)).chain(header);
    let mut notes = Notes::of(are_identical(outline));
    let rows = outline.points.iter().take(MOST_ROWS);
    let rows = rows.map(|point| row(point, &shown, &mut notes));
    let table = of_texts(header.collect(), rows);
    let study = &outline.study;
    format!(
        "{study}: {points}, {meaning}\n\n{table}\n{}{}",
        notes.text(),
        rest(outline)
    )
}

/// The row of a point.
fn row(point: &OutlinePoint, shown: &[&Arc<NumberName>], notes: &mut Notes) -> Vec<String> {
    let mean = |number: &Arc<NumberName>| point.means.iter().find(|mean| mean.number == *number);
    let label = label(point.point, &point.values);
    let mark = if point.warnings.is_empty() { "" } else { " !" };
    let cells = shown.iter().map(|number| cell(mean(number), &label, notes));
    let cells: Vec<String> = cells.collect();
    std::iter::once(label + mark).chain(cells).collect()
}

/// True if the replications of all points are the same to the packet.
fn are_identical(outline: &Outline) -> bool {
    let mut means = outline.points.iter().flat_map(|point| &point.means);
    let is_one = |mean: &MainMean| mean.spread.marks.identical;
    means.clone().next().is_some() && means.all(is_one)
}

/// The kind of means in the table.
fn meaning(outline: &Outline) -> String {
    let half_width = format!(
        "mean ± half width at {} confidence",
        percent(outline.confidence)
    );
    if are_identical(outline) {
        let n = outline.replications;
        return format!("{n} identical replications: nothing is drawn, so there is no interval");
    }
    let least = outline.points.iter().map(|point| point.replications).min();
    match (outline.windows, least.unwrap_or(0), outline.replications) {
        (Some(windows), ..) => format!("1 run of {windows} windows each, {half_width}"),
        (None, _, 1) => "1 replication, no interval".to_owned(),
        (None, least, most) if least < most => {
            format!("{least} to {most} replications, {half_width}")
        }
        (None, _, n) => format!("{n} replications, {half_width}"),
    }
}

/// Hides links that carry nothing at any point, and numbers that are missing at all points.
fn is_shown(outline: &Outline, number: &NumberName) -> bool {
    let means = || outline.points.iter().flat_map(|point| &point.means);
    let of_entity =
        |mean: &&MainMean| (&mean.number.of, &mean.number.entity) == (&number.of, &number.entity);
    let mut busy = means()
        .filter(of_entity)
        .filter_map(|mean| mean.spread.mean);
    let is_there = means().any(|mean| *mean.number == *number);
    is_there && (number.of != "link" || busy.any(|mean| mean > 0.0))
}

/// A remark on the rows and columns that the table omits.
fn rest(outline: &Outline) -> String {
    let mut rest = String::new();
    if let more @ 1.. = outline.points.len().saturating_sub(MOST_ROWS) {
        rest += &format!("{} in wide.parquet\n", how_many(more, "more point"));
    }
    if outline.more_in_tables {
        rest += "more groups and links in summary.parquet\n";
    }
    rest + &warnings(outline)
        + &precision(outline)
        + &warmups(outline)
        + &ended_early(&outline.gave_up, &outline.abandoned)
}

/// Runs without results.
pub(crate) fn ended_early(gave_up: &[EndedEarly], abandoned: &[EndedEarly]) -> String {
    let one = |run: &EndedEarly| {
        let EndedEarly {
            point,
            replication,
            why,
        } = run;
        format!("  point {point}, replication {replication}: {why}\n")
    };
    let list = |runs: &[EndedEarly], meaning: &str| {
        if runs.is_empty() {
            return String::new();
        }
        let shown: String = runs.iter().take(MOST_LISTED).map(one).collect();
        let more = match runs.len().saturating_sub(MOST_LISTED) {
            0 => String::new(),
            more => format!("  and {}\n", how_many(more, "more run")),
        };
        format!("{} {meaning}:\n{shown}{more}", how_many(runs.len(), "run"))
    };
    list(gave_up, "gave up, without numbers but gave_up_at_s")
        + &list(
            abandoned,
            "stopped on this machine, not in the tables (--retry tries again)",
        )
}

/// Kinds of warnings, each with the points concerned.
fn warnings(outline: &Outline) -> String {
    let warned = warned(&outline.warned()) + &idle_parts(outline);
    let idle = outline.accepted.iter().filter(|entry| entry.points == 0);
    let idle = idle.map(|entry| format!("! no point has a warning {} to accept\n", entry.warning));
    idle.fold(warned, |text, line| text + &line)
}

/// Axes that change nothing, and numbers without a value.
fn idle_parts(outline: &Outline) -> String {
    let axis = |name: &String| {
        format!("! axis {name} changes nothing: all runs are equal along it (idle_axis)\n")
    };
    let number = |name: &String| format!("! {name} has no value in any run (empty_number)\n");
    let figure = |name: &String| {
        format!(
            "! figure {name} is blank: its number, or the one that it is relative to, has no value at any of its points (empty_number)\n"
        )
    };
    let axes = outline.idle_axes.iter().map(axis);
    let numbers = outline.empty_numbers.iter().map(number);
    let figures = outline.blank_figures.iter().map(figure);
    axes.chain(numbers).chain(figures).collect()
}

/// A line for each kind of warnings.
pub(crate) fn warned(all: &[Warned]) -> String {
    let line = |warned: &Warned| {
        let points = warned.points.iter();
        let points = of_points(points.map(|point| (point.point, &*point.values)));
        let name = warned.warning.name();
        let count = match (warned.count, warned.runs) {
            (count, runs) if count < runs => format!(", {count} in {runs} runs"),
            _ => String::new(),
        };
        format!("! {} (run.run.{name}{count}): {points}\n", warned.meaning)
    };
    all.iter().map(line).collect()
}

/// The result of stopping on precision.
fn precision(outline: &Outline) -> String {
    let Some(precision) = outline.precision else {
        return String::new();
    };
    let mut text = "Replications stopped when they were precise: such intervals hold the truth in \
        92 to 94 % of studies (measured), not in 95 %.\n"
        .to_owned();
    let given_up = |point: &&OutlinePoint| point.is_precise == Some(false);
    if let Some(points) = matching_points(outline, given_up) {
        text += &format!(
            "not within {} after {}: {points}\n",
            percent(precision),
            how_many(outline.replications as usize, "replication")
        );
    }
    text
}

/// The warm-ups found.
fn warmups(outline: &Outline) -> String {
    let found = outline.points.iter().filter_map(|point| point.warmup_s);
    let bounds = found.fold(None, |bounds: Option<(f64, f64)>, warmup| {
        let (least, most) = bounds.unwrap_or((warmup, warmup));
        Some((least.min(warmup), most.max(warmup)))
    });
    let Some((least, most)) = bounds else {
        return String::new();
    };
    let mut text = if least < most {
        format!("warm-ups found: {} to {}\n", time(least), time(most))
    } else {
        format!("warm-up found: {}\n", time(most))
    };
    let too_short = |point: &&OutlinePoint| point.is_settled == Some(false);
    if let Some(points) = matching_points(outline, too_short) {
        text += &format!(
            "warning: the warm-up takes more than half of the run, or nothing shows its end; run longer: {points}\n"
        );
    }
    text
}

/// The points for which the condition holds, if any: their number and the first one's values.
fn matching_points(outline: &Outline, is_one: impl Fn(&&OutlinePoint) -> bool) -> Option<String> {
    let points = outline.points.iter().filter(is_one);
    let points = of_points(points.map(|point| (point.point, &*point.values)));
    (!points.is_empty()).then_some(points)
}

/// The first of these points by number and values, and the number of the others.
fn of_points<'a>(points: impl Iterator<Item = (u64, &'a [OutlineValue])>) -> String {
    const MOST_NAMED: usize = 10;
    let name = |(number, values): (u64, &[OutlineValue])| {
        if values.is_empty() {
            format!("point {number}")
        } else {
            format!("point {number} ({})", label(number, values))
        }
    };
    let mut names: Vec<String> = points.map(name).collect();
    if let more @ 1.. = names.len().saturating_sub(MOST_NAMED) {
        names.truncate(MOST_NAMED);
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

fn axes(axes: &[OutlineAxis]) -> String {
    let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
    if names.is_empty() {
        "point".to_owned()
    } else {
        names.join(", ")
    }
}

fn label(point: u64, values: &[OutlineValue]) -> String {
    let texts: Vec<String> = values.iter().map(OutlineValue::shown).collect();
    if texts.is_empty() {
        point.to_string()
    } else {
        texts.join(", ")
    }
}

/// The short name of a metric, and its unit.
fn short_name(metric: &str) -> (&str, Unit) {
    match metric {
        "goodput_bps" => ("goodput", bps),
        "loss_ratio" => ("loss", per_cent),
        "delay_mean_s" => ("delay", seconds),
        "utilisation" => ("utilisation", per_cent),
        "queue_mean_pkts" => ("queue", pkts),
        "held_mean_pkts" => ("held", pkts),
        other => (other, unit(other)),
    }
}

/// The unit that a metric's name ends in.
fn unit(metric: &str) -> Unit {
    match metric.rsplit_once('_').map(|(_, unit)| unit) {
        Some("bps") => bps,
        Some("s") => seconds,
        Some("pkts") => pkts,
        Some("ratio") => per_cent,
        _ => plain,
    }
}

fn header(number: &NumberName) -> String {
    if number.is_formula() {
        return number.to_string();
    }
    format!("{}\n{}", number.entity, short_name(&number.metric).0)
}

fn cell(mean: Option<&MainMean>, point: &str, notes: &mut Notes) -> String {
    let Some(mean) = mean else {
        return String::new();
    };
    let (_, unit) = short_name(&mean.number.metric);
    let named = || format!("{} ({point})", mean.number);
    notes.cell(Shown::from(&mean.spread), unit, named)
}

/// The runs of a sweep, forecast.
pub(crate) fn forecast(forecast: &Forecast, jobs: usize) -> String {
    let header = [
        axes(&forecast.axes),
        "point".into(),
        "done".into(),
        "missing".into(),
    ];
    let rows = forecast.points.iter().take(MOST_ROWS).map(|point| {
        let missing = point.replications - point.done;
        let counts = [point.point, point.done, missing].map(|n| n.to_string());
        let label = label(point.point, &point.values);
        std::iter::once(label).chain(counts).collect()
    });
    let table = of_texts(header.to_vec(), rows);
    let more = match forecast.points.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        more => format!("{}\n", how_many(more, "more point")),
    };
    let points = how_many(forecast.points.len(), "point");
    let each = replications_each(forecast);
    let study = &forecast.study;
    format!(
        "{study}: {points}, {each}\n\n{table}\n{more}\n{}\n",
        total(forecast, jobs)
    )
}

/// The number of replications of points.
fn replications_each(forecast: &Forecast) -> String {
    let counts = || forecast.points.iter().map(|point| point.replications);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    if forecast.may_grow {
        "replications until numbers are precise".to_owned()
    } else if least < most {
        format!("{least} to {most} replications each")
    } else {
        format!("{} each", how_many(most as usize, "replication"))
    }
}

/// The total number of runs, and their time.
fn total(forecast: &Forecast, jobs: usize) -> String {
    let done = forecast.runs - forecast.missing;
    let runs = how_many(forecast.runs as usize, "run");
    let at_least = if forecast.may_grow { "at least " } else { "" };
    let pilots = match forecast.pilots {
        0 => String::new(),
        pilots => format!(", and {} of warm-ups", how_many(pilots as usize, "pilot")),
    };
    let series = match forecast.series {
        0 => String::new(),
        series => format!(", and {} with series", how_many(series as usize, "run")),
    };
    let counts = format!(
        "{at_least}{runs}: {done} done, {} missing{pilots}{series}",
        forecast.missing
    );
    let missing = forecast.missing + forecast.series;
    let at_a_time = missing.clamp(1, jobs as u64);
    let judged = if forecast.tried {
        "tried now and not kept"
    } else {
        "in the store"
    };
    match forecast.missing_s {
        Some(seconds) if missing > 0 => format!(
            "{counts}; about {} with {}, judged by {} {judged}",
            time(seconds / at_a_time as f64),
            how_many(jobs, "job"),
            how_many(forecast.judged_by as usize, "run"),
        ),
        _ => counts,
    }
}
