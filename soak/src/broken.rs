//! Mutated files: each is read, or refused with a place; nothing ends in a panic.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use pacesim::recording::{Recording, Smooth};
use pacesim::scenario::{Raw, load, templates};
use pacesim::units::Span;
use pacesim_lab::recorded;
use pacesim_lab::study::mistakes;
use pacesim_study::StudyText;
use serde_json::Map;

use crate::attempt::guarded;
use crate::case::Maker;
use crate::dice::Dice;
use crate::files::{Shelf, Trace, edge_list, vectors, write_all};
use crate::mutate::mutate;
use crate::quantity::Scale;
use crate::toml;
use crate::trial::{Failure, Fault, run_in_steps};

/// What kind of file is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scenario.
    Scenario,
    /// A study of a scenario.
    Study,
    /// A recording as text.
    Csv,
    /// An edge list.
    Edges,
    /// A recording in Parquet.
    Parquet,
    /// Recorded connections.
    Vectors,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [
        Kind::Scenario,
        Kind::Study,
        Kind::Csv,
        Kind::Edges,
        Kind::Parquet,
        Kind::Vectors,
    ];

    /// What it is.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Scenario => "scenarios in TOML",
            Kind::Study => "studies in TOML",
            Kind::Csv => "recordings in CSV",
            Kind::Edges => "edge lists in CSV",
            Kind::Parquet => "recordings in Parquet",
            Kind::Vectors => "recorded connections",
        }
    }

    /// What its name ends in.
    pub fn ending(self) -> &'static str {
        match self {
            Kind::Scenario | Kind::Study => "toml",
            Kind::Csv | Kind::Edges => "csv",
            Kind::Parquet => "parquet",
            Kind::Vectors => "cvec",
        }
    }
}

/// A broken file, and whether it was accepted nevertheless.
#[derive(Debug)]
pub struct Broken {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Accepted, refused, or worse.
    pub outcome: Result<bool, Failure>,
}

/// Breaks the file of this number, and reads it.
pub fn try_broken(maker: &Maker, kind: Kind, number: u64, folder: &Path) -> io::Result<Broken> {
    fs::create_dir_all(folder)?;
    let dice = &mut Dice::new(number);
    let scale = Scale::draw(dice);
    let trace = Trace::draw(&scale, dice);
    let mut bytes = match kind {
        Kind::Scenario => sound_scenario(maker, number, folder, dice)?.into_bytes(),
        Kind::Study => STUDY.as_bytes().to_vec(),
        Kind::Csv => trace.to_csv(dice).into_bytes(),
        Kind::Edges => edge_list(dice).into_bytes(),
        Kind::Vectors => vectors(&scale, dice).into_bytes(),
        Kind::Parquet => trace.to_parquet(dice).map_err(io::Error::other)?,
    };
    mutate(&mut bytes, dice);
    let outcome = match kind {
        Kind::Scenario => guarded(|| read_scenario(&bytes, folder)),
        Kind::Study => guarded(|| Ok(read_study(&bytes))),
        Kind::Csv => guarded(|| read_csv(&bytes)),
        Kind::Edges => guarded(|| read_beside(EDGES, &bytes)),
        Kind::Vectors => guarded(|| read_beside(VECTORS, &bytes)),
        Kind::Parquet => {
            let path = folder.join("broken.parquet");
            fs::write(&path, &bytes)?;
            guarded(|| used(recorded::read(&path).ok()))
        }
    };
    Ok(Broken { bytes, outcome })
}

/// A template, or a scenario of our own.
fn sound_scenario(
    maker: &Maker,
    number: u64,
    folder: &Path,
    dice: &mut Dice,
) -> io::Result<String> {
    if dice.percent(50) {
        return Ok(dice.pick(templates()).text.to_owned());
    }
    let mut tree = Map::new();
    match guarded(|| Ok(maker.make(number, folder, &mut tree))) {
        Ok(made) => made.map(|_| ())?,
        // That a sound scenario fails is for another campaign to find.
        Err(_) => write_all(folder, &Scale::draw(dice), dice).map(|_| ())?,
    }
    Ok(toml::document(&tree))
}

/// More members than this are left alone: they are sound, and slow.
const MANY: usize = 2_000;

fn read_scenario(bytes: &[u8], folder: &Path) -> Result<bool, Failure> {
    let files = Shelf(folder.to_path_buf());
    let raw = Raw::parse_bytes("broken.toml", bytes);
    let checked = match raw.check(&files) {
        Ok(checked) => checked,
        Err(problems) => {
            // Of a file that is no scenario nothing is shown.
            let Some(text) = raw.text_of("broken.toml") else {
                return Ok(false);
            };
            let misplaced = problems
                .0
                .iter()
                .find(|p| text.get(p.span.clone()).is_none());
            return match misplaced {
                Some(problem) => Err(Fault::Unreadable.seen(format!("no place: {problem}"))),
                None => Ok(false),
            };
        }
    };
    let again = load("again.toml", &checked.scenario().to_toml(), &[], &files);
    if again.ok().as_ref() != Some(&checked) {
        return Err(Fault::Differs.seen("the resolved scenario means something else"));
    }
    let model = checked.expand(1, 0);
    if model.nodes.len() + model.links.len() + model.flows.len() < MANY {
        raw.warnings(&checked);
        run_in_steps(&checked, 5_000)?;
    }
    Ok(true)
}

/// Every table and key of a study.
const STUDY: &str = include_str!("study.toml");

/// Whether there is a study, of whose points the first few can be run.
fn read_study(bytes: &[u8]) -> bool {
    let base = templates()[0].text;
    let files = Arc::new(move |_: &str| Ok(base.to_owned()));
    let Ok(study) = StudyText::parse("broken.toml", "broken", bytes, files).check() else {
        return false;
    };
    let is_sound = |point| study.scenario(point).is_ok();
    mistakes(&study).is_empty() && study.points().take(5).all(is_sound)
}

fn read_csv(bytes: &[u8]) -> Result<bool, Failure> {
    let text = std::str::from_utf8(bytes);
    used(text.ok().and_then(|text| Recording::from_csv(text).ok()))
}

/// A recording that was accepted can be smoothed, or not, by its own deadlines or others.
fn used(recording: Option<Recording>) -> Result<bool, Failure> {
    let Some(recording) = recording else {
        return Ok(false);
    };
    let within = Smooth::Within(Span::from_us(100));
    let sent = recording
        .smoothed(within)
        .map_err(|error| Fault::Refused.seen(error))?;
    if sent.len() != recording.arrivals.len() {
        return Err(Fault::Leak.seen("smoothing loses packets"));
    }
    // Deadlines may be impossible to keep.
    let _ = recording.smoothed(Smooth::Deadlines);
    Ok(true)
}

const EDGES: &str = r#"
    run = { duration = "1ms" }
    topology = { shape = "edge_list", file = "edges.csv", link = { rate = "1Mbps" } }
    flow = [{ name = "f", from = "router[0]", to = "router[1]",
              traffic = { kind = "cbr", rate = "1Mbps", size = "1KB" } }]
"#;

const VECTORS: &str = r#"
    run = { duration = "100ms" }
    node = [{ name = "a" }, { name = "b" }]
    link = [{ name = "core", from = "a", to = "b", rate = "10Mbps" }]
    flow = [{ name = "f", from = "a", to = "b",
              traffic = { kind = "tcp", exchanges = { file = "web.cvec", delay_box = "a" } } }]
"#;

/// Reads a scenario whose file is broken.
fn read_beside(scenario: &str, bytes: &[u8]) -> Result<bool, Failure> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Ok(false);
    };
    let files = |_: &str| Ok(text.to_owned());
    match load("beside.toml", scenario, &[], &files) {
        Ok(checked) => run_in_steps(&checked, 5_000).map(|_| true),
        Err(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_study_that_gets_broken_is_sound_itself() {
        assert!(read_study(STUDY.as_bytes()));
    }
}
