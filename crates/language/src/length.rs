//! Lengths with their unit.

use std::fmt;
use std::str::FromStr;

/// A length in whole metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Number of metres.
    pub metres: u64,
}

impl FromStr for Length {
    type Err = String;

    /// Parses "120km" or "35 m".
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

/// A decimal number times 10^decimals, if that is an integer: ("1.5", 3) is 1500.
pub fn scaled(number: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > decimals {
        return None;
    }
    format!("{whole}{fraction:0<decimals$}").parse().ok()
}
