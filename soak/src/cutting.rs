//! A connection is the unit of queues: transfers over connections of one flow fare as over those of
//! several flows, but for collisions of hashes.

use std::fs;
use std::io;
use std::path::Path;

use pacesim_lab::input::from_file;
use pacesim_lab::{Plan, Unwatched, run};

use crate::attempt::guarded;
use crate::dice::Dice;
use crate::rows::{self, Cell};
use crate::trial::{Failure, Fault};

/// Disciplines without hashes, and those that keep connections apart by a hash.
const DISCIPLINES: [(&str, bool); 12] = [
    ("", false),
    ("{ kind = \"drop_tail\" }", false),
    ("{ kind = \"codel\" }", false),
    (
        "{ kind = \"red\", min_th = \"5pkts\", max_th = \"15pkts\" }",
        false,
    ),
    ("{ kind = \"pie\" }", false),
    ("{ kind = \"strict_priority\" }", false),
    (
        "{ kind = \"tbf\", rate = \"8Mbps\", burst = \"15KB\" }",
        false,
    ),
    ("{ kind = \"dualpi2\" }", false),
    ("{ kind = \"drr\" }", true),
    ("{ kind = \"fq\" }", true),
    ("{ kind = \"fq_codel\" }", true),
    (
        "{ kind = \"fq_codel\", profile = \"linux\", target = \"20ms\" }",
        true,
    ),
];

const PROFILES: [&str; 4] = [
    "profile = \"linux\"",
    "profile = \"linux\", control = \"cubic\"",
    "profile = \"rfc\", variant = \"sack\"",
    "profile = \"ns2\", variant = \"reno\"",
];

/// Seeds by which hashes differ: a collision does not come under all of them.
const SEEDS: u64 = 3;

/// A case: a network with transfers at given times.
struct Case {
    rest: String,
    traffic: String,
    transfers: Vec<(u64, u64)>,
    is_hashed: bool,
}

/// Cuts the flow of this number; a failure comes with its scenario.
pub fn try_cut(number: u64, folder: &Path) -> io::Result<Result<(), (Failure, String)>> {
    fs::create_dir_all(folder)?;
    let dice = &mut Dice::new(number ^ 0xc07);
    let case = Case::draw(dice);
    let cuts = 2 + dice.place(3);
    let seeds = if case.is_hashed { SEEDS } else { 1 };
    let mut judged = Ok(());
    for seed in 1..=seeds {
        let text = case.write(1, seed, folder)?;
        let whole = guarded(|| found(&text, folder));
        let cut_text = case.write(cuts, seed, folder)?;
        let cut = guarded(|| found(&cut_text, folder));
        let count_text = case.counted(cuts, seed, folder)?;
        let counted = guarded(|| found(&count_text, folder));
        judged = same(&whole, &cut, "cut into entries", &cut_text)
            .and_then(|()| same(&whole, &counted, "cut into members", &count_text));
        if judged.is_ok() {
            break;
        }
    }
    Ok(judged)
}

/// Start, end and size of each transfer, and what the core counted.
type Course = Result<(Vec<[Cell; 3]>, Vec<Cell>), Failure>;

fn same(whole: &Course, cut: &Course, how: &str, text: &str) -> Result<(), (Failure, String)> {
    let failure = match (whole, cut) {
        (Ok(whole), Ok(cut)) if whole == cut => return Ok(()),
        (Ok(whole), Ok(cut)) => {
            let pairs = whole.0.iter().zip(&cut.0);
            let other = pairs.filter(|(one, other)| one != other).count();
            let (here, there) = (&whole.1, &cut.1);
            Fault::Law.seen(format!(
                "{how}: {other} transfers differ, the core: {here:?}, {there:?}"
            ))
        }
        (Err(failure), _) | (_, Err(failure)) => failure.clone(),
    };
    Err((failure, text.to_owned()))
}

impl Case {
    fn draw(dice: &mut Dice) -> Case {
        let (discipline, is_hashed) = *dice.pick(&DISCIPLINES);
        let discipline = match discipline {
            "" => String::new(),
            some => format!(", discipline = {some}"),
        };
        let (rate, delay) = (5 + dice.below(30), 1 + dice.below(20));
        let buffer = *dice.pick(&[10, 30, 200, 1000]);
        let profile = *dice.pick(&PROFILES);
        let connection = *dice.pick(&["new", "new", "new"]);
        let beside = if dice.percent(40) {
            "[[flow]]\nname = \"beside\"\nfrom = \"a\"\nto = \"b\"\n\
                 traffic = { kind = \"cbr\", rate = \"2Mbps\", size = \"700B\" }\n"
        } else {
            ""
        };
        let count = 2 + dice.below(8);
        // Distinct times, since simultaneous starts are ordered by the flow.
        let transfers = (0..count).map(|i| {
            let size = if dice.percent(20) {
                dice.magnitude(100_000, 1_000_000)
            } else {
                dice.magnitude(100, 60_000)
            };
            (i * 150 + dice.below(140), size)
        });
        Case {
            transfers: transfers.collect(),
            rest: format!(
                "node = [{{ name = \"a\" }}, {{ name = \"b\" }}]\n\
                 link = [{{ name = \"core\", from = \"a\", to = \"b\", rate = \"{rate}Mbps\", \
                 delay = \"{delay}ms\", buffer = \"{buffer}pkts\"{discipline} }}]\n{beside}"
            ),
            traffic: format!(
                "kind = \"tcp\", {profile}, transfers = {{ connection = \"{connection}\""
            ),
            is_hashed,
        }
    }

    fn file(&self, name: &str, of: usize, place: usize, folder: &Path) -> io::Result<()> {
        let mut csv = "t_ms,size_bytes\n".to_owned();
        for (i, (at, size)) in self.transfers.iter().enumerate() {
            if i % of == place {
                csv += &format!("{at},{size}\n");
            }
        }
        fs::write(folder.join(name), csv)
    }

    fn head(seed: u64) -> String {
        format!("run = {{ duration = \"4s\", seed = {seed} }}\n")
    }

    fn flow(&self, name: &str, count: usize) -> String {
        format!(
            "[[flow]]\nname = \"{name}\"\ncount = {count}\nfrom = \"a\"\nto = \"b\"\n\
             traffic = {{ {}, arrivals = {{ kind = \"recorded\", file = \"{name}.csv\" }} }} }}\n",
            self.traffic
        )
    }

    /// The transfers over connections of so many entries.
    fn write(&self, entries: usize, seed: u64, folder: &Path) -> io::Result<String> {
        let entries = entries.min(self.transfers.len());
        let mut text = Case::head(seed) + &self.rest;
        for place in 0..entries {
            self.file(&format!("f{place}.csv"), entries, place, folder)?;
            text += &self.flow(&format!("f{place}"), 1);
        }
        Ok(text)
    }

    /// The transfers over connections of so many members of one entry.
    fn counted(&self, members: usize, seed: u64, folder: &Path) -> io::Result<String> {
        self.file("f0.csv", 1, 0, folder)?;
        Ok(Case::head(seed) + &self.rest + &self.flow("f0", members))
    }
}

fn found(text: &str, folder: &Path) -> Course {
    let path = folder.join("cut.toml");
    fs::write(&path, text).map_err(|error| Fault::Unreadable.seen(error))?;
    let input = from_file(&path, &[]).map_err(|rejected| {
        let problems = rejected.problems.iter().map(ToString::to_string);
        Fault::Refused.seen(problems.collect::<Vec<_>>().join("; "))
    })?;
    let out = folder.join("out");
    let plan = Plan {
        out: Some(&out),
        ..Plan::default()
    };
    run(&input, 0, &plan, &mut Unwatched).map_err(|error| Fault::Refused.seen(error))?;
    let tables = rows::tables(&out).map_err(|error| Fault::Unreadable.seen(error))?;
    fs::remove_dir_all(&out).map_err(|error| Fault::Unreadable.seen(error))?;
    let of = |name: &'static str| tables.iter().filter(move |(table, _)| table == name);
    let cells = |row: &[(String, Cell)], columns: &[&str]| -> Vec<Cell> {
        let cell = |column: &&str| row.iter().find(|(name, _)| name == column);
        columns
            .iter()
            .filter_map(cell)
            .map(|(_, cell)| cell.clone())
            .collect()
    };
    let mut transfers: Vec<[Cell; 3]> = of("transfers.parquet")
        .flat_map(|(_, rows)| rows)
        .filter_map(|row| {
            cells(row, &["start_ps", "end_ps", "size_bytes"])
                .try_into()
                .ok()
        })
        .collect();
    transfers.sort_by_key(|transfer| format!("{transfer:?}"));
    let core = of("links.parquet").flat_map(|(_, rows)| rows).take(1);
    let counted = [
        "arrived_pkts",
        "dropped_pkts",
        "left_bytes",
        "queue_max_pkts",
    ];
    Ok((
        transfers,
        core.flat_map(|row| cells(row, &counted)).collect(),
    ))
}
