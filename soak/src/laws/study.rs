//! Laws of a study's results: intervals around means, verdicts that follow from intervals, figures
//! with places for all their points.

use std::fs;
use std::path::Path;

use pacesim_lab::claims::{Claim, Verdict};

use crate::rows;
use crate::trial::{Failure, Fault};

use super::found::{number_name, read, real};
use super::ranges;

/// Judges the folder of a sweep or of a search, and its claims.
pub(crate) fn judge(out: &Path, claims: &[Claim]) -> Result<(), Failure> {
    let found = read(out)?;
    ranges::judge(&found, false)?;
    intervals(out)?;
    claims.iter().try_for_each(verdict)?;
    figures(&out.join("figures"))
}

/// Means lie within their intervals, and those of numbers that cannot be negative do not reach
/// below 0.
fn intervals(out: &Path) -> Result<(), Failure> {
    let path = out.join("summary.parquet");
    let rows = rows::read(&path).map_err(|error| Fault::Unreadable.seen(error))?;
    for row in &rows {
        let name = number_name(row);
        let [Some(mean), Some(low), Some(high)] = ["mean", "low", "high"].map(|c| real(row, c))
        else {
            continue;
        };
        let slack = 1e-9 * mean.abs();
        if !(low - slack..=high + slack).contains(&mean) {
            return Err(Fault::Law.seen(format!("{name}: {mean} is not from {low} to {high}")));
        }
        if low < 0.0 && !ranges::is_signed(&name) {
            return Err(Fault::Law.seen(format!("{name}: from {low} to {high}, below 0")));
        }
        if real(row, "n").is_some_and(|n| n < 2.0) && low < high {
            return Err(Fault::Law.seen(format!("{name}: an interval of one value")));
        }
    }
    Ok(())
}

fn verdict(claim: &Claim) -> Result<(), Failure> {
    let (Some(low), Some(high)) = (claim.low, claim.high) else {
        return Ok(());
    };
    if claim.least.is_none() && claim.most.is_none() {
        return Ok(());
    }
    let least = claim.least.unwrap_or(f64::NEG_INFINITY);
    let most = claim.most.unwrap_or(f64::INFINITY);
    let is_within = low >= least && high <= most;
    let is_beyond = high < least || low > most;
    let contradicts = match claim.verdict {
        Verdict::Pass => !is_within,
        Verdict::Differs => !is_beyond,
        _ => false,
    };
    if contradicts {
        Err(Fault::Law.seen(format!("the verdict: {claim:?}")))
    } else {
        Ok(())
    }
}

fn figures(folder: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let strange = ["NaN", "inf\"", "inf ", "-inf"]
            .iter()
            .find(|word| text.contains(**word));
        if let Some(word) = strange {
            let seen = format!("{word} in {}", entry.path().display());
            return Err(Fault::NotANumber.seen(seen));
        }
    }
    Ok(())
}
