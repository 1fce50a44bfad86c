//! How often the buffer is idle, against its size (eq. 1): 1000 TCP flows, simulated.

use pacesim_analytic::anomaly::idle_probability;
use pacesim_analytic::buffer::{IdleFit, fit_b_star};

use crate::plot::{Figure, Panel, Point};
use crate::reproduce::{Claim, Context, Estimate, Fault, Report};

/// "5 to 50 packets (each packet was 1 KiloByte)".
const BUFFERS_KB: [u32; 10] = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];
const REPLICATIONS: u64 = 5;
const NO_FIT: IdleFit = IdleFit {
    b_star: f64::NAN,
    intercept: f64::NAN,
    r_squared: f64::NAN,
};

/// A simulation for each buffer, and a straight line through the logarithms.
pub(in crate::reproduce) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut idle = Vec::new();
    for kb in BUFFERS_KB {
        let buffer = format!("link.core.buffer={kb}KB");
        let input = context.scenario("zerobuf/fig7", &[&buffer])?;
        let all = context.replicate(&input, REPLICATIONS)?;
        let busy = Estimate::of(&all, "core", "utilisation");
        idle.push((f64::from(kb), busy.map(|busy| 1.0 - busy)));
    }
    // A short run may never be idle at a large buffer, which has no logarithm.
    let seen: Vec<(f64, f64)> = idle
        .iter()
        .map(|(kb, idle)| (*kb, idle.value))
        .filter(|(_, idle)| *idle > 0.0)
        .collect();
    // Nor does a very short one have enough of them for a line.
    let fit = fit_b_star(&seen).unwrap_or(NO_FIT);
    Ok(Report::new()
        .claim(linear(&fit, seen.len()).from_scale(context, 0.5))
        .claim(
            Claim::roughly("B* of the fit, KB", 7.0, fit.b_star)
                .because(
                    "the paper does not give the link of Fig. 7; ours is that of its Fig. 6, which \
                     by its own text is full (9.6 of 10 Mbps for TCP) at 8 KB, where B* = 7 KB \
                     would leave it idle for 32 % of the time: Fig. 7 must be of another link",
                )
                .from_scale(context, 0.5),
        )
        .figure(figure(&idle, &fit, context.scaled(REPLICATIONS, 1)))
        .note(
            "Idle is the share of time in which the core link has nothing to send. Packets are \
             1000 B on the wire; the window is ns-2's 20 packets.",
        ))
}

fn linear(fit: &IdleFit, seen: usize) -> Claim {
    // Two points are always on a line.
    const ENOUGH: usize = 4;
    let explained = 100.0 * fit.r_squared;
    Claim::shows(
        "ln P(idle) against the buffer, 5 to 50 packets",
        "fairly linear",
        format!("a line explains {explained:.1} % of the variance at {seen} buffers"),
        fit.r_squared >= 0.95 && seen >= ENOUGH,
    )
    .because("the link of the paper's Fig. 6 is hardly ever idle from 15 KB on")
}

fn figure(idle: &[(f64, Estimate)], fit: &IdleFit, replications: u64) -> Figure {
    let line = |kb: f64| libm::exp(fit.intercept) * idle_probability(kb, fit.b_star);
    let points = idle.iter().map(|(kb, idle)| Point {
        x: *kb,
        y: idle.value,
        interval: idle.interval,
    });
    let panel = Panel::new("buffer (KB)", "share of time idle")
        .log_y()
        .line(
            format!("fit, B* = {:.2} KB", fit.b_star),
            BUFFERS_KB.map(|kb| (f64::from(kb), line(f64::from(kb)))),
        )
        .points_beside("simulated", points)
        .intervals(0.95, replications);
    Figure::new("idle probability against buffer (zerobuf Fig. 7)").panel(panel)
}
