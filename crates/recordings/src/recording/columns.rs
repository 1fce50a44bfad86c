//! The columns of time, size and deadline.

use pacesim_units::{PS_PER_SECOND, Span};

/// The units of times, each with its picoseconds.
const UNITS: [(&str, u64); 5] = [
    ("s", PS_PER_SECOND),
    ("ms", PS_PER_SECOND / 1_000),
    ("us", PS_PER_SECOND / 1_000_000),
    ("ns", 1_000),
    ("ps", 1),
];

/// Names of a column of times before `_` and its unit.
const TIMES: [&str; 2] = ["t", "time"];

/// Names that a column of sizes may have.
const SIZES: [&str; 3] = ["size_bytes", "size", "bytes"];

/// A column of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeColumn {
    /// Index of the column in a row, from zero.
    pub place: usize,
    /// Unit of the column: "s", "ms", "us", "ns" or "ps".
    pub unit: &'static str,
    /// Number of picoseconds in one unit.
    pub unit_ps: u64,
}

/// Places of the columns in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Column of arrival times.
    pub time: TimeColumn,
    /// Index of the column of sizes in bytes.
    pub size: usize,
    /// Column of deadlines, if recorded.
    pub deadline: Option<TimeColumn>,
}

impl Columns {
    /// Finds them by their names, or lists the accepted names. A file has one of each kind: two
    /// would be ambiguous.
    pub fn find<S: AsRef<str>>(names: &[S]) -> Result<Columns, String> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let lacks = |what: &str, accepted: &str| {
            // The names in the file are not quoted: it may be any file that the user can read.
            format!(
                "no column of {what}: accepted are {accepted}, \
                 as in the header \"t_s,size_bytes\""
            )
        };
        let time = only_column("times", &names, |name| {
            let in_seconds = (name == "time").then_some(UNITS[0]);
            TIMES
                .iter()
                .find_map(|kind| unit(name, kind))
                .or(in_seconds)
        })?;
        let size = only_column("sizes", &names, |name| SIZES.contains(&name).then_some(()))?;
        let deadline = only_column("deadlines", &names, |name| unit(name, "deadline"))?;
        let times = "t_s, t_ms, t_us, t_ns, t_ps, or time (in seconds)";
        let (size, ()) = size.ok_or_else(|| lacks("sizes", "size_bytes, size or bytes"))?;
        Ok(Columns {
            time: time.map(timed).ok_or_else(|| lacks("times", times))?,
            size,
            deadline: deadline.map(timed),
        })
    }
}

/// The only column of this kind: its place and its description.
fn only_column<T>(
    what: &str,
    names: &[&str],
    kind: impl Fn(&str) -> Option<T>,
) -> Result<Option<(usize, T)>, String> {
    let found = names.iter().enumerate();
    let mut found = found.filter_map(|(place, name)| Some((place, kind(name)?)));
    let first = found.next();
    let others: Vec<&str> = found.map(|(place, _)| names[place]).collect();
    match &first {
        Some((place, _)) if !others.is_empty() => Err(format!(
            "more than one column of {what}: {}, {}; remove all but one",
            names[*place],
            others.join(", ")
        )),
        _ => Ok(first),
    }
}

/// The unit in a name of the form `word`, `_`, unit.
fn unit(name: &str, word: &str) -> Option<(&'static str, u64)> {
    let ending = name.strip_prefix(word)?.strip_prefix('_')?;
    UNITS.into_iter().find(|(unit, _)| *unit == ending)
}

fn timed((place, (unit, unit_ps)): (usize, (&'static str, u64))) -> TimeColumn {
    TimeColumn {
        place,
        unit,
        unit_ps,
    }
}

impl TimeColumn {
    /// Finds the only column whose name is this word, `_` and a unit.
    pub fn find(word: &str, names: &[&str]) -> Result<Option<TimeColumn>, String> {
        let found = only_column("times", names, |name| unit(name, word))?;
        Ok(found.map(timed))
    }

    /// Parses a time: exactly if it is a plain decimal of whole picoseconds, otherwise to the
    /// nearest picosecond.
    pub(crate) fn read(self, field: &str) -> Result<Span, String> {
        let exact = format!("{field}{}", self.unit).parse();
        let nearest = || Span::from_ps_f64(field.parse::<f64>().ok()? * self.unit_ps as f64);
        exact.or_else(|_| {
            nearest().ok_or_else(|| {
                format!(
                    "\"{}\" is not a time: accepted are numbers from 0, in {}",
                    pacesim_language::problem::shortened(field),
                    self.unit
                )
            })
        })
    }
}
