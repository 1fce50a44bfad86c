//! The examples of the reference: one for each table, each accepted as part of a scenario.

use pacesim_scenario::{Raw, WarningName, examples, reference};

/// Parts of a scenario omitted from examples.
const RUN: &str = "[run]\nduration = \"60s\"\nwarmup = \"10s\"\n";
const NODES: &str = "[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n";
const LINK: &str = "[[link]]\nname = \"core\"\nfrom = \"a\"\nto = \"b\"\nrate = \"10Mbps\"\n";
const FLOW: &str = "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\n\
    traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }\n";

/// The files named in examples.
pub(crate) fn file(name: &str) -> Result<String, String> {
    let text = match name {
        "network.csv" => "a,b,km\nParis,Lyon,390\nLyon,Nice,300\nParis,Nice,690\n",
        "frames.txt" => "1000\n2000\n",
        "arrivals.csv" => "t_s,size_bytes\n0.1,1000\n0.2,1000\n",
        "transfers.csv" => "start_us,from,to,size_bytes,after\n0,0,1,64000,\n50,1,0,9000,0\n",
        "cellular.trace" => "1\n2\n5\n",
        "web.cvec" => "SEQ 10000 1 1 1\nw 29200 29200\nr 50000\nl 0 0\n> 245\nt 51257\n< 5100\n",
        _ => return Err(format!("no file {name}")),
    };
    Ok(text.to_owned())
}

/// A whole scenario with this example.
pub(crate) fn whole(example: &str) -> String {
    let tables: toml::Table = example.parse().expect("TOML");
    let has = |key: &str| tables.contains_key(key);
    let mut text = String::new();
    if !has("run") {
        text += RUN;
    }
    text += example;
    text.push('\n');
    if !has("topology") {
        let missing = [("node", NODES), ("link", LINK), ("flow", FLOW)];
        let missing = missing.into_iter().filter(|(key, _)| !has(key));
        missing.for_each(|(_, part)| text += part);
    }
    text
}

#[test]
fn each_is_accepted_without_a_warning() {
    for (heading, example) in examples() {
        let text = whole(example);
        let raw = Raw::parse("example.toml", &text);
        let checked = raw
            .check(&file)
            .unwrap_or_else(|problems| panic!("{heading}: {problems}\n{text}"));
        let mut warnings = raw.warnings(&checked);
        // Examples have flows with ECN on the plain link, and without it beside DualPI2; links of fabrics
        // and stars have equal rates.
        let of_others = [
            WarningName::EcnOff.word(),
            WarningName::NoMarks.word(),
            WarningName::UnheededMarks.word(),
            WarningName::ExactPhases.word(),
        ];
        warnings.retain(|warning| !of_others.contains(&warning.kind));
        assert!(warnings.is_empty(), "{heading}: {warnings:?}");
    }
}

#[test]
fn each_table_of_the_reference_has_one() {
    let page = reference();
    let headings: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .collect();
    let of_examples: Vec<&str> = examples().iter().map(|(heading, _)| *heading).collect();
    assert_eq!(
        of_examples, headings,
        "one example for each table, in order"
    );
}

/// The last name of a heading is a key, or the value of one, of its example.
#[test]
fn each_has_the_table_of_its_heading() {
    for (heading, example) in examples() {
        let last = heading.rsplit(": ").next().expect("a part");
        let is_there = match last.split_once(" = ") {
            Some((key, value)) => example.contains(&format!("{key} = {value}")),
            None => {
                let name = last.trim_matches(|c| c == '[' || c == ']');
                name.contains(' ') || example.contains(name)
            }
        };
        assert!(is_there, "{heading}: {example}");
    }
}
