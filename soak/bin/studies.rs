//! Random studies.

use std::io;
use std::ops::Range;

use pacesim_soak::{Studied, study, try_study};

use crate::{panics, watch};

/// Tries the studies of these numbers; returns the number of failures.
pub(crate) fn run(numbers: Range<u64>) -> io::Result<u64> {
    let around = tempfile::tempdir()?;
    let (mut swept, mut refused, mut mistakes, mut failed) = (0_u64, 0_u64, 0, 0_u64);
    for number in numbers {
        watch::case(format!("study {number}"));
        let text = study(number);
        match try_study(&text, &around.path().join("out"))? {
            Ok(Studied::Swept) => swept += 1,
            Ok(Studied::Refused(problems)) => {
                refused += 1;
                mistakes += problems;
            }
            Err(failure) => {
                failed += 1;
                let place = panics::place(&failure);
                println!("study {number}: {failure} {place}\n{text}");
            }
        }
    }
    println!("{} generated studies", swept + refused + failed);
    println!(
        "  failed: {failed}, swept or searched: {swept}, refused by check: {refused} ({mistakes} mistakes)"
    );
    Ok(failed)
}
