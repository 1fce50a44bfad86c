//! Every command that reads results, as a process of its own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A kind of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One run.
    Run,
    /// Replications of a run.
    Replications,
    /// A study.
    Study,
    /// A search.
    Search,
    /// Two shards of a study.
    Shards,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] = [
        Kind::Run,
        Kind::Replications,
        Kind::Study,
        Kind::Search,
        Kind::Shards,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Run => "run",
            Kind::Replications => "replications",
            Kind::Study => "study",
            Kind::Search => "search",
            Kind::Shards => "shards",
        }
    }

    /// The commands that make such results.
    fn made_by(self) -> &'static [&'static str] {
        match self {
            Kind::Run => &["run run.toml --quiet --out OUT"],
            Kind::Replications => &["run run.toml --quiet --replications 2 --out OUT"],
            Kind::Study => &["sweep study.toml --quiet --out OUT"],
            Kind::Search => &["tune search.toml --quiet --out OUT"],
            Kind::Shards => &[
                "sweep study.toml --quiet --shard 1/2 --out OUT/one",
                "sweep study.toml --quiet --shard 2/2 --out OUT/two",
            ],
        }
    }

    /// The commands that read it. FILE is a file that they may write, SOUND undamaged results of
    /// the same run.
    fn read_by(self) -> &'static [&'static str] {
        match self {
            Kind::Run => &[
                "report case -o FILE",
                "report case -o FILE --flow f[1]",
                "export case --to csv --flow g --link core -o FILE",
                "export case --to pcapng --at senders -o FILE",
                "export case --to csv -o FILE",
                "export case --to pcapng -o FILE",
                "export case --to qlog -o FILE",
                "export case --to perfetto -o FILE",
                "explain case --at 100ms",
                "explain case --at 100ms --flow f[1]",
                "explain case --flow f[0] --packet 7 --json",
                "explain case --why-slow f[0]",
                "diff sound/run case",
                "diff case sound/run --json",
                "compare case sound/run",
                "compare sound/run case --json",
                "verify case",
            ],
            Kind::Replications => &[
                "report case -o FILE",
                "export case/replication-1 --to csv -o FILE",
                "explain case/replication-1 --at 100ms",
                "diff sound/replications/replication-1 case/replication-1",
                "compare case sound/replications",
                "verify case",
            ],
            Kind::Study => &[
                "report case -o FILE",
                "plot case --to FILE",
                "compare case sound/study",
                "verify case",
                "export case/recordings/point-0 --to csv -o FILE",
                "explain case/recordings/point-0 --at 30ms",
                "sweep study.toml --out case --json",
            ],
            Kind::Search => &[
                "report case -o FILE",
                "plot case --to FILE",
                "compare sound/search case",
                "verify case",
                "tune search.toml --out case --json",
            ],
            Kind::Shards => &[
                "verify case/one",
                "plot case/one --to FILE",
                "merge case/one case/two --into FILE",
            ],
        }
    }
}

/// The program under test.
pub(super) struct Program(pub(super) PathBuf);

/// The answer of a command.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    command: &'static str,
    code: Option<i32>,
    said: Vec<u8>,
    written: Vec<u8>,
}

impl Program {
    fn start(&self, arguments: &str, folder: &Path) -> io::Result<(Option<i32>, Vec<u8>)> {
        let words: Vec<&str> = arguments.split(' ').collect();
        let output = Command::new(&self.0)
            .arg("program")
            .args(words)
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()?;
        Ok((output.status.code(), output.stdout))
    }

    /// Makes results of this kind.
    pub(super) fn make(&self, kind: Kind, seed: &str, out: &Path, folder: &Path) -> io::Result<()> {
        for command in kind.made_by() {
            let command = command.replace("OUT", &out.display().to_string());
            let command = format!("{command} --seed {seed}");
            let (code, said) = self.start(&command, folder)?;
            if code != Some(0) {
                let said = String::from_utf8_lossy(&said);
                return Err(io::Error::other(format!("{command}: {code:?}, {said}")));
            }
        }
        Ok(())
    }

    /// The answers of all commands that read such results.
    pub(super) fn answers(
        &self,
        kind: Kind,
        folder: &Path,
        around: &Path,
    ) -> io::Result<Vec<Answer>> {
        debug_assert_eq!(folder, around.join("case"), "commands name it");
        let ask = |command: &&'static str| {
            let file = around.join("written");
            remove(&file)?;
            let (code, said) = self.start(&command.replace("FILE", "written"), around)?;
            let answer = Answer {
                command,
                code,
                said,
                written: if command.starts_with("sweep") || command.starts_with("tune") {
                    tables(folder)?
                } else {
                    content(&file)?
                },
            };
            remove(&file)?;
            Ok(answer)
        };
        kind.read_by().iter().map(ask).collect()
    }
}

impl Answer {
    /// True if the command printed and wrote nothing that a user would take for results.
    pub(super) fn refuses(&self) -> bool {
        // A merge without a store says that runs are missing.
        let finds = ["verify", "merge"]
            .iter()
            .any(|word| self.command.starts_with(word));
        let is_finding = finds && self.code == Some(1) && self.written.is_empty();
        let is_silent = self.said.is_empty() && self.written.is_empty();
        // The tables of an interrupted sweep are those of the last one.
        let has_written = !self.written.is_empty() && !self.is_sweep();
        let is_error = self.said.starts_with(b"{\n  \"error\"");
        is_finding
            || (self.code == Some(1) && (is_silent || is_error))
            || (self.code == Some(2) && !has_written)
    }

    /// True if it has said the same of an undamaged folder. A sweep repeats damaged runs, and says
    /// so.
    pub(super) fn says_as(&self, sound: &Answer) -> bool {
        self.code == sound.code
            && self.written == sound.written
            && (self.is_sweep() || self.said == sound.said)
    }

    fn is_sweep(&self) -> bool {
        ["sweep", "tune"]
            .iter()
            .any(|word| self.command.starts_with(word))
    }

    /// The command with its exit code and the beginning of its output.
    pub(super) fn told(&self) -> String {
        let said = String::from_utf8_lossy(&self.said);
        let said: String = said.chars().take(120).collect();
        format!("{} ended with {:?}, {said:?}", self.command, self.code)
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match path {
        folder if folder.is_dir() => fs::remove_dir_all(folder),
        file if file.exists() => fs::remove_file(file),
        _ => Ok(()),
    }
}

/// The bytes of the tables of a study.
fn tables(folder: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for name in [
        "runs.parquet",
        "summary.parquet",
        "wide.parquet",
        "tuned.parquet",
        "measures",
    ] {
        bytes.extend(content(&folder.join(name))?);
    }
    Ok(bytes)
}

/// The bytes of a file, or of all files of a folder. A store's bytes depend on its history.
fn content(path: &Path) -> io::Result<Vec<u8>> {
    if path.extension().is_some_and(|kind| kind == "sqlite") {
        return Ok(Vec::new());
    }
    if !path.is_dir() {
        return Ok(fs::read(path).unwrap_or_default());
    }
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    let contents = paths.iter().map(|path| content(path));
    Ok(contents.collect::<io::Result<Vec<_>>>()?.concat())
}
