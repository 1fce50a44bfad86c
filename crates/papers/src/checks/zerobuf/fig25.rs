//! Edge-to-edge loss against the FEC block size (eq. 10-15).

use pacesim_analytic::fec::edge_to_edge;
use pacesim_analytic::fec::{FanIn, best_block, core_loss, edge_loss, edge_loss_by_counting};

use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const LOADS: [f64; 3] = [0.2, 0.3, 0.4];
const LARGEST: u32 = 100;
const FAN_INS: [(&str, FanIn); 3] = [
    ("N = 10", FanIn::Finite(10)),
    ("N = 20", FanIn::Finite(20)),
    ("N infinite", FanIn::Poisson),
];

/// Loss in % by eq. (10)-(15) for N infinite, solved outside of pacesim: no FEC, k = 1,
/// 3, 10.
const BY_EQUATIONS: [(f64, [&str; 4]); 3] = [
    (0.2, ["1.7523", "0.3789", "0.2590", "0.3989"]),
    (0.3, ["3.6936", "1.486", "1.0681", "1.5833"]),
    (0.4, ["6.1552", "3.656", "2.7345", "3.8422"]),
];

/// The same for ten input links and k = 3.
const TEN_LINKS: [(f64, &str); 3] = [(0.2, "0.2247"), (0.3, "0.9567"), (0.4, "2.5216")];

/// The curves, their minima, and both ways to count what cannot be repaired.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    for load in LOADS {
        report = report.claim(best(load)?);
    }
    for (load, losses) in BY_EQUATIONS {
        report = report.claims(infinite(load, losses)?);
    }
    for (load, loss) in TEN_LINKS {
        let ours = 100.0 * edge_to_edge(load, 3, FanIn::Finite(10))?;
        let text = format!("loss at load {load}, k = 3, N = 10, % (by eq. 12)");
        report = report.claim(Claim::prints(text, loss, ours));
    }
    Ok(report.claim(fan_in()?).claim(both_ways()).figure(figure()?))
}

fn best(load: f64) -> Result<Claim, Fault> {
    let blocks = FAN_INS.map(|(_, fan_in)| best_block(load, fan_in, LARGEST));
    let mut ks = Vec::new();
    for block in blocks {
        ks.push(block?.k);
    }
    let is_three = ks.iter().all(|k| *k == 3);
    let ours = format!("k = {}, {}, {}", ks[0], ks[1], ks[2]);
    let text = format!("block size of least loss at load {load}, N = 10, 20, infinite");
    Ok(Claim::shows(text, "near k = 3", ours, is_three))
}

fn infinite(load: f64, losses: [&str; 4]) -> Result<Vec<Claim>, Fault> {
    let text = |what: &str| format!("loss at load {load}, {what}, % (by eq. 13)");
    let without = 100.0 * core_loss(load, FanIn::Poisson)?;
    let mut claims = vec![Claim::prints(text("no FEC"), losses[0], without)];
    for (k, printed) in [1, 3, 10].into_iter().zip(&losses[1..]) {
        let ours = 100.0 * edge_to_edge(load, k, FanIn::Poisson)?;
        claims.push(Claim::prints(text(&format!("k = {k}")), printed, ours));
    }
    Ok(claims)
}

/// "Not very sensitive": the curves of N = 10 and of infinite N, on an axis of decades.
fn fan_in() -> Result<Claim, Fault> {
    let mut worst: f64 = 1.0;
    for load in LOADS {
        for k in 1..=LARGEST {
            let ten = edge_to_edge(load, k, FanIn::Finite(10))?;
            let many = edge_to_edge(load, k, FanIn::Poisson)?;
            worst = worst.max(many / ten);
        }
    }
    let ours = format!("a factor of {worst:.3} at most between N = 10 and infinite N");
    let text = "sensitivity of the loss to the fan-in, k = 1 to 100";
    Ok(Claim::shows(text, "not very sensitive", ours, worst < 1.5))
}

fn both_ways() -> Claim {
    let losses = [1e-6, 1e-3, 0.01, 0.1, 0.5];
    let pairs = losses
        .iter()
        .flat_map(|&l| (1..=LARGEST).map(move |k| (l, k)));
    let difference = |(l, k)| (edge_loss_by_counting(l, k) / edge_loss(l, k) - 1.0).abs();
    let worst = pairs.map(difference).fold(0.0, f64::max);
    Claim::vanishes(
        "greatest relative difference of eq. (14) and (15), k = 1 to 100",
        worst,
        1e-12,
    )
}

/// Lines for many input links, points for ten.
fn figure() -> Result<Figure, Fault> {
    let losses = |load, fan_in, ks: Vec<u32>| {
        let point = |k: u32| Ok((f64::from(k), 100.0 * edge_to_edge(load, k, fan_in)?));
        ks.into_iter().map(point).collect::<Result<Vec<_>, Fault>>()
    };
    let mut panel = Panel::new("block size k", "edge-to-edge loss (%)")
        .log_x()
        .log_y();
    for load in LOADS {
        let many = losses(load, FanIn::Poisson, (1..=LARGEST).collect())?;
        let ten = losses(
            load,
            FanIn::Finite(10),
            vec![1, 2, 3, 4, 6, 10, 20, 50, 100],
        )?;
        panel = panel
            .line(format!("load {load}, N infinite"), many)
            .points_beside(format!("load {load}, N = 10"), ten);
    }
    Ok(Figure::new("loss against FEC block size (zerobuf Fig. 25)").panel(panel))
}
