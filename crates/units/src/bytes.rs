//! Sizes in whole bytes.

use std::fmt;
use std::str::FromStr;

use crate::amount::{amount, debug_as_text};
use crate::parse::{ParseError, Quantity, parse_quantity, write_exact};

/// A number of bytes. K is 1000, Ki is 1024.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub u64);

impl Bytes {
    /// The size of nothing.
    pub const ZERO: Bytes = Bytes(0);

    /// The number of bytes.
    #[inline]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number of bits, which always fits `u128`.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0 as u128 * 8
    }
}

amount!(Bytes, too_much: "a size beyond 64 bits", too_little: "a negative size");
debug_as_text!(Bytes);

impl FromStr for Bytes {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Bytes, ParseError> {
        parse_quantity(text, Quantity::Bytes).map(Bytes)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 4] = [
            (1_000_000_000, "GB"),
            (1_000_000, "MB"),
            (1_000, "KB"),
            (1, "B"),
        ];
        write_exact(f, self.0, &UNITS, "B")
    }
}
