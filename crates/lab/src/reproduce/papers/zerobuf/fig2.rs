//! Burstiness of 2000 TCP flows against the time scale at six buffers, and the Hurst
//! parameter that its slope gives (slope = H - 1).

use pacesim::measure::mean_interval;
use pacesim::units::Span;

use super::super::offered::Offered;
use crate::plot::{Figure, Panel};
use crate::reproduce::{Claim, Context, Estimate, Fault, Report};

/// Buffers in KB, with the paper's Hurst parameter where it gives one.
const BUFFERS: [(u32, Option<f64>); 6] = [
    (50, None),
    (3_000, None),
    (4_000, None),
    (5_000, Some(0.66)),
    (6_250, Some(0.81)),
    (12_500, Some(0.88)),
];
/// The paper's stated delays, and those of its 250 ms.
const DELAYS: [(&str, &str); 2] = [("RTT 64 ms, as stated", "25ms"), ("RTT 250 ms", "118ms")];
const REPLICATIONS: u64 = 3;
/// The number of dyadic scales, 2^10 to 2^20 us.
const SCALES: u32 = 11;
/// "At time-scales beyond 4 ms the curves flatten": the scales before 2^12 us.
const COMMON: usize = 2;
/// Slow starts are over, and a second is a small part of the run.
const ENOUGH: f64 = 0.5;

/// Burstiness by interval (s), one curve a replication.
struct At {
    kb: u32,
    /// The paper's Hurst parameter.
    paper: Option<f64>,
    curves: Vec<Vec<(f64, f64)>>,
}

fn simulate(context: &Context<'_>, kb: u32, delay: &str) -> Result<Vec<Vec<(f64, f64)>>, Fault> {
    let buffer = format!("link.core.buffer={kb}KB");
    let delay = format!("link.core.delay={delay}");
    let input = context.scenario("zerobuf/fig2", &[&buffer, &delay])?;
    let one = |replication| {
        let probe = |model: &_| Offered::new(model, "core", Span::from_us(1024), SCALES);
        let world = context.watch(&input, replication, probe)?;
        Ok(world.probe().curve(world.now()))
    };
    (0..context.scaled(REPLICATIONS, 1)).map(one).collect()
}

/// Six buffers with either delay.
pub(in crate::reproduce) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    let mut figure = Figure::new("burstiness of 2000 TCP flows (zerobuf Fig. 2)");
    for (name, delay) in DELAYS {
        let mut all = Vec::new();
        for (kb, paper) in BUFFERS {
            let curves = simulate(context, kb, delay)?;
            all.push(At { kb, paper, curves });
        }
        let claims = all.iter().filter_map(|at| at.claim(name));
        let claims = claims.chain([rises(&all, name)]);
        report = report.claims(claims.map(|claim| claim.from_scale(context, ENOUGH)));
        figure = figure.panel(panel(name, &all));
    }
    Ok(report.figure(figure).note(
        "Volumes are those offered to the bottleneck's port, dropped packets included. Slopes are \
         least squares through log beta against log s: over 2^10 to 2^20 us at 50 KB, from 2^12 us \
         on for the Hurst parameters, as the paper's text suggests. Packets are 1000 B on the wire; \
         the window is ns-2's 20 packets.",
    ))
}

const WHY_HURST: &str = "neither the stated delays (58 to 70 ms) nor those of the 250 ms that \
                         6.25 MB are made of give the paper's value at this buffer";
const WHY_SLOPE: &str = "the volume is smoother at large scales than that of a Poisson process; \
                         our guess is that TCP's control loop evens it out within a round trip";

impl At {
    fn claim(&self, delays: &str) -> Option<Claim> {
        match (self.kb, self.paper) {
            (50, _) => {
                let text = format!("slope of beta at 50 KB (Poisson: -0.5); {delays}");
                let ours = self.hurst(0).map(|h| h - 1.0);
                Some(Claim::roughly(text, -0.5, ours).because(WHY_SLOPE))
            }
            (kb, Some(paper)) => {
                let text = format!("Hurst parameter at {} MB; {delays}", f64::from(kb) / 1e3);
                Some(Claim::roughly(text, paper, self.hurst(COMMON)).because(WHY_HURST))
            }
            _ => None,
        }
    }

    /// 1 + slope, without the first few scales.
    fn hurst(&self, from: usize) -> Estimate {
        self.estimate(|curve| 1.0 + slope(curve.get(from..).unwrap_or_default()))
    }

    /// Over replications.
    fn estimate(&self, of: impl Fn(&[(f64, f64)]) -> f64) -> Estimate {
        let values: Vec<f64> = self.curves.iter().map(|curve| of(curve)).collect();
        match mean_interval(&values, 0.95) {
            Some(interval) => interval.into(),
            None => values[0].into(),
        }
    }
}

/// "With small buffers Poisson, with large ones long-range dependent."
fn rises(all: &[At], delays: &str) -> Claim {
    let large = all.iter().filter(|at| at.paper.is_some());
    let values: Vec<f64> = large.map(|at| at.hurst(COMMON).value).collect();
    let texts: Vec<String> = values.iter().map(|h| format!("{h:.2}")).collect();
    let holds = values.windows(2).all(|pair| pair[0] < pair[1]);
    let text = format!("Hurst parameter from 5 to 12.5 MB; {delays}");
    Claim::shows(text, "rises: 0.66, 0.81, 0.88", texts.join(", "), holds)
        .because("it does not rise with the buffer here")
}

/// Least squares in logarithms.
fn slope(curve: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = curve
        .iter()
        .map(|(s, beta)| (libm::log(*s), libm::log(*beta)))
        .collect();
    let n = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let above: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let below: f64 = logs.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    above / below
}

fn panel(name: &str, all: &[At]) -> Panel {
    let mut panel = Panel::new("time scale (us)", "burstiness")
        .titled(name)
        .log_x()
        .log_y();
    for at in all {
        let first = at.curves[0].iter().map(|(s, beta)| (s * 1e6, *beta));
        panel = panel.line(format!("{} KB", at.kb), first);
    }
    panel
}
