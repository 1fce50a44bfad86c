//! The bulk-arrival chain (eq. 3-9) and its loss anomaly, judged by a simulated queue.

use pacesim::measure::{bonferroni, mean_interval};
use pacesim::units::Bytes;
use pacesim_analytic::Service;
use pacesim_analytic::anomaly::{Anomaly, Curve, CurvePoint};

use super::super::grid::{falls, rises};
use super::bulk_queue::{BulkWorld, Clocks, Losses};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::{Claim, Estimate};
use pacesim_lab::plot::{Figure, Panel, Point};

/// Losses by eq. (3)-(9), solved once and for all outside of pacesim: buffer in KB, UDP,
/// TCP.
const BY_EQUATIONS: [(u64, f64, f64); 6] = [
    (1, 0.022_269_846, 0.154_667_05),
    (3, 6.382_418_8e-4, 0.013_323_875),
    (8, 1.855_162_6e-4, 0.003_194_662_7),
    (20, 5.533_133_7e-4, 0.008_239_153_8),
    (30, 7.270_342_6e-4, 0.010_615_15),
    (50, 5.102_080_7e-4, 0.007_407_405_4),
];

/// Buffers, in KB, of the simulated queues.
const SIMULATED: [u64; 6] = [1, 3, 8, 15, 30, 50];
const REPLICATIONS: u64 = 20;
/// UDP packets in each.
const PACKETS: u64 = 100_000;

/// The chain of the paper, its anomaly, and the same queue simulated.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let model = Anomaly::default();
    let buffers: Vec<Bytes> = (1..=50).map(|kb| Bytes(kb * 1000)).collect();
    let exponential = model.curve(&buffers)?;
    let deterministic = Anomaly {
        service: Service::Deterministic,
        ..model
    }
    .curve(&buffers)?;
    let simulated = SIMULATED
        .iter()
        .map(|&kb| simulate(context, &model, kb))
        .collect::<Result<Vec<_>, Fault>>()?;
    Ok(Report::new()
        .claims(chain_claims(&model)?)
        .claims(shape_claims(&exponential))
        .claims(
            BY_EQUATIONS
                .iter()
                .flat_map(|row| equation_claims(row, &exponential)),
        )
        .claims(
            simulated
                .iter()
                .flat_map(|queue| queue.claims(&exponential)),
        )
        .claim(deterministic_claim(&deterministic))
        .figure(figure(&exponential, &deterministic, &simulated))
        .note(
            "A TCP packet that does not fit whole is lost whole, and the packet in service counts \
             as part of the buffer (eq. 4), as in the paper.",
        )
        .note(
            "The simulated queue shares no code with the chain: three clocks on the engine's \
             calendar, exponential services, UDP bulks of 1 and TCP bulks of 5. The scenario \
             language has no bulks that are refused whole. Its intervals hold together with 95 %.",
        ))
}

/// Fig. 9: the states at 3 KB, and eq. (5)-(9) written out.
fn chain_claims(model: &Anomaly) -> Result<[Claim; 2], Fault> {
    let buffer = Bytes(3000);
    let states = model.solve(buffer)?.queue;
    let p = states.probabilities();
    // Rates per service of a UDP packet; a TCP packet is five of them.
    let (udp, tcp) = (model.udp_load, model.tcp_load(buffer) / 5.0);
    let last = p.len() - 1;
    let before = |j: usize, size: usize| j.checked_sub(size).map_or(0.0, |i| p[i]);
    let residual = |j: usize| {
        let leaves = f64::from(u8::from(j > 0))
            + udp * f64::from(u8::from(j < last))
            + tcp * f64::from(u8::from(j + 5 <= last));
        let comes = udp * before(j, 1) + tcp * before(j, 5) + p.get(j + 1).unwrap_or(&0.0);
        (leaves * p[j] - comes).abs()
    };
    let worst = (0..p.len()).map(residual).fold(0.0, f64::max);
    let count = Claim::prints("states of the chain at 3 KB", "16", p.len() as f64);
    let balance = Claim::vanishes(
        "greatest violation of a balance equation (5)-(9) at 3 KB",
        worst,
        1e-15,
    );
    Ok([count, balance])
}

/// Fig. 10, in the words of the paper.
fn shape_claims(curve: &Curve) -> [Claim; 2] {
    let losses: Vec<f64> = curve.points.iter().map(|p| p.udp_loss).collect();
    let (small, large) = (&losses[..8], &losses[8..30]);
    let words = |is_so: bool, so: &str| {
        let not = if is_so { "" } else { "not " };
        format!("{not}{so}")
    };
    [
        Claim::shows(
            "UDP loss over buffers of 1 to 8 KB",
            "falls",
            words(falls(small), "falls"),
            falls(small),
        ),
        Claim::shows(
            "UDP loss over buffers of 9 to 30 KB",
            "rises",
            words(rises(large), "rises"),
            rises(large),
        ),
    ]
}

fn equation_claims(&(kb, udp, tcp): &(u64, f64, f64), curve: &Curve) -> [Claim; 2] {
    let point = curve.points[kb as usize - 1];
    [
        Claim::equals(
            format!("UDP loss at {kb} KB (by eq. 3-9)"),
            udp,
            point.udp_loss,
            1e-6,
        ),
        Claim::equals(
            format!("TCP loss at {kb} KB (by eq. 3-9)"),
            tcp,
            point.tcp_loss,
            1e-6,
        ),
    ]
}

/// The paper does not look at it; more regular service must not make the anomaly go.
fn deterministic_claim(curve: &Curve) -> Claim {
    let found = match curve.region {
        Some(region) => format!(
            "rises from {} to {}, by a factor of {:.2}",
            region.from, region.to, region.depth
        ),
        None => "no rise".to_owned(),
    };
    Claim::shows(
        "UDP loss with deterministic service, beyond its valley",
        "rises",
        found,
        curve.region.is_some(),
    )
    .note("not in the paper, which has exponential service only")
}

/// One buffer, simulated.
struct Simulated {
    kb: u64,
    udp: Estimate,
    tcp: Estimate,
}

fn simulate(context: &Context<'_>, model: &Anomaly, kb: u64) -> Result<Simulated, Fault> {
    let world = BulkWorld {
        places: kb * 5,
        udp_rate: model.udp_load,
        tcp_rate: model.tcp_load(Bytes(kb * 1000)) / 5.0,
        tcp_size: 5,
    };
    let component = format!("queue/{kb}KB");
    let mut runs: Vec<Losses> = Vec::new();
    for replication in 0..REPLICATIONS {
        context.check_in()?;
        let stream = |purpose| context.stream(replication, &component, purpose);
        let clocks = Clocks {
            udp: stream("udp"),
            tcp: stream("tcp"),
            service: stream("service"),
        };
        runs.push(world.losses(clocks, context.scaled(PACKETS, 1000)));
    }
    let estimate = |of: fn(&Losses) -> f64| {
        let losses: Vec<f64> = runs.iter().map(of).collect();
        Estimate::from(mean_interval(&losses, level()).expect("twenty replications"))
    };
    Ok(Simulated {
        kb,
        udp: estimate(|losses| losses.udp),
        tcp: estimate(|losses| losses.tcp),
    })
}

/// The level of each interval, so that all hold together with 95 %.
fn level() -> f64 {
    bonferroni(0.95, 2 * SIMULATED.len())
}

impl Simulated {
    fn claims(&self, curve: &Curve) -> [Claim; 2] {
        let point = curve.points[self.kb as usize - 1];
        let text = |what: &str| format!("{what} loss at {} KB: chain and simulation", self.kb);
        [
            Claim::agrees(text("UDP"), point.udp_loss, self.udp),
            Claim::agrees(text("TCP"), point.tcp_loss, self.tcp),
        ]
    }

    fn point(&self, estimate: Estimate) -> Point {
        Point {
            x: self.kb as f64,
            y: estimate.value,
            interval: estimate.interval,
        }
    }
}

fn figure(exponential: &Curve, deterministic: &Curve, simulated: &[Simulated]) -> Figure {
    let line = |curve: &Curve, of: fn(&CurvePoint) -> f64| {
        let point = |p: &CurvePoint| (p.buffer.get() as f64 / 1e3, of(p));
        curve.points.iter().map(point).collect::<Vec<_>>()
    };
    let loss = Panel::new("buffer (KB)", "loss")
        .log_y()
        .line("UDP, chain", line(exponential, |p| p.udp_loss))
        .points_beside("UDP, simulated", simulated.iter().map(|s| s.point(s.udp)))
        .intervals(level(), REPLICATIONS)
        .line("TCP, chain", line(exponential, |p| p.tcp_loss))
        .points_beside("TCP, simulated", simulated.iter().map(|s| s.point(s.tcp)))
        .intervals(level(), REPLICATIONS)
        .line(
            "UDP, deterministic service",
            line(deterministic, |p| p.udp_loss),
        );
    let load = Panel::new("buffer (KB)", "TCP load")
        .line("TCP load (eq. 3)", line(exponential, |p| p.tcp_load));
    Figure::new("loss beside TCP, chain and simulation (zerobuf Fig. 10)")
        .panel(loss)
        .panel(load)
}
