//! Numbers as the keys of a study name them: by name, or by a formula.

use pacesim_language::problem::Faults;

use crate::formula;
use crate::name::NumberName;

/// The number that a text names, or computes by a formula; else the message and the remedy.
pub fn named(text: &str) -> Result<NumberName, (String, String)> {
    if formula::is_formula(text) {
        return formula::name(text);
    }
    text.parse().map_err(|message| {
        let help =
            "give OF.ENTITY.METRIC, like \"flows.f.goodput_bps\" or \"link.core.loss_ratio\"";
        (message, help.to_owned())
    })
}

/// Reads the name of one number.
pub(crate) fn number(text: &str, path: &str, faults: &mut Faults) -> Option<NumberName> {
    let name = number_or_each(text, path, faults)?;
    is_one(&name, path, faults).then_some(name)
}

/// Complains of a name that stands for several numbers.
pub(crate) fn is_one(name: &NumberName, path: &str, faults: &mut Faults) -> bool {
    if name.is_pattern() {
        let message = format!("\"{name}\" stands for several numbers");
        let help = format!("write sum({name}), or mean, min or max of them");
        faults.add(path, message).help(help);
    }
    !name.is_pattern()
}

/// Reads the name of a number, or of one for each place along a figure.
pub(crate) fn number_or_each(text: &str, path: &str, faults: &mut Faults) -> Option<NumberName> {
    let name = named(text);
    if let Err((message, help)) = &name {
        faults.add(path, message.clone()).help(help.clone());
    }
    name.ok()
}

/// Reads a list of names of numbers.
pub(crate) fn numbers(texts: &[String], path: &str, faults: &mut Faults) -> Vec<NumberName> {
    let texts = texts.iter().enumerate();
    texts
        .filter_map(|(i, text)| number(text, &format!("{path}[{i}]"), faults))
        .collect()
}

/// Requires a quantile between the least and the greatest value.
pub(crate) fn is_inside(quantile: f64, path: &str, faults: &mut Faults) {
    if quantile <= 0.0 || quantile >= 1.0 {
        let message =
            format!("{quantile} is not a quantile between the least and the greatest value");
        let help = "give more than 0 and less than 1, such as 0.5 for the median";
        faults.add(format!("{path}.quantile"), message).help(help);
    }
}
