//! Declaration of a metric: name, meaning, and value in a summary.

/// A declared metric of summaries of this type.
pub(super) struct Declared<T> {
    pub(super) entry: Entry,
    pub(super) value: fn(&T) -> Option<f64>,
}

/// Metrics, one per line: name, value and meaning; `of` gives the metric that counts the trials of
/// a share, `among` the one that counts the values among which a quantile lies.
macro_rules! metrics {
    (@packets) => { None };
    (@packets $packets:literal) => { Some($packets) };
    (|$summary:ident| $( $name:literal $(of $packets:literal)? $(among $values:literal)? = $value:expr, $meaning:literal; )*) => {
        &[ $( $crate::metrics::declared::Declared {
            entry: $crate::metrics::Entry {
                share_of: $crate::metrics::declared::metrics!(@packets $($packets)?),
                among: $crate::metrics::declared::metrics!(@packets $($values)?),
                name: $name,
                meaning: $meaning,
            },
            value: |$summary| $value,
        } ),* ]
    };
}
pub(super) use metrics;

/// A declared metric without its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name of the metric, which ends in its unit.
    pub name: &'static str,
    /// Meaning of the metric, as a sentence.
    pub meaning: &'static str,
    /// The metric of the same entity that counts the trials of this share; with few events, its
    /// interval is that of counts.
    pub share_of: Option<&'static str>,
    /// The metric of the same entity that counts the values of which this is a quantile.
    pub among: Option<&'static str>,
}

impl Entry {
    /// The unit of the metric, derived from its name.
    pub fn unit(&self) -> &'static str {
        const ENDS: [(&str, &str); 5] = [
            ("_bps", "bit/s"),
            ("_bytes", "bytes"),
            ("_pkts", "packets"),
            ("_ratio", "share, 0 to 1"),
            ("_s", "s"),
        ];
        const SHARES: [&str; 4] = ["utilisation", "_limited", "jain_index", "slow_start"];
        if SHARES.iter().any(|share| self.name.ends_with(share)) {
            return "share, 0 to 1";
        }
        let end = ENDS.iter().find(|(end, _)| self.name.ends_with(end));
        end.map_or("number", |(_, unit)| unit)
    }
}
