//! Readable numbers: three digits and a unit.

pub(crate) use pacesim_lab::claims::six_digits;

/// Three significant digits, without trailing noise: "0.0312", "1.25", "847".
pub(crate) fn three_digits(x: f64) -> String {
    let magnitude = x.abs();
    match magnitude {
        _ if !x.is_finite() => "–".to_owned(),
        _ if magnitude == 0.0 => "0".to_owned(),
        _ if magnitude >= 99.95 => format!("{x:.0}"),
        _ if magnitude >= 9.995 => format!("{x:.1}"),
        _ if magnitude >= 0.9995 => format!("{x:.2}"),
        _ if magnitude >= 0.09995 => format!("{x:.3}"),
        _ if magnitude >= 0.009995 => format!("{x:.4}"),
        _ => format!("{x:.2e}"),
    }
}

/// A number with an SI prefix, ready for a unit: "15.0 M", "847 ".
pub(crate) fn si(x: f64) -> String {
    const FACTORS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    // A number that would be rounded to 1000 takes the next prefix.
    let factor = FACTORS
        .iter()
        .find(|(factor, _)| x.abs() >= 0.9995 * factor);
    match factor {
        Some((factor, letter)) => format!("{} {letter}", three_digits(x / factor)),
        None => format!("{} ", three_digits(x)),
    }
}

/// A count with its noun: "15.0 M packets", "847 packets".
pub(crate) fn count(n: f64, what: &str) -> String {
    format!("{} {what}", si(n).trim_end())
}

/// A number with its noun: "1 flow", "3 flows".
pub(crate) fn how_many(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// Seconds in the most readable unit.
pub(crate) fn time(seconds: f64) -> String {
    match seconds.abs() {
        s if s >= 5400.0 => format!("{:.1} h", seconds / 3600.0),
        s if s >= 120.0 => format!("{:.1} min", seconds / 60.0),
        s if s >= 0.9995 || s == 0.0 => format!("{} s", three_digits(seconds)),
        s if s >= 0.9995e-3 => format!("{} ms", three_digits(seconds * 1e3)),
        _ => format!("{} µs", three_digits(seconds * 1e6)),
    }
}

/// A share as percent.
pub(crate) fn percent(share: f64) -> String {
    match share {
        0.0 => "0 %".to_owned(),
        _ => format!("{} %", three_digits(share * 100.0)),
    }
}

/// A number, or a dash if it is missing.
pub(crate) fn or_dash(number: Option<f64>, text: impl Fn(f64) -> String) -> String {
    number.map_or_else(|| "–".to_owned(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_remain() {
        let cases = [
            (0.0, "0"),
            (1.0, "1.00"),
            (9.996, "10.0"),
            (99.96, "100"),
            (12345.6, "12346"),
            (0.0312, "0.0312"),
            (0.5, "0.500"),
            (1.25e-5, "1.25e-5"),
            (-2.5, "-2.50"),
        ];
        for (x, text) in cases {
            assert_eq!(three_digits(x), text);
        }
        assert_eq!(three_digits(f64::NAN), "–");
    }

    #[test]
    fn factors_and_units_follow_the_size() {
        assert_eq!(si(999.7), "1.00 k");
        assert_eq!(si(15_000_000.0), "15.0 M");
        assert_eq!(si(0.0), "0 ");
        assert_eq!(count(2e6, "packets"), "2.00 M packets");
        assert_eq!(count(847.0, "packets"), "847 packets");
        assert_eq!(time(0.0), "0 s");
        assert_eq!(time(0.0125), "12.5 ms");
        assert_eq!(time(45.0), "45.0 s");
        assert_eq!(time(600.0), "10.0 min");
        assert_eq!(percent(0.0312), "3.12 %");
    }
}
