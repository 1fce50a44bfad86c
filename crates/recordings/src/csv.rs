//! The lines of a CSV file.

/// The lines with their numbers, from 1, split at commas, without quotes: the column names first,
/// then the rows. Empty lines and those that start with # are skipped.
pub struct CsvLines<'t>(std::iter::Enumerate<std::str::Lines<'t>>);

impl<'t> CsvLines<'t> {
    /// Reads the lines of this text.
    pub fn of(text: &'t str) -> CsvLines<'t> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        CsvLines(text.lines().enumerate())
    }
}

impl<'t> Iterator for CsvLines<'t> {
    type Item = (usize, Vec<&'t str>);

    fn next(&mut self) -> Option<(usize, Vec<&'t str>)> {
        let is_content = |line: &str| !line.is_empty() && !line.starts_with('#');
        let (before, line) = self.0.find(|(_, line)| is_content(line.trim()))?;
        Some((before + 1, fields(line)))
    }
}

/// The fields of a line, separated by commas, without quotes.
pub(crate) fn fields(line: &str) -> Vec<&str> {
    let fields = line.split(',').map(|field| field.trim().trim_matches('"'));
    fields.collect()
}
