//! Bounded input, bounded queue (eq. 4-8): T(s) = 1/(s + beta), whose natural response
//! is k e^(-beta t).

use pacesim::units::{Span, Time};
use pacesim_core::random::Rng;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::{Pacer, Qlbp09Config};

use super::super::grid::grid;
use super::super::served::fetch;
use super::{config, offer, pacer};
use crate::{Context, Fault, Report};

/// Bits of a packet of 1500 B.
const PACKET: f64 = 12_000.0;
const MU_MIN: f64 = 1.2e6;
/// (mu_max - mu_min)/Q_max of eq. (7), per second.
const BETA: f64 = (200e6 - MU_MIN) / (100.0 * PACKET);

/// Bounded random input, and the decay without input.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    report(context, &config())
}

fn report(context: &Context<'_>, config: &Qlbp09Config) -> Result<Report, Fault> {
    let mut report = Report::new();
    for mbps in [50, 100, 150] {
        context.check_in()?;
        report = report.claims(bounded(context, config, mbps)?);
    }
    let decay = decay(context, config)?;
    let off = |&(t, queue): &(f64, f64)| (queue - natural_response(t)).abs();
    let worst = decay.iter().map(off).fold(0.0, f64::max);
    let text = "a queue of 100 packets without input: greatest distance from the natural response, \
                packets";
    Ok(report
        .claim(Claim::at_most(text, 1.0, worst))
        .figure(figure(decay))
        .note(
            "The bound for an input of at most lambda is the steady queue of the fluid, \
             (lambda - mu_min)/beta, plus one packet, since packets are indivisible. The natural \
             response is that of eq. (1) with mu_min, which the paper neglects as small compared \
             with mu_max.",
        ))
}

/// Packets no closer than those of this rate, with occasional pauses: the longest queue does not
/// exceed the bound, and comes so near to it that a lower bound would fail.
fn bounded(context: &Context<'_>, config: &Qlbp09Config, mbps: u64) -> Result<[Claim; 2], Fault> {
    let mut stream = context.stream(mbps, "bibo", "arrivals");
    let mut pacer = pacer(context, config)?;
    let gap = PACKET as u64 * 1_000_000 / mbps;
    let (mut at, mut most) = (Time::ZERO, 0);
    for key in 0..context.scaled(200_000, 5_000) as u32 {
        // Maximum density for a thousand out of every four thousand packets.
        let more = [0, gap / 4, 4 * gap, gap][key as usize / 1000 % 4];
        at += Span::from_ps(gap + stream.next_u64() % (more + 1));
        fetch(&mut pacer, at).for_each(drop);
        offer(&mut pacer, at, [key]);
        most = most.max(pacer.waiting().packets);
    }
    let fluid = (mbps as f64 * 1e6 - MU_MIN) / BETA / PACKET;
    let text = |what| format!("longest queue for random input of at most {mbps} Mbps, {what}");
    Ok([
        Claim::at_most(text("packets"), fluid + 1.0, most as f64),
        Claim::at_most(
            text("packets below the bound"),
            2.0,
            fluid + 1.0 - most as f64,
        ),
    ])
}

/// Times (s) and remaining packets after each release, starting with 100 packets at once.
fn decay(context: &Context<'_>, config: &Qlbp09Config) -> Result<Vec<(f64, f64)>, Fault> {
    let mut pacer = pacer(context, config)?;
    // The first packet is not delayed.
    offer(&mut pacer, Time::ZERO, [0]);
    pacer.dequeue(Time::ZERO);
    offer(&mut pacer, Time::ZERO, 1..=100);
    let left = fetch(&mut pacer, Time::NEVER).zip((0..100).rev());
    let point = |((at, _), left): ((Time, _), i32)| (at.as_secs_f64(), f64::from(left));
    Ok(std::iter::once((0.0, 100.0))
        .chain(left.map(point))
        .collect())
}

/// The solution of q' = -(beta q + mu_min) from 100 packets, until the queue is empty.
fn natural_response(t: f64) -> f64 {
    let floor = MU_MIN / BETA / PACKET;
    ((100.0 + floor) * libm::exp(-BETA * t) - floor).max(0.0)
}

fn figure(decay: Vec<(f64, f64)>) -> Figure {
    let end = decay.last().map_or(1.0, |last| last.0);
    let response = grid(0.0, end, 200).map(|t| (t * 1e3, natural_response(t)));
    let releases = decay.into_iter().map(|(t, queue)| (t * 1e3, queue));
    let panel = Panel::new("time (ms)", "waiting (packets)")
        .line("natural response", response)
        .points("the pacer", releases);
    Figure::new("A queue of 100 packets without input (qlbp09 eq. 8)").panel(panel)
}

#[cfg(test)]
mod tests {
    use pacesim::units::Rate;

    use super::super::super::breaking::{context, every_claim_breaks};
    use super::*;

    #[test]
    fn a_slower_pacer_passes_the_bounds_and_a_faster_one_stays_far_below() {
        let claims = |mbps| {
            let mu_max = Rate::from_mbps(mbps);
            let config = Qlbp09Config { mu_max, ..config() };
            report(&context(), &config).expect("sound").claims
        };
        every_claim_breaks(&claims(200), &[&claims(170), &claims(250)], &[]);
    }
}
