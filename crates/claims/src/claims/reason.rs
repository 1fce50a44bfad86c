//! Reasons of differences, and their evidence: variants of a study, and ns-2.

use serde::{Deserialize, Serialize};

use super::{Claim, InUnit, Value, Verdict};

/// The verdict on a claim under choices other than the study's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfVariant {
    /// Name of the variant.
    pub variant: String,
    /// Verdict on the claim under the variant.
    pub verdict: Verdict,
    /// Value of the claimed number under the variant.
    pub ours: Option<Value>,
    /// The lower end of its 95 % confidence interval.
    pub low: Option<f64>,
    /// Upper end of that interval.
    pub high: Option<f64>,
}

/// The words for a difference without a known reason.
const NOT_EXPLAINED: &str = "not explained";

/// The reason why a claim differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Because {
    /// A variant moves the number into the claimed range.
    Shown {
        /// Name of the variant.
        variant: String,
        /// Difference that the variant demonstrates.
        shows: String,
    },
    /// A model gives the number of the runs instead of the claimed one.
    Model {
        /// Name of the model.
        model: String,
        /// Result of the model.
        y: String,
        /// Number that it gives; none if it cannot be solved.
        gives: Option<f64>,
        /// Share by which the runs may deviate from it.
        within: f64,
        /// Conclusion in words.
        shows: String,
    },
    /// A bound excludes what is claimed.
    Bound {
        /// Kind of bound, in words.
        bound: String,
        /// Least number that is possible.
        possible_from: Option<f64>,
        /// Greatest number that is possible.
        possible_to: Option<f64>,
        /// Conclusion in words.
        shows: String,
    },
    /// Reason in words, such as "not explained".
    Words(String),
}

/// Evidence that explains a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Explanation {
    /// A variant of the study moves the number into the claimed range.
    Variant,
    /// A model gives our number.
    Model,
    /// A bound excludes what is claimed.
    Bound,
    /// ns-2 on the same network differs likewise.
    Ns2,
}

impl Explanation {
    /// The evidence in a word, for tables.
    pub fn text(self) -> &'static str {
        match self {
            Explanation::Variant => "variant",
            Explanation::Model => "model",
            Explanation::Bound => "bound",
            Explanation::Ns2 => "ns-2",
        }
    }
}

impl Because {
    /// The reason if none is known.
    pub fn not_explained() -> Because {
        Because::Words(NOT_EXPLAINED.to_owned())
    }
}

impl OfVariant {
    /// Formats the number with its interval: "0.68 (0.67 to 0.69)".
    pub fn number(&self, unit: InUnit) -> String {
        unit.estimate(self.ours.as_ref(), self.low.zip(self.high))
    }
}

/// The least relative difference that distinguishes two programs: both draw their networks from
/// different random numbers.
const SAME: f64 = 0.02;

impl Claim {
    /// The variant named as the reason, if it moves the number into the claimed range.
    pub fn shown_by(&self) -> Option<&OfVariant> {
        let Some(Because::Shown { variant, .. }) = &self.because else {
            return None;
        };
        let mut named = self.variants.iter().filter(|one| one.variant == *variant);
        named.find(|one| one.verdict == Verdict::Pass)
    }

    /// True if ns-2 differs from the paper as well and agrees with pacesim: their intervals,
    /// widened by the effect of random numbers, overlap.
    pub fn differs_in_ns2_too(&self) -> bool {
        let Some(ns2) = self.ns2 else {
            return false;
        };
        let (low, high) = (self.ns2_low.unwrap_or(ns2), self.ns2_high.unwrap_or(ns2));
        let is_outside = self.least.is_some_and(|least| high < least)
            || self.most.is_some_and(|most| low > most);
        let margin = SAME * ns2.abs();
        let agrees = match (self.low, self.high) {
            (Some(our_low), Some(our_high)) => our_low <= high + margin && our_high >= low - margin,
            _ => false,
        };
        self.verdict == Verdict::Differs && is_outside && agrees
    }

    /// The verdict in words, including ns-2's if the paper differs from both.
    pub fn verdict_text(&self) -> &'static str {
        if self.differs_in_ns2_too() {
            "DIFFERS, as ns-2 does"
        } else {
            self.verdict.text()
        }
    }

    /// The evidence that explains a difference, if any does.
    pub fn explanation(&self) -> Option<Explanation> {
        match &self.because {
            _ if !self.is_open() => None,
            Some(Because::Shown { .. }) if self.shown_by().is_some() => Some(Explanation::Variant),
            Some(Because::Model { gives, within, .. })
                if gives.is_some_and(|gives| self.is_of_model(gives, *within)) =>
            {
                Some(Explanation::Model)
            }
            Some(Because::Bound {
                possible_from,
                possible_to,
                ..
            }) if self.is_excluded(*possible_from, *possible_to) => Some(Explanation::Bound),
            _ => self.differs_in_ns2_too().then_some(Explanation::Ns2),
        }
    }

    fn is_open(&self) -> bool {
        matches!(self.verdict, Verdict::Differs | Verdict::Undecided)
    }

    /// True if a model's number is not what is claimed, and is ours to within a share.
    fn is_of_model(&self, gives: f64, within: f64) -> bool {
        let Some(Value::Number(ours)) = self.ours else {
            return false;
        };
        let (low, high) = (self.low.unwrap_or(ours), self.high.unwrap_or(ours));
        let off = (within * gives).abs();
        self.is_outside(gives) && low <= gives + off && high >= gives - off
    }

    /// True if no number between these is what is claimed, and ours is between them.
    fn is_excluded(&self, from: Option<f64>, to: Option<f64>) -> bool {
        let Some(Value::Number(ours)) = self.ours else {
            return false;
        };
        let (low, high) = (self.low.unwrap_or(ours), self.high.unwrap_or(ours));
        let is_possible = from.is_none_or(|from| high >= from) && to.is_none_or(|to| low <= to);
        let is_excluded = self.least.zip(to).is_some_and(|(least, to)| least > to)
            || self.most.zip(from).is_some_and(|(most, from)| most < from);
        is_possible && is_excluded
    }

    fn is_outside(&self, number: f64) -> bool {
        self.least.is_some_and(|least| number < least)
            || self.most.is_some_and(|most| number > most)
    }

    /// True if it differs or is undecided, and nothing explains it.
    pub fn is_unexplained(&self) -> bool {
        self.is_open() && self.explanation().is_none()
    }

    /// The note for readers. A number of ns-2 that differs as ours does needs no other explanation.
    pub fn remark(&self) -> Option<String> {
        let note = self.note.as_deref()?;
        let rest = note.strip_prefix(NOT_EXPLAINED);
        Some(match rest.filter(|_| self.differs_in_ns2_too()) {
            Some(rest) => format!("ns-2 on the same network differs likewise{rest}"),
            None => note.to_owned(),
        })
    }

    /// The reason in a sentence, if it differs or is undecided.
    pub(super) fn reason(&self) -> Option<String> {
        let is_shown = self.explanation().is_some();
        let shown = |told: String, shows: &str| match is_shown {
            true => format!("{told}: {shows}"),
            false => format!("{NOT_EXPLAINED}: {told}, which does not show it ({shows})"),
        };
        match &self.because {
            None => None,
            Some(Because::Model {
                model,
                y,
                gives,
                shows,
                ..
            }) => {
                let number = gives.map_or("nothing".to_owned(), |gives| self.shown().text(gives));
                Some(shown(
                    format!("{y} of the model {model} is {number}"),
                    shows,
                ))
            }
            Some(Because::Bound {
                bound,
                possible_from,
                possible_to,
                shows,
            }) => {
                let told = |word: &str, number: &Option<f64>| {
                    number.map(|number| format!("{word} {}", self.shown().text(number)))
                };
                let ends = [
                    told("at least", possible_from),
                    told("at most", possible_to),
                ];
                let ends = ends.into_iter().flatten().collect::<Vec<_>>().join(" and ");
                Some(shown(
                    format!("by the bound \"{bound}\" {ends} is possible"),
                    shows,
                ))
            }
            Some(Because::Words(words)) => Some(words.clone()),
            Some(Because::Shown { variant, shows }) => {
                let found = self.variants.iter().find(|one| one.variant == *variant)?;
                let number = found.number(self.shown());
                Some(match found.verdict {
                    Verdict::Pass => {
                        format!("the variant \"{variant}\" gives {number}, as claimed: {shows}")
                    }
                    _ => {
                        format!(
                            "{NOT_EXPLAINED}: the variant \"{variant}\" gives {number} ({shows})"
                        )
                    }
                })
            }
        }
    }

    /// The claim, marked as not explained if it differs or is undecided without any reason.
    pub fn or_not_explained(self) -> Claim {
        if self.because.is_none() && self.is_unexplained() {
            let variants = self.variants.clone();
            self.reasoned(Some(Because::not_explained()), variants)
        } else {
            self
        }
    }

    /// The claim with a reason, which becomes a note if it differs or is undecided.
    pub fn reasoned(mut self, because: Option<Because>, variants: Vec<OfVariant>) -> Claim {
        self.variants = variants;
        if matches!(self.verdict, Verdict::Differs | Verdict::Undecided) {
            self.because = because;
            let notes = [self.reason(), self.note.take()];
            let notes: Vec<String> = notes.into_iter().flatten().collect();
            self.note = (!notes.is_empty()).then(|| notes.join("; "));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(ours: f64) -> Claim {
        let estimate = super::super::Estimate {
            value: ours,
            interval: Some((ours - 1.0, ours + 1.0)),
        };
        Claim {
            least: Some(90.0),
            most: Some(110.0),
            ..Claim::about("x", 100.0, 0.1, estimate)
        }
    }

    fn variant(verdict: Verdict) -> OfVariant {
        OfVariant {
            variant: "wide".to_owned(),
            verdict,
            ours: Some(99.0.into()),
            low: None,
            high: None,
        }
    }

    fn because() -> Option<Because> {
        Some(Because::Shown {
            variant: "wide".to_owned(),
            shows: "width".to_owned(),
        })
    }

    #[test]
    fn a_variant_explains_only_what_it_moves_into_the_claim() {
        let moved = claim(50.0).reasoned(because(), vec![variant(Verdict::Pass)]);
        assert!(!moved.is_unexplained());
        let not_moved = claim(50.0).reasoned(because(), vec![variant(Verdict::Differs)]);
        assert!(not_moved.is_unexplained());
        let note = not_moved.note.expect("a note");
        assert!(note.starts_with("not explained"), "{note}");
        let passes = claim(100.0).reasoned(because(), vec![variant(Verdict::Pass)]);
        assert_eq!((passes.note, passes.because), (None, None));
    }

    #[test]
    fn two_programs_agree_against_the_paper_only_where_both_differ_from_it() {
        let of = |ours, ns2| Claim {
            ns2: Some(ns2),
            ..claim(ours)
        };
        assert_eq!(of(50.0, 51.0).verdict_text(), "DIFFERS, as ns-2 does");
        assert_eq!(of(50.0, 60.0).verdict_text(), "DIFFERS");
        assert_eq!(of(88.0, 91.0).verdict_text(), "DIFFERS");
        assert_eq!(of(100.0, 100.0).verdict_text(), "PASS");
        assert!(claim(50.0).is_unexplained() && !of(50.0, 51.0).is_unexplained());
    }
}
