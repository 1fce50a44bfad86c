//! Reading of a figure: its axes and numbers are resolved.

use pacesim_language::problem::Faults;
use pacesim_language::tree::Item;

use super::drawn::numbers;
use super::reference::reference;
use crate::across::Across;
use crate::across::EACH;
use crate::formula::unit_of;
use crate::gauge::Gauge;
use crate::keys::PlotKeys;
use crate::named::{is_one, number_or_each};
use crate::plot::Plot;
use crate::selection::{axis, one_value_each, selection, value};
use crate::study::Study;

/// The word that gives each of several numbers a panel, in place of an axis.
const EACH_Y: &str = "y";
/// The least width of a panel and the greatest of a figure, in sizes of its letters.
const LETTERS: (f64, f64) = (16.0, 200.0);
/// The least height of a panel, in sizes of its letters.
const LOWEST: f64 = 9.0;

impl Plot {
    /// The figure declared at `path`, if it can be drawn.
    pub(crate) fn of(
        study: &Study,
        path: String,
        keys: &PlotKeys,
        faults: &mut Faults,
    ) -> Option<Plot> {
        let axes = &study.axes;
        let before = faults.list.len();
        let has_panel_for_each =
            keys.panels.as_deref() == Some(EACH_Y) && !axes.iter().any(|axis| axis.name == EACH_Y);
        let (first, also, asks) = numbers(study, keys, &path, faults);
        let mut other = |name: &Option<String>, key: &str| {
            let name = name.as_ref()?;
            axis(axes, name, &format!("{path}.{key}"), faults)
        };
        let panels = if has_panel_for_each {
            None
        } else {
            other(&keys.panels, "panels")
        };
        let lines = other(&keys.lines, "lines");
        let dash = other(&keys.dash, "dash");
        let per = keys.per.as_ref();
        let per = per.and_then(|per| number_or_each(per, &format!("{path}.per"), faults));
        let only = selection(axes, &keys.only, &format!("{path}.only"), faults);
        let only = match [lines, dash, panels].contains(&study.variant_axis()) {
            true if study.variant_axis().is_some() => only,
            _ => study.as_stated(only),
        };
        let relative_path = format!("{path}.relative_to");
        let relative_to = selection(axes, &keys.relative_to, &relative_path, faults);
        one_value_each(&relative_to, axes, &relative_path, faults);
        if faults.list.len() > before {
            return None;
        }
        let (x, y, named) = first?;
        let is_scale = x.categories(axes, keys.boxes.is_some()).is_none();
        let knows_x = !matches!(x, Across::Axis(axis) if axes[axis].is_broken);
        let between = if is_scale && knows_x {
            between(keys, x.gauge(axes), &path, faults)
        } else {
            None
        };
        let plot = Plot {
            name: keys.name.clone(),
            title: title(keys),
            x,
            y,
            named,
            also,
            has_panel_for_each,
            asks,
            per,
            lines,
            dash,
            panels,
            only,
            relative_to,
            between,
            keys: keys.clone(),
            path,
        };
        plot.check(study, is_scale, faults);
        (faults.list.len() == before).then_some(plot)
    }

    /// Rejects parts that do not go together.
    fn check(&self, study: &Study, is_scale: bool, faults: &mut Faults) {
        self.several_go_together(faults);
        if study.has_all_axes() {
            self.every_axis_has_a_role(study, faults);
            self.has_some_points(study, faults);
        }
        self.columns_go_together(faults);
        self.each_has_its_number(faults);
        self.printed_have_their_lines(study, faults);
        self.printed_have_units(study, is_scale, faults);
        self.references_are_of_its_number(study, faults);
        self.x.refuse(&self.keys, &study.axes, &self.path, faults);
        self.dashes_are_of_lines(is_scale, faults);
        self.fits_its_sheet(faults);
    }

    /// Rejects dashes where nothing is dashed, and where another number would need them.
    fn dashes_are_of_lines(&self, is_scale: bool, faults: &mut Faults) {
        if self.dash.is_none() {
            return;
        }
        let keys = &self.keys;
        let wrong = [
            (
                self.lines.is_none(),
                "dashes tell apart the lines of one colour",
                "give lines = \"AXIS\", or write lines in place of dash",
            ),
            (
                !is_scale || keys.boxes.is_some(),
                "nothing joins the values at places without a scale",
                "give this axis panels in place of dash",
            ),
            (
                !self.also.is_empty() && !self.has_panel_for_each,
                "each of several numbers has its own dash",
                "leave also out, or give each number a panel: panels = \"y\"",
            ),
            (
                !keys.printed.is_empty() || !keys.references.is_empty(),
                "values from elsewhere belong to figures with one axis of lines",
                "give this axis panels in place of dash",
            ),
        ];
        for (_, message, help) in wrong.iter().filter(|(is_wrong, ..)| *is_wrong) {
            faults
                .add(format!("{}.dash", self.path), *message)
                .help(*help);
        }
    }

    /// Rejects sheets on which no figure has room, and letters that nobody reads.
    fn fits_its_sheet(&self, faults: &mut Faults) {
        let (width, font) = self.keys.sheet.points();
        let lowest = LOWEST * font;
        if let Some(height) = self.keys.sheet.height.filter(|h| h.points < lowest) {
            let height = height.points;
            let message = format!(
                "a panel with letters of {font}pt needs {lowest:.0}pt of height, not {height:.0}pt"
            );
            faults
                .add(format!("{}.height", self.path), message)
                .help("give a greater height, or smaller letters (1in is 72pt)");
        }
        let columns = f64::from(self.keys.sheet.columns.unwrap_or(1));
        let (least, most) = (LETTERS.0 * font * columns, LETTERS.1 * font);
        if (least..=most).contains(&width) {
            return;
        }
        let key = if self.keys.sheet.width.is_some() {
            "width"
        } else {
            "font"
        };
        let (panels, need) = match columns {
            1.0 => ("a panel".to_owned(), "needs"),
            n => (format!("{n} panels side by side"), "need"),
        };
        let message = if width < least {
            format!(
                "{panels} with letters of {font}pt {need} {least:.0}pt of width, not {width:.0}pt"
            )
        } else {
            format!("letters of {font}pt are too small for a figure of {width:.0}pt")
        };
        let help = format!(
            "give a width from {least:.0}pt to {most:.0}pt, or other letters (1in is 72pt)"
        );
        faults
            .add(format!("{}.{key}", self.path), message)
            .help(help);
    }

    /// Requires that every drawn point has exactly one place in the figure.
    fn every_axis_has_a_role(&self, study: &Study, faults: &mut Faults) {
        let fixed = self.only.iter().filter(|(_, values)| values.len() == 1);
        let fixed = fixed.map(|(axis, _)| *axis);
        let roles: Vec<usize> = [self.axis(), self.lines, self.dash, self.panels]
            .into_iter()
            .flatten()
            .chain(fixed)
            .collect();
        for (i, axis) in study.axes.iter().enumerate() {
            let has_role = roles.iter().any(|role| study.vary_together(*role, i));
            // A figure of a search is drawn at the best point found.
            if !has_role && axis.values.len() > 1 && !study.searches(i) {
                let name = &axis.name;
                let message =
                    format!("several points that differ in \"{name}\" would be at one place");
                let help = format!(
                    "draw one of its values, only = {{ {name} = \"{}\" }}, or give it lines, dash or panels",
                    axis.values[0].text
                );
                faults.add(self.path.clone(), message).help(help);
            }
        }
    }
}

impl Plot {
    /// Requires that a table is drawn as it is: one column against another of the same measure.
    fn columns_go_together(&self, faults: &mut Faults) {
        let Across::Column(x) = &self.x else { return };
        let mut refuse = |key: &str, message: String, help: &str| {
            faults
                .add(format!("{}.{key}", self.path), message)
                .help(help);
        };
        if (&x.of, &x.entity) != (&self.y.of, &self.y.entity) {
            let message = format!("\"{}\" is not a column of the table of \"{x}\"", self.y);
            refuse("y", message, "x and y are columns of one measure");
        }
        if !self.relative_to.is_empty() {
            let message = "a table is not drawn relative to another".to_owned();
            refuse(
                "relative_to",
                message,
                "draw numbers of the measure instead",
            );
        }
        if self.per.is_some() {
            let message = "a table is not divided by another number".to_owned();
            refuse("per", message, "draw numbers of the measure instead");
        }
        if !self.keys.theory.is_empty() {
            let message = "a model has no line along a table".to_owned();
            refuse("theory", message, "give its points as printed ones");
        }
    }
}

impl Plot {
    /// Several numbers in one panel have one unit; points from elsewhere belong to one number.
    fn several_go_together(&self, faults: &mut Faults) {
        let labels = self.keys.labels.len();
        if labels > 0 && labels != 1 + self.also.len() {
            let message = format!("{labels} labels for {} numbers", 1 + self.also.len());
            let help = "give one for y and one for each of also";
            faults
                .add(format!("{}.labels", self.path), message)
                .help(help);
        }
        let shares = self.keys.distribution.is_some() || self.has_panel_for_each;
        for (i, (_, _, other)) in self.also.iter().enumerate() {
            let (ours, theirs) = (unit_of(&self.named), unit_of(other));
            let path = format!("{}.also[{i}]", self.path);
            if ours != theirs && !shares {
                let (ours, theirs) = (ours.describe(), theirs.describe());
                let message = format!("one panel with {ours} and {theirs}");
                let help = "give each number its panel: panels = \"y\"";
                faults.add(path, message).help(help);
            } else if ours != theirs && self.keys.distribution.is_some() {
                let message = format!("\"{other}\" has another unit than \"{}\"", self.named);
                let help = "distributions of one figure share the values across";
                faults.add(path, message).help(help);
            }
        }
        let keys = &self.keys;
        let elsewhere = [
            ("theory", keys.theory.is_empty()),
            ("reference", keys.references.is_empty()),
            ("printed", keys.printed.is_empty()),
        ];
        for (key, is_empty) in elsewhere {
            if !self.also.is_empty() && !is_empty {
                let message = "this belongs to one number, and the figure has several";
                let help = "leave also out, or draw another figure";
                faults
                    .add(format!("{}.{key}", self.path), message)
                    .help(help);
            }
        }
    }

    /// Requires that the x axis replaces the * in the number on the y axis.
    fn each_has_its_number(&self, faults: &mut Faults) {
        if !matches!(self.x, Across::Each(_)) {
            let also = self.also.iter().map(|(_, _, named)| named);
            let also = also
                .enumerate()
                .map(|(i, named)| (format!("also[{i}]"), named));
            let per = self.per.iter().map(|per| ("per".to_owned(), per));
            let all = [("y".to_owned(), &self.named)]
                .into_iter()
                .chain(also)
                .chain(per);
            all.for_each(|(key, name)| {
                is_one(name, &format!("{}.{key}", self.path), faults);
            });
        }
        if matches!(self.x, Across::Each(_)) && self.y.entity != EACH {
            let message = format!("\"{}\" is one number, and several go across", self.y);
            let help = format!("write \"{}.{EACH}.{}\"", self.y.of, self.y.metric);
            faults.add(format!("{}.y", self.path), message).help(help);
        }
    }

    /// Measured numbers are drawn as they are, against an axis.
    fn references_are_of_its_number(&self, study: &Study, faults: &mut Faults) {
        for (i, name) in self.keys.references.iter().enumerate() {
            let path = format!("{}.reference[{i}]", self.path);
            let Some(place) = reference(study, name, &path, faults) else {
                continue;
            };
            let measured = &study.references[place];
            let is_plain = self.per.is_none() && self.relative_to.is_empty();
            if measured.y != self.y || !is_plain || self.axis().is_none() {
                let message = format!("\"{name}\" is about {}, which is not drawn", measured.y);
                let help = "draw that number against an axis, without per and relative_to";
                faults.add(path, message).help(help);
            }
        }
    }

    /// Requires that printed points take the colour of an existing line.
    fn printed_have_their_lines(&self, study: &Study, faults: &mut Faults) {
        for (i, printed) in self.keys.printed.iter().enumerate() {
            let path = format!("{}.printed[{i}].line", self.path);
            match (&printed.line, self.lines) {
                (None, _) => (),
                (Some(line), Some(lines)) => {
                    value(&study.axes[lines], line, &path, faults);
                }
                (Some(_), None) => {
                    let help = "give lines = \"AXIS\", or leave line out";
                    faults.add(path, "this figure has one line").help(help);
                }
            }
        }
    }
}

impl Plot {
    /// Requires that printed points have the units of the sides.
    fn printed_have_units(&self, study: &Study, is_scale: bool, faults: &mut Faults) {
        let (x, y) = (self.x.gauge(&study.axes), self.gauge());
        let knows_x = !self.axis().is_some_and(|axis| study.axes[axis].is_broken);
        for (i, printed) in self.keys.printed.iter().enumerate() {
            for (j, (across, up)) in printed.points.iter().enumerate() {
                let path = format!("{}.printed[{i}].points[{j}]", self.path);
                let is_formula =
                    |item: &Item| item.text().is_some_and(|text| text.starts_with('='));
                let sides = [(0, x, across, is_scale && knows_x), (1, y, up, true)];
                for (side, gauge, item, counts) in sides {
                    if counts
                        && !is_formula(item)
                        && let Err((message, help)) = gauge.amount(&item.value, "it", 1.0)
                    {
                        let help = help.replace("write it = ", "write ");
                        faults.add(format!("{path}[{side}]"), message).help(help);
                    }
                }
            }
        }
    }
}

/// The title, which is by default the name.
fn title(keys: &PlotKeys) -> String {
    match keys.title.as_str() {
        "" => keys.name.clone(),
        title => title.to_owned(),
    }
}

/// Reads the limits of the x axis.
fn between(keys: &PlotKeys, x: Gauge, path: &str, faults: &mut Faults) -> Option<(f64, f64)> {
    let (first, last) = keys.between.as_ref()?;
    let path = format!("{path}.between");
    let mut number = |item: &Item, i: usize| match x.amount(&item.value, "it", 1.0) {
        Ok(stated) => Some(stated.number),
        Err((message, help)) => {
            let help = help.replace("write it = ", "write ");
            faults.add(format!("{path}[{i}]"), message).help(help);
            None
        }
    };
    let (least, most) = (number(first, 0)?, number(last, 1)?);
    if least >= most {
        let (least, most) = (x.stated(least), x.stated(most));
        let message = format!("no point lies between {least} and {most}");
        let help = "give the least and the greatest x, in this order";
        faults.add(path, message).help(help);
        return None;
    }
    Some((least, most))
}
