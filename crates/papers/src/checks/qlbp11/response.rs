//! The pacing rate after a step of its input (Fig. 6), packet by packet against the closed form,
//! for two response constants.

use pacesim::units::{Bytes, Capacity, Rate, Time};
use pacesim_analytic::qlbp::QlbpLaw;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::{Pending, Qlbp, QlbpConfig};

use super::super::grid::grid;
use super::{MBPS, paced};
use crate::{Context, Fault, Report};

const INPUT: f64 = 8.0 * MBPS;
/// The slow pacer's queue in bytes, and the fast one's; alpha = 8 Mbps/queue.
const QUEUES: [u64; 2] = [100_000, 25_000];
/// The time shown in the figure, in seconds.
const HORIZON: f64 = 0.3;

/// Two constants alpha, each with packets of 1000 B and of 100 B.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    let mut panel = Panel::new("time after the step (ms)", "mu (Mbps)");
    for queue in QUEUES {
        let law = QlbpLaw::new(10.0 * MBPS, 2.0 * MBPS, queue as f64 * 8.0, 10.0 * MBPS)?;
        let (coarse, fine) = (rates(queue, 1000)?, rates(queue, 100)?);
        let alpha = format!("alpha = {:.0}/s", law.alpha());
        report = report.claims(claims(&alpha, error(&law, &coarse), error(&law, &fine)));
        let point = |t: f64, rate: f64| (t * 1e3, rate / MBPS);
        let curve = grid(0.0, HORIZON, 200).map(|t| point(t, law.step_response(INPUT, t)));
        let shown = fine.iter().take_while(|(t, _)| *t <= HORIZON).step_by(60);
        panel = panel
            .line(format!("closed form, {alpha}"), curve)
            .points_beside(
                format!("the pacer, {alpha}"),
                shown.map(|(t, rate)| point(*t, *rate)),
            );
    }
    let figure = Figure::new("Response of QLBP to a step (qlbp11 Fig. 6)").panel(panel);
    Ok(report.figure(figure).note(
        "mu(t) = lambda_0 - (lambda_0 - mu_min) exp(-alpha t) with lambda_0 = 8 Mbps and mu_min = \
         2 Mbps. Our rate is the size of a packet divided by the gap to the next release, at the \
         middle of the gap.",
    ))
}

/// A tenth of the packet size gives a tenth of the distance from the fluid.
fn claims(alpha: &str, coarse: f64, fine: f64) -> [Claim; 2] {
    let greatest = format!("greatest |mu(t) - eq.|/lambda_0 with packets of 100 B, {alpha}");
    let vanishes = format!("that difference over the one with packets of 1000 B, {alpha}");
    [
        Claim::at_most(greatest, 0.01, fine),
        Claim::at_most(vanishes, 0.2, fine / coarse),
    ]
}

/// The pacing rate over a second, from the gaps between releases. The first packet of an idle
/// pacer is not held, so the first gap starts the clock.
fn rates(queue: u64, size: u32) -> Result<Vec<(f64, f64)>, Fault> {
    let mut pacer = Qlbp::new(&QlbpConfig {
        mu_min: Some(Rate::from_mbps(2)),
        mu_max: Rate::from_mbps(10),
        q_max: Capacity::Bytes(Bytes(queue)),
        q_lim: Capacity::Unlimited,
        line_rate: Rate::from_mbps(10),
    })?;
    let bits = f64::from(size) * 8.0;
    let passed = paced(&mut pacer, INPUT, size, (INPUT / bits) as usize);
    let rate = |pair: &[(Time, Pending)]| {
        let (from, to) = (pair[0].0.as_secs_f64(), pair[1].0.as_secs_f64());
        ((from + to) / 2.0, bits / (to - from))
    };
    let rates = passed.windows(2).map(rate);
    // Later packets drain a queue without input.
    Ok(rates.take_while(|(t, _)| *t < 1.0).collect())
}

fn error(law: &QlbpLaw, rates: &[(f64, f64)]) -> f64 {
    let off = |(t, rate): &(f64, f64)| (rate - law.step_response(INPUT, *t)).abs() / INPUT;
    rates.iter().map(off).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use pacesim_lab::claims::Verdict;

    use super::*;

    #[test]
    fn another_queue_breaks_the_claim() {
        let law = QlbpLaw::new(10.0 * MBPS, 2.0 * MBPS, 8e5, 10.0 * MBPS).expect("sound");
        let with = |queue| error(&law, &rates(queue, 100).expect("sound"));
        let coarse = |queue| error(&law, &rates(queue, 1000).expect("sound"));
        let verdicts = |queue| claims("x", coarse(queue), with(queue)).map(|claim| claim.verdict);
        assert_eq!(verdicts(100_000), [Verdict::Pass; 2]);
        assert_eq!(verdicts(90_000), [Verdict::Differs; 2]);
    }
}
