//! A table of measured numbers as read: its columns, rows and points.

use pacesim_language::expression::Unit;
use pacesim_language::problem::{Faults, suggest};
use pacesim_language::tree::{Item, Toml, TomlTable};

use crate::gauge::Gauge;
use crate::keys::ReferenceKeys;
use crate::name::NumberName;
use crate::named::{named, number};
use crate::reference::{Reference, ReferenceRow};
use crate::selection::{one_value_each, selection};
use crate::study::Study;

/// Default name of the column of standard deviations.
const SD: &str = "sd";

impl Reference {
    /// The table that is declared at `path`, if its file can be understood.
    pub(crate) fn of(
        study: &Study,
        path: String,
        keys: &ReferenceKeys,
        text: Result<String, String>,
        faults: &mut Faults,
    ) -> Option<Reference> {
        let before = faults.list.len();
        let y = number(&keys.y, &format!("{path}.y"), faults);
        let at_path = format!("{path}.at");
        let fixed = selection(&study.axes, &keys.at, &at_path, faults);
        one_value_each(&fixed, &study.axes, &at_path, faults);
        let file_path = format!("{path}.file");
        let text = text
            .map_err(|error| {
                let message = format!("cannot use the file \"{}\": {error}", keys.file);
                let help = "give a CSV file; its path begins at this file's folder";
                faults.add(file_path.clone(), message).help(help);
            })
            .ok()?;
        let mut lines = (1..).zip(text.lines());
        let header = lines.next().map_or("", |(_, header)| header);
        let cells = Cells::of(y.as_ref(), keys, &path, faults);
        let columns = Columns::of(study, &path, keys, header, &fixed, faults)?;
        if faults.list.len() > before {
            return None;
        }
        let rows = columns.rows(study, &cells, lines, &fixed);
        let rows = rows
            .map_err(|(message, help)| {
                let message = format!("{}, {message}", keys.file);
                faults.add(file_path, message).help(help);
            })
            .ok()?;
        let reference = Reference {
            name: keys.name.clone(),
            label: keys.label.clone().unwrap_or_else(|| keys.name.clone()),
            file: keys.file.clone(),
            y: y?,
            rows,
            path,
        };
        (faults.list.len() == before).then_some(reference)
    }
}

/// A fault: the message and the remedy.
type Fault = (String, String);

/// The unit of the cells of means and deviations.
struct Cells<'k> {
    gauge: Gauge,
    /// The unit that is given for all of them.
    unit: Option<&'k str>,
}

impl<'k> Cells<'k> {
    fn of(
        y: Option<&NumberName>,
        keys: &'k ReferenceKeys,
        path: &str,
        faults: &mut Faults,
    ) -> Cells<'k> {
        let gauge = y.map_or(Gauge::PLAIN, Gauge::of);
        let unit = keys.unit.as_deref();
        let cells = Cells { gauge, unit };
        if unit.is_some()
            && let Err((message, help)) = cells.amount("1")
        {
            faults.add(format!("{path}.unit"), message).help(help);
        }
        cells
    }

    /// The number in a cell, in the unit of y.
    fn amount(&self, cell: &str) -> Result<f64, Fault> {
        let text = format!("{cell}{}", self.unit.unwrap_or(""));
        if self.gauge.unit != Unit::ONE && text.parse::<f64>().is_ok() {
            let message = format!("it has no unit, and this is {}", self.gauge.describe());
            let help =
                "name the unit of the columns, such as unit = \"Mbps\", or write it in each cell";
            return Err((message, help.to_owned()));
        }
        let stated = self.gauge.amount(&Toml::Text(text), "unit", 1.0)?;
        Ok(stated.number)
    }
}

/// Adds the new spelling to faults of tables with a factor in place of a unit.
pub(crate) fn advise(document: &TomlTable, faults: &mut Faults) {
    for fault in faults.list.iter_mut().filter(|fault| fault.at_key) {
        let of_table = fault.path.strip_prefix("reference[");
        let Some((place, "times")) = of_table.and_then(|path| path.split_once("].")) else {
            continue;
        };
        let tables = document.get("reference").and_then(Item::list);
        let table = place
            .parse()
            .ok()
            .and_then(|i: usize| tables?.get(i)?.table());
        let of = |key: &str| table.and_then(|table| table.get(key));
        let y = of("y")
            .and_then(Item::text)
            .and_then(|text| named(text).ok());
        let (gauge, times) = (y.map_or(Gauge::PLAIN, |y| Gauge::of(&y)), of("times"));
        let unit = times.map(|times| gauge.stated(times.value.number()));
        let unit = unit.and_then(|unit| Some(unit.strip_prefix('1')?.trim().to_owned()));
        let unit = match (gauge.unit == Unit::ONE, unit) {
            (true, _) => "%".to_owned(),
            (false, Some(unit)) if unit.starts_with(char::is_alphabetic) => unit,
            _ => gauge.unit.symbol(),
        };
        fault.help(format!("a table names its unit instead: unit = \"{unit}\""));
    }
}

/// Indices of the columns that count.
struct Columns {
    /// Axes with the indices of their columns.
    axes: Vec<(usize, usize)>,
    mean: usize,
    sd: Option<usize>,
    count: usize,
}

impl Columns {
    fn of(
        study: &Study,
        path: &str,
        keys: &ReferenceKeys,
        header: &str,
        fixed: &[(usize, Vec<usize>)],
        faults: &mut Faults,
    ) -> Option<Columns> {
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let place = |name: &str| names.iter().position(|known| *known == name);
        let sd_name = keys.sd.as_deref().unwrap_or(SD);
        // A column of which a mistake leaves open what it is.
        let is_lost = place(&keys.mean).is_none()
            || keys.sd.as_deref().is_some_and(|sd| place(sd).is_none())
            || !study.has_all_axes();
        let mut axes = Vec::new();
        for (column, name) in names.iter().enumerate() {
            let axis = study.axes.iter().position(|axis| axis.name == *name);
            match axis {
                Some(axis) if Some(axis) != study.variant_axis() => axes.push((axis, column)),
                _ if *name == keys.mean || *name == sd_name => (),
                _ if is_lost || keys.ignore.iter().any(|ignored| ignored == name) => (),
                _ => {
                    let message = format!("{}, line 1: there is no axis \"{name}\"", keys.file);
                    let near = suggest(name, study.axes.iter().map(|axis| axis.name.as_str()));
                    let help = format!("{near}; a column of something else goes into ignore");
                    faults.add(format!("{path}.file"), message).help(help);
                }
            }
        }
        let mut missing = |key: &str, name: &str| {
            let message = format!("{}, line 1: there is no column \"{name}\"", keys.file);
            let help = suggest(name, names.iter().copied());
            faults.add(format!("{path}.{key}"), message).help(help);
        };
        let mean = place(&keys.mean);
        if mean.is_none() {
            missing("mean", &keys.mean);
        }
        let sd = place(sd_name);
        if sd.is_none() && keys.sd.is_some() {
            missing("sd", sd_name);
        }
        for (i, axis) in study.axes.iter().enumerate() {
            let known = axes.iter().map(|(axis, _)| *axis);
            let known = known.chain(fixed.iter().map(|(axis, _)| *axis));
            let is_said = known
                .chain(study.variant_axis())
                .any(|known| study.vary_together(known, i));
            if !is_said && study.has_all_axes() && axis.values.len() > 1 {
                let message = format!(
                    "it is not said at which \"{}\" this was measured",
                    axis.name
                );
                let help = format!(
                    "give it a column \"{0}\", or write at = {{ {0} = \"{1}\" }}",
                    axis.name, axis.values[0].text
                );
                faults.add(path.to_owned(), message).help(help);
            }
        }
        Some(Columns {
            axes,
            mean: mean?,
            sd,
            count: names.len(),
        })
    }

    /// All rows, or the mistake in each faulty line.
    fn rows<'t>(
        &self,
        study: &Study,
        unit: &Cells<'_>,
        lines: impl Iterator<Item = (usize, &'t str)>,
        fixed: &[(usize, Vec<usize>)],
    ) -> Result<Vec<ReferenceRow>, Fault> {
        let mut rows: Vec<ReferenceRow> = Vec::new();
        let mut wrong: Vec<Fault> = Vec::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let row = self.row(study, unit, line, text, fixed).and_then(|row| {
                let is_same = |other: &&ReferenceRow| study.has_all_axes() && other.at == row.at;
                match rows.iter().find(is_same) {
                    None => Ok(row),
                    Some(other) => {
                        let message = format!("the same point as in line {}", other.line);
                        Err((message, "give each point one row".to_owned()))
                    }
                }
            });
            match row {
                Ok(row) => rows.push(row),
                Err((message, help)) => wrong.push((format!("line {line}: {message}"), help)),
            }
        }
        let Some((_, help)) = wrong.first() else {
            return Ok(rows);
        };
        let all = wrong.iter().map(|(message, _)| message.as_str());
        Err((all.collect::<Vec<_>>().join("; "), help.clone()))
    }

    fn row(
        &self,
        study: &Study,
        unit: &Cells<'_>,
        line: usize,
        text: &str,
        fixed: &[(usize, Vec<usize>)],
    ) -> Result<ReferenceRow, Fault> {
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        if cells.len() != self.count {
            let message = format!("{} cells and not {}", cells.len(), self.count);
            return Err((
                message,
                "give a cell for each column of the first line".to_owned(),
            ));
        }
        let mut at = Vec::new();
        for (axis, column) in &self.axes {
            let (axis, cell) = (*axis, cells[*column]);
            let values = &study.axes[axis].values;
            if study.axes[axis].is_broken {
                continue;
            }
            let found = values.iter().position(|value| value.text == cell);
            let found = found.ok_or_else(|| {
                let name = &study.axes[axis].name;
                let message = format!("the axis \"{name}\" has no value \"{cell}\"");
                let texts = values.iter().map(|value| value.text.as_str());
                let near = suggest(cell, texts);
                (
                    message,
                    format!("{near}; values are written as in the study, with their unit"),
                )
            })?;
            at.push((axis, found));
        }
        at.extend(
            fixed
                .iter()
                .filter_map(|(axis, values)| Some((*axis, *values.first()?))),
        );
        let number = |column: usize, what: &str| {
            let wrong = |(message, help)| {
                let cell = cells[column];
                (format!("\"{cell}\" is not a valid {what}: {message}"), help)
            };
            unit.amount(cells[column]).map_err(wrong)
        };
        let sd = self.sd.filter(|column| !cells[*column].is_empty());
        let sd = sd
            .map(|column| number(column, "standard deviation"))
            .transpose()?;
        if sd.is_some_and(|sd| sd < 0.0) {
            let message = "a standard deviation below zero".to_owned();
            return Err((message, "give zero or more".to_owned()));
        }
        Ok(ReferenceRow {
            line,
            at,
            mean: number(self.mean, "mean")?,
            sd,
        })
    }
}

/// The tables of measured numbers without mistakes. Their contents are kept with the study.
pub(crate) fn references(
    study: &mut Study,
    all: &[ReferenceKeys],
    known: &Faults,
    faults: &mut Faults,
) {
    for (i, keys) in all.iter().enumerate() {
        let path = format!("reference[{i}]");
        let is_known = study.references.iter().any(|other| other.name == keys.name);
        if is_known {
            let message = format!("there is another reference \"{}\"", keys.name);
            let help = "choose another name";
            faults.add(format!("{path}.name"), message).help(help);
        }
        let text = study.files.text(&keys.file);
        if let Ok(text) = &text {
            study.origin.keep_table(&keys.file, text);
        }
        let found = if known.touch(&path) {
            None
        } else {
            Reference::of(study, path, keys, text, faults)
        };
        study.lost_references |= found.is_none();
        study.references.extend(found);
    }
}

/// Finds the reference of this name.
pub(crate) fn reference(
    study: &Study,
    name: &str,
    path: &str,
    faults: &mut Faults,
) -> Option<usize> {
    let place = study.references.iter().position(|known| known.name == name);
    // Faults of a reference that could not be read have already been reported.
    if place.is_none() && !study.lost_references {
        let message = format!("there is no reference \"{name}\"");
        let names = study.references.iter().map(|known| known.name.as_str());
        faults.add(path, message).help(suggest(name, names));
    }
    place
}

/// A string for a key that accepts any value.
pub(crate) fn text_of(item: &Item) -> Option<&str> {
    match &item.value {
        Toml::Text(text) => Some(text),
        _ => None,
    }
}
