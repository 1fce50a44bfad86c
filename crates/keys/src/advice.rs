//! Remedies for refused values whose intention is known.

use pacesim_language::document::Document;
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};
use pacesim_units::{ParseError, Rate, Reason};

/// Adds remedies to faults of a scenario.
pub fn advise(document: &Document, faults: &mut Faults) {
    advise_of_lines(document, faults);
    advise_of_loads(document, faults);
}

/// Adds the remedy to faults of lines with a rate of zero.
fn advise_of_lines(document: &Document, faults: &mut Faults) {
    for fault in &mut faults.list {
        let Some(remedy) = remedy_of_line(&fault.path) else {
            continue;
        };
        if document.item(&fault.path).is_some_and(is_zero) {
            fault.help(remedy);
        }
    }
}

/// The remedy if the key is the rate of a line.
fn remedy_of_line(path: &str) -> Option<&'static str> {
    let keys: Vec<&str> = path.split('.').collect();
    match keys[..] {
        [event, "rate"] if event.starts_with("event[") => Some(
            "write up = false in place of the rate, which takes the link down, and up = true where it comes back",
        ),
        [link, "rate"] | [link, "back", "rate"] if link.starts_with("link[") => Some(DOWN),
        ["topology", _, "rate"] | ["topology", _, "back", "rate"] => Some(DOWN),
        _ => None,
    }
}

const DOWN: &str =
    "give a rate above 0; a link that sends nothing is down: [[event]] at \"0s\" with up = false";

fn is_zero(item: &Item) -> bool {
    match &item.value {
        Toml::Text(text) => {
            let error = text.parse::<Rate>().err();
            error.as_ref().map(ParseError::reason) == Some(&Reason::Zero)
        }
        value => value.number() == 0.0,
    }
}

/// Adds the remedy to faults of loads where traffic has no key for them.
fn advise_of_loads(document: &Document, faults: &mut Faults) {
    let unknown = faults.list.iter_mut().filter(|fault| fault.at_key);
    for fault in unknown {
        let Some((traffic, "load")) = fault.path.rsplit_once('.') else {
            continue;
        };
        let kind = document.item(&format!("{traffic}.kind"));
        let kind = kind.and_then(Item::text);
        if traffic.ends_with(".traffic") {
            fault.help(remedy_of_load(kind));
        } else if traffic.ends_with(".exchanges") {
            fault.help("recorded connections keep their own times, and their ends answer each other: no load is known in advance");
        }
    }
    // The fault of the load has the remedy.
    let loads = faults.list.iter().filter(|fault| fault.at_key);
    let loads: Vec<String> = loads.map(|fault| fault.path.clone()).collect();
    for fault in faults.list.iter_mut().filter(|fault| fault.at_key) {
        let traffic = fault.path.strip_suffix(".of");
        let load = traffic.map(|traffic| format!("{traffic}.load"));
        fault.silent |= load.is_some_and(|load| loads.contains(&load));
    }
}

/// The remedy for a load in traffic of a kind that has none.
fn remedy_of_load(kind: Option<&str>) -> String {
    match kind {
        Some("tcp") => "TCP sends what its path allows; give transfers = { size = \"100KB\", arrivals = { kind = \"poisson\", load = 0.5, of = \"core\" } }".to_owned(),
        _ => "give a rate of this source, if it has a key for it, as in rate = \"= 0.5 * load(core)\"".to_owned(),
    }
}
