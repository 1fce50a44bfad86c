//! A surge that a pacer drops and a plain queue of its size does not (Section II-C).

use pacesim::units::Time;

use super::super::observed::Passages;
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// Twice the line's rate for 100 ms, 250 packets, into 150 places.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let input = context.scenario("impact/work-conserving", &[])?;
    let world = context.watch(&input, 0, |model| {
        ["plain", "paced"]
            .map(|name| Passages::new(model, name, Time::ZERO))
            .into()
    })?;
    let rows = world.link_rows();
    let dropped = |name: &str| {
        let row = rows.iter().find(|row| row.link == name);
        row.map_or(f64::NAN, |row| row.dropped_pkts as f64)
    };
    let (fifo, qlbp) = (dropped("plain"), dropped("paced"));
    let (plain, paced): &(Passages, Passages) = world.probe();
    let panel = Panel::new("time (ms)", "packets sent")
        .line("plain queue", sent(&plain.left))
        .line("QLBP", sent(&paced.left));
    let claims = [
        Claim::equals(
            "packets of the surge that the plain queue drops",
            0.0,
            fifo,
            0.0,
        ),
        Claim::shows(
            "the pacer of the same size drops some of it",
            "may drop",
            format!("{qlbp} of 250 packets"),
            qlbp > 0.0,
        ),
    ];
    Ok(Report::new()
        .claims(claims.map(|claim| claim.from_scale(context.scale(), 0.5)))
        .figure(Figure::new("a surge through FIFO and QLBP (impact, Section II-C)").panel(panel))
        .note(
            "mu_min is a tenth of the line's rate and q_max the whole buffer, the paper states \
             neither: while the queue is short the line idles beside waiting packets.",
        ))
}

/// How many have left by each departure.
fn sent(departures: &[Time]) -> Vec<(f64, f64)> {
    let numbered = (1u32..).zip(departures);
    numbered
        .map(|(number, at)| ((*at - Time::ZERO).as_secs_f64() * 1e3, f64::from(number)))
        .collect()
}
