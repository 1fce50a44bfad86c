//! Panels of a table: curves of one unit share a panel, and shares are separate from other numbers.

use pacesim_analytic::catalogue::{Column, Scale, Table};
use pacesim_plot::names::{Name, Unit, scaled, with_unit};

/// Curves that share a y axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SharedAxis {
    pub(super) label: String,
    pub(super) logarithmic: bool,
    pub(super) curves: Vec<ScaledCurve>,
}

/// A curve, in the units of the axes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScaledCurve {
    pub(super) label: String,
    pub(super) ys: Vec<f64>,
}

/// The quantity that the curves of a panel share.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    Unit(Unit),
    Share,
    Number,
}

struct Named<'a> {
    name: Name,
    column: &'a Column,
}

/// The panels of a table. Columns that are logarithms of another one are redundant and left out.
pub(super) fn panels(table: &Table) -> Vec<SharedAxis> {
    let curves: Vec<Named> = table
        .columns
        .iter()
        .skip(1)
        .filter(|column| !column.name.starts_with("ln_"))
        .map(|column| Named {
            name: Name::read(&column.name),
            column,
        })
        .collect();
    let mut groups: Vec<(Measure, Vec<&Named>)> = Vec::new();
    for curve in &curves {
        let measure = measure(curve, &curves);
        match groups.iter_mut().find(|(other, _)| *other == measure) {
            Some((_, members)) => members.push(curve),
            None => groups.push((measure, vec![curve])),
        }
    }
    let panel = |(measure, members): &(Measure, Vec<&Named>)| panel(*measure, members, table);
    groups.iter().map(panel).collect()
}

/// A plain number is a share if all curves with its words lie between 0 and 1.
fn measure(curve: &Named, all: &[Named]) -> Measure {
    if let Some(unit) = curve.name.unit {
        return Measure::Unit(unit);
    }
    let mut alike = all.iter().filter(|c| c.name.words == curve.name.words);
    let within = |c: &Named| c.column.values.iter().all(|x| (0.0..=1.0).contains(x));
    if alike.all(within) {
        Measure::Share
    } else {
        Measure::Number
    }
}

fn panel(measure: Measure, members: &[&Named], table: &Table) -> SharedAxis {
    let all = || members.iter().flat_map(|m| m.column.values.iter().copied());
    let most = all().fold(0.0, |most: f64, x| most.max(x.abs()));
    let unit = match measure {
        Measure::Unit(unit) => Some(unit),
        _ => None,
    };
    let (factor, symbol) = scaled(unit, most);
    let curve = |m: &&Named| ScaledCurve {
        label: m.name.label(),
        ys: m.column.values.iter().map(|y| y / factor).collect(),
    };
    SharedAxis {
        label: with_unit(&quantity(measure, members), &symbol),
        logarithmic: table.y_scale == Scale::Logarithmic && spread(all()),
        curves: members.iter().map(curve).collect(),
    }
}

/// True if values are spread widely enough for a logarithmic axis.
fn spread(values: impl Iterator<Item = f64>) -> bool {
    let positive = values.filter(|x| *x > 0.0 && x.is_finite());
    let widen = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
    let (low, high) = positive.fold((f64::INFINITY, 0.0), widen);
    high > 5.0 * low
}

/// The common last words of all names, or the quantity that their unit measures.
fn quantity(measure: Measure, members: &[&Named]) -> String {
    let mut names = members.iter().map(|m| m.name.words.as_str());
    let first = names.next().unwrap_or_default();
    let common = names.fold(first, common_end);
    match (common, measure) {
        ("", Measure::Unit(unit)) => unit.quantity.to_owned(),
        ("", Measure::Share) => "share".to_owned(),
        ("", Measure::Number) => "value".to_owned(),
        (words, _) => words.to_owned(),
    }
}

/// The whole words that both strings end in.
fn common_end<'a>(a: &'a str, b: &str) -> &'a str {
    let starts = std::iter::once(0).chain(a.match_indices(' ').map(|(i, _)| i + 1));
    let ends_both = |rest: &&str| b == *rest || b.ends_with(&format!(" {rest}"));
    starts.map(|i| &a[i..]).find(ends_both).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_share_their_last_words() {
        assert_eq!(common_end("fluid delay", "packet delay"), "delay");
        assert_eq!(common_end("loss", "loss"), "loss");
        assert_eq!(common_end("input", "output"), "");
        assert_eq!(common_end("put", "input"), "");
    }

    #[test]
    fn curves_of_one_unit_share_a_panel() {
        let solved = crate::solve::solve("qlbp", &[]).expect("the defaults");
        let steady = solved.solution.get("steady").expect("it has one");
        let labels: Vec<String> = panels(steady).into_iter().map(|p| p.label).collect();
        assert_eq!(
            labels,
            [
                "fluid queue (KB)",
                "controller rate (Mbps)",
                "delay (ms)",
                "waiting (packets)"
            ]
        );
    }
}
