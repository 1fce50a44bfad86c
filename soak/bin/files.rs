//! Broken files.

use std::fs;
use std::io;
use std::ops::Range;

use pacesim_soak::{Broken, Kind, Maker, try_broken};

use crate::{panics, watch};

/// Tries a broken file of each kind for each of these numbers; returns the number of failures.
pub(crate) fn run(numbers: Range<u64>) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let folder = around.path().join("case");
    let mut all_failed = 0;
    for kind in Kind::all() {
        let (mut accepted, mut refused, mut failed) = (0_u64, 0_u64, 0_u64);
        for number in numbers.clone() {
            watch::case(format!("{kind:?} {number}"));
            let broken = try_broken(&maker, kind, number, &folder)?;
            fs::remove_dir_all(&folder)?;
            match &broken.outcome {
                Ok(true) => accepted += 1,
                Ok(false) => refused += 1,
                Err(_) => {
                    failed += 1;
                    keep(kind, number, &broken)?;
                }
            }
        }
        let count = accepted + refused + failed;
        println!("{count} broken files: {}", kind.name());
        println!("  failed: {failed}, refused: {refused}, sound nevertheless: {accepted}");
        all_failed += failed;
    }
    Ok(all_failed)
}

/// Reports a failure, and keeps the file.
fn keep(kind: Kind, number: u64, broken: &Broken) -> io::Result<()> {
    let Err(failure) = &broken.outcome else {
        return Ok(());
    };
    let path = std::env::temp_dir().join(format!("pacesim-broken-{number}-{}", kind.name()));
    fs::write(&path, &broken.bytes)?;
    let place = panics::place(failure);
    println!(
        "{} {number}: {failure} {place}: {}",
        kind.name(),
        path.display()
    );
    Ok(())
}
