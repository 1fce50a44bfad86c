//! The x axis of a figure: an axis of the study, a column of a table, or one number after the
//! other.

use pacesim_language::problem::{Faults, suggest};

use crate::axis::{Axis, text};
use crate::gauge::Gauge;
use crate::keys::{Direction, PlotKeys};
use crate::name::NumberName;
use crate::selection::axis;

/// The x axis of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Across {
    /// An axis of the study; one whose values are not numbers has a place for each.
    Axis(usize),
    /// A column of the table of a measure, as measure.NAME.COLUMN.
    Column(NumberName),
    /// The entities of the number on the y axis, with a place for each.
    Each(Vec<String>),
}

/// Placeholder in the name of a number for each entity on the x axis.
pub(crate) const EACH: &str = "*";

impl Across {
    /// Reads the keys of a figure at `path`.
    pub(crate) fn of(
        keys: &PlotKeys,
        axes: &[Axis],
        path: &str,
        faults: &mut Faults,
    ) -> Option<Across> {
        match (keys.x.is_empty(), keys.each.is_empty()) {
            (false, true) => match keys.x.parse::<NumberName>() {
                Ok(column) => Some(Across::Column(column)),
                Err(_) => axis(axes, &keys.x, &format!("{path}.x"), faults).map(Across::Axis),
            },
            (true, false) => Some(Across::Each(keys.each.clone())),
            (is_nothing, _) => {
                let message = if is_nothing {
                    "nothing goes across"
                } else {
                    "x and each exclude each other"
                };
                let help = "give x = \"AXIS\", or each = [\"near\", \"far\"] with y = \"flows.*.goodput_bps\"";
                faults.add(path, message).help(help);
                None
            }
        }
    }

    /// The places on the x axis, unless it is a scale of numbers; an axis of boxes has a place for
    /// each value.
    pub fn categories<'a>(&'a self, axes: &'a [Axis], boxes: bool) -> Option<Vec<&'a str>> {
        match self {
            Across::Column(_) => None,
            Across::Each(entities) => Some(entities.iter().map(String::as_str).collect()),
            Across::Axis(axis) => {
                let values = &axes[*axis].values;
                let has_numbers = values.iter().any(|value| value.number.is_some());
                let texts = || values.iter().map(|value| value.text.as_str()).collect();
                (boxes || !has_numbers).then(texts)
            }
        }
    }

    /// The unit of x, if it is a scale of numbers.
    pub(crate) fn gauge(&self, axes: &[Axis]) -> Gauge {
        match self {
            Across::Axis(axis) => Gauge::of_axis(&axes[*axis]),
            Across::Column(column) => Gauge::of(column),
            Across::Each(_) => Gauge::PLAIN,
        }
    }

    /// Rejects keys that figures against categories cannot have: a scale, and points from
    /// elsewhere.
    pub(crate) fn refuse(&self, keys: &PlotKeys, axes: &[Axis], path: &str, faults: &mut Faults) {
        let Some(categories) = self.categories(axes, keys.boxes.is_some()) else {
            return;
        };
        if keys.log.contains(&Direction::X) {
            let message = "the horizontal axis has categories, and so no scale";
            let help = "leave \"x\" out of log";
            faults.add(format!("{path}.log"), message).help(help);
        }
        if keys.between.is_some() {
            let message = "the horizontal axis has categories, and so no scale";
            let help = "choose some values with only, or fewer in each";
            faults.add(format!("{path}.between"), message).help(help);
        }
        for (i, printed) in keys.printed.iter().enumerate() {
            for (j, (x, _)) in printed.points.iter().enumerate() {
                let x = text(&x.value);
                if !categories.contains(&x.as_str()) {
                    let at = format!("{path}.printed[{i}].points[{j}]");
                    let message = format!("there is no \"{x}\" on the horizontal axis");
                    let help = suggest(&x, categories.iter().copied());
                    faults.add(at, message).help(help);
                }
            }
        }
    }
}
