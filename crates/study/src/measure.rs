//! Measures of a study, and the errors of a measure by itself, independent of any scenario.

use pacesim_language::problem::Faults;
use pacesim_units::{Bytes, Span};

pub use crate::keys::measure::*;

/// An error of one key: its name, the error, and the remedy.
type Fault = (&'static str, String, &'static str);

/// The measures without errors; reports the errors of the others.
pub(crate) fn measures(all: &[Measure], known: &Faults, faults: &mut Faults) -> Vec<Measure> {
    let mut sound: Vec<Measure> = Vec::new();
    for (i, measure) in all.iter().enumerate() {
        let path = format!("measure[{i}]");
        if known.touch(&path) {
            continue;
        }
        let is_taken = sound.iter().any(|other| other.name == measure.name);
        let taken = is_taken.then(|| another_name(&measure.name));
        for (key, message, help) in taken.into_iter().chain(measure.kind.faults()) {
            faults.add(format!("{path}.{key}"), message).help(help);
        }
        sound.push(measure.clone());
    }
    sound
}

fn another_name(name: &str) -> Fault {
    let message = format!("there is another measure \"{name}\"");
    (
        "name",
        message,
        "choose another name; its table is called so",
    )
}

impl MeasureKind {
    /// True if nothing is wrong with its own keys.
    pub fn is_sound(&self) -> bool {
        self.faults().next().is_none()
    }

    fn faults(&self) -> impl Iterator<Item = Fault> {
        let own = match self {
            MeasureKind::Burstiness(asked) => asked.fault(),
            MeasureKind::Autocovariance(asked) => lags(asked.interval, &asked.lags),
            MeasureKind::QueueAutocovariance(asked) => lags(asked.interval, &asked.lags),
            MeasureKind::Hurst(Hurst { interval, .. })
            | MeasureKind::Throughput(Throughput { interval, .. }) => length("interval", *interval),
            MeasureKind::Spectrum(asked) => asked.fault(),
            MeasureKind::Gaps(Gaps { least, most, .. })
            | MeasureKind::Delays(Delays { least, most, .. }) => bins(*least, *most),
            MeasureKind::Completions(asked) => classes_rise(&asked.classes),
            MeasureKind::Fairness(asked) => {
                let none = asked.groups.is_empty();
                none.then(|| ("groups", "no group".to_owned(), "name one or more"))
            }
            MeasureKind::Losses(asked) => asked.fault(),
            MeasureKind::Distribution(asked) => asked.fault(),
            MeasureKind::Series(asked) => asked.fault(),
            _ => None,
        };
        self.place()
            .and_then(MeasuredPlace::fault)
            .into_iter()
            .chain(own)
    }
}

impl MeasuredPlace {
    fn fault(&self) -> Option<Fault> {
        const HELP: &str = "give link = \"NAME\", flows = \"NAME\", or both";
        let nowhere = self.link.is_none() && self.flows.is_none();
        nowhere.then(|| ("kind", "neither a link nor flows".to_owned(), HELP))
    }
}

impl Burstiness {
    /// The lengths of the intervals, from the shortest up, as far as there are such times.
    pub fn lengths(&self) -> impl Iterator<Item = Span> {
        let finest = self.finest;
        (0..self.scales).map_while(move |j| finest.checked_mul(1_u64.checked_shl(j)?))
    }

    /// True for lengths that are part of the slope's fit.
    pub fn is_in_slope(&self, length: Span) -> bool {
        self.slope_from.is_none_or(|from| from <= length)
            && self.slope_to.is_none_or(|to| length <= to)
    }

    fn fault(&self) -> Option<Fault> {
        let Burstiness { finest, scales, .. } = self;
        if self.lengths().count() < *scales as usize {
            let message = format!("{scales} lengths from {finest} on are too long for any run");
            return Some(("scales", message, "give fewer"));
        }
        let key = match (self.slope_from, self.slope_to) {
            (None, None) => return length("finest", *finest),
            (Some(_), _) => "slope_from",
            _ => "slope_to",
        };
        let within = self.lengths().filter(|length| self.is_in_slope(*length));
        let within = within.count();
        let message = format!("a slope over {within} of the {scales} lengths from {finest} on");
        let short = (within < 2).then_some((key, message, "a slope takes two lengths or more"));
        length("finest", *finest).or(short)
    }
}

impl Spectrum {
    /// True for frequencies that are part of the slope's fit.
    pub fn is_in_slope(&self, hz: f64) -> bool {
        let period = 1.0 / hz;
        self.slope_from
            .is_none_or(|from| from.as_secs_f64() <= period)
            && self.slope_to.is_none_or(|to| period <= to.as_secs_f64())
    }

    fn fault(&self) -> Option<Fault> {
        let Spectrum {
            interval,
            slope_from,
            slope_to,
            ..
        } = self;
        let (Some(from), Some(to)) = (slope_from, slope_to) else {
            return length("interval", *interval);
        };
        let message = format!("a slope from periods of {from} to {to}");
        let is_empty = (to <= from).then_some(("slope_to", message, "give more than slope_from"));
        length("interval", *interval).or(is_empty)
    }
}

impl Distribution {
    fn fault(&self) -> Option<Fault> {
        let is_of_link = self.link.is_some();
        let fault = |key, message: &str, help| Some((key, message.to_owned(), help));
        match self.of {
            Values::Gaps if self.flows.is_none() && !is_of_link => {
                let help = "give link = \"NAME\", flows = \"NAME\", or both";
                fault("of", "neither a link nor flows", help)
            }
            Values::Delays | Values::Completions | Values::Goodputs if self.flows.is_none() => {
                fault("of", "no flows", "give flows = \"NAME\"")
            }
            Values::Delays | Values::Completions | Values::Goodputs if is_of_link => {
                fault("link", "only gaps are of a link", "leave it out")
            }
            _ => None,
        }
    }
}

impl Series {
    fn fault(&self) -> Option<Fault> {
        const HELP: &str = "give one of link = \"NAME\" and flows = \"NAME\"";
        if self.flows.is_some() == self.link.is_some() {
            let message = "a series is of a link or of a group of flows".to_owned();
            return Some(("metric", message, HELP));
        }
        self.every.and_then(|every| length("every", every))
    }
}

/// Least width of a bin of losses: a narrower one would give more bins than flows.
const LEAST_BIN: f64 = 1e-4;

impl Losses {
    fn fault(&self) -> Option<Fault> {
        if self.bin < LEAST_BIN {
            let message = format!("bins of {} are too narrow to have flows in them", self.bin);
            return Some(("bin", message, "give 0.0001 or more"));
        }
        (self.most < self.least).then(|| {
            let message = format!("from {} to {} there is no loss", self.least, self.most);
            ("most", message, "give no less than least")
        })
    }
}

fn length(key: &'static str, span: Span) -> Option<Fault> {
    let message = "an interval without length".to_owned();
    span.is_zero()
        .then_some((key, message, "give more than 0s"))
}

fn bins(least: Span, most: Span) -> Option<Fault> {
    if least.is_zero() {
        let message = "bins that grow by a factor cannot begin at 0s".to_owned();
        return Some(("least", message, "give the least that matters, such as 1us"));
    }
    (most <= least).then(|| {
        let message = format!("the bins begin at {least} and end at {most}");
        ("most", message, "give more than least")
    })
}

fn lags(interval: Span, lags: &[u32]) -> Option<Fault> {
    length("interval", interval).or_else(|| ascending(lags))
}

fn ascending(lags: &[u32]) -> Option<Fault> {
    const HELP: &str = "list lags from the least up, each once";
    if lags.is_empty() {
        return Some(("lags", "no lag".to_owned(), HELP));
    }
    let ascend = lags.windows(2).all(|pair| pair[0] < pair[1]);
    (!ascend).then(|| ("lags", "the lags do not ascend".to_owned(), HELP))
}

fn classes_rise(classes: &[Bytes]) -> Option<Fault> {
    let rise = classes.windows(2).all(|pair| pair[0] < pair[1]);
    let is_sound = rise && classes.first() != Some(&Bytes::ZERO);
    let message = "the classes do not ascend from above 0B".to_owned();
    (!is_sound).then_some((
        "classes",
        message,
        "list sizes from the least up, each once",
    ))
}
