//! Windows, in packets and fractions of packets.

use std::fmt;
use std::str::FromStr;

use crate::parse::{PARTS, ParseError, Quantity, parse_quantity};

/// A window in millionths of a packet: congestion control counts in fractions.
///
/// ```
/// use pacesim_units::Window;
///
/// let window: Window = "12.5pkts".parse()?;
/// assert_eq!(window.packets(), 12.5);
/// assert_eq!(window.to_string(), "12.5pkts");
/// # Ok::<(), pacesim_units::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window(u64);

impl Window {
    /// The nearest window to this number of packets; negative numbers and NaN become zero.
    pub fn of_packets(packets: f64) -> Window {
        Window((packets * PARTS as f64 + 0.5) as u64)
    }

    /// The number of packets.
    pub fn packets(self) -> f64 {
        self.0 as f64 / PARTS as f64
    }
}

impl FromStr for Window {
    type Err = ParseError;

    /// Parses "12.5pkts".
    fn from_str(text: &str) -> Result<Window, ParseError> {
        parse_quantity(text, Quantity::Window).map(Window)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PARTS => f.write_str("1pkt"),
            _ => write!(f, "{}pkts", self.packets()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_and_written_with_their_fraction() {
        for (text, packets) in [
            ("12.5pkts", 12.5),
            ("1pkt", 1.0),
            ("0.5pkts", 0.5),
            ("64pkts", 64.0),
        ] {
            let window: Window = text.parse().expect(text);
            assert_eq!(window.packets(), packets, "{text}");
            assert_eq!(window.to_string(), text);
            assert_eq!(Window::of_packets(packets), window, "{text}");
        }
    }

    #[test]
    fn finer_parts_and_other_units_are_refused() {
        for text in ["0.0000001pkts", "12.5", "12.5KB", "-1pkts"] {
            assert!(text.parse::<Window>().is_err(), "{text}");
        }
    }
}
