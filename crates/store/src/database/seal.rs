//! Digests of a store's content, so that damage is noticed when it is read.
//!
//! The digest of a run covers its key, its fingerprint, the names of its numbers, the numbers and
//! the tables of its measures: two runs of the same key have the same digest, since runs are
//! deterministic. The time and memory of the run are not covered; no result depends on them.

use pacesim_runs::manifest::Digest;
use pacesim_study::NumberName;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

/// A digest as it is stored.
pub(super) type Seal = [u8; 16];

/// Columns of a run that its digest covers, in addition to its numbers and tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sealed<'a> {
    pub(super) scenario: &'a str,
    pub(super) results: u32,
    pub(super) replication: u64,
    pub(super) windows: u64,
    pub(super) window: u64,
    pub(super) seed: u64,
    pub(super) fingerprint: &'a str,
    pub(super) packet_hops: u64,
    pub(super) gave_up: Option<&'a str>,
}

impl Sealed<'_> {
    /// The digest of a run whose list of names has this digest. Tables are ordered by name.
    pub(super) fn seal<'t>(
        &self,
        names: Digest,
        numbers: impl Iterator<Item = Option<f64>>,
        tables: impl Iterator<Item = (&'t str, &'t str)>,
    ) -> Seal {
        let mut digest = names;
        add_text(&mut digest, self.scenario);
        add_text(&mut digest, self.fingerprint);
        let words = [
            u64::from(self.results),
            self.replication,
            self.windows,
            self.window,
            self.seed,
            self.packet_hops,
        ];
        words.into_iter().for_each(|word| digest.add_word(word));
        if let Some(why) = self.gave_up {
            add_text(&mut digest, why);
        }
        for number in numbers {
            digest.add_word(word_of(number));
        }
        for (measure, csv) in tables {
            add_text(&mut digest, measure);
            add_text(&mut digest, csv);
        }
        digest.to_bytes()
    }
}

/// The digest of a list of names.
pub(super) fn of_names(names: &[NumberName]) -> Digest {
    let mut digest = Digest::default();
    digest.add_word(names.len() as u64);
    for name in names {
        add_text(&mut digest, &name.of);
        add_text(&mut digest, &name.entity);
        add_text(&mut digest, &name.metric);
    }
    digest
}

/// The digest of a warm-up found by a pilot.
pub(super) fn of_warmup(
    scenario: &str,
    results: u32,
    numbers: &str,
    warmup_ps: u64,
    settled: bool,
) -> Seal {
    let mut digest = Digest::default();
    add_text(&mut digest, scenario);
    add_text(&mut digest, numbers);
    let words = [u64::from(results), warmup_ps, u64::from(settled)];
    words.into_iter().for_each(|word| digest.add_word(word));
    digest.to_bytes()
}

/// A number as SQLite returns it: without NaN and without negative zero.
fn word_of(number: Option<f64>) -> u64 {
    match number.filter(|number| !number.is_nan()) {
        Some(number) => (number + 0.0).to_bits(),
        None => f64::NAN.to_bits(),
    }
}

/// Hashes a string and its length by words, since tables of measures are long.
fn add_text(digest: &mut Digest, text: &str) {
    digest.add_word(text.len() as u64);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    for word in words {
        digest.add_word(u64::from_le_bytes(*word));
    }
    digest.add(rest);
}

/// Everything stored about the last sweep, except the digest itself.
const PLAN: [&str; 3] = [
    "SELECT key, value FROM study WHERE key <> 'digest' ORDER BY key",
    "SELECT point, scenario, seed, replications, windows FROM points ORDER BY point",
    "SELECT point, axis, text, number FROM axes ORDER BY point, axis",
];

/// The digest of the plan of the last sweep.
pub(super) fn of_plan(connection: &Connection) -> rusqlite::Result<Seal> {
    let mut digest = Digest::default();
    for query in PLAN {
        let mut query = connection.prepare(query)?;
        let columns = query.column_count();
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                add_value(&mut digest, row.get_ref(column)?);
            }
        }
        digest.add_word(u64::MAX);
    }
    Ok(digest.to_bytes())
}

fn add_value(digest: &mut Digest, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => digest.add_word(0),
        ValueRef::Integer(number) => digest.add_word(number.cast_unsigned()),
        ValueRef::Real(number) => digest.add_word(word_of(Some(number))),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            digest.add_word(text.len() as u64);
            digest.add(text);
        }
    }
}

/// Stores the number of runs and the digest of the plan: the last change of each transaction that
/// changes the plan.
pub(super) fn seal_plan(connection: &Connection) -> rusqlite::Result<()> {
    let count = "INSERT OR REPLACE INTO study SELECT 'runs', count(*) FROM runs";
    connection.execute(count, [])?;
    let digest = of_plan(connection)?;
    let insert = "INSERT OR REPLACE INTO study VALUES ('digest', ?1)";
    connection.execute(insert, params![digest]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Sealed<'static> = Sealed {
        scenario: "fnv1a128:1",
        results: 2,
        replication: 3,
        windows: 1,
        window: 0,
        seed: 9,
        fingerprint: "00ff",
        packet_hops: 77,
        gave_up: None,
    };

    fn seal(run: Sealed<'_>, numbers: &[Option<f64>], tables: &[(&str, &str)]) -> Seal {
        let numbers = numbers.iter().copied();
        run.seal(Digest::default(), numbers, tables.iter().copied())
    }

    #[test]
    fn every_part_of_a_run_moves_its_digest() {
        let numbers = [Some(1.0), None, Some(2.0)];
        let tables = [("m", "x\n1\n")];
        let plain = seal(RUN, &numbers, &tables);
        let others = [
            seal(
                Sealed {
                    scenario: "fnv1a128:2",
                    ..RUN
                },
                &numbers,
                &tables,
            ),
            seal(Sealed { results: 3, ..RUN }, &numbers, &tables),
            seal(
                Sealed {
                    replication: 4,
                    ..RUN
                },
                &numbers,
                &tables,
            ),
            seal(Sealed { windows: 2, ..RUN }, &numbers, &tables),
            seal(Sealed { window: 1, ..RUN }, &numbers, &tables),
            seal(Sealed { seed: 8, ..RUN }, &numbers, &tables),
            seal(
                Sealed {
                    fingerprint: "00fe",
                    ..RUN
                },
                &numbers,
                &tables,
            ),
            seal(
                Sealed {
                    packet_hops: 78,
                    ..RUN
                },
                &numbers,
                &tables,
            ),
            seal(
                Sealed {
                    gave_up: Some("why"),
                    ..RUN
                },
                &numbers,
                &tables,
            ),
            seal(RUN, &[Some(1.0), Some(2.0), None], &tables),
            seal(RUN, &numbers[..2], &tables),
            seal(RUN, &numbers, &[("m", "x\n2\n")]),
            seal(RUN, &numbers, &[("n", "x\n1\n")]),
            seal(RUN, &numbers, &[]),
        ];
        for (i, other) in others.iter().enumerate() {
            assert_ne!(*other, plain, "change {i} leaves the digest as it was");
        }
    }

    #[test]
    fn numbers_count_as_sqlite_gives_them_back() {
        let given = seal(RUN, &[Some(-0.0), Some(f64::NAN)], &[]);
        assert_eq!(
            given,
            seal(RUN, &[Some(0.0), None], &[]),
            "no sign of zero, no NaN"
        );
    }
}
