//! Laws for answers that would be wrong in silence.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use pacesim_soak::{Lawful, Maker, try_laws};

use crate::{panics, watch};

/// The most failures whose files are kept.
const KEPT: u64 = 20;

/// Keeps a failing study with the files that it names.
fn keep(number: u64, folder: &Path, text: &str) -> io::Result<()> {
    let kept = std::env::temp_dir().join(format!("pacesim-laws-{number}"));
    fs::create_dir_all(&kept)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), kept.join(entry.file_name()))?;
        }
    }
    fs::write(kept.join("laws.toml"), text)?;
    println!("kept: {}", kept.display());
    Ok(())
}

/// Tries the laws on the scenarios of these numbers; returns the number of failures. A single one
/// is reduced to the least study that fails.
pub(crate) fn run(numbers: Range<u64>) -> io::Result<u64> {
    let maker = Maker::default();
    let around = tempfile::tempdir()?;
    let folder = around.path().join("case");
    let (mut swept, mut failed, mut sums) = (0_u64, 0_u64, Lawful::default());
    let count = numbers.end - numbers.start;
    for number in numbers {
        watch::case(format!("laws {number}"));
        match try_laws(&maker, number, &folder, count == 1)? {
            Ok(lawful) => {
                swept += u64::from(lawful.is_swept);
                sums.stagings += lawful.stagings;
                sums.windows += lawful.windows;
                sums.numbers += lawful.numbers;
                sums.rows += lawful.rows;
            }
            Err((failure, text)) => {
                failed += 1;
                println!(
                    "laws {number}: {failure} {}\n{text}",
                    panics::place(&failure)
                );
                if failed <= KEPT {
                    keep(number, &folder, &text)?;
                }
            }
        }
        fs::remove_dir_all(&folder)?;
    }
    println!("{count} generated scenarios under laws");
    println!("  failed: {failed}, swept: {swept}");
    println!("  points equal to the plain one: {}", sums.stagings);
    println!("  windows that add up: {}", sums.windows);
    println!(
        "  numbers: {}, rows of measures: {}",
        sums.numbers, sums.rows
    );
    Ok(failed)
}
