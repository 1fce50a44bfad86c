//! Amounts as texts that people read, and that are read again as amounts.

use crate::expression::unit::Unit;
use crate::expression::value::Value;

/// Prefixes with their power of ten; bytes have K in place of k.
const LARGER: [(&str, i32); 5] = [("T", 12), ("G", 9), ("M", 6), ("k", 3), ("", 0)];
const SMALLER: [(&str, i32); 5] = [("", 0), ("m", -3), ("µ", -6), ("n", -9), ("p", -12)];

/// Scale of a text: the power of ten that its numbers leave out, and the unit behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    tens: i32,
    unit: String,
}

/// The most digits of a number in a text.
const DIGITS: usize = 6;

impl Unit {
    /// The number of bits that one of a result's numbers of this unit stands for: bytes, unless it
    /// is a rate.
    pub fn size(self) -> f64 {
        let bytes = self.factors().map_or(0, |factors| factors[1]);
        libm::pow(8.0, f64::from(bytes))
    }

    /// Its symbol behind a result's number: "bps", "s", "B", "pkts", "/s", "bps^2"; empty for a plain
    /// number.
    pub fn symbol(self) -> String {
        self.shown_at(0).unit.trim_start().to_owned()
    }

    /// Finds the unit with this symbol.
    pub fn of_symbol(symbol: &str) -> Option<Unit> {
        Value::amount(&format!("1{symbol}"))
            .ok()
            .map(|value| value.unit)
    }

    /// The scale of texts for results of about this size: megabits for 18.7e6.
    pub fn shown_for(self, number: f64) -> Shown {
        let Some(factors) = self.factors() else {
            return self.shown_at(0);
        };
        let Some(first) = factors.iter().position(|power| *power != 0) else {
            return self.shown_at(0);
        };
        let power = i32::from(factors[first]);
        let prefixes: &[(&str, i32)] = match first {
            0 => &LARGER,
            1 => &LARGER[1..],
            2 if power > 0 => &SMALLER,
            _ => &LARGER[4..],
        };
        let size = number.abs();
        // Numbers of slopes and other reciprocals may begin behind the point: -0.14/KB.
        let least_digit = if power < 0 { 0.09995 } else { 0.9995 };
        let fits = |tens: i32| size >= least_digit * libm::pow(10.0, f64::from(tens));
        let all = || prefixes.iter().map(|(_, tens)| tens * power);
        let largest = all().filter(|tens| fits(*tens)).max();
        let least = all().min().unwrap_or(0);
        if size == 0.0 || !size.is_finite() {
            self.shown_at(0)
        } else {
            self.shown_at(largest.unwrap_or(least))
        }
    }

    /// The scale whose numbers leave out this power of ten.
    fn shown_at(self, tens: i32) -> Shown {
        let Some(factors) = self.factors() else {
            let unit = format!(" {self}");
            return Shown { tens: 0, unit };
        };
        let names = ["bps", "B", "s", "pkts", "m"];
        let all = names.iter().zip(factors);
        let mut all: Vec<(&str, i16)> = all
            .filter(|(_, power)| *power != 0)
            .map(|(name, power)| (*name, power))
            .collect();
        let prefix = all
            .first()
            .map_or("", |(name, power)| prefix(name, tens / i32::from(*power)));
        // A prefix belongs to the factor that is the first of the unit.
        let prefixed = all.first().map(|(name, _)| *name);
        all.sort_by_key(|(_, power)| *power < 0);
        let mut unit = String::new();
        for (name, power) in &all {
            let sign = match (*power < 0, unit.is_empty()) {
                (true, _) => "/",
                (false, true) => " ",
                (false, false) => "*",
            };
            let prefix = if prefixed == Some(*name) { prefix } else { "" };
            unit += &format!("{sign}{prefix}{name}");
            if power.abs() != 1 {
                unit += &format!("^{}", power.abs());
            }
        }
        Shown { tens, unit }
    }

    /// A result's number with all of its digits, as a file states it: "9.6Mbps". It is read as this
    /// very number.
    pub fn stated(self, number: f64) -> String {
        let scale = self.shown_for(number);
        let is_product = scale.unit.contains(['^', '*']);
        let unit = if is_product {
            scale.unit.as_str()
        } else {
            scale.unit.trim_start()
        };
        let (digits, tens) = decimal(number);
        format!("{}{unit}", placed(&digits, tens - scale.tens))
    }
}

/// The prefix of a unit for this power of ten.
fn prefix(name: &str, tens: i32) -> &'static str {
    let all = LARGER.iter().chain(&SMALLER);
    let found = all.into_iter().find(|(_, known)| *known == tens);
    match (name, found.map_or("", |(prefix, _)| prefix)) {
        ("B", "k") => "K",
        (_, prefix) => prefix,
    }
}

impl Shown {
    /// The scale of shares as percentages.
    pub fn percent() -> Shown {
        let unit = " %".to_owned();
        Shown { tens: -2, unit }
    }

    /// The number in this scale, with these significant digits at most and without trailing zeros.
    fn number(&self, number: f64, digits: usize) -> String {
        let (digits, tens) = rounded(number, digits);
        placed(&digits, tens - self.tens)
    }

    /// Formats a number with its unit: "18.7 Mbps".
    pub fn text(&self, number: f64) -> String {
        format!("{}{}", self.number(number, DIGITS), self.unit)
    }

    /// Some numbers with one unit: "18.7, 9.35 Mbps".
    pub fn list(&self, numbers: &[f64]) -> String {
        let numbers = numbers.iter().map(|number| {
            if number.is_finite() {
                self.number(*number, 4)
            } else {
                "–".to_owned()
            }
        });
        let numbers: Vec<String> = numbers.collect();
        format!("{}{}", numbers.join(", "), self.unit)
    }

    /// An estimate with the digits that its interval resolves, at least three: "18.7 Mbps (18.5 to
    /// 18.9)".
    pub fn estimate(&self, number: f64, (low, high): (f64, f64)) -> String {
        let last = libm::log10((high - low) / 2.0) - 1.0;
        let decimals_of = |number: f64| {
            if number == 0.0 || !last.is_finite() {
                DIGITS
            } else {
                let digits = libm::floor(libm::log10(number.abs())) - libm::floor(last) + 1.0;
                digits.clamp(3.0, DIGITS as f64) as usize
            }
        };
        let text = |number: f64| self.number(number, decimals_of(number));
        format!(
            "{}{} ({} to {})",
            text(number),
            self.unit,
            text(low),
            text(high)
        )
    }

    /// The unit with its space: " Mbps".
    pub fn unit(&self) -> &str {
        &self.unit
    }
}

/// The digits of a number, rounded to this count, and the power of ten of the first.
fn rounded(number: f64, digits: usize) -> (String, i32) {
    split(&format!("{number:.*e}", digits.saturating_sub(1)))
}

/// All digits of a number, and the power of ten of the first.
fn decimal(number: f64) -> (String, i32) {
    split(&format!("{number:e}"))
}

/// Splits "-1.87e7" into "-187" and 7.
fn split(scientific: &str) -> (String, i32) {
    let (digits, tens) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let digits = digits.replace('.', "");
    (digits, tens.parse().unwrap_or(0))
}

/// Digits whose first has this power of ten, without trailing zeros: "-187" and 1 are "-18.7".
fn placed(digits: &str, tens: i32) -> String {
    const WIDEST: i32 = 15;
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    if digits.bytes().all(|digit| digit == b'0') {
        return "0".to_owned();
    }
    let digits = digits.trim_end_matches('0');
    let length = digits.len() as i32;
    match tens {
        tens if !(-4..=WIDEST).contains(&tens) => {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}e{tens}")
        }
        tens if tens < 0 => format!("{sign}0.{}{digits}", "0".repeat((-tens - 1) as usize)),
        tens if tens + 1 >= length => {
            format!("{sign}{digits}{}", "0".repeat((tens + 1 - length) as usize))
        }
        tens => {
            let (whole, fraction) = digits.split_at((tens + 1) as usize);
            format!("{sign}{whole}.{fraction}")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (f64, Unit) {
        let value = Value::amount(text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
        (value.number / value.unit.size(), value.unit)
    }

    #[test]
    fn amounts_are_read_with_every_digit() {
        let per_byte = Unit::BIT.inverse();
        let squared = Unit::BIT_PER_SECOND.power(2).expect("a unit");
        for (text, number, unit) in [
            ("9.6Mbps", 9.6e6, Unit::BIT_PER_SECOND),
            ("9.6 Mbit/s", 9.6e6, Unit::BIT_PER_SECOND),
            ("5ms", 0.005, Unit::SECOND),
            ("2min", 120.0, Unit::SECOND),
            ("3KB", 3000.0, Unit::BIT),
            ("2KiB", 2048.0, Unit::BIT),
            ("7.8126pkts", 7.8126, Unit::PACKET),
            ("-0.1429/KB", -0.1429e-3, per_byte),
            ("−3ms", -0.003, Unit::SECOND),
            ("2/s", 2.0, Unit::PER_SECOND),
            (
                "2 pkts/s",
                2.0,
                Unit::PACKET.times(Unit::PER_SECOND).expect("a unit"),
            ),
            ("2.838 Mbps^2", 2.838e12, squared),
            ("2.838 Mbps²", 2.838e12, squared),
            ("1.5e-3 Mbps", 1500.0, Unit::BIT_PER_SECOND),
            ("98.6%", 0.986, Unit::ONE),
            ("0.986", 0.986, Unit::ONE),
            ("3km", 3000.0, Unit::METRE),
        ] {
            assert_eq!(read(text), (number, unit), "{text}");
        }
    }

    #[test]
    fn wrong_amounts_name_the_nearest_unit() {
        let wrong = |text: &str| Value::amount(text).expect_err(text);
        assert_eq!(wrong("10mbps").1, "did you mean \"Mbps\"?");
        assert!(wrong("10 parsecs").0.contains("no unit \"parsecs\""));
        for text in [
            "",
            "Mbps",
            "10 Mbps Mbps",
            "10Mbps^",
            "10/",
            "1e999Mbps",
            "10Mbps^99",
            "%",
        ] {
            wrong(text);
        }
    }

    #[test]
    fn results_are_shown_in_the_prefix_that_fits() {
        let squared = Unit::BIT_PER_SECOND.power(2).expect("a unit");
        for (unit, number, text) in [
            (Unit::BIT_PER_SECOND, 18_731_100.0, "18.7311 Mbps"),
            (Unit::BIT_PER_SECOND, 0.0, "0 bps"),
            (Unit::BIT_PER_SECOND, 0.5, "0.5 bps"),
            (Unit::SECOND, 0.0123, "12.3 ms"),
            (Unit::SECOND, 90.0, "90 s"),
            (Unit::BIT, 1500.0, "1.5 KB"),
            (Unit::PACKET, 1234.5, "1234.5 pkts"),
            (Unit::PER_SECOND, 15.0, "15/s"),
            (Unit::BIT.inverse(), -1.429e-4, "-0.1429/KB"),
            (squared, 2.838e12, "2.838 Mbps^2"),
            (Unit::ONE, 0.988, "0.988"),
        ] {
            assert_eq!(unit.shown_for(number).text(number), text);
        }
    }

    #[test]
    fn an_estimate_has_the_digits_that_its_interval_resolves() {
        let rate = |x: f64, low, high| Unit::BIT_PER_SECOND.shown_for(x).estimate(x, (low, high));
        assert_eq!(
            rate(18_731_100.0, 18_512_345.0, 18_923_456.0),
            "18.73 Mbps (18.51 to 18.92)"
        );
        assert_eq!(rate(18_731_100.0, 1.5e7, 2.2e7), "18.7 Mbps (15 to 22)");
        assert_eq!(rate(1e7, 1e7, 1e7), "10 Mbps (10 to 10)");
    }

    fn any_unit() -> impl Strategy<Value = Unit> {
        let power = || -2_i16..3;
        (power(), power(), power(), power()).prop_map(|(bit, second, packet, metre)| {
            let powers = [
                (Unit::BIT, bit),
                (Unit::SECOND, second),
                (Unit::PACKET, packet),
                (Unit::METRE, metre),
            ];
            powers.iter().fold(Unit::ONE, |all, (unit, power)| {
                let next = unit.power(*power).expect("small");
                all.times(next).expect("small")
            })
        })
    }

    proptest! {
        #[test]
        fn a_stated_result_is_read_as_the_same_number(unit in any_unit(), number in any::<f64>()) {
            prop_assume!(number.is_finite());
            let text = unit.stated(number);
            let value = Value::amount(&text);
            prop_assume!(number.abs() < 1e280 && (number == 0.0 || number.abs() > 1e-280));
            let value = value.expect("an amount");
            prop_assert_eq!(value.unit, unit, "{}", text);
            prop_assert_eq!(value.number / unit.size(), number, "{}", text);
        }

        #[test]
        fn a_symbol_is_read_as_its_unit(unit in any_unit()) {
            prop_assert_eq!(Unit::of_symbol(&unit.symbol()), Some(unit));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,24}|[-0-9.e_]{1,9} ?[a-zA-Z/^µ²*%]{0,7}") {
            let _ = Value::amount(&text);
        }
    }
}
