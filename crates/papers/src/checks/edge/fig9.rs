//! Throughput against the delay of an edge pacer (eq. 1-4). The paper gives neither the
//! loads nor the unit of the delay in the exponent.

use pacesim_analytic::edge::{decay, rises, throughput};

use super::super::grid::{self, grid};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// Both in milliseconds.
const BASE_RTT: f64 = 200.0;
const MOST_DELAY: f64 = 100.0;
/// Loads on either side of where throughput turns, in milliseconds.
const LOW: f64 = 0.9;
const HIGH: f64 = 0.999;
/// 1000 B at the 100 Mbps of the paper's core, in milliseconds.
const PACKET_TIME: f64 = 0.08;
/// What may count as one in the exponents, in milliseconds.
const UNITS: [(&str, f64); 2] = [("in ms", 1.0), ("in packet times", PACKET_TIME)];

/// Throughput over delays of 0 to 100 ms, relative to no pacing, with `unit`
/// milliseconds counted as one.
fn curve(load: f64, unit: f64) -> Result<Vec<(f64, f64)>, Fault> {
    let point = |ms: f64| Ok((ms, throughput(load, ms / unit, BASE_RTT / unit)?));
    grid(0.0, MOST_DELAY, 200).map(point).collect()
}

/// Both regimes, in both units, and where the border between them is.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    for (name, unit) in UNITS {
        let (low, high) = (ys(&curve(LOW, unit)?), ys(&curve(HIGH, unit)?));
        report = report
            .claim(trend("low", LOW, name, &low, true))
            .claim(trend("high", HIGH, name, &high, false))
            .claim(convex(name, &low));
    }
    Ok(report
        .claim(Claim::prints(
            "-(ln load + 1 - load) at load 0.9, against 1/200 = 0.005 (by eq. 4)",
            "0.00536",
            decay(0.9)?,
        ))
        .claim(Claim::prints(
            "the same at load 0.95 (by eq. 4)",
            "0.00129",
            decay(0.95)?,
        ))
        .figure(figure(curve(LOW, 1.0)?, curve(HIGH, 1.0)?))
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

fn ys(curve: &[(f64, f64)]) -> Vec<f64> {
    curve.iter().map(|(_, y)| *y).collect()
}

fn trend(name: &str, load: f64, unit: &str, curve: &[f64], should_rise: bool) -> Claim {
    let (rises, falls) = (grid::rises(curve), grid::falls(curve));
    let paper = if should_rise { "rises" } else { "falls" };
    let last = curve.last().unwrap_or(&f64::NAN);
    let found = match (rises, falls) {
        (true, _) => "rises",
        (_, true) => "falls",
        _ => "turns",
    };
    Claim::shows(
        format!("throughput over delays of 0 to 100 ms at {name} load ({load}, {unit})"),
        paper,
        format!("{found}, to {last:.3} of that without pacing"),
        if should_rise { rises } else { falls },
    )
}

/// "The analysis curve in Fig. 9(a) is convex."
fn convex(unit: &str, curve: &[f64]) -> Claim {
    let is_convex = curve
        .windows(3)
        .all(|w| w[2] - w[1] >= (w[1] - w[0]) * (1.0 - 1e-9));
    let ours = if is_convex { "convex" } else { "not convex" };
    let text = format!("the curve at low load ({unit})");
    Claim::shows(text, "convex", ours, is_convex)
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

fn figure(low: Vec<(f64, f64)>, high: Vec<(f64, f64)>) -> Figure {
    let panel = |load: f64| {
        let title = format!("load {load}");
        Panel::new("pacer delay (ms)", "throughput, relative").titled(title)
    };
    Figure::new("throughput against pacer delay (edge Fig. 9)")
        .panel(panel(LOW).line("eq. (1) to (4)", low))
        .panel(panel(HIGH).line("eq. (1) to (4)", high))
}
