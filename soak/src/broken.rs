//! Mutated files: each is read or refused with a place, and none causes a panic.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use pacesim::scenario::{Problem, Raw, load, templates};
use pacesim_lab::input::mistakes;
use pacesim_study::StudyText;
use serde_json::Map;

use crate::attempt::guarded;
use crate::case::Maker;
use crate::dice::Dice;
use crate::files::{Shelf, content, write_all};
use crate::formats;
use crate::mutate::mutate;
use crate::quantity::Scale;
use crate::toml;
use crate::trial::{Failure, Fault, run_in_steps};

/// Kinds of files to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scenario.
    Scenario,
    /// A study of a scenario.
    Study,
    /// A file named by a scenario, of this format.
    Named(&'static str),
}

impl Kind {
    /// All kinds.
    pub fn all() -> impl Iterator<Item = Kind> {
        let named = formats::all().map(Kind::Named);
        [Kind::Scenario, Kind::Study].into_iter().chain(named)
    }

    /// The name of this kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Scenario => "scenario.toml",
            Kind::Study => "study.toml",
            Kind::Named(name) => name,
        }
    }
}

/// A broken file, and the outcome of reading it.
#[derive(Debug)]
pub struct Broken {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// True if accepted, false if refused, or a failure.
    pub outcome: Result<bool, Failure>,
}

/// Breaks the file of this number, and reads it.
pub fn try_broken(maker: &Maker, kind: Kind, number: u64, folder: &Path) -> io::Result<Broken> {
    fs::create_dir_all(folder)?;
    let dice = &mut Dice::new(number);
    let scale = Scale::draw(dice);
    let mut bytes = match kind {
        Kind::Scenario => sound_scenario(maker, number, folder, dice)?.into_bytes(),
        Kind::Study => STUDY.as_bytes().to_vec(),
        Kind::Named(name) => content(name, &scale, dice)?,
    };
    mutate(&mut bytes, dice);
    let outcome = match kind {
        Kind::Scenario => guarded(|| read_scenario(&bytes, folder)),
        Kind::Study => guarded(|| Ok(read_study(&bytes).is_ok())),
        Kind::Named(name) => {
            fs::write(folder.join(name), &bytes)?;
            guarded(|| read_beside(name, folder))
        }
    };
    Ok(Broken { bytes, outcome })
}

/// Writes the files that [`Kind::Study`]'s study names.
pub fn write_base(folder: &Path) -> io::Result<()> {
    fs::write(folder.join("base.toml"), templates()[0].text)?;
    fs::write(folder.join("measured.csv"), MEASURED)
}

/// A template, or a generated scenario.
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
        // Failures of valid scenarios are the subject of another campaign.
        Err(_) => write_all(folder, &Scale::draw(dice), dice).map(|_| ())?,
    }
    Ok(toml::document(&tree))
}

/// Scenarios with more members are skipped: they are valid, and slow.
const MANY: usize = 2_000;

fn read_scenario(bytes: &[u8], folder: &Path) -> Result<bool, Failure> {
    let files = Shelf(folder.to_path_buf());
    let raw = Raw::parse_bytes("broken.toml", bytes);
    let checked = match raw.check(&files) {
        Ok(checked) => checked,
        Err(problems) => {
            // A file that is not a scenario has no text to show.
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
pub(crate) const STUDY: &str = include_str!("study.toml");

/// Reads a study and the scenarios of its first points; returns the reason if it is refused.
fn read_study(bytes: &[u8]) -> Result<(), String> {
    let base = templates()[0].text;
    let files = Arc::new(move |name: &str| {
        if name.ends_with(".csv") {
            Ok(MEASURED.to_owned())
        } else {
            Ok(base.to_owned())
        }
    });
    let text = StudyText::parse("broken.toml", "broken", bytes, files);
    let study = text.check().map_err(|problems| format!("{problems:?}"))?;
    let mistakes = mistakes(&study);
    if !mistakes.is_empty() {
        return Err(format!("{mistakes:?}"));
    }
    for point in study.points().take(5) {
        let scenario = study.scenario(point);
        scenario.map_err(|problems| format!("{problems:?}"))?;
    }
    Ok(())
}

/// The table of the study's reference.
const MEASURED: &str = "buffer,loss,spread,runs\n1KB,20,1,3\n10KB,10,0.5,3\n";

/// Two nodes.
const LINE: &str = r#"shape = "tandem", hops = 1"#;

/// A scenario that names this file.
fn scenario_of(name: &str) -> String {
    let traffic = match formats::kind(name) {
        "arrivals.csv" => r#"{ kind = "recorded", file = "FILE", smooth = "100us" }"#,
        "frames.txt" => r#"{ kind = "video", file = "FILE", frame_rate = 24.0 }"#,
        "web.cvec" => r#"{ kind = "tcp", exchanges = { file = "FILE", delay_box = "NODE[0]" } }"#,
        "transfers.csv" => r#"{ kind = "tcp", job = { kind = "list", file = "FILE" } }"#,
        "curve.csv" => r#"{ kind = "poisson", rate = "1Mbps", size = { empirical = "FILE" } }"#,
        _ => r#"{ kind = "cbr", rate = "1Mbps", size = "1KB" }"#,
    };
    let (shape, pacer, node) = match formats::kind(name) {
        "network.csv" => (r#"shape = "edge_list", file = "FILE""#, "", "router"),
        "cellular.trace" => (
            LINE,
            r#", pacer = { kind = "recorded_rate", file = "FILE" }"#,
            "node",
        ),
        _ => (LINE, "", "node"),
    };
    let ends = match formats::kind(name) {
        "transfers.csv" => r#"from = "NODE", to = "NODE""#,
        _ => r#"from = "NODE[0]", to = "NODE[1]""#,
    };
    let text = format!(
        r#"
        run = {{ duration = "100ms" }}
        topology = {{ {shape}, link = {{ rate = "10Mbps"{pacer} }} }}
        flow = [{{ name = "f", {ends}, traffic = {traffic} }}]
        "#
    );
    text.replace("FILE", name).replace("NODE", node)
}

/// Reads the scenario whose file is broken. A problem of the file must state its name and the
/// expected content.
fn read_beside(name: &str, folder: &Path) -> Result<bool, Failure> {
    let (files, text) = (Shelf(folder.to_path_buf()), scenario_of(name));
    // Deadlines may be impossible to meet.
    let _ = load(
        "deadlines.toml",
        &text.replace(r#""100us""#, "true"),
        &[],
        &files,
    );
    let problems = match load("beside.toml", &text, &[], &files) {
        Ok(checked) => return run_in_steps(&checked, 5_000).map(|_| true),
        Err(problems) => problems.0,
    };
    // A distribution is reported at the place where its table begins.
    let is_of_file = |path: &str| path.ends_with("file") || path.ends_with("size");
    let is_kind = |p: &Problem| p.message.contains(name) && p.help.is_some();
    let unkind = |p: &&Problem| is_of_file(&p.path) && !is_kind(p);
    match problems.iter().find(unkind) {
        Some(problem) => Err(Fault::Unreadable.seen(format!("no name or remedy: {problem}"))),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_study_that_gets_broken_is_sound_itself() {
        assert_eq!(read_study(STUDY.as_bytes()), Ok(()));
    }

    #[test]
    fn files_that_get_broken_are_sound_themselves() {
        let (dice, folder) = (&mut Dice::new(1), tempfile::tempdir().expect("a folder"));
        for _ in 0..20 {
            let scale = Scale::draw(dice);
            write_all(folder.path(), &scale, dice).expect("a disk to write on");
            for name in formats::all() {
                let sound = read_beside(name, folder.path());
                assert_eq!(sound, Ok(true), "{name}");
            }
        }
    }
}
