//! Queue and delay of the pacer under eight constant rates (Table II).

use pacesim_analytic::qlbp;

use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_lab::summary::PacerSummary;

const MBPS: f64 = 1e6;
const PACKET: f64 = 8000.0;

/// Mbps in, packets held, and delay in ms, as printed.
const TABLE: [(u64, &str, &str); 8] = [
    (1, "0", "0"),
    (2, "0", "0"),
    (4, "2", "4"),
    (6, "4", "5.33"),
    (8, "7", "7"),
    (10, "9", "7.2"),
    (12, "10", "6.67"),
    (15, "10", "5.3"),
];

/// One run a row.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    let mut measured = Vec::new();
    for (mbps, queue, delay) in TABLE {
        let pacer = held(context, mbps)?;
        let delay_ms = pacing_delay_ms(&pacer);
        let at = |what: &str| format!("{what} at {mbps} Mbps");
        let exact = law()?.constant_stream(mbps as f64 * MBPS, PACKET)?;
        let claims = [
            Claim::prints(at("Q_p, packets held,"), queue, pacer.held_mean_pkts),
            Claim::prints(at("D_p, mean pacing delay in ms,"), delay, delay_ms),
            Claim::equals(
                at("D_p = Q_p/lambda, with Q_p of the closed form, in ms"),
                exact.delay_s * 1e3,
                delay_ms,
                1e-4,
            ),
        ];
        report = report.claims(claims.map(|claim| claim.from_scale(context.scale(), 0.5)));
        measured.push((mbps as f64, pacer));
    }
    let worst = measured
        .iter()
        .filter_map(|(_, pacer)| pacer.pacing_delay_max_s);
    let bound = Claim::at_most(
        "delay bound, ms (10 packets at 10 Mbps): the longest delay in steady state",
        8.0,
        1e3 * worst.fold(0.0, f64::max),
    );
    Ok(report
        .claim(bound.from_scale(context.scale(), 0.5))
        .figure(figure(&measured)?)
        .note(
            "The next release is set anew at each arrival, with the queue counting the head; \
             fixed when the one before leaves, it would give 4.02 to 7.22 ms. The line's rate \
             rules only above q_max.",
        ))
}

fn held(context: &Context<'_>, mbps: u64) -> Result<PacerSummary, Fault> {
    let rate = format!("flow.cbr.traffic.rate={mbps}Mbps");
    let summary = context.run(&context.scenario("qlbp11/table2", &[&rate])?)?;
    let paced = summary.links.iter().find_map(|link| link.pacer.clone());
    // The summary leaves out links that a very short run did not reach.
    Ok(paced.unwrap_or_else(idle))
}

fn pacing_delay_ms(pacer: &PacerSummary) -> f64 {
    pacer
        .pacing_delay_mean_s
        .map_or(f64::NAN, |seconds| seconds * 1e3)
}

fn law() -> Result<qlbp::QlbpLaw, Fault> {
    let (mu_max, mu_min, line) = (10.0 * MBPS, 2.0 * MBPS, 15.0 * MBPS);
    Ok(qlbp::QlbpLaw::new(mu_max, mu_min, 10.0 * PACKET, line)?)
}

fn idle() -> PacerSummary {
    PacerSummary {
        kind: "qlbp".to_owned(),
        refused_pkts: 0,
        held_mean_pkts: 0.0,
        held_max_pkts: 0,
        held_mean_bytes: 0.0,
        held_max_bytes: 0,
        pacing_delay_mean_s: None,
        pacing_delay_max_s: None,
    }
}

fn figure(measured: &[(f64, PacerSummary)]) -> Result<Figure, Fault> {
    let law = law()?;
    let exact = |hundredths: u32| {
        let mbps = f64::from(hundredths) / 100.0;
        Ok((mbps, law.constant_stream(mbps * MBPS, PACKET)?))
    };
    let exact = (1..=1500).map(exact).collect::<Result<Vec<_>, Fault>>()?;
    let queue = exact.iter().map(|(mbps, of)| (*mbps, of.waiting as f64));
    let delay = exact.iter().map(|(mbps, of)| (*mbps, of.delay_s * 1e3));
    let printed = |of: fn(&(u64, &str, &str)) -> f64| TABLE.map(|row| (row.0 as f64, of(&row)));
    let ours = |of: fn(&PacerSummary) -> f64| {
        let point = move |(mbps, pacer): &(f64, PacerSummary)| (*mbps, of(pacer));
        measured.iter().map(point).collect::<Vec<_>>()
    };
    Ok(
        Figure::new("queue and delay of a QLBP pacer under constant traffic (qlbp11 Table II)")
            .panel(
                Panel::new("input (Mbps)", "held (packets)")
                    .line("closed form", queue)
                    .points_beside("Table II", printed(|row| row.1.parse().unwrap_or(f64::NAN)))
                    .points_beside("simulated", ours(|pacer| pacer.held_mean_pkts)),
            )
            .panel(
                Panel::new("input (Mbps)", "pacing delay (ms)")
                    .line("closed form", delay)
                    .points_beside("Table II", printed(|row| row.2.parse().unwrap_or(f64::NAN)))
                    .points_beside("simulated", ours(pacing_delay_ms)),
            ),
    )
}
