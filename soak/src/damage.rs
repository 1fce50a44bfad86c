//! Damaged stores: a table made from one equals that of an undamaged store, or is refused.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pacesim_lab::Unwatched;
use pacesim_lab::compare::compare;
use pacesim_lab::study::{Kept, Merge, Merged, Shard, Sweep, merge, sweep, sweep_part};
use pacesim_lab::verify::{Again, verify};
use pacesim_study::{Study, StudyText};
use rusqlite::Connection;

use crate::attempt::guarded;
use crate::dice::Dice;
use crate::trial::{Failure, Fault};

const STORE: &str = "store.sqlite";

/// Two points, warm-ups found by pilots, a measure with a table, a figure.
const STUDY: &str = r#"
name = "damaged"
run = { duration = "60ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
[sweep]
replications = 3
find_warmup = ["link.core.queue_mean_pkts"]
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = ["1pkts", "20pkts"]
[[measure]]
name = "burst"
kind = "burstiness"
link = "core"
finest = "1ms"
scales = 3
[[plot]]
name = "loss"
x = "buffer"
y = "link.core.loss_ratio"
"#;

/// The number of kinds of damage other than SQL.
const BYTES: u64 = 3;

/// Edits by SQL; `{run}`, `{place}` and `{number}` are drawn.
const EDITS: [&str; 24] = [
    "DELETE FROM numbers WHERE run = {run} AND place = {place}",
    "DELETE FROM numbers WHERE run = {run}",
    "UPDATE numbers SET value = value * 1.0625 + 1 WHERE run = {run} AND place = {place}",
    "UPDATE numbers SET value = NULL WHERE run = {run} AND place < {place}",
    "UPDATE numbers SET value = 'x' WHERE run = {run} AND place = {place}",
    "UPDATE numbers SET place = place + 1000 WHERE run = {run} AND place = {place}",
    "UPDATE numbers SET place = -place - 1 WHERE run = {run}; UPDATE numbers SET place = -place WHERE run = {run}",
    "UPDATE numbers SET run = run + 100 WHERE run = {run} AND place = {place}",
    "INSERT INTO numbers VALUES ({run}, {number} + 100, 0.5)",
    "DELETE FROM runs WHERE run = {run}",
    "UPDATE runs SET scenario = 'fnv1a128:0' WHERE run = {run}",
    "UPDATE runs SET replication = replication + 10 WHERE run = {run}",
    "UPDATE runs SET seed = seed + 1, fingerprint = '0' WHERE run = {run}",
    "UPDATE runs SET metrics = metrics + 1 WHERE run = {run}",
    "UPDATE runs SET run = run + 50 WHERE run = {run}",
    "UPDATE runs SET digest = x'00' WHERE run = {run}",
    "DELETE FROM metrics WHERE place = {place}",
    "UPDATE metrics SET metric = 'other' WHERE place = {place}",
    "UPDATE metrics SET place = place + 500 WHERE place > {place}",
    "UPDATE measured SET csv = replace(csv, '1', '2') WHERE run = {run}",
    "DELETE FROM measured WHERE run = {run}",
    "UPDATE warmups SET warmup_ps = warmup_ps / 2 + {number}",
    "UPDATE points SET replications = replications - 1 WHERE point = {number} % 2",
    "UPDATE axes SET text = 'x' WHERE point = {number} % 2",
];

/// A swept study, whole and in two shards, and its expected tables.
pub struct Swept {
    study: Study,
    around: tempfile::TempDir,
    tables: Vec<(PathBuf, Vec<u8>)>,
}

/// The outcome of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damaged {
    /// The damage was noticed: refused, or repaired.
    Noticed,
    /// Every table still equals that of the undamaged store.
    Harmless,
}

impl Swept {
    /// Sweeps the study in a separate folder.
    pub fn new() -> io::Result<Swept> {
        let text = StudyText::parse("study.toml", "study", STUDY.as_bytes(), Arc::new(()));
        let study = text.check().map_err(io::Error::other)?;
        let around = tempfile::tempdir()?;
        let whole = around.path().join("whole");
        sweep(&Sweep::new(&study, &whole), &Unwatched).map_err(io::Error::other)?;
        for shard in Shard::all(2) {
            let out = around.path().join(shard.folder());
            sweep_part(&Sweep::new(&study, &out), shard, &Unwatched).map_err(io::Error::other)?;
        }
        let tables = contents(&whole)?;
        Ok(Swept {
            study,
            around,
            tables,
        })
    }

    /// Damages a copy of the store, or of a shard's, and runs everything that reads one.
    pub fn try_damaged(&self, number: u64, folder: &Path) -> io::Result<Result<Damaged, Failure>> {
        let dice = &mut Dice::new(number);
        let shards: Vec<PathBuf> = Shard::all(2).map(|shard| shard.folder().into()).collect();
        for name in shards.iter().chain([&PathBuf::from("whole")]) {
            copy(&self.around.path().join(name), &folder.join(name))?;
        }
        let in_shard = dice.percent(40);
        let name = if in_shard {
            &shards[dice.place(2)]
        } else {
            Path::new("whole")
        };
        let manner = damage(&folder.join(name).join(STORE), dice)?;
        let folders: Vec<PathBuf> = shards.iter().map(|shard| folder.join(shard)).collect();
        let found = guarded(|| {
            if in_shard {
                self.merged(&folders, &folder.join("united"))
            } else {
                self.reread(&folder.join("whole"))
            }
        });
        Ok(found.map_err(|failure| Failure {
            seen: format!("{} ({manner})", failure.seen),
            ..failure
        }))
    }

    fn merged(&self, folders: &[PathBuf], into: &Path) -> Result<Damaged, Failure> {
        let order = Merge {
            folders,
            into,
            plan: None,
        };
        match merge(&order, &Unwatched) {
            Err(_) | Ok(Merged::Incomplete(_)) => Ok(Damaged::Noticed),
            Ok(Merged::Whole(_)) => self.same(into, "merge").map(|()| Damaged::Harmless),
        }
    }

    fn reread(&self, out: &Path) -> Result<Damaged, Failure> {
        let checked = verify(out, Again::default(), &Unwatched);
        let noticed = checked.is_ok_and(|verified| !verified.is_sound());
        let compared = compare(out, &self.around.path().join("whole"));
        if compared.is_ok_and(|comparison| !comparison.is_same()) {
            return Err(Fault::Differs.seen("compare sees other numbers"));
        }
        self.drawn(out)?;
        if sweep(&Sweep::new(&self.study, out), &Unwatched).is_err() {
            return Ok(Damaged::Noticed);
        }
        self.same(out, "sweep")?;
        Ok(if noticed {
            Damaged::Noticed
        } else {
            Damaged::Harmless
        })
    }

    /// Draws the figures from the damaged store, which must equal those of an undamaged one or be
    /// refused.
    fn drawn(&self, out: &Path) -> Result<(), Failure> {
        let draw = |out: &Path| {
            let kept = Kept::open(out).ok()?;
            kept.draw(&self.study, None, &Unwatched).ok()
        };
        let whole = draw(&self.around.path().join("whole"));
        match draw(out) {
            figures @ Some(_) if figures != whole => Err(Fault::Differs.seen("a figure")),
            _ => Ok(()),
        }
    }

    fn same(&self, out: &Path, by: &str) -> Result<(), Failure> {
        let found = contents(out).map_err(|error| Fault::Unreadable.seen(error))?;
        if found == self.tables {
            Ok(())
        } else {
            Err(Fault::Differs.seen(format!("the tables after {by}")))
        }
    }
}

/// Damages a store; returns a description.
fn damage(store: &Path, dice: &mut Dice) -> io::Result<String> {
    let manner = dice.below(BYTES + EDITS.len() as u64);
    if manner < BYTES {
        let mut bytes = fs::read(store)?;
        let said = damage_bytes(&mut bytes, manner, dice);
        fs::write(store, bytes)?;
        return Ok(said);
    }
    let edit = EDITS[(manner - BYTES) as usize];
    let drawn = [("{run}", 6), ("{place}", 40), ("{number}", 1000)];
    let sql = drawn.iter().fold(edit.to_owned(), |sql, (name, most)| {
        sql.replace(name, &(1 + dice.below(*most)).to_string())
    });
    let store = Connection::open(store).map_err(io::Error::other)?;
    // An edit that violates a key is skipped.
    let _ = store.execute_batch(&sql);
    Ok(sql)
}

fn damage_bytes(bytes: &mut Vec<u8>, manner: u64, dice: &mut Dice) -> String {
    match manner {
        0 => {
            let flips = dice.magnitude(1, 64);
            for _ in 0..flips {
                let place = dice.place(bytes.len());
                bytes[place] ^= 1 << dice.below(8);
            }
            format!("{flips} bits flipped")
        }
        1 => {
            let cut = dice.magnitude(1, 20_000).min(bytes.len() as u64);
            bytes.truncate(bytes.len() - cut as usize);
            format!("cut by {cut} bytes")
        }
        _ => {
            let (from, length) = (dice.place(bytes.len()), dice.magnitude(1, 4096) as usize);
            let end = (from + length).min(bytes.len());
            bytes[from..end].fill(dice.below(256) as u8);
            format!("{length} bytes at {from} written over")
        }
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    fs::copy(from.join(STORE), to.join(STORE)).map(drop)
}

/// All files below a folder except the store, with their contents.
fn contents(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(path) = left.pop() {
        for entry in fs::read_dir(&path)? {
            let path = entry?.path();
            let name = path.strip_prefix(folder).expect("below it").to_path_buf();
            if path.is_dir() {
                left.push(path);
            } else if name != Path::new(STORE) {
                found.push((name, fs::read(&path)?));
            }
        }
    }
    found.sort();
    Ok(found)
}
