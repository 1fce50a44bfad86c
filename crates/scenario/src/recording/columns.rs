//! Which column is the time, which the size, and which the deadline.

use pacesim_units::{PS_PER_SECOND, Span};

/// The units of times, each with its picoseconds.
const UNITS: [(&str, u64); 5] = [
    ("s", PS_PER_SECOND),
    ("ms", PS_PER_SECOND / 1_000),
    ("us", PS_PER_SECOND / 1_000_000),
    ("ns", 1_000),
    ("ps", 1),
];

/// What a column of times may be called before `_` and its unit.
const TIMES: [&str; 2] = ["t", "time"];

/// The names of size columns.
const SIZES: [&str; 3] = ["size_bytes", "size", "bytes"];

/// A column of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeColumn {
    /// Its place in a row, from zero.
    pub place: usize,
    /// "s", "ms", "us", "ns" or "ps".
    pub unit: &'static str,
    /// Picoseconds in one unit.
    pub unit_ps: u64,
}

/// Where everything is in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// When a packet came.
    pub time: TimeColumn,
    /// The place of its size in bytes.
    pub size: usize,
    /// When it is due, if that is said.
    pub deadline: Option<TimeColumn>,
}

impl Columns {
    /// Finds them by their names, or says which names are accepted.
    pub fn find<S: AsRef<str>>(names: &[S]) -> Result<Columns, String> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let time = TIMES.iter().find_map(|kind| timed(&names, kind));
        let time = time.or_else(|| in_seconds(&names));
        let size = SIZES.iter().find_map(|name| position(&names, name));
        let lacks = |what: &str, accepted: &str| {
            format!(
                "no column of {what} among: {}. Accepted are {accepted}, \
                 as in the header \"t_s,size_bytes\"",
                names.join(", ")
            )
        };
        let times = "t_s, t_ms, t_us, t_ns, t_ps, or time (in seconds)";
        Ok(Columns {
            time: time.ok_or_else(|| lacks("times", times))?,
            size: size.ok_or_else(|| lacks("sizes", "size_bytes, size or bytes"))?,
            deadline: timed(&names, "deadline"),
        })
    }
}

fn position(names: &[&str], wanted: &str) -> Option<usize> {
    names.iter().position(|name| *name == wanted)
}

/// The column called so, followed by a unit.
fn timed(names: &[&str], kind: &str) -> Option<TimeColumn> {
    UNITS.iter().find_map(|&(unit, unit_ps)| {
        Some(TimeColumn {
            place: position(names, &format!("{kind}_{unit}"))?,
            unit,
            unit_ps,
        })
    })
}

/// The column called "time", without a unit.
fn in_seconds(names: &[&str]) -> Option<TimeColumn> {
    let (unit, unit_ps) = UNITS[0];
    Some(TimeColumn {
        place: position(names, "time")?,
        unit,
        unit_ps,
    })
}

impl TimeColumn {
    /// A time out of a text: exactly, if a plain decimal of whole picoseconds; else the
    /// nearest picosecond.
    pub(super) fn read(self, field: &str) -> Result<Span, String> {
        let exact = format!("{field}{}", self.unit).parse();
        let nearest = || Span::from_ps_f64(field.parse::<f64>().ok()? * self.unit_ps as f64);
        exact.or_else(|_| {
            nearest().ok_or_else(|| {
                format!(
                    "\"{}\" is not a time: accepted are numbers from 0, in {}",
                    crate::problem::shortened(field),
                    self.unit
                )
            })
        })
    }
}
