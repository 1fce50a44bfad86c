//! Damaged results folders: whatever reads one refuses it, or says the same as of an undamaged one.

mod damage;
mod readers;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::dice::Dice;
use crate::trial::{Failure, Fault};

use damage::damage;
use readers::{Answer, Kind, Program};

/// A run with all recordings.
const RUN: &str = r#"
title = "One port"
run = { duration = "200ms", warmup = "20ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "2ms", buffer = "5pkts" }]
[[flow]]
name = "f"
count = 2
from = "a"
to = "b"
traffic = { kind = "tcp", profile = "linux", control = "cubic", window = "64pkts" }
[[flow]]
name = "g"
from = "a"
to = "b"
traffic = { kind = "poisson", rate = "1Mbps", size = "500B" }
[output]
packets = {}
tcp = {}
series = { interval = "10ms", of = ["links", "flows"] }
"#;

/// A study with a measure, a figure, a claim and a recording.
const STUDY: &str = r#"
name = "one"
run = { duration = "60ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
output = { packets = {} }
[sweep]
replications = 2
keep = [{ buffer = "2pkts" }]
axis = [{ name = "buffer", key = "link.core.buffer", values = ["2pkts", "20pkts"] }]
[[measure]]
name = "queue"
kind = "queue"
link = "core"
[[plot]]
name = "loss"
x = "buffer"
y = "link.core.loss_ratio"
[[expect]]
claim = "the line is busy"
y = "link.core.utilisation"
at = { buffer = "20pkts" }
at_least = 0.5
"#;

/// A search over the points of the study.
const SEARCH: &str = r#"
[tune]
search = ["buffer"]
least = "buffer"
bound = [{ y = "link.core.utilisation", at_least = 0.1 }]
"#;

/// The outcome of damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unbelieved {
    /// Commands that refused the folder.
    pub refused: u64,
    /// Commands that answered as for an undamaged folder.
    pub same: u64,
}

/// Results of each kind, what every command says of them, and foreign results to take files from.
pub struct Shelves {
    program: Program,
    around: tempfile::TempDir,
    sound: Vec<(Kind, Vec<Answer>)>,
}

impl Shelves {
    /// Makes results with this program, in a folder of their own.
    pub fn new(program: PathBuf) -> io::Result<Shelves> {
        let around = tempfile::tempdir()?;
        let program = Program(program);
        let (sweep, _) = STUDY.split_once("[[plot]]").expect("a figure");
        let search = sweep.replace("keep = ", "# keep = ") + SEARCH;
        for (name, text) in [
            ("run.toml", RUN),
            ("study.toml", STUDY),
            ("search.toml", &search),
        ] {
            fs::write(around.path().join(name), text)?;
        }
        for kind in Kind::ALL {
            for (folder, seed) in [("sound", "1"), ("foreign", "2")] {
                let out = around.path().join(folder).join(kind.name());
                fs::create_dir_all(out.parent().expect("a folder around it"))?;
                program.make(kind, seed, &out, around.path())?;
            }
        }
        let mut sound = Vec::new();
        for kind in Kind::ALL {
            let copy = copied(around.path(), "sound", kind)?;
            sound.push((kind, program.answers(kind, &copy, around.path())?));
        }
        Ok(Shelves {
            program,
            around,
            sound,
        })
    }

    /// Damages the folder of this number, and asks every command that reads such a folder.
    pub fn try_damaged(&self, number: u64) -> io::Result<Result<Unbelieved, Failure>> {
        let dice = &mut Dice::new(number);
        let (kind, sound) = dice.pick(&self.sound);
        let folder = copied(self.around.path(), "sound", *kind)?;
        let foreign = self.around.path().join("foreign").join(kind.name());
        let manner = damage(&folder, &foreign, dice)?;
        let answers = self.program.answers(*kind, &folder, self.around.path())?;
        let mut found = Unbelieved::default();
        let mut believed = Vec::new();
        for (answer, sound) in answers.iter().zip(sound) {
            match () {
                () if answer.refuses() => found.refused += 1,
                () if answer.says_as(sound) => found.same += 1,
                () => believed.push(answer.told()),
            }
        }
        Ok(if believed.is_empty() {
            Ok(found)
        } else {
            let seen = format!("{} ({manner}): {}", kind.name(), believed.join("; "));
            Err(Fault::Believed.seen(seen))
        })
    }
}

/// A fresh copy of results, always at the same place, so that answers are comparable.
fn copied(around: &Path, from: &str, kind: Kind) -> io::Result<PathBuf> {
    let to = around.join("case");
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    copy(&around.join(from).join(kind.name()), &to)?;
    Ok(to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?
        } else {
            fs::copy(entry.path(), to).map(drop)?
        }
    }
    Ok(())
}
