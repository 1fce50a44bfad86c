//! Results of analytic models: solved for each run if they take measured parameters, otherwise once
//! per point.

use std::iter::repeat_n;

use pacesim_study::{NumberName, Study};

use crate::theory::Solved;

/// A model of a study, and the results needed from it.
pub struct Modelled<'s> {
    study: &'s Study,
    solved: Solved<'s>,
    wanted: Vec<NumberName>,
}

/// The results of a model in each repetition.
pub type Results = Vec<Vec<Option<f64>>>;

impl<'s> Modelled<'s> {
    /// The models whose results are needed.
    pub fn all(study: &'s Study, wanted: &[NumberName]) -> Vec<Modelled<'s>> {
        let of = |name: &str| {
            let wanted = wanted.iter().filter(|number| number.entity == name);
            wanted.cloned().collect::<Vec<_>>()
        };
        let models = study.models.iter().map(|model| Modelled {
            study,
            solved: Solved::of(model),
            wanted: of(&model.keys.name),
        });
        models.filter(|model| !model.wanted.is_empty()).collect()
    }

    /// The needed results.
    pub fn wanted(&self) -> &[NumberName] {
        &self.wanted
    }

    /// The measured numbers that are its parameters.
    pub fn measured(&self) -> impl Iterator<Item = NumberName> + 's {
        self.solved.measured()
    }

    /// True if its results are the same in all repetitions.
    pub fn is_exact(&self) -> bool {
        self.measured().next().is_none()
    }

    /// The needed results at a point with this many repetitions, given the numbers of each.
    pub fn results(
        &self,
        point: u64,
        repetitions: usize,
        number: impl Fn(&NumberName, usize) -> Option<f64>,
    ) -> Results {
        let one = |repetition| self.solve(point, |name| number(name, repetition));
        let by_repetition: Vec<_> = if self.is_exact() && repetitions > 0 {
            repeat_n(one(0), repetitions).collect()
        } else {
            (0..repetitions).map(one).collect()
        };
        let result = |place: usize| by_repetition.iter().map(|all| all[place]).collect();
        (0..self.wanted.len()).map(result).collect()
    }

    /// `None` where the model has no solution, which the check reports for the first point.
    fn solve(&self, point: u64, number: impl Fn(&NumberName) -> Option<f64>) -> Vec<Option<f64>> {
        let solution = self.solved.at(self.study, point, number).ok().flatten();
        let result = |name: &NumberName| solution.as_ref()?.value(&name.metric);
        self.wanted.iter().map(result).collect()
    }
}
