//! Names of an axis's values in figures.

use pacesim_language::problem::{Faults, suggest};
use pacesim_language::tree::Item;

/// The name in words of each value that has one, by the value's text.
pub(crate) fn of(
    path: &str,
    labels: &[(String, Item)],
    texts: &[&str],
    faults: &mut Faults,
) -> Vec<(String, String)> {
    let mut read = Vec::new();
    for (value, label) in labels {
        let at = format!("{path}.labels.{value}");
        if !texts.contains(&value.as_str()) {
            let message = format!("the axis has no value \"{value}\"");
            faults
                .add(at, message)
                .help(suggest(value, texts.iter().copied()));
            continue;
        }
        match label.text() {
            Some(label) => read.push((value.clone(), label.to_owned())),
            None => {
                let message = format!("{} is not a text", label.value.what());
                let help = format!("write \"{}\" between quotes", label.value);
                faults.add(at, message).help(help);
            }
        }
    }
    read
}
