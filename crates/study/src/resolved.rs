//! Values of axes that are formulas: "= bdp(core) * 0.5" has a quantity of its own at each point.

use std::borrow::Cow;

use pacesim_language::tree::Toml;
use pacesim_scenario::Checked;

use crate::axis::{Axis, AxisValue, text};
use crate::number::Quantity;
use crate::study::Study;

impl AxisValue {
    /// True if it is a formula, as in scenarios.
    pub fn is_formula(&self) -> bool {
        self.text.trim_start().starts_with('=') && !self.changes.is_empty()
    }

    /// The value in words; a formula with its quantity, if this is known: "bdp(core) = 25KB".
    pub fn shown(&self) -> Cow<'_, str> {
        match &self.resolved {
            None => Cow::Borrowed(&self.text),
            Some(quantity) => Cow::Owned(equation(&self.text, quantity)),
        }
    }

    /// The formula with this quantity, a number if it has the unit of the axis.
    fn with(&self, quantity: String, axis: &Axis) -> AxisValue {
        let number = Quantity::of(&Toml::Text(quantity.clone()));
        let number = number.filter(|number| number.unit() == axis.unit.unwrap_or(""));
        AxisValue {
            number: number.map(Quantity::number),
            resolved: Some(quantity),
            ..self.clone()
        }
    }
}

/// Formats a formula and its quantity: "bdp(core) = 25KB".
pub fn equation(formula: &str, quantity: &str) -> String {
    let formula = formula.trim_start_matches([' ', '=']);
    format!("{formula} = {quantity}")
}

impl Axis {
    /// Gives a formula a quantity, and the axis the unit of all its values.
    fn resolve(&mut self, place: usize, quantity: &str) {
        let number = Quantity::of(&Toml::Text(quantity.to_owned()));
        let value = &mut self.values[place];
        value.unit = number.map(Quantity::unit);
        value.number = number.map(Quantity::number);
        self.unite();
    }
}

impl Study {
    /// The value of an axis at a point, a formula with its quantity there; without a point as it is
    /// written.
    pub fn value_at(&self, point: Option<u64>, axis: usize, place: usize) -> Cow<'_, AxisValue> {
        let value = &self.axes[axis].values[place];
        let point = point.filter(|_| value.is_formula());
        match point.and_then(|point| self.quantity(point, axis)) {
            None => Cow::Borrowed(value),
            Some(quantity) => Cow::Owned(value.with(quantity, &self.axes[axis])),
        }
    }

    /// The value of an axis at all of these points, a formula with its quantity if that is the same.
    pub fn value_among(
        &self,
        points: impl Iterator<Item = u64>,
        axis: usize,
        place: usize,
    ) -> Cow<'_, AxisValue> {
        let written = self.value_at(None, axis, place);
        if !written.is_formula() {
            return written;
        }
        let here = points.filter(|point| self.choice(*point).is_some_and(|at| at[axis] == place));
        let mut all = here.map(|point| self.value_at(Some(point), axis, place));
        match all.next() {
            Some(first) if all.all(|other| other == first) => first,
            _ => written,
        }
    }

    /// The quantity of a formula at a point; `None` if its scenario has mistakes.
    fn quantity(&self, point: u64, axis: usize) -> Option<String> {
        let found = self.quantities.get(point).or_else(|| {
            // The check notes the formulas of a scenario.
            self.scenario(point).ok()?;
            self.quantities.get(point)
        });
        found?.get(axis)?.clone()
    }

    /// Notes the quantities of the formulas among a point's values.
    pub(crate) fn note_formulas(&self, point: u64, checked: &Checked) {
        let choice = self.choice(point).unwrap_or_default();
        let values = self.axes.iter().zip(choice);
        let values = values.map(|(axis, place)| &axis.values[place]);
        if !values.clone().any(AxisValue::is_formula) {
            return;
        }
        let quantity = |value: &AxisValue| {
            let changes = value.changes.iter().filter(|_| value.is_formula());
            let mut found = changes.filter_map(|change| checked.formula_at(change.value.place));
            let found = found.next()?;
            let quantity = Quantity::of(&Toml::Text(found.to_owned()));
            Some(quantity.map_or(found.to_owned(), |quantity| text(&quantity.written())))
        };
        self.quantities
            .insert(point, values.map(quantity).collect());
    }

    /// Gives each formula on an axis its number at the first point that has it, for the unit of the
    /// axis and the order of its values.
    pub(crate) fn resolve_axes(&mut self) {
        for axis in 0..self.axes.len() {
            for place in 0..self.axes[axis].values.len() {
                if !self.axes[axis].values[place].is_formula() || !self.has_points() {
                    continue;
                }
                let has_it = |point: &u64| self.choice(*point).is_some_and(|at| at[axis] == place);
                let first = self.points().find(has_it);
                let quantity = first.and_then(|point| self.quantity(point, axis));
                if let Some(quantity) = quantity {
                    self.axes[axis].resolve(place, &quantity);
                }
            }
        }
    }
}
