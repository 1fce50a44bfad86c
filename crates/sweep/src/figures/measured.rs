//! Numbers in figures that were measured elsewhere.

use pacesim_claims::evidence::Evidence;
use pacesim_plot::{DataPoint, Panel, Sign};
use pacesim_study::ReferenceRow;
use pacesim_study::places::drawn_lines;

use super::{Drawing, Unit};

impl Drawing<'_> {
    /// Draws measured numbers at the points of a panel, in the colours of its lines.
    pub(super) fn measured_elsewhere(
        &self,
        mut panel: Panel,
        name: &str,
        in_panel: Option<usize>,
        x: &Unit,
        y: &Unit,
    ) -> Panel {
        let all = &self.study.references;
        let Some(reference) = all.iter().find(|reference| reference.name == name) else {
            return panel;
        };
        for in_line in drawn_lines(self.study, self.plot) {
            let fixed = self.fixed(in_panel, in_line);
            let rows = reference.rows.iter().filter(|row| row.is_in(&fixed));
            let points = rows.filter_map(|row| self.measured_point(row, x, y));
            let mut points: Vec<DataPoint> = points.collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            if points.is_empty() {
                continue;
            }
            let line = match (self.plot.lines, in_line.value) {
                (Some(axis), Some(value)) => self.named(axis, value),
                _ => self.only_label(),
            };
            let label = match self.plot.lines {
                Some(_) => format!("{}, {line}", reference.label),
                None => reference.label.clone(),
            };
            panel = panel.measured_like(&line, label, points);
        }
        panel
    }

    /// The mean of a row with its standard deviation on either side, if its place is drawn.
    fn measured_point(&self, row: &ReferenceRow, x: &Unit, y: &Unit) -> Option<DataPoint> {
        let axis = self.plot.axis()?;
        let value = &self.study.axes[axis].values[row.value(axis)?];
        let across = match self.categories() {
            Some(drawn) => drawn.iter().position(|text| *text == value.text)? as f64,
            None => {
                let at = row.at.iter().map(|(axis, place)| (*axis, vec![*place]));
                let point = self.samples.point(self.study, &at.collect());
                let value = self.study.value_at(point, axis, row.value(axis)?);
                value.number.filter(|x| self.shows(*x))?
            }
        };
        let scaled = |number: f64| number * self.plot.keys.times / y.factor;
        Some(DataPoint {
            x: across / x.factor,
            y: scaled(row.mean),
            interval: row
                .sd
                .map(|sd| (scaled(row.mean - sd), scaled(row.mean + sd))),
            sign: Sign::None,
        })
    }
}
