//! ns-2's figures for whole dumbbells, cell by cell, compared with ours. Shared by the test, which
//! runs a few cells, and the example, which writes the whole table.

use std::path::Path;

use pacesim::World;
use pacesim::scenario::{Checked, load};

/// The compared figures, in the order of a cell's values.
pub(crate) const NAMES: [&str; 3] = ["utilisation", "core loss", "goodput per flow"];

/// Mean and standard deviation over seeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
    pub(crate) seeds: usize,
}

/// One line of `dumbbells.csv`: a scenario with options, and ns-2's figures for it.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) set: String,
    pub(crate) buffer: String,
    scenario: String,
    options: Vec<String>,
    /// Utilisation, core loss, goodput per flow in kb/s.
    pub(crate) ns2: [Figure; 3],
}

/// All cells.
pub(crate) fn cells() -> Vec<Cell> {
    include_str!("dumbbells.csv")
        .lines()
        .skip(1)
        .map(cell)
        .collect()
}

fn cell(line: &str) -> Cell {
    let columns: Vec<&str> = line.split(';').collect();
    let number = |i: usize| columns[i].parse::<f64>().expect("a number");
    let figure = |i| Figure {
        mean: number(i),
        sd: number(i + 1),
        seeds: columns[4].parse().expect("a count"),
    };
    Cell {
        set: columns[0].to_owned(),
        buffer: columns[1].to_owned(),
        scenario: columns[2].to_owned(),
        options: columns[3].split(' ').map(str::to_owned).collect(),
        ns2: [figure(5), figure(7), figure(9)],
    }
}

impl Cell {
    fn scenario(&self) -> Checked {
        let file = format!("scenarios/ns2/{}.toml", self.scenario);
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(&file);
        let text = std::fs::read_to_string(path).expect("a shipped scenario");
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        load(&file, &text, &options, &()).unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    /// Runs one seed: utilisation, core loss, mean goodput in kb/s.
    pub(crate) fn run(&self, seed: u64) -> [f64; 3] {
        let mut world = World::new(self.scenario().expand(seed, 0)).expect("a sound model");
        world.run();
        let links = world.link_rows();
        let core = links.iter().find(|link| link.link == "core");
        let core = core.expect("every dumbbell has a core");
        let flows = world.flow_rows();
        let goodput: f64 = flows.iter().map(|flow| flow.goodput_bps).sum();
        [
            core.utilisation,
            core.loss_ratio.expect("packets arrive"),
            goodput / flows.len() as f64 / 1e3,
        ]
    }

    /// Runs several seeds; returns the mean and standard deviation of each figure.
    pub(crate) fn figures(&self, seeds: std::ops::RangeInclusive<u64>) -> [Figure; 3] {
        let runs: Vec<[f64; 3]> = seeds.map(|seed| self.run(seed)).collect();
        std::array::from_fn(|i| figure(&runs.iter().map(|run| run[i]).collect::<Vec<_>>()))
    }
}

fn figure(values: &[f64]) -> Figure {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    Figure {
        mean,
        sd: if n > 1.0 {
            (squares / (n - 1.0)).sqrt()
        } else {
            0.0
        },
        seeds: values.len(),
    }
}

/// The largest accepted difference: the larger of three pooled standard deviations and two per cent
/// of ns-2's figure.
pub(crate) fn allowed(ns2: Figure, ours: Figure) -> f64 {
    let freedom = |f: Figure| (f.seeds - 1) as f64;
    let squares = freedom(ns2) * ns2.sd * ns2.sd + freedom(ours) * ours.sd * ours.sd;
    let pooled = (squares / (freedom(ns2) + freedom(ours))).sqrt();
    (3.0 * pooled).max(0.02 * ns2.mean)
}

/// True if two figures agree.
pub(crate) fn agree(ns2: Figure, ours: Figure) -> bool {
    (ns2.mean - ours.mean).abs() <= allowed(ns2, ours)
}
