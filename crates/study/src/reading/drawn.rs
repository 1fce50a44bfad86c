//! The numbers that a figure draws, and the measures that figures of time and of distributions ask
//! for.

use pacesim_language::names::{Named, Reference};
use pacesim_language::problem::Faults;

use crate::across::Across;
use crate::keys::measure::{Distribution, Measure, MeasureKind, Series, Values};
use crate::keys::{Boxed, PlotKeys};
use crate::name::NumberName;
use crate::named::{is_inside, number_or_each};
use crate::study::Study;

/// An x axis, the number or column against it, and the number as the file names it.
type Drawn = (Across, NumberName, NumberName);

/// The first number of a figure, the others, and the measures that they ask for.
pub(super) fn numbers(
    study: &Study,
    keys: &PlotKeys,
    path: &str,
    faults: &mut Faults,
) -> (Option<Drawn>, Vec<Drawn>, Vec<Measure>) {
    let mut asks = Vec::new();
    exclude(study, keys, path, faults);
    if let Some(quantile) = keys.quantile {
        is_inside(quantile, path, faults);
    }
    let is_boxed = keys.boxes == Some(Boxed::Values);
    let has_column = keys.over.is_some() || keys.distribution.is_some();
    let x_axis = if has_column {
        None
    } else {
        Across::of(keys, &study.axes, path, faults)
    };
    let mut one = |text: &str, key: String, faults: &mut Faults| -> Option<Drawn> {
        let path = format!("{path}.{key}");
        let named = number_or_each(text, &path, faults)?;
        if !has_column && !is_boxed {
            return Some((x_axis.clone()?, named.clone(), named));
        }
        let measure = match keys.over {
            Some(_) => over_time(&named, keys, &path, faults)?,
            None => distribution(&named, &path, faults)?,
        };
        let columns = columns(keys.over.is_some(), &named.metric);
        let [x, y] = columns.map(|column| NumberName::new("measure", &measure.name, &column));
        asks.push(measure);
        let across = if is_boxed {
            x_axis.clone()?
        } else {
            Across::Column(x)
        };
        Some((across, y, named))
    };
    let first = one(&keys.y, "y".to_owned(), faults);
    let others = keys.also.iter().enumerate();
    let others = others.filter_map(|(i, text)| one(text, format!("also[{i}]"), faults));
    let others = others.collect();
    (first, others, asks)
}

/// Refuses keys that exclude each other.
fn exclude(study: &Study, keys: &PlotKeys, path: &str, faults: &mut Faults) {
    let (over, shape) = (keys.over.is_some(), keys.distribution.is_some());
    let mut refuse = |is_wrong: bool, key: &str, message: &str, help: &str| {
        if is_wrong {
            faults.add(format!("{path}.{key}"), message).help(help);
        }
    };
    let help = "keep one of them";
    let both = "over time there is no distribution";
    refuse(over && shape, "distribution", both, help);
    let message = "a distribution within runs and a course of one run are not over replications";
    let help = "leave quantile out";
    refuse(
        keys.quantile.is_some() && (over || shape),
        "quantile",
        message,
        help,
    );
    let key = if over { "over" } else { "distribution" };
    let across = !keys.x.is_empty() || !keys.each.is_empty();
    let message = "x and each exclude it: something else goes across";
    refuse((over || shape) && across, key, message, help);
    let message = "batches cuts one run into windows, and this is of whole runs";
    let help = "give replications instead of batches";
    let is_cut = study.batches.is_some();
    refuse((over || shape) && is_cut, key, message, help);
    boxes(study, keys, &mut refuse);
    let help = "leave it out, or draw over = \"time\"";
    let message = "this belongs to a figure over time";
    refuse(keys.every.is_some() && !over, "every", message, help);
    refuse(keys.replication > 0 && !over, "replication", message, help);
    let is_beyond = u64::from(keys.replication) >= study.replications && study.precision.is_none();
    let message = format!(
        "there are {} replications, counted from 0",
        study.replications
    );
    refuse(
        over && is_beyond && !study.lost_replications,
        "replication",
        &message,
        "give a smaller one",
    );
}

/// Refuses boxes with other views, and of too few values.
fn boxes(study: &Study, keys: &PlotKeys, refuse: &mut dyn FnMut(bool, &str, &str, &str)) {
    let Some(boxed) = keys.boxes else { return };
    let others = [
        ("over", keys.over.is_some()),
        ("distribution", keys.distribution.is_some()),
        ("quantile", keys.quantile.is_some()),
        ("theory", !keys.theory.is_empty()),
    ];
    for (key, is_given) in others {
        refuse(
            is_given,
            key,
            "a box is a view of its own",
            "keep one of them",
        );
    }
    if boxed == Boxed::Values {
        let message = "these are values within runs, and each box has those of one point";
        let help = "leave it out, or draw boxes = \"replications\"";
        refuse(!keys.each.is_empty(), "each", message, help);
        refuse(keys.per.is_some(), "per", message, help);
        refuse(!keys.relative_to.is_empty(), "relative_to", message, help);
        let message = "batches cuts one run into windows, and these are values of whole runs";
        refuse(study.batches.is_some(), "boxes", message, help);
        return;
    }
    let values = study.batches.unwrap_or(study.replications);
    let message = format!("{values} values are too few for quartiles");
    let help = format!("give replications = {LEAST_IN_BOX} or more, or draw boxes = \"values\"");
    let is_few = values < LEAST_IN_BOX && study.precision.is_none() && !study.lost_replications;
    refuse(is_few, "boxes", &message, &help);
}

/// The fewest values with quartiles of their own: with fewer, each end of the box is an end of a
/// whisker or the median.
const LEAST_IN_BOX: u64 = 5;

/// The columns across and up of the table of a measure, by the unit of its values.
fn columns(over_time: bool, metric: &str) -> [String; 2] {
    let end = metric.rsplit_once('_').map_or("", |(_, end)| end);
    match over_time {
        true if ["bps", "pkts", "bytes", "s"].contains(&end) => {
            ["time_s".to_owned(), format!("value_{end}")]
        }
        true => ["time_s".to_owned(), "value".to_owned()],
        false => [format!("to_{end}"), "values_ratio".to_owned()],
    }
}

fn asked(name: String, kind: MeasureKind, path: &str) -> Measure {
    Measure {
        name,
        kind,
        asked_at: Some(path.to_owned()),
    }
}

/// The series of a number, whose metric is checked with the scenario.
fn over_time(
    named: &NumberName,
    keys: &PlotKeys,
    path: &str,
    faults: &mut Faults,
) -> Option<Measure> {
    let NumberName { of, entity, metric } = named;
    let of_one = |kind: &str| (of == kind).then(|| entity.clone());
    let (flows, link) = (of_one("flows"), of_one("link"));
    if flows.is_none() && link.is_none() {
        let message = format!("\"{named}\" has no series");
        let help = "draw a metric of series of flows.NAME or link.NAME, such as \"flows.f.cwnd_pkts\" or \"link.core.queue_pkts\"";
        faults.add(path, message).help(help);
        return None;
    }
    let every = keys.every;
    let name = match every {
        None => format!("series.{named}"),
        Some(every) => format!("series.{named}.{}ps", every.as_ps()),
    };
    let series = Series {
        flows,
        link,
        metric: metric.clone(),
        every,
    };
    Some(asked(name, MeasureKind::Series(series), path))
}

/// The distribution of a quantity with many values in a run.
fn distribution(named: &NumberName, path: &str, faults: &mut Faults) -> Option<Measure> {
    let NumberName { of, entity, metric } = named;
    let values = match (of.as_str(), metric.as_str()) {
        ("flows", "delay_s") => Some((Values::Delays, "delays")),
        ("flows", "completion_s") => Some((Values::Completions, "completions")),
        ("flows", "goodput_bps") => Some((Values::Goodputs, "goodputs")),
        ("flows" | "link", "gap_s") => Some((Values::Gaps, "gaps")),
        _ => None,
    };
    let Some((values, word)) = values else {
        let message = format!("\"{named}\" has one value a run, and no distribution there");
        let help = "draw flows.NAME.delay_s, flows.NAME.completion_s, flows.NAME.goodput_bps, flows.NAME.gap_s or link.NAME.gap_s";
        faults.add(path, message).help(help);
        return None;
    };
    let mut asks = Distribution {
        of: values,
        flows: None,
        link: None,
    };
    match of.as_str() {
        "link" => asks.link = Some(entity.clone()),
        _ => match Reference::parse(entity, Named::Flows) {
            Ok(flows) => asks.flows = Some(flows),
            Err(message) => {
                faults
                    .add(path, message)
                    .help("name one, such as \"f\" or \"f[3]\"");
                return None;
            }
        },
    }
    let name = format!("{word}.{of}.{entity}");
    Some(asked(name, MeasureKind::Distribution(asks), path))
}
