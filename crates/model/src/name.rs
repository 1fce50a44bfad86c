//! Names of nodes and links.

use std::fmt;
use std::sync::Arc;

/// A name, of a single thing or of a member of a group: "core", "access\[17\]". Members share their
/// group's name, and the full name is assembled on demand: a large network has a million.
///
/// ```
/// use pacesim_model::Name;
///
/// let group = "access".into();
/// let name = Name::member(&group, 17);
/// assert_eq!(name, "access[17]");
/// assert_eq!(name, Name::from("access[17]"));
/// assert_eq!(name.to_string(), "access[17]");
/// ```
#[derive(Clone, Eq)]
pub struct Name {
    text: Arc<str>,
    member: Option<u32>,
}

impl Name {
    /// The name of a member of a group.
    pub fn member(group: &Arc<str>, member: u32) -> Name {
        Name {
            text: group.clone(),
            member: Some(member),
        }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name {
            text: text.into(),
            member: None,
        }
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Name::from(text.as_str())
    }
}

impl From<&Arc<str>> for Name {
    fn from(text: &Arc<str>) -> Name {
        Name {
            text: text.clone(),
            member: None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.member {
            None => f.pad(&self.text),
            Some(member) => write!(f, "{}[{member}]", self.text),
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        match (self.member, other.member) {
            (Some(_), None) => *self == *other.text,
            (None, Some(_)) => *other == *self.text,
            (one, other_one) => one == other_one && self.text == other.text,
        }
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, text: &str) -> bool {
        let Some(member) = self.member else {
            return *self.text == *text;
        };
        let index = text.strip_prefix(&*self.text);
        let index = index.and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
        index.is_some_and(|index| index == member.to_string())
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

impl PartialEq<String> for Name {
    fn eq(&self, text: &String) -> bool {
        *self == **text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_equal_that_read_the_same() {
        let group = Arc::from("a");
        let texts = ["a", "a[1]", "a[2]", "a[01]", "a[1][2]", "b[1]"];
        let member = Name::member(&group, 1);
        for text in texts {
            let name = Name::from(text);
            for other in texts.map(Name::from) {
                assert_eq!(name == other, other == text);
            }
            assert_eq!(member == text, text == "a[1]", "{text}");
            assert_eq!(member == name, text == "a[1]", "{text}");
            assert_eq!(name == member, text == "a[1]", "{text}");
        }
        assert_ne!(Name::member(&group, 1), Name::member(&group, 12));
        assert_eq!(format!("{:?}", Name::member(&group, 3)), "\"a[3]\"");
    }
}
