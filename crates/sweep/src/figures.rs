//! The figures of a study, drawn from its numbers.

mod bounds;
mod boxes;
mod drawn_line;
mod labels;
mod lines;
mod measured;
mod sheet;
mod sides;

use pacesim_claims::evidence::{Evidence, PerReplication, paired};
use pacesim_claims::quantile::values_needed;
use pacesim_claims::shapes::shaped;
use pacesim_language::tree::Item;
use pacesim_plot::{DataPoint, Figure, Panel};
use pacesim_probes::theory::Solved;
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_study::places::{OneLine, baseline, drawn};
use pacesim_study::{
    Across, Direction, NumberName, Plot, PrintedKeys, Selection, Study, TheoryKeys,
};

use crate::figures::drawn_line::{Care, DrawnLine, DrawnPoint, Found};
use crate::figures::labels::{are_of_axes, labels};
use crate::figures::sides::Unit;
use crate::found::FOUND;
use crate::samples::Samples;

/// Name of the folder of a study's figures.
pub const FOLDER: &str = "figures";

/// Draws all figures of a study, by name.
pub fn all(study: &Study, samples: &Samples) -> Vec<(String, Figure)> {
    let plots = study.plots.iter();
    plots
        .map(|plot| (plot.name.clone(), figure(study, samples, plot)))
        .collect()
}

/// Draws a figure of one number or of several.
fn figure(study: &Study, samples: &Samples, plot: &Plot) -> Figure {
    let numbers = plot.each_number();
    let labels = labels(plot);
    let of_axes = are_of_axes(plot);
    let drawings = numbers.iter().zip(labels).map(|(plot, label)| {
        let label = label.filter(|_| numbers.len() > 1);
        let (label, y_label) = if of_axes {
            (None, label)
        } else {
            (label, None)
        };
        Drawing {
            study,
            samples,
            plot,
            label,
            y_label,
        }
    });
    let drawings: Vec<Drawing<'_>> = drawings.collect();
    let panels: Vec<Panel> = if plot.has_panel_for_each {
        drawings
            .iter()
            .flat_map(Drawing::panels_of_its_own)
            .collect()
    } else {
        panels(&drawings)
    };
    let figure = Figure::new(plot.title.clone()).on(sheet::sheet(&plot.keys.sheet));
    let figure = if plot.keys.shares_axes {
        figure.sharing_axes()
    } else {
        figure
    };
    panels.into_iter().fold(figure, Figure::panel)
}

/// Panels with the lines of all numbers, which share the greatest unit.
fn panels(drawings: &[Drawing<'_>]) -> Vec<Panel> {
    let x = Unit::of_all(drawings.iter().map(Drawing::x_unit).collect());
    let y = Unit::of_all(drawings.iter().map(Drawing::y_unit).collect());
    let (Some(first), Some(x), Some(y)) = (drawings.first(), x, y) else {
        return Vec::new();
    };
    let values = first.values(first.plot.panels).into_iter();
    let panel = |value: Option<usize>| {
        let empty = first.panel(value, &x, &y);
        let fill = |panel, drawing: &Drawing<'_>| drawing.fill(panel, value, &x, &y);
        first.across(drawings.iter().fold(empty, fill))
    };
    values.map(panel).collect()
}

struct Drawing<'a> {
    study: &'a Study,
    samples: &'a Samples,
    plot: &'a Plot,
    /// The name of its number, if the figure has several.
    label: Option<String>,
    /// The label of the y axis of its own panel.
    y_label: Option<String>,
}

/// A model, with its curve for each line of the panel.
struct Theory<'a> {
    label: &'a str,
    curves: Vec<Vec<(f64, f64)>>,
}

impl Theory<'_> {
    /// True if its curve is the same for all lines.
    fn is_one(&self) -> bool {
        self.curves.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl Drawing<'_> {
    /// The panels of one of several numbers, entitled with its name.
    fn panels_of_its_own(&self) -> Vec<Panel> {
        let alone = Drawing {
            label: None,
            y_label: self.y_label.clone(),
            ..*self
        };
        let mut panels = panels(&[alone]);
        for panel in &mut panels {
            let titles = [self.label.clone(), panel.title.take()];
            let titles: Vec<String> = titles.into_iter().flatten().collect();
            panel.title = Some(titles.join(", ")).filter(|title| !title.is_empty());
        }
        panels
    }

    /// An empty panel.
    fn panel(&self, value: Option<usize>, x: &Unit, y: &Unit) -> Panel {
        let mut panel = Panel::new(x.label(), y.label());
        if let (Some(axis), Some(value)) = (self.plot.panels, value) {
            panel = panel.titled(self.named(axis, value));
        }
        for direction in &self.plot.keys.log {
            panel = match direction {
                Direction::X => panel.log_x(),
                Direction::Y => panel.log_y(),
            };
        }
        panel
    }

    /// The panel with a place for each x value, if x is categorical.
    fn across(&self, panel: Panel) -> Panel {
        match self.categories() {
            Some(categories) => panel.across(categories.iter().map(|text| self.category(text))),
            None => panel,
        }
    }

    /// The name shown for an x value.
    fn category(&self, text: &str) -> String {
        let place = |axis: usize| {
            let mut values = self.study.axes[axis].values.iter();
            values.position(|value| value.text == text)
        };
        let axis = self.plot.axis();
        if let Some(label) = axis.and_then(|axis| self.study.axes[axis].label_of(text)) {
            return label.to_owned();
        }
        let value = axis.and_then(|axis| Some(self.drawn_value(axis, place(axis)?)));
        let name = value.map_or(text.to_owned(), |value| value.shown().into_owned());
        name.replace('_', " ")
    }

    /// Adds the lines of a panel, each with its theory, and the values printed elsewhere.
    fn fill(&self, mut panel: Panel, in_panel: Option<usize>, x: &Unit, y: &Unit) -> Panel {
        let lines = self.lines(in_panel);
        let theories: Vec<Theory<'_>> = self
            .plot
            .theory()
            .iter()
            .map(|keys| Theory {
                label: keys.label.as_deref().unwrap_or(&keys.model),
                curves: lines
                    .iter()
                    .map(|line| self.theory(keys, line, x, y))
                    .collect(),
            })
            .collect();
        for (place, line) in lines.iter().enumerate() {
            panel = self.draw(panel, line, x, y);
            if let Some((colour, dash)) = line.look {
                panel = panel.coloured(colour, dash);
            }
            for theory in theories.iter().filter(|theory| !theory.is_one()) {
                let label = format!("{}, {}", theory.label, line.label);
                panel = panel.line_beside(label, theory.curves[place].iter().copied());
            }
        }
        for theory in theories.iter().filter(|theory| theory.is_one()) {
            let curve = theory.curves.first().into_iter().flatten();
            panel = panel.line(theory.label, curve.copied());
        }
        panel = self.search_bounds(panel, &lines, x, y);
        for name in &self.plot.keys.references {
            panel = self.measured_elsewhere(panel, name, in_panel, x, y);
        }
        for printed in self.plot.printed() {
            let points = printed.points.iter().filter_map(|(across, up)| {
                let (across, up) = (self.place(across)?, self.plot.printed_y(up)?);
                Some((across / x.factor, up * self.plot.keys.times / y.factor))
            });
            panel = match self.line_of(printed) {
                Some(line) => panel.points_like(&line, printed.label.clone(), points),
                None => panel.points(printed.label.clone(), points),
            };
        }
        panel
    }

    /// The values of the axes that are fixed in a line of a panel.
    fn fixed(&self, in_panel: Option<usize>, in_line: OneLine) -> Selection {
        drawn(self.plot, in_panel, in_line)
    }

    /// The x values, if x is categorical.
    fn categories(&self) -> Option<Vec<&str>> {
        let has_boxes = self.plot.keys.boxes.is_some();
        let all = self.plot.x.categories(&self.study.axes, has_boxes)?;
        let drawn = self.values(self.plot.axis());
        let is_drawn = |place: usize| drawn.iter().any(|d| d.is_none_or(|d| d == place));
        let drawn = all.into_iter().enumerate();
        let drawn = drawn.filter(|(place, _)| is_drawn(*place));
        Some(drawn.map(|(_, text)| text).collect())
    }

    /// The x position of a printed point, if it is drawn.
    fn place(&self, across: &Item) -> Option<f64> {
        let Some(categories) = self.categories() else {
            let number = self.plot.printed_x(across, &self.study.axes);
            return number.filter(|x| self.shows(*x));
        };
        let text = across
            .text()
            .map_or(across.value.to_string(), str::to_owned);
        let place = categories.iter().position(|known| *known == text);
        place.map(|place| place as f64)
    }

    /// True if this x value is drawn.
    fn shows(&self, x: f64) -> bool {
        let between = self.plot.between;
        between.is_none_or(|(least, most)| (least..=most).contains(&x))
    }

    /// The name of the line that printed points belong to.
    fn line_of(&self, printed: &PrintedKeys) -> Option<String> {
        let (lines, wanted) = (self.plot.lines?, printed.line.as_ref()?);
        let text = wanted
            .text()
            .map_or(wanted.value.to_string(), str::to_owned);
        let values = &self.study.axes[lines].values;
        let value = values.iter().position(|value| value.text == text)?;
        Some(self.named(lines, value))
    }

    /// One line: means with their intervals, or exact values that follow from the points alone.
    fn draw(&self, panel: Panel, line: &DrawnLine, x: &Unit, y: &Unit) -> Panel {
        if let Some(boxed) = self.plot.keys.boxes {
            return self.boxes(panel, line, boxed, y);
        }
        let points = line.points.iter();
        let points = points.map(|place| self.measured(place, x, y));
        let points = points.filter(|point| point.y.is_finite());
        if self.samples.is_exact(&self.plot.y) || self.plot.keys.over.is_some() {
            return panel.line(line.label.clone(), points.map(|point| (point.x, point.y)));
        }
        if self.plot.keys.distribution.is_some() {
            let points = points.map(|point| DataPoint {
                interval: point
                    .interval
                    .map(|(low, high)| (low.max(0.0), high.min(self.plot.keys.times))),
                ..point
            });
            let band = panel.line(line.label.clone(), points.collect::<Vec<DataPoint>>());
            return self.explained(band, line);
        }
        let few = line.repetitions().0;
        let needed = self
            .plot
            .keys
            .quantile
            .map(|q| values_needed(q, CONFIDENCE));
        if let Some(needed) = needed.filter(|needed| few < *needed) {
            let label = format!("{}, without interval: n = {few} of {needed}", line.label);
            let panel = panel.joined(label, points.collect::<Vec<DataPoint>>());
            return panel.remarks(line.remarks());
        }
        let panel = panel.joined(line.label.clone(), points.collect::<Vec<DataPoint>>());
        // A value found by a search is not a mean.
        match self.plot.y.of.as_str() {
            FOUND => panel.remarks(line.remarks()),
            _ => self.explained(panel, line),
        }
    }

    /// The panel with the meaning of a line's intervals and rings in its legend.
    fn explained(&self, panel: Panel, line: &DrawnLine) -> Panel {
        let panel = match line.identical() {
            Some(_) => panel,
            None => panel.intervals_of_several(CONFIDENCE, line.repetitions()),
        };
        panel.remarks(line.remarks())
    }

    /// The curve of a model along a line.
    fn theory(&self, keys: &TheoryKeys, line: &DrawnLine, x: &Unit, y: &Unit) -> Vec<(f64, f64)> {
        let points = line.points.iter().filter_map(|place| {
            let mean = |name: &NumberName| self.samples.mean(name, place.point);
            let solved = Solved::drawn(self.plot, keys).at(self.study, place.point, mean);
            let factor = self.plot.theory_factor(self.study, keys, place.point);
            let value = solved.ok().flatten()?.value(&keys.y)? * factor.ok()?;
            Some((place.x / x.factor, value * self.plot.keys.times / y.factor))
        });
        points.collect()
    }

    /// The numbers at a point, or their ratios to the baseline.
    fn numbers(&self, y: &NumberName, per: Option<&NumberName>, point: u64) -> PerReplication {
        let of = |point| self.samples.divided(y, per, point);
        match self.baseline(point) {
            None => of(point),
            Some(base) => paired(&of(point), &of(base), |a, b| a / b),
        }
    }

    /// A point's position, from a number that is optionally divided by another.
    fn at(&self, x: f64, (y, per): (&NumberName, Option<&NumberName>), point: u64) -> DrawnPoint {
        let numbers = self.numbers(y, per, point);
        let is_plain = per.is_none() && self.baseline(point).is_none();
        let care = Care {
            identical: self.is_identical(point),
            few_values: std::iter::once(y)
                .chain(per)
                .any(|name| self.samples.few_values(self.study, name, point).is_some()),
        };
        let rare = self.samples.rare(y, &numbers, point);
        DrawnPoint {
            x,
            point,
            rare: rare.filter(|_| is_plain && !care.identical),
            numbers,
            care,
            found: (y.of == FOUND && is_plain)
                .then(|| Found::Between(self.samples.found_span(self.study, y, point))),
        }
    }

    /// The point that this one is drawn relative to.
    fn baseline(&self, number: u64) -> Option<u64> {
        let base = baseline(self.study, self.plot, number)?;
        self.samples.point(self.study, &base)
    }

    /// True if nothing is drawn at a point, nor at the one that it is drawn relative to.
    fn is_identical(&self, point: u64) -> bool {
        let base = self.baseline(point).unwrap_or(point);
        self.samples.are_identical(point) && self.samples.are_identical(base)
    }

    /// The points along x, at these values of the axes for panels and lines.
    fn points(&self, in_panel: Option<usize>, in_line: OneLine) -> Vec<DrawnPoint> {
        let fixed = self.fixed(in_panel, in_line);
        match &self.plot.x {
            Across::Axis(axis) => self.along(*axis, &fixed),
            Across::Column(_) => self.down(&fixed),
            Across::Each(_) => self.each(&fixed),
        }
    }

    /// The numbers at one point of the study, one after another.
    fn each(&self, fixed: &Selection) -> Vec<DrawnPoint> {
        let Some(point) = self.samples.point(self.study, fixed) else {
            return Vec::new();
        };
        let pers = self.plot.pers();
        let ys = self.plot.ys().into_iter().enumerate();
        let place =
            |(place, y): (usize, NumberName)| self.at(place as f64, (&y, pers.get(place)), point);
        ys.map(place).collect()
    }

    /// The points along an axis.
    fn along(&self, across: usize, fixed: &Selection) -> Vec<DrawnPoint> {
        let axis = &self.study.axes[across];
        let categories = self.categories();
        let along = axis.values.iter().enumerate().filter_map(|(place, value)| {
            let mut at = fixed.clone();
            let is_drawn =
                |(known, values): &(usize, Vec<usize>)| *known != across || values.contains(&place);
            if !at.iter().all(is_drawn) {
                return None;
            }
            at.retain(|(known, _)| *known != across);
            at.push((across, vec![place]));
            let Some(point) = self.samples.point(self.study, &at) else {
                return self.without_answer(&at, across, place, value.number);
            };
            let x = match &categories {
                Some(drawn) => drawn.iter().position(|text| *text == value.text)? as f64,
                None => {
                    let here = self.study.value_at(Some(point), across, place);
                    here.number.filter(|x| self.shows(*x))?
                }
            };
            Some(match self.five_within(point) {
                Some(five) => DrawnPoint {
                    x,
                    point,
                    numbers: five.map(Some).to_vec(),
                    rare: None,
                    care: Care::default(),
                    found: None,
                },
                None => self.at(x, (&self.plot.y, self.plot.per.as_ref()), point),
            })
        });
        let mut points: Vec<DrawnPoint> = along.collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points
    }

    /// The place of a search without an answer, if the number drawn is its answer.
    fn without_answer(
        &self,
        at: &Selection,
        across: usize,
        place: usize,
        x: Option<f64>,
    ) -> Option<DrawnPoint> {
        let last = self.samples.found_none(self.study, &self.plot.y, at)?;
        let text = &self.study.axes[across].values[place].text;
        let x = match self.categories() {
            Some(drawn) => drawn.iter().position(|known| known == text)? as f64,
            None => x.filter(|x| self.shows(*x))?,
        };
        Some(DrawnPoint {
            x,
            point: 0,
            numbers: Vec::new(),
            rare: None,
            care: Care::default(),
            found: Some(Found::Nowhere(last.0, last.1.clone())),
        })
    }

    /// The rows of a measure's table at one point of the study.
    fn down(&self, fixed: &Selection) -> Vec<DrawnPoint> {
        let Some(point) = self.samples.point(self.study, fixed) else {
            return Vec::new();
        };
        let curves = &self.samples.curves;
        let keys = &self.plot.keys;
        let rows = match keys.distribution {
            Some(shape) => shaped(shape, &curves.all_of(self.plot, point)),
            None => curves.of(self.plot, point),
        };
        let row = |(x, numbers)| DrawnPoint {
            x,
            point,
            numbers,
            rare: None,
            care: Care {
                identical: self.samples.are_identical(point),
                few_values: false,
            },
            found: None,
        };
        let rows = rows.into_iter().map(row);
        rows.filter(|row| self.shows(row.x)).collect()
    }

    /// The greatest x or y in a table, which determines the unit.
    fn greatest(&self, of: fn(&DrawnPoint) -> f64) -> f64 {
        let panels = self.values(self.plot.panels).into_iter();
        let lines = panels.flat_map(|panel| self.lines(panel));
        let all = lines.flat_map(|line| line.points.into_iter().map(move |place| of(&place)));
        all.filter(|x| x.is_finite()).fold(0.0, f64::max)
    }
}
