//! Tables of closed forms, which have six digits.

/// The numbers of each row; a cell that is none is left out.
pub(crate) fn rows(text: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| {
        let cells = line.split(',').filter_map(|cell| cell.parse().ok());
        cells.collect::<Vec<f64>>()
    };
    let found: Vec<_> = text.lines().skip(1).map(numbers).collect();
    assert!(!found.is_empty(), "a table");
    found
}

/// Asserts that a number is that of a table.
pub(crate) fn agree(found: f64, table: f64) {
    let distance = (found - table).abs();
    assert!(
        distance <= 5e-6 * table.abs(),
        "{found} in place of {table}"
    );
}
