//! Lengths on paper, with their unit.

use std::fmt;
use std::str::FromStr;

/// Points per unit.
const UNITS: [(&str, f64); 4] = [
    ("in", 72.0),
    ("cm", 72.0 / 2.54),
    ("mm", 7.2 / 2.54),
    ("pt", 1.0),
];

/// A length on paper: a width of a figure, a size of letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintLength {
    /// Number of points, 72 an inch.
    pub points: f64,
}

impl FromStr for PrintLength {
    type Err = String;

    /// Parses "3.33in", "85mm", "8.5 cm" or "8pt".
    fn from_str(text: &str) -> Result<PrintLength, String> {
        let error = || format!("\"{text}\" is not a length on paper with a unit");
        let trimmed = text.trim();
        let mut units = UNITS.iter();
        let parsed = units.find_map(|(unit, points)| {
            let number = trimmed.strip_suffix(unit)?.trim();
            Some(number.parse::<f64>().ok()? * points)
        });
        let points = parsed.ok_or_else(error)?;
        if points.is_finite() && points > 0.0 {
            Ok(PrintLength { points })
        } else {
            Err(error())
        }
    }
}

impl fmt::Display for PrintLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}pt", self.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_on_paper_have_units_of_print() {
        let points = |text: &str| text.parse::<PrintLength>().map(|length| length.points);
        assert_eq!(points("1in"), Ok(72.0));
        assert_eq!(points("25.4mm").map(f64::round), Ok(72.0));
        assert_eq!(points("2.54 cm").map(f64::round), Ok(72.0));
        assert_eq!(points("8pt"), Ok(8.0));
        for wrong in ["3.33", "840px", "-1in", "0pt", "nanpt", "in"] {
            assert!(points(wrong).is_err(), "{wrong}");
        }
    }
}
