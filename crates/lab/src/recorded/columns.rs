//! Which column is the time, and which the size.

/// The names of time columns, with their units.
const TIMES: &[(&str, &str)] = &[
    ("t_ps", "ps"),
    ("t_ns", "ns"),
    ("t_us", "us"),
    ("t_ms", "ms"),
    ("t_s", "s"),
    ("time_ps", "ps"),
    ("time_ns", "ns"),
    ("time_us", "us"),
    ("time_ms", "ms"),
    ("time_s", "s"),
    ("time", "s"),
];

/// The names of size columns.
const SIZES: &[&str] = &["size_bytes", "size", "bytes"];

/// Where the time and the size are in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) time: usize,
    /// "ps", "ns", "us", "ms" or "s".
    pub(super) unit: &'static str,
    pub(super) size: usize,
}

impl Place {
    /// Picoseconds in one unit of time.
    pub(super) fn unit_ps(self) -> u64 {
        match self.unit {
            "ps" => 1,
            "ns" => 1_000,
            "us" => 1_000_000,
            "ms" => 1_000_000_000,
            _ => pacesim::units::PS_PER_SECOND,
        }
    }
}

/// Finds both columns, or says which names are accepted.
pub(super) fn find<S: AsRef<str>>(names: &[S]) -> Result<Place, String> {
    let position = |wanted: &str| names.iter().position(|name| name.as_ref() == wanted);
    let time = TIMES
        .iter()
        .find_map(|(name, unit)| Some((position(name)?, *unit)));
    let size = SIZES.iter().find_map(|name| position(name));
    let found = names
        .iter()
        .map(AsRef::as_ref)
        .collect::<Vec<_>>()
        .join(", ");
    let Some((time, unit)) = time else {
        return Err(format!(
            "no column with times among: {found}. Accepted are t_ps, t_ns, t_us, t_ms, t_s, \
             or time (in seconds), as in the header \"time_s,size_bytes\""
        ));
    };
    let Some(size) = size else {
        return Err(format!(
            "no column with sizes among: {found}. Accepted are size_bytes, size or bytes, \
             as in the header \"time_s,size_bytes\""
        ));
    };
    Ok(Place { time, unit, size })
}
