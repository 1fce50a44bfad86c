//! Quantities that are constant or drawn from a distribution.

use std::marker::PhantomData;

use pacesim_language::field::{Field, FileName, Keys, Number, Reader, Written};
use pacesim_language::form::{Form, Key};
use pacesim_language::tree::{Item, TomlTable};
use pacesim_language::{row, table, words};
use pacesim_model::{Distribution, Pause, Sizes, Workload};
use pacesim_units::{Bytes, Quantity, Rate, Span};

use crate::curve;
use crate::values::{PacketCount, Unit, Value};

/// A quantity that may be drawn.
pub(crate) trait Drawable: Unit + Field<Value = Self> {
    const QUANTITY: Quantity;
    /// Distributions of the quantity, one of which is chosen.
    const DISTRIBUTIONS: &'static [Key];
    fn read_distribution(table: &TomlTable, reader: &mut Reader<'_>) -> Option<Distribution>;
    fn written_parts(parts: &[(f64, Distribution)]) -> Written;
}

impl<T: Drawable> Field for Value<T> {
    type Value = Value<T>;
    const FORM: &'static Form = &Form::Drawn(T::QUANTITY, T::DISTRIBUTIONS);

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Value<T>> {
        match item.table() {
            None => T::read(item, reader).map(Value::Constant),
            Some(table) => T::read_distribution(table, reader).map(Value::Drawn),
        }
    }

    fn write(value: &Value<T>) -> Option<Written> {
        match value {
            Value::Constant(value) => T::write(value),
            Value::Drawn(distribution) => Some(written::<T>(distribution)),
        }
    }

    fn stand_in() -> Option<Value<T>> {
        T::stand_in().map(Value::Constant)
    }
}

/// A type of the model that is a constant or a distribution.
pub(crate) struct Drawn<M>(PhantomData<M>);

/// These types, and the quantity that they describe.
macro_rules! as_drawn {
    ($( $model:ident of $quantity:ty; )*) => { $(
        impl Field for Drawn<$model> {
            type Value = $model;
            const FORM: &'static Form = <Value<$quantity> as Field>::FORM;

            fn read(item: &Item, reader: &mut Reader<'_>) -> Option<$model> {
                Some(match Value::<$quantity>::read(item, reader)? {
                    Value::Constant(value) => $model::Constant(value),
                    Value::Drawn(distribution) => $model::Drawn(distribution),
                })
            }

            fn write(value: &$model) -> Option<Written> {
                match value {
                    $model::Constant(value) => <$quantity as Field>::write(value),
                    $model::Drawn(distribution) => Some(written::<$quantity>(distribution)),
                }
            }

            fn stand_in() -> Option<$model> {
                <$quantity as Field>::stand_in().map($model::Constant)
            }
        }
    )* };
}

as_drawn! {
    Sizes of Bytes;
    Pause of Span;
}

/// The names of published sizes.
struct WorkloadName;

words! {
    WorkloadName: Workload {
        "web_search" => Workload::WebSearch, "flows of web search (DCTCP, SIGCOMM 2010) in the points of pFabric's paper; mean 1.7 MB";
        "data_mining" => Workload::DataMining, "flows of data mining (VL2, SIGCOMM 2009) in the points of pFabric's paper; mean 12.7 MB";
        "w1" => Workload::W1, "W1 of Homa's paper (SIGCOMM 2018): values of Facebook's memcached (SIGMETRICS 2012); mean 190 B";
        "w2" => Workload::W2, "W2 of Homa's paper: messages of Google's search; mean 450 B";
        "w3" => Workload::W3, "W3 of Homa's paper: all messages of a data centre of Google; mean 3.1 KB";
        "w4" => Workload::W4, "W4 of Homa's paper: flows of Facebook's Hadoop (Roy et al., SIGCOMM 2015); mean 128 KB";
        "w5" => Workload::W5, "W5 of Homa's paper: web search with a heavier tail; mean 2.5 MB";
        "hadoop" => Workload::W4, "the same as w4";
        "web_server" => Workload::WebServer, "flows of Facebook's web servers within their cluster (Roy et al., SIGCOMM 2015); mean 63 KB";
        "cache_follower" => Workload::CacheFollower, "flows of Facebook's cache followers within their cluster (the same paper); mean 0.7 MB";
    }
}

/// The distributions of a quantity, with two examples of it.
macro_rules! distributions {
    ($module:ident, $quantity:ident as $kind:ident, $low:literal, $high:literal $(, $row:expr)?) => {
        mod $module {
            use super::*;

            /// Exactly two values.
            struct Ends;

            impl Field for Ends {
                type Value = [$quantity; 2];
                const FORM: &'static Form = &Form::Pair(<$quantity as Field>::FORM);

                fn read(item: &Item, _: &mut Reader<'_>) -> Option<[$quantity; 2]> {
                    match item.list()? {
                        [low, high] => Some([low.parsed()?, high.parsed()?]),
                        _ => None,
                    }
                }

                fn write(ends: &[$quantity; 2]) -> Option<Written> {
                    Some(Written::List(ends.iter().map(Written::text).collect()))
                }
            }

            /// Points from a file.
            struct Curve(Distribution);

            impl Field for Curve {
                type Value = Curve;
                const FORM: &'static Form = FileName::FORM;

                fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Curve> {
                    let file = FileName::read(item, reader)?;
                    let text = reader.files.text(&file);
                    let points =
                        text.and_then(|text| curve::parse::<$quantity>(&text, Quantity::$kind));
                    let form = "a CSV file with the columns value and cdf";
                    let points = reader.content(&file, points, form)?.into();
                    let file = file.into();
                    Some(Curve(Distribution::Empirical { file, points }))
                }

                fn write(_: &Curve) -> Option<Written> {
                    None
                }
            }

            table! {
                /// Mean and shape.
                struct Pareto "pareto" {
                    mean: $quantity, "Its mean.", $low;
                    shape: f64 as Number, "Its shape, above 1 (above 0 with max); the smaller, the heavier the tail.", "1.5";
                    max: Option<$quantity>, "The greatest value: a Pareto truncated there, with the given mean.", $high;
                }
            }

            table! {
                /// Mean and standard deviation.
                struct Normal "normal" {
                    mean: $quantity, "Its mean.", $low;
                    std_dev: $quantity, "Its standard deviation.", $low;
                }
            }

            table! {
                /// Mean and the standard deviation of the logarithm.
                struct LogNormal "lognormal" {
                    mean: $quantity, "Its mean.", $low;
                    sigma: f64 as Number, "The standard deviation of the logarithms.", "0.5";
                }
            }

            /// A value or a distribution other than a mixture.
            struct Simple;

            impl Field for Simple {
                type Value = Distribution;
                const FORM: &'static Form = &Form::Drawn(Quantity::$kind, SIMPLE);

                fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Distribution> {
                    match item.table() {
                        None => {
                            let always = <$quantity as Unit>::to_number(item.parsed()?);
                            Some(Distribution::Uniform { low: always, high: always })
                        }
                        Some(table) => simple(table, reader),
                    }
                }

                fn write(part: &Distribution) -> Option<Written> {
                    Some(match part {
                        Distribution::Uniform { low, high } if low == high => {
                            Written::text(<$quantity as Unit>::text_of(*low))
                        }
                        part => written::<$quantity>(part),
                    })
                }
            }

            table! {
                /// A part of a mixture.
                struct MixturePart "part" {
                    weight: f64 as Number, "Its weight; weights are above 0, and need not add up to 1.", "0.6";
                    value: Distribution as Simple, "Its value, or a distribution to draw it from.", $low;
                }
            }

            fn parts_text(parts: &[(f64, Distribution)]) -> Written {
                let part = |(weight, value): &(f64, Distribution)| {
                    let (weight, value) = (*weight, value.clone());
                    MixturePart::write(&MixturePart { weight, value })
                };
                Written::List(parts.iter().filter_map(part).collect())
            }

            const MIXTURE: Key = row!(@key mixture: Option<Vec<MixturePart>>, "One of several, by their weights.", concat!("[{ weight = 0.6, value = \"", $low, "\" }, { weight = 0.4, value = { exponential = \"", $high, "\" } }]"));

            const SIMPLE: &[Key] = &[
                    row!(@key uniform: Option<Ends>, "Equally likely between two values.", concat!("[\"", $low, "\", \"", $high, "\"]")),
                    row!(@key exponential: Option<$quantity>, "Exponential, by its mean.", $low),
                    row!(@key pareto: Option<Pareto>, "Pareto, by its mean; its tail ends at max, or nowhere.", concat!("{ mean = \"", $low, "\", shape = 1.5 }")),
                    row!(@key normal: Option<Normal>, "Normal, by its mean and standard deviation.", concat!("{ mean = \"", $high, "\", std_dev = \"", $low, "\" }")),
                    row!(@key lognormal: Option<LogNormal>, "Log-normal, by its mean and the standard deviation of the logarithms.", concat!("{ mean = \"", $low, "\", sigma = 0.5 }")),
                    row!(@key geometric: Option<$quantity>, "Geometric on 1, 2, 3..., by its mean.", $low),
                    row!(@key empirical: Option<Curve>, "Through the points of a CSV file with the columns value and cdf, the probability of at most the value, in straight lines from point to point; the last is 1.", "curve.csv"),
                    $( $row, )?
            ];

            fn simple(table: &TomlTable, reader: &mut Reader<'_>) -> Option<Distribution> {
                    let [entry] = table.entries.as_slice() else {
                        return None;
                    };
                    let number = <$quantity as Unit>::to_number;
                    let item = &entry.item;
                    Some(match entry.key.as_str() {
                        "uniform" => {
                            let [low, high] = Ends::read(item, reader)?.map(number);
                            Distribution::Uniform { low, high }
                        }
                        "exponential" => Distribution::Exponential { mean: number(item.parsed()?) },
                        "pareto" => {
                            let Pareto { mean, shape, max } = Pareto::read(item, reader)?;
                            Distribution::Pareto { mean: number(mean), shape, max: max.map(number) }
                        }
                        "normal" => {
                            let Normal { mean, std_dev } = Normal::read(item, reader)?;
                            Distribution::Normal { mean: number(mean), std_dev: number(std_dev) }
                        }
                        "lognormal" => {
                            let LogNormal { mean, sigma } = LogNormal::read(item, reader)?;
                            Distribution::LogNormal { mean: number(mean), sigma }
                        }
                        "geometric" => Distribution::Geometric { mean: number(item.parsed()?) },
                        "empirical" => Curve::read(item, reader)?.0,
                        "workload" => Distribution::Workload(WorkloadName::read(item, reader)?),
                        _ => return None,
                    })
            }

            impl Drawable for $quantity {
                const QUANTITY: Quantity = Quantity::$kind;
                const DISTRIBUTIONS: &'static [Key] = &{
                    let mut all = [MIXTURE; SIMPLE.len() + 1];
                    let mut place = 0;
                    while place < SIMPLE.len() {
                        all[place] = SIMPLE[place];
                        place += 1;
                    }
                    all
                };

                fn read_distribution(table: &TomlTable, reader: &mut Reader<'_>) -> Option<Distribution> {
                    match table.entries.as_slice() {
                        [entry] if entry.key == "mixture" => {
                            let parts = <Vec<MixturePart> as Field>::read(&entry.item, reader)?;
                            let parts = parts.into_iter().map(|part| (part.weight, part.value));
                            Some(Distribution::Mixture { parts: parts.collect() })
                        }
                        _ => simple(table, reader),
                    }
                }

                fn written_parts(parts: &[(f64, Distribution)]) -> Written {
                    parts_text(parts)
                }
            }
        }
    };
}

distributions!(rate, Rate as Rate, "8Mbps", "12Mbps");
distributions!(span, Span as Span, "1ms", "5ms");
distributions!(
    bytes,
    Bytes as Bytes,
    "40B",
    "1500B",
    row!(@key workload: Option<WorkloadName>, "Published sizes, by their name.", "w3")
);
distributions!(packets, PacketCount as Packets, "5pkts", "40pkts");

impl Field for PacketCount {
    type Value = PacketCount;
    const FORM: &'static Form = &Form::Quantity(Quantity::Packets);

    fn read(item: &Item, _: &mut Reader<'_>) -> Option<PacketCount> {
        item.parsed()
    }

    fn write(packets: &PacketCount) -> Option<Written> {
        Some(Written::text(packets))
    }
}

/// A distribution by its numbers; a mean may be below the least value of the quantity.
fn written<T: Drawable>(distribution: &Distribution) -> Written {
    let quantity = |number| Written::text(T::text_of(number));
    let number = |x: f64| Written::Plain(format!("{x:?}"));
    let one = |key, value| Written::Table(Keys(vec![(key, value)]));
    let with_mean =
        |mean, key, value| Written::Table(Keys(vec![("mean", quantity(mean)), (key, value)]));
    match *distribution {
        Distribution::Mixture { ref parts } => one("mixture", T::written_parts(parts)),
        Distribution::Empirical { ref file, .. } => {
            one("empirical", Written::File(file.to_string()))
        }
        Distribution::Workload(ref name) => Keys::one::<WorkloadName>("workload", name),
        Distribution::Uniform { low, high } => one(
            "uniform",
            Written::List(vec![quantity(low), quantity(high)]),
        ),
        Distribution::Exponential { mean } => one("exponential", quantity(mean)),
        Distribution::Pareto { mean, shape, max } => {
            let mut keys = vec![("mean", quantity(mean)), ("shape", number(shape))];
            keys.extend(max.map(|max| ("max", quantity(max))));
            one("pareto", Written::Table(Keys(keys)))
        }
        Distribution::Normal { mean, std_dev } => {
            one("normal", with_mean(mean, "std_dev", quantity(std_dev)))
        }
        Distribution::LogNormal { mean, sigma } => {
            one("lognormal", with_mean(mean, "sigma", number(sigma)))
        }
        Distribution::Geometric { mean } => one("geometric", quantity(mean)),
    }
}
