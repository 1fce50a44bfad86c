//! The points of a distribution in a CSV file: a value has its unit, or is a number of bytes,
//! seconds, bit/s or packets.

use pacesim_language::problem::shortened;
use pacesim_recordings::curve::points;
use pacesim_units::Quantity;

use crate::values::Unit;

/// The points of a file, in the smallest units, or the faulty line with the reason.
pub(crate) fn parse<T: Unit>(text: &str, quantity: Quantity) -> Result<Vec<(f64, f64)>, String> {
    points(
        text,
        |value| Ok(in_units::<T>(value, quantity)?.to_number()),
    )
}

fn in_units<T: Unit>(value: &str, quantity: Quantity) -> Result<T, String> {
    let unit = match quantity {
        Quantity::Span => "s",
        Quantity::Rate => "bps",
        Quantity::Bytes => "B",
        Quantity::Packets | Quantity::Window | Quantity::Capacity => "pkts",
    };
    let parsed = value.parse::<T>();
    let parsed = parsed.or_else(|_| format!("{value}{unit}").parse());
    parsed.map_err(|_| {
        let (value, name) = (shortened(value), quantity.name());
        format!("\"{value}\" is not a valid {name}: give a number in {unit} or with its unit")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::{Bytes, Span};

    #[test]
    fn values_have_units_or_are_in_the_base_unit() {
        let sizes = parse::<Bytes>("# own\nvalue,cdf\n100,0.5\n\n2KB, 1\n", Quantity::Bytes);
        assert_eq!(sizes, Ok(vec![(100.0, 0.5), (2000.0, 1.0)]));
        let times = parse::<Span>("value,cdf\n0.001,1", Quantity::Span);
        assert_eq!(times, Ok(vec![(1e9, 1.0)]));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, expected) in [
            ("", "it is empty"),
            ("1,2\n", "line 1: the first line must be"),
            ("value,cdf\n", "there are no points"),
            ("value,cdf\n1KB\n", "line 2: \"1KB\" is not a pair"),
            ("value,cdf\n1s,1\n", "line 2: \"1s\" is not a valid size"),
            (
                "value,cdf\n1KB,1.5\n",
                "line 2: \"1.5\" is not a probability",
            ),
            ("value,cdf\n2KB,0.5\n1KB,1\n", "line 3: the value is less"),
            (
                "value,cdf\n2KB,0.5\n3KB,0.4\n",
                "line 3: the probability is less",
            ),
            (
                "value,cdf\n2KB,0.5\n3KB,0.9\n",
                "line 3: the probabilities rise to 0.9 only",
            ),
        ] {
            let error = parse::<Bytes>(text, Quantity::Bytes).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
