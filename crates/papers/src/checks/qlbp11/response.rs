//! The pacing rate after a step of its input (Fig. 6), packet by packet against the
//! closed form, for two response constants.

use pacesim::units::Time;
use pacesim_analytic::qlbp::QlbpLaw;

use super::super::observed::Passages;
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const MBPS: f64 = 1e6;
const INPUT: f64 = 8.0 * MBPS;
const MU_MIN: f64 = 2.0 * MBPS;
const MU_MAX: f64 = 10.0 * MBPS;
/// The slow pacer's queue in bytes, and the fast one's; alpha = 8 Mbps/queue.
const QUEUES: [u64; 2] = [100_000, 25_000];

/// Two constants alpha, each with packets of 1000 B and of 100 B.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    let mut panel = Panel::new("time after the step (ms)", "mu (Mbps)");
    for queue in QUEUES {
        let law = QlbpLaw::new(MU_MAX, MU_MIN, queue as f64 * 8.0, MU_MAX)?;
        let coarse = rates(context, queue, 1000)?;
        let fine = rates(context, queue, 100)?;
        let (coarse, fine_error) = (error(&law, &coarse), error(&law, &fine));
        let alpha = law.alpha();
        let text = |what: &str| format!("{what}, alpha = {alpha:.0}/s");
        report = report
            .claim(
                Claim::vanishes(
                    text("greatest |mu(t) - eq.|/lambda_0 with packets of 100 B"),
                    fine_error,
                    0.01,
                )
                .from_scale(context.scale(), 0.5),
            )
            .claim(
                Claim::shows(
                    text("that difference vanishes as packets become a fluid"),
                    "a fluid",
                    format!("{coarse:.4} with 1000 B, {fine_error:.4} with 100 B"),
                    fine_error < coarse / 5.0,
                )
                .from_scale(context.scale(), 0.5),
            );
        let ms = |t: f64| t * 1e3;
        let horizon = 3.0 / QlbpLaw::new(MU_MAX, MU_MIN, 800_000.0, MU_MAX)?.alpha();
        let curve = super::super::grid::grid(0.0, horizon, 200)
            .map(|t| (ms(t), law.step_response(INPUT, t) / MBPS));
        let every = (fine.len() / 40).max(1);
        let shown = fine.iter().step_by(every).filter(|(t, _)| *t <= horizon);
        panel = panel
            .line(format!("closed form, alpha = {alpha:.0}/s"), curve)
            .points_beside(
                format!("simulated, alpha = {alpha:.0}/s"),
                shown
                    .map(|(t, rate)| (ms(*t), rate / MBPS))
                    .collect::<Vec<_>>(),
            );
    }
    let figure = Figure::new("response of QLBP to a step (qlbp11 Fig. 6)").panel(panel);
    Ok(report.figure(figure).note(
        "mu(t) = lambda_0 - (lambda_0 - mu_min) exp(-alpha t) with lambda_0 = 8 Mbps and mu_min = \
         2 Mbps; ours is a packet's size over the gap to the next release, at its middle.",
    ))
}

/// The pacing rate over time, from the gaps between releases. The first packet of an
/// idle pacer is not held, so the first gap starts the clock.
fn rates(context: &Context<'_>, queue: u64, size: u64) -> Result<Vec<(f64, f64)>, Fault> {
    let sets = [
        format!("link.paced.pacer.q_max={queue}B"),
        format!("flow.step.traffic.size={size}B"),
    ];
    let input = context.scenario("qlbp11/response", &[&sets[0], &sets[1]])?;
    let world = context.watch(&input, 0, |model| Passages::new(model, "paced", Time::ZERO))?;
    let released = &world.probe().released;
    let rate = |pair: &[(Time, Time)]| {
        let (from, to) = (pair[0].1, pair[1].1);
        let middle = ((from - Time::ZERO) + (to - Time::ZERO)).as_secs_f64() / 2.0;
        (middle, size as f64 * 8.0 / (to - from).as_secs_f64())
    };
    Ok(released.windows(2).map(rate).collect())
}

fn error(law: &QlbpLaw, rates: &[(f64, f64)]) -> f64 {
    let off = |(t, rate): &(f64, f64)| (rate - law.step_response(INPUT, *t)).abs() / INPUT;
    rates.iter().map(off).fold(0.0, f64::max)
}
