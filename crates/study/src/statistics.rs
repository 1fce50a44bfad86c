//! Intervals of a study's numbers: consistency of the keys that configure them.

use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};

use crate::keys::Sweep;
use crate::name::NumberName;
use crate::named::numbers;
use crate::study::Study;

/// The settings of `[sweep]` for intervals.
pub(crate) struct Statistics {
    pub(crate) find_warmup: Vec<NumberName>,
    pub(crate) precision: Option<f64>,
    pub(crate) precise: Vec<NumberName>,
}

impl Statistics {
    pub(crate) fn of(sweep: &Sweep, is_search: bool, faults: &mut Faults) -> Statistics {
        one_long_run(sweep, faults);
        if is_search {
            not_in_a_search(sweep, faults);
        }
        let precision = sweep.precision.as_ref().map(of_item);
        if let Some(Err(message)) = &precision {
            faults
                .add("sweep.precision", message.clone())
                .help(GOOD_PRECISION);
        }
        if sweep.precision.is_some() && sweep.most < sweep.replications {
            let (most, least) = (sweep.most, sweep.replications);
            let message = format!("at most {most} replications, and at least {least}");
            let help = "give a greater most, or fewer replications";
            faults.add("sweep.most", message).help(help);
        }
        Statistics {
            find_warmup: numbers(&sweep.find_warmup, "sweep.find_warmup", faults),
            precision: precision.and_then(Result::ok),
            precise: numbers(&sweep.precise, "sweep.precise", faults),
        }
    }
}

/// Batch means come from one run.
fn one_long_run(sweep: &Sweep, faults: &mut Faults) {
    let Some(batches) = sweep.batches else { return };
    let cuts = format!("batches cuts one long run into {batches} windows");
    if sweep.replications > 1 {
        let message = format!("{cuts}, and these are {} runs", sweep.replications);
        let help = "keep one of replications and batches";
        faults.add("sweep.replications", message).help(help);
    }
    if sweep.precision.is_some() {
        let message = format!("{cuts}, and a precision takes replications");
        let help = "keep one of precision and batches; a longer run makes windows more precise";
        faults.add("sweep.precision", message).help(help);
    }
}

/// A search controls replications itself, and compares points that are measured alike.
fn not_in_a_search(sweep: &Sweep, faults: &mut Faults) {
    const REPEATS: &str = "a search repeats its points until it can tell them apart";
    const HELP: &str = "give replications instead";
    let mut refuse = |is_given: bool, key: &str, message: &str, help: &str| {
        if is_given {
            faults.add(format!("sweep.{key}"), message).help(help);
        }
    };
    refuse(sweep.batches.is_some(), "batches", REPEATS, HELP);
    refuse(sweep.precision.is_some(), "precision", REPEATS, HELP);
    refuse(!sweep.more.is_empty(), "more", REPEATS, HELP);
    let alike = "a search measures all points from one warm-up on";
    let help = "give run.warmup; a sweep of some points with find_warmup shows a good one";
    refuse(!sweep.find_warmup.is_empty(), "find_warmup", alike, help);
}

/// Requires at least one number that can become precise.
pub(crate) fn nothing_precise(study: &Study, faults: &mut Faults) {
    if study.precision.is_some() && study.precise_numbers().is_empty() && faults.list.is_empty() {
        let help = "name some: precise = [\"link.core.loss_ratio\"]";
        let message = "no number is to be this precise: there are neither figures nor claims";
        faults.add("sweep.precision", message).help(help);
    }
}

const GOOD_PRECISION: &str = "give a share of the mean, such as \"2%\" or 0.02";

fn of_item(item: &Item) -> Result<f64, String> {
    match &item.value {
        Toml::Text(text) => precision(text),
        value => in_range(value.number()).ok_or_else(|| wrong(&value.to_string())),
    }
}

/// Parses a precision: "2%" or "0.02", above zero and below 100 %.
pub fn precision(text: &str) -> Result<f64, String> {
    let share = percent(text).or_else(|| text.trim().parse().ok());
    share.and_then(in_range).ok_or_else(|| wrong(text))
}

/// Reads a share that is written as "90%".
pub(crate) fn percent(text: &str) -> Option<f64> {
    let percent: f64 = text.trim().strip_suffix('%')?.trim_end().parse().ok()?;
    Some(percent / 100.0)
}

fn in_range(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then_some(share)
}

fn wrong(text: &str) -> String {
    format!("\"{text}\" is not a precision above 0 and below 100 %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precision_is_a_share_of_the_mean() {
        for text in ["2%", "2 %", " 2% ", "0.02"] {
            assert_eq!(precision(text), Ok(0.02), "{text}");
        }
        for text in ["", "0", "0%", "100%", "1", "-2%", "two", "nan", "%"] {
            assert!(precision(text).is_err(), "{text}");
        }
    }
}
