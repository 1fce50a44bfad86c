//! Numbers that were measured elsewhere, as points of the study.

use crate::gauge::Refusal;
use crate::name::NumberName;
use crate::selection::Selection;

/// A table of numbers measured elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Path of the table's declaration in the study.
    pub(crate) path: String,
    /// Name of the table in figures and claims.
    pub name: String,
    /// Name of the table in legends.
    pub label: String,
    /// Name of the table's file.
    pub file: String,
    /// Name of the number that was measured.
    pub y: NumberName,
    /// Rows of the table, in the order of the file.
    pub rows: Vec<ReferenceRow>,
}

/// Numbers measured at one point of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceRow {
    /// Line of the file, from 1.
    pub line: usize,
    /// Value of each axis that has several.
    pub at: Vec<(usize, usize)>,
    /// The mean, in the unit of the study's number.
    pub mean: f64,
    /// The standard deviation, if the table has one.
    pub sd: Option<f64>,
}

impl Reference {
    /// The row of a point that is selected.
    pub fn row(&self, selected: &Selection) -> Option<&ReferenceRow> {
        self.rows.iter().find(|row| row.is_in(selected))
    }
}

impl ReferenceRow {
    /// True if the selection has its point. Axes that it does not name may have any value.
    pub fn is_in(&self, selected: &Selection) -> bool {
        selected.iter().all(|(axis, values)| {
            let here = self.at.iter().find(|(known, _)| known == axis);
            here.is_none_or(|(_, value)| values.contains(value))
        })
    }

    /// The row's value of an axis.
    pub fn value(&self, axis: usize) -> Option<usize> {
        let found = self.at.iter().find(|(known, _)| *known == axis);
        found.map(|(_, value)| *value)
    }
}

/// The distance from a measured mean at which a number still agrees: `2 sd + 5 % + 0.05`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Within {
    /// Number of standard deviations.
    pub deviations: f64,
    /// Share of the mean.
    pub share: f64,
    /// Amount in the unit of the claim.
    pub amount: f64,
}

impl Within {
    /// Reads a sum of deviations, percentages and amounts.
    pub(crate) fn read(
        text: &str,
        amount: impl Fn(&str) -> Result<f64, Refusal>,
    ) -> Result<Within, Refusal> {
        let mut within = Within::default();
        for term in text.split('+') {
            let term = term.trim();
            if let Some(number) = term.strip_suffix("sd") {
                within.deviations += plain(number)?;
            } else if let Some(number) = term.strip_suffix('%') {
                within.share += plain(number)?;
            } else {
                within.amount += amount(term)?;
            }
        }
        within.share /= 100.0;
        Ok(within)
    }

    /// The distance around a mean with this deviation, both in the unit of the claim.
    pub fn distance(&self, mean: f64, sd: Option<f64>) -> f64 {
        self.deviations * sd.unwrap_or(0.0).abs() + self.share * mean.abs() + self.amount
    }
}

/// A number of zero or more, without a unit.
fn plain(number: &str) -> Result<f64, Refusal> {
    let number: Option<f64> = number.trim().parse().ok();
    let number = number.filter(|number| (0.0..1e30).contains(number));
    number.ok_or_else(no_tolerance)
}

/// The refusal of a reference without a tolerance.
pub(crate) fn no_tolerance() -> Refusal {
    let message = "the tolerance is missing".to_owned();
    let help = "give standard deviations, percent, an amount or a sum of them, such as within = \"2 sd + 0.5Mbps\"";
    (message, help.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_a_sum_of_deviations_shares_and_amounts() {
        let read = |text| Within::read(text, plain).ok();
        let within = read("2 sd + 0.05").expect("a sum");
        assert_eq!(within.distance(1.0, Some(0.1)), 0.25);
        let within = read("1.5sd+10 %+2").expect("a sum");
        assert_eq!(within.distance(-10.0, Some(2.0)), 6.0);
        assert_eq!(
            read("0.1").map(|within| within.distance(9.0, None)),
            Some(0.1)
        );
        for text in ["", "2 sigma", "sd", "2 sd +", "-1", "nan", "2 sd - 1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
