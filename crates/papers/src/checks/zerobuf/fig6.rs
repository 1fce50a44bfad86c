//! UDP loss and TCP throughput against the buffer: 1000 TCP flows beside Poisson traffic.
//! The paper's video and fractional Brownian motion are not there yet.

use crate::{Context, Fault, Report};
use pacesim_lab::claims::{Claim, Estimate, Value};
use pacesim_lab::plot::{Figure, Panel, Point};

const BUFFERS_KB: [u32; 12] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 40, 50];
const REPLICATIONS: u64 = 5;
/// Claims need about as many lost packets as the paper's 600 seconds give.
const ENOUGH: f64 = 0.5;

/// What came out for one buffer.
struct At {
    kb: u32,
    /// All bytes of TCP on the wire, in bit/s.
    tcp_bps: Estimate,
    udp_loss: Estimate,
}

fn simulate(context: &Context<'_>, kb: u32) -> Result<At, Fault> {
    let buffer = format!("link.core.buffer={kb}KB");
    let input = context.scenario("zerobuf/fig6", &[&buffer])?;
    let all = context.replicate(&input, REPLICATIONS)?;
    Ok(At {
        kb,
        tcp_bps: Estimate::of(&all, "tcp", "throughput_bps"),
        udp_loss: Estimate::of(&all, "udp", "loss_ratio"),
    })
}

/// A simulation for each buffer.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let curve = BUFFERS_KB
        .into_iter()
        .map(|kb| simulate(context, kb))
        .collect::<Result<Vec<_>, Fault>>()?;
    let claims = [full(&curve), falls(&curve), rises(&curve)];
    Ok(Report::new()
        .claims(claims.map(|claim| claim.from_scale(context.scale(), ENOUGH)))
        .claim(Claim::not_yet(
            "UDP loss at 24 KB over that at 8 KB, with the video trace",
            Some(Value::from(1.3)),
            "a recorded video, which does not ship",
        ))
        .claim(Claim::not_yet(
            "the anomaly with fractional Brownian motion",
            Some(Value::from("is there")),
            "sources of long-range dependent traffic",
        ))
        .figure(figure(&curve, context.scaled(REPLICATIONS, 1)))
        .note(
            "Poisson UDP of 375 kbps and 200 B, the mean and size of the paper's video. TCP packets \
             are 1000 B on the wire (with ns-2's 40 B of headers on top none would fit 1 KB); the \
             window is ns-2's 20 packets.",
        )
        .note(
            "The paper's valley at 8 KB and its 30 % more at 24 KB are those of the video; for \
             Poisson it gives no numbers.",
        ))
}

fn full(curve: &[At]) -> Claim {
    let at_8 = curve.iter().find(|at| at.kb == 8).expect("simulated");
    let mbps = at_8.tcp_bps.map(|bps| bps / 1e6);
    Claim::roughly("TCP throughput at 8 KB, Mbps", 9.6, mbps)
}

fn falls(curve: &[At]) -> Claim {
    let losses: Vec<f64> = curve
        .iter()
        .filter(|at| at.kb <= 8)
        .map(|at| at.udp_loss.value)
        .collect();
    let holds = losses.windows(2).all(|pair| pair[0] > pair[1]);
    let ours = format!(
        "{:.4} at 1 KB, {:.4} at 8 KB",
        losses[0],
        losses[losses.len() - 1]
    );
    Claim::shows("UDP loss over buffers of 1 to 8 KB", "falls", ours, holds)
        .because("with Poisson traffic the loss does not fall at each step")
}

/// The anomaly: the least loss, and the largest beyond it. It counts if their intervals
/// are apart.
fn rises(curve: &[At]) -> Claim {
    let by_loss = |a: &&At, b: &&At| a.udp_loss.value.total_cmp(&b.udp_loss.value);
    let valley = curve.iter().min_by(by_loss).expect("simulated");
    let beyond = curve.iter().filter(|at| at.kb >= valley.kb);
    let top = beyond.max_by(by_loss).expect("the valley itself");
    let ends = |at: &At| at.udp_loss.interval.unwrap_or((f64::NAN, f64::NAN));
    let holds = ends(top).0 > ends(valley).1;
    let ours = format!(
        "{:.4} at {} KB, {:.4} at {} KB: {:.0} % more",
        valley.udp_loss.value,
        valley.kb,
        top.udp_loss.value,
        top.kb,
        100.0 * (top.udp_loss.value / valley.udp_loss.value - 1.0)
    );
    let text = "UDP loss rises again with the buffer, with Poisson traffic";
    Claim::shows(text, "also with Poisson", ours, holds).because("the rise is within the intervals")
}

fn figure(curve: &[At], replications: u64) -> Figure {
    let points = |of: fn(&At) -> Estimate| {
        let point = |at: &At| {
            let estimate = of(at);
            Point {
                x: f64::from(at.kb),
                y: estimate.value,
                interval: estimate.interval,
            }
        };
        curve.iter().map(point).collect::<Vec<_>>()
    };
    let loss = Panel::new("buffer (KB)", "UDP loss")
        .log_y()
        .joined("Poisson, 375 kbps", points(|at| at.udp_loss))
        .intervals(0.95, replications);
    let throughput = Panel::new("buffer (KB)", "TCP throughput (Mbps)")
        .joined("1000 flows", points(|at| at.tcp_bps.map(|bps| bps / 1e6)))
        .intervals(0.95, replications);
    Figure::new("UDP loss and TCP throughput against buffer (zerobuf Fig. 6)")
        .panel(loss)
        .panel(throughput)
}
