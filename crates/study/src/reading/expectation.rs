//! Reading of a claim: its axes, numbers and bounds are resolved.

use std::ops::RangeInclusive;

use pacesim_language::problem::Faults;
use pacesim_language::tree::Item;

use super::because::because;
use super::bound::Bounds;
use super::kind;
use super::reference::reference;
use super::stated::{InUnit, distance, number as number_of, paper as paper_of, share};
use super::times::Times;
use crate::expectation::{Against, AlongLine, Claimed, Expectation, OfLine, Paper};
use crate::gauge::Gauge;
use crate::keys::{Course, ExpectKeys, Slope};
use crate::name::NumberName;
use crate::named::{is_inside, number};
use crate::selection::{Selection, axis, one_value_each, selection, value};
use crate::study::Study;

impl Expectation {
    /// Requires unique words for each claim, since tables name it by them.
    pub(crate) fn told_apart(all: &[ExpectKeys], place: usize, faults: &mut Faults) {
        let words = all[place].claim.trim();
        let mut before = all[..place].iter();
        let (message, help) = match words.is_empty() {
            true => ("this claim has no words".to_owned(), "say it in words"),
            false if before.any(|other| other.claim.trim() == words) => {
                let help = "say how this one differs, or leave one of them out";
                (format!("there is another claim \"{words}\""), help)
            }
            false => return,
        };
        faults
            .add(format!("expect[{place}].claim"), message)
            .help(help);
    }

    /// The claim declared at `path`, below these others, if it can be judged.
    pub(crate) fn of(
        study: &Study,
        path: String,
        keys: &ExpectKeys,
        others: &[Expectation],
        faults: &mut Faults,
    ) -> Option<Expectation> {
        let before = faults.list.len();
        let (y, per, jain_with) = named_numbers(keys, &path, faults);
        let (at, against) = selections(study, &path, keys, faults);
        let line = line(study, &path, keys, faults);
        quantile_of_numbers(keys, &path, faults);
        let at = study.as_stated(at);
        let between = covered_part(study, &path, keys, faults);
        let points = stated_points(study, keys, &at, between);
        let y = y?;
        let gauge = if keys.jain_with.is_empty() {
            gauge(study, (&y, per.as_ref()), &against, line)
        } else {
            Gauge::PLAIN
        };
        let times = Times::of(study, &path, keys, (gauge, &points), faults);
        let (gauge, factor) = times.on(gauge).unwrap_or((Gauge::PLAIN, 1.0));
        let in_unit = (gauge, times.plain);
        let bounds = Bounds::of(study, &path, keys, (gauge, &times, &points), faults);
        let claimed = match keys.quotient.is_empty() {
            true => claimed(study, &path, keys, (bounds, in_unit), faults),
            false => kind::quotient(&path, keys, others, faults),
        };
        let because = because(study, &path, keys, (gauge, &points), faults);
        let in_percent = bounds.is_some_and(|bounds| bounds.in_percent) || kind::in_percent(keys);
        let (paper, ns2) = found_elsewhere(keys, in_unit, (&path, in_percent), faults);
        let mut expectation = Expectation {
            claim: keys.claim.clone(),
            kind: kind::kind(&path, keys, faults),
            instead_of: None,
            group: keys.group.clone(),
            y,
            per,
            jain_with,
            at,
            against,
            line,
            each: line.map_or_else(|| axis_of_each(study, keys), |_| None),
            between,
            times: factor,
            unit: gauge.unit,
            in_percent,
            quantile: keys.quantile,
            claimed: claimed?,
            paper,
            ns2,
            because,
            scale: keys.scale,
            path,
        };
        if faults.list.len() == before && study.has_all_axes() {
            expectation.check(study, faults);
            expectation.stand_beside(study, keys, others, faults);
        }
        (faults.list.len() == before).then_some(expectation)
    }

    /// Rejects a claim that cannot be judged at its points.
    fn check(&self, study: &Study, faults: &mut Faults) {
        let before = faults.list.len();
        self.extreme_is_between(study, faults);
        self.one_point(study, faults);
        self.compares_points(study, faults);
        self.is_measured(study, faults);
        if faults.list.len() == before {
            self.has_its_points(study, faults);
        }
    }

    /// True if its point has been measured, or one of those along its axis, with a spread if that
    /// is needed.
    fn is_measured(&self, study: &Study, faults: &mut Faults) {
        let Claimed::Measured { reference, within } = self.claimed else {
            return;
        };
        let measured = &study.references[reference];
        let is_plain = self.per.is_none()
            && self.jain_with.is_empty()
            && self.line.is_none()
            && self.against == Against::Nothing;
        let path = format!("{}.reference", self.path);
        if measured.y != self.y || !is_plain {
            let message = format!("\"{}\" is of {}", measured.name, measured.y);
            let help = "claim that number, without per, over, minus, jain_with, slope and straight";
            faults.add(path, message).help(help);
            return;
        }
        let points = self.points(study);
        let rows: Vec<_> = points.iter().filter_map(|at| measured.row(at)).collect();
        if rows.is_empty() {
            let named = points[0].iter().map(|(axis, values)| {
                let axis = &study.axes[*axis];
                format!("{} = {}", axis.name, axis.values[values[0]].text)
            });
            let named: Vec<String> = named.collect();
            let message = format!("{} has no row at {}", measured.file, named.join(", "));
            let help = "claim a point that was measured, or an axis along which some were";
            faults.add(path, message).help(help);
            return;
        }
        for row in rows {
            if within.deviations > 0.0 && row.sd.is_none() {
                let message = format!(
                    "{}, line {}: no standard deviation, and the claim needs it",
                    measured.file, row.line
                );
                let help = "give the table a column sd, or within without sd";
                faults.add(path, message).help(help);
                return;
            }
        }
    }

    /// The points of the claim: one, or one for each value along its axis.
    pub(super) fn points(&self, study: &Study) -> Vec<Selection> {
        let along = self.along();
        points(
            &self.at,
            along.map(|axis| (axis, self.stretch(&study.axes[axis]))),
        )
    }

    /// Requires that an extreme is at one of the covered values.
    fn extreme_is_between(&self, study: &Study, faults: &mut Faults) {
        let (Claimed::LeastAt(axis, value) | Claimed::GreatestAt(axis, value)) = self.claimed
        else {
            return;
        };
        if !self.stretch(&study.axes[axis]).contains(&value) {
            let message = "the extreme that is claimed is not between these values";
            let help = "give values around it";
            faults
                .add(format!("{}.between", self.path), message)
                .help(help);
        }
    }

    /// Rejects a comparison of a point with itself.
    fn compares_points(&self, study: &Study, faults: &mut Faults) {
        let (key, other) = match &self.against {
            Against::Over(other) => ("over", other),
            Against::Minus(other) => ("minus", other),
            Against::Nothing => return,
        };
        if !other.iter().all(|entry| self.at.contains(entry)) {
            return;
        }
        let named = other
            .iter()
            .map(|(axis, _)| study.axes[*axis].name.as_str());
        let axes: Vec<&str> = named.collect();
        let message = "this is the point of the claim itself".to_owned();
        let help = format!("give another value of {} than in `at`", axes.join(" or "));
        faults
            .add(format!("{}.{key}", self.path), message)
            .help(help);
    }

    /// Requires that it is about one point, or about one for each value along an axis.
    fn one_point(&self, study: &Study, faults: &mut Faults) {
        let along = self.along();
        for (i, axis) in study.axes.iter().enumerate() {
            let fixed = self.at.iter().map(|(axis, _)| *axis);
            let is_fixed = fixed
                .chain(along)
                .any(|fixed| study.vary_together(fixed, i));
            // A claim about a search is about the point found.
            if !is_fixed && axis.values.len() > 1 && !study.searches(i) {
                let name = &axis.name;
                let message = format!("it is not said at which \"{name}\"");
                let help = format!("write at = {{ {name} = \"{}\" }}", axis.values[0].text);
                faults.add(self.path.clone(), message).help(help);
            }
        }
    }
}

/// The numbers that a claim names: its own, the one it is divided by, and those that Jain's index is
/// taken with.
fn named_numbers(
    keys: &ExpectKeys,
    path: &str,
    faults: &mut Faults,
) -> (Option<NumberName>, Option<NumberName>, Vec<NumberName>) {
    let y = number(&keys.y, &format!("{path}.y"), faults);
    let per = keys.per.as_ref();
    let per = per.and_then(|per| number(per, &format!("{path}.per"), faults));
    let with = keys.jain_with.iter().enumerate();
    let with = with.filter_map(|(i, name)| number(name, &format!("{path}.jain_with[{i}]"), faults));
    (y, per, with.collect())
}

/// The point of a claim, and its comparison with others.
fn selections(
    study: &Study,
    path: &str,
    keys: &ExpectKeys,
    faults: &mut Faults,
) -> (Selection, Against) {
    let axes = &study.axes;
    let mut select = |entries: &[(String, Item)], key: &str| {
        let path = format!("{path}.{key}");
        let selected = selection(axes, entries, &path, faults);
        one_value_each(&selected, axes, &path, faults);
        selected
    };
    let at = select(&keys.at, "at");
    let (over, minus) = (select(&keys.over, "over"), select(&keys.minus, "minus"));
    (at, against(path, over, minus, faults))
}

/// The numbers of the paper and of ns-2.
fn found_elsewhere(
    keys: &ExpectKeys,
    in_unit: InUnit,
    (path, in_percent): (&str, bool),
    faults: &mut Faults,
) -> (Option<Paper>, Option<f64>) {
    let paper = keys.paper.as_ref();
    let paper = paper.and_then(|item| paper_of(item, in_unit, (path, in_percent), faults));
    let ns2 = keys.ns2.as_ref();
    let ns2 = ns2.and_then(|item| number_of(item, in_unit, (path, "ns2"), faults));
    (paper, ns2)
}

/// The unit of a claimed number before its factor.
fn gauge(
    study: &Study,
    (y, per): (&NumberName, Option<&NumberName>),
    against: &Against,
    line: Option<AlongLine>,
) -> Gauge {
    let number = match (against, per) {
        (Against::Over(_), _) => Gauge::PLAIN,
        (_, Some(per)) => Gauge::of(y).per(Gauge::of(per)),
        (_, None) => Gauge::of(y),
    };
    let Some(line) = line else { return number };
    let along = Gauge::of_axis(&study.axes[line.axis]);
    match (line.of, line.scales) {
        (OfLine::Straightness, _) | (_, Slope::LogLog) => Gauge::PLAIN,
        (OfLine::Slope, Slope::LogY) => Gauge::PLAIN.per(along),
        (OfLine::Slope, Slope::Linear) => number.per(along),
    }
}

/// The reference of the comparison: at most one of these two.
fn against(path: &str, over: Selection, minus: Selection, faults: &mut Faults) -> Against {
    match (over.is_empty(), minus.is_empty()) {
        (true, true) => Against::Nothing,
        (false, true) => Against::Over(over),
        (true, false) => Against::Minus(minus),
        (false, false) => {
            let message = "over and minus exclude each other";
            faults.add(path, message).help("keep one of them");
            Against::Nothing
        }
    }
}

/// The points of a claim at this selection.
fn stated_points(
    study: &Study,
    keys: &ExpectKeys,
    at: &Selection,
    between: Option<(usize, usize)>,
) -> Vec<Selection> {
    let along = along(study, keys).filter(|axis| !study.axes[*axis].values.is_empty());
    let along = along.map(|axis| {
        let last = study.axes[axis].values.len() - 1;
        let (first, last) = between.unwrap_or((0, last));
        (axis, first..=last)
    });
    points(at, along)
}

/// The points at this selection: one, or one for each of these values of an axis.
fn points(at: &Selection, along: Option<(usize, RangeInclusive<usize>)>) -> Vec<Selection> {
    let Some((axis, values)) = along else {
        return vec![at.clone()];
    };
    let point = |value: usize| {
        let mut at = at.clone();
        at.push((axis, vec![value]));
        at
    };
    values.map(point).collect()
}

/// The line in the claim, along an axis of numbers.
fn line(study: &Study, path: &str, keys: &ExpectKeys, faults: &mut Faults) -> Option<AlongLine> {
    let (scales, of) = match (keys.slope, keys.straight) {
        (Some(scales), None) => (scales, OfLine::Slope),
        (None, Some(scales)) => (scales, OfLine::Straightness),
        (None, None) => return None,
        (Some(_), Some(_)) => {
            let message = "slope and straight are claims of their own";
            faults
                .add(path, message)
                .help("write an [[expect]] for each");
            return None;
        }
    };
    let axis = along(study, keys)?;
    along_numbers(study, axis, path, faults);
    Some(AlongLine { axis, scales, of })
}

/// The axis of the claim; a missing one is reported where it is read.
fn along(study: &Study, keys: &ExpectKeys) -> Option<usize> {
    let name = keys.along.as_ref()?;
    study.axes.iter().position(|axis| axis.name == *name)
}

/// The covered part of that axis, if restricted.
fn covered_part(
    study: &Study,
    path: &str,
    keys: &ExpectKeys,
    faults: &mut Faults,
) -> Option<(usize, usize)> {
    let (first, last) = keys.between.as_ref()?;
    let path = format!("{path}.between");
    let Some(axis) = along(study, keys) else {
        let help = "say along = with the axis whose values these are";
        faults.add(path, "between goes with along").help(help);
        return None;
    };
    let axis = &study.axes[axis];
    let mut place = |item: &Item, i: usize| value(axis, item, &format!("{path}[{i}]"), faults);
    let (first, last) = (place(first, 0)?, place(last, 1)?);
    if first >= last {
        let message = "the first of these values is not before the second on its axis";
        let help = "give the first and the last value, in the order of the axis";
        faults.add(path, message).help(help);
        return None;
    }
    Some((first, last))
}

/// The axis at each of whose values the claim holds.
fn axis_of_each(study: &Study, keys: &ExpectKeys) -> Option<usize> {
    let is_one_claim = has_place(keys);
    along(study, keys).filter(|_| !is_one_claim)
}

/// True if the claim is about a place or a course along an axis.
fn has_place(keys: &ExpectKeys) -> bool {
    keys.course.is_some() || keys.least_at.is_some() || keys.greatest_at.is_some()
}

/// A convex or concave course has slopes, which require numbers.
fn along_numbers(study: &Study, axis: usize, path: &str, faults: &mut Faults) {
    let axis = &study.axes[axis];
    if axis.values.iter().any(|value| value.number.is_none()) {
        let message = format!(
            "the values of \"{}\" are not all numbers of one unit",
            axis.name
        );
        let help = "lines and bends are along an axis of numbers";
        faults.add(format!("{path}.along"), message).help(help);
    }
}

const HELP: &str = "give at_least, at_most, about, band, quotient, reference, or along with course, least_at or greatest_at";

fn is_bounded(keys: &ExpectKeys) -> bool {
    keys.at_least.is_some() || keys.at_most.is_some()
}

/// Rejects a table with no claim, or with several.
fn one_claim(path: &str, keys: &ExpectKeys, faults: &mut Faults) {
    let given = [
        ("at_least or at_most", is_bounded(keys)),
        ("about", keys.about.is_some() && keys.band.is_none()),
        ("band", keys.band.is_some()),
        ("reference", keys.reference.is_some()),
        ("course", keys.course.is_some()),
        ("least_at", keys.least_at.is_some()),
        ("greatest_at", keys.greatest_at.is_some()),
    ];
    let names: Vec<&str> = given
        .iter()
        .filter(|given| given.1)
        .map(|given| given.0)
        .collect();
    match names[..] {
        [_] => (),
        [] => {
            faults.add(path, "nothing is claimed").help(HELP);
        }
        _ => {
            let message = format!("{} are claims of their own", names.join(" and "));
            faults
                .add(path, message)
                .help("write an [[expect]] for each");
        }
    }
}

/// Reads the property that is claimed.
fn claimed(
    study: &Study,
    path: &str,
    keys: &ExpectKeys,
    (bounds, in_unit): (Option<Bounds>, InUnit),
    faults: &mut Faults,
) -> Option<Claimed> {
    let along = keys
        .along
        .as_ref()
        .and_then(|name| axis(&study.axes, name, &format!("{path}.along"), faults));
    let mut place = |item: &Option<Item>, key: &str| {
        let (item, axis) = (item.as_ref()?, along?);
        let path = format!("{path}.{key}");
        Some((axis, value(&study.axes[axis], item, &path, faults)?))
    };
    let least = place(&keys.least_at, "least_at");
    let greatest = place(&keys.greatest_at, "greatest_at");
    one_claim(path, keys, faults);
    let takes_course = has_place(keys);
    if let (Some(Course::Convex | Course::Concave), Some(axis)) = (keys.course, along) {
        along_numbers(study, axis, path, faults);
    }
    let has_line = keys.slope.is_some() || keys.straight.is_some();
    if (takes_course || has_line) && keys.along.is_none() {
        let message = "slope, straight, course, least_at and greatest_at go with along";
        faults.add(path, message).help(HELP);
    } else if takes_course && has_line {
        let message = "a line has neither a course nor an extreme";
        let help = "claim at_least, at_most or about of its slope, or how straight it is";
        faults.add(path, message).help(help);
    }
    if let Some(band) = keys.band {
        return kind::band(path, band, bounds?.about, faults);
    }
    if keys.about.is_some() {
        let number = bounds?.about?;
        let within = share(path, keys, faults)?;
        return Some(Claimed::About { number, within });
    }
    if let Some(name) = &keys.reference {
        let within = distance(path, keys, in_unit, faults);
        let reference = reference(study, name, &format!("{path}.reference"), faults)?;
        return Some(Claimed::Measured {
            reference,
            within: within?,
        });
    }
    if is_bounded(keys) {
        return Some(Claimed::Between {
            least: bounds?.least,
            most: bounds?.most,
        });
    }
    let least = least.map(|(axis, value)| Claimed::LeastAt(axis, value));
    let greatest = greatest.map(|(axis, value)| Claimed::GreatestAt(axis, value));
    let course = keys
        .course
        .and_then(|course| Some(Claimed::Course(along?, course)));
    least.or(greatest).or(course)
}

/// Requires that a quantile over replications is compared with numbers.
fn quantile_of_numbers(keys: &ExpectKeys, path: &str, faults: &mut Faults) {
    let Some(quantile) = keys.quantile else {
        return;
    };
    is_inside(quantile, path, faults);
    let is_plain = keys.band.is_some() || keys.about.is_some() || is_bounded(keys);
    let has_line = keys.slope.is_some() || keys.straight.is_some();
    if !is_plain || has_line || keys.reference.is_some() {
        let message = "a quantile over replications is compared with numbers only";
        let help = "give at_least, at_most or about, without slope and straight";
        faults.add(format!("{path}.quantile"), message).help(help);
    }
}
