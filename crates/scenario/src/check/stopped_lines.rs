//! Lines at a rate of zero, which are down.

use pacesim_language::document::Document;
use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};
use pacesim_units::{ParseError, Rate, Reason};

/// Adds the remedy to faults of lines with a rate of zero.
pub(crate) fn advise(document: &Document, faults: &mut Faults) {
    for fault in &mut faults.list {
        let Some(remedy) = remedy(&fault.path) else {
            continue;
        };
        if document.item(&fault.path).is_some_and(is_zero) {
            fault.help(remedy);
        }
    }
}

/// The remedy if the key is the rate of a line.
fn remedy(path: &str) -> Option<&'static str> {
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
