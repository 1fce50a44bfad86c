//! What of a buffer is left to UDP (eq. 2), for 5 % UDP and B* = 7 KB.

use pacesim_analytic::anomaly::EffectiveBuffer;

use super::super::grid::{grid, rises};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const KB: f64 = 1e3;

/// Draws eq. (2) and looks for its peak and its valley.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let buffer = EffectiveBuffer::new(0.05, 7.0 * KB)?;
    let curve = |part: fn(&EffectiveBuffer, f64) -> f64| {
        grid(0.0, 50.0, 5000).map(move |kb| (kb, part(&buffer, kb * KB) / KB))
    };
    let shares: Vec<f64> = grid(0.0, 50.0, 50)
        .map(|kb| buffer.fair_share(kb * KB))
        .collect();
    let steps: Vec<f64> = shares.windows(2).map(|w| w[1] - w[0]).collect();
    let is_linear = steps.iter().all(|s| (s - steps[0]).abs() < 1e-9);
    let (peak, _) = curve(EffectiveBuffer::time_share)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .expect("a curve has points");
    let total: Vec<f64> = curve(EffectiveBuffer::total).map(|(_, y)| y).collect();
    let (maximum, minimum) = buffer.falling().unwrap_or((f64::NAN, f64::NAN));
    let panel = Panel::new("buffer (KB)", "effective buffer for UDP (KB)")
        .line("fair share", curve(EffectiveBuffer::fair_share))
        .line("time share", curve(EffectiveBuffer::time_share))
        .line("total", curve(EffectiveBuffer::total));
    Ok(Report::new()
        .claim(Claim::shows(
            "the fair share against the buffer",
            "linear",
            if is_linear { "linear" } else { "not linear" },
            is_linear,
        ))
        .claim(Claim::equals(
            "where the time share peaks, KB (by eq. 2: at B*)",
            7.0,
            peak,
            1e-6,
        ))
        .claim(Claim::shows(
            "the total against the buffer",
            "not monotone",
            if rises(&total) {
                "monotone"
            } else {
                "not monotone"
            },
            !rises(&total),
        ))
        .claims(corner(
            "maximum",
            &buffer,
            maximum,
            (8.186_447_7, 2.824_310_2),
        ))
        .claims(corner(
            "minimum",
            &buffer,
            minimum,
            (28.449_665, 1.886_704_1),
        ))
        .figure(Figure::new("buffer left to UDP beside TCP (zerobuf Fig. 8)").panel(panel)))
}

/// Where the total turns and what it is there, by eq. (2), in KB.
fn corner(kind: &str, buffer: &EffectiveBuffer, at: f64, by_eq_2: (f64, f64)) -> [Claim; 2] {
    [
        Claim::equals(
            format!("local {kind} of the total: buffer, KB (by eq. 2)"),
            by_eq_2.0,
            at / KB,
            1e-6,
        ),
        Claim::equals(
            format!("local {kind} of the total: effective buffer, KB (by eq. 2)"),
            by_eq_2.1,
            buffer.total(at) / KB,
            1e-6,
        ),
    ]
}
