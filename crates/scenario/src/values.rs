//! The values of the language: names and references, lengths, and quantities
//! that are constant or drawn.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use pacesim_model::Distribution;

use crate::form::Named;
pub use pacesim_model::range::Unit;

/// Whether a text can be the name of a node, link or flow.
pub(crate) fn is_name(text: &str) -> bool {
    const LONGEST: usize = 64;
    text.len() <= LONGEST
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Some members of a group: "left" (all of them), "left\[3\]", "left\[0..5\]" (0 to 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The group; for links back "core.back".
    pub group: String,
    /// The members of the group that are meant.
    pub members: Members,
}

/// Which members of a group are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// All members, or the only one.
    All,
    /// The member with this number.
    One(u32),
    /// The members from the first up to, but without, the last.
    Range(Range<u32>),
}

impl Reference {
    /// Reads a reference; links may end in ".back".
    pub(crate) fn parse(text: &str, of: Named) -> Result<Reference, String> {
        let error = || format!("\"{text}\" is not a reference to a {}", of.noun());
        let (group, members) = match text.split_once('[') {
            None => (text, Members::All),
            Some((group, rest)) => {
                let inner = rest.strip_suffix(']').ok_or_else(error)?;
                (group, members(inner).ok_or_else(error)?)
            }
        };
        let name = match of {
            Named::Links => group.strip_suffix(".back").unwrap_or(group),
            _ => group,
        };
        if !is_name(name) {
            return Err(error());
        }
        Ok(Reference {
            group: group.to_owned(),
            members,
        })
    }
}

fn members(inner: &str) -> Option<Members> {
    match inner.split_once("..") {
        None => Some(Members::One(inner.trim().parse().ok()?)),
        Some((first, last)) => {
            let range = first.trim().parse().ok()?..last.trim().parse().ok()?;
            (!range.is_empty()).then_some(Members::Range(range))
        }
    }
}

impl From<&str> for Reference {
    /// Reads a text such as "left\[3\]". What is not a reference becomes the name of a
    /// group that cannot exist, which the check will report.
    fn from(text: &str) -> Reference {
        Reference::parse(text, Named::Links).unwrap_or_else(|_| Reference {
            group: text.to_owned(),
            members: Members::All,
        })
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.group)?;
        match &self.members {
            Members::All => Ok(()),
            Members::One(i) => write!(f, "[{i}]"),
            Members::Range(range) => write!(f, "[{}..{}]", range.start, range.end),
        }
    }
}

/// A length in whole metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// The metres.
    pub metres: u64,
}

impl FromStr for Length {
    type Err = String;

    /// "120km" or "35 m".
    fn from_str(text: &str) -> Result<Length, String> {
        let error = || format!("\"{text}\" is not a length in whole metres with a unit");
        let trimmed = text.trim();
        let (number, decimals) = match trimmed.strip_suffix("km") {
            Some(number) => (number, 3),
            None => (trimmed.strip_suffix('m').ok_or_else(error)?, 0),
        };
        let metres = scaled(number.trim(), decimals).ok_or_else(error)?;
        Ok(Length { metres })
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.metres % 1000 {
            0 => write!(f, "{}km", self.metres / 1000),
            _ => write!(f, "{}m", self.metres),
        }
    }
}

/// A decimal number times 10^decimals, if that is whole: ("1.5", 3) is 1500.
pub(crate) fn scaled(number: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > decimals {
        return None;
    }
    format!("{whole}{fraction:0<decimals$}").parse().ok()
}

/// A quantity that is the same for every member of a group, or drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<T> {
    /// The same value for all.
    Constant(T),
    /// Drawn for each, in the smallest unit (bps, ps, B), and rounded to it. What
    /// falls beyond the least or greatest legal value of its key becomes that.
    Drawn(Distribution),
}

impl<T> From<T> for Value<T> {
    fn from(value: T) -> Value<T> {
        Value::Constant(value)
    }
}

/// How the members of two groups are paired: `i` of `n` and `m`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Both count round: i mod n with i mod m.
    #[default]
    Cyclic,
    /// Runs of equal length.
    Block,
    /// Every one with every other.
    All,
    /// The longer side counts i, the shorter (i div stride).
    Stride(u32),
    /// A random other node of `to`; flows only.
    Random,
}
