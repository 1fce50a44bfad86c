//! Distributions of a quantity, which its values are drawn from.

use pacesim_units::Quantity::{Bytes, Rate, Span};

use super::super::keys::Need::{Optional, Required};
use super::super::keys::{Key, Kind, Table};
use super::key;

/// Any finite number: what a distribution allows is told by the distribution.
const SHAPE: Kind = Kind::Number {
    low: f64::NEG_INFINITY,
    high: f64::INFINITY,
};

/// The distributions of one quantity: modules named after the quantity.
macro_rules! distributions {
    ($module:ident, $quantity:ident, $low:literal, $high:literal) => {
        pub(super) mod $module {
            use super::*;
            const VALUE: Kind = Kind::Quantity($quantity);
            pub(in super::super) const KEYS: &[Key] = &[
                key(
                    "uniform",
                    Kind::Pair(&VALUE),
                    Optional,
                    "Equally likely between two values.",
                    concat!("[\"", $low, "\", \"", $high, "\"]"),
                ),
                key(
                    "exponential",
                    VALUE,
                    Optional,
                    "Exponential, by its mean.",
                    concat!("\"", $low, "\""),
                ),
                key(
                    "pareto",
                    Kind::Table(&PARETO),
                    Optional,
                    "Pareto, by its mean; its tail ends at max, or nowhere.",
                    concat!("{ mean = \"", $low, "\", shape = 1.5 }"),
                ),
                key(
                    "normal",
                    Kind::Table(&NORMAL),
                    Optional,
                    "Normal.",
                    concat!("{ mean = \"", $high, "\", std_dev = \"", $low, "\" }"),
                ),
                key(
                    "lognormal",
                    Kind::Table(&LOGNORMAL),
                    Optional,
                    "Log-normal.",
                    concat!("{ mean = \"", $low, "\", sigma = 0.5 }"),
                ),
                key(
                    "geometric",
                    VALUE,
                    Optional,
                    "Geometric on 1, 2, 3..., by its mean.",
                    concat!("\"", $low, "\""),
                ),
            ];
            const MEAN: Key = key(
                "mean",
                VALUE,
                Required,
                "Its mean.",
                concat!("\"", $low, "\""),
            );
            static PARETO: Table = Table {
                name: "pareto",
                doc: "mean and shape",
                parts: &[&[
                    MEAN,
                    key(
                        "shape",
                        SHAPE,
                        Required,
                        "Its shape, above 1 (above 0 with max); the smaller, the heavier the tail.",
                        "1.5",
                    ),
                    key(
                        "max",
                        VALUE,
                        Optional,
                        "The greatest value. The values are those of a Pareto that lie below it, and their mean is still mean.",
                        concat!("\"", $high, "\""),
                    ),
                ]],
            };
            static NORMAL: Table = Table {
                name: "normal",
                doc: "mean and standard deviation",
                parts: &[&[
                    MEAN,
                    key(
                        "std_dev",
                        VALUE,
                        Required,
                        "Its standard deviation.",
                        concat!("\"", $low, "\""),
                    ),
                ]],
            };
            static LOGNORMAL: Table = Table {
                name: "lognormal",
                doc: "mean and the standard deviation of the logarithm",
                parts: &[&[
                    MEAN,
                    key(
                        "sigma",
                        SHAPE,
                        Required,
                        "The standard deviation of the logarithms.",
                        "0.5",
                    ),
                ]],
            };
        }
    };
}

distributions!(rate, Rate, "8Mbps", "12Mbps");
distributions!(span, Span, "1ms", "5ms");
distributions!(bytes, Bytes, "40B", "1500B");
