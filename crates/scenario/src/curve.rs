//! Distributions written down point by point: a CSV file of values and the probabilities of at
//! most these.
//!
//! ```csv
//! value,cdf
//! 1KB,0.2
//! 10KB,0.7
//! 1MB,1
//! ```
//!
//! Lines that are empty or start with `#` are skipped. A value has its unit, or is a number of
//! bytes, seconds, bit/s or packets.

use pacesim_language::problem::shortened;
use pacesim_units::Quantity;

use crate::values::Unit;

/// The points of a file, in smallest units, or which line is wrong, and why.
pub(crate) fn parse<T: Unit>(text: &str, quantity: Quantity) -> Result<Vec<(f64, f64)>, String> {
    let lines = text.lines().enumerate();
    let lines = lines.map(|(i, line)| (i + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (number, header) = lines.next().ok_or("it is empty")?;
    if fields(header) != Some(("value", "cdf")) {
        return Err(format!(
            "line {number}: the first line must be \"value,cdf\""
        ));
    }
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut last = number;
    for (number, line) in lines {
        let point = point::<T>(line, quantity).map_err(|why| format!("line {number}: {why}"))?;
        if let Some(before) = points.last().filter(|p| point.0 < p.0 || point.1 < p.1) {
            let what = if point.0 < before.0 {
                "value"
            } else {
                "probability"
            };
            return Err(format!(
                "line {number}: the {what} is less than that of the line before"
            ));
        }
        points.push(point);
        last = number;
    }
    match points.last() {
        None => Err("there is no point: give lines like \"10KB,0.5\", the last with 1".to_owned()),
        Some((_, p)) if *p < 1.0 => Err(format!(
            "line {last}: the probabilities rise to {p} only; the last must be 1"
        )),
        Some(_) => Ok(points),
    }
}

fn fields(line: &str) -> Option<(&str, &str)> {
    let (value, probability) = line.split_once(',')?;
    Some((value.trim(), probability.trim()))
}

fn point<T: Unit>(line: &str, quantity: Quantity) -> Result<(f64, f64), String> {
    let (value, probability) = fields(line)
        .ok_or_else(|| format!("\"{}\" is no pair like \"10KB,0.5\"", shortened(line)))?;
    let unit = match quantity {
        Quantity::Span => "s",
        Quantity::Rate => "bps",
        Quantity::Bytes => "B",
        Quantity::Packets | Quantity::Window | Quantity::Capacity => "pkts",
    };
    let parsed = value
        .parse::<T>()
        .or_else(|_| format!("{value}{unit}").parse());
    let parsed = parsed.map_err(|_| {
        let value = shortened(value);
        format!(
            "\"{value}\" is no {}: give a number in {unit} or with its unit",
            quantity.name()
        )
    })?;
    let number = probability.parse::<f64>();
    let p = number.ok().filter(|p| (0.0..=1.0).contains(p));
    let p = p.ok_or_else(|| {
        format!(
            "\"{}\" is no probability from 0 to 1",
            shortened(probability)
        )
    })?;
    Ok((parsed.to_number(), p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::{Bytes, Span};

    #[test]
    fn values_have_units_or_are_in_the_base_unit() {
        let sizes = parse::<Bytes>("# own\nvalue,cdf\n100,0.5\n\n2KB, 1\n", Quantity::Bytes);
        assert_eq!(sizes, Ok(vec![(100.0, 0.5), (2000.0, 1.0)]));
        let times = parse::<Span>("value,cdf\n0.001,1", Quantity::Span);
        assert_eq!(times, Ok(vec![(1e9, 1.0)]));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, expected) in [
            ("", "it is empty"),
            ("1,2\n", "line 1: the first line must be"),
            ("value,cdf\n", "there is no point"),
            ("value,cdf\n1KB\n", "line 2: \"1KB\" is no pair"),
            ("value,cdf\n1s,1\n", "line 2: \"1s\" is no size"),
            ("value,cdf\n1KB,1.5\n", "line 2: \"1.5\" is no probability"),
            ("value,cdf\n2KB,0.5\n1KB,1\n", "line 3: the value is less"),
            (
                "value,cdf\n2KB,0.5\n3KB,0.4\n",
                "line 3: the probability is less",
            ),
            (
                "value,cdf\n2KB,0.5\n3KB,0.9\n",
                "line 3: the probabilities rise to 0.9 only",
            ),
        ] {
            let error = parse::<Bytes>(text, Quantity::Bytes).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
