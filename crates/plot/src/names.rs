//! Readable column names: `fluid_delay_s` is a "fluid delay" in seconds.

/// A unit that ends a column's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    suffix: &'static str,
    symbol: &'static str,
    /// Quantity of a curve in this unit, if the names have no words in common.
    pub quantity: &'static str,
    /// True if it takes k, M, G.
    prefixed: bool,
}

const fn unit(
    suffix: &'static str,
    symbol: &'static str,
    quantity: &'static str,
    prefixed: bool,
) -> Unit {
    Unit {
        suffix,
        symbol,
        quantity,
        prefixed,
    }
}

/// Longer suffixes before the shorter ones that they end with.
const UNITS: [Unit; 9] = [
    unit("bytes", "B", "size", true),
    unit("bps2", "bps²", "auto-covariance", false),
    unit("bps", "bps", "rate", true),
    unit("per_s", "1/s", "rate", false),
    unit("ms", "ms", "time", false),
    unit("s", "s", "time", true),
    unit("rad", "rad", "angle", false),
    unit("pkts", "packets", "packets", false),
    unit("services", "service times", "time", false),
];

/// The parts of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The words without unit and circumstance: "fluid delay".
    pub words: String,
    /// The circumstance: "at load 0.2".
    pub at: Option<String>,
    /// The unit, if the name ends with one.
    pub unit: Option<Unit>,
}

impl Name {
    /// Splits a column's name into its parts.
    pub fn read(column: &str) -> Name {
        let (stem, at) = match column.split_once("_at_") {
            Some((stem, at)) => (stem, Some(format!("at {}", spaced(at)))),
            None => (column, None),
        };
        let suffixed = |unit: &Unit| {
            let rest = stem.strip_suffix(unit.suffix)?.strip_suffix('_')?;
            Some((spaced(rest), Some(*unit)))
        };
        let found = UNITS.iter().find_map(suffixed);
        let (words, unit) = found.unwrap_or_else(|| (spaced(stem), None));
        Name { words, at, unit }
    }

    /// The label in a legend.
    pub fn label(&self) -> String {
        match &self.at {
            Some(at) => format!("{} {at}", self.words),
            None => self.words.clone(),
        }
    }
}

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// The unit and scale for values up to `most`: "kB" and 1000.
pub fn scaled(unit: Option<Unit>, most: f64) -> (f64, String) {
    let Some(unit) = unit else {
        return (1.0, String::new());
    };
    const LARGER: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    const SMALLER: [(f64, &str); 2] = [(1e-3, "m"), (1e-6, "µ")];
    let candidates: &[(f64, &str)] = match (unit.suffix, unit.prefixed) {
        (_, false) => return squared(unit, most),
        ("s", true) => &SMALLER,
        _ => &LARGER,
    };
    if unit.suffix == "s" && most >= 1.0 {
        return (1.0, unit.symbol.to_owned());
    }
    let fits = candidates.iter().find(|(factor, _)| most >= *factor);
    let (factor, letter) = fits.copied().unwrap_or((1.0, ""));
    // KB as in scenario files.
    let letter = if (unit.suffix, letter) == ("bytes", "k") {
        "K"
    } else {
        letter
    };
    (factor, format!("{letter}{}", unit.symbol))
}

/// The words of a column's name, and its unit and scale for values up to `most`.
pub fn scaled_unit(column: &str, most: f64) -> (String, f64, String) {
    let name = Name::read(column);
    let (factor, symbol) = scaled(name.unit, most);
    (name.label(), factor, symbol)
}

/// An axis label: the words, and the unit in brackets, if any.
pub fn with_unit(words: &str, symbol: &str) -> String {
    match symbol {
        "" => words.to_owned(),
        _ => format!("{words} ({symbol})"),
    }
}

fn squared(unit: Unit, most: f64) -> (f64, String) {
    if unit.suffix == "bps2" && most >= 1e10 {
        (1e12, "Mbps²".to_owned())
    } else {
        (1.0, unit.symbol.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let delay = Name::read("fluid_delay_s");
        assert_eq!(delay.words, "fluid delay");
        assert_eq!(delay.unit.map(|u| u.symbol), Some("s"));
        let loss = Name::read("loss_at_load_0.2");
        assert_eq!(
            (loss.unit, loss.label().as_str()),
            (None, "loss at load 0.2")
        );
        assert_eq!(
            Name::read("omega_per_s").unit.map(|u| u.symbol),
            Some("1/s")
        );
        assert_eq!(Name::read("hops").unit, None);
    }

    #[test]
    fn units_take_the_factor_of_their_values() {
        let of = |column: &str, most| scaled(Name::read(column).unit, most);
        assert_eq!(of("buffer_bytes", 5e4), (1e3, "KB".to_owned()));
        assert_eq!(of("rate_bps", 1.5e7), (1e6, "Mbps".to_owned()));
        assert_eq!(of("time_s", 0.05), (1e-3, "ms".to_owned()));
        assert_eq!(of("time_s", 50.0), (1.0, "s".to_owned()));
        assert_eq!(of("loss", 0.5), (1.0, String::new()));
    }
}
