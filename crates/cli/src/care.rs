//! Means in tables, with the marks of those that need care, and the footnotes of these marks.

use pacesim_lab::Mean;
use pacesim_lab::marks::{Marks, has_enough};
use pacesim_lab::study::Spread;

use crate::numbers::{or_dash, three_digits};
use crate::units::Unit;

/// A mean over replications as tables show it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    mean: Option<f64>,
    interval: Option<(f64, f64)>,
    /// The replications with a value, and all.
    known: (u64, u64),
    marks: Marks,
}

impl From<&Spread> for Shown {
    fn from(spread: &Spread) -> Shown {
        Shown {
            mean: spread.mean,
            interval: spread.low.zip(spread.high),
            known: (spread.n, spread.replications),
            marks: spread.marks,
        }
    }
}

impl Shown {
    /// A mean over this number of replications.
    pub(crate) fn of(mean: &Mean, replications: u64) -> Shown {
        Shown {
            mean: mean.mean,
            interval: mean.low.zip(mean.high),
            known: (mean.n, replications),
            marks: mean.marks,
        }
    }

    fn lacks_some(&self) -> bool {
        (1..self.known.1).contains(&self.known.0)
    }
}

/// The mark of a quantile of few values, and its meaning.
const FEW: &str = " *";
const FEW_VALUES: &str = "* fewer than five values lie beyond this quantile: it is little more than their greatest value\n";

/// A quantile of this number of values in the table of a run, marked if they are few.
pub(crate) fn quantile(
    number: Option<f64>,
    (quantile, values): (f64, u64),
    text: fn(f64) -> String,
) -> String {
    let is_few = number.is_some() && !has_enough(quantile, values as f64);
    or_dash(number, text) + if is_few { FEW } else { "" }
}

/// The meaning of the marks in the tables of a run.
pub(crate) fn footnote(tables: &str) -> &'static str {
    if tables.contains(FEW) { FEW_VALUES } else { "" }
}

/// The footnotes of a table, gathered from its cells.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// True if the table says by itself that all of its replications are identical.
    all_identical: bool,
    few_values: bool,
    lacking: bool,
    identical: bool,
    clusters: Vec<String>,
}

/// The most clusters listed individually.
const MOST_LISTED: usize = 5;

impl Notes {
    /// No notes yet, of a table that may say by itself that all replications are identical.
    pub(crate) fn of(all_identical: bool) -> Notes {
        Notes {
            all_identical,
            ..Notes::default()
        }
    }

    /// The text of a cell: "57.2 ± 7.82 ms (13 of 20)", with marks. `named` is the number in a
    /// footnote.
    pub(crate) fn cell(&mut self, shown: Shown, unit: Unit, named: impl Fn() -> String) -> String {
        let Some(mean) = shown.mean else {
            return "–".to_owned();
        };
        let (factor, symbol) = unit(mean);
        let mut text = interval_text(mean, shown.interval, factor, symbol);
        if shown.lacks_some() {
            text += &format!(" ({} of {})", shown.known.0, shown.known.1);
            self.lacking = true;
        }
        let Marks {
            few_values,
            clusters,
            identical,
        } = shown.marks;
        if few_values {
            text += FEW;
            self.few_values = true;
        }
        if let Some(of) = clusters {
            text += " †";
            let ends = [of.low, of.high].map(|x| format!("{}{symbol}", three_digits(x * factor)));
            self.clusters.push(format!(
                "{} is {} in {} replications and {} in {}",
                named(),
                ends[0],
                of.below,
                ends[1],
                of.above
            ));
        }
        if identical && !self.all_identical {
            text += " =";
            self.identical = true;
        }
        text
    }

    /// The meaning of the marks, one per line.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if self.lacking {
            text += "(n of N): only n of N replications have a value, so others may differ\n";
        }
        if self.few_values {
            text += FEW_VALUES;
        }
        if self.identical {
            text += "= identical replications: nothing is drawn, so there is no interval\n";
        }
        if !self.clusters.is_empty() {
            let shown = self.clusters.iter().take(MOST_LISTED).cloned();
            let shown: Vec<String> = shown.collect();
            let more = match self.clusters.len().saturating_sub(MOST_LISTED) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            text += &format!(
                "† two clusters, whose mean describes neither: {}{more}\n",
                shown.join("; ")
            );
        }
        text
    }
}

/// A mean with the half-width of its interval; with the ends of an interval that is not symmetric,
/// if its width would seem to reach below 0.
fn interval_text(mean: f64, interval: Option<(f64, f64)>, factor: f64, symbol: &str) -> String {
    let text = three_digits(mean * factor);
    let Some((low, high)) = interval else {
        return format!("{text}{symbol}");
    };
    let half_width = (high - mean).max(mean - low);
    if low >= 0.0 && half_width > mean * (1.0 + 1e-9) {
        let (low, high) = (three_digits(low * factor), three_digits(high * factor));
        format!("{text} ({low} to {high}){symbol}")
    } else {
        format!("{text} ± {}{symbol}", three_digits(half_width * factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::seconds;

    fn shown(mean: f64, low: f64, high: f64) -> Shown {
        Shown {
            mean: Some(mean),
            interval: Some((low, high)),
            known: (20, 20),
            marks: Marks::default(),
        }
    }

    fn cell(shown: Shown) -> (String, String) {
        let mut notes = Notes::default();
        let text = notes.cell(shown, seconds, || "delay of f".to_owned());
        (text, notes.text())
    }

    #[test]
    fn intervals_do_not_seem_to_reach_below_zero() {
        let texts = [
            (shown(0.0572, 0.0494, 0.065), "57.2 ± 7.80 ms"),
            (shown(0.0572, 0.0001, 0.3), "57.2 (0.100 to 300) ms"),
            (shown(-1.0, -3.0, 1.0), "-1.00e6 ± 2.00e6 µs"),
        ];
        for (number, text) in &texts[..2] {
            assert_eq!(cell(*number), ((*text).to_owned(), String::new()));
        }
        assert!(cell(texts[2].0).0.contains('±'));
    }

    #[test]
    fn missing_replications_and_marks_are_shown_with_their_meaning() {
        let whole = shown(0.0572, 0.0494, 0.065);
        let (text, note) = cell(Shown {
            known: (13, 20),
            ..whole
        });
        assert_eq!(text, "57.2 ± 7.80 ms (13 of 20)");
        assert!(note.starts_with("(n of N)"), "{note}");
        let marks = Marks {
            few_values: true,
            ..Marks::default()
        };
        let (text, note) = cell(Shown { marks, ..whole });
        assert_eq!(text, "57.2 ± 7.80 ms *");
        assert!(note.starts_with("* fewer than five"), "{note}");
        let values = [0.0034, 0.208, 0.0035, 0.207, 0.0034, 0.209];
        let marks = Marks::default().with_clusters(&values);
        let (text, note) = cell(Shown { marks, ..whole });
        assert!(text.ends_with('†'), "{text}");
        assert!(
            note.contains("delay of f is 3.43 ms in 3 replications and 208 ms in 3"),
            "{note}"
        );
    }
}
