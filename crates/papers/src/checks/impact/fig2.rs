//! Two waves through a pacer (eq. 4-9): the closed form against a fluid simulation.

use pacesim_analytic::qlbp::{Waves, gain};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

use super::super::grid::grid;
use crate::{Context, Fault, Report};

const ALPHA: f64 = 5.0;
const STEP: f64 = 1e-3;
const END: f64 = 50.0;
/// Height and frequency of the slow wave and the fast one.
const WAVES: [(f64, f64); 2] = [(30.0, 0.2512), (5.0, 10.0)];

fn surge(waves: &[(f64, f64)]) -> Waves {
    Waves {
        mean: 50.0,
        waves: waves.to_vec(),
    }
}

/// The fluid pacer of eq. (1)-(3) with mu_min = 0: dmu/dt = alpha (lambda - mu).
///
/// Integrated by the classical Runge-Kutta rule from an empty queue: rates at each step up to
/// `end`.
fn fluid(alpha: f64, surge: &Waves, end: f64) -> Vec<(f64, f64)> {
    let slope = |t: f64, mu: f64| alpha * (surge.input(t) - mu);
    let mut mu = 0.0;
    let step = |i: u32| {
        let (t, now) = (f64::from(i) * STEP, mu);
        let k1 = slope(t, mu);
        let k2 = slope(t + STEP / 2.0, mu + STEP / 2.0 * k1);
        let k3 = slope(t + STEP / 2.0, mu + STEP / 2.0 * k2);
        let k4 = slope(t + STEP, mu + STEP * k3);
        mu += STEP / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        (t, now)
    };
    (0..=(end / STEP) as u32).map(step).collect()
}

/// The sum of the waves of Fig. 2, and each of its waves alone.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    Ok(report(ALPHA))
}

/// The report for a pacer with this coefficient, compared with eq. (8) and (9) for the paper's.
fn report(alpha: f64) -> Report {
    let surge = surge(&WAVES);
    let simulated = fluid(alpha, &surge, END);
    let off = |&(t, mu): &(f64, f64)| (mu - surge.output(ALPHA, t)).abs();
    let worst = simulated.iter().map(off).fold(0.0, f64::max);
    let text =
        "greatest difference of eq. (8) and the fluid simulation over 50 s, of rates near 50";
    Report::new()
        .claim(Claim::at_most(text, 1e-6, worst))
        .claims(WAVES.map(|wave| amplitude(alpha, wave)))
        .claim(suppressed(WAVES.map(|wave| measured_gain(alpha, wave))))
        .figure(figure(&surge, &simulated))
}

/// The amplitude of one wave behind the pacer, after the transient, divided by its amplitude before
/// it.
fn measured_gain(alpha: f64, (height, omega): (f64, f64)) -> f64 {
    // The residual of the transient is e^-(5 * 10).
    let forgotten = 10.0;
    let period = std::f64::consts::TAU / omega;
    let rates = fluid(alpha, &surge(&[(height, omega)]), forgotten + 2.0 * period).into_iter();
    let settled = rates.filter(|(t, _)| *t > forgotten).map(|(_, mu)| mu);
    let widen = |(low, high): (f64, f64), mu: f64| (low.min(mu), high.max(mu));
    let (low, high) = settled.fold((f64::INFINITY, f64::NEG_INFINITY), widen);
    (high - low) / 2.0 / height
}

fn amplitude(alpha: f64, (height, omega): (f64, f64)) -> Claim {
    let text = format!(
        "simulated amplitude over that of the input, omega = {omega} (by eq. 9: 1/sqrt(1 + \
         (omega/alpha)^2))"
    );
    Claim::equals(
        text,
        gain(ALPHA, omega),
        measured_gain(alpha, (height, omega)),
        1e-4,
    )
}

fn suppressed([slow, fast]: [f64; 2]) -> Claim {
    let ours = format!("{slow:.4} of the slow wave is left, {fast:.4} of the fast one");
    let holds = slow > 0.95 && fast < 0.5;
    let accepts = "95 % or more of the slow wave, less than half of the fast one";
    Claim::shows("what the pacer does to the two waves", ours, holds, accepts).says(
        "the high frequency oscillation ... is effectively suppressed, ... the lower frequency \
             component is rarely affected",
    )
}

fn figure(surge: &Waves, simulated: &[(f64, f64)]) -> Figure {
    let line = |rate: &dyn Fn(f64) -> f64| {
        grid(0.0, END, 2000)
            .map(|t| (t, rate(t)))
            .collect::<Vec<_>>()
    };
    let points = simulated.iter().copied().step_by(500).skip(1);
    let input = Panel::new("time (s)", "rate")
        .titled("before the pacer")
        .line("input", line(&|t| surge.input(t)));
    let output = Panel::new("time (s)", "rate")
        .titled("behind the pacer")
        .line("eq. (8)", line(&|t| surge.output(ALPHA, t)))
        .points("fluid simulation", points);
    Figure::new("Two waves before and behind a pacer (impact Fig. 2)")
        .panel(input)
        .panel(output)
}

#[cfg(test)]
mod tests {
    use pacesim_lab::claims::Verdict;

    use super::super::super::breaking::every_claim_breaks;
    use super::*;

    #[test]
    fn another_pacing_coefficient_breaks_every_claim() {
        let claims = |alpha| report(alpha).claims;
        every_claim_breaks(&claims(ALPHA), &[&claims(2.0 * ALPHA)], &[]);
    }

    #[test]
    fn waves_that_are_both_kept_or_both_suppressed_break_the_claim() {
        for gains in [[1.0, 1.0], [0.4, 0.4], [0.4, 1.0]] {
            assert_eq!(suppressed(gains).verdict, Verdict::Differs);
        }
    }
}
