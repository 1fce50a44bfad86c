//! Bounds of claims and searches: numbers, or formulas of the scenario at a point.

use pacesim_language::problem::{Faults, Problem};
use pacesim_language::tree::Item;

use super::formula::{at_point, over_points};
use super::kind::not_a_number;
use super::times::Times;
use crate::axis::text;
use crate::gauge::{Gauge, Refusal};
use crate::keys::{BoundKeys, ExpectKeys};
use crate::name::NumberName;
use crate::named;
use crate::selection::{Selection, one_value_each, selection};
use crate::study::Study;
use crate::tune::{Bound, Limit, StatedBound};

/// The numbers that a claim states.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
    pub(super) about: Option<f64>,
    /// True if one of them is written as a percentage.
    pub(super) in_percent: bool,
}

impl Bounds {
    /// The bounds declared at `path`, for a claim about a number of this unit at these points.
    pub(super) fn of(
        study: &Study,
        path: &str,
        keys: &ExpectKeys,
        (gauge, times, points): (Gauge, &Times, &[Selection]),
        faults: &mut Faults,
    ) -> Option<Bounds> {
        let mut in_percent = false;
        let mut read = |item: &Option<Item>, key: &str| {
            let Some(item) = item else { return Some(None) };
            if let Some((message, help)) = not_a_number(item).filter(|_| key == "about") {
                faults.add(format!("{path}.{key}"), message).help(help);
                return None;
            }
            let number = limit(gauge, item, key, times.plain).and_then(|limit| match limit {
                Limit::Number {
                    number, in_percent, ..
                } => times
                    .allows(in_percent)
                    .map(|()| (Some(number), in_percent)),
                Limit::Formula(formula) => {
                    Ok((over_points(study, &formula, gauge, points)?, false))
                }
            });
            match number {
                Ok((number, is_share)) => {
                    in_percent |= is_share;
                    Some(number)
                }
                Err((message, help)) => {
                    faults.add(format!("{path}.{key}"), message).help(help);
                    None
                }
            }
        };
        let least = read(&keys.at_least, "at_least");
        let most = read(&keys.at_most, "at_most");
        let about = read(&keys.about, "about");
        let bounds = Bounds {
            least: least?,
            most: most?,
            about: about?,
            in_percent,
        };
        bounds.can_be_met(path, gauge, faults);
        Some(bounds)
    }

    /// Rejects bounds that no number meets.
    fn can_be_met(&self, path: &str, gauge: Gauge, faults: &mut Faults) {
        if let (Some(least), Some(most)) = (self.least, self.most)
            && least > most
        {
            let (least, most) = (gauge.stated(least), gauge.stated(most));
            let message = format!("no number is at least {least} and at most {most}");
            let help = "give the lower bound as at_least and the upper one as at_most";
            faults.add(format!("{path}.at_least"), message).help(help);
        }
    }
}

/// The number of a formula with quantities of the scenario, at these points; `None` if a point's scenario
/// has mistakes of its own.
pub(super) fn limit_at(
    study: &Study,
    item: &Item,
    gauge: Gauge,
    points: &[Selection],
) -> Result<Option<f64>, Refusal> {
    let formula = item.text().and_then(|text| text.trim().strip_prefix('='));
    match formula {
        Some(formula) if formula.contains('(') => over_points(study, formula, gauge, points),
        _ => {
            let message = "this is not calculated from the scenario".to_owned();
            let help = "give a formula of its quantities, such as \"= rate(core)\"".to_owned();
            Err((message, help))
        }
    }
}

/// A limit as written; `times` is the bare factor of its number.
fn limit(gauge: Gauge, item: &Item, key: &str, times: f64) -> Result<Limit, Refusal> {
    let formula = item.text().and_then(|text| text.trim().strip_prefix('='));
    if let Some(formula) = formula {
        return Ok(Limit::Formula(formula.to_owned()));
    }
    let stated = gauge.amount(&item.value, key, times)?;
    Ok(Limit::Number {
        number: stated.number,
        in_percent: stated.in_percent,
        text: text(&item.value),
    })
}

impl StatedBound {
    /// The bound of a search declared at `path`.
    pub(super) fn of(
        study: &Study,
        path: String,
        keys: &BoundKeys,
        faults: &mut Faults,
    ) -> Option<StatedBound> {
        let y = named::number(&keys.y, &format!("{path}.y"), faults)?;
        let before = faults.list.len();
        let over_path = format!("{path}.over");
        let over = selection(&study.axes, &keys.over, &over_path, faults);
        one_value_each(&over, &study.axes, &over_path, faults);
        let gauge = if keys.over.is_empty() {
            Gauge::of(&y)
        } else {
            Gauge::PLAIN
        };
        let mut read = |item: &Option<Item>, key: &str| {
            let limit = limit(gauge, item.as_ref()?, key, 1.0);
            limit
                .map_err(|wrong| refuse(&path, key, wrong, faults))
                .ok()
        };
        let (least, most) = (
            read(&keys.at_least, "at_least"),
            read(&keys.at_most, "at_most"),
        );
        let is_read = faults.list.len() == before;
        if is_read && least.is_none() && most.is_none() {
            let help = "give at_least, at_most or both";
            faults.add(path.as_str(), "nothing is bounded").help(help);
        }
        let bound = StatedBound {
            name: name_of(study, &y, &over),
            y,
            over,
            least,
            most,
            path,
        };
        if is_read {
            bound.check(study, faults);
        }
        Some(bound)
    }

    /// The point that the number at this one is divided by.
    pub fn base(&self, study: &Study, point: u64) -> Option<u64> {
        let mut choice = study.choice(point)?;
        for (axis, values) in &self.over {
            choice[*axis] = *values.first()?;
        }
        study.number(&choice)
    }

    /// Reports mistakes at the first point, and a point to compare with that is left out of the grid.
    fn check(&self, study: &Study, faults: &mut Faults) {
        let mut points = study.points();
        if points.any(|point| self.base(study, point).is_none()) {
            let message = "some points to compare with are excluded from the sweep";
            faults
                .add(format!("{}.over", self.path), message)
                .help("exclude the points that they belong to as well, or keep them");
        }
        let bound = self.resolved(study, study.points().next(), faults);
        if let (Some(least), Some(most)) = (bound.least, bound.most)
            && least > most
        {
            let message = "at_least is greater than at_most";
            faults
                .add(self.path.as_str(), message)
                .help("exchange them");
        }
    }

    /// The bound at a point; without one it has no formulas.
    fn resolved(&self, study: &Study, point: Option<u64>, faults: &mut Faults) -> Bound {
        let is_ratio = !self.over.is_empty();
        let gauge = if is_ratio {
            Gauge::PLAIN
        } else {
            Gauge::of(&self.y)
        };
        let mut number = |limit: &Option<Limit>, key: &str| match limit.as_ref()? {
            Limit::Number { number, .. } => Some(*number),
            Limit::Formula(formula) => {
                let value = at_point(study, point?, formula);
                let number =
                    value.and_then(|value| value.map(|value| gauge.number(value)).transpose());
                let refuse = |wrong| refuse(&self.path, key, wrong, faults);
                number.map_err(refuse).ok()?
            }
        };
        Bound {
            y: self.y.clone(),
            name: self.name.clone(),
            is_ratio,
            least: number(&self.least, "at_least"),
            most: number(&self.most, "at_most"),
        }
    }
}

/// The name of a number, or of its ratio to the one with these values.
fn name_of(study: &Study, y: &NumberName, over: &Selection) -> String {
    let values = over.iter().filter_map(|(axis, values)| {
        let axis = &study.axes[*axis];
        let value = &axis.values[*values.first()?];
        Some(format!("{} = {}", axis.name, value.text))
    });
    let values: Vec<String> = values.collect();
    match values.is_empty() {
        true => y.to_string(),
        false => format!("{y} over {}", values.join(", ")),
    }
}

impl Study {
    /// The bounds of the search at a point, or their mistakes there.
    pub fn bounds_at(&self, point: u64) -> Result<Vec<Bound>, Vec<Problem>> {
        let mut faults = Faults::default();
        let all = self.tune.iter().flat_map(|tune| &tune.bounds);
        let bounds = all.map(|bound| bound.resolved(self, Some(point), &mut faults));
        let bounds = bounds.collect();
        if faults.list.is_empty() {
            Ok(bounds)
        } else {
            Err(self.problems(faults))
        }
    }
}

fn refuse(path: &str, key: &str, (message, help): Refusal, faults: &mut Faults) {
    faults.add(format!("{path}.{key}"), message).help(help);
}
