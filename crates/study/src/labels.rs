//! Names of an axis's values in figures.

use pacesim_language::problem::{Faults, suggest};
use pacesim_language::tree::Item;

use crate::axis::AxisValue;

/// The name in words of each value that has one, by the value's text.
pub(crate) fn of(
    path: &str,
    labels: &[(String, Item)],
    values: &[AxisValue],
    faults: &mut Faults,
) -> Vec<(String, String)> {
    let mut read = Vec::new();
    for (value, label) in labels {
        let at = format!("{path}.labels.{value}");
        let texts = || values.iter().map(|value| value.text.as_str());
        if !texts().any(|text| text == value) {
            let message = format!("the axis has no value \"{value}\"");
            faults.add(at, message).help(suggest(value, texts()));
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
