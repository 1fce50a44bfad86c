//! Quantities as parts of names, which have no dots: "1024us", "1500B".

use pacesim::units::{Bytes, Span};

/// The span in the largest unit that gives an integer.
pub(crate) fn span(span: Span) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000_000, "s"),
        (1_000_000_000, "ms"),
        (1_000_000, "us"),
        (1_000, "ns"),
    ];
    whole(span.as_ps(), &UNITS, "ps")
}

/// The size in the largest unit that gives an integer.
pub(crate) fn bytes(bytes: Bytes) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];
    whole(bytes.get(), &UNITS, "B")
}

fn whole(n: u64, units: &[(u64, &str)], least: &str) -> String {
    let is_whole = |(size, _): &&(u64, &str)| n > 0 && n.is_multiple_of(*size);
    match units.iter().find(is_whole) {
        Some((size, unit)) => format!("{}{unit}", n / size),
        None => format!("{n}{least}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_quantities_have_no_dots() {
        assert_eq!(span(Span::from_us(1024)), "1024us");
        assert_eq!(span(Span::from_ms(2000)), "2s");
        assert_eq!(span(Span::from_ps(1)), "1ps");
        assert_eq!(bytes(Bytes(1500)), "1500B");
        assert_eq!(bytes(Bytes(100_000)), "100KB");
    }
}
