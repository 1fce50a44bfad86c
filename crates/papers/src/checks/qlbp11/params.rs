//! The rule of thumb for a pacer's parameters (section III-C). The search for the best
//! ones, which the paper leaves open, is the study `beyond/tune`.

use pacesim::units::{Capacity, Rate, Span};
use pacesim_analytic::qlbp::QlbpLaw;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::rule_of_thumb;

use super::super::grid::grid;
use super::MBPS;
use crate::{Context, Fault, Report};

/// The link of the example, in Mbps.
const CAPACITY: u64 = 100;
const D_MAX_MS: u64 = 4;

/// The rule at three utilisations.
pub(crate) fn run(_context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    for utilisation in [0.2, 0.5, 0.8] {
        report = report.claims(at(utilisation)?);
    }
    // What the rule is made for: Theorem 1 then gives D_max itself.
    let bound = "delay bound Q_max/mu_max of the rule's pacer, ms (D_max)";
    let ms = closed_form(0.5)?.delay_bound() * 1e3;
    Ok(report
        .claim(Claim::equals(bound, D_MAX_MS as f64, ms, 1e-12))
        .figure(figure()?)
        .note("The least burstiness subject to d <= D_max, which the paper leaves open (eq. 7), is beyond/tune.")
        .note("`pacesim solve qlbp --set utilisation=0.5 --set delay_limit=4ms` prints the rule."))
}

/// mu_max = (1 + rho)/2 C, mu_min = rho/2 C, Q_max = D_max mu_max.
fn at(utilisation: f64) -> Result<[Claim; 3], Fault> {
    let capacity = CAPACITY as f64;
    let config = rule_of_thumb(
        utilisation,
        Rate::from_mbps(CAPACITY),
        Span::from_ms(D_MAX_MS),
    )?;
    let q_max = match config.q_max {
        Capacity::Bytes(bytes) => bytes.get() as f64 * 8.0,
        _ => f64::NAN,
    };
    let mbps = |rate: Rate| rate.as_bps() as f64 / MBPS;
    let mu_max = (1.0 + utilisation) / 2.0 * capacity;
    let mu_min = utilisation / 2.0 * capacity;
    let values = [
        ("mu_max, Mbps", mu_max, mbps(config.mu_max)),
        ("mu_min, Mbps", mu_min, config.mu_min.map_or(f64::NAN, mbps)),
        ("Q_max, Mbit", D_MAX_MS as f64 * 1e-3 * mu_max, q_max / MBPS),
    ];
    Ok(values.map(|(what, rule, ours)| {
        Claim::equals(
            format!("{what} at a utilisation of {utilisation}"),
            rule,
            ours,
            1e-9,
        )
    }))
}

fn closed_form(utilisation: f64) -> Result<QlbpLaw, Fault> {
    let d_max = D_MAX_MS as f64 * 1e-3;
    Ok(QlbpLaw::rule_of_thumb(
        CAPACITY as f64 * MBPS,
        utilisation,
        d_max,
    )?)
}

fn figure() -> Result<Figure, Fault> {
    let of = |part: fn(&QlbpLaw) -> f64| {
        let point = |utilisation| Ok((utilisation, part(&closed_form(utilisation)?) / MBPS));
        grid(0.0, 1.0, 100)
            .map(point)
            .collect::<Result<Vec<_>, Fault>>()
    };
    let panel = Panel::new("utilisation", "rate (Mbps)")
        .line("mu_max", of(QlbpLaw::mu_max)?)
        .line("mu_min", of(QlbpLaw::mu_min)?);
    Ok(Figure::new("rule of thumb for a link of 100 Mbps (qlbp11 III-C)").panel(panel))
}
