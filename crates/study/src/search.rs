//! Searches on a lattice for the best values of a few axes, by comparing points.
//!
//! A point is identified by its places: for each axis the index of its value. The course of a
//! search depends only on the answers of its [`Trials`].

use std::collections::BTreeMap;

/// A point by its index on each searched axis.
pub type Places = Vec<usize>;

/// The questions that a search asks about points.
pub trait Trials {
    /// The reason why a point cannot be evaluated.
    type Error;

    /// Evaluates these points, all at once. Returns false if no more tries are allowed, and then
    /// does not evaluate them, except for the first two points of a search, which are always
    /// allowed.
    fn look_at(&mut self, all: &[Places]) -> Result<bool, Self::Error>;

    /// True if the bounds hold at an evaluated point.
    fn holds(&mut self, at: &Places) -> Result<bool, Self::Error>;

    /// Compares two evaluated points.
    fn compare(&mut self, one: &Places, other: &Places) -> Result<Better, Self::Error>;
}

/// The better one of two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The first point is better.
    First,
    /// The second point is better.
    Second,
    /// The comparison is undecided.
    Neither,
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The best point.
    Best(Places),
    /// The bounds hold at no place tried; this is the nearest.
    Nowhere(Places),
    /// The best place tried when no more tries were allowed.
    OutOfTries(Places),
}

/// The most places before an answer that are probed.
pub const PROBES: usize = 7;

/// The first place along one axis at which the bounds hold, among those tried; `backwards` counts
/// from the last place down. Both ends are evaluated: if the bounds hold at the first one it is the
/// answer, if they hold only at the other one the answer lies between them, and if they hold at
/// neither a few places in between are tried.
///
/// Bisection is right if the bounds hold from one place on. This is tested: up to [`PROBES`] places
/// before the answer are probed, all if there are no more. If the bounds hold at one of them, the
/// search goes on below it, and the answer is the first place of all that were tried.
pub fn first_that_holds<T: Trials>(
    trials: &mut T,
    length: usize,
    backwards: bool,
) -> Result<Answer, T::Error> {
    let mut axis = SearchedAxis {
        trials,
        length,
        backwards,
        known: BTreeMap::new(),
    };
    let (first, last) = (0, length - 1);
    if !axis.look_at(&[first, last])? {
        return Ok(Answer::OutOfTries(axis.place(last)));
    }
    if axis.holds(first)? {
        return Ok(Answer::Best(axis.place(first)));
    }
    let mut holding = axis.holds(last)?.then_some(last);
    for between in places_between(length) {
        if holding.is_some() || !axis.look_at(&[between])? {
            break;
        }
        holding = axis.holds(between)?.then_some(between);
    }
    match holding {
        Some(holding) => axis.first_up_to(holding),
        None => axis.nearest(),
    }
}

/// The places of one axis in the order of the search, and the answers there.
struct SearchedAxis<'t, T> {
    trials: &'t mut T,
    length: usize,
    backwards: bool,
    /// The places tried, each true if the bounds hold there.
    known: BTreeMap<usize, bool>,
}

impl<T: Trials> SearchedAxis<'_, T> {
    fn place(&self, i: usize) -> Places {
        vec![if self.backwards {
            self.length - 1 - i
        } else {
            i
        }]
    }

    fn look_at(&mut self, all: &[usize]) -> Result<bool, T::Error> {
        let places: Vec<Places> = all.iter().map(|i| self.place(*i)).collect();
        self.trials.look_at(&places)
    }

    fn holds(&mut self, i: usize) -> Result<bool, T::Error> {
        let holds = self.trials.holds(&self.place(i))?;
        self.known.insert(i, holds);
        Ok(holds)
    }

    /// Finds the answer, given a place that holds.
    fn first_up_to(&mut self, holding: usize) -> Result<Answer, T::Error> {
        let is_done = self.halve(holding)? && self.probe()?;
        let first = self.first().unwrap_or(holding);
        Ok(if is_done {
            Answer::Best(self.place(first))
        } else {
            Answer::OutOfTries(self.place(first))
        })
    }

    /// Finds the first place known to hold.
    fn first(&self) -> Option<usize> {
        let mut holding = self.known.iter().filter(|(_, holds)| **holds);
        holding.next().map(|(place, _)| *place)
    }

    /// Bisects between a place that holds and the last one before it that does not. Returns false
    /// if no more tries are allowed.
    fn halve(&mut self, mut holds: usize) -> Result<bool, T::Error> {
        let before = self.known.range(..holds).rev();
        let mut fails = before
            .filter(|(_, holds)| !**holds)
            .map(|(place, _)| *place)
            .next()
            .unwrap_or(0);
        while holds - fails > 1 {
            let middle = fails + (holds - fails) / 2;
            if !self.look_at(&[middle])? {
                return Ok(false);
            }
            if self.holds(middle)? {
                holds = middle
            } else {
                fails = middle
            }
        }
        Ok(true)
    }

    /// Tries places before the first that holds. If there is an earlier one, bisects before that.
    /// Returns false if no more tries are allowed.
    fn probe(&mut self) -> Result<bool, T::Error> {
        let Some(first) = self.first() else {
            return Ok(true);
        };
        let untried: Vec<usize> = (0..first)
            .filter(|place| !self.known.contains_key(place))
            .collect();
        let probes = spread(&untried, PROBES);
        if !self.look_at(&probes)? {
            return Ok(false);
        }
        for place in probes {
            self.holds(place)?;
        }
        match self.first() {
            Some(earlier) if earlier < first => self.halve(earlier),
            _ => Ok(true),
        }
    }

    /// The nearest of the places tried, none of which holds.
    fn nearest(&mut self) -> Result<Answer, T::Error> {
        let failed: Vec<Places> = self.known.keys().map(|i| self.place(*i)).collect();
        Ok(Answer::Nowhere(best_of(self.trials, &failed)?))
    }
}

/// At most this many of all places, evenly spread among them.
fn spread(all: &[usize], most: usize) -> Vec<usize> {
    match all.len() {
        n if n <= most => all.to_vec(),
        n => (1..=most).map(|k| all[k * n / (most + 1)]).collect(),
    }
}

/// The half, the quarters and the eighths of an axis without its ends, each once.
fn places_between(length: usize) -> Vec<usize> {
    const EIGHTHS: [usize; 7] = [4, 2, 6, 1, 3, 5, 7];
    let last = length - 1;
    let mut places: Vec<usize> = Vec::new();
    for place in EIGHTHS.map(|eighths| last * eighths / 8) {
        if place > 0 && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The best place along one axis, assuming that points get worse on both sides of it:
/// golden-section search. If two points cannot be distinguished, the best lies between them.
pub fn golden<T: Trials>(trials: &mut T, length: usize) -> Result<Answer, T::Error> {
    let (mut low, mut high) = (0, length - 1);
    let mut best = None;
    while high - low > 2 {
        let (left, right) = (vec![inner(low, high)], vec![low + high - inner(low, high)]);
        if !trials.look_at(&[left.clone(), right.clone()])? {
            return Ok(Answer::OutOfTries(best.unwrap_or(left)));
        }
        let (better, range) = match trials.compare(&left, &right)? {
            Better::First => (left, (low, right[0])),
            Better::Second => (right, (left[0], high)),
            Better::Neither => (left.clone(), (left[0], right[0])),
        };
        (best, (low, high)) = (Some(better), range);
    }
    let last: Vec<Places> = (low..=high).map(|place| vec![place]).collect();
    match (trials.look_at(&last)?, best) {
        (false, Some(best)) => Ok(Answer::OutOfTries(best)),
        _ => Ok(Answer::Best(best_of(trials, &last)?)),
    }
}

/// The left one of the two places that divide a range in the golden ratio, inside the range and
/// left of the right one.
fn inner(low: usize, high: usize) -> usize {
    // 1 - 1 / phi
    const SHARE: f64 = 0.381_966_011_250_105;
    let step = libm::round((high - low) as f64 * SHARE) as usize;
    low + step.clamp(1, (high - low - 1) / 2)
}

/// The best of these; the first of those that cannot be distinguished.
fn best_of<T: Trials>(trials: &mut T, all: &[Places]) -> Result<Places, T::Error> {
    let mut best = &all[0];
    for other in &all[1..] {
        if trials.compare(other, best)? == Better::First {
            best = other;
        }
    }
    Ok(best.clone())
}

/// The best place on several axes by pattern search: from the start to the best neighbour as long
/// as one is better, then with half the steps, down to adjacent values. With a single valley the
/// search ends at its bottom; near a bound it ends close to the optimum.
pub fn walk<T: Trials>(
    trials: &mut T,
    lengths: &[usize],
    start: Places,
) -> Result<Answer, T::Error> {
    let mut steps: Vec<usize> = lengths.iter().map(|length| (length / 4).max(1)).collect();
    let mut best = start;
    if !trials.look_at(std::slice::from_ref(&best))? {
        return Ok(Answer::OutOfTries(best));
    }
    loop {
        let mut found = best.clone();
        for around in [along_axes, between_axes] {
            let around = around(&best, &steps, lengths);
            if found == best {
                if !trials.look_at(&around)? {
                    return Ok(Answer::OutOfTries(best));
                }
                let all: Vec<Places> = [best.clone()].into_iter().chain(around).collect();
                found = best_of(trials, &all)?;
            }
        }
        if found != best {
            best = found;
        } else if steps.iter().all(|step| *step == 1) {
            return Ok(Answer::Best(best));
        } else {
            steps.iter_mut().for_each(|step| *step = (*step / 2).max(1));
        }
    }
}

/// One step down and up on each axis, clamped to its ends.
fn along_axes(at: &Places, steps: &[usize], lengths: &[usize]) -> Vec<Places> {
    let axes = 0..at.len();
    let signed = axes.flat_map(|axis| [-1, 1].map(|by| vec![(axis, by)]));
    moved(at, steps, lengths, signed)
}

/// One or two steps on one axis and on another: next to a bound no single axis may lead further.
fn between_axes(at: &Places, steps: &[usize], lengths: &[usize]) -> Vec<Places> {
    const BY: [(isize, isize); 3] = [(1, 1), (1, 2), (2, 1)];
    const SIGNS: [(isize, isize); 4] = [(-1, 1), (1, -1), (-1, -1), (1, 1)];
    let pairs = (0..at.len()).flat_map(|one| (one + 1..at.len()).map(move |other| (one, other)));
    let signed = pairs.flat_map(|(one, other)| {
        let all = BY.iter().flat_map(|by| SIGNS.map(|sign| (by, sign)));
        all.map(move |(by, sign)| vec![(one, by.0 * sign.0), (other, by.1 * sign.1)])
    });
    moved(at, steps, lengths, signed)
}

/// The distinct places reached by these numbers of steps, clamped to the ends.
fn moved(
    at: &Places,
    steps: &[usize],
    lengths: &[usize],
    all: impl Iterator<Item = Vec<(usize, isize)>>,
) -> Vec<Places> {
    let mut found: Vec<Places> = Vec::new();
    for moves in all {
        let mut to = at.clone();
        for (axis, by) in moves {
            let step = by * steps[axis] as isize;
            to[axis] = at[axis].saturating_add_signed(step).min(lengths[axis] - 1);
        }
        if to != *at && !found.contains(&to) {
            found.push(to);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    /// A known function, with a lower bound on another one.
    struct Known<F, G> {
        goal: F,
        bound: G,
        tried: BTreeSet<Places>,
        most: usize,
    }

    impl<F: Fn(&Places) -> f64, G: Fn(&Places) -> f64> Known<F, G> {
        fn new(goal: F, bound: G) -> Known<F, G> {
            Known {
                goal,
                bound,
                tried: BTreeSet::new(),
                most: usize::MAX,
            }
        }
    }

    impl<F: Fn(&Places) -> f64, G: Fn(&Places) -> f64> Trials for Known<F, G> {
        type Error = Infallible;

        fn look_at(&mut self, all: &[Places]) -> Result<bool, Infallible> {
            self.tried.extend(all.iter().cloned());
            Ok(self.tried.len() <= self.most)
        }

        fn holds(&mut self, at: &Places) -> Result<bool, Infallible> {
            assert!(self.tried.contains(at), "it was not looked at");
            Ok((self.bound)(at) >= 0.0)
        }

        fn compare(&mut self, one: &Places, other: &Places) -> Result<Better, Infallible> {
            let key = |at: &Places| ((self.bound)(at).min(0.0).abs(), (self.goal)(at));
            assert!(self.tried.contains(one) && self.tried.contains(other));
            let (a, b) = (key(one), key(other));
            Ok(match a.partial_cmp(&b).expect("no nan") {
                std::cmp::Ordering::Less => Better::First,
                std::cmp::Ordering::Greater => Better::Second,
                std::cmp::Ordering::Equal => Better::Neither,
            })
        }
    }

    fn anything(_: &Places) -> f64 {
        0.0
    }

    proptest! {
        #[test]
        fn bisection_finds_the_first_place_that_holds(length in 1_usize..700, from in 0_usize..700) {
            for backwards in [false, true] {
                let first = |at: &Places| {
                    let i = if backwards { length - 1 - at[0] } else { at[0] };
                    i as f64 - from as f64
                };
                let mut known = Known::new(anything, first);
                let Ok(answer) = first_that_holds(&mut known, length, backwards);
                let place = if backwards { length.wrapping_sub(1 + from) } else { from };
                if from < length {
                    prop_assert_eq!(answer, Answer::Best(vec![place]))
                } else {
                    prop_assert!(matches!(answer, Answer::Nowhere(_)))
                }
                prop_assert!(known.tried.len() <= 12 + PROBES, "{} tries", known.tried.len());
            }
        }

        #[test]
        fn bounds_that_hold_only_from_the_wanted_end_on_are_found_there(length in 2_usize..700, to in 0_usize..700) {
            let to = to % length;
            for backwards in [false, true] {
                let first = |at: &Places| {
                    let i = if backwards { length - 1 - at[0] } else { at[0] };
                    to as f64 - i as f64
                };
                let mut known = Known::new(anything, first);
                let Ok(answer) = first_that_holds(&mut known, length, backwards);
                let end = if backwards { length - 1 } else { 0 };
                prop_assert_eq!(answer, Answer::Best(vec![end]));
                prop_assert_eq!(known.tried.len(), 2);
            }
        }

        #[test]
        fn bounds_that_hold_only_between_the_ends_are_found(length in 17_usize..700, from in 0_usize..700) {
            // A quarter of the axis plus one place always contains an eighth.
            let width = length / 4 + 1;
            let from = 1 + from % (length - width - 1);
            let inside = |at: &Places| {
                let place = at[0] as f64;
                (place - from as f64).min((from + width - 1) as f64 - place)
            };
            for (backwards, expected) in [(false, from), (true, from + width - 1)] {
                let mut known = Known::new(anything, inside);
                let Ok(answer) = first_that_holds(&mut known, length, backwards);
                prop_assert_eq!(answer, Answer::Best(vec![expected]));
            }
        }

        #[test]
        fn the_answer_is_the_first_of_all_tried_whatever_holds(
            holding in prop::collection::vec(any::<bool>(), 1..60),
            backwards: bool,
        ) {
            let holds = |at: &Places| if holding[at[0]] { 0.0 } else { -1.0 };
            let mut known = Known::new(anything, holds);
            let length = holding.len();
            let Ok(answer) = first_that_holds(&mut known, length, backwards);
            let tried: Vec<usize> = known.tried.iter().map(|at| at[0]).collect();
            let order = |i: &usize| if backwards { length - 1 - i } else { *i };
            let of_all = (0..length).filter(|i| holding[*i]).min_by_key(order);
            let of_tried = tried.iter().copied().filter(|i| holding[*i]).min_by_key(order);
            match answer {
                Answer::Best(at) => prop_assert_eq!(Some(at[0]), of_tried),
                Answer::Nowhere(_) => prop_assert_eq!(of_tried, None),
                Answer::OutOfTries(_) => prop_assert!(false, "tries are unlimited"),
            }
            // Among few places nothing is missed.
            if length <= PROBES + 2 {
                prop_assert_eq!(of_tried, of_all);
            }
        }

        #[test]
        fn golden_section_finds_the_bottom_of_a_valley(length in 1_usize..2000, bottom in 0_usize..2000) {
            let bottom = bottom % length;
            let mut known = Known::new(|at: &Places| (at[0] as f64 - bottom as f64).abs(), anything);
            let Ok(answer) = golden(&mut known, length);
            prop_assert_eq!(answer, Answer::Best(vec![bottom]));
            prop_assert!(known.tried.len() <= 36, "{} tries", known.tried.len());
        }

        #[test]
        fn a_walk_finds_the_bottom_of_a_bowl(x in 0_usize..60, y in 0_usize..60, z in 0_usize..60) {
            let bottom = [x, y, z];
            let bowl = |at: &Places| -> f64 {
                let each = at.iter().zip(bottom);
                each.map(|(at, bottom)| at.abs_diff(bottom).pow(2) as f64).sum()
            };
            let mut known = Known::new(bowl, anything);
            let Ok(answer) = walk(&mut known, &[60; 3], vec![30; 3]);
            prop_assert_eq!(answer, Answer::Best(bottom.to_vec()));
            prop_assert!(known.tried.len() <= 400, "{} tries", known.tried.len());
        }
    }

    #[test]
    fn a_bound_keeps_the_walk_out() {
        // The least sum with a product of at least 400 on a lattice of 1..=50 each.
        let value = |at: &Places, axis: usize| (at[axis] + 1) as f64;
        let sum = |at: &Places| value(at, 0) + value(at, 1);
        let product = |at: &Places| value(at, 0) * value(at, 1) - 400.0;
        let mut known = Known::new(sum, product);
        let Ok(answer) = walk(&mut known, &[50, 50], vec![40, 40]);
        let Answer::Best(best) = answer else {
            panic!("{answer:?}");
        };
        assert!(product(&best) >= 0.0 && sum(&best) <= 41.0, "{best:?}");
    }

    #[test]
    fn searches_end_when_there_are_no_more_tries() {
        let mut known = Known::new(|at: &Places| at[0] as f64, anything);
        known.most = 3;
        let Ok(answer) = walk(&mut known, &[1000, 1000], vec![999, 999]);
        assert!(matches!(answer, Answer::OutOfTries(_)), "{answer:?}");
    }

    #[test]
    fn what_cannot_be_told_apart_ends_in_its_middle() {
        let flat = |at: &Places| {
            if (300..=500).contains(&at[0]) {
                0.0
            } else {
                1.0
            }
        };
        let mut known = Known::new(flat, anything);
        let Ok(answer) = golden(&mut known, 1000);
        let Answer::Best(best) = answer else {
            panic!("{answer:?}");
        };
        assert!((300..=500).contains(&best[0]), "{best:?}");
    }
}
