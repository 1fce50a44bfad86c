//! Burstiness behind the hull pacer, over time scales (Fig. 18): Poisson traffic. The
//! long-range dependent traffic of its second half waits for such a source.

use pacesim::measure::{Burstiness, Scale};
use pacesim::model::Model;
use pacesim::net::{Packet, Probe};
use pacesim::units::{Bytes, LinkId, Span, Time};

use super::super::observed::link;
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// Delays in microseconds, which are packet times, and how they are written.
const DELAYS: [(u64, &str); 5] = [
    (0, "0s"),
    (10, "10us"),
    (100, "100us"),
    (1000, "1ms"),
    (10_000, "10ms"),
];
/// Packets per packet time.
const LOAD: f64 = 0.8;
/// The number of dyadic scales, from 1 us to 33 ms.
const SCALES: u32 = 16;

/// Values of an independent simulation of unit packets along the exact exit curve:
/// delay and scale in packet times, and beta.
const ELSEWHERE: [(u64, u64, f64); 11] = [
    (10, 5, 0.299),
    (10, 10, 0.264),
    (10, 20, 0.220),
    (100, 2, 0.309),
    (100, 5, 0.138),
    (100, 10, 0.106),
    (100, 50, 0.0886),
    (100, 100, 0.0822),
    (100, 200, 0.0697),
    (1000, 500, 0.0275),
    (1000, 1000, 0.0255),
];

/// One run a delay.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let mut report = Report::new();
    let mut panel = Panel::new("time scale s (us)", "burstiness beta(s)")
        .log_x()
        .log_y();
    let mut curves = Vec::new();
    for (delay, text) in DELAYS {
        let beta = measure(context, text)?;
        let label = format!("d = {text}");
        panel = panel.line(label, beta.dyadic());
        curves.push((delay, beta));
    }
    let unpaced = &curves[0].1;
    let slope = unpaced.slope(1, 1 << (SCALES - 1));
    report = report.claim(
        Claim::roughly(
            "slope of unpaced Poisson traffic on log-log scales",
            -0.5,
            slope,
        )
        .from_scale(context.scale(), 0.2),
    );
    for (delay, beta) in &curves[1..] {
        report =
            report.claims(shape(*delay, beta, unpaced).map(|c| c.from_scale(context.scale(), 0.5)));
    }
    for (delay, scale, expected) in ELSEWHERE {
        let beta = &curves
            .iter()
            .find(|(d, _)| *d == delay)
            .expect("judged delays are among the delays")
            .1;
        let claim = within_five_percent(delay, scale, expected, beta.at(scale));
        report = report.claim(claim.from_scale(context.scale(), 0.5));
    }
    let theory = DELAYS[1..].iter().map(|(d, _)| (*d as f64, at_delay(*d)));
    panel = panel.points("1/sqrt(2 lambda d) at s = d", theory.collect::<Vec<_>>());
    let lrd = Claim::not_yet(
        "unpaced slope of -0.15 for long-range dependent traffic of 4 Gbps",
        Some((-0.15).into()),
        "sources of long-range dependent traffic",
    );
    Ok(report
        .claim(lrd)
        .figure(Figure::new("burstiness of paced Poisson traffic (zerobuf Fig. 18)").panel(panel))
        .note(
            "Released by the last byte, which the papers leave open; volumes are counted at the \
             release. Values \"simulated elsewhere\" are of unit packets along the exact exit curve.",
        ))
}

/// beta at s = d by the papers' formula, time in packets.
fn at_delay(delay: u64) -> f64 {
    1.0 / (2.0 * LOAD * delay as f64).sqrt()
}

/// What the paper says of one paced curve. The last scale with intervals enough for
/// the standard deviation bounds what can be said of 10 ms.
fn shape(delay: u64, beta: &Curve, unpaced: &Curve) -> [Claim; 2] {
    let near = Claim::roughly(
        format!("beta(d) of Poisson paced with d = {delay} us: 1/sqrt(2 lambda d)"),
        at_delay(delay),
        beta.at(delay),
    );
    let coarse = (delay * 32).min(1 << (SCALES - 1));
    let ratio = beta.near(coarse) / unpaced.near(coarse);
    let joins = match delay {
        10_000 => Claim::at_most(
            format!(
                "beta at {} us over unpaced, d = 10 ms: still below",
                1 << (SCALES - 1)
            ),
            1.0,
            ratio,
        ),
        _ => Claim::roughly(
            format!("beta at 32 d over unpaced, d = {delay} us: it has joined the unpaced"),
            1.0,
            ratio,
        ),
    };
    [near, joins]
}

fn within_five_percent(delay: u64, scale: u64, expected: f64, ours: f64) -> Claim {
    let text = format!("beta({scale} us) with d = {delay} us as simulated elsewhere");
    Claim::equals(text, expected, ours, 0.05)
}

/// beta over scales: dyadic ones from 1 us, and those in between that others name.
struct Curve {
    families: Vec<Vec<Scale>>,
}

/// The finest scale of each family, in microseconds.
const FINEST: [u64; 2] = [1, 5];

impl Curve {
    fn find(&self, us: u64) -> Option<f64> {
        let of = |scale: &Scale| (scale.interval == Span::from_us(us)).then(|| scale.beta())?;
        self.families.iter().flatten().find_map(of)
    }

    /// At a scale that a family has, or between the two around it on log scales.
    fn at(&self, us: u64) -> f64 {
        self.find(us).unwrap_or_else(|| self.near(us))
    }

    /// Between the dyadic scales around, on log scales.
    fn near(&self, us: u64) -> f64 {
        let (below, above) = (1u64 << us.ilog2(), 1u64 << (us.ilog2() + 1));
        let (Some(low), high) = (self.find(below), self.find(above)) else {
            return f64::NAN;
        };
        let part = libm::log2(us as f64 / below as f64);
        let high = high.unwrap_or(low);
        libm::exp2((1.0 - part) * libm::log2(low) + part * libm::log2(high))
    }

    fn slope(&self, from_us: u64, to_us: u64) -> f64 {
        let rise = libm::log(self.near(to_us) / self.near(from_us));
        rise / libm::log(to_us as f64 / from_us as f64)
    }

    fn dyadic(&self) -> Vec<(f64, f64)> {
        let point = |scale: &Scale| Some((scale.interval.as_secs_f64() * 1e6, scale.beta()?));
        self.families[0].iter().filter_map(point).collect()
    }
}

fn measure(context: &Context<'_>, delay: &str) -> Result<Curve, Fault> {
    let set = format!("link.paced.pacer.delay={delay}");
    let input = context.scenario("zerobuf/fig18", &[&set])?;
    let world = context.watch(&input, 0, Volumes::new)?;
    let end = world.now();
    let families = world.probe().families.iter();
    Ok(Curve {
        families: families.map(|family| family.scales(end)).collect(),
    })
}

/// The volume that the pacer releases.
struct Volumes {
    link: LinkId,
    from: Time,
    families: Vec<Burstiness>,
}

impl Volumes {
    fn new(model: &Model) -> Volumes {
        let from = Time::ZERO + model.warmup;
        let family = |us: &u64| {
            Burstiness::new(from, Span::from_us(*us), SCALES)
                .expect("2^16 times 5 us is within the clock")
        };
        Volumes {
            link: link(model, "paced"),
            from,
            families: FINEST.iter().map(family).collect(),
        }
    }
}

impl Probe for Volumes {
    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, _arrived: Time) {
        if link == self.link && now >= self.from {
            let size = Bytes(u64::from(packet.size));
            self.families
                .iter_mut()
                .for_each(|family| family.add(now, size));
        }
    }
}
