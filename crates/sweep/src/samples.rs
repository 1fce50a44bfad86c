//! The numbers of a study by point and repetition, the data of its figures and claims.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_claims::evidence::{Evidence, packets_of};
use pacesim_probes::among::among;
use pacesim_probes::modelled::Modelled;
use pacesim_probes::theory::{self, Solved};
use pacesim_runs::lived::UNDECIDED;
use pacesim_runs::metrics::OF_RUN;
use pacesim_store::database::Reader;
use pacesim_store::plan::{Planned, SweepPlan};
use pacesim_study::{Formula, NumberName, Plot, Selection, Study};

use crate::curves::Curves;
use crate::error::SweepError;
use crate::found::{FOUND, Found};
use crate::sameness::Sameness;

/// Numbers by name and point, one for each repetition that has them.
#[derive(Debug, Default)]
pub struct Samples {
    by_name: BTreeMap<NumberName, BTreeMap<u64, Vec<Option<f64>>>>,
    /// Patterns of names, each of which stands for all that a run has.
    patterns: Vec<NumberName>,
    /// Names of numbers that follow from the point alone.
    exact: BTreeSet<NumberName>,
    /// Columns of measures' tables that figures need.
    pub(crate) curves: Curves,
    /// The first reason, for each point, why a run gave up or was stopped.
    ended_early: BTreeMap<u64, String>,
    /// Points whose replications are the same to the packet.
    identical: BTreeSet<u64>,
    /// Results of the searches of the study.
    found: Found,
}

impl Samples {
    /// Reads the numbers that the figures and claims of a study need.
    pub fn read(
        study: &Study,
        plan: &SweepPlan,
        reader: &mut Reader<'_>,
    ) -> Result<Samples, SweepError> {
        let curves = Curves::read(study, &plan.points, reader)?;
        let samples = Samples::named(study, wanted(study), &plan.points, reader)?;
        Ok(Samples { curves, ..samples })
    }

    /// Reads these numbers at some points, and solves the models among them; skips runs that are
    /// not in the store.
    pub(crate) fn named(
        study: &Study,
        names: impl IntoIterator<Item = NumberName>,
        points: &[Planned],
        reader: &mut Reader<'_>,
    ) -> Result<Samples, SweepError> {
        let names: BTreeSet<NumberName> = names.into_iter().collect();
        let formulas = names.iter().filter(|name| name.is_formula());
        let formulas: Vec<NumberName> = formulas.cloned().collect();
        let names: BTreeSet<NumberName> = names.iter().flat_map(NumberName::parts).collect();
        let (of_models, of_runs): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|name| name.of == theory::OF);
        let models = Modelled::all(study, &of_models);
        let taken = models.iter().flat_map(Modelled::measured);
        let names = of_runs.into_iter().chain(taken);
        let (patterns, names): (Vec<_>, Vec<_>) = names.partition(NumberName::is_pattern);
        let mut samples = Samples {
            by_name: names
                .into_iter()
                .map(|name| (name, BTreeMap::new()))
                .collect(),
            patterns,
            ..Samples::default()
        };
        let mut numbers = Vec::new();
        let is_needed = !samples.by_name.is_empty() || !samples.patterns.is_empty();
        for planned in points.iter().filter(|_| is_needed) {
            let mut same = Sameness::default();
            for (place, repetition) in planned.repetitions().enumerate() {
                let Some(run) = reader.run(planned.scenario, repetition)? else {
                    if reader.is_abandoned(planned.scenario, repetition)? {
                        samples.end_early(planned.number, "a run took too much of the machine");
                    }
                    continue;
                };
                if let Some(why) = &run.gave_up {
                    samples.end_early(planned.number, why);
                }
                same.add(&run);
                reader.numbers(&run, &mut numbers)?;
                let names = reader.names(&run);
                if is_undecided(names, &numbers) {
                    samples.end_early(
                        planned.number,
                        "a live run is not punctual enough to decide",
                    );
                }
                samples.add(planned.number, place, names, &numbers);
            }
            if same.are_identical(study, planned.number) {
                samples.identical.insert(planned.number);
            }
        }
        for model in &models {
            points
                .iter()
                .for_each(|planned| samples.solve(model, planned));
        }
        samples.compute(&formulas);
        Ok(samples)
    }

    /// Adds the results of a model at a point.
    fn solve(&mut self, model: &Modelled<'_>, planned: &Planned) {
        let (point, repetitions) = (planned.number, planned.repetitions().count());
        let number = |name: &NumberName, repetition: usize| {
            self.of(name, point).get(repetition).copied().flatten()
        };
        let results = model.results(point, repetitions, number);
        for (name, numbers) in model.wanted().iter().zip(results) {
            if model.is_exact() {
                self.exact.insert(name.clone());
            }
            let by_point = self.by_name.entry(name.clone()).or_default();
            by_point.insert(point, numbers);
        }
    }

    /// Adds the values of formulas at all points, repetition by repetition.
    fn compute(&mut self, formulas: &[NumberName]) {
        for name in formulas {
            let Some(formula) = Formula::of(name) else {
                continue;
            };
            let parts = formula.numbers();
            let known = self.by_name.iter();
            let known = known.filter(|(name, _)| parts.iter().any(|part| part.stands_for(name)));
            let points: BTreeSet<u64> = known.flat_map(|(_, of)| of.keys().copied()).collect();
            let at = |point: u64| {
                let repetitions = parts.iter().flat_map(|part| self.known(part, point));
                let repetitions = repetitions.map(|(_, of)| of.len()).max().unwrap_or(0);
                let one = |numbers: &[Option<f64>], i: usize| numbers.get(i).copied().flatten();
                let value = |i| {
                    let all =
                        |part: &_| self.known(part, point).map(|(_, of)| one(of, i)).collect();
                    formula.value(all)
                };
                (point, (0..repetitions).map(value).collect())
            };
            let by_point = points.into_iter().map(at).collect();
            if parts.iter().all(|part| self.is_exact(part)) {
                self.exact.insert(name.clone());
            }
            self.by_name.insert(name.clone(), by_point);
        }
    }

    /// Makes claims and figures about searched axes refer to the values found from now on. These
    /// values become numbers of all points of their search.
    pub(crate) fn stand_at(&mut self, study: &Study, plan: &SweepPlan, found: Found) {
        for (name, by_point) in &mut self.by_name {
            let axis = study.axes.iter().position(|axis| axis.name == name.entity);
            let Some(axis) = axis.filter(|_| name.of == FOUND) else {
                continue;
            };
            for planned in &plan.points {
                let number = found.number(study, axis, planned.number);
                by_point.insert(planned.number, vec![number]);
            }
        }
        self.found = found;
    }

    /// The last value tried where a search has no result.
    pub(crate) fn found_none(
        &self,
        study: &Study,
        name: &NumberName,
        at: &Selection,
    ) -> Option<&(f64, String)> {
        let is_found = name.of == FOUND;
        is_found.then(|| self.found.none(study, at))?
    }

    fn add(
        &mut self,
        point: u64,
        repetition: usize,
        names: &[NumberName],
        numbers: &[Option<f64>],
    ) {
        let fits = |name: &&NumberName| self.patterns.iter().any(|of| of.stands_for(name));
        for name in names.iter().filter(fits) {
            if !self.by_name.contains_key(name) {
                self.by_name.insert(name.clone(), BTreeMap::new());
            }
        }
        for (name, by_point) in &mut self.by_name {
            let place = names.iter().position(|known| known == name);
            let values = by_point.entry(point).or_default();
            values.resize(repetition, None);
            values.push(place.and_then(|place| numbers[place]));
        }
    }

    fn end_early(&mut self, point: u64, why: &str) {
        let why = || format!("at point {point}: {why}");
        self.ended_early.entry(point).or_insert_with(why);
    }

    /// The numbers that a pattern stands for at a point.
    fn known(
        &self,
        part: &NumberName,
        point: u64,
    ) -> impl Iterator<Item = (&NumberName, &[Option<f64>])> {
        let known = self
            .by_name
            .iter()
            .filter(|(name, _)| part.stands_for(name));
        known.filter_map(move |(name, of)| Some((name, of.get(&point)?.as_slice())))
    }

    /// True if numbers are requested and there are no runs at all.
    pub(crate) fn are_missing(&self) -> bool {
        let of_numbers = self.by_name.values().map(BTreeMap::is_empty);
        let mut missing = of_numbers.chain(self.curves.missing()).peekable();
        missing.peek().is_some() && missing.all(|is_missing| is_missing)
    }
}

/// True if these are numbers of a live run that does not stand.
fn is_undecided(names: &[NumberName], numbers: &[Option<f64>]) -> bool {
    let of_runs = names
        .iter()
        .zip(numbers)
        .filter(|(name, _)| name.of == OF_RUN);
    let mut verdicts = of_runs.filter(|(name, _)| name.metric == UNDECIDED);
    verdicts.any(|(_, value)| value.is_some_and(|value| value > 0.0))
}

impl Evidence for Samples {
    fn point(&self, study: &Study, at: &Selection) -> Option<u64> {
        self.found.point(study, at)
    }

    fn of(&self, name: &NumberName, point: u64) -> &[Option<f64>] {
        let by_point = self.by_name.get(name);
        by_point
            .and_then(|points| points.get(&point))
            .map_or(&[], Vec::as_slice)
    }

    fn all_of(&self, pattern: &NumberName, point: u64) -> Vec<(&NumberName, &[Option<f64>])> {
        self.known(pattern, point).collect()
    }

    fn is_exact(&self, name: &NumberName) -> bool {
        self.exact.contains(name)
    }

    fn are_identical(&self, point: u64) -> bool {
        self.identical.contains(&point)
    }

    fn ended_early(&self, point: u64) -> Option<&str> {
        self.ended_early.get(&point).map(String::as_str)
    }

    fn found_span(&self, study: &Study, name: &NumberName, point: u64) -> Option<(f64, f64)> {
        let is_found = name.of == FOUND;
        is_found.then(|| self.found.span(study, point))?
    }
}

/// The numbers that count the values behind the quantiles in a number.
pub(crate) fn counts_behind(study: &Study, name: &NumberName) -> Vec<NumberName> {
    let parts = name.parts().into_iter();
    let counts = parts.filter_map(|part| among(study, &part));
    counts.map(|(_, count)| count).collect()
}

/// All numbers that figures and claims name, and the denominators of the shares among them.
fn wanted(study: &Study) -> BTreeSet<NumberName> {
    let plots = study.plots.iter().flat_map(Plot::each_number);
    let plots = plots.filter(|plot| plot.columns().is_none());
    let plots = plots.flat_map(|plot| {
        let (ys, pers) = (plot.ys(), plot.pers());
        let quotients = ys.iter().zip(&pers);
        let quotients = quotients.filter_map(|(y, per)| y.over_window_per(per));
        let quotients: Vec<NumberName> = quotients.collect();
        pers.into_iter().chain(ys).chain(quotients)
    });
    let lines = study.plots.iter().flat_map(|plot| {
        let theory = plot.theory().iter();
        theory.map(move |keys| Solved::drawn(plot, keys))
    });
    let measured = lines.flat_map(Solved::measured);
    let claims = study.expectations.iter();
    let claims = claims.flat_map(|claim| claim.numbers().cloned().chain(claim.over_window()));
    let all = plots.chain(measured).chain(claims);
    let behind = |name: NumberName| {
        let counted = counts_behind(study, &name).into_iter();
        counted.chain(packets_of(&name)).chain([name])
    };
    all.flat_map(behind).collect()
}
