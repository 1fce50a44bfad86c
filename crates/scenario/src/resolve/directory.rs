//! Names of groups, and the members that references select.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use pacesim_keys::MOST;
use pacesim_language::form::Form;
use pacesim_language::names::Named;
use pacesim_language::names::{Members, Reference, is_name};
use pacesim_language::problem::{Faults, nearest, suggest};
use pacesim_model::Name;

/// Names of groups, and the numbers of their members.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    of: Named,
    /// `None` for a group that could not be understood.
    groups: BTreeMap<String, Option<Group>>,
    /// Parts of groups with names of their own: the name of each, and its members.
    parts: BTreeMap<String, Group>,
    /// The known groups, or their named parts, by their first member.
    by_first: Vec<(u32, String)>,
    total: u64,
    /// Strings that cannot be names: an unknown name may have been meant as one of these.
    unusable: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    first: u32,
    count: u32,
    indexed: bool,
}

impl Directory {
    pub(crate) fn new(of: Named) -> Directory {
        Directory {
            of,
            groups: BTreeMap::new(),
            parts: BTreeMap::new(),
            by_first: Vec::new(),
            total: 0,
            unusable: Vec::new(),
        }
    }

    /// True if the name of every group could be used.
    pub(crate) fn has_all_names(&self) -> bool {
        self.unusable.is_empty()
    }

    /// The groups, each with its number of members if known.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (String, Option<u32>)> + '_ {
        let groups = self.groups.iter();
        groups.map(|(name, group)| (name.clone(), group.map(|group| group.count)))
    }

    /// The number of members of all known groups.
    pub(crate) fn len(&self) -> usize {
        self.total as usize
    }

    /// True if a group has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.groups.contains_key(name)
    }

    /// Adds a group of `count` members, if known, whose name and count are at `paths`; true if it
    /// could be added.
    pub(crate) fn insert(
        &mut self,
        name: &str,
        count: Option<u64>,
        indexed: bool,
        (name_path, count_path): (&str, &str),
        faults: &mut Faults,
    ) -> bool {
        if self.groups.contains_key(name) {
            let message = format!("there is already a {} \"{name}\"", self.of.noun());
            faults.add(name_path, message).help("give another name");
            return false;
        }
        if !is_name(name.strip_suffix(".back").unwrap_or(name)) {
            faults
                .add(name_path, format!("\"{name}\" is not a name"))
                .help(Form::Name.accepts());
            self.unusable.push(name.to_owned());
            return false;
        }
        let group = count.and_then(|count| {
            if count.saturating_add(self.total) > MOST {
                too_many(
                    count_path,
                    count.saturating_add(self.total),
                    self.of,
                    faults,
                );
                return None;
            }
            let first = self.total as u32;
            self.total += count;
            Some(Group {
                first,
                count: count as u32,
                indexed,
            })
        });
        if let Some(group) = group {
            self.by_first.push((group.first, name.to_owned()));
        }
        self.groups.insert(name.to_owned(), group);
        group.is_some()
    }

    /// Names consecutive parts of the group that was added last: part p is prefix\[p\].name.
    pub(crate) fn name_parts(&mut self, name: &str, prefix: &str, size: u32) {
        let Some(Some(group)) = self.groups.get(name).copied() else {
            return;
        };
        self.by_first.pop();
        for (p, first) in (group.first..group.first + group.count)
            .step_by(size as usize)
            .enumerate()
        {
            let part = format!("{prefix}[{p}].{name}");
            self.by_first.push((first, part.clone()));
            let members = Group {
                first,
                count: size,
                indexed: true,
            };
            self.parts.insert(part, members);
        }
    }

    /// A group, or a part of one, by its name.
    fn group(&self, name: &str) -> Option<Option<Group>> {
        let part = || self.parts.get(name).copied().map(Some);
        self.groups.get(name).copied().or_else(part)
    }

    /// Numbers of the members that a reference selects.
    pub(crate) fn resolve(
        &self,
        reference: &Reference,
        path: &str,
        faults: &mut Faults,
    ) -> Option<Range<u32>> {
        let Some(group) = self.group(&reference.group) else {
            if faults.is_full() {
                return None;
            }
            let message = format!("unknown {} \"{}\"", self.of.noun(), reference.group);
            let names = self.groups.keys().chain(self.parts.keys());
            let help = suggest(&reference.group, names.map(String::as_str));
            let meant = |name: &String| {
                name.is_empty() || nearest(&reference.group, [name.as_str()]).is_some()
            };
            faults.add(path, message).help(help).absence().silent = self.unusable.iter().any(meant);
            return None;
        };
        let group = group?;
        let range = match &reference.members {
            Members::All => 0..group.count,
            Members::One(i) => *i..i.saturating_add(1),
            Members::Range(range) => range.clone(),
        };
        let plain = !group.indexed && reference.members != Members::All;
        if range.end > group.count || plain {
            let (name, noun) = (&reference.group, self.of.noun());
            let help = match (group.indexed, group.count) {
                (_, 0) => format!("\"{name}\" has no member: its count is 0"),
                (false, _) => format!("\"{name}\" is a single {noun}: write \"{name}\""),
                (true, 1) => format!("\"{name}\" has only \"{name}[0]\""),
                (true, n) => format!("\"{name}\" has \"{name}[0]\" to \"{name}[{}]\"", n - 1),
            };
            faults
                .add(path, format!("there is no \"{reference}\""))
                .help(help);
            return None;
        }
        Some(group.first + range.start..group.first + range.end)
    }

    /// True if a reference selects members of a group, even a single one.
    pub(crate) fn is_plural(&self, reference: &Reference) -> bool {
        let group = self.group(&reference.group).flatten();
        let indexed = group.is_some_and(|group| group.indexed);
        indexed && !matches!(reference.members, Members::One(_))
    }

    /// The names of all members, in the order of their numbers.
    pub(crate) fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.by_first.iter().flat_map(|(_, name)| {
            let (text, group) = (Arc::from(name.as_str()), self.group(name).flatten());
            let (count, indexed) = group.map_or((0, false), |group| (group.count, group.indexed));
            (0..count).map(move |i| {
                if indexed {
                    Name::member(&text, i)
                } else {
                    Name::from(&text)
                }
            })
        })
    }

    /// The name of a member.
    pub(crate) fn name(&self, member: u32) -> String {
        let at = self.by_first.partition_point(|(first, _)| *first <= member) - 1;
        let (first, name) = &self.by_first[at];
        let group = self.group(name).flatten();
        let indexed = group.is_some_and(|group| group.indexed);
        member_name(name, (member - first) as usize, indexed)
    }
}

/// Name of a member: "left\[3\]", or "left" if there is only one.
pub(crate) fn member_name(group: &str, i: usize, indexed: bool) -> String {
    if indexed {
        format!("{group}[{i}]")
    } else {
        group.to_owned()
    }
}

/// Reports the group with which the total exceeds the limit.
pub(crate) fn too_many(path: &str, all: u64, of: Named, faults: &mut Faults) {
    let message = format!(
        "with this group there are {all} {}s, more than a run can hold",
        of.noun()
    );
    faults
        .add(path, message)
        .help(format!("all groups together may have {MOST} of them"));
}
