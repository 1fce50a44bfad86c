//! A paper's claims, pacesim's numbers for them, and the verdicts.

mod kind;
mod reason;
mod unit;

pub use kind::{InsteadOf, Kind};
pub use reason::{Because, Explanation, OfVariant};
pub use unit::InUnit;

use pacesim::measure::Interval;
use pacesim_runs::rare::Counts;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds.
    Pass,
    /// The claim does not hold; both numbers are given.
    Differs,
    /// The interval is too wide for a verdict.
    Undecided,
    /// This run was too short for a verdict.
    NotRun,
}

impl Verdict {
    /// The word for the verdict in every table and document.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Differs => "DIFFERS",
            Verdict::Undecided => "UNDECIDED",
            Verdict::NotRun => "NOT RUN",
        }
    }

    const ALL: [Verdict; 4] = [
        Verdict::Pass,
        Verdict::Differs,
        Verdict::Undecided,
        Verdict::NotRun,
    ];

    fn of(holds: bool) -> Verdict {
        if holds {
            Verdict::Pass
        } else {
            Verdict::Differs
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Verdict, D::Error> {
        let text = String::deserialize(from)?;
        let known = Verdict::ALL.into_iter().find(|known| known.text() == text);
        known.ok_or_else(|| D::Error::custom(format!("\"{text}\" is no verdict")))
    }
}

/// A number or a string.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number, such as 0.88.
    Number(f64),
    /// A string, such as "rises".
    Text(String),
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

/// Six significant digits, as for values of theory: "0.0888196", "1.85516e-4", "8000".
pub fn six_digits(x: f64) -> String {
    if !x.is_finite() || x == 0.0 {
        return if x == 0.0 { "0" } else { "–" }.to_owned();
    }
    let scientific = format!("{x:.5e}");
    let (digits, exponent) = scientific
        .split_once('e')
        .expect("an exponent is printed after e");
    let exponent: i32 = exponent.parse().expect("an exponent is printed after e");
    match exponent {
        -3..=5 => without_trailing_zeros(&format!("{x:.*}", (5 - exponent) as usize)).to_owned(),
        _ => format!("{}e{exponent}", without_trailing_zeros(digits)),
    }
}

fn without_trailing_zeros(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// A number of pacesim, with its confidence interval if it is an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Value of the number.
    pub value: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// A number that would be the same again, with an interval of zero width.
    pub fn exact(value: f64) -> Estimate {
        Estimate {
            value,
            interval: Some((value, value)),
        }
    }

    /// The estimate of a share given by counts.
    pub fn of_counts(counts: &Counts, level: f64) -> Estimate {
        Estimate {
            value: counts.share(),
            interval: counts.interval(level),
        }
    }

    /// The estimate in another unit, or of a decreasing function of it.
    pub fn map(self, of: impl Fn(f64) -> f64) -> Estimate {
        let interval = self.interval.map(|(low, high)| {
            let (a, b) = (of(low), of(high));
            (a.min(b), a.max(b))
        });
        Estimate {
            value: of(self.value),
            interval,
        }
    }

    /// The verdict on an estimate between two numbers: all of its interval is between them, none of
    /// it is, or the interval is too wide.
    pub fn lies_within(&self, least: f64, most: f64) -> Verdict {
        let (low, high) = self.interval.unwrap_or((self.value, self.value));
        match (low >= least && high <= most, high < least || low > most) {
            (true, _) => Verdict::Pass,
            (_, true) => Verdict::Differs,
            _ => Verdict::Undecided,
        }
    }
}

impl From<f64> for Estimate {
    fn from(value: f64) -> Estimate {
        Estimate {
            value,
            interval: None,
        }
    }
}

impl From<Interval> for Estimate {
    fn from(interval: Interval) -> Estimate {
        Estimate {
            value: interval.estimate,
            interval: Some((interval.low, interval.high)),
        }
    }
}

/// The note on an undecided claim that no reasonable number of replications decides.
pub const ON_BORDER: &str = "the number is on the border of the claimed range";

/// Each distinct remark on some claims, with the claims of one verdict that share it.
pub fn notes(claims: &[Claim]) -> Vec<(String, Vec<&Claim>)> {
    let mut notes: Vec<(String, Vec<&Claim>)> = Vec::new();
    for claim in claims {
        let Some(note) = claim.remark() else {
            continue;
        };
        let same = |(other, all): &&mut (String, Vec<&Claim>)| {
            *other == note && all[0].verdict == claim.verdict
        };
        match notes.iter_mut().find(same) {
            Some((_, all)) => all.push(claim),
            None => notes.push((note, vec![claim])),
        }
    }
    notes
}

/// The end of bounds that hold at each value of an axis.
pub const EACH: &str = ", at each";

/// A claim of a paper, with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Statement of the claim, with the unit of its numbers.
    pub claim: String,
    /// Kind of claim.
    #[serde(default)]
    pub kind: Kind,
    /// The paper's claim of which it is an alternative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<InsteadOf>,
    /// Sentence of the paper that it repeats, if several claims do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Digest of the number that it is about, by which it can be judged again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Verdict on the claim.
    pub verdict: Verdict,
    /// The paper's value (or that of its equations, depending on the claim).
    pub paper: Option<Value>,
    /// Value measured in pacesim.
    pub ours: Option<Value>,
    /// The lower end of its 95 % confidence interval; null if it is not an estimate.
    pub low: Option<f64>,
    /// Upper end of that interval.
    pub high: Option<f64>,
    /// Value measured in ns-2, if it was run.
    pub ns2: Option<f64>,
    /// The lower end of ns-2's 95 % confidence interval.
    #[serde(default)]
    pub ns2_low: Option<f64>,
    /// Upper end of that interval.
    #[serde(default)]
    pub ns2_high: Option<f64>,
    /// Range of values that count as the same.
    pub accepts: String,
    /// The unit of its numbers, if they have one: "bps", "s", "B", "pkts" or a product of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// True if it states percentages: its numbers are shares, and shown as percentages.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_percent: bool,
    /// Least number in that range, if bounded.
    #[serde(default)]
    pub least: Option<f64>,
    /// Greatest number in that range, if bounded.
    #[serde(default)]
    pub most: Option<f64>,
    /// Reason of the difference, if examined: only for claims that differ or are undecided.
    #[serde(default)]
    pub because: Option<Because>,
    /// The claim under other choices, each a variant of the study.
    #[serde(default)]
    pub variants: Vec<OfVariant>,
    /// Reason to leave it open whatever its bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
    /// Remarks on its number whatever the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// Reason of the difference, as far as known, or other remarks.
    pub note: Option<String>,
}

impl Claim {
    /// Claims that `ours` equals the reference's number to within this relative error of
    /// arithmetic: for consequences of equations.
    pub fn equals(claim: impl Into<String>, reference: f64, ours: f64, relative: f64) -> Claim {
        let holds = (ours - reference).abs() <= relative * reference.abs();
        let accepts = format!("equal within {relative:e}");
        Claim::number(claim, ours, Verdict::of(holds), accepts).printed(reference)
    }

    /// Claims that `ours`, rounded to as many digits as the paper prints, is the printed number:
    /// "0.78".
    pub fn prints(claim: impl Into<String>, paper: &str, ours: f64) -> Claim {
        let number: f64 = paper.parse().expect("a printed number is a number");
        let decimals = paper.split('.').nth(1).map_or(0, str::len);
        let half_a_digit = (0..decimals).fold(0.5, |half, _| half / 10.0);
        // At exactly half a digit, a printed number may have been rounded either way.
        let holds = (ours - number).abs() <= half_a_digit * (1.0 + 1e-9);
        let accepts = "equal in the printed digits".to_owned();
        Claim::number(claim, ours, Verdict::of(holds), accepts).printed(number)
    }

    /// Claims that `ours` is within this share of the reference's number: all of its interval, so
    /// that a wide one decides nothing.
    pub fn about(
        claim: impl Into<String>,
        reference: f64,
        within: f64,
        ours: impl Into<Estimate>,
    ) -> Claim {
        let ours = ours.into();
        let off = (within * reference).abs();
        let verdict = ours.lies_within(reference - off, reference + off);
        let accepts = format!("within {} %", 100.0 * within);
        Claim {
            low: ours.interval.map(|(low, _)| low),
            high: ours.interval.map(|(_, high)| high),
            ..Claim::number(claim, ours.value, verdict, accepts).printed(reference)
        }
    }

    /// Claims that `ours` is at most a bound that no paper prints.
    pub fn at_most(claim: impl Into<String>, bound: f64, ours: f64) -> Claim {
        let accepts = format!("at most {}", six_digits(bound));
        Claim::number(claim, ours, Verdict::of(ours <= bound), accepts)
    }

    /// Claims that none of `of` cases is an exception; undecided without cases.
    pub fn none(claim: impl Into<String>, exceptions: u64, of: u64) -> Claim {
        let verdict = match of {
            0 => Verdict::Undecided,
            _ => Verdict::of(exceptions == 0),
        };
        Claim::number(claim, exceptions as f64, verdict, format!("none of {of}"))
    }

    /// Claims a property that follows from numbers.
    pub fn shows(
        claim: impl Into<String>,
        ours: impl Into<Value>,
        holds: bool,
        accepts: &str,
    ) -> Claim {
        Claim {
            ours: Some(ours.into()),
            accepts: accepts.to_owned(),
            ..Claim::empty(claim, Verdict::of(holds))
        }
    }

    /// The bound by which it was judged, and the paper's value if that is another.
    pub fn bound(&self) -> String {
        let is_share = self.accepts.starts_with("within") && !self.accepts.contains(" of ");
        let told = |number: f64| self.shown().text(number);
        let (share, each) = match self.accepts.strip_suffix(EACH) {
            Some(share) => (share, EACH),
            None => (self.accepts.as_str(), ""),
        };
        match (&self.paper, self.least.zip(self.most)) {
            (Some(Value::Number(paper)), Some((least, most))) if is_share => {
                let middle = told((least + most) / 2.0);
                let bound = format!("{share} of {middle}{each}");
                if middle == told(*paper) {
                    bound
                } else {
                    format!("{bound} (paper: {})", told(*paper))
                }
            }
            (_, Some((least, most))) if self.accepts.starts_with("as ") => {
                format!("{} to {}, {}", told(least), told(most), self.accepts)
            }
            (Some(Value::Number(paper)), _) => {
                format!("{} (paper: {})", self.accepts, told(*paper))
            }
            (Some(Value::Text(words)), _) => format!("{} (paper: {words})", self.accepts),
            (None, _) => self.accepts.clone(),
        }
    }

    /// Sets the ends of the interval.
    pub(crate) fn measured(mut self, interval: Option<(f64, f64)>) -> Claim {
        self.low = interval.map(|(low, _)| low);
        self.high = interval.map(|(_, high)| high);
        self
    }

    /// Marks a statement of the paper.
    pub fn of_paper(mut self) -> Claim {
        self.kind = Kind::Paper;
        self
    }

    /// Sets the paper's value, in its own words.
    pub fn says(mut self, words: &str) -> Claim {
        self.paper = Some(words.into());
        self
    }

    /// Sets the reason of the difference, as far as known. It is printed only for a difference.
    pub fn because(mut self, why: impl Into<String>) -> Claim {
        if self.verdict == Verdict::Differs {
            self.note = Some(why.into());
        }
        self
    }

    /// True if more replications than anybody would make decide it.
    pub fn is_on_border(&self) -> bool {
        let note = self.note.as_deref();
        note.is_some_and(|note| note.contains(ON_BORDER))
    }

    /// Adds a note that a reader needs in any case.
    pub fn note(mut self, note: impl Into<String>) -> Claim {
        self.note = Some(note.into());
        self
    }

    /// Leaves the verdict open if the run was below this scale, the share of its full length.
    pub fn from_scale(self, run_at: f64, scale: f64) -> Claim {
        if run_at >= scale {
            return self;
        }
        let look = match self.ours {
            Some(Value::Number(x)) => format!("; this short run gave {}", self.shown().text(x)),
            Some(Value::Text(text)) => format!("; this short run gave: {text}"),
            None => String::new(),
        };
        Claim {
            verdict: Verdict::NotRun,
            ours: None,
            low: None,
            high: None,
            note: Some(format!("needs --scale {scale} or more{look}")),
            ..self
        }
    }

    fn number(claim: impl Into<String>, ours: f64, verdict: Verdict, accepts: String) -> Claim {
        Claim {
            ours: Some(ours.into()),
            accepts,
            ..Claim::empty(claim, verdict)
        }
    }

    /// Sets the number of the paper, or of its equations.
    fn printed(mut self, reference: f64) -> Claim {
        self.paper = Some(reference.into());
        self
    }

    fn empty(claim: impl Into<String>, verdict: Verdict) -> Claim {
        Claim {
            claim: claim.into(),
            kind: Kind::Own,
            instead_of: None,
            group: None,
            number: None,
            verdict,
            open: None,
            remarks: None,
            paper: None,
            ours: None,
            low: None,
            high: None,
            ns2: None,
            ns2_low: None,
            ns2_high: None,
            least: None,
            most: None,
            because: None,
            variants: Vec::new(),
            accepts: String::new(),
            unit: None,
            in_percent: false,
            note: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate {
            value,
            interval: Some((low, high)),
        }
    }

    #[test]
    fn six_digits_remain_without_noise() {
        let cases = [
            (0.0, "0"),
            (8000.0, "8000"),
            (999_999.96, "1e6"),
            (123_456.7, "123457"),
            (0.088_819_6, "0.0888196"),
            (1.855_162_6e-4, "1.85516e-4"),
            (-0.5, "-0.5"),
        ];
        for (x, text) in cases {
            assert_eq!(six_digits(x), text);
        }
        assert_eq!(six_digits(f64::INFINITY), "–");
    }

    #[test]
    fn printed_numbers_are_compared_in_their_digits() {
        assert_eq!(Claim::prints("J", "0.78", 0.7751).verdict, Verdict::Pass);
        assert_eq!(Claim::prints("J", "0.78", 0.7749).verdict, Verdict::Differs);
        assert_eq!(Claim::prints("k", "19", 19.4).verdict, Verdict::Pass);
        assert_eq!(Claim::prints("k", "19", 19.6).verdict, Verdict::Differs);
    }

    #[test]
    fn about_is_said_of_a_whole_interval() {
        let about = |ours: Estimate| Claim::about("x", 100.0, 0.1, ours).verdict;
        assert_eq!(about(91.0.into()), Verdict::Pass);
        assert_eq!(about(89.0.into()), Verdict::Differs);
        assert_eq!(about(estimate(100.0, 95.0, 105.0)), Verdict::Pass);
        assert_eq!(about(estimate(120.0, 115.0, 125.0)), Verdict::Differs);
        assert_eq!(about(estimate(108.0, 104.0, 112.0)), Verdict::Undecided);
    }

    /// A wide interval contains the reference's number, and every other.
    #[test]
    fn a_wide_interval_decides_nothing() {
        let wide = estimate(100.0, -50.0, 250.0);
        let claim = Claim::about("x", 100.0, 0.1, wide);
        assert_eq!(claim.verdict, Verdict::Undecided);
    }

    #[test]
    fn nothing_looked_at_has_no_exceptions_and_proves_nothing() {
        assert_eq!(Claim::none("x", 0, 10).verdict, Verdict::Pass);
        assert_eq!(Claim::none("x", 1, 10).verdict, Verdict::Differs);
        assert_eq!(Claim::none("x", 0, 0).verdict, Verdict::Undecided);
    }

    #[test]
    fn the_bound_is_said_with_the_papers_value_if_that_is_another() {
        let of = |accepts: &str, paper: Option<Value>, ends: (f64, f64)| Claim {
            paper,
            least: Some(ends.0),
            most: Some(ends.1),
            ..Claim::number("x", 1.0, Verdict::Pass, accepts.to_owned())
        };
        let bound = |claim: Claim| claim.bound();
        let ends = (90.0, 110.0);
        assert_eq!(bound(of("at least 90", None, ends)), "at least 90");
        let words = Some(Value::from("a gain"));
        assert_eq!(
            bound(of("at least 90", words, ends)),
            "at least 90 (paper: a gain)"
        );
        let same = Some(Value::Number(100.0));
        assert_eq!(bound(of("within 10 %", same, ends)), "within 10 % of 100");
        let other = Some(Value::Number(97.0));
        assert_eq!(
            bound(of("within 10 %", other.clone(), ends)),
            "within 10 % of 100 (paper: 97)"
        );
        let each = bound(of("within 10 %, at each", Some(Value::Number(100.0)), ends));
        assert_eq!(each, "within 10 % of 100, at each");
        assert_eq!(bound(of("as kernel", other, ends)), "90 to 110, as kernel");
    }

    #[test]
    fn the_papers_column_has_its_own_words_or_nothing() {
        let own = Claim::shows("x", "rises", true, "rises");
        assert_eq!(own.paper, None);
        let paper = own.says("increases linearly").paper;
        assert_eq!(paper, Some(Value::from("increases linearly")));
    }

    #[test]
    fn what_is_not_a_number_passes_nothing() {
        let nan = f64::NAN;
        for claim in [
            Claim::equals("x", 1.0, nan, 1.0),
            Claim::prints("x", "1", nan),
            Claim::about("x", 1.0, 0.1, nan),
            Claim::at_most("x", 1.0, nan),
        ] {
            assert_ne!(claim.verdict, Verdict::Pass);
        }
    }

    #[test]
    fn reasons_are_given_only_for_differences() {
        let same = Claim::prints("J", "0.78", 0.78).because("of noise");
        let other = Claim::prints("J", "0.78", 0.7).because("of noise");
        assert_eq!((same.note, other.note), (None, Some("of noise".into())));
    }
}
