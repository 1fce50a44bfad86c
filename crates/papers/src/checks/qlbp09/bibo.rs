//! Bounded input, bounded queue (eq. 4-8): T(s) = 1/(s + beta), whose natural response
//! is k e^(-beta t).

use pacesim::units::{Span, Time};
use pacesim_core::random::Rng;
use pacesim_pacers::{Pacer, Qlbp09, Release};

use super::{config, offer, pacer};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const PACKETS: u64 = 200_000;
/// Bits of a packet of 1500 B.
const PACKET: f64 = 12_000.0;
const MU_MAX: f64 = 200e6;
const MU_MIN: f64 = 1.2e6;
const Q_MAX: f64 = 100.0;

/// beta of eq. (7), per second.
fn beta() -> f64 {
    (MU_MAX - MU_MIN) / (Q_MAX * PACKET)
}

/// Random input below a bound, and the decay without input.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    for mbps in [50, 100, 150] {
        context.check_in()?;
        report = report.claim(bounded(context, mbps)?);
    }
    let decay = decay(context)?;
    let worst = decay
        .iter()
        .map(|&(t, queue)| (queue - closed_form(t)).abs())
        .fold(0.0, f64::max);
    Ok(report
        .claim(Claim::equals("beta = (mu_max - mu_min)/Q_max, per second (eq. 7)", 165.666_666_7, beta(), 1e-9))
        .claim(Claim::at_most(
            "a queue of 100 packets without input: greatest distance from the natural \
             response, packets",
            1.0,
            worst,
        ))
        .figure(figure(decay))
        .note(
            "The bound for input of at most lambda is the fluid's steady queue, \
             (lambda - mu_min)/beta, and one packet, because packets come whole. The natural \
             response is that of eq. (1) with mu_min, which the paper drops as small beside mu_max.",
        ))
}

/// Packets no closer than those of this rate; now and then none for a while.
fn bounded(context: &Context<'_>, mbps: u64) -> Result<Claim, Fault> {
    let mut stream = context.stream(mbps, "bibo", "arrivals");
    let mut pacer = pacer(context, &config())?;
    let gap = PACKET as u64 * 1_000_000 / mbps;
    let (mut at, mut most) = (Time::ZERO, 0);
    for key in 0..context.scaled(PACKETS, 5_000) {
        let more = [0, 0, gap / 4, 4 * gap][stream.next_u64() as usize % 4];
        at += Span::from_ps(gap + stream.next_u64() % (more + 1));
        fetch(&mut pacer, at);
        offer(&mut pacer, at, key as u32);
        most = most.max(pacer.waiting().packets);
    }
    let bound = (mbps as f64 * 1e6 - MU_MIN) / beta() / PACKET + 1.0;
    let text = format!("longest queue for random input of at most {mbps} Mbps, packets");
    Ok(Claim::at_most(text, bound, most as f64))
}

fn fetch(pacer: &mut Qlbp09, until: Time) {
    while let Release::At(at) = pacer.next_release()
        && at <= until
    {
        pacer.dequeue(at).expect("its time has come");
    }
}

/// Times (s) and packets left after each release, from 100 packets at once.
fn decay(context: &Context<'_>) -> Result<Vec<(f64, f64)>, Fault> {
    let mut pacer = pacer(context, &config())?;
    offer(&mut pacer, Time::ZERO, 0);
    pacer.dequeue(Time::ZERO).expect("the first is not delayed");
    (1..=100).for_each(|key| offer(&mut pacer, Time::ZERO, key));
    let mut curve = vec![(0.0, 100.0)];
    while let Release::At(at) = pacer.next_release() {
        pacer.dequeue(at).expect("its time has come");
        curve.push((at.as_secs_f64(), pacer.waiting().packets as f64));
    }
    Ok(curve)
}

/// q' = -(beta q + mu_min) from 100 packets, until it is empty.
fn closed_form(t: f64) -> f64 {
    let floor = MU_MIN / beta() / PACKET;
    ((Q_MAX + floor) * libm::exp(-beta() * t) - floor).max(0.0)
}

fn figure(decay: Vec<(f64, f64)>) -> Figure {
    let end = decay.last().map_or(1.0, |last| last.0);
    let times = (0..=200).map(|i| end * f64::from(i) / 200.0);
    let panel = Panel::new("time (ms)", "waiting (packets)")
        .line("natural response", times.map(|t| (t * 1e3, closed_form(t))))
        .points(
            "the pacer",
            decay.into_iter().map(|(t, queue)| (t * 1e3, queue)),
        );
    Figure::new("a queue of 100 packets without input (qlbp09 eq. 8)").panel(panel)
}
