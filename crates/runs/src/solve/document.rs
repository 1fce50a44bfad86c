//! A solution as one JSON document, with keys in the model's order.

use pacesim_analytic::catalogue::{Scale, Solution, Table};
use serde::ser::{Serialize, Serializer};

use crate::solve::{Origin, Solved};

#[derive(serde::Serialize)]
struct Document<'a> {
    model: &'a str,
    params: InOrder<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a Origin>,
    results: Results<'a>,
}

#[derive(serde::Serialize)]
struct Results<'a> {
    scalars: InOrder<&'a str, f64>,
    tables: InOrder<&'a str, OneTable<'a>>,
    notes: &'a [&'static str],
}

#[derive(serde::Serialize)]
struct OneTable<'a> {
    title: &'a str,
    x_scale: &'static str,
    y_scale: &'static str,
    columns: InOrder<&'a str, &'a [f64]>,
}

/// A map that keeps its keys in order.
struct InOrder<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for InOrder<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<K, V> FromIterator<(K, V)> for InOrder<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> InOrder<K, V> {
        InOrder(pairs.into_iter().collect())
    }
}

pub(super) fn to_json(solved: &Solved) -> String {
    let Solution {
        params,
        scalars,
        tables,
        notes,
    } = &solved.solution;
    let document = Document {
        model: solved.model,
        params: params
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect(),
        origin: solved.origin.as_ref(),
        results: Results {
            scalars: scalars.iter().map(|s| (s.name.as_str(), s.value)).collect(),
            tables: tables.iter().map(|t| (t.name, one_table(t))).collect(),
            notes,
        },
    };
    let text = serde_json::to_string(&document).expect("texts and numbers only");
    text + "\n"
}

fn one_table(table: &Table) -> OneTable<'_> {
    let columns = table.columns.iter();
    OneTable {
        title: table.title,
        x_scale: word(table.x_scale),
        y_scale: word(table.y_scale),
        columns: columns.map(|c| (c.name.as_str(), &c.values[..])).collect(),
    }
}

fn word(scale: Scale) -> &'static str {
    match scale {
        Scale::Linear => "linear",
        Scale::Logarithmic => "logarithmic",
    }
}
