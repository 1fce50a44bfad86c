//! The pacing rate against the queue (eq. 1, Figs. 4 and 5), in the closed form and as
//! the pacer's own releases show it. Parameters of Table II.

use pacesim::units::{Capacity, FlowId, Rate, Span, Time};
use pacesim_analytic::qlbp;
use pacesim_pacers::{Pacer, Pending, Qlbp, QlbpConfig, Release};

use super::super::grid::grid;
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const MBPS: f64 = 1e6;
/// Bits of a packet of 1000 B.
const PACKET: f64 = 8000.0;
const Q_MAX: u64 = 10;

fn closed_form() -> Result<qlbp::QlbpLaw, Fault> {
    let (mu_max, mu_min, capacity) = (10.0 * MBPS, 2.0 * MBPS, 15.0 * MBPS);
    Ok(qlbp::QlbpLaw::new(
        mu_max,
        mu_min,
        Q_MAX as f64 * PACKET,
        capacity,
    )?)
}

fn pacer() -> Result<Qlbp, Fault> {
    Ok(Qlbp::new(&QlbpConfig {
        mu_min: Some(Rate::from_mbps(2)),
        mu_max: Rate::from_mbps(10),
        q_max: Capacity::Packets(Q_MAX),
        q_lim: Capacity::Packets(1000),
        line_rate: Rate::from_mbps(15),
    })?)
}

/// The rate at which the pacer releases its head while n packets wait.
fn measured_rate(waiting: u64) -> Result<f64, Fault> {
    let mut pacer = pacer()?;
    let packet = Pending::new(0, FlowId(0), 1000);
    // The first is not delayed; the pause after it is what is measured.
    pacer
        .enqueue(Time::ZERO, packet)
        .expect("the pacer has 1000 places");
    pacer.dequeue(Time::ZERO).expect("the first is not delayed");
    for _ in 0..waiting {
        pacer
            .enqueue(Time::ZERO, packet)
            .expect("the pacer has 1000 places");
    }
    Ok(match pacer.next_release() {
        Release::At(at) => PACKET / (at - Time::ZERO).as_secs_f64(),
        Release::Idle => f64::NAN,
    })
}

/// Eq. (1) at its corners, and the queue in which constant inputs settle.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let law = closed_form()?;
    let at = |q: u64| law.rate(q as f64 * PACKET) / MBPS;
    let mut report = Report::new()
        .claim(Claim::equals("mu(0), Mbps (mu_min)", 2.0, at(0), 1e-12))
        .claim(Claim::equals(
            "mu(Q_max), Mbps (mu_max)",
            10.0,
            at(Q_MAX),
            1e-12,
        ))
        .claim(Claim::equals(
            "mu(Q_max + 1 packet), Mbps (C)",
            15.0,
            at(Q_MAX + 1),
            1e-12,
        ));
    for q in [1, 5, Q_MAX, Q_MAX + 1] {
        let text = format!("rate of the pacer's release with {q} packets waiting, Mbps (eq. 1)");
        report = report.claim(Claim::equals(text, at(q), measured_rate(q)? / MBPS, 1e-8));
    }
    for mbps in [3.0, 5.0, 8.0, 9.5] {
        report = report.claim(steady(&law, mbps));
    }
    let measured = (1..=15)
        .map(|q| Ok((q as f64, measured_rate(q)? / MBPS)))
        .collect::<Result<Vec<_>, Fault>>()?;
    let settled = settled_under_packets()?;
    Ok(report
        .claim(follows(&settled))
        .figure(figure(&law, measured, settled)))
}

/// Fig. 5: q = (lambda - mu_min)/(mu_max - mu_min) Q_max, against the fluid integrated
/// from an empty queue.
fn steady(law: &qlbp::QlbpLaw, mbps: f64) -> Claim {
    let step = 0.01 / law.alpha();
    let mut queue = 0.0;
    for _ in 0..10_000 {
        queue += step * (mbps * MBPS - law.rate(queue));
    }
    let expected = (mbps - 2.0) / (10.0 - 2.0) * Q_MAX as f64;
    let text = format!("queue in which a fluid of {mbps} Mbps settles, packets");
    Claim::equals(text, expected, queue / PACKET, 1e-9)
}

/// The output rate over 400 packets of constant inputs, after 400 more, in Mbps.
fn settled_under_packets() -> Result<Vec<(f64, f64)>, Fault> {
    let settle = |mbps: f64| {
        let gap = Span::from_secs_f64(PACKET / (mbps * MBPS))
            .expect("a packet at 0.5 Mbps and more takes less than a second");
        let arrivals: Vec<(Time, u32)> =
            std::iter::successors(Some(Time::ZERO), |t| Some(*t + gap))
                .map(|at| (at, 1000))
                .take(1200)
                .collect();
        let passed =
            super::super::served::serve(&mut pacer()?, &super::super::served::packets(&arrivals));
        let span = passed[800].release - passed[400].release;
        Ok((mbps, 400.0 * PACKET / span.as_secs_f64() / MBPS))
    };
    grid(0.5, 15.0, 29).map(settle).collect()
}

fn follows(settled: &[(f64, f64)]) -> Claim {
    let worst = settled
        .iter()
        .map(|(input, output)| (output / input - 1.0).abs())
        .fold(0.0, f64::max);
    Claim::vanishes(
        "output of the pacer against constant inputs of 0.5 to 15 Mbps: greatest relative \
         difference",
        worst,
        1e-6,
    )
}

fn figure(law: &qlbp::QlbpLaw, measured: Vec<(f64, f64)>, settled: Vec<(f64, f64)>) -> Figure {
    let rates = grid(0.0, 15.0, 1500).map(|q| (q, law.rate(q * PACKET) / MBPS));
    let queues = grid(0.1, 10.0, 200).map(|r| (r, law.steady_queue(r * MBPS) / PACKET));
    Figure::new("pacing rate against queue, and steady states (qlbp11 Figs. 4 and 5)")
        .panel(
            Panel::new("waiting (packets)", "pacing rate (Mbps)")
                .line("eq. (1)", rates)
                .points_beside("releases of the pacer", measured),
        )
        .panel(
            Panel::new("constant input (Mbps)", "steady queue (packets)")
                .line("steady queue", queues),
        )
        .panel(
            Panel::new("constant input (Mbps)", "output (Mbps)")
                .line("output = input", grid(0.0, 15.0, 2).map(|r| (r, r)))
                .points_beside("the pacer", settled),
        )
}
