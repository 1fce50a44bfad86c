//! No steady stream is paced longer than Q_max/mu_max (Theorem 1), and by how much a
//! burst exceeds that.

use pacesim::units::Time;
use pacesim::units::{Bytes, Capacity, Rate};
use pacesim_analytic::qlbp::QlbpLaw;
use pacesim_core::random::{Distribution, samplers::Uniform};
use pacesim_pacers::{Qlbp, QlbpConfig};

use super::super::observed::Passages;
use super::super::served::{packets, serve};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const MBPS: f64 = 1e6;
/// 100 packets of 1500 B.
const Q_MAX_KB: f64 = 150.0;

/// The two examples of the remark, and random rates in the simulated network.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    for (mu_max, bound_ms) in [(300.0, 4.0), (600.0, 2.0)] {
        let law = QlbpLaw::new(mu_max * MBPS, MBPS, Q_MAX_KB * 8e3, 600.0 * MBPS)?;
        report = report.claim(Claim::equals(
            format!("Q_max/mu_max of 150 KB at {mu_max} Mbps, ms"),
            bound_ms,
            law.delay_bound() * 1e3,
            1e-12,
        ));
    }
    let steady = steady_delays(context)?;
    let longest = steady.iter().map(|(_, ms)| *ms).fold(0.0, f64::max);
    let over = burst_delay_ms()?;
    Ok(report
        .claim(
            Claim::at_most(
                "longest pacing delay in steady state over random constant rates, ms \
                 (Q_max = 10 packets, mu_max = 10 Mbps)",
                8.0,
                longest,
            )
            .from_scale(context.scale(), 0.5),
        )
        .claim(Claim::shows(
            "the bound is for steady state: a burst may be paced longer",
            "\"a more complicated analysis is required\"",
            format!(
                "a burst of Q_max is held for {over:.1} ms, {:.2} times the bound",
                over / 8.0
            ),
            over > 8.0,
        ))
        .figure(figure(&steady)?))
}

/// Rates in Mbps with their longest delays in ms, after the start.
fn steady_delays(context: &Context<'_>) -> Result<Vec<(f64, f64)>, Fault> {
    let mut stream = context.stream(0, "reproduce/qlbp11/delay-bound", "rates");
    let rates = Uniform::new(0.2e6, 15e6).expect("the low end is below the high end");
    let count = context.scaled(40, 4);
    let one = |_| {
        let bps = rates.sample(&mut stream) as u64;
        let set = format!("flow.cbr.traffic.rate={bps}bps");
        let input = context.scenario("qlbp11/table2", &[&set])?;
        let world = context.watch(&input, 0, |model| {
            Passages::new(model, "paced", Time::ZERO + model.warmup)
        })?;
        let held = world
            .probe()
            .released
            .iter()
            .map(|(came, went)| *went - *came);
        let longest = held.max().map_or(0.0, |held| held.as_secs_f64() * 1e3);
        Ok((bps as f64 / MBPS, longest))
    };
    let mut all = (0..count).map(one).collect::<Result<Vec<_>, Fault>>()?;
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(all)
}

/// How long Table II's pacer holds the last of ten packets that come at once.
fn burst_delay_ms() -> Result<f64, Fault> {
    let mut pacer = Qlbp::new(&QlbpConfig {
        mu_min: Some(Rate::from_mbps(2)),
        mu_max: Rate::from_mbps(10),
        q_max: Capacity::Packets(10),
        q_lim: Capacity::Packets(1000),
        line_rate: Rate::from_mbps(15),
    })?;
    let size = Bytes(1000).get() as u32;
    let passed = serve(&mut pacer, &packets(&[(Time::ZERO, size); 10]));
    let held = passed.iter().map(|packet| packet.release - packet.arrival);
    Ok(held.max().map_or(0.0, |held| held.as_secs_f64() * 1e3))
}

fn figure(steady: &[(f64, f64)]) -> Result<Figure, Fault> {
    let law = QlbpLaw::new(10.0 * MBPS, 2.0 * MBPS, 80_000.0, 15.0 * MBPS)?;
    let bound = law.delay_bound() * 1e3;
    let theory = super::super::grid::grid(0.2, 15.0, 300);
    let fluid = theory
        .clone()
        .map(|mbps| (mbps, law.steady_delay(mbps * MBPS) * 1e3));
    Ok(
        Figure::new("pacing delay in steady state (qlbp11 Theorem 1)").panel(
            Panel::new("input (Mbps)", "longest pacing delay (ms)")
                .line("fluid", fluid.collect::<Vec<_>>())
                .line(
                    "Q_max/mu_max",
                    theory.map(|mbps| (mbps, bound)).collect::<Vec<_>>(),
                )
                .points("simulated", steady.to_vec()),
        ),
    )
}
