//! One TCP flow through a chain of up to three pacers (Fig. 12).

use super::super::single_flow::{Arrivals, prototype};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// D_max = 2 ms, alpha = 1, three in a row; and one of 10 ms beside them.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let buffer = ["link.egress.buffer=25KB"];
    let chain = |pacers| Arrivals::of_tcp(context, &prototype(2, 1.0), pacers, &buffer);
    let chains = (0..=3).map(chain).collect::<Result<Vec<_>, Fault>>()?;
    let pauses: Vec<f64> = chains.iter().map(Arrivals::pause_ms).collect();
    let single = Arrivals::of_tcp(context, &prototype(10, 5.0), 1, &buffer)?;
    let list: Vec<String> = pauses.iter().map(|ms| format!("{ms:.1}")).collect();
    let shrink = Claim::shows(
        "the gap between two round trips shrinks with every pacer",
        "smaller with each",
        format!("{} ms with 0 to 3 pacers", list.join(", ")),
        pauses.windows(2).all(|pair| pair[1] < pair[0]),
    );
    let alike = Claim::roughly(
        "gap between two round trips behind three pacers of 2 ms, ms: as behind one of 10 ms",
        single.pause_ms(),
        pauses[3],
    )
    .because(
        "with D_max = 2 ms and alpha = 1 no pacer is slower than 6 Mbps, so 32 packets pass within \
         64 ms of 100 however many pacers there are; the paper compares pictures and does not state \
         its window",
    );
    let mut panel = Panel::new("time (ms)", "packet");
    for (pacers, arrivals) in chains.iter().enumerate() {
        panel = panel.points(format!("{pacers} pacers"), arrivals.shown());
    }
    Ok(Report::new()
        .claims([shrink, alike].map(|claim| claim.from_scale(context.scale(), 0.1)))
        .figure(Figure::new("one TCP flow through pacers in a row (qlbp09 Fig. 12)").panel(panel))
        .note("A window of 32 packets of 1500 B, Reno; the papers do not state them."))
}
