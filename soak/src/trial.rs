//! Requirements on any scenario: it runs, reproducibly, and its numbers add up.

use std::fmt;
use std::fs;
use std::path::Path;

use pacesim::World;
use pacesim::measure::record::Row;
use pacesim::scenario::{Checked, load};
use pacesim_lab::input::{self, Input};
use pacesim_lab::summary::Summary;
use pacesim_lab::{Plan, Unwatched, expand, run};
use serde_json::Value as Json;

use crate::files::Shelf;
use crate::ledger::Ledger;
use crate::parts::try_parts;
use crate::rows::{self, Cell, Rows};

/// Faults that no scenario may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It panics.
    Panic,
    /// Time stops, or the end is not reached.
    Hang,
    /// A packet vanishes uncounted, or is counted without existing.
    Leak,
    /// A number is NaN, infinite, or negative.
    NotANumber,
    /// Two equal runs differ.
    Differs,
    /// It cannot be written, or cannot be read again.
    Unreadable,
    /// It is eventually refused.
    Refused,
    /// A number contradicts another, or is impossible.
    Law,
    /// Damaged results are taken for sound ones.
    Believed,
}

/// A fault with its symptoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of fault.
    pub fault: Fault,
    /// The symptoms.
    pub seen: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.fault, self.seen)
    }
}

impl Fault {
    /// A failure with this fault and these symptoms.
    pub(crate) fn seen(self, seen: impl fmt::Display) -> Failure {
        let seen = seen.to_string();
        Failure { fault: self, seen }
    }
}

/// Key figures of one scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Packet hops in one run.
    pub packet_hops: u64,
    /// Rows of all its tables.
    pub rows: u64,
    /// Packets in the network at the end.
    pub in_flight: u64,
    /// Parts that it was run in on threads; one if it cannot be divided.
    pub parts: u32,
}

/// The limit, above any generated scenario: one frame of a video may be millions of packets at one instant.
const ENDLESS: u64 = 20_000_000;

/// Tries the scenario of this text, with the files that it names in the same folder.
pub(crate) fn try_scenario(text: &str, folder: &Path) -> Result<Figures, Failure> {
    let checked = checked_twice(text, folder)?;
    let world = run_in_steps(&checked, u64::MAX)?;
    let parts = try_parts(&checked, &world)?;
    let path = folder.join("scenario.toml");
    fs::write(&path, text).map_err(|error| Fault::Unreadable.seen(error))?;
    let (first, second) = (folder.join("first"), folder.join("second"));
    let summary = kept(&path, &first)?;
    compare_to_world(&world, &summary)?;
    let tables = rows::tables(&first).map_err(|error| Fault::Unreadable.seen(error))?;
    if let Some(strange) = rows::strange_number(&tables) {
        return Err(Fault::NotANumber.seen(strange));
    }
    compare_rows(&tables, "flows.parquet", &world.flow_rows())?;
    compare_rows(&tables, "links.parquet", &world.link_rows())?;
    compare_sizes(&tables, &first)?;
    kept(&first.join("scenario.toml"), &second)?;
    compare_folders(&first, &second)?;
    Ok(Figures {
        packet_hops: world.packet_hops(),
        rows: tables.iter().map(|(_, rows)| rows.len() as u64).sum(),
        in_flight: world.in_flight(),
        parts,
    })
}

/// Parses the text as a scenario; its resolved form must mean the same.
fn checked_twice(text: &str, folder: &Path) -> Result<Checked, Failure> {
    let files = Shelf(folder.to_path_buf());
    let accepted = |text: &str| {
        let checked = load("scenario.toml", text, &[], &files);
        checked.map_err(|problems| Fault::Refused.seen(problems))
    };
    let checked = accepted(text)?;
    let again = accepted(&checked.scenario().to_toml())?;
    if checked == again {
        Ok(checked)
    } else {
        Err(Fault::Differs.seen("the resolved scenario means something else"))
    }
}

/// Runs it step by step, until enough events have happened, with audits at intervals and at the
/// end.
pub(crate) fn run_in_steps(checked: &Checked, most: u64) -> Result<World<Ledger>, Failure> {
    let model = expand(checked, checked.scenario().run.seed, 0);
    let ledger = Ledger::new(&model);
    let world = World::watched(model, ledger);
    let mut world = world.map_err(|error| Fault::Unreadable.seen(error))?;
    let mut steps: u64 = 0;
    while let Some(now) = world.step() {
        steps += 1;
        if now.as_ps() > 0 && world.probe().events() > most {
            break;
        }
        if steps > ENDLESS || world.probe().events() > ENDLESS {
            return Err(Fault::Hang.seen(format!("at {now}, after {steps} steps")));
        }
        if steps.is_power_of_two() {
            audit(&world)?;
        }
    }
    audit(&world)?;
    Ok(world)
}

fn audit(world: &World<Ledger>) -> Result<(), Failure> {
    let audited = world.probe().audit(world);
    audited.map_err(|error| Fault::Leak.seen(format!("at {}: {error}", world.now())))
}

/// Runs a file and stores its results.
fn kept(scenario: &Path, out: &Path) -> Result<Summary, Failure> {
    let input = opened(scenario)?;
    let plan = Plan {
        out: Some(out),
        ..Plan::default()
    };
    let summary = run(&input, 0, &plan, &mut Unwatched);
    let summary = summary.map_err(|error| Fault::Unreadable.seen(error))?;
    match strange_word(&format!("{summary:?}")) {
        Some(word) => Err(Fault::NotANumber.seen(format!("{word} in the summary"))),
        None => Ok(summary),
    }
}

fn opened(scenario: &Path) -> Result<Input, Failure> {
    let rejected = |rejected: input::Rejected| {
        let first = rejected.problems.first().map(ToString::to_string);
        Fault::Refused.seen(first.unwrap_or_default())
    };
    input::from_file(scenario, &[]).map_err(rejected)
}

/// A non-finite float has a name in debug output; JSON would show null.
fn strange_word(text: &str) -> Option<&'static str> {
    const WORDS: [&str; 5] = [": NaN", "(NaN", ": inf", "(inf", ": -"];
    WORDS.into_iter().find(|word| text.contains(word))
}

fn compare_to_world(world: &World<Ledger>, summary: &Summary) -> Result<(), Failure> {
    let fingerprint = format!("{:016x}", world.fingerprint());
    let in_steps = (&fingerprint, world.packet_hops());
    let at_once = (&summary.fingerprint, summary.packet_hops);
    if in_steps == at_once {
        Ok(())
    } else {
        Err(Fault::Differs.seen(format!("in steps {in_steps:?}, at once {at_once:?}")))
    }
}

/// The rows of a table must equal those of the world, which leaves some columns empty.
fn compare_rows<R: Row>(
    tables: &[(String, Rows)],
    name: &str,
    expected: &[R],
) -> Result<(), Failure> {
    let table = tables.iter().find(|(table, _)| table == name);
    let (_, written) = table.ok_or_else(|| Fault::Unreadable.seen(format!("no {name}")))?;
    if written.len() != expected.len() {
        return Err(Fault::Differs.seen(format!("{name} has {} rows", written.len())));
    }
    for (written, expected) in written.iter().zip(expected) {
        for ((column, written), expected) in written.iter().zip(rows::cells(expected)) {
            if expected != Cell::Null && *written != expected {
                let seen = format!("{name}: {column} is {written:?}, was {expected:?}");
                return Err(Fault::Differs.seen(seen));
            }
        }
    }
    Ok(())
}

/// The manifest must have the number of rows of each table.
fn compare_sizes(tables: &[(String, Rows)], folder: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(folder.join("manifest.json"));
    let text = text.map_err(|error| Fault::Unreadable.seen(error))?;
    let manifest: Json = serde_json::from_str(&text).map_err(|e| Fault::Unreadable.seen(e))?;
    let listed = manifest["tables"].as_array().into_iter().flatten();
    let mut listed: Vec<_> = listed
        .map(|t| (t["file"].as_str(), t["rows"].as_u64()))
        .collect();
    listed.sort();
    let size = |(name, rows): &(String, Rows)| (name.clone(), rows.len() as u64);
    let found: Vec<_> = tables.iter().map(size).collect();
    let found: Vec<_> = found
        .iter()
        .map(|(name, n)| (Some(name.as_str()), Some(*n)))
        .collect();
    if listed == found {
        Ok(())
    } else {
        Err(Fault::Differs.seen(format!("the manifest says {listed:?}, not {found:?}")))
    }
}

/// Two folders must have the same files with the same bytes.
fn compare_folders(first: &Path, second: &Path) -> Result<(), Failure> {
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).map_err(|error| Fault::Unreadable.seen(error))?;
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        Ok(names)
    };
    let (here, there) = (names(first)?, names(second)?);
    if here != there {
        return Err(Fault::Differs.seen(format!("{here:?} and then {there:?}")));
    }
    for name in here {
        let (one, other) = (first.join(&name), second.join(&name));
        if one.is_dir() {
            compare_folders(&one, &other)?;
        } else if fs::read(&one).ok() != fs::read(&other).ok() {
            return Err(Fault::Differs.seen(format!("{} of two runs", name.display())));
        }
    }
    Ok(())
}
