//! Distributions given point by point: a CSV file of values and their cumulative probabilities.
//!
//! ```csv
//! value,cdf
//! 1KB,0.2
//! 10KB,0.7
//! 1MB,1
//! ```
//!
//! Lines that are empty or start with `#` are skipped.

use pacesim_language::problem::shortened;

use crate::csv::CsvLines;

/// The points of a file, with values parsed by `read`.
///
/// # Errors
///
/// Fails with the faulty line and the reason.
pub fn points(
    text: &str,
    read: impl Fn(&str) -> Result<f64, String>,
) -> Result<Vec<(f64, f64)>, String> {
    let mut lines = CsvLines::of(text);
    let (number, header) = lines.next().ok_or("it is empty")?;
    if header != ["value", "cdf"] {
        return Err(format!(
            "line {number}: the first line must be \"value,cdf\""
        ));
    }
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut last = number;
    for (number, fields) in lines {
        let point = point(&fields, &read).map_err(|why| format!("line {number}: {why}"))?;
        if let Some(before) = points.last().filter(|p| point.0 < p.0 || point.1 < p.1) {
            let what = if point.0 < before.0 {
                "value"
            } else {
                "probability"
            };
            return Err(format!(
                "line {number}: the {what} is less than that of the previous line"
            ));
        }
        points.push(point);
        last = number;
    }
    match points.last() {
        None => {
            Err("there are no points: give lines such as \"10KB,0.5\", the last with 1".to_owned())
        }
        Some((_, p)) if *p < 1.0 => Err(format!(
            "line {last}: the probabilities rise to {p} only; the last must be 1"
        )),
        Some(_) => Ok(points),
    }
}

fn point(
    fields: &[&str],
    read: impl Fn(&str) -> Result<f64, String>,
) -> Result<(f64, f64), String> {
    let [value, probability] = fields else {
        let line = fields.join(",");
        return Err(format!(
            "\"{}\" is not a pair such as \"10KB,0.5\"",
            shortened(&line)
        ));
    };
    let value = read(value)?;
    let number = probability.parse::<f64>();
    let p = number.ok().filter(|p| (0.0..=1.0).contains(p));
    let p = p.ok_or_else(|| {
        let probability = shortened(probability);
        format!("\"{probability}\" is not a probability from 0 to 1")
    })?;
    Ok((value, p))
}
