//! The lines of a panel and their names.

use std::borrow::Cow;

use pacesim_claims::evidence::Evidence;
use pacesim_study::AxisValue;
use pacesim_study::places::{OneLine, drawn_lines, drawn_values};

use super::labels::words;
use super::{Drawing, DrawnLine, DrawnPoint};
use crate::found::FOUND;

impl Drawing<'_> {
    /// The lines of a panel.
    pub(super) fn lines(&self, in_panel: Option<usize>) -> Vec<DrawnLine> {
        let lines = drawn_lines(self.study, self.plot).into_iter();
        let dashes = self.values(self.plot.dash).len();
        let line = |(place, of): (usize, OneLine)| DrawnLine {
            label: self.label_of(of),
            look: of.dash.map(|_| (place / dashes, place % dashes)),
            points: self.points(in_panel, of),
        };
        lines
            .enumerate()
            .map(line)
            .filter(|line| line.points.iter().any(DrawnPoint::has_value))
            .collect()
    }

    fn label_of(&self, line: OneLine) -> String {
        let of = |axis: Option<usize>, value: Option<usize>| Some(self.named(axis?, value?));
        let Some(first) = of(self.plot.lines, line.value) else {
            return self.only_label();
        };
        let dash = of(self.plot.dash, line.dash);
        let parts = [Some(first), dash, self.label.clone()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The label of the line of a panel that has only one.
    pub(super) fn only_label(&self) -> String {
        let y = &self.plot.y;
        match self.label.as_ref().or(self.plot.keys.label.as_ref()) {
            Some(label) => label.clone(),
            None if y.of == FOUND => "found by the search".to_owned(),
            None if self.samples.is_exact(y) => words(y),
            None => "simulated".to_owned(),
        }
    }

    /// The values of an axis that are drawn; one `None` without an axis.
    pub(super) fn values(&self, axis: Option<usize>) -> Vec<Option<usize>> {
        drawn_values(self.study, self.plot, axis)
    }

    /// A value of an axis in the words of a legend: a case by itself, a number with its axis.
    pub(super) fn named(&self, axis: usize, value: usize) -> String {
        let value = &self.drawn_value(axis, value);
        let axis = &self.study.axes[axis];
        if let Some(label) = axis.label_of(&value.text) {
            return label.to_owned();
        }
        let name = axis.shown_name();
        match (value.number, axis.unit) {
            _ if value.is_formula() => {
                let shown = value.shown();
                format!("{name} = {}", shown.trim_start_matches([' ', '=']))
            }
            (Some(_), Some(_)) => format!("{name} {}", value.text),
            (Some(_), None) => format!("{name} = {}", value.text),
            (None, _) => value.text.clone(),
        }
    }

    /// A value of an axis, a formula with its quantity if all points that are drawn have the same.
    pub(super) fn drawn_value(&self, axis: usize, value: usize) -> Cow<'_, AxisValue> {
        let points = self.study.points();
        let points = points.filter(|point| self.study.meets(*point, &self.plot.only));
        self.study.value_among(points, axis, value)
    }
}
