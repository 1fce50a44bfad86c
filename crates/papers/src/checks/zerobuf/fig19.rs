//! Loss of paced traffic in small buffers (Fig. 19): Poisson traffic at 60 %. The
//! long-range dependent half waits for such a source.

use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// Pacing delays in microseconds, which are packet times.
const DELAYS: [u64; 6] = [0, 10, 20, 30, 40, 50];
/// Buffers in packets.
const BUFFERS: [u64; 7] = [1, 2, 3, 5, 8, 12, 20];
/// The buffer at which the claims look.
const JUDGED: u64 = 3;

/// One run for each delay and buffer.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut panel = Panel::new("buffer (packets)", "loss").log_y();
    let mut judged = Vec::new();
    let mut lossless = Vec::new();
    for delay in DELAYS {
        let mut curve = Vec::new();
        for buffer in BUFFERS {
            let loss = loss(context, delay, buffer)?;
            if buffer == JUDGED {
                judged.push(loss);
            }
            curve.push((buffer as f64, loss));
        }
        // What was not seen has no place on a logarithmic axis.
        curve.retain(|(_, loss)| *loss > 0.0);
        if curve.is_empty() {
            lossless.push(delay.to_string());
        } else {
            panel = panel.joined(format!("d = {delay} us"), curve);
        }
    }
    let falls = judged
        .windows(2)
        .all(|pair| pair[1] < pair[0] || pair[1] == 0.0);
    let text = |loss: &f64| match loss {
        0.0 => "none seen".to_owned(),
        loss => format!("{loss:.1e}"),
    };
    let list: Vec<String> = judged.iter().map(text).collect();
    let falls = Claim::shows(
        format!("loss in {JUDGED} packets of buffer falls as d grows from 0 to 50 us"),
        "falls",
        list.join(", "),
        falls,
    );
    let orders = Claim::at_most(
        format!(
            "loss with d = 50 us over loss unpaced, buffer of {JUDGED} packets (orders of magnitude)"
        ),
        0.01,
        judged[5] / judged[0],
    );
    let lrd = Claim::not_yet(
        "the same for long-range dependent traffic at 40 % and d up to 70 us: over ten times less",
        None,
        "sources of long-range dependent traffic",
    );
    let mut report = report_of([falls, orders], context).claim(lrd);
    if !lossless.is_empty() {
        let delays = lossless.join(", ");
        report = report.note(format!(
            "The figure has no line for d = {delays} us: no loss was seen at any buffer."
        ));
    }
    Ok(report
        .figure(Figure::new("loss of paced Poisson traffic (zerobuf Fig. 19)").panel(panel))
        .note(
            "Released by the last byte. The pacer's own line is ten times as fast as the link with \
             the small buffer, so that only the pacer spaces packets.",
        ))
}

fn report_of(claims: [Claim; 2], context: &Context<'_>) -> Report {
    Report::new().claims(claims.map(|claim| claim.from_scale(context.scale(), 0.5)))
}

fn loss(context: &Context<'_>, delay: u64, buffer: u64) -> Result<f64, Fault> {
    let delay = format!("link.paced.pacer.delay={delay}us");
    let buffer = format!("link.core.buffer={buffer}pkts");
    let input = context.scenario("zerobuf/fig19", &[&delay, &buffer])?;
    let world = context.watch(&input, 0, |_| ())?;
    let rows = world.link_rows();
    let core = rows.iter().find(|row| row.link == "core");
    Ok(core.map_or(f64::NAN, |row| row.loss_ratio))
}
