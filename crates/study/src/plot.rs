//! A figure of a study, with its axes and numbers resolved.

use pacesim_language::tree::Item;

use crate::across::{Across, EACH};
use crate::axis::Axis;
use crate::gauge::Gauge;
use crate::keys::measure::Measure;
use crate::keys::{Boxed, PlotKeys, PrintedKeys, TheoryKeys};
use crate::name::NumberName;
use crate::selection::Selection;

/// A figure of a study: a number against one axis, at some of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Path of the figure's declaration, for errors found later.
    pub path: String,
    /// Name of the figure's files.
    pub name: String,
    /// Title of the figure.
    pub title: String,
    /// X axis of the figure.
    pub x: Across,
    /// The number on the y axis, or the column if x is one.
    pub y: NumberName,
    /// Name of the number as the file writes it.
    pub named: NumberName,
    /// Further numbers, each with its x axis and its name in the file.
    pub also: Vec<(Across, NumberName, NumberName)>,
    /// True if each number has a panel of its own.
    pub has_panel_for_each: bool,
    /// Measures that the figure asks for.
    pub asks: Vec<Measure>,
    /// Name of the number that divides it.
    pub per: Option<NumberName>,
    /// Axis whose values are the lines.
    pub lines: Option<usize>,
    /// Axis whose values are the dashes of lines.
    pub dash: Option<usize>,
    /// Axis whose values are the panels.
    pub panels: Option<usize>,
    /// Points that are drawn.
    pub only: Selection,
    /// Values of the axes at the baseline.
    pub relative_to: Selection,
    /// The least and the greatest x that are drawn, in the unit of the axis or column.
    pub between: Option<(f64, f64)>,
    /// Keys for labels, scales and further series.
    pub keys: PlotKeys,
}

impl Plot {
    /// The axis of the study on the x axis, if it is one.
    pub fn axis(&self) -> Option<usize> {
        match self.x {
            Across::Axis(axis) => Some(axis),
            Across::Column(_) | Across::Each(_) => None,
        }
    }

    /// A figure like this one for each of its numbers.
    pub fn each_number(&self) -> Vec<Plot> {
        let alone = |x: &Across, y: &NumberName, named: &NumberName| Plot {
            x: x.clone(),
            y: y.clone(),
            named: named.clone(),
            also: Vec::new(),
            ..self.clone()
        };
        let first = alone(&self.x, &self.y, &self.named);
        let others = self.also.iter().map(|(x, y, named)| alone(x, y, named));
        std::iter::once(first).chain(others).collect()
    }

    /// The numbers on the y axis: one, or one for each place on the x axis.
    pub fn ys(&self) -> Vec<NumberName> {
        self.of_each(&self.y)
    }

    /// Names of the numbers that divide them.
    pub fn pers(&self) -> Vec<NumberName> {
        let pers = self.per.iter().flat_map(|per| self.of_each(per));
        pers.collect()
    }

    fn of_each(&self, name: &NumberName) -> Vec<NumberName> {
        match &self.x {
            Across::Each(entities) => {
                let of = |entity: &String| name.of_one(EACH, entity);
                entities.iter().map(of).collect()
            }
            Across::Axis(_) | Across::Column(_) => vec![name.clone()],
        }
    }

    /// The columns that it draws, or counts the values of its boxes by: upper ends of bins, and the
    /// shares of values in them.
    pub fn columns(&self) -> Option<(NumberName, NumberName)> {
        let x = match &self.x {
            Across::Column(x) => x.clone(),
            _ if self.keys.boxes == Some(Boxed::Values) => {
                let end = self
                    .named
                    .metric
                    .rsplit_once('_')
                    .map_or("", |(_, end)| end);
                NumberName::new(&self.y.of, &self.y.entity, &format!("to_{end}"))
            }
            _ => return None,
        };
        Some((x, self.y.clone()))
    }

    /// Lines that models contribute to the figure.
    pub fn theory(&self) -> &[TheoryKeys] {
        &self.keys.theory
    }

    /// Points that come from elsewhere.
    pub fn printed(&self) -> &[PrintedKeys] {
        &self.keys.printed
    }

    /// The place of a printed point on a horizontal axis of numbers.
    pub fn printed_x(&self, across: &Item, axes: &[Axis]) -> Option<f64> {
        crate::number::number(&across.value).or_else(|| {
            let stated = self.x.gauge(axes).amount(&across.value, "x", 1.0);
            Some(stated.ok()?.number)
        })
    }

    /// The number of a printed point, in the unit of the number that is drawn.
    pub fn printed_y(&self, up: &Item) -> Option<f64> {
        let stated = self.gauge().amount(&up.value, "y", 1.0);
        Some(stated.ok()?.number)
    }

    /// The gauge of the numbers that are drawn.
    pub(crate) fn gauge(&self) -> Gauge {
        match (&self.per, self.relative_to.is_empty()) {
            (_, false) => Gauge::PLAIN,
            (Some(per), true) => Gauge::of(&self.y).per(Gauge::of(per)),
            (None, true) => Gauge::of(&self.y),
        }
    }
}
