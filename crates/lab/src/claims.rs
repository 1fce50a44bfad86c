//! What a paper says, what came out here, and whether that is the same.

use pacesim::measure::Interval;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Mean;

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds here too.
    Pass,
    /// It does not; both numbers are given.
    Differs,
    /// The interval is too wide to say.
    Undecided,
    /// This run was too short for a verdict.
    NotRun,
    /// pacesim cannot do it yet.
    NotYet,
}

impl Verdict {
    /// The verdict as in every table and document.
    pub fn text(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Differs => "DIFFERS",
            Verdict::Undecided => "UNDECIDED",
            Verdict::NotRun => "NOT RUN",
            Verdict::NotYet => "NOT YET",
        }
    }

    const ALL: [Verdict; 5] = [
        Verdict::Pass,
        Verdict::Differs,
        Verdict::Undecided,
        Verdict::NotRun,
        Verdict::NotYet,
    ];

    fn of(holds: bool) -> Verdict {
        match holds {
            true => Verdict::Pass,
            false => Verdict::Differs,
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

/// A number, or words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number, such as 0.88.
    Number(f64),
    /// A text, such as "rises".
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

/// Six significant digits, as theory deserves: "0.0888196", "1.85516e-4", "8000".
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
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// A number that came out here, with its confidence interval if it is an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// The same in another unit, or of something that goes the other way.
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

    /// Whether the interval, if there is one, has this number in it.
    pub fn may_be(&self, number: f64) -> bool {
        self.interval
            .is_some_and(|(low, high)| (low..=high).contains(&number))
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

impl From<&Mean> for Estimate {
    /// What has no mean is not a number.
    fn from(mean: &Mean) -> Estimate {
        let value = mean.mean.unwrap_or(f64::NAN);
        let interval = mean.half_width.map(|half| (value - half, value + half));
        Estimate { value, interval }
    }
}

/// One claim of a paper, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// What is claimed, with the unit of its numbers.
    pub claim: String,
    /// The verdict on the claim.
    pub verdict: Verdict,
    /// What the paper says (or what its equations say, if the claim says so).
    pub paper: Option<Value>,
    /// What pacesim gives.
    pub ours: Option<Value>,
    /// The lower end of our 95 % confidence interval; null if ours is no estimate.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// What ns-2 gives, where somebody asked it.
    pub ns2: Option<f64>,
    /// What counts as the same value.
    pub accepts: String,
    /// Why it differs, as far as we know, or what else is to be known.
    pub note: Option<String>,
}

/// How far an "about" of the papers goes.
const ROUGHLY: f64 = 0.1;

impl Claim {
    /// Ours is the reference's number but for this relative error, which is that of
    /// arithmetic: for what follows from equations.
    pub fn equals(
        claim: impl Into<String>,
        paper: f64,
        ours: impl Into<Estimate>,
        relative: f64,
    ) -> Claim {
        let ours = ours.into();
        let holds = (ours.value - paper).abs() <= relative * paper.abs();
        let accepts = format!("equal within {relative:e}");
        Claim::judged(claim, paper, ours, holds, accepts)
    }

    /// Ours, rounded to as many digits as the paper prints, is what it prints: "0.78".
    pub fn prints(claim: impl Into<String>, paper: &str, ours: impl Into<Estimate>) -> Claim {
        let ours = ours.into();
        let number: f64 = paper.parse().expect("a printed number is a number");
        let decimals = paper.split('.').nth(1).map_or(0, str::len);
        let half_a_digit = (0..decimals).fold(0.5, |half, _| half / 10.0);
        // What is printed may have been rounded either way at the half.
        let holds = (ours.value - number).abs() <= half_a_digit * (1.0 + 1e-9);
        Claim::judged(
            claim,
            number,
            ours,
            holds,
            "equal in the printed digits".into(),
        )
    }

    /// Ours is about the paper's "about": within a tenth of it, or it is within our
    /// interval.
    pub fn roughly(claim: impl Into<String>, paper: f64, ours: impl Into<Estimate>) -> Claim {
        let ours = ours.into();
        let near = (ours.value - paper).abs() <= ROUGHLY * paper.abs();
        let accepts = "within 10 %, or in our interval".into();
        Claim::judged(claim, paper, ours, near || ours.may_be(paper), accepts)
    }

    /// Theory's number is in our interval.
    pub fn agrees(claim: impl Into<String>, theory: f64, ours: impl Into<Estimate>) -> Claim {
        let ours = ours.into();
        let holds = ours.may_be(theory);
        Claim::judged(claim, theory, ours, holds, "in our interval".into())
    }

    /// Ours is the paper's number or more.
    pub fn at_least(claim: impl Into<String>, paper: f64, ours: impl Into<Estimate>) -> Claim {
        let ours = ours.into();
        Claim::judged(claim, paper, ours, ours.value >= paper, "at least".into())
    }

    /// Ours is the paper's number or less.
    pub fn at_most(claim: impl Into<String>, paper: f64, ours: impl Into<Estimate>) -> Claim {
        let ours = ours.into();
        Claim::judged(claim, paper, ours, ours.value <= paper, "at most".into())
    }

    /// Ours, a difference or a count of exceptions, is nothing but for this much, which
    /// is that of arithmetic.
    pub fn vanishes(claim: impl Into<String>, ours: f64, but_for: f64) -> Claim {
        let accepts = match but_for {
            0.0 => "none".to_owned(),
            _ => format!("at most {but_for:e}"),
        };
        let holds = ours.abs() <= but_for;
        Claim::judged(claim, 0.0, ours.into(), holds, accepts)
    }

    /// Something that numbers show but are not: the paper's words beside ours.
    pub fn shows(
        claim: impl Into<String>,
        paper: impl Into<Value>,
        ours: impl Into<Value>,
        holds: bool,
    ) -> Claim {
        Claim {
            ours: Some(ours.into()),
            accepts: "as the paper says".to_owned(),
            ..Claim::empty(claim, Some(paper.into()), Verdict::of(holds))
        }
    }

    /// What pacesim cannot do yet, and what it waits for.
    pub fn not_yet(
        claim: impl Into<String>,
        paper: Option<Value>,
        waits_for: impl Into<String>,
    ) -> Claim {
        Claim {
            note: Some(format!("waits for {}", waits_for.into())),
            ..Claim::empty(claim, paper, Verdict::NotYet)
        }
    }

    /// Why it differs, as far as we know. It is said only if it does.
    pub fn because(mut self, why: impl Into<String>) -> Claim {
        if self.verdict == Verdict::Differs {
            self.note = Some(why.into());
        }
        self
    }

    /// What is to be known in any case.
    pub fn note(mut self, note: impl Into<String>) -> Claim {
        self.note = Some(note.into());
        self
    }

    /// Adds what ns-2 gives.
    pub fn ns2(mut self, number: f64) -> Claim {
        self.ns2 = Some(number);
        self
    }

    /// Leaves it open if the run was at less than this scale, the share of its full length.
    pub fn from_scale(self, run_at: f64, scale: f64) -> Claim {
        if run_at >= scale {
            return self;
        }
        let look = match self.ours {
            Some(Value::Number(x)) => format!("; this short run gave {x:.6}"),
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

    fn judged(
        claim: impl Into<String>,
        paper: f64,
        ours: Estimate,
        holds: bool,
        accepts: String,
    ) -> Claim {
        Claim {
            ours: Some(ours.value.into()),
            low: ours.interval.map(|(low, _)| low),
            high: ours.interval.map(|(_, high)| high),
            accepts,
            ..Claim::empty(claim, Some(paper.into()), Verdict::of(holds))
        }
    }

    fn empty(claim: impl Into<String>, paper: Option<Value>, verdict: Verdict) -> Claim {
        Claim {
            claim: claim.into(),
            verdict,
            paper,
            ours: None,
            low: None,
            high: None,
            ns2: None,
            accepts: String::new(),
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
    fn about_is_a_tenth_or_an_interval() {
        assert_eq!(Claim::roughly("x", 100.0, 91.0).verdict, Verdict::Pass);
        assert_eq!(Claim::roughly("x", 100.0, 89.0).verdict, Verdict::Differs);
        let wide = estimate(80.0, 50.0, 110.0);
        assert_eq!(Claim::roughly("x", 100.0, wide).verdict, Verdict::Pass);
    }

    #[test]
    fn theory_has_to_be_in_the_interval() {
        let ours = estimate(1.0, 0.9, 1.1);
        assert_eq!(Claim::agrees("x", 1.05, ours).verdict, Verdict::Pass);
        assert_eq!(Claim::agrees("x", 1.2, ours).verdict, Verdict::Differs);
        assert_eq!(Claim::agrees("x", 1.0, 1.0).verdict, Verdict::Differs);
    }

    #[test]
    fn what_is_not_a_number_passes_nothing() {
        let nan = f64::NAN;
        for claim in [
            Claim::equals("x", 1.0, nan, 1.0),
            Claim::prints("x", "1", nan),
            Claim::roughly("x", 1.0, nan),
            Claim::at_least("x", 1.0, nan),
            Claim::at_most("x", 1.0, nan),
            Claim::vanishes("x", nan, 1.0),
        ] {
            assert_eq!(claim.verdict, Verdict::Differs);
        }
    }

    #[test]
    fn reasons_are_given_only_for_differences() {
        let same = Claim::prints("J", "0.78", 0.78).because("of noise");
        let other = Claim::prints("J", "0.78", 0.7).because("of noise");
        assert_eq!((same.note, other.note), (None, Some("of noise".into())));
    }
}
