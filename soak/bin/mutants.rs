//! Broken scenarios and studies kept as files, for readers other than Rust's.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use pacesim_soak::{Kind, Maker, try_broken};

use crate::{panics, watch};

/// Writes a broken scenario and a broken study for each of these numbers, each in a folder of its
/// own below `out` with the files that it names. Returns the number of those that failed here.
pub(crate) fn write(numbers: Range<u64>, out: &Path) -> io::Result<u64> {
    let maker = Maker::default();
    let mut failed = 0;
    for kind in [Kind::Scenario, Kind::Study] {
        for number in numbers.clone() {
            watch::case(format!("{kind:?} {number}"));
            let folder = out.join(format!("{number}-{}", kind.name()));
            let broken = try_broken(&maker, kind, number, &folder)?;
            if let Err(failure) = &broken.outcome {
                failed += 1;
                println!("{kind:?} {number}: {failure} {}", panics::place(failure));
            }
            fs::write(folder.join(kind.name()), &broken.bytes)?;
            if kind == Kind::Study {
                pacesim_soak::write_base(&folder)?;
            }
        }
    }
    println!("written: {}", out.display());
    Ok(failed)
}
