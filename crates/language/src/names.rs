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

/// True if a string can be the name of a part of a group, "pod\[2\].edge", or a name.
fn is_name_or_part(text: &str) -> bool {
    match text.split_once("].") {
        None => is_name(text),
        Some((whole, part)) => {
            let number = whole.split_once('[');
            let is_numbered = number.is_some_and(|(name, number)| {
                is_name(name) && number.parse::<u32>().is_ok_and(|n| n.to_string() == number)
            });
            is_numbered && is_name(part)
        }
    }
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
    /// Reads a reference; links may end in ".back", and parts of groups are "pod\[2\].edge".
    pub fn parse(text: &str, of: Named) -> Result<Reference, String> {
        let error = || format!("\"{text}\" is not a reference to a {}", of.noun());
        let part = text.find("].").map_or(0, |at| at + 2);
        let split = text[part..].find('[').map(|at| text.split_at(part + at));
        let (group, members) = match split {
            None => (text, Members::All),
            Some((group, rest)) => {
                let inner = rest[1..].strip_suffix(']').ok_or_else(error)?;
                (group, members(inner).ok_or_else(error)?)
            }
        };
        let name = match of {
            Named::Links => group.strip_suffix(".back").unwrap_or(group),
            _ => group,
        };
        if !is_name_or_part(name) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_groups_are_named_by_where_they_are() {
        let parse = |text| Reference::parse(text, Named::Nodes);
        let edge = parse("pod[2].edge[1]").expect("a reference");
        assert_eq!(
            (&*edge.group, &edge.members),
            ("pod[2].edge", &Members::One(1))
        );
        assert_eq!(edge.to_string(), "pod[2].edge[1]");
        let all = parse("pod[2].edge").expect("a reference");
        assert_eq!((&*all.group, &all.members), ("pod[2].edge", &Members::All));
        for wrong in [
            "pod[02].edge",
            "pod[x].edge",
            "pod[1].",
            "pod.edge",
            "[1].a",
            "pod[1].a.b",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
