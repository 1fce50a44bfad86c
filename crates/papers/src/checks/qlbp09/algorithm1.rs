//! Algorithm 1, rule by rule, event by event.

use pacesim::units::{Span, Time};
use pacesim_core::random::Rng;
use pacesim_pacers::{Pacer, Qlbp09, Qlbp09Config, Release};

use super::super::served::{Passed, packets, serve};
use super::{config, mu, offer, pacer, pause_us, prototype};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// Random arrivals that are looked at.
const PACKETS: u64 = 20_000;
/// What rounding a pause up to a picosecond makes of microseconds.
const ROUNDING: f64 = 1e-7;

fn us(n: u64) -> Time {
    Time::ZERO + Span::from_us(n)
}

/// When the head leaves, in microseconds.
fn next_us(pacer: &Qlbp09) -> f64 {
    match pacer.next_release() {
        Release::At(at) => at.as_ps() as f64 / 1e6,
        Release::Idle => f64::NAN,
    }
}

/// All rules on events made by hand, then random arrivals.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let gaps = random_gaps(context)?;
    let early = gaps
        .iter()
        .filter(|gap| gap.actual < gap.least * (1.0 - 1e-12))
        .count();
    Ok(Report::new()
        .claims(by_hand(context)?)
        .claim(at_once(context)?)
        .claims(plug_in(context)?)
        .claim(jitter(context)?)
        .claim(Claim::vanishes(
            "releases after random arrivals closer to the one before than S/mu(q)",
            early as f64,
            0.0,
        ))
        .figure(figure(&gaps))
        .note("S_max = 1518KB in the paper's text is read as bytes; eq. (2) gives mu_min from it."))
}

/// Lines 5 to 23 on four packets.
fn by_hand(context: &Context<'_>) -> Result<Vec<Claim>, Fault> {
    let mut pacer = pacer(context, &config())?;
    let mu_min = config()
        .mu_min()
        .map_or(f64::NAN, |rate| rate.as_bps() as f64);
    offer(&mut pacer, us(7), 0);
    let first = next_us(&pacer);
    pacer.dequeue(us(7)).expect("not delayed");
    offer(&mut pacer, us(8), 1);
    let one_waits = next_us(&pacer);
    let Release::At(first_call_back) = pacer.next_release() else {
        unreachable!("a packet waits");
    };
    offer(&mut pacer, us(9), 2);
    let two_wait = next_us(&pacer);
    let Release::At(second_call_back) = pacer.next_release() else {
        unreachable!("two packets wait");
    };
    pacer.dequeue(second_call_back).expect("its time has come");
    let third = next_us(&pacer);
    let came_of_stale = pacer.dequeue(first_call_back);
    let harmless = came_of_stale.is_none() && next_us(&pacer) == third;
    let second = 7.0 + pause_us(2.0);
    Ok(vec![
        Claim::equals(
            "mu_min = S_max/D_max for 1500 B and 10 ms, Mbps",
            1.2,
            mu_min / 1e6,
            1e-9,
        ),
        Claim::equals(
            "first packet, arriving at 7 us, leaves at, us",
            7.0,
            first,
            ROUNDING,
        ),
        Claim::equals(
            "one packet waits: t_next, us (line 6)",
            7.0 + pause_us(1.0),
            one_waits,
            ROUNDING,
        ),
        Claim::equals(
            "another arrives: t_next, us (line 6)",
            second,
            two_wait,
            ROUNDING,
        ),
        Claim::equals(
            "after that release: t_next, us (line 19)",
            second + pause_us(1.0),
            third,
            ROUNDING,
        ),
        Claim::shows(
            "the call-back that became unnecessary",
            "does no harm",
            if harmless {
                "releases nothing"
            } else {
                "releases a packet"
            },
            harmless,
        ),
    ])
}

/// Lines 8 to 10: an arrival that makes t_next pass sends directly.
fn at_once(context: &Context<'_>) -> Result<Claim, Fault> {
    let mut pacer = pacer(context, &config())?;
    offer(&mut pacer, us(0), 0);
    pacer.dequeue(us(0)).expect("not delayed");
    (1..=3).for_each(|key| offer(&mut pacer, us(0), key));
    // After S/mu(4), and before S/mu(3).
    let now = ((pause_us(4.0) + pause_us(3.0)) / 2.0) as u64;
    offer(&mut pacer, us(now), 4);
    let text = "an arrival after the t_next that it makes: the head leaves at, us";
    Ok(Claim::equals(text, now as f64, next_us(&pacer), ROUNDING))
}

/// The prototype: pauses times alpha = 5, a timer of 1 ms, none above Q_max.
fn plug_in(context: &Context<'_>) -> Result<[Claim; 2], Fault> {
    let mut pacer = pacer(context, &prototype(500, Span::from_ms(1)))?;
    offer(&mut pacer, us(100), 0);
    pacer.dequeue(us(100)).expect("not delayed");
    offer(&mut pacer, us(200), 1);
    let exact = 100.0 + 5.0 * pause_us(1.0);
    let tick = (exact / 1000.0).ceil() * 1000.0;
    let scaled = Claim::equals(
        "plug-in with alpha = 5 and a timer of 1 ms: t_next, us (eq. 9)",
        tick,
        next_us(&pacer),
        ROUNDING,
    );
    (2..=101).for_each(|key| offer(&mut pacer, us(200), key));
    let full = Claim::equals(
        "plug-in above Q_max: the head leaves at, us",
        200.0,
        next_us(&pacer),
        ROUNDING,
    );
    Ok([scaled, full])
}

/// Random delays on top: never more than asked for, and different.
fn jitter(context: &Context<'_>) -> Result<Claim, Fault> {
    let burst = packets(&[(Time::ZERO, 1500); 60]);
    let plain = serve(&mut pacer(context, &config())?, &burst);
    let shaken = Qlbp09Config {
        jitter: Span::from_us(500),
        ..config()
    };
    let shaken = serve(&mut pacer(context, &shaken)?, &burst);
    let gaps = |passed: &[Passed]| -> Vec<f64> {
        let gap = |w: &[Passed]| (w[1].release - w[0].release).as_secs_f64() * 1e6;
        passed.windows(2).map(gap).collect()
    };
    let extra: Vec<f64> = gaps(&shaken)
        .iter()
        .zip(gaps(&plain))
        .map(|(a, b)| a - b)
        .collect();
    let most = extra.iter().copied().fold(0.0, f64::max);
    let differ = extra.windows(2).any(|w| (w[0] - w[1]).abs() > 1.0);
    let within = extra.iter().all(|e| (-1e-6..=500.0 + 1e-6).contains(e));
    Ok(Claim::shows(
        "random delays of up to 500 us on top of the pauses",
        "spread releases",
        format!("up to {most:.1} us more, all different"),
        within && differ,
    ))
}

/// Two releases in a row, in seconds.
struct Gap {
    waiting: f64,
    actual: f64,
    least: f64,
}

/// Bursts and gaps at random: the pause before each release, and S/mu(q) with q as the
/// arrivals up to then have left it.
fn random_gaps(context: &Context<'_>) -> Result<Vec<Gap>, Fault> {
    let mut stream = context.stream(0, "algorithm1", "arrivals");
    let mut at = Time::ZERO;
    let arrivals: Vec<(Time, u32)> = (0..context.scaled(PACKETS, 500))
        .map(|_| {
            let most = [1, 20, 300, 3000][stream.next_u64() as usize % 4];
            at += Span::from_us(stream.next_u64() % most);
            (at, 40 + (stream.next_u64() % 1461) as u32)
        })
        .collect();
    let passed = serve(&mut pacer(context, &config())?, &packets(&arrivals));
    let gap = |(i, w): (usize, &[Passed])| {
        let came = arrivals.partition_point(|arrival| arrival.0 <= w[1].release);
        // All that came and did not leave before, the one that leaves among them.
        let waiting = (came - i - 1) as f64;
        Gap {
            waiting,
            actual: (w[1].release - w[0].release).as_secs_f64(),
            least: f64::from(w[1].size) * 8.0 / mu(waiting),
        }
    };
    Ok(passed.windows(2).enumerate().map(gap).collect())
}

fn figure(gaps: &[Gap]) -> Figure {
    let shown = || gaps.iter().take(4000).filter(|gap| gap.actual > 0.0);
    let line = (1..=120).map(|q| (f64::from(q), pause_us(f64::from(q))));
    let panel = Panel::new("waiting (packets)", "time since the last release (us)")
        .log_y()
        .points(
            "releases",
            shown().map(|gap| (gap.waiting, gap.actual * 1e6)),
        )
        .line("S/mu(q) for 1500 B", line);
    Figure::new("pauses between releases (qlbp09 Algorithm 1)").panel(panel)
}
