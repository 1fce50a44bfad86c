//! Rates of sources, and loads of links in their place.

use pacesim_language::field::{Field, Keys, LinkRef, Number, Reader, Record};
use pacesim_language::form::Table;
use pacesim_language::names::{Named, Reference};
use pacesim_language::table;
use pacesim_language::tree::{Toml, TomlTable};
use pacesim_units::Rate;

use crate::values::Value;

/// The greatest load that may be offered to a link, relative to its rate.
const MOST_LOAD: f64 = 1000.0;

/// The message and the remedy if a share of a link cannot be a load.
pub fn refused_load(load: f64) -> Option<(String, String)> {
    if load > MOST_LOAD {
        let message = format!("a load of {load} is more than a run can hold");
        let help = format!("give at most {MOST_LOAD}, and for a load that ends less than 1");
        return Some((message, help));
    }
    let is_nothing = load.is_nan() || load <= 0.0;
    is_nothing.then(|| {
        let help = "give more than 0, as in 0.6 for 60 %".to_owned();
        (format!("a load of {load} is nothing"), help)
    })
}

/// The rate of a source as a share of a link, as written.
#[derive(Clone, Debug, PartialEq)]
pub struct RateByLoad {
    /// The key of the rate that follows from it.
    pub key: &'static str,
    /// Share of the link's rate.
    pub load: f64,
    /// Name of the link or of the group of links.
    pub of: String,
}

impl RateByLoad {
    /// The load in the traffic of a flow, if it stands in place of a rate and nothing is wrong with
    /// it.
    pub fn of(traffic: &TomlTable) -> Option<RateByLoad> {
        let key = rate_key(traffic)?;
        let load = match traffic.get("load")?.value {
            Toml::Integer(load) => load as f64,
            Toml::Float(load) => load,
            _ => return None,
        };
        let of = traffic.get("of")?.text()?.to_owned();
        let is_right = refused_load(load).is_none()
            && traffic.get(key).is_none()
            && Reference::parse(&of, Named::Links).is_ok();
        is_right.then_some(RateByLoad { key, load, of })
    }
}

/// The key of the rate of this kind of traffic, if it has one.
fn rate_key(traffic: &TomlTable) -> Option<&'static str> {
    match traffic.get("kind")?.text()? {
        "cbr" | "poisson" | "bulks" | "fractional_noise" | "sessions" | "recorded" | "video" => {
            Some("rate")
        }
        "on_off" | "pareto_on_off" => Some("peak"),
        _ => None,
    }
}

/// The keys of a rate or of the load in its place. Before a scenario is read, the rate takes the
/// place of the load.
macro_rules! rate_or_load {
    ($marker:ident $name:literal: $key:ident $rate:ty, $meaning:literal, $example:literal) => {
        rate_or_load!(
            $marker $name: $key $rate, $meaning, $example,
            "The share of a link that all flows of the group fill together, in bytes on the wire; the rate follows, the same for each. It assumes that all of them cross the link, send from start to end, and lose nothing before it.",
            $rate, true, |rate: Option<$rate>| rate.or_else(<$rate as Field>::stand_in)
        );
    };
    (
        $marker:ident $name:literal: $key:ident $rate:ty, $meaning:literal, $example:literal,
        $load:literal, $value:ty, $is_needed:literal, $read:expr
    ) => {
        pub(crate) struct $marker;

        const _: () = {
            table! {
                /// A rate.
                struct Both $name {
                    $key: Option<$rate>, $meaning, $example;
                    load: Option<f64> as Option<Number>, $load, "0.6";
                    of: Option<Reference> as Option<LinkRef>, "The link that load is a share of, or a group of equal links that are crossed by equally many of the flows.", "core";
                }
            }

            impl Record for $marker {
                type Value = $value;
                const TABLE: &'static Table = Both::TABLE;

                fn read_keys(table: &TomlTable, reader: &mut Reader<'_>) -> Option<$value> {
                    let both = Both::read_keys(table, reader)?;
                    let rate = match (table.get(stringify!($key)).is_some(), $is_needed) {
                        (true, _) => Written::Present,
                        (false, true) => Written::Missing,
                        (false, false) => Written::Omitted,
                    };
                    if rate_key(table).is_some() {
                        complain(stringify!($key), rate, both.load, table, reader);
                    }
                    $read(both.$key)
                }

                fn write_keys(rate: &$value, keys: &mut Keys) {
                    keys.put::<$value>(stringify!($key), rate);
                }
            }
        };
    };
}

rate_or_load!(MeanRate "rate": rate Value<Rate>, "The mean rate, in bits on the wire. Or give load.", "1Mbps");
rate_or_load!(FixedRate "fixed_rate": rate Rate, "The mean rate of all packets, in bits on the wire. Or give load.", "100Mbps");
rate_or_load!(Peak "peak": peak Value<Rate>, "The rate while ON, in bits on the wire. Or give load.", "2Mbps");
rate_or_load!(FixedPeak "fixed_peak": peak Rate, "The rate of each while ON, in bits on the wire. Or give load.", "2Mbps");
rate_or_load!(
    PlayedRate "played_rate": rate Rate,
    "The mean rate from the start to the last packet, in bits on the wire: all times, and deadlines, are stretched or compressed to it, and sizes stay. With deal, the rate of all conversations together. By default as recorded. Or give load.", "5Mbps",
    "The share of a link that all flows of the group fill together, in bytes on the wire; the rate follows, the same for each. It assumes that all of them cross the link, play from start to end, which a recording does once, and lose nothing before it.",
    Option<Rate>, false, Some
);
rate_or_load!(
    FilmedRate "filmed_rate": rate Rate,
    "The mean rate, in bits on the wire: the sizes of all frames are multiplied to reach it, and their times stay. By default as in the file. Or give load.", "5Mbps",
    "The share of a link that all flows of the group fill together, in bytes on the wire; the rate follows, the same for each. It assumes that all of them cross the link, send from start to end, and lose nothing before it.",
    Option<Rate>, false, Some
);

/// The way in which a rate is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Present,
    /// The rate is missing, and needed, or a load in its place.
    Missing,
    /// The rate is omitted, and a default replaces it.
    Omitted,
}

/// Complains of a rate that is missing or said twice, and of a load that cannot be.
fn complain(
    key: &str,
    rate: Written,
    load: Option<f64>,
    table: &TomlTable,
    reader: &mut Reader<'_>,
) {
    let has = |key| table.get(key).is_some();
    if rate == Written::Present && has("load") {
        let message = format!("{key} and load exclude each other");
        return reader.fault_once("load", message, format!("keep {key} or load"));
    }
    if has("of") && !has("load") {
        let message = "there is no load that would be of it".to_owned();
        reader.fault_once("of", message, "leave it out, or give load = 0.6".to_owned());
    } else if rate == Written::Missing && !has("load") {
        let help = format!("write {key} = \"1Mbps\", or load = 0.6 with of = \"core\"");
        reader.fault_once(key, "this key is missing".to_owned(), help);
    } else if let Some((message, help)) = load.and_then(refused_load) {
        reader.fault_once("load", message, help);
    }
    if has("load") && !has("of") {
        let message = "this key is missing, for there is a load".to_owned();
        reader.fault_once("of", message, "write of = \"core\"".to_owned());
    }
}
