//! Capacity of a buffer: packets, bytes, or unlimited.

use std::fmt;
use std::str::FromStr;

use crate::Bytes;
use crate::parse::{ParseError, Quantity, Reason, parse_quantity, unit_of};

/// Capacity of a buffer, with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// This number of packets of any size.
    Packets(u64),
    /// At most this number of bytes.
    Bytes(Bytes),
    /// A buffer without a limit.
    Unlimited,
}

impl FromStr for Capacity {
    type Err = ParseError;

    /// Parses "40pkts", "10KB" or "unlimited".
    fn from_str(text: &str) -> Result<Capacity, ParseError> {
        let trimmed = text.trim();
        if trimmed == "unlimited" {
            return Ok(Capacity::Unlimited);
        }
        match unit_of(trimmed) {
            "pkt" | "pkts" | "packet" | "packets" => {
                parse_quantity(text, Quantity::Packets).map(Capacity::Packets)
            }
            "" => Err(ParseError::new(text, Quantity::Capacity, Reason::NoUnit)),
            _ => match parse_quantity(text, Quantity::Bytes) {
                Ok(n) => Ok(Capacity::Bytes(Bytes(n))),
                Err(e) => Err(ParseError::new(
                    text,
                    Quantity::Capacity,
                    e.reason().clone(),
                )),
            },
        }
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Capacity::Packets(1) => f.write_str("1pkt"),
            Capacity::Packets(n) => write!(f, "{n}pkts"),
            Capacity::Bytes(b) => b.fmt(f),
            Capacity::Unlimited => f.write_str("unlimited"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_say_packets_bytes_or_unlimited() {
        assert_eq!("40pkts".parse(), Ok(Capacity::Packets(40)));
        assert_eq!("1 pkt".parse(), Ok(Capacity::Packets(1)));
        assert_eq!("10KB".parse(), Ok(Capacity::Bytes(Bytes(10_000))));
        assert_eq!("unlimited".parse(), Ok(Capacity::Unlimited));
        for text in ["40", "1.5pkts", "10Mbps", ""] {
            assert!(text.parse::<Capacity>().is_err(), "{text}");
        }
        for c in [
            Capacity::Packets(40),
            Capacity::Bytes(Bytes(1500)),
            Capacity::Unlimited,
        ] {
            assert_eq!(c.to_string().parse(), Ok(c));
        }
    }
}
