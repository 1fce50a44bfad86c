//! Throughput against the delay of an edge pacer (eq. 1-4). The paper gives neither the loads nor
//! the unit of the delay in the exponent.

use pacesim_analytic::edge::{rises, throughput};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

use super::super::grid::{course, grid};
use crate::{Context, Fault, Report};

/// In milliseconds.
const BASE_RTT: f64 = 200.0;
/// Loads on either side of where throughput turns, in milliseconds.
const LOW: f64 = 0.9;
const HIGH: f64 = 0.999;
/// 1000 B at the 100 Mbps of the paper's core, in milliseconds.
const PACKET_TIME: f64 = 0.08;

/// Throughput over delays of 0 to 100 ms, relative to no pacing, with `unit` milliseconds counted
/// as one in the exponents.
fn curve(load: f64, unit: f64) -> Result<Vec<(f64, f64)>, Fault> {
    let point = |ms: f64| Ok((ms, throughput(load, ms / unit, BASE_RTT / unit)?));
    grid(0.0, 100.0, 200).map(point).collect()
}

/// Both regimes, in both units, and where the border between them is.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    for (name, unit) in [("in ms", 1.0), ("in packet times", PACKET_TIME)] {
        let (low, high) = (curve(LOW, unit)?, curve(HIGH, unit)?);
        report = report
            .claim(
                trend(&format!("low load ({LOW}, {name})"), &low, "rises")
                    .says("monotonically increasing"),
            )
            .claim(
                trend(&format!("high load ({HIGH}, {name})"), &high, "falls")
                    .says("falls monotonically"),
            )
            .claim(convex(name, &low));
    }
    let panel = |load| {
        let title = format!("load {load}");
        Panel::new("pacer delay (ms)", "throughput, relative").titled(title)
    };
    Ok(report
        .figure(
            Figure::new("throughput against pacer delay (edge Fig. 9)")
                .panel(panel(LOW).line("eq. (1) to (4)", curve(LOW, 1.0)?))
                .panel(panel(HIGH).line("eq. (1) to (4)", curve(HIGH, 1.0)?)),
        )
        .note(format!(
            "The paper gives neither its loads (ours are {LOW} and {HIGH}) nor the unit of the \
             delay in eq. (3) and (4). With milliseconds taken as plain numbers throughput turns \
             from rising to falling at a load of {:.4}; with the packet times for which eq. (2) \
             was derived (0.08 ms on the paper's core) at {:.4}. At a load of 0.95 it falls in \
             milliseconds and rises in packet times.",
            turning_load(BASE_RTT)?,
            turning_load(BASE_RTT / PACKET_TIME)?,
        )))
}

fn trend(load: &str, curve: &[(f64, f64)], should: &str) -> Claim {
    let values: Vec<f64> = curve.iter().map(|(_, y)| *y).collect();
    let found = course(&values);
    let ours = format!(
        "{found}, to {:.3} of that without pacing",
        values[values.len() - 1]
    );
    let text = format!("throughput over delays of 0 to 100 ms at {load}");
    Claim::shows(
        text,
        ours,
        found == should,
        &format!("{should} at each step"),
    )
}

fn convex(unit: &str, curve: &[(f64, f64)]) -> Claim {
    let steps: Vec<f64> = curve.windows(2).map(|w| w[1].1 - w[0].1).collect();
    let is_convex = course(&steps) == "rises";
    let ours = if is_convex { "convex" } else { "not convex" };
    let text = format!("the curve at low load ({unit})");
    Claim::shows(
        text,
        ours,
        is_convex,
        "each step greater than the one before",
    )
    .says("convex")
}

/// The load at which throughput neither rises nor falls without delay, by halving.
fn turning_load(base_rtt: f64) -> Result<f64, Fault> {
    let (mut low, mut high) = (0.5, 1.0 - 1e-9);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        match rises(middle, 0.0, base_rtt)? {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use pacesim_lab::claims::Verdict;

    use super::*;

    #[test]
    fn the_other_load_breaks_the_trend() {
        let curve = |load| curve(load, 1.0).expect("a sound load");
        assert_eq!(trend("x", &curve(HIGH), "rises").verdict, Verdict::Differs);
        assert_eq!(trend("x", &curve(LOW), "falls").verdict, Verdict::Differs);
        let concave = grid(0.0, 9.0, 9).map(|x| (x, x.sqrt())).collect::<Vec<_>>();
        assert_eq!(convex("x", &concave).verdict, Verdict::Differs);
    }
}
