//! Judgement of a study's claims by the confidence intervals of its numbers.

mod again;
mod caution;
mod course;
mod needed;
mod reasons;
mod stated;
mod variants;

pub use again::{Unknown, again};
pub use stated::number_of;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::claims::{Claim, EACH, Estimate, InUnit, Value, Verdict};
use crate::over_replications::{Range, estimate, estimate_of_quantile};
use pacesim::measure::jain;
use pacesim_probes::line::FittedLine;
use pacesim_runs::rare::Counts;
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_study::places::{comparison, replaced, selections_of};
use pacesim_study::{
    Against, AlongLine, AxisValue, Claimed, Expectation, NumberName, OfLine, Selection, Slope,
    Study,
};

use crate::evidence::{Evidence, PerReplication, paired};

/// The claims of a study, in file order, for a run at this share of the full length.
pub fn judge(study: &Study, samples: &dyn Evidence, scale: f64) -> Vec<Claim> {
    let claims = study.expectations.iter();
    let judge = |claim| Judge::new(study, samples, claim).judge(scale);
    claims.map(judge).collect()
}

/// One claim, and the data to judge it by.
pub(crate) struct Judge<'a> {
    pub(crate) study: &'a Study,
    pub(crate) samples: &'a dyn Evidence,
    pub(crate) claim: &'a Expectation,
    /// True if nothing is drawn at any of its points, so that its numbers have no interval.
    is_identical: bool,
}

/// The verdict from the numbers.
pub(crate) struct Finding {
    pub(crate) verdict: Verdict,
    pub(crate) ours: Option<Value>,
    pub(crate) interval: Option<(f64, f64)>,
    accepts: String,
    /// Advice if there are too few events for a verdict.
    lacking: Option<String>,
}

impl<'a> Judge<'a> {
    fn new(study: &'a Study, samples: &'a dyn Evidence, claim: &'a Expectation) -> Judge<'a> {
        let points = samples.points_of(study, claim);
        let is_identical = |point: &u64| samples.are_identical(*point);
        Judge {
            study,
            samples,
            claim,
            is_identical: !points.is_empty() && points.iter().all(is_identical),
        }
    }
}

impl Judge<'_> {
    fn judge(&self, scale: f64) -> Claim {
        let claim = self.claim;
        let open = self.left_open();
        let found = if scale >= claim.scale {
            self.find_unless(open.as_ref())
        } else {
            Finding::not_run(claim.scale)
        };
        let note = match found.verdict {
            Verdict::NotRun => Some(format!("needs --scale {} or more", claim.scale)),
            Verdict::Undecided if open.is_some() => open.clone(),
            Verdict::Undecided if found.lacking.is_some() => found.lacking,
            Verdict::Undecided if found.interval.is_none() => self.no_interval(),
            Verdict::Undecided => self.replications_needed(&found),
            _ => None,
        };
        let remarks = match found.verdict {
            Verdict::NotRun => None,
            _ => self.remarks(),
        };
        let remarks: Vec<String> = remarks.into_iter().chain(self.absences()).collect();
        let notes: Vec<String> = note.into_iter().chain(remarks.iter().cloned()).collect();
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        let judged = Claim {
            ours: found.ours,
            accepts: found.accepts,
            note,
            open,
            remarks: (!remarks.is_empty()).then(|| remarks.join("; ")),
            ..self.stated(found.verdict)
        };
        let judged = judged.measured(found.interval.filter(|_| !self.is_identical));
        match judged.verdict {
            Verdict::NotRun => judged,
            _ => {
                let variants = self.of_variants();
                let because = reasons::because(self.study, claim, &variants);
                judged.reasoned(because, variants)
            }
        }
    }

    /// The claim as stated, without a number.
    fn stated(&self, verdict: Verdict) -> Claim {
        stated::claim(self.study, self.claim, verdict)
    }

    /// The note that rates of groups are over more time than some of these were present.
    fn absences(&self) -> Option<String> {
        let claim = self.claim;
        let mut names = claim.over_window();
        names.extend(claim.numbers().cloned());
        let points = selections_of(self.study, claim).into_iter();
        let points = points.filter_map(|at| self.samples.point(self.study, &at));
        let absences = points.flat_map(|point| {
            let all = names.iter();
            all.flat_map(move |name| self.samples.absences(name, point))
        });
        let mut least: BTreeMap<String, f64> = BTreeMap::new();
        for (group, share) in absences {
            let known = least.entry(group).or_insert(share);
            *known = known.min(share);
        }
        let groups = least.iter();
        let groups =
            groups.map(|(group, share)| format!("{group} for {:.0} % of it", 100.0 * share));
        let groups: Vec<String> = groups.collect();
        (!groups.is_empty()).then(|| {
            let groups = groups.join(", ");
            format!("rates of several groups are over the measured time; present are {groups}")
        })
    }

    /// The finding, left open if there is a reason.
    fn find_unless(&self, open: Option<&String>) -> Finding {
        let found = self.find();
        match open {
            Some(_) => Finding {
                verdict: Verdict::Undecided,
                ..found
            },
            None => found,
        }
    }

    pub(crate) fn find(&self) -> Finding {
        match self.claim.claimed {
            Claimed::Between { .. } | Claimed::Band { .. } | Claimed::About { .. } => {
                let (least, most) = self.claim.bounds(&self.study.references);
                let (low, high) = (
                    least.unwrap_or(f64::NEG_INFINITY),
                    most.unwrap_or(f64::INFINITY),
                );
                self.number_within(low, high, stated::accepts(self.study, self.claim))
            }
            Claimed::Measured { .. } => {
                self.number_as_measured(stated::accepts(self.study, self.claim))
            }
            Claimed::Course(axis, course) => self.course(axis, course),
            Claimed::LeastAt(axis, value) => self.extreme(axis, value, 1.0),
            Claimed::GreatestAt(axis, value) => self.extreme(axis, value, -1.0),
        }
    }

    fn number_as_measured(&self, accepts: String) -> Finding {
        let bounds = |at: &Selection| self.claim.measured_bounds(&self.study.references, at);
        if let Some(axis) = self.claim.each {
            return self.each_within(axis, |value| bounds(&self.along(axis, value)), accepts);
        }
        let (least, most) = bounds(&self.claim.at);
        self.number_within(least, most, accepts)
    }

    fn number_within(&self, least: f64, most: f64, accepts: String) -> Finding {
        if let Some(axis) = self.claim.each {
            return self.each_within(axis, |_| (least, most), accepts);
        }
        let numbers = match self.claim.line {
            None => self.compared(&self.claim.at),
            Some(line) => self.lines(line),
        };
        let rare = self.rare(&self.claim.at, &numbers);
        let estimate = match (self.found(&numbers), rare) {
            (Some(found), _) => self.scaled(found),
            (None, Some(counts)) => self.scaled(Estimate::of_counts(&counts, CONFIDENCE)),
            (None, None) => self.estimate(&self.in_its_unit(numbers), self.range(), CONFIDENCE),
        };
        let verdict = match estimate.interval {
            None => Verdict::Undecided,
            Some(_) => estimate.lies_within(least, most),
        };
        let lacking = rare.filter(|_| verdict == Verdict::Undecided);
        Finding {
            verdict,
            ours: Some(Value::Number(estimate.value)),
            interval: estimate.interval,
            accepts,
            lacking: lacking.and_then(|counts| counts.lacking(most / self.claim.times, CONFIDENCE)),
        }
    }

    /// Judges the number at each value of an axis, with simultaneous intervals.
    fn each_within(
        &self,
        axis: usize,
        bounds: impl Fn(usize) -> (f64, f64),
        accepts: String,
    ) -> Finding {
        let curve = self.curve(axis);
        let each = simultaneous_level(curve.len());
        let values = self.claim.stretch(&self.study.axes[axis]);
        let bounds: Vec<(f64, f64)> = values.clone().map(bounds).collect();
        let rare: Vec<Option<Counts>> = values.map(|value| self.rare_at(axis, value)).collect();
        let estimates = curve.iter().zip(&rare).map(|(numbers, rare)| match rare {
            Some(counts) => self.scaled(Estimate::of_counts(counts, each)),
            None => self.estimate(numbers, self.range(), each),
        });
        let estimates: Vec<Estimate> = estimates.collect();
        let bounded = || estimates.iter().zip(&bounds);
        let verdicts = bounded().map(|(estimate, (least, most))| match estimate.interval {
            None => Verdict::Undecided,
            Some(_) => estimate.lies_within(*least, *most),
        });
        let verdicts: Vec<Verdict> = verdicts.collect();
        let has = |wanted: Verdict| verdicts.contains(&wanted);
        let verdict = match (has(Verdict::Differs), has(Verdict::Undecided)) {
            (true, _) => Verdict::Differs,
            (_, true) => Verdict::Undecided,
            _ => Verdict::Pass,
        };
        let samples = curve.iter().map(Vec::len);
        let needed = self.needed_at_each(bounded().zip(samples).map(|((a, b), n)| (a, b, n)));
        // The closest call, among values with an interval.
        let room =
            |(low, high): (f64, f64), (least, most): (f64, f64)| (low - least).min(most - high);
        let intervals = bounded().zip(self.claim.stretch(&self.study.axes[axis]));
        let intervals = intervals
            .filter_map(|((estimate, bounds), place)| Some((estimate.interval?, *bounds, place)));
        let closest = intervals.min_by(|a, b| room(a.0, a.1).total_cmp(&room(b.0, b.1)));
        let means = self.means(&curve);
        let ours = match closest {
            Some((_, _, place)) if curve.len() > 1 => {
                format!("{means}; closest at {}", self.value(axis, place).shown())
            }
            _ => means,
        };
        Finding {
            verdict,
            ours: Some(Value::Text(ours)),
            interval: closest.map(|(interval, ..)| interval),
            accepts: accepts + EACH,
            lacking: needed.filter(|_| verdict == Verdict::Undecided),
        }
    }

    /// The claimed numbers at each value of an axis.
    fn curve(&self, axis: usize) -> Vec<PerReplication> {
        let values = self.claim.stretch(&self.study.axes[axis]);
        values.map(|i| self.in_its_unit(self.at(axis, i))).collect()
    }

    /// The mean with its interval, which has zero width for numbers that follow from the point
    /// alone, even in a single run.
    fn estimate(&self, numbers: &[Option<f64>], range: Range, confidence: f64) -> Estimate {
        let is_exact = |name: &NumberName| self.samples.is_exact(name);
        let is_alone = self.is_identical || self.claim.numbers().all(is_exact);
        match (numbers.first().copied().flatten(), self.claim.quantile) {
            (Some(number), None) if is_alone => Estimate::exact(number),
            (Some(number), _) if self.is_identical => Estimate::exact(number),
            (_, Some(quantile)) => estimate_of_quantile(numbers, quantile, confidence),
            (_, None) => estimate(numbers, range, confidence),
        }
    }

    /// A value found by a search, with the range in which the answer lies.
    fn found(&self, numbers: &PerReplication) -> Option<Estimate> {
        let claim = self.claim;
        let is_plain = claim.per.is_none() && claim.line.is_none() && claim.jain_with.is_empty();
        let point = self.samples.point(self.study, &claim.at)?;
        let span = self.samples.found_span(self.study, &claim.y, point)?;
        let is_alone = matches!(claim.against, Against::Nothing) && is_plain;
        let value = numbers.first().copied().flatten()?;
        is_alone.then_some(Estimate {
            value,
            interval: Some(span),
        })
    }

    /// The values that the claimed number may have.
    fn range(&self) -> Range {
        let claim = self.claim;
        let is_difference = matches!(claim.against, Against::Minus(_)) || claim.line.is_some();
        let is_positive = claim.times >= 0.0 && claim.numbers().all(NumberName::is_never_negative);
        if is_positive && !is_difference {
            Range::NonNegative
        } else {
            Range::Any
        }
    }

    /// The events behind a plain share of packets, if they are few.
    fn rare(&self, at: &Selection, shares: &PerReplication) -> Option<Counts> {
        let claim = self.claim;
        let is_plain = claim.per.is_none() && claim.line.is_none() && claim.jain_with.is_empty();
        let is_alone = comparison(&claim.against).is_none() && claim.quantile.is_none();
        if !is_plain || !is_alone || self.is_identical {
            return None;
        }
        let point = self.samples.point(self.study, at)?;
        self.samples.rare(&claim.y, shares, point)
    }

    fn rare_at(&self, axis: usize, value: usize) -> Option<Counts> {
        let at = self.along(axis, value);
        self.rare(&at, &self.compared(&at))
    }

    /// The point of the claim at one value of the axis along which it runs.
    fn along(&self, axis: usize, value: usize) -> Selection {
        let mut at = self.claim.at.clone();
        at.push((axis, vec![value]));
        at
    }

    /// A value of the axis along which the claim runs, at its point.
    fn value(&self, axis: usize, place: usize) -> Cow<'_, AxisValue> {
        let point = self.samples.point(self.study, &self.along(axis, place));
        self.study.value_at(point, axis, place)
    }

    /// Converts an estimate to the unit of the claim.
    fn scaled(&self, estimate: Estimate) -> Estimate {
        let times = self.claim.times;
        Estimate {
            value: estimate.value * times,
            interval: estimate
                .interval
                .map(|(low, high)| (low * times, high * times)),
        }
    }

    /// The claimed number of the fitted line along an axis, in each replication.
    fn lines(&self, claimed: AlongLine) -> PerReplication {
        // Few points always lie nearly on a line.
        const ENOUGH: usize = 4;
        let AlongLine { axis, scales, of } = claimed;
        let places = self.claim.stretch(&self.study.axes[axis]);
        let along = places.map(|place| (self.value(axis, place).number, self.at(axis, place)));
        let along: Vec<(Option<f64>, PerReplication)> = along.collect();
        let replications = along.iter().map(|(_, numbers)| numbers.len()).max();
        let one = |replication: usize| {
            let points = along.iter().filter_map(|(x, numbers)| {
                let y = numbers.get(replication).copied().flatten()?;
                scaled((*x)?, y, scales)
            });
            let points: Vec<(f64, f64)> = points.collect();
            let line = FittedLine::through(&points)?;
            match of {
                OfLine::Slope => Some(line.slope),
                OfLine::Straightness => (points.len() >= ENOUGH).then_some(line.r_squared),
            }
        };
        (0..replications.unwrap_or(0)).map(one).collect()
    }

    /// The claimed numbers at one value of an axis.
    fn at(&self, axis: usize, value: usize) -> PerReplication {
        self.compared(&self.along(axis, value))
    }

    /// The number, ratio or difference, replication by replication; or Jain's index of several.
    fn compared(&self, at: &Selection) -> PerReplication {
        let ours = self.one_compared(&self.claim.y, at);
        if self.claim.jain_with.is_empty() {
            return ours;
        }
        let others = self.claim.jain_with.iter();
        let others: Vec<PerReplication> = others.map(|name| self.one_compared(name, at)).collect();
        let index = |(replication, ours): (usize, &Option<f64>)| {
            let of = |numbers: &PerReplication| numbers.get(replication).copied().flatten();
            let shares: Option<Vec<f64>> = others.iter().map(of).chain([*ours]).collect();
            jain(&shares?)
        };
        ours.iter().enumerate().map(index).collect()
    }

    /// One number, ratio or difference, replication by replication.
    fn one_compared(&self, name: &NumberName, at: &Selection) -> PerReplication {
        let claim = self.claim;
        let over_window = claim.number_over_window(name);
        let of = |at: &Selection| {
            let point = self.samples.point(self.study, at);
            let numbers = |point| match &over_window {
                Some(number) => self.samples.of(number, point).to_vec(),
                None => self.samples.divided(name, claim.per.as_ref(), point),
            };
            point.map_or(Vec::new(), numbers)
        };
        let ours = of(at);
        match comparison(&claim.against) {
            None => ours,
            Some((other, combine)) => paired(&ours, &of(&replaced(at, other)), combine),
        }
    }

    /// The mean, or the quantile that the claim is about.
    fn central(&self, numbers: &PerReplication) -> f64 {
        match self.claim.quantile {
            Some(quantile) => estimate_of_quantile(numbers, quantile, CONFIDENCE).value,
            None => estimate(numbers, Range::Any, CONFIDENCE).value,
        }
    }

    /// The means or quantiles along an axis; only the first and the last if there are many.
    fn means(&self, curve: &[PerReplication]) -> String {
        const MANY: usize = 16;
        const SHOWN: usize = 3;
        let all = curve.iter().map(|numbers| self.central(numbers));
        let all: Vec<f64> = all.collect();
        match all.len() {
            n if n > MANY => {
                let list = |numbers: &[f64]| self.shown().list(numbers);
                let (first, last) = (list(&all[..SHOWN]), list(&all[n - SHOWN..]));
                format!("{first}, ..., {last} ({n} values)")
            }
            _ => self.shown().list(&all),
        }
    }

    /// The unit in which texts state the claim's numbers.
    fn shown(&self) -> InUnit {
        stated::shown(self.claim)
    }

    /// Converts to the unit of the claim.
    fn in_its_unit(&self, numbers: PerReplication) -> PerReplication {
        let times = |number: Option<f64>| number.map(|number| number * self.claim.times);
        numbers.into_iter().map(times).collect()
    }
}

impl Finding {
    fn not_run(scale: f64) -> Finding {
        Finding {
            verdict: Verdict::NotRun,
            ours: None,
            interval: None,
            accepts: format!("at --scale {scale}"),
            lacking: None,
        }
    }
}

/// The level of each of several simultaneous intervals.
fn simultaneous_level(intervals: usize) -> f64 {
    1.0 - (1.0 - CONFIDENCE) / intervals.max(1) as f64
}

/// A point in the scales of a slope, if these can represent it.
fn scaled(x: f64, y: f64, scales: Slope) -> Option<(f64, f64)> {
    let log = |x: f64| (x > 0.0).then(|| libm::log(x));
    match scales {
        Slope::Linear => Some((x, y)),
        Slope::LogY => Some((x, log(y)?)),
        Slope::LogLog => Some((log(x)?, log(y)?)),
    }
}
