//! Names of nodes, links and flows, and references to them.

use std::fmt;
use std::ops::Range;

/// Kinds of things that references name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Hosts and routers.
    Nodes,
    /// Links, and their reverse links.
    Links,
    /// Flows of traffic.
    Flows,
}

impl Named {
    /// The noun for one of them.
    pub fn noun(self) -> &'static str {
        match self {
            Named::Nodes => "node",
            Named::Links => "link",
            Named::Flows => "flow",
        }
    }
}

/// True if a string can be the name of a node, link or flow.
pub fn is_name(text: &str) -> bool {
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
    /// The group; "core.back" for reverse links.
    pub group: String,
    /// Members of the group.
    pub members: Members,
}

/// Selection of members of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// All members, or the only one.
    All,
    /// The member with this number.
    One(u32),
    /// The members from the first up to, but excluding, the last.
    Range(Range<u32>),
}

impl Reference {
    /// Reads a reference; links may end in ".back".
    pub fn parse(text: &str, of: Named) -> Result<Reference, String> {
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
    /// Reads a string such as "left\[3\]". An invalid reference becomes the name of a group that
    /// cannot exist, which the check reports.
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
