//! A table of an analytic model as a figure.

use pacesim_analytic::catalogue::{Scale, Table};
use pacesim_plot::names::{Name, scaled, with_unit};
use pacesim_plot::{DataPoint, Figure, Mark, Panel, Series, Side};

use crate::solve::panels;
use crate::solve::panels::{ScaledCurve, SharedAxis};

/// All curves of a table, one panel per unit.
pub fn figure_of(table: &Table) -> Figure {
    let x = X::of(table);
    let panels = panels::panels(table);
    let panels = panels.iter().map(|p| x.panel(p));
    panels.fold(Figure::new(table.title), Figure::panel)
}

/// The x axis of all panels.
struct X {
    side: Side,
    values: Vec<f64>,
    /// Lines join points of a continuous axis, not of numbered cases.
    mark: Mark,
}

impl X {
    fn of(table: &Table) -> X {
        let column = &table.columns[0];
        let name = Name::read(&column.name);
        let most = column
            .values
            .iter()
            .fold(0.0, |most: f64, x| most.max(x.abs()));
        let (factor, symbol) = scaled(name.unit, most);
        let numbers_things = ["class", "flow"].contains(&column.name.as_str());
        X {
            side: Side {
                label: with_unit(&name.words, &symbol),
                logarithmic: table.x_scale == Scale::Logarithmic,
                names: Vec::new(),
            },
            values: column.values.iter().map(|x| x / factor).collect(),
            mark: if numbers_things {
                Mark::Points
            } else {
                Mark::Line
            },
        }
    }

    fn panel(&self, panel: &SharedAxis) -> Panel {
        let series = panel.curves.iter().enumerate();
        Panel {
            title: None,
            x: self.side.clone(),
            y: Side {
                label: panel.label.clone(),
                logarithmic: panel.logarithmic,
                names: Vec::new(),
            },
            series: series.map(|(i, curve)| self.series(i, curve)).collect(),
        }
    }

    fn series(&self, colour: usize, curve: &ScaledCurve) -> Series {
        let points = self.values.iter().zip(&curve.ys);
        let points = points.map(|(x, y)| DataPoint::new(*x, *y)).collect();
        Series::new(&curve.label, self.mark, colour, points)
    }
}
