//! What of a buffer is left to UDP (eq. 2), for 5 % UDP and B* = 7 KB.

use pacesim_analytic::anomaly::EffectiveBuffer;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

use super::super::grid::{course, grid};
use crate::{Context, Fault, Report};

const KB: f64 = 1e3;

/// Draws eq. (2) and looks at its parts.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let buffer = EffectiveBuffer::new(0.05, 7.0 * KB)?;
    let curve = |part: fn(&EffectiveBuffer, f64) -> f64| {
        let point = |kb| (kb, part(&buffer, kb * KB) / KB);
        grid(0.0, 50.0, 5000).map(point).collect::<Vec<_>>()
    };
    let fair = curve(EffectiveBuffer::fair_share);
    let time = curve(EffectiveBuffer::time_share);
    let total = curve(EffectiveBuffer::total);
    let panel = Panel::new("buffer (KB)", "effective buffer for UDP (KB)")
        .line("fair share", fair.clone())
        .line("time share", time.clone())
        .line("total", total.clone());
    Ok(Report::new()
        .claim(fair_share(&fair))
        .claim(time_share(&time))
        .claim(total_share(&total))
        .figure(Figure::new("buffer left to UDP beside TCP (zerobuf Fig. 8)").panel(panel)))
}

fn fair_share(curve: &[(f64, f64)]) -> Claim {
    let steps: Vec<f64> = curve.windows(2).map(|w| w[1].1 - w[0].1).collect();
    let is_linear = steps[0] > 0.0 && steps.iter().all(|s| (s - steps[0]).abs() < 1e-9);
    let ours = if is_linear {
        "equal steps"
    } else {
        "steps differ"
    };
    let text = "the fair share against the buffer";
    Claim::shows(text, ours, is_linear, "rises in equal steps").says("increases linearly")
}

/// It is B exp(-B/B*).
fn time_share(curve: &[(f64, f64)]) -> Claim {
    let peak = curve.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let text = "where the time share peaks, KB (by eq. 2: at B*)";
    Claim::equals(text, 7.0, peak.map_or(f64::NAN, |peak| peak.0), 1e-6)
}

fn total_share(curve: &[(f64, f64)]) -> Claim {
    let values: Vec<f64> = curve.iter().map(|(_, y)| *y).collect();
    let found = course(&values);
    Claim::shows(
        "the total against the buffer",
        found,
        found == "turns",
        "turns",
    )
    .says("a region where larger real buffers can yield smaller effective buffers for UDP")
}

#[cfg(test)]
mod tests {
    use pacesim_lab::claims::Verdict;

    use super::*;

    fn curve(of: fn(f64) -> f64) -> Vec<(f64, f64)> {
        grid(0.0, 50.0, 100).map(|x| (x, of(x))).collect()
    }

    #[test]
    fn other_shares_break_their_claims() {
        assert_eq!(fair_share(&curve(f64::sqrt)).verdict, Verdict::Differs);
        assert_eq!(
            time_share(&curve(|x| x * libm::exp(-x / 8.0))).verdict,
            Verdict::Differs
        );
        assert_eq!(total_share(&curve(|x| 0.05 * x)).verdict, Verdict::Differs);
    }
}
