//! Coverage of studies' confidence intervals: many small studies of an M/M/1/K queue, run by the
//! ordinary code for studies, against the closed form.

use std::error::Error;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use pacesim_analytic::catalogue::solve;
use pacesim_lab::Unwatched;
use pacesim_lab::study::{OutlinePoint, Sweep, sweep};
use pacesim_study::StudyText;

/// A method for confidence intervals.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Its description.
    pub name: &'static str,
    /// Its settings in a study.
    sets: &'static [&'static str],
    /// The lowest and the highest acceptable coverage.
    pub promised: (f64, f64),
}

/// All methods available to studies.
pub const METHODS: [Method; 5] = [
    Method {
        name: "10 replications",
        sets: &["sweep.replications=10"],
        promised: (0.93, 0.97),
    },
    Method {
        name: "20 windows of one run of 16 000 services",
        sets: &["sweep.batches=20", "run.duration=16s"],
        promised: (0.9, 1.0),
    },
    Method {
        name: "the same behind a warm-up that was found",
        sets: &[
            "sweep.batches=20",
            "run.duration=16s",
            "sweep.find_warmup=[\"link.core.queue_mean_pkts\"]",
        ],
        promised: (0.9, 1.0),
    },
    Method {
        name: "replications until 10 %",
        sets: &["sweep.precision=\"10%\"", "sweep.most=1000"],
        promised: (0.9, 1.0),
    },
    Method {
        name: "replications until 5 %, found warm-ups",
        sets: &[
            "sweep.precision=\"5%\"",
            "sweep.most=1000",
            "sweep.find_warmup=[\"link.core.queue_mean_pkts\"]",
        ],
        promised: (0.9, 1.0),
    },
];

/// The results of many studies.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    /// The number of studies.
    pub studies: u64,
    /// The number of intervals that contain the true value.
    pub held: u64,
    /// The mean half-width, as a share of the true value.
    pub half_width: f64,
    /// The mean number of replications or windows.
    pub repetitions: f64,
}

impl Method {
    /// Runs this number of studies in a folder, with seeds from 1 on.
    pub fn coverage(&self, studies: u64, folder: &Path) -> Result<Coverage, Box<dyn Error>> {
        let text = include_str!("coverage.toml").as_bytes();
        let mut text = StudyText::parse("coverage.toml", "coverage", text, Arc::new(()));
        let seeds =
            format!("sweep.axis.draw.linear={{ from = 1, to = {studies}, count = {studies} }}");
        text.apply_sets(&[&[seeds.as_str()][..], self.sets].concat());
        let study = text.check().map_err(|problems| problems.to_string())?;
        let order = Sweep {
            jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            ..Sweep::new(&study, folder)
        };
        let outline = sweep(&order, &Unwatched)?;
        let truth = truth()?;
        let found: Vec<Found> = outline.points.iter().filter_map(found).collect();
        let mean = |of: fn(&Found) -> f64| found.iter().map(of).sum::<f64>() / studies as f64;
        let holds = |found: &&Found| found.low <= truth && truth <= found.high;
        Ok(Coverage {
            studies,
            held: found.iter().filter(holds).count() as u64,
            half_width: mean(|found| (found.high - found.low) / 2.0) / truth,
            repetitions: mean(|found| found.n),
        })
    }
}

/// The interval of one study.
struct Found {
    low: f64,
    high: f64,
    n: f64,
}

fn found(point: &OutlinePoint) -> Option<Found> {
    let is_queue = |metric: &str| metric == "queue_mean_pkts";
    let mean = point
        .means
        .iter()
        .find(|mean| is_queue(&mean.number.metric))?;
    Some(Found {
        low: mean.spread.low?,
        high: mean.spread.high?,
        n: mean.spread.n as f64,
    })
}

/// The mean number of waiting packets, without the one in transmission.
fn truth() -> Result<f64, Box<dyn Error>> {
    let solution = solve("mm1k", &[("load", "0.8"), ("places", "10")])?;
    let value = |name: &str| solution.value(name).ok_or(format!("no {name}"));
    Ok(value("mean_queue_customers")? - value("utilisation")?)
}
