//! How often intervals hold the truth.

use std::error::Error;
use std::ops::Range;

use pacesim_soak::METHODS;

/// Runs as many studies of each kind, from the first number's on; says how many kinds do not do
/// what is promised.
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
