//! Damaged stores.

use std::fs;
use std::io;
use std::ops::Range;

use pacesim_soak::{Damaged, Swept};

use crate::{panics, watch};

/// Damages a store for each of these numbers; returns the number of failures.
pub(crate) fn run(numbers: Range<u64>) -> io::Result<u64> {
    let swept = Swept::new()?;
    let around = tempfile::tempdir()?;
    let (mut noticed, mut harmless, mut failed) = (0_u64, 0_u64, 0_u64);
    for number in numbers {
        watch::case(format!("damaged store {number}"));
        let folder = around.path().join(number.to_string());
        match swept.try_damaged(number, &folder)? {
            Ok(Damaged::Noticed) => noticed += 1,
            Ok(Damaged::Harmless) => harmless += 1,
            Err(failure) => {
                failed += 1;
                let place = panics::place(&failure);
                println!("damaged store {number}: {failure} {place}");
            }
        }
        fs::remove_dir_all(&folder)?;
    }
    println!("{} damaged stores and shards", noticed + harmless + failed);
    println!("  failed: {failed}, refused or mended: {noticed}, harmless: {harmless}");
    Ok(failed)
}
