//! Algorithm 1, rule by rule, event by event.

use pacesim::units::{Span, Time};
use pacesim_core::random::Rng;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::{Pacer, Pending, PlugIn, Qlbp09, Qlbp09Config, Release};

use super::super::served::{fetch, packets, serve};
use super::{config, offer, pacer};
use crate::{Context, Fault, Report};

/// The largest random delay.
const JITTER: Span = Span::from_us(500);
/// The error of a pause in microseconds from rounding it up to a picosecond.
const ROUNDING: f64 = 1e-7;

fn us(n: u64) -> Time {
    Time::ZERO + Span::from_us(n)
}

/// S/mu(q) of eq. (1) and (3), in microseconds.
fn pause_us(size: u32, waiting: f64) -> f64 {
    let mu = (200e6 - 1.2e6) / 100.0 * waiting.min(100.0) + 1.2e6;
    f64::from(size) * 8.0 / mu * 1e6
}

/// All rules on hand-made events, then random arrivals.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    report(context, &config(), JITTER)
}

fn report(context: &Context<'_>, config: &Qlbp09Config, most: Span) -> Result<Report, Fault> {
    let gaps = random_gaps(context, config)?;
    let early = gaps
        .iter()
        .filter(|gap| gap.actual < gap.least * (1.0 - 1e-12));
    let mu_min = config
        .mu_min()
        .map_or(f64::NAN, |rate| rate.as_bps() as f64);
    let least = "mu_min = S_max/D_max for 1500 B and 10 ms, Mbps";
    let text = "releases after random arrivals closer to the one before than S/mu(q)";
    Ok(Report::new()
        .claim(Claim::equals(least, 1.2, mu_min / 1e6, 1e-9))
        .claims(rules(context, config)?)
        .claim(stale_call_back(context, config)?)
        .claims(jitter(context, config, most)?)
        .claim(Claim::none(text, early.count() as u64, gaps.len() as u64))
        .figure(figure(&gaps))
        .note("S_max = 1518KB in the paper's text is read as bytes; eq. (2) gives mu_min from it."))
}

/// Plays packets, this many at each of these microseconds; zero lets time pass.
fn play(pacer: &mut Qlbp09, arrivals: &[(u64, u32)]) {
    for (place, &(at, count)) in arrivals.iter().enumerate() {
        fetch(pacer, us(at)).for_each(drop);
        offer(pacer, us(at), (0..count).map(|i| 1000 * place as u32 + i));
    }
}

/// The departure of the head.
fn next(pacer: &Qlbp09) -> Time {
    match pacer.next_release() {
        Release::At(at) => at,
        Release::Idle => Time::NEVER,
    }
}

/// A claim, a variant, arrivals that trigger the rule, and the resulting departure of the head
/// (us).
type Rule<'a> = (&'a str, Option<PlugIn>, &'a [(u64, u32)], f64);

/// Each rule on its own.
#[rustfmt::skip]
fn rules(context: &Context<'_>, config: &Qlbp09Config) -> Result<Vec<Claim>, Fault> {
    let prototype = PlugIn { alpha_percent: 500, tick: Span::from_ms(1), whole_ticks: false };
    let pause = |waiting| pause_us(1500, waiting);
    let tick = ((100.0 + 5.0 * pause(1.0)) / 1000.0).ceil() * 1000.0;
    let passed = (pause(4.0) as u64).midpoint(pause(3.0) as u64);
    let rules: [Rule<'_>; 7] = [
        ("first packet, arriving at 7 us, leaves at, us", None, &[(7, 1)], 7.0),
        ("one packet waits: t_next, us (line 6)", None, &[(7, 1), (8, 1)], 7.0 + pause(1.0)),
        ("another arrives: t_next, us (line 6)", None, &[(7, 1), (8, 1), (9, 1)], 7.0 + pause(2.0)),
        ("after that release: t_next, us (line 19)", None, &[(7, 1), (8, 1), (9, 1), (5000, 0)], 7.0 + pause(2.0) + pause(1.0)),
        ("an arrival after the t_next that it makes: the head leaves at, us", None, &[(0, 1), (0, 3), (passed, 1)], passed as f64),
        ("plug-in with alpha = 5 and a timer of 1 ms: t_next, us (eq. 9)", Some(prototype), &[(100, 1), (200, 1)], tick),
        ("plug-in above Q_max: the head leaves at, us", Some(prototype), &[(100, 1), (200, 101)], 200.0),
    ];
    let claim = |(text, plug_in, arrivals, leaves): Rule<'_>| {
        let mut pacer = pacer(context, &Qlbp09Config { plug_in, ..config.clone() })?;
        play(&mut pacer, arrivals);
        Ok(Claim::equals(text, leaves, next(&pacer).as_ps() as f64 / 1e6, ROUNDING))
    };
    rules.into_iter().map(claim).collect()
}

/// The call-back for the first of two packets, made obsolete by the second, which lets it leave
/// earlier.
fn stale_call_back(context: &Context<'_>, config: &Qlbp09Config) -> Result<Claim, Fault> {
    let mut pacer = pacer(context, config)?;
    play(&mut pacer, &[(7, 1), (8, 1)]);
    let stale = next(&pacer);
    play(&mut pacer, &[(9, 1)]);
    pacer.dequeue(next(&pacer));
    let planned = next(&pacer);
    let is_harmless = planned > stale && pacer.dequeue(stale).is_none() && next(&pacer) == planned;
    let text = "the call-back that became unnecessary";
    let ours = ["changes the plan", "changes nothing"][usize::from(is_harmless)];
    Ok(Claim::shows(text, ours, is_harmless, "changes nothing"))
}

/// Random delays added to the pauses of a burst: within their bound, and different from each other.
fn jitter(context: &Context<'_>, config: &Qlbp09Config, most: Span) -> Result<[Claim; 2], Fault> {
    let burst = packets(&[(Time::ZERO, 1500); 60]);
    let pauses = |jitter| -> Result<Vec<f64>, Fault> {
        let config = Qlbp09Config {
            jitter,
            ..config.clone()
        };
        let passed = serve(&mut pacer(context, &config)?, &burst);
        let pause = |w: &[(Time, Pending)]| (w[1].0 - w[0].0).as_secs_f64() * 1e6;
        Ok(passed.windows(2).map(pause).collect())
    };
    let (plain, shaken) = (pauses(Span::ZERO)?, pauses(most)?);
    let mut extra: Vec<f64> = shaken.iter().zip(&plain).map(|(a, b)| a - b).collect();
    extra.sort_unstable_by(f64::total_cmp);
    let outside = extra
        .iter()
        .filter(|us| !(-1e-6..=500.0 + 1e-6).contains(*us));
    let alike = extra.windows(2).filter(|w| w[1] - w[0] < 1e-6);
    let count = extra.len() as u64;
    let text = "random delays on top of the pauses that are";
    Ok([
        Claim::none(
            format!("{text} not within 0 to 500 us"),
            outside.count() as u64,
            count,
        ),
        Claim::none(format!("{text} equal"), alike.count() as u64, count),
    ])
}

/// Two consecutive releases, in microseconds.
struct Gap {
    waiting: f64,
    actual: f64,
    least: f64,
}

/// Random bursts and gaps: the pause before each release, and S/mu(q) with q after the arrivals so
/// far.
fn random_gaps(context: &Context<'_>, config: &Qlbp09Config) -> Result<Vec<Gap>, Fault> {
    let mut stream = context.stream(0, "algorithm1", "arrivals");
    let mut at = Time::ZERO;
    let arrival = |_| {
        let most = [1, 20, 300, 3000][stream.next_u64() as usize % 4];
        at += Span::from_us(stream.next_u64() % most);
        (at, 40 + (stream.next_u64() % 1461) as u32)
    };
    let arrivals: Vec<(Time, u32)> = (0..context.scaled(20_000, 500)).map(arrival).collect();
    let passed = serve(&mut pacer(context, config)?, &packets(&arrivals));
    let gap = |(i, w): (usize, &[(Time, Pending)])| {
        let came = arrivals.partition_point(|arrival| arrival.0 <= w[1].0);
        // All packets that arrived and have not left yet, including the one now leaving.
        let waiting = (came - i - 1) as f64;
        Gap {
            waiting,
            actual: (w[1].0 - w[0].0).as_secs_f64() * 1e6,
            least: pause_us(w[1].1.size, waiting),
        }
    };
    Ok(passed.windows(2).enumerate().map(gap).collect())
}

fn figure(gaps: &[Gap]) -> Figure {
    let shown = gaps.iter().take(4000).filter(|gap| gap.actual > 0.0);
    let line = (1..=120).map(|q| (f64::from(q), pause_us(1500, f64::from(q))));
    let panel = Panel::new("waiting (packets)", "time since the last release (us)")
        .log_y()
        .points("releases", shown.map(|gap| (gap.waiting, gap.actual)))
        .line("S/mu(q) for 1500 B", line);
    Figure::new("Pauses between releases (qlbp09 Algorithm 1)").panel(panel)
}

#[cfg(test)]
mod tests {
    use pacesim::units::{Capacity, Rate};

    use super::super::super::breaking::{context, every_claim_breaks};
    use super::*;

    #[test]
    fn other_rates_queues_and_delays_break_every_claim_but_what_needs_none() {
        let faster = Qlbp09Config {
            mu_max: Rate::from_mbps(300),
            d_max: Span::from_ms(20),
            ..config()
        };
        let roomier = Qlbp09Config {
            q_max: Capacity::Packets(200),
            ..config()
        };
        let claims =
            |config: &Qlbp09Config, most| report(&context(), config, most).expect("sound").claims;
        let all = run(&context()).expect("sound").claims;
        let wide = claims(&faster, Span::from_us(800));
        let none = claims(&config(), Span::ZERO);
        // An idle pacer releases at once, and a call-back changes nothing, for any parameters.
        let unbroken = ["first packet", "call-back"];
        let roomy = claims(&roomier, JITTER);
        every_claim_breaks(&all, &[&wide, &none, &roomy], &unbroken);
    }
}
