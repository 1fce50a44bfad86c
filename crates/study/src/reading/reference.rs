//! A table of measured numbers as read: its columns, rows and points.

use pacesim_language::problem::{Faults, suggest};
use pacesim_language::tree::{Item, Toml};

use crate::keys::ReferenceKeys;
use crate::named::number;
use crate::reference::{Reference, ReferenceRow};
use crate::selection::{one_value_each, selection};
use crate::study::Study;

/// The column of deviations, unless it is named.
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
        let columns = Columns::of(study, &path, keys, header, &fixed, faults)?;
        if faults.list.len() > before {
            return None;
        }
        let rows = columns.rows(study, keys, lines, &fixed);
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

/// A message and its remedy.
type Fault = (String, String);

/// The places of the columns that count.
struct Columns {
    /// Axes with their columns.
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
        let mut axes = Vec::new();
        for (column, name) in names.iter().enumerate() {
            let axis = study.axes.iter().position(|axis| axis.name == *name);
            match axis {
                Some(axis) if Some(axis) != study.variant_axis() => axes.push((axis, column)),
                _ if *name == keys.mean || *name == sd_name => (),
                _ if keys.ignore.iter().any(|ignored| ignored == name) => (),
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
            if !is_said && axis.values.len() > 1 {
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
        keys: &ReferenceKeys,
        lines: impl Iterator<Item = (usize, &'t str)>,
        fixed: &[(usize, Vec<usize>)],
    ) -> Result<Vec<ReferenceRow>, Fault> {
        let mut rows: Vec<ReferenceRow> = Vec::new();
        let mut wrong: Vec<Fault> = Vec::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let row = self.row(study, keys, line, text, fixed).and_then(|row| {
                match rows.iter().find(|other| other.at == row.at) {
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
        keys: &ReferenceKeys,
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
            let cell = cells[column];
            let number: Option<f64> = cell.parse().ok();
            let number = number.filter(|number| number.is_finite());
            number.map(|number| number * keys.times).ok_or_else(|| {
                let message = format!("\"{cell}\" is not a valid {what}");
                (message, "give a plain number".to_owned())
            })
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
        let found = match known.touch(&path) {
            true => None,
            false => Reference::of(study, path, keys, text, faults),
        };
        study.lost_references |= found.is_none();
        study.references.extend(found);
    }
}

/// The reference of this name.
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
