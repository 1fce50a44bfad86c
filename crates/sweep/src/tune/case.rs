//! One search, for a combination of the values of the axes that are not searched.

use pacesim_study::search::{Answer, Places, first_that_holds, golden, walk};
use pacesim_study::{Goal, Sense, Study, Tune};

use super::evaluator::{Evaluator, Kept};
use super::tuned::{
    Broken, NotMonotone, SearchEnd, TunedBound, TunedCase, TunedTry, spread, value, values,
};
use crate::error::SweepError;
use crate::found::Found;
use crate::outline::OutlineValue;

/// True for searches for the first value of an axis within the bounds.
pub(super) fn bisects(tune: &Tune) -> bool {
    matches!(tune.goal, Goal::Axis(_)) && tune.search.len() == 1
}

/// Makes one search.
pub(super) fn search(
    bench: &mut Evaluator<'_>,
    study: &Study,
    tune: &Tune,
    case: &[usize],
    found: &mut Found,
) -> Result<TunedCase, SweepError> {
    bench.begin(case.to_vec());
    let is_first = bisects(tune);
    let backwards = is_first && is_backwards(study, tune);
    let (mut ended, places) = look(bench, study, tune, backwards)?;
    let point = bench.point(&places);
    let bounds: Vec<TunedBound> = match point {
        Some(point) => bench.bounded(point).map(TunedBound::of).collect(),
        // It is left out of the grid.
        None => tune.bounds.iter().map(TunedBound::without_point).collect(),
    };
    if ended == SearchEnd::Found && bounds.iter().any(|bound| !bound.holds) {
        ended = SearchEnd::Nowhere;
    }
    let findings = AxisFindings {
        bench,
        study,
        tune,
        backwards,
    };
    let is_answer = is_first && ended != SearchEnd::Nowhere;
    let broken = if is_answer {
        findings.broken(&places)
    } else {
        None
    };
    let tuned = TunedCase {
        values: listed_values(study, tune, point, case),
        ended,
        tried: bench.tried(),
        point,
        found: values(study, point, &tune.search, &places),
        at_end: at_end(study, tune, &places),
        goal: goal(bench, tune, point),
        bounds,
        not_monotone: is_first.then(|| findings.not_monotone()).flatten(),
        untried_before: if is_answer {
            findings.untried_before(&places)
        } else {
            0
        },
        broken,
        tries: tries(bench, study, tune),
    };
    // Figures and claims of a search without a result would be meaningless.
    match ended {
        SearchEnd::Nowhere => found.add_none(study, tune, case, backwards),
        _ => found.add(tune, case, places, range_of_answer(&tuned)),
    }
    Ok(tuned)
}

/// The places found, and how the search for them ended.
fn look(
    bench: &mut Evaluator<'_>,
    study: &Study,
    tune: &Tune,
    backwards: bool,
) -> Result<(SearchEnd, Places), SweepError> {
    let axes = tune.search.iter();
    let lengths: Vec<usize> = axes.map(|axis| study.axes[*axis].values.len()).collect();
    let answer = match lengths[..] {
        [length] if bisects(tune) => first_that_holds(bench, length, backwards)?,
        [length] => golden(bench, length)?,
        _ => walk(bench, &lengths, tune.start.clone())?,
    };
    Ok(match answer {
        Answer::Best(places) => (SearchEnd::Found, places),
        Answer::OutOfTries(places) => (SearchEnd::OutOfTries, places),
        Answer::Nowhere(places) => (SearchEnd::Nowhere, places),
    })
}

/// A search that was stopped, with the points that it tried.
pub(super) fn interrupted(
    bench: &Evaluator<'_>,
    study: &Study,
    tune: &Tune,
    case: &[usize],
) -> TunedCase {
    let tries = tries(bench, study, tune);
    TunedCase {
        values: listed_values(study, tune, None, case),
        ended: SearchEnd::Interrupted,
        tried: tries.len(),
        point: None,
        found: Vec::new(),
        at_end: Vec::new(),
        goal: None,
        bounds: tune.bounds.iter().map(TunedBound::without_point).collect(),
        broken: None,
        not_monotone: None,
        untried_before: 0,
        tries,
    }
}

fn goal(
    bench: &Evaluator<'_>,
    tune: &Tune,
    point: Option<u64>,
) -> Option<pacesim_claims::spread::Spread> {
    match &tune.goal {
        Goal::Axis(_) => None,
        Goal::Number(name, _) => {
            let numbers = bench.goal(point?)?;
            Some(spread(name, numbers, bench.is_identical(point?)))
        }
    }
}

/// The ends of the range that holds the least (or greatest) value within the bounds: the last value
/// shown to violate them, and the first that holds.
fn range_of_answer(tuned: &TunedCase) -> Option<(f64, f64)> {
    let violates = tuned.broken.as_ref()?.value.number?;
    let holds = tuned.found.first()?.number?;
    Some((violates.min(holds), violates.max(holds)))
}

/// The points that the search tried, with their bounded numbers.
fn tries(bench: &Evaluator<'_>, study: &Study, tune: &Tune) -> Vec<TunedTry> {
    let one = |point| {
        let choice = study.choice(point)?;
        let places: Places = tune.search.iter().map(|axis| choice[*axis]).collect();
        Some(TunedTry {
            values: values(study, Some(point), &tune.search, &places),
            verdict: match bench.relation(point) {
                Kept::Yes => "holds",
                Kept::No => "violates",
                Kept::Open => "undecided",
            },
            bounds: bench.bounded(point).map(TunedBound::of).collect(),
        })
    };
    let tried = bench.points_tried().filter(|point| bench.knows(*point));
    tried.filter_map(one).collect()
}

/// True if the goal lies at the last value of the axis: the least of falling values, or the
/// greatest of rising ones.
fn is_backwards(study: &Study, tune: &Tune) -> bool {
    let values = &study.axes[tune.search[0]].values;
    let rises = values.first().and_then(|v| v.number) <= values.last().and_then(|v| v.number);
    rises == (tune.sense == Sense::Greatest)
}

fn listed_values(
    study: &Study,
    tune: &Tune,
    point: Option<u64>,
    case: &[usize],
) -> Vec<OutlineValue> {
    let all = case.iter().enumerate();
    all.filter(|(axis, _)| !tune.searches(*axis))
        .map(|(axis, place)| value(study, point, axis, *place))
        .collect()
}

/// The names of the axes whose first or last value was found, where a value beyond could be better.
fn at_end(study: &Study, tune: &Tune, places: &Places) -> Vec<String> {
    let all = tune.search.iter().zip(places);
    let at_end = all.filter(|(axis, place)| {
        let values = &study.axes[**axis].values;
        let is_at_end = values.len() > 1 && (**place == 0 || **place == values.len() - 1);
        let is_goal = tune.goal == Goal::Axis(**axis);
        let number = values[**place].number.filter(|_| is_goal);
        let goes_on = number.is_none_or(|number| {
            let mut all = values.iter().filter_map(|value| value.number);
            match tune.sense {
                Sense::Least => number > least(study, **axis) && all.all(|other| number <= other),
                Sense::Greatest => all.all(|other| number >= other),
            }
        });
        is_at_end && goes_on
    });
    at_end
        .map(|(axis, _)| study.axes[*axis].name.clone())
        .collect()
}

/// The least value that an axis may have: there is no part of a packet.
fn least(study: &Study, axis: usize) -> f64 {
    match study.axes[axis].unit {
        Some("pkts") => 1.0,
        _ => 0.0,
    }
}

/// The values of one axis as a search for the first within the bounds has found them.
struct AxisFindings<'a> {
    bench: &'a Evaluator<'a>,
    study: &'a Study,
    tune: &'a Tune,
    backwards: bool,
}

impl AxisFindings<'_> {
    fn axis(&self) -> usize {
        self.tune.search[0]
    }

    /// The places of all values, in the order of the search.
    fn all(&self) -> Vec<usize> {
        let all = 0..self.study.axes[self.axis()].values.len();
        if self.backwards {
            all.rev().collect()
        } else {
            all.collect()
        }
    }

    /// The places before this one, the nearest first.
    fn before(&self, places: &Places) -> Vec<usize> {
        let all = self.all().into_iter();
        let mut before: Vec<usize> = all.take_while(|place| *place != places[0]).collect();
        before.reverse();
        before
    }

    fn value(&self, place: usize) -> OutlineValue {
        value(
            self.study,
            self.bench.point(&vec![place]),
            self.axis(),
            place,
        )
    }

    /// The relation of a value to the bounds, if it was tried.
    fn relation(&self, place: usize) -> Option<Kept> {
        let point = self.bench.point(&vec![place]);
        let known = point.filter(|point| self.bench.knows(*point));
        known.map(|point| self.bench.relation(point))
    }

    /// The nearest value before the first one within the bounds that was shown to break them.
    fn broken(&self, places: &Places) -> Option<Broken> {
        let before = self.before(places);
        let is_broken = |place: &&usize| self.relation(**place) == Some(Kept::No);
        let place = *before.iter().find(is_broken)?;
        Some(Broken {
            value: self.value(place),
            is_next: before[0] == place,
        })
    }

    /// The number of values before the answer that were not tried.
    fn untried_before(&self, places: &Places) -> usize {
        let before = self.before(places).into_iter();
        let in_grid = before.filter(|place| self.bench.point(&vec![*place]).is_some());
        in_grid
            .filter(|place| self.relation(*place).is_none())
            .count()
    }

    /// The values that hold and that violate the bounds, if one violates them beyond one that
    /// holds.
    fn not_monotone(&self) -> Option<NotMonotone> {
        let all = self.all();
        let of = |wanted: Kept| {
            let is_it = move |place: &usize| self.relation(*place) == Some(wanted);
            all.iter().copied().filter(is_it)
        };
        let order = |wanted: usize| all.iter().position(|place| *place == wanted);
        let (first, last) = (of(Kept::Yes).next()?, of(Kept::No).next_back()?);
        (order(last) > order(first)).then(|| NotMonotone {
            holds: of(Kept::Yes).map(|place| self.value(place)).collect(),
            violates: of(Kept::No).map(|place| self.value(place)).collect(),
        })
    }
}
