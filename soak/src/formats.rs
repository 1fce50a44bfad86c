//! The formats of the files that scenarios name. Each file is named after its format, so that a
//! scenario shows which formats it reads.

use serde_json::Value as Json;

/// The formats that keys accept, by kind. The first is the reference's example.
const KINDS: [&[&str]; 7] = [
    &[
        "arrivals.csv",
        "arrivals.parquet",
        "arrivals.pcap",
        "arrivals.pcapng",
    ],
    &["network.csv"],
    &["cellular.trace"],
    &["frames.txt", "verbose-frames.txt", "frames.bin"],
    &["web.cvec", "alternate.cvec"],
    &["curve.csv"],
    &["transfers.csv"],
];

/// All names of files.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().flatten().copied()
}

/// The formats accepted by the key with this schema, if it takes a file.
pub(crate) fn of(key: &Json) -> Option<&'static [&'static str]> {
    let example = example(key);
    KINDS.into_iter().find(|kind| kind[0] == example)
}

/// The first format of its kind.
pub(crate) fn kind(name: &str) -> &'static str {
    let kind = KINDS.into_iter().find(|kind| kind.contains(&name));
    kind.map_or("", |kind| kind[0])
}

/// The reference's example of a string.
pub(crate) fn example(schema: &Json) -> &str {
    let about = schema["description"].as_str().unwrap_or_default();
    let example = about.rsplit("For example ").next().unwrap_or_default();
    example.trim_matches(['"', '.', ' '])
}
