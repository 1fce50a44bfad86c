//! One flow over 100 ms through up to three pacers: the prototype experiments of both
//! QLBP papers.

use pacesim::units::Time;

use super::observed::{Passages, gaps, variation};
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// The first pacer of 2011; its mu_min is 1500 B in the 10 ms of 2009.
pub(super) const QLBP: &str =
    r#"{ kind = "qlbp", mu_min = "1.2Mbps", mu_max = "200Mbps", q_max = "100pkts" }"#;
const NONE: &str = r#"{ kind = "none" }"#;

/// The prototype of 2009 with this D_max and alpha.
pub(super) fn prototype(d_max_ms: u32, alpha: f64) -> String {
    format!(
        r#"{{ kind = "qlbp09", d_max = "{d_max_ms}ms", s_max = "1500B", mu_max = "200Mbps", q_max = "100pkts", plug_in = {{ alpha = {alpha:?}, tick = "1ms" }} }}"#
    )
}

/// The round trip, in seconds.
const ROUND: f64 = 0.1;
/// How many round trips the picture shows.
const SHOWN: f64 = 3.0;

/// The packets behind all pacers, after the warm-up.
pub(super) struct Arrivals {
    pub(super) times: Vec<Time>,
}

impl Arrivals {
    /// The arrivals of the TCP flow, through n of these pacers in a row.
    pub(super) fn of_tcp(
        context: &Context<'_>,
        pacer: &str,
        pacers: usize,
        more: &[&str],
    ) -> Result<Arrivals, Fault> {
        let sets: Vec<String> = (1..=3)
            .map(|i| {
                format!(
                    "link.pacer{i}.pacer={}",
                    if i <= pacers { pacer } else { NONE }
                )
            })
            .collect();
        let mut all: Vec<&str> = sets.iter().map(String::as_str).collect();
        all.extend(more);
        let input = context.scenario("qlbp11/single-flow", &all)?;
        let world = context.watch(&input, 0, |model| {
            Passages::new(model, "pacer3", Time::ZERO + model.warmup)
        })?;
        Ok(Arrivals {
            times: world.into_probe().left,
        })
    }

    /// Standard deviation of the gaps over their mean.
    pub(super) fn variation(&self) -> f64 {
        variation(&gaps(&self.times))
    }

    /// The longest gap of each round trip, on average, in ms: the pause between rounds.
    pub(super) fn pause_ms(&self) -> f64 {
        let Some(first) = self.times.first() else {
            return f64::NAN;
        };
        let mut longest = Vec::new();
        for pair in self.times.windows(2) {
            let round = ((pair[0] - *first).as_secs_f64() / ROUND) as usize;
            longest.resize(longest.len().max(round + 1), 0.0f64);
            longest[round] = longest[round].max((pair[1] - pair[0]).as_secs_f64());
        }
        1e3 * longest.iter().sum::<f64>() / longest.len() as f64
    }

    /// Time in ms and number of the packets in the first few round trips.
    pub(super) fn shown(&self) -> Vec<(f64, f64)> {
        let Some(first) = self.times.first() else {
            return Vec::new();
        };
        let ms = |at: &Time| (*at - *first).as_secs_f64() * 1e3;
        let points = (0u32..).zip(&self.times);
        let points = points.map(|(number, at)| (ms(at), f64::from(number)));
        points
            .take_while(|(ms, _)| *ms <= SHOWN * ROUND * 1e3)
            .collect()
    }
}

/// What TCP sends in a round trip, unpaced and paced.
pub(super) fn bursts(
    context: &Context<'_>,
    title: &str,
    pacer: &str,
    more: &[&str],
) -> Result<Report, Fault> {
    let unpaced = Arrivals::of_tcp(context, pacer, 0, more)?;
    let paced = Arrivals::of_tcp(context, pacer, 1, more)?;
    let (before, behind) = (unpaced.variation(), paced.variation());
    let (pause, paced_pause) = (unpaced.pause_ms(), paced.pause_ms());
    let bursty = Claim::shows(
        "unpaced, the packets of a window leave as a burst at the start of each round trip",
        "a burst, then silence",
        format!("a pause of {pause:.1} ms in each 100 ms; gaps vary by {before:.2} of their mean"),
        before > 1.0 && pause > 1e3 * ROUND / 3.0,
    );
    let smoother = Claim::shows(
        "paced, they are spread: the variation of the gaps falls",
        "much smoother",
        format!("{behind:.2} instead of {before:.2}; pauses of {paced_pause:.1} ms"),
        behind < before,
    );
    let panel = Panel::new("time (ms)", "packet")
        .points("unpaced", unpaced.shown())
        .points("paced", paced.shown());
    let figure = Figure::new(title).panel(panel);
    Ok(Report::new()
        .claims([bursty, smoother].map(|claim| claim.from_scale(context.scale(), 0.1)))
        .figure(figure)
        .note(
            "The papers state neither window nor variant: a window of 32 packets of 1500 B, Reno. \
             Times are those at the router before the 10 Mbps line, after 30 s.",
        ))
}

/// What constant traffic of this rate becomes behind one pacer, in steady state.
pub(super) fn constant(
    context: &Context<'_>,
    title: &str,
    pacer: &str,
    rates_kbps: [u64; 2],
) -> Result<Report, Fault> {
    let mut report = Report::new();
    let mut figure = Figure::new(title);
    for kbps in rates_kbps {
        let traffic =
            format!(r#"flow.flow.traffic={{ kind = "cbr", rate = "{kbps}kbps", size = "1500B" }}"#);
        let set = format!("link.pacer1.pacer={pacer}");
        let input = context.scenario("qlbp11/single-flow", &[&traffic, &set])?;
        let world = context.watch(&input, 0, |model| {
            Passages::new(model, "pacer1", Time::ZERO + model.warmup)
        })?;
        let passed = &world.probe().released;
        let released: Vec<Time> = passed.iter().map(|(_, at)| *at).collect();
        let gap = 1500.0 * 8.0 / (kbps as f64 * 1e3);
        let gaps = gaps(&released);
        let rate = kbps as f64 * gap * gaps.len() as f64 / gaps.iter().sum::<f64>();
        let worst = gaps
            .iter()
            .map(|g| (g / gap - 1.0).abs())
            .fold(0.0, f64::max);
        let text = |what: &str| format!("{what} at {kbps} kbps");
        report = report
            .claim(
                Claim::equals(text("rate of departures, kbps,"), kbps as f64, rate, 1e-6)
                    .from_scale(context.scale(), 0.1),
            )
            .claim(
                Claim::vanishes(
                    text("greatest relative difference of a gap from the arrivals'"),
                    worst,
                    1e-6,
                )
                .from_scale(context.scale(), 0.1),
            );
        figure = figure.panel(departures(kbps, passed));
    }
    Ok(report
        .figure(figure)
        .note("The papers do not state the size of the packets: 1500 B."))
}

/// The first twenty packets, as they came and as they went.
fn departures(kbps: u64, passed: &[(Time, Time)]) -> Panel {
    let first = passed.first().map_or(Time::ZERO, |(came, _)| *came);
    let of = |pick: fn(&(Time, Time)) -> Time| {
        let numbered = (0u32..).zip(passed.iter().take(20));
        numbered
            .map(|(number, packet)| {
                let ms = (pick(packet) - first).as_secs_f64() * 1e3;
                (ms, f64::from(number))
            })
            .collect::<Vec<_>>()
    };
    Panel::new("time (ms)", "packet")
        .titled(format!("{kbps} kbps"))
        .points("arrivals", of(|packet| packet.0))
        .points("departures", of(|packet| packet.1))
}
