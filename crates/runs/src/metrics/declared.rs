//! A metric as it is declared: name, meaning, and the value in a summary.

/// A metric of summaries of this type.
pub(super) struct Declared<T> {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    /// The number of packets that it is a share of, if events may be few.
    pub(super) share_of: Option<&'static str>,
    pub(super) value: fn(&T) -> Option<f64>,
}

impl<T> Declared<T> {
    pub(super) const fn new(
        name: &'static str,
        meaning: &'static str,
        value: fn(&T) -> Option<f64>,
    ) -> Declared<T> {
        Declared {
            name,
            meaning,
            share_of: None,
            value,
        }
    }

    /// A share of the packets that another metric counts.
    pub(super) const fn share(
        name: &'static str,
        meaning: &'static str,
        of: &'static str,
        value: fn(&T) -> Option<f64>,
    ) -> Declared<T> {
        Declared {
            share_of: Some(of),
            ..Declared::new(name, meaning, value)
        }
    }

    pub(super) fn entry(&self) -> Entry {
        Entry {
            name: self.name,
            meaning: self.meaning,
            share_of: self.share_of,
        }
    }
}

/// A declared metric without its summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, which ends in its unit.
    pub name: &'static str,
    /// The meaning, a sentence.
    pub meaning: &'static str,
    /// The metric of the same entity that counts the packets it is a share of; where few of them are events, its interval is
    /// that of counts.
    pub share_of: Option<&'static str>,
}

impl Entry {
    /// The unit, which the name says.
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
