//! Formulas of claims and searches, evaluated at points of the grid.

use pacesim_language::expression::{Problem as Wrong, Value};
use pacesim_scenario::evaluate;

use crate::gauge::{Gauge, Refusal};
use crate::selection::Selection;
use crate::study::Study;

/// The number of a formula at all of these points; `None` if a point's scenario has mistakes of its
/// own.
pub(super) fn over_points(
    study: &Study,
    formula: &str,
    gauge: Gauge,
    points: &[Selection],
) -> Result<Option<f64>, Refusal> {
    let value = value_over_points(study, formula, points)?;
    value.map(|value| gauge.number(value)).transpose()
}

/// The value of a formula, which must be the same at all of these points.
pub(super) fn value_over_points(
    study: &Study,
    formula: &str,
    points: &[Selection],
) -> Result<Option<Value>, Refusal> {
    let mut found: Option<Value> = None;
    for point in points {
        let mut numbers = study.grid.numbers();
        let Some(place) = numbers.find(|number| study.grid.meets(*number, point)) else {
            continue;
        };
        let Some(value) = at_point(study, place, formula)? else {
            return Ok(None);
        };
        if found.is_some_and(|before| before != value) {
            let message = "the formula has different values along the axis".to_owned();
            return Err((
                message,
                "claim one point, or quantities that the axis leaves alone".to_owned(),
            ));
        }
        found = Some(value);
    }
    Ok(found)
}

/// The value of a formula at a point; `None` if the point's scenario has mistakes of its own.
pub(super) fn at_point(study: &Study, point: u64, formula: &str) -> Result<Option<Value>, Refusal> {
    let Ok(checked) = study.scenario(point) else {
        return Ok(None);
    };
    let value = evaluate(&checked, formula).map_err(|wrong| told(formula, wrong))?;
    Ok(Some(value))
}

fn told(formula: &str, wrong: Wrong) -> Refusal {
    let part = formula.get(wrong.at).unwrap_or_default().trim();
    if part.is_empty() {
        (wrong.message, wrong.help)
    } else {
        (format!("{}: \"{part}\"", wrong.message), wrong.help)
    }
}
