//! A solution as one JSON document, its keys in the model's own order.

use pacesim_analytic::catalogue::{Scale, Solution, Table};
use serde::ser::{Serialize, Serializer};

use crate::solve::{Origin, Solved};

#[derive(serde::Serialize)]
struct Document<'a> {
    model: &'a str,
    params: Params<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a Origin>,
    results: Results<'a>,
}

struct Params<'a>(&'a Solution);

#[derive(serde::Serialize)]
struct Results<'a> {
    scalars: Scalars<'a>,
    tables: Tables<'a>,
    notes: &'a [&'static str],
}

struct Scalars<'a>(&'a Solution);

struct Tables<'a>(&'a Solution);

#[derive(serde::Serialize)]
struct OneTable<'a> {
    title: &'a str,
    x_scale: &'static str,
    y_scale: &'static str,
    columns: Columns<'a>,
}

struct Columns<'a>(&'a Table);

pub(super) fn to_json(solved: &Solved) -> String {
    let solution = &solved.solution;
    let document = Document {
        model: solved.model,
        params: Params(solution),
        origin: solved.origin.as_ref(),
        results: Results {
            scalars: Scalars(solution),
            tables: Tables(solution),
            notes: &solution.notes,
        },
    };
    let text = serde_json::to_string(&document).expect("texts and numbers only");
    text + "\n"
}

impl Serialize for Params<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.params.iter().map(|(name, text)| (name, text)))
    }
}

impl Serialize for Scalars<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.scalars.iter().map(|s| (&s.name, s.value)))
    }
}

impl Serialize for Tables<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let table = |table| OneTable::new(table);
        to.collect_map(self.0.tables.iter().map(|t| (t.name, table(t))))
    }
}

impl<'a> OneTable<'a> {
    fn new(table: &'a Table) -> OneTable<'a> {
        OneTable {
            title: table.title,
            x_scale: word(table.x_scale),
            y_scale: word(table.y_scale),
            columns: Columns(table),
        }
    }
}

fn word(scale: Scale) -> &'static str {
    match scale {
        Scale::Linear => "linear",
        Scale::Logarithmic => "logarithmic",
    }
}

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.columns.iter().map(|c| (&c.name, &c.values)))
    }
}
