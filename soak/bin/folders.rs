//! Damaged results folders.

use std::io;
use std::ops::Range;

use pacesim_soak::{Shelves, Unbelieved};

use crate::watch;

/// Damages a folder for each of these numbers; returns the number of failures.
pub(crate) fn run(numbers: Range<u64>) -> io::Result<u64> {
    let shelves = Shelves::new(std::env::current_exe()?)?;
    let (mut sums, mut failed) = (Unbelieved::default(), 0_u64);
    let count = numbers.end - numbers.start;
    for number in numbers {
        watch::case(format!("damaged folder {number}"));
        match shelves.try_damaged(number)? {
            Ok(found) => {
                sums.refused += found.refused;
                sums.same += found.same;
            }
            Err(failure) => {
                failed += 1;
                println!("damaged folder {number}: {failure}");
            }
        }
    }
    println!("{count} damaged results folders, read by every command");
    println!(
        "  believed: {failed}, commands that refused: {}, that said the same as before: {}",
        sums.refused, sums.same
    );
    Ok(failed)
}
