//! Coverage of confidence intervals.

use std::error::Error;
use std::ops::Range;

use pacesim_soak::METHODS;

/// Runs this many studies with each method, starting at the method of the first number; returns the
/// number of methods that miss their promised coverage.
pub(crate) fn run(numbers: Range<u64>) -> Result<u64, Box<dyn Error>> {
    let studies = numbers.end - numbers.start;
    let before = numbers.start.saturating_sub(1) as usize;
    println!("| intervals | held the truth | half width | repetitions |");
    println!("| --- | --- | --- | --- |");
    let mut broken = 0;
    for method in METHODS.into_iter().skip(before) {
        let folder = tempfile::tempdir()?;
        let found = method.coverage(studies, &folder.path().join("coverage"))?;
        let share = found.held as f64 / studies as f64;
        let (least, most) = method.promised;
        broken += u64::from(share < least || share > most);
        println!(
            "| {} | {:.1} % | {:.1} % | {:.1} |",
            method.name,
            100.0 * share,
            100.0 * found.half_width,
            found.repetitions
        );
    }
    Ok(broken)
}
