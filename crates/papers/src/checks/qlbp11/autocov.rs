//! Auto-covariance of ON-OFF traffic behind the pacer (Theorem 2), in both branches of
//! eq. (6).

use pacesim::measure::{Interval, mean_interval};
use pacesim::units::Time;
use pacesim_analytic::qlbp::OnOff;

use super::super::observed::link;
use crate::{Context, Fault, Report};
use pacesim::model::Model;
use pacesim::net::{Packet, Probe};
use pacesim::units::LinkId;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel, Point};

const MBPS: f64 = 1e6;
const PEAK: f64 = 8.0 * MBPS;
/// ON begins r1 times a second of OFF, OFF r2 times a second of ON.
const R1: f64 = 5.0;
const R2: f64 = 10.0;
/// The line, which is mu_max.
const C: f64 = 10.0 * MBPS;
/// Rates are volumes per bin over its length: short against 1/alpha and 1/(r1 + r2).
const BIN_PS: u64 = 5_000_000_000;
const BIN_S: f64 = 5e-3;
/// Lags in bins: 0 to 400 ms.
const LAGS: [usize; 9] = [0, 5, 10, 20, 30, 40, 50, 60, 80];
/// The lags at which the paper's claims are judged.
const JUDGED: [usize; 4] = [0, 10, 20, 40];
const REPLICATIONS: u64 = 20;

/// alpha below r1 + r2, and equal to it.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let theory = OnOff::new(PEAK, R1, R2)?;
    let mut report = Report::new();
    let mut figure = Figure::new("auto-covariance before and behind QLBP (qlbp11 Theorem 2)");
    for (alpha, branch) in [
        (5.0, "alpha = 5/s, r1 + r2 = 15/s"),
        (R1 + R2, "alpha = r1 + r2 = 15/s"),
    ] {
        let ours = covariances(context, alpha)?;
        let mean = |lag: usize| {
            ours[LAGS
                .iter()
                .position(|l| *l == lag)
                .expect("judged lags are among the lags")]
        };
        for lag in JUDGED {
            let tau = lag as f64 * BIN_S;
            let text = format!("C_mumu({:.0} ms), Mbps^2, {branch} (eq. 6)", tau * 1e3);
            let expected = theory.paced_covariance(alpha, tau) / (MBPS * MBPS);
            let claim = Claim::agrees(text, expected, mean(lag))
                .because("95 % intervals: one in twenty misses by chance");
            report = report.claim(claim.from_scale(context.scale(), 0.2));
        }
        let text = format!("C_mumu(0) < C_lambdalambda(0), Mbps^2, {branch}");
        let input = theory.covariance(0.0) / (MBPS * MBPS);
        report =
            report.claim(Claim::at_most(text, input, mean(0)).from_scale(context.scale(), 0.01));
        figure = figure.panel(panel(&theory, alpha, branch, (&ours, count(context))));
    }
    Ok(report.figure(figure).note(
        "h = 8 Mbps in packets of 100 B, mu_min = 0, mu_max = C = 10 Mbps; rates are counted in \
         bins of 5 ms, at full length over 500 s in each of 20 replications.",
    ))
}

fn panel(
    theory: &OnOff,
    alpha: f64,
    branch: &str,
    (ours, replications): (&[Interval], u64),
) -> Panel {
    let taus = || super::super::grid::grid(0.0, 0.4, 200);
    let squared = MBPS * MBPS;
    let points = LAGS.iter().zip(ours).map(|(lag, of)| Point {
        x: *lag as f64 * BIN_S * 1e3,
        y: of.estimate,
        interval: Some((of.low, of.high)),
    });
    Panel::new("lag (ms)", "auto-covariance (Mbps²)")
        .titled(branch)
        .line(
            "input (eq. 5)",
            taus()
                .map(|t| (t * 1e3, theory.covariance(t) / squared))
                .collect::<Vec<_>>(),
        )
        .line(
            "output (eq. 6)",
            taus()
                .map(|t| (t * 1e3, theory.paced_covariance(alpha, t) / squared))
                .collect::<Vec<_>>(),
        )
        .points_beside("simulated output", points.collect::<Vec<_>>())
        .intervals(0.95, replications)
}

fn count(context: &Context<'_>) -> u64 {
    context.scaled(REPLICATIONS, 2)
}

/// The covariances over replications, in Mbps^2, for each of the lags.
fn covariances(context: &Context<'_>, alpha: f64) -> Result<Vec<Interval>, Fault> {
    let q_max = format!("link.paced.pacer.q_max={}B", (C / alpha / 8.0).round());
    let input = context.scenario("qlbp11/autocov", &[&q_max])?;
    let mut by_lag = vec![Vec::new(); LAGS.len()];
    for replication in 0..count(context) {
        let bins = |model: &Model| Bins::new(link(model, "paced"), Time::ZERO + model.warmup);
        let world = context.watch(&input, replication, bins)?;
        let rates = world.into_probe().rates();
        for (values, lag) in by_lag.iter_mut().zip(LAGS) {
            values.push(covariance(&rates, lag));
        }
    }
    let interval =
        |values: &Vec<f64>| mean_interval(values, 0.95).expect("at least two replications are run");
    Ok(by_lag.iter().map(interval).collect())
}

fn covariance(rates: &[f64], lag: usize) -> f64 {
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let pairs = rates.iter().zip(&rates[lag.min(rates.len())..]);
    let sum: f64 = pairs.map(|(a, b)| (a - mean) * (b - mean)).sum();
    // A run shorter than the lag has none: not a number.
    sum / rates.len().saturating_sub(lag) as f64
}

/// The volume released in each bin.
struct Bins {
    link: LinkId,
    from: Time,
    bytes: Vec<u64>,
}

impl Bins {
    fn new(link: LinkId, from: Time) -> Bins {
        Bins {
            link,
            from,
            bytes: Vec::new(),
        }
    }

    /// The rates in complete bins, in Mbps.
    fn rates(mut self) -> Vec<f64> {
        self.bytes.pop();
        let rate = |bytes: &u64| *bytes as f64 * 8.0 / BIN_S / MBPS;
        self.bytes.iter().map(rate).collect()
    }
}

impl Probe for Bins {
    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, _arrived: Time) {
        if link == self.link && now >= self.from {
            let bin = ((now - self.from).as_ps() / BIN_PS) as usize;
            self.bytes.resize(self.bytes.len().max(bin + 1), 0);
            self.bytes[bin] += u64::from(packet.size);
        }
    }
}
