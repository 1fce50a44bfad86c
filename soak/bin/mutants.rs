//! Broken scenarios, written for other programs to read.

use std::io;
use std::ops::Range;
use std::path::Path;

use pacesim_soak::{Maker, write_broken};

/// Writes those of these numbers, each into a folder of its own below the current one.
pub(crate) fn write(numbers: Range<u64>) -> io::Result<u64> {
    let maker = Maker::default();
    for number in numbers {
        write_broken(&maker, number, Path::new(&number.to_string()))?;
    }
    Ok(0)
}
