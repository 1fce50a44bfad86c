//! Evaluation of a search's points: run on demand and compared by their intervals.

use pacesim_claims::evidence::{Evidence, PerReplication, paired};
use std::collections::{BTreeMap, BTreeSet};

use pacesim::measure::mean_interval;
use pacesim_claims::over_replications::{Range, estimate};
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::Store;
use pacesim_store::plan::{Planned, SweepPlan};
use pacesim_store::sweep::Sweep;
use pacesim_study::search::{Better, Places, Trials};
use pacesim_study::{Bound, Goal, NumberName, Sense, StatedBound, Tune};

use crate::error::SweepError;
use crate::execute::{Work, execute};
use crate::planning::plan_points;
use crate::samples::{Samples, counts_behind};

/// Runs and compares points.
pub(super) struct Evaluator<'a> {
    sweep: &'a Sweep<'a>,
    tune: &'a Tune,
    store: &'a Store,
    /// True if missing runs may be made.
    may_run: bool,
    monitor: &'a dyn BatchMonitor,
    /// All points tried, in order of appearance.
    pub(super) plan: SweepPlan,
    /// Their indices in the plan, by number.
    places: BTreeMap<u64, usize>,
    numbers: BTreeMap<u64, Vec<PerReplication>>,
    /// For each number at a point, true for a quantile of few values.
    few: BTreeMap<u64, Vec<bool>>,
    /// Points whose replications are the same to the packet.
    identical: BTreeSet<u64>,
    bounds: BTreeMap<u64, Vec<Bound>>,
    /// For each bound at a point, the number that it is about.
    judged: BTreeMap<u64, Vec<Judged>>,
    /// The number of runs made, not found in the store.
    pub(super) made: u64,
    /// A place for each axis; those of searched axes are meaningless.
    case: Vec<usize>,
    tried: BTreeSet<u64>,
}

/// The number that a bound is about at a point: the measured one, or its ratio to another's.
struct Judged {
    numbers: PerReplication,
    is_few: bool,
    is_identical: bool,
}

/// A bounded number at a point.
#[derive(Clone, Copy)]
pub(super) struct Bounded<'a> {
    pub(super) bound: &'a Bound,
    pub(super) numbers: &'a PerReplication,
    /// True for a quantile of few values, which decides nothing.
    pub(super) is_few: bool,
    /// True if all replications are the same to the packet.
    pub(super) is_identical: bool,
}

/// The relation of a number to its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// The whole interval is within the bounds.
    Yes,
    /// The whole interval is outside the bounds.
    No,
    /// The interval leaves it undecided, or there is no number.
    Open,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(
        sweep: &'a Sweep<'a>,
        tune: &'a Tune,
        store: &'a Store,
        may_run: bool,
        monitor: &'a dyn BatchMonitor,
    ) -> Evaluator<'a> {
        Evaluator {
            sweep,
            tune,
            store,
            may_run,
            monitor,
            plan: SweepPlan::default(),
            places: BTreeMap::new(),
            numbers: BTreeMap::new(),
            few: BTreeMap::new(),
            identical: BTreeSet::new(),
            bounds: BTreeMap::new(),
            judged: BTreeMap::new(),
            made: 0,
            case: Vec::new(),
            tried: BTreeSet::new(),
        }
    }

    /// Begins a search with these values of the axes that are not searched.
    pub(super) fn begin(&mut self, case: Vec<usize>) {
        self.case = case;
        self.tried.clear();
    }

    /// The number of points that the search has tried.
    pub(super) fn tried(&self) -> usize {
        self.tried.len()
    }

    /// The numbers of these points.
    pub(super) fn points_tried(&self) -> impl Iterator<Item = u64> {
        self.tried.iter().copied()
    }

    /// The number of a point of this search, unless it is left out of the grid.
    pub(super) fn point(&self, at: &Places) -> Option<u64> {
        let mut choice = self.case.clone();
        for (axis, place) in self.tune.search.iter().zip(at) {
            choice[*axis] = *place;
        }
        self.sweep.study.number(&choice)
    }

    /// True if a point was evaluated, in this search or another.
    pub(super) fn knows(&self, point: u64) -> bool {
        self.judged.contains_key(&point)
    }

    /// Makes sure that each point, and those that it is compared with, have at least this number of
    /// replications.
    pub(super) fn ensure(&mut self, points: &[u64], replications: u64) -> Result<(), SweepError> {
        let study = self.sweep.study;
        let of = |point: &u64| {
            let bases = self
                .tune
                .bounds
                .iter()
                .map(|bound| bound.base(study, *point));
            let bases: Vec<u64> = bases.flatten().collect();
            std::iter::once(*point).chain(bases)
        };
        let mut all: Vec<u64> = points.iter().flat_map(of).collect();
        all.sort_unstable();
        all.dedup();
        self.ensure_all(&all, replications)?;
        for point in points {
            let judged = self.tune.bounds.iter().enumerate();
            let judged = judged
                .map(|(i, bound)| self.judge(*point, i, bound))
                .collect();
            self.judged.insert(*point, judged);
        }
        Ok(())
    }

    /// The number that a bound is about.
    fn judge(&self, point: u64, place: usize, bound: &StatedBound) -> Judged {
        let place = place + usize::from(matches!(self.tune.goal, Goal::Number(..)));
        let own = Judged {
            numbers: self.numbers[&point][place].clone(),
            is_few: self.few[&point][place],
            is_identical: self.is_identical(point),
        };
        let base = bound.base(self.sweep.study, point);
        let Some(base) = base.filter(|_| !bound.over.is_empty()) else {
            return own;
        };
        Judged {
            numbers: paired(&own.numbers, &self.numbers[&base][place], |a, b| a / b),
            is_few: own.is_few || self.few[&base][place],
            is_identical: own.is_identical && self.is_identical(base),
        }
    }

    fn ensure_all(&mut self, points: &[u64], replications: u64) -> Result<(), SweepError> {
        let new: Vec<u64> = points
            .iter()
            .copied()
            .filter(|number| !self.places.contains_key(number))
            .collect();
        for planned in plan_points(self.sweep, new.into_iter(), self.monitor)?.points {
            self.places.insert(planned.number, self.plan.points.len());
            let bounds = self.sweep.study.bounds_at(planned.number);
            let bounds = bounds.map_err(SweepError::Problems)?;
            self.bounds.insert(planned.number, bounds);
            let replications = 0;
            self.plan.points.push(Planned {
                replications,
                ..planned
            });
        }
        let places = points.iter().map(|number| self.places[number]);
        let places: Vec<usize> = places
            .filter(|place| self.plan.points[*place].replications < replications)
            .collect();
        for place in &places {
            self.plan.points[*place].replications = replications;
        }
        self.run(&places)?;
        self.read(&places)
    }

    /// Makes the missing runs.
    fn run(&mut self, places: &[usize]) -> Result<(), SweepError> {
        let points = places.iter().map(|place| self.plan.points[*place]);
        let plan = SweepPlan {
            points: points.collect(),
        };
        let (_, missing) = Work::of(&plan, Some(self.store))?;
        let wanted = missing.len() as u64;
        if wanted > 0 && !self.may_run {
            return Err(SweepError::NoRuns(self.sweep.out.to_path_buf()));
        }
        if wanted > 0 {
            let measures = &self.sweep.study.measures;
            let kept = execute(
                self.sweep,
                &plan,
                measures,
                missing,
                self.store,
                self.monitor,
            )?;
            self.made += kept;
            if kept < wanted {
                return Err(SweepError::SearchInterrupted {
                    made: self.made,
                    out: self.sweep.out.to_path_buf(),
                });
            }
        }
        Ok(())
    }

    fn read(&mut self, places: &[usize]) -> Result<(), SweepError> {
        let names = self.tune.numbers().map(|(name, _)| name.clone());
        let names: Vec<NumberName> = names.collect();
        let points = places.iter().map(|place| self.plan.points[*place]);
        let points: Vec<Planned> = points.collect();
        let reader = &mut self.store.reader()?;
        let study = self.sweep.study;
        let counted = names.iter().flat_map(|name| counts_behind(study, name));
        let wanted: Vec<NumberName> = counted.chain(names.iter().cloned()).collect();
        let samples = Samples::named(study, wanted, &points, reader)?;
        for planned in points {
            let few = |name| samples.few_values(study, name, planned.number).is_some();
            if samples.are_identical(planned.number) {
                self.identical.insert(planned.number);
            }
            self.few
                .insert(planned.number, names.iter().map(few).collect());
            let numbers = names.iter().map(|name| samples.of(name, planned.number));
            let numbers = numbers.map(<[_]>::to_vec).collect();
            self.numbers.insert(planned.number, numbers);
        }
        Ok(())
    }

    /// The number to be optimised, if it is measured.
    pub(super) fn goal(&self, point: u64) -> Option<&PerReplication> {
        matches!(self.tune.goal, Goal::Number(..)).then(|| &self.numbers[&point][0])
    }

    /// The numbers with bounds at a point.
    pub(super) fn bounded(&self, point: u64) -> impl Iterator<Item = Bounded<'_>> {
        let all = self.bounds[&point].iter().zip(&self.judged[&point]);
        all.map(|(bound, judged)| Bounded {
            bound,
            numbers: &judged.numbers,
            is_few: judged.is_few,
            is_identical: judged.is_identical,
        })
    }

    /// True if the replications of a point are the same to the packet.
    pub(super) fn is_identical(&self, point: u64) -> bool {
        self.identical.contains(&point)
    }

    /// The relation of a point to all bounds together, with the replications made.
    pub(super) fn relation(&self, point: u64) -> Kept {
        let all: Vec<Kept> = self.bounded(point).map(kept).collect();
        match all.contains(&Kept::No) {
            true => Kept::No,
            false if all.iter().all(|kept| *kept == Kept::Yes) => Kept::Yes,
            false => Kept::Open,
        }
    }

    /// Doubles the replications, if more are allowed.
    fn more(&mut self, points: &[u64]) -> Result<bool, SweepError> {
        let of = |point: &u64| self.plan.points[self.places[point]].replications;
        let least = points.iter().map(of).min().unwrap_or(self.tune.most);
        if least >= self.tune.most {
            return Ok(false);
        }
        self.ensure(points, (2 * least).min(self.tune.most))?;
        Ok(true)
    }

    /// True if all bounds hold, with more replications while that is undecided.
    fn kept(&mut self, point: u64) -> Result<bool, SweepError> {
        loop {
            match self.relation(point) {
                Kept::Yes => return Ok(true),
                Kept::No => return Ok(false),
                Kept::Open if !self.more(&[point])? => return Ok(false),
                Kept::Open => (),
            }
        }
    }

    /// The distance of the means from their bounds, relative to the bounds.
    fn excess(&self, point: u64) -> f64 {
        let all = self.bounded(point);
        all.map(|of| excess(of.bound, of.numbers)).sum()
    }

    /// The better of two points that satisfy all bounds.
    fn better(&mut self, one: u64, other: u64) -> Result<Better, SweepError> {
        loop {
            let (Some(ours), Some(theirs)) = (self.goal(one), self.goal(other)) else {
                return Ok(self.by_axis(one, other));
            };
            let better = by_pairs(ours, theirs, self.tune.sense);
            if better != Better::Neither || !self.more(&[one, other])? {
                return Ok(better);
            }
        }
    }

    /// The better one by the values of the axis that is the goal.
    fn by_axis(&self, one: u64, other: u64) -> Better {
        let Goal::Axis(axis) = self.tune.goal else {
            unreachable!("a goal that is not measured is an axis");
        };
        let number = |point| self.sweep.study.point(point)?.values[axis].number;
        let (one, other) = (number(one), number(other));
        match self.tune.sense {
            _ if one == other => Better::Neither,
            Sense::Least if one < other => Better::First,
            Sense::Greatest if one > other => Better::First,
            _ => Better::Second,
        }
    }
}

impl Trials for Evaluator<'_> {
    type Error = SweepError;

    fn look_at(&mut self, all: &[Places]) -> Result<bool, SweepError> {
        let mut points: Vec<u64> = all.iter().filter_map(|at| self.point(at)).collect();
        points.sort_unstable();
        points.dedup();
        let new = points.iter().filter(|point| !self.tried.contains(point));
        if self.tried.len() + new.count() > self.tune.tries {
            return Ok(false);
        }
        self.tried.extend(&points);
        self.ensure(&points, self.sweep.replications)?;
        Ok(true)
    }

    fn holds(&mut self, at: &Places) -> Result<bool, SweepError> {
        match self.point(at) {
            Some(point) => self.kept(point),
            None => Ok(false),
        }
    }

    fn compare(&mut self, one: &Places, other: &Places) -> Result<Better, SweepError> {
        let (one, other) = match (self.point(one), self.point(other)) {
            (Some(one), Some(other)) => (one, other),
            (Some(_), None) => return Ok(Better::First),
            (None, Some(_)) => return Ok(Better::Second),
            (None, None) => return Ok(Better::Neither),
        };
        match (self.kept(one)?, self.kept(other)?) {
            (true, true) => self.better(one, other),
            (true, false) => Ok(Better::First),
            (false, true) => Ok(Better::Second),
            // The point closest to its bounds leads back into them.
            (false, false) => Ok(lesser(self.excess(one), self.excess(other))),
        }
    }
}

fn lesser(one: f64, other: f64) -> Better {
    match one.partial_cmp(&other) {
        Some(std::cmp::Ordering::Less) => Better::First,
        Some(std::cmp::Ordering::Greater) => Better::Second,
        _ => Better::Neither,
    }
}

/// The relation of a number to a bound, by its interval; without an interval, by its value.
pub(super) fn kept(of: Bounded<'_>) -> Kept {
    let bound = of.bound;
    if of.is_few || of.numbers.is_empty() || of.numbers.contains(&None) {
        return Kept::Open;
    }
    let range = if bound.y.is_never_negative() {
        Range::NonNegative
    } else {
        Range::Any
    };
    let found = estimate(of.numbers, range, CONFIDENCE);
    let (low, high) = found.interval.unwrap_or((found.value, found.value));
    let (least, most) = limits(bound);
    match (low, high) {
        (low, high) if low >= least && high <= most => Kept::Yes,
        (low, high) if high < least || low > most => Kept::No,
        _ => Kept::Open,
    }
}

fn limits(bound: &Bound) -> (f64, f64) {
    let least = bound.least.unwrap_or(f64::NEG_INFINITY);
    (least, bound.most.unwrap_or(f64::INFINITY))
}

/// The distance of a mean from its bounds, relative to the bound that it violates.
fn excess(bound: &Bound, numbers: &[Option<f64>]) -> f64 {
    let known: Vec<f64> = numbers.iter().copied().flatten().collect();
    if known.is_empty() {
        return f64::INFINITY;
    }
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    let beyond = |distance: f64, limit: f64| distance.max(0.0) / limit.abs().max(f64::MIN_POSITIVE);
    let (least, most) = limits(bound);
    match mean {
        mean if mean < least => beyond(least - mean, least),
        mean if mean > most => beyond(mean - most, most),
        _ => 0.0,
    }
}

/// The better one by the interval of the paired differences: common random numbers make it narrower
/// than the interval of either mean.
fn by_pairs(ours: &[Option<f64>], theirs: &[Option<f64>], sense: Sense) -> Better {
    let known = |numbers: &[Option<f64>]| numbers.iter().all(Option::is_some);
    match (known(ours), known(theirs)) {
        (true, false) => return Better::First,
        (false, true) => return Better::Second,
        (false, false) => return Better::Neither,
        (true, true) => (),
    }
    let pairs = ours.iter().zip(theirs);
    let differences: Vec<f64> = pairs.filter_map(|(a, b)| Some((*a)? - (*b)?)).collect();
    let (low, high) = match mean_interval(&differences, CONFIDENCE) {
        Some(interval) => (interval.low, interval.high),
        None => (differences[0], differences[0]),
    };
    match sense {
        Sense::Least if high < 0.0 => Better::First,
        Sense::Least if low > 0.0 => Better::Second,
        Sense::Greatest if low > 0.0 => Better::First,
        Sense::Greatest if high < 0.0 => Better::Second,
        _ => Better::Neither,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[f64]) -> PerReplication {
        values.iter().copied().map(Some).collect()
    }

    fn at_least(least: f64) -> Bound {
        Bound {
            y: "link.core.utilisation".parse().expect("a name"),
            name: "link.core.utilisation".to_owned(),
            is_ratio: false,
            least: Some(least),
            most: None,
        }
    }

    #[test]
    fn a_bound_is_kept_if_the_whole_interval_is_within_it() {
        let kept = |bound: &Bound, numbers: &[Option<f64>]| {
            super::kept(Bounded {
                bound,
                numbers: &numbers.to_vec(),
                is_few: false,
                is_identical: false,
            })
        };
        let noisy = numbers(&[0.98, 1.0, 0.99]);
        assert_eq!(kept(&at_least(0.9), &noisy), Kept::Yes);
        assert_eq!(kept(&at_least(0.985), &noisy), Kept::Open);
        assert_eq!(kept(&at_least(1.1), &noisy), Kept::No);
        assert_eq!(kept(&at_least(0.9), &[Some(1.0), None]), Kept::Open);
        assert_eq!(kept(&at_least(0.9), &numbers(&[0.95])), Kept::Yes);
    }

    #[test]
    fn differences_in_pairs_tell_what_means_do_not() {
        // Pairs differ far less than replications do.
        let (one, other) = (numbers(&[1.0, 5.0, 9.0]), numbers(&[1.1, 5.12, 9.1]));
        assert_eq!(by_pairs(&one, &other, Sense::Least), Better::First);
        assert_eq!(by_pairs(&one, &other, Sense::Greatest), Better::Second);
        let shuffled = numbers(&[5.12, 9.1, 1.1]);
        assert_eq!(by_pairs(&one, &shuffled, Sense::Least), Better::Neither);
        assert_eq!(by_pairs(&one, &one, Sense::Least), Better::Neither);
    }

    #[test]
    fn a_number_that_is_missing_is_no_better() {
        let (known, missing) = (numbers(&[1.0, 2.0]), vec![Some(0.0), None]);
        assert_eq!(by_pairs(&known, &missing, Sense::Least), Better::First);
        assert_eq!(excess(&at_least(0.9), &[None, None]), f64::INFINITY);
    }

    #[test]
    fn excess_is_relative_to_the_bound() {
        assert_eq!(excess(&at_least(2.0), &numbers(&[1.0, 1.0])), 0.5);
        assert_eq!(excess(&at_least(2.0), &numbers(&[3.0, 3.0])), 0.0);
    }
}
