//! Lines of figures: their points, with intervals and the care that these need.

use pacesim::measure::two_clusters;
use pacesim_claims::claims::Estimate;
use pacesim_claims::evidence::PerReplication;
use pacesim_claims::over_replications::{Range, estimate, estimate_of_quantile};
use pacesim_plot::{DataPoint, Sign};
use pacesim_runs::rare::Counts;
use pacesim_runs::replicate::CONFIDENCE;

use super::Drawing;
use super::sides::Unit;

/// The points of one line, from left to right.
pub(super) struct DrawnLine {
    pub(super) label: String,
    /// Numbers of its colour and of its dash, if two axes tell lines apart.
    pub(super) look: Option<(usize, usize)>,
    pub(super) points: Vec<DrawnPoint>,
}

/// A point on a line.
pub(super) struct DrawnPoint {
    pub(super) x: f64,
    /// Number of the study's point.
    pub(super) point: u64,
    /// The numbers drawn, one for each repetition.
    pub(super) numbers: PerReplication,
    /// The events behind a plain share of packets, if they are few.
    pub(super) rare: Option<Counts>,
    pub(super) care: Care,
    /// The answer of a search, if the number is one.
    pub(super) found: Option<Found>,
}

/// The answer of a search at a place.
#[derive(Clone)]
pub(super) enum Found {
    /// Between the last value that violates the bounds and the first that holds, if this is known.
    Between(Option<(f64, f64)>),
    /// None up to this value, as a number and as written.
    Nowhere(f64, String),
}

/// Reasons to read a point with care that its numbers do not show.
#[derive(Clone, Copy, Default)]
pub(super) struct Care {
    /// True if all replications are the same to the packet.
    pub(super) identical: bool,
    /// True for a quantile beyond which fewer than five values lie.
    pub(super) few_values: bool,
}

impl DrawnPoint {
    /// The number of repetitions with a value.
    fn known(&self) -> usize {
        self.numbers.iter().flatten().count()
    }

    /// True if there is something to draw.
    pub(super) fn has_value(&self) -> bool {
        self.found.is_some() || self.known() > 0
    }

    fn lacks_some(&self) -> bool {
        (1..self.numbers.len()).contains(&self.known())
    }

    fn has_clusters(&self) -> bool {
        let known: Vec<f64> = self.numbers.iter().copied().flatten().collect();
        self.rare.is_none() && !self.care.identical && two_clusters(&known).is_some()
    }

    fn needs_care(&self) -> bool {
        self.care.few_values || self.lacks_some() || self.has_clusters()
    }
}

impl DrawnLine {
    /// The smallest and the greatest number of values of its points.
    pub(super) fn repetitions(&self) -> (u64, u64) {
        let counts = self.points.iter().map(|place| place.known() as u64);
        let counts: Vec<u64> = counts.filter(|n| *n > 0).collect();
        let least = counts.iter().copied().min().unwrap_or(0);
        (least, counts.into_iter().max().unwrap_or(0))
    }

    /// The number of replications if they are the same at all of its points.
    pub(super) fn identical(&self) -> Option<usize> {
        let all = self.points.iter().all(|place| place.care.identical);
        let made = self.points.iter().map(|place| place.numbers.len()).max();
        made.filter(|_| all)
    }

    /// The meaning of rings around its points, and of missing intervals.
    pub(super) fn remarks(&self) -> Vec<String> {
        let any = |of: fn(&DrawnPoint) -> bool| self.points.iter().any(of);
        let identical = match self.identical() {
            Some(n) => Some(format!(
                "{n} identical replications: nothing drawn, no interval"
            )),
            None => any(|place| place.care.identical)
                .then(|| "no interval: nothing is drawn".to_owned()),
        };
        let few = any(|place| place.care.few_values)
            .then(|| "ringed: fewer than five values lie beyond the quantile".to_owned());
        let clusters = any(DrawnPoint::has_clusters)
            .then(|| "ringed: a mean of two clusters of replications".to_owned());
        let all = identical.into_iter().chain(few).chain(self.lacking());
        all.chain(clusters).chain(self.found()).collect()
    }

    /// The meaning of bars and arrows of answers of searches.
    fn found(&self) -> impl Iterator<Item = String> {
        let answers = || self.points.iter().filter_map(|place| place.found.as_ref());
        let has_bars = answers().any(|found| matches!(found, Found::Between(Some(_))));
        let bars = "bar: from the last value that violates the bounds";
        let nowhere = answers().filter_map(|found| match found {
            Found::Nowhere(last, text) => Some((*last, text)),
            Found::Between(_) => None,
        });
        let last = nowhere.max_by(|a, b| a.0.total_cmp(&b.0));
        let none = last.map(|(_, text)| format!("arrow up: none up to {text}"));
        has_bars.then(|| bars.to_owned()).into_iter().chain(none)
    }

    /// The replications without a value.
    fn lacking(&self) -> Option<String> {
        let lacking = self.points.iter().filter(|place| place.lacks_some());
        let counts = lacking.map(|place| (place.known(), place.numbers.len()));
        let (least, most) = (counts.clone().min()?, counts.max()?);
        Some(if least.0 == most.0 {
            format!("ringed: {} of {} have a value, no interval", most.0, most.1)
        } else {
            format!(
                "ringed: {} to {} of {} have a value, no interval",
                least.0, most.0, most.1
            )
        })
    }
}

impl Drawing<'_> {
    /// The mean at a place with its interval.
    pub(super) fn measured(&self, place: &DrawnPoint, x: &Unit, y: &Unit) -> DataPoint {
        let quantile = self.plot.keys.quantile;
        let is_positive = self.plot.y.is_never_negative() && self.plot.keys.times >= 0.0;
        let range = if is_positive && self.plot.per.iter().all(|of| of.is_never_negative()) {
            Range::NonNegative
        } else {
            Range::Any
        };
        if let Some(found) = &place.found {
            return self.answer(place, found, x, y);
        }
        let estimate = match (place.rare, quantile) {
            (_, Some(quantile)) => estimate_of_quantile(&place.numbers, quantile, CONFIDENCE),
            (Some(counts), None) => Estimate::of_counts(&counts, CONFIDENCE),
            (None, None) => estimate(&place.numbers, range, CONFIDENCE),
        };
        let scaled = |number: f64| number * self.plot.keys.times / y.factor;
        let estimate = estimate.map(scaled);
        let is_share =
            self.plot.y.is_share() && self.plot.per.is_none() && self.plot.relative_to.is_empty();
        let most = if is_share { scaled(1.0) } else { f64::INFINITY };
        let interval = estimate.interval.map(|(low, high)| (low, high.min(most)));
        DataPoint {
            x: place.x / x.factor,
            y: estimate.value,
            interval: interval.filter(|_| !place.care.identical),
            sign: if place.needs_care() {
                Sign::Ring
            } else {
                Sign::None
            },
        }
    }

    /// The answer of a search at a place.
    fn answer(&self, place: &DrawnPoint, found: &Found, x: &Unit, y: &Unit) -> DataPoint {
        let scaled = |number: f64| number * self.plot.keys.times / y.factor;
        let value = place.numbers.first().copied().flatten();
        let (value, interval, sign) = match found {
            Found::Between(span) => (value, *span, Sign::None),
            Found::Nowhere(last, _) => (Some(*last), None, Sign::Beyond),
        };
        DataPoint {
            x: place.x / x.factor,
            y: value.map_or(f64::NAN, scaled),
            interval: interval.map(|(low, high)| (scaled(low), scaled(high))),
            sign,
        }
    }
}
