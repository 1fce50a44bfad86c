//! The pacing rate as a function of the queue (eq. 1, Figs. 4 and 5), in closed form and measured
//! from the pacer's releases. Parameters of Table II.

use pacesim::units::{Capacity, FlowId, Rate, Time};
use pacesim_analytic::qlbp::QlbpLaw;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::{Pacer, Pending, Qlbp, QlbpConfig, Release};

use super::super::grid::grid;
use super::{MBPS, paced};
use crate::{Context, Fault, Report};

/// Bits of a packet of 1000 B.
const PACKET: f64 = 8000.0;

fn config() -> QlbpConfig {
    QlbpConfig {
        mu_min: Some(Rate::from_mbps(2)),
        mu_max: Rate::from_mbps(10),
        q_max: Capacity::Packets(10),
        q_lim: Capacity::Packets(1000),
        line_rate: Rate::from_mbps(15),
    }
}

/// The rate, in Mbps, at which the pacer releases its head while n packets wait.
fn measured_rate(config: &QlbpConfig, waiting: u64) -> Result<f64, Fault> {
    let mut pacer = Qlbp::new(config)?;
    let packet = Pending::new(0, FlowId(0), 1000);
    let offer = |pacer: &mut Qlbp| {
        pacer
            .enqueue(Time::ZERO, packet)
            .expect("the pacer has 1000 places")
    };
    // The first packet is not delayed; the pause after it is measured.
    offer(&mut pacer);
    pacer.dequeue(Time::ZERO);
    (0..waiting).for_each(|_| offer(&mut pacer));
    Ok(match pacer.next_release() {
        Release::At(at) => PACKET / at.as_secs_f64() / MBPS,
        Release::Idle => f64::NAN,
    })
}

/// Eq. (1) at its corners, and the queue at which constant inputs settle.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let law = QlbpLaw::new(10.0 * MBPS, 2.0 * MBPS, 10.0 * PACKET, 15.0 * MBPS)?;
    report(&law, &config())
}

fn report(law: &QlbpLaw, config: &QlbpConfig) -> Result<Report, Fault> {
    let at = |q: u64| law.rate(q as f64 * PACKET) / MBPS;
    let corners = [
        ("mu(0), Mbps (mu_min)", 2.0, at(0)),
        ("mu(Q_max), Mbps (mu_max)", 10.0, at(10)),
        ("mu(Q_max + 1 packet), Mbps (C)", 15.0, at(11)),
    ];
    let corners = corners.map(|(text, mbps, ours)| Claim::equals(text, mbps, ours, 1e-12));
    let mut report = Report::new().claims(corners);
    // mu_min + (mu_max - mu_min) q/Q_max, and C beyond.
    for (q, mbps) in [(1, 2.8), (5, 6.0), (10, 10.0), (11, 15.0)] {
        let text = format!("rate of the pacer's release with {q} packets waiting, Mbps (eq. 1)");
        report = report.claim(Claim::equals(text, mbps, measured_rate(config, q)?, 1e-8));
    }
    let measured = (1..=15).map(|q| Ok((q as f64, measured_rate(config, q)?)));
    let measured = measured.collect::<Result<Vec<_>, Fault>>()?;
    let outputs = grid(0.5, 15.0, 29).map(|input| Ok((input, output(config, input)?)));
    let outputs = outputs.collect::<Result<Vec<_>, Fault>>()?;
    Ok(report
        .claims([3.0, 5.0, 8.0, 9.5].map(|input| steady(law, input)))
        .claim(follows(&outputs))
        .figure(figure(law, measured, outputs)))
}

/// Fig. 5: q = (lambda - mu_min)/(mu_max - mu_min) Q_max, against the fluid integrated
/// from an empty queue.
fn steady(law: &QlbpLaw, mbps: f64) -> Claim {
    let step = 0.01 / law.alpha();
    let queue = (0..10_000).fold(0.0, |q, _| q + step * (mbps * MBPS - law.rate(q)));
    let text = format!("queue in which a fluid of {mbps} Mbps settles, packets");
    let expected = (mbps - 2.0) / (10.0 - 2.0) * 10.0;
    Claim::equals(text, expected, queue / PACKET, 1e-9)
}

/// The output rate over 400 packets of a constant input, after the first 400, in Mbps.
fn output(config: &QlbpConfig, input: f64) -> Result<f64, Fault> {
    let passed = paced(&mut Qlbp::new(config)?, input * MBPS, 1000, 1200);
    Ok(400.0 * PACKET / (passed[800].0 - passed[400].0).as_secs_f64() / MBPS)
}

fn follows(outputs: &[(f64, f64)]) -> Claim {
    let off = outputs
        .iter()
        .map(|(input, output)| (output / input - 1.0).abs());
    let text = "output of the pacer against constant inputs of 0.5 to 15 Mbps: greatest relative \
                difference";
    Claim::at_most(text, 1e-6, off.fold(0.0, f64::max))
}

fn figure(law: &QlbpLaw, measured: Vec<(f64, f64)>, outputs: Vec<(f64, f64)>) -> Figure {
    let rates = grid(0.0, 15.0, 1500).map(|q| (q, law.rate(q * PACKET) / MBPS));
    let queues = grid(0.1, 10.0, 200).map(|r| (r, law.steady_queue(r * MBPS) / PACKET));
    let input = "constant input (Mbps)";
    Figure::new("Pacing rate against queue, and steady states (qlbp11 Figs. 4 and 5)")
        .panel(
            Panel::new("waiting (packets)", "pacing rate (Mbps)")
                .line("eq. (1)", rates)
                .points_beside("releases of the pacer", measured),
        )
        .panel(Panel::new(input, "steady queue (packets)").line("steady queue", queues))
        .panel(
            Panel::new(input, "output (Mbps)")
                .line("output = input", [(0.0, 0.0), (15.0, 15.0)])
                .points_beside("the pacer", outputs),
        )
}

#[cfg(test)]
mod tests {
    use super::super::super::breaking::{context, every_claim_breaks};
    use super::*;

    #[test]
    fn another_law_and_another_pacer_break_every_claim() {
        let law = QlbpLaw::new(12.0 * MBPS, 3.0 * MBPS, 10.0 * PACKET, 16.0 * MBPS);
        let law = law.expect("sound");
        let short = QlbpConfig {
            q_lim: Capacity::Packets(1000),
            q_max: Capacity::Packets(12),
            line_rate: Rate::from_mbps(14),
            ..config()
        };
        let claims = |law: &QlbpLaw, config| report(law, config).expect("sound").claims;
        let all = run(&context()).expect("sound").claims;
        every_claim_breaks(&all, &[&claims(&law, &short)], &[]);
    }
}
