//! A study as stored by its last sweep, without the study's file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pacesim::scenario::Problem;
use pacesim_claims::claims::Claim;
use pacesim_claims::judge::judge;
use pacesim_plot::Figure;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::{FILE, LastSweep, Store};
use pacesim_store::keys::{Keys, of_point};
use pacesim_store::plan::SweepPlan;
use pacesim_store::sweep::Sweep;
use pacesim_study::{NumberName, Origin, Study, StudyText, Tune};

use crate::error::SweepError;
use crate::figures;
use crate::kept_run::{Run, RunId};
use crate::means::Means;
use crate::samples::Samples;
use crate::tune::found_before;

/// Figures by name.
type Figures = Vec<(String, Figure)>;

/// The study of a folder, and its runs.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    store: Store,
    plan: SweepPlan,
    origin: Origin,
    scale: f64,
}

impl Kept {
    /// True if there is a store in this folder.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Opens the folder of a study, and locks it until the value is dropped.
    pub fn open(folder: &Path) -> Result<Kept, SweepError> {
        let store = Store::reopen(folder)?;
        let LastSweep {
            plan,
            origin,
            scale,
        } = store.last_sweep()?;
        Ok(Kept {
            folder: folder.to_path_buf(),
            store,
            plan,
            origin,
            scale,
        })
    }

    /// The study, parsed again from the stored text.
    pub fn study(&self) -> Result<Study, SweepError> {
        let read = StudyText::again(&self.origin).check_tables();
        let study = read.map_err(|problems| self.unreadable(problems.0))?;
        Ok(study.at_scale(self.scale))
    }

    /// Draws the study's figures by name, from the replications of the last sweep or fewer.
    pub fn draw(
        &self,
        study: &Study,
        replications: Option<u64>,
        monitor: &dyn BatchMonitor,
    ) -> Result<Vec<(String, Figure)>, SweepError> {
        let samples = self.numbers(study, replications, monitor)?;
        Ok(figures::all(study, &samples))
    }

    /// The study's figures by name, and its claims with their verdicts.
    pub fn findings(
        &self,
        study: &Study,
        monitor: &dyn BatchMonitor,
    ) -> Result<(Figures, Vec<Claim>), SweepError> {
        let samples = self.numbers(study, None, monitor)?;
        let claims = judge(study, &samples, study.scale());
        Ok((figures::all(study, &samples), claims))
    }

    fn numbers(
        &self,
        study: &Study,
        replications: Option<u64>,
        monitor: &dyn BatchMonitor,
    ) -> Result<Samples, SweepError> {
        let samples = match &study.tune {
            Some(tune) => self.found(study, tune, replications, monitor)?,
            None => self.samples(study, replications)?,
        };
        if samples.are_missing() {
            Err(SweepError::NoRuns(self.folder.clone()))
        } else {
            Ok(samples)
        }
    }

    fn samples(&self, study: &Study, replications: Option<u64>) -> Result<Samples, SweepError> {
        let mut points = self.plan.points.clone();
        for planned in &mut points {
            planned.replications = replications.unwrap_or(planned.replications);
        }
        let plan = SweepPlan { points };
        Samples::read(study, &plan, &mut self.store.reader()?)
    }

    /// The results of searches, repeated with the stored runs.
    fn found(
        &self,
        study: &Study,
        tune: &Tune,
        replications: Option<u64>,
        monitor: &dyn BatchMonitor,
    ) -> Result<Samples, SweepError> {
        let points = &self.plan.points;
        let least = points.iter().map(|planned| planned.replications).min();
        let sweep = Sweep {
            folder: &self.folder,
            seed: self.seed(),
            replications: replications.or(least).unwrap_or(study.replications),
            ..Sweep::new(study, &self.folder)
        };
        let found = found_before(&sweep, tune, &self.store, monitor);
        found.map_err(|error| match error {
            SweepError::Problems(problems) => self.unreadable(problems),
            error => error,
        })
    }

    /// The seed of all points, if they share one.
    fn seed(&self) -> Option<u64> {
        let mut seeds = self.plan.points.iter().map(|planned| planned.seed);
        let first = seeds.next()?;
        seeds.all(|seed| seed == first).then_some(first)
    }

    fn unreadable(&self, problems: Vec<Problem>) -> SweepError {
        let first = problems.first().map(ToString::to_string);
        SweepError::Text {
            folder: self.folder.clone(),
            problem: first.unwrap_or_default(),
        }
    }

    /// The means of these numbers at each point, from the store.
    pub fn means(&self, study: &Study, wanted: &BTreeSet<NumberName>) -> Result<Means, SweepError> {
        Means::read(study, &self.plan, &mut self.store.reader()?, wanted)
    }

    /// The number of missing runs of the last sweep, and the number of all.
    pub fn missing(&self) -> Result<(u64, u64), SweepError> {
        let mut reader = self.store.reader()?;
        let (mut missing, mut all) = (0, 0);
        for planned in &self.plan.points {
            let there =
                reader.replications(planned.scenario, planned.windows, planned.replications)?;
            all += planned.replications;
            missing += planned.replications - there.len() as u64;
        }
        Ok((missing, all))
    }

    /// The points of the last sweep, each by the values of its axes: "buffer = 5pkts, pacing =
    /// host".
    pub fn points(&self) -> Result<Vec<String>, SweepError> {
        let values = self.store.axes()?;
        let named = self.plan.points.iter().map(|planned| {
            let values = values.get(&planned.number).into_iter().flatten();
            let values = values.map(|(axis, text)| format!("{axis} = {text}"));
            values.collect::<Vec<_>>().join(", ")
        });
        Ok(named.collect())
    }

    /// The keys of each point's scenario; none if the stored text is unreadable.
    pub fn keys(&self) -> Vec<Keys> {
        let Ok(study) = self.study() else {
            return Vec::new();
        };
        let points = self.plan.points.iter();
        points
            .map(|planned| of_point(&study, planned.number))
            .collect()
    }

    /// The runs of a point, by its index.
    pub fn runs(&self, place: usize) -> Result<Vec<Run>, SweepError> {
        let mut reader = self.store.reader()?;
        let planned = self.plan.points[place];
        let (mut runs, mut values) = (Vec::new(), Vec::new());
        for repetition in planned.repetitions() {
            let Some(run) = reader.run(planned.scenario, repetition)? else {
                continue;
            };
            reader.numbers(&run, &mut values)?;
            let names = reader.names(&run).iter();
            runs.push(Run {
                id: RunId {
                    seed: run.seed,
                    replication: repetition.replication,
                    windows: repetition.windows,
                    window: repetition.window,
                },
                numbers: names.cloned().zip(values.iter().copied()).collect(),
                fingerprint: run.fingerprint,
            });
        }
        Ok(runs)
    }
}
