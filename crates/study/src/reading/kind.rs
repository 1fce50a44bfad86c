//! Kinds of claims, and claims that refer to others above them.

use pacesim_language::problem::{Faults, suggest};
use pacesim_language::tree::Item;

use crate::expectation::{Claimed, Expectation, InsteadOf};
use crate::keys::{Band, ClaimKind, ExpectKeys};
use crate::places::comparison;
use crate::study::Study;

/// Teaches the spelling of a claim's kind where it is written as the expected number.
pub(super) fn not_a_number(item: &Item) -> Option<(String, String)> {
    let kinds = ["paper", "alternative", "own"];
    let word = item.text().filter(|text| kinds.contains(&text.trim()))?;
    Some((
        "`about` is the expected number".to_owned(),
        format!("the kind of a claim is kind = \"{}\"", word.trim()),
    ))
}

/// The kind of a claim, with which group and `instead_of` must agree.
pub(super) fn kind(path: &str, keys: &ExpectKeys, faults: &mut Faults) -> ClaimKind {
    let kind = keys.kind.unwrap_or(ClaimKind::Own);
    let mut refuse = |key: &str, message: &str, help: &str| {
        faults.add(format!("{path}.{key}"), message).help(help);
    };
    match (kind, &keys.instead_of) {
        (ClaimKind::Alternative, None) => refuse(
            "kind",
            "an alternative stands beside a claim of the paper",
            "name it: instead_of = with the words of the claim",
        ),
        (ClaimKind::Paper | ClaimKind::Own, Some(_)) => refuse(
            "instead_of",
            "only an alternative stands beside another claim",
            "write kind = \"alternative\", or leave it out",
        ),
        _ => (),
    }
    if keys.group.is_some() && kind != ClaimKind::Paper {
        refuse(
            "group",
            "a group is a sentence of the paper",
            "write kind = \"paper\", or leave it out",
        );
    }
    kind
}

/// Requires that several claims make a group.
pub(crate) fn groups(all: &[ExpectKeys], faults: &mut Faults) {
    for (i, keys) in all.iter().enumerate() {
        let Some(group) = &keys.group else { continue };
        let members = all
            .iter()
            .filter(|other| other.group.as_ref() == Some(group));
        if members.count() == 1 {
            let names = all.iter().enumerate().filter(|(other, _)| *other != i);
            let names = names.filter_map(|(_, other)| other.group.as_deref());
            let message = format!("no other claim is in the group \"{group}\"");
            let help = match suggest(group, names) {
                none if none == "there is none" => "leave it out".to_owned(),
                help => help,
            };
            faults.add(format!("expect[{i}].group"), message).help(help);
        }
    }
}

/// The claim above with these words.
fn above<'a>(
    claim: &str,
    path: &str,
    others: &'a [Expectation],
    faults: &mut Faults,
) -> Option<&'a Expectation> {
    let found = others.iter().find(|other| other.claim == claim);
    // One with a mistake of its own may be meant.
    if found.is_none() && !faults.touch("expect") {
        let message = format!("there is no claim \"{claim}\" above this one");
        let names = others.iter().map(|other| other.claim.as_str());
        faults.add(path, message).help(suggest(claim, names));
    }
    found
}

/// The paper's claim that this one is an alternative of: the same statement, whose point differs on one
/// axis.
fn instead_of(
    study: &Study,
    keys: &ExpectKeys,
    claim: &Expectation,
    others: &[Expectation],
    faults: &mut Faults,
) -> Option<InsteadOf> {
    let words = keys.instead_of.as_ref()?;
    let path = format!("{}.instead_of", claim.path);
    let other = above(words, &path, others, faults)?;
    let mut refuse = |message: &str, help: &str| {
        faults.add(path.as_str(), message).help(help);
        None
    };
    if other.kind != ClaimKind::Paper {
        return refuse(
            "that claim is not of kind \"paper\"",
            "name the paper's claim itself",
        );
    }
    if !claim.states_the_same(other) {
        return refuse(
            "that claim is another statement",
            "an alternative has the same number, comparison and bounds; only `at` differs",
        );
    }
    let differs = |entry: &&(usize, Vec<usize>)| !other.at.contains(entry);
    let differing: Vec<_> = claim.at.iter().filter(differs).collect();
    let [(axis, values)] = differing[..] else {
        return refuse(
            "its point differs from that of the claim on no axis, or on several",
            "an alternative is about another value of one setting; make it kind = \"own\", or an alternative of another claim",
        );
    };
    let axis = &study.axes[*axis];
    Some(InsteadOf {
        claim: other.claim.clone(),
        setting: format!("{} = {}", axis.name, axis.values[values[0]].text),
    })
}

impl Expectation {
    /// Finds the claim that it is an alternative of.
    pub(super) fn stand_beside(
        &mut self,
        study: &Study,
        keys: &ExpectKeys,
        others: &[Expectation],
        faults: &mut Faults,
    ) {
        self.instead_of = instead_of(study, keys, self, others, faults);
    }

    /// True if both state the same of the same number, perhaps at other points.
    fn states_the_same(&self, other: &Expectation) -> bool {
        let comparison_of =
            |claim: &Expectation| comparison(&claim.against).map(|(other, _)| other.clone());
        let is_same_comparison = std::mem::discriminant(&self.against)
            == std::mem::discriminant(&other.against)
            && comparison_of(self) == comparison_of(other);
        (&self.y, &self.per, &self.jain_with) == (&other.y, &other.per, &other.jain_with)
            && is_same_comparison
            && (self.line, self.each, self.quantile) == (other.line, other.each, other.quantile)
            && self.claimed == other.claimed
    }
}

/// True for words about a percentage.
pub(super) fn in_percent(keys: &ExpectKeys) -> bool {
    keys.band == Some(Band::NearlyFull)
}

/// The range of a paper's words, relative to a number.
pub(super) fn band(
    path: &str,
    band: Band,
    about: Option<f64>,
    faults: &mut Faults,
) -> Option<Claimed> {
    let refusal = match about {
        None if band.needs_number() => Some((
            "these words are about a number",
            "give it: about = 0.9 for \"by as much as 10 %\" less",
        )),
        Some(_) if !band.takes_number() => {
            Some(("these words have a range of their own", "leave `about` out"))
        }
        _ => None,
    };
    if let Some((message, help)) = refusal {
        faults.add(format!("{path}.band"), message).help(help);
        return None;
    }
    Some(Claimed::Band {
        band,
        of: about.unwrap_or(1.0),
    })
}

/// The quotient of two printed numbers, with a tolerance that follows from theirs: independent errors
/// add up by their squares.
pub(super) fn quotient(
    path: &str,
    keys: &ExpectKeys,
    others: &[Expectation],
    faults: &mut Faults,
) -> Option<Claimed> {
    let others_given = keys.at_least.is_some()
        || keys.at_most.is_some()
        || keys.about.is_some()
        || keys.band.is_some()
        || keys.within.is_some();
    let path = format!("{path}.quotient");
    if others_given {
        let help = "leave at_least, at_most, about, band and within out";
        faults
            .add(path, "a quotient and its tolerance follow from two claims")
            .help(help);
        return None;
    }
    let [above_line, below_line] = &keys.quotient[..] else {
        let help = "name the claim of the dividend, then that of the divisor";
        faults.add(path, "a quotient is of two claims").help(help);
        return None;
    };
    let mut printed = |claim: &str, i: usize| {
        let path = format!("{path}[{i}]");
        let other = above(claim, &path, others, faults)?;
        match other.claimed {
            Claimed::About { number, within } if number != 0.0 => {
                Some((number, within, other.unit))
            }
            _ => {
                let help = "name a claim with `about` and `within`";
                let message = "that claim is not about a printed number";
                faults.add(path, message).help(help);
                None
            }
        }
    };
    let (dividend, divisor) = (printed(above_line, 0)?, printed(below_line, 1)?);
    if dividend.2 != divisor.2 {
        let help = "name two claims about numbers of the same unit";
        let message = "the numbers of these claims have different units";
        faults.add(path, message).help(help);
        return None;
    }
    let within = libm::hypot(dividend.1, divisor.1);
    Some(Claimed::About {
        number: dividend.0 / divisor.0,
        within: (within * 1000.0).round() / 1000.0,
    })
}
