//! Recorded rates in Mahimahi's format: each line is a time in milliseconds at which a packet of
//! 1504 bytes could have been sent.

use std::sync::Arc;

use pacesim_language::problem::shortened;

/// The most milliseconds: 100 days, the longest run.
const MOST_MS: u64 = 100 * 24 * 3600 * 1000;

/// The times of a file, or which line is wrong, and why.
pub(crate) fn parse(text: &str) -> Result<Arc<[u64]>, String> {
    let mut times: Vec<u64> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let (number, line) = (i + 1, line.trim());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let time = line.parse().ok().filter(|ms| *ms <= MOST_MS);
        let time = time.ok_or_else(|| {
            let line = shortened(line);
            format!("line {number}: \"{line}\" is no time: expected is a whole number of milliseconds, as in \"17\"")
        })?;
        if let Some(before) = times.last().filter(|before| **before > time) {
            return Err(format!(
                "line {number}: {time} is before {before} of the line above: times must not decrease"
            ));
        }
        times.push(time);
    }
    match times.last() {
        Some(last) if *last > 0 => Ok(times.into()),
        _ => Err("no opportunity to send after the start: give lines like \"17\"".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_time_a_line() {
        let times = parse("# own\n0\n 17\n\n17\n20\n");
        assert_eq!(times.as_deref(), Ok(&[0, 17, 17, 20][..]));
        for (text, expected) in [
            ("", "no opportunity"),
            ("0\n0\n", "no opportunity"),
            ("1\nx\n", "line 2: \"x\" is no time"),
            ("1.5\n", "line 1"),
            ("3\n\n2\n", "line 3: 2 is before 3"),
            ("99999999999\n", "line 1"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}
