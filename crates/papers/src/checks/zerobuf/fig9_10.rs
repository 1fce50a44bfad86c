//! The bulk-arrival chain (eq. 3-9) and its loss anomaly, judged by a simulated queue.

use pacesim::measure::{bonferroni, mean_interval};
use pacesim::units::Bytes;
use pacesim_analytic::Service;
use pacesim_analytic::anomaly::{Anomaly, Curve, CurvePoint};
use pacesim_lab::claims::{Claim, Estimate};
use pacesim_lab::plot::{Figure, Panel, Point};

use super::super::grid::course;
use super::bulk_queue::{BulkWorld, Losses};
use crate::{Context, Fault, Report};

/// Buffers, in KB, of the simulated queues.
const SIMULATED: [u64; 5] = [1, 3, 8, 15, 30];
const REPLICATIONS: u64 = 20;
/// Services in each.
const TIME: f64 = 8e6;
/// How well a simulation has to know a loss, and at which scale it can; losses at neighbours of
/// these buffers are further apart.
const WITHIN: f64 = 0.2;
const LEAST_SCALE: f64 = 0.1;

/// The chain of the paper, its anomaly, and the same queue simulated.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let model = Anomaly::default();
    let buffers: Vec<Bytes> = (1..=50).map(|kb| Bytes(kb * 1000)).collect();
    let service = Service::Deterministic;
    let exponential = model.curve(&buffers)?;
    let deterministic = Anomaly { service, ..model }.curve(&buffers)?;
    let simulated = SIMULATED.map(|kb| simulate(context, &model, kb));
    let simulated = simulated.into_iter().collect::<Result<Vec<_>, Fault>>()?;
    let judged = simulated.iter();
    Ok(Report::new()
        .claims(chain_claims(&model)?)
        .claims(shape_claims(&exponential))
        .claims(judged.flat_map(|queue| queue.claims(context, &exponential)))
        .claim(deterministic_claim(&deterministic))
        .figure(figure(&exponential, &deterministic, &simulated))
        .note(
            "A TCP packet that does not fit whole is lost whole, and the packet in service counts \
             as part of the buffer (eq. 4), as in the paper.",
        )
        .note(
            "The simulated queue shares no code with the chain: three clocks, exponential services, \
             UDP bulks of 1 and TCP bulks of 5. The scenario language has no bulks that are refused \
             whole. Its intervals hold together with 95 %.",
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
    let share = |is_so: bool| f64::from(u8::from(is_so));
    let residual = |j: usize| {
        let leaves = share(j > 0) + udp * share(j < last) + tcp * share(j + 5 <= last);
        let comes = udp * before(j, 1) + tcp * before(j, 5) + p.get(j + 1).unwrap_or(&0.0);
        (leaves * p[j] - comes).abs()
    };
    let worst = (0..p.len()).map(residual).fold(0.0, f64::max);
    let balance = "greatest violation of a balance equation (5)-(9) at 3 KB";
    Ok([
        Claim::prints("states of the chain at 3 KB", "16", p.len() as f64),
        Claim::at_most(balance, 1e-15, worst),
    ])
}

/// Fig. 10, in the words of the paper.
fn shape_claims(curve: &Curve) -> [Claim; 2] {
    let losses: Vec<f64> = curve.points.iter().map(|p| p.udp_loss).collect();
    let goes = |text: &str, losses: &[f64], so: &str| {
        let found = course(losses);
        Claim::shows(text, found, found == so, &format!("{so} at each KB"))
    };
    [
        goes("UDP loss over buffers of 1 to 8 KB", &losses[..8], "falls")
            .says("UDP loss falls monotonically with buffer size"),
        goes(
            "UDP loss over buffers of 9 to 30 KB",
            &losses[8..30],
            "rises",
        )
        .says("UDP packet loss increases with increasing buffer size"),
    ]
}

/// The paper has exponential service only; the anomaly must not depend on that.
fn deterministic_claim(curve: &Curve) -> Claim {
    let found = curve.region.map_or("no rise".to_owned(), |region| {
        format!(
            "rises from {} to {}, by a factor of {:.2}",
            region.from, region.to, region.depth
        )
    });
    let text = "UDP loss with deterministic service, beyond its valley";
    let rises = curve.region.is_some_and(|region| region.depth >= 1.1);
    Claim::shows(text, found, rises, "rises by a tenth or more").note("beyond the paper")
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
        let streams = ["udp", "tcp", "service"].map(stream);
        runs.push(world.losses(streams, TIME * context.scale()));
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
    fn claims(&self, context: &Context<'_>, curve: &Curve) -> [Claim; 2] {
        let point = curve.points[self.kb as usize - 1];
        let claim = |what: &str, theory, ours| {
            let text = format!("{what} loss at {} KB: chain and simulation", self.kb);
            Claim::about(text, theory, WITHIN, ours).from_scale(context.scale(), LEAST_SCALE)
        };
        [
            claim("UDP", point.udp_loss, self.udp),
            claim("TCP", point.tcp_loss, self.tcp),
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
