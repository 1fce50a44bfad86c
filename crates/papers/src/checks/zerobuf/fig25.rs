//! Edge-to-edge loss against the FEC block size (eq. 10-15).

use pacesim_analytic::fec::{FanIn, best_block, edge_loss, edge_loss_by_counting, edge_to_edge};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

use crate::{Context, Fault, Report};

const LARGEST: u32 = 100;
const FAN_INS: [FanIn; 3] = [FanIn::Finite(10), FanIn::Finite(20), FanIn::Poisson];

const LOADS: [f64; 3] = [0.2, 0.3, 0.4];

/// The curves, their minima, and both ways to count what cannot be repaired.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    let mut panel = Panel::new("block size k", "edge-to-edge loss (%)")
        .log_x()
        .log_y();
    for load in LOADS {
        let (many, ten) = (
            curve(load, FanIn::Poisson)?,
            curve(load, FanIn::Finite(10))?,
        );
        report = report.claim(best(load)?);
        panel = panel
            .line(format!("load {load}, N infinite"), many)
            .points_beside(format!("load {load}, N = 10"), ten.into_iter().step_by(9));
    }
    Ok(report
        .claim(fan_in()?)
        .claim(both_ways())
        .figure(Figure::new("loss against FEC block size (zerobuf Fig. 25)").panel(panel)))
}

/// The loss in % with each block size.
fn curve(load: f64, fan_in: FanIn) -> Result<Vec<(f64, f64)>, Fault> {
    let point = |k: u32| Ok((f64::from(k), 100.0 * edge_to_edge(load, k, fan_in)?));
    (1..=LARGEST).map(point).collect()
}

fn best(load: f64) -> Result<Claim, Fault> {
    let blocks = FAN_INS.map(|fan_in| Ok(best_block(load, fan_in, LARGEST)?.k));
    let ks = blocks.into_iter().collect::<Result<Vec<u32>, Fault>>()?;
    let text = format!("block size of least loss at load {load}, N = 10, 20, infinite");
    let ours = format!("k = {}, {}, {}", ks[0], ks[1], ks[2]);
    Ok(Claim::shows(text, ours, ks == [3; 3], "3 for each N").says("k = 3 in this case"))
}

/// The curves of N = 10 and of infinite N, on an axis of decades.
fn fan_in() -> Result<Claim, Fault> {
    let mut worst: f64 = 1.0;
    for load in LOADS {
        let (many, ten) = (
            curve(load, FanIn::Poisson)?,
            curve(load, FanIn::Finite(10))?,
        );
        let ratios = many.iter().zip(&ten).map(|(many, ten)| many.1 / ten.1);
        worst = ratios.fold(worst, f64::max);
    }
    let ours = format!("a factor of {worst:.3} at most between N = 10 and infinite N");
    let text = "sensitivity of the loss to the fan-in, k = 1 to 100";
    let accepts = "a factor of at most 1.5, where load makes one of ten";
    Ok(Claim::shows(text, ours, worst < 1.5, accepts).says("not very sensitive to the fan-in N"))
}

fn both_ways() -> Claim {
    let losses = [1e-6, 1e-3, 0.01, 0.1, 0.5];
    let pairs = losses
        .iter()
        .flat_map(|&l| (1..=LARGEST).map(move |k| (l, k)));
    let difference = |(l, k)| (edge_loss_by_counting(l, k) / edge_loss(l, k) - 1.0).abs();
    let text = "greatest relative difference of eq. (14) and (15), k = 1 to 100";
    Claim::at_most(text, 1e-12, pairs.map(difference).fold(0.0, f64::max))
}
