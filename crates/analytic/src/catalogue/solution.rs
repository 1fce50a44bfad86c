//! The result of a model, in a form for any table, file or plot.

/// One named number; the unit is in the name.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// The name, such as `mean_delay_s` or `loss`.
    pub name: String,
    /// The value.
    pub value: f64,
}

/// One column of a table; the unit is in the name.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name, such as `buffer_bytes`.
    pub name: String,
    /// The values, one for each row.
    pub values: Vec<f64>,
}

/// The recommended scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The axis has equal steps.
    Linear,
    /// The axis has equal ratios.
    Logarithmic,
}

/// A table that is also a set of curves: the first column is x, all others are y.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// A short name, unique in its solution.
    pub name: &'static str,
    /// A one-line description.
    pub title: &'static str,
    /// The columns, all of one length.
    pub columns: Vec<Column>,
    /// The scale of x.
    pub x_scale: Scale,
    /// The scale of y.
    pub y_scale: Scale,
}

impl Table {
    /// A table without columns, drawn linearly.
    pub(crate) fn new(name: &'static str, title: &'static str) -> Table {
        Table {
            name,
            title,
            columns: Vec::new(),
            x_scale: Scale::Linear,
            y_scale: Scale::Linear,
        }
    }

    pub(crate) fn log_x(mut self) -> Table {
        self.x_scale = Scale::Logarithmic;
        self
    }

    pub(crate) fn log_y(mut self) -> Table {
        self.y_scale = Scale::Logarithmic;
        self
    }

    pub(crate) fn column(
        mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = f64>,
    ) -> Table {
        self.columns.push(Column {
            name: name.into(),
            values: values.into_iter().collect(),
        });
        self
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    /// A column by name.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        let column = self.columns.iter().find(|c| c.name == name)?;
        Some(&column.values)
    }
}

/// The result of a model.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Solution {
    /// Every parameter with its value as a string, defaults included.
    pub params: Vec<(&'static str, String)>,
    /// The headline numbers.
    pub scalars: Vec<Scalar>,
    /// The tables and curves.
    pub tables: Vec<Table>,
    /// Notes for the reader: assumptions, and differences between a paper's text and its equations.
    pub notes: Vec<&'static str>,
}

impl Solution {
    pub(crate) fn scalar(mut self, name: impl Into<String>, value: f64) -> Solution {
        let name = name.into();
        self.scalars.push(Scalar { name, value });
        self
    }

    pub(crate) fn table(mut self, table: Table) -> Solution {
        self.tables.push(table);
        self
    }

    pub(crate) fn note(mut self, note: &'static str) -> Solution {
        self.notes.push(note);
        self
    }

    /// A headline number by name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.scalars
            .iter()
            .find(|s| s.name == name)
            .map(|s| s.value)
    }

    /// A table by name.
    pub fn get(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|t| t.name == name)
    }
}
