//! Two waves through a pacer (eq. 4-9): the closed form against a fluid simulation.

use pacesim_analytic::qlbp::{Waves, gain};

use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const ALPHA: f64 = 5.0;
const STEP: f64 = 1e-3;
const END: f64 = 50.0;

/// The fluid pacer of eq. (1)-(3) with mu_min = 0: dmu/dt = alpha (lambda - mu).
///
/// Integrated by the classical Runge-Kutta rule from an empty queue: rates at each step
/// up to `end`.
fn fluid(surge: &Waves, end: f64) -> Vec<(f64, f64)> {
    let slope = |t: f64, mu: f64| ALPHA * (surge.input(t) - mu);
    let mut mu = 0.0;
    let steps = (end / STEP) as usize;
    let mut curve = Vec::with_capacity(steps + 1);
    for i in 0..=steps {
        let t = i as f64 * STEP;
        curve.push((t, mu));
        let k1 = slope(t, mu);
        let k2 = slope(t + STEP / 2.0, mu + STEP / 2.0 * k1);
        let k3 = slope(t + STEP / 2.0, mu + STEP / 2.0 * k2);
        let k4 = slope(t + STEP, mu + STEP * k3);
        mu += STEP / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    curve
}

/// The surge of Fig. 2, and each of its waves alone.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let surge = Waves {
        mean: 50.0,
        waves: vec![(30.0, 0.2512), (5.0, 10.0)],
    };
    let simulated = fluid(&surge, END);
    let worst = simulated
        .iter()
        .map(|&(t, mu)| (mu - surge.output(ALPHA, t)).abs())
        .fold(0.0, f64::max);
    Ok(Report::new()
        .claim(Claim::vanishes(
            "greatest difference of eq. (8) and the fluid simulation over 50 s, of rates \
             near 50",
            worst,
            1e-6,
        ))
        .claims(surge.waves.iter().map(|&wave| amplitude(wave)))
        .claim(suppressed())
        .figure(figure(&surge, &simulated)))
}

/// Half the swing of one wave behind the pacer, once the start is forgotten, over half
/// the swing before it.
fn measured_gain((height, omega): (f64, f64)) -> f64 {
    let wave = Waves {
        mean: 50.0,
        waves: vec![(height, omega)],
    };
    let period = std::f64::consts::TAU / omega;
    // e^-(5 * 10) of the start is left.
    let forgotten = 10.0;
    let settled = fluid(&wave, forgotten + 2.0 * period);
    let rates = settled
        .iter()
        .filter(|(t, _)| *t > forgotten)
        .map(|(_, mu)| *mu);
    let widen = |(low, high): (f64, f64), mu: f64| (low.min(mu), high.max(mu));
    let (low, high) = rates.fold((f64::INFINITY, f64::NEG_INFINITY), widen);
    (high - low) / 2.0 / height
}

fn amplitude((height, omega): (f64, f64)) -> Claim {
    let text = format!(
        "simulated amplitude over that of the input, omega = {omega} (by eq. 9: 1/sqrt(1 + \
         (omega/alpha)^2))"
    );
    Claim::equals(
        text,
        gain(ALPHA, omega),
        measured_gain((height, omega)),
        1e-4,
    )
}

fn suppressed() -> Claim {
    let (slow, fast) = (measured_gain((30.0, 0.2512)), measured_gain((5.0, 10.0)));
    let ours = format!("{slow:.4} of the slow wave is left, {fast:.4} of the fast one");
    let text = "what the pacer does to the two waves";
    Claim::shows(text, "suppresses the fast one", ours, fast < slow / 2.0)
}

fn figure(surge: &Waves, simulated: &[(f64, f64)]) -> Figure {
    let times = || (0..=2000).map(|i| f64::from(i) * END / 2000.0);
    let input = Panel::new("time (s)", "rate")
        .titled("before the pacer")
        .line("input", times().map(|t| (t, surge.input(t))));
    let output = Panel::new("time (s)", "rate")
        .titled("behind the pacer")
        .line("eq. (8)", times().map(|t| (t, surge.output(ALPHA, t))))
        .points(
            "fluid simulation",
            simulated.iter().copied().step_by(500).skip(1),
        );
    Figure::new("two waves before and behind a pacer (impact Fig. 2)")
        .panel(input)
        .panel(output)
}
