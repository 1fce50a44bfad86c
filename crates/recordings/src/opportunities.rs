//! Recorded rates in Mahimahi's format: each line is a time in milliseconds at which a packet of
//! 1504 bytes could have been sent.

use std::io::BufRead;

use pacesim_language::problem::shortened;
use pacesim_tape::{OpenStore, Tape, TapeWriter};

use crate::lines::Lines;
use crate::recording::unkept;

/// Upper limit in milliseconds: 100 days, the longest run.
const MOST_MS: u64 = 100 * 24 * 3600 * 1000;

/// The times of a file, or the faulty line and the reason.
pub fn parse(text: impl BufRead, stores: Option<&OpenStore>) -> Result<Tape<u64>, String> {
    let mut times = TapeWriter::new(stores);
    let mut lines = Lines::of(text);
    let mut before = 0;
    while let Some((number, line)) = lines.next()? {
        let time = line.parse().ok().filter(|ms| *ms <= MOST_MS);
        let time = time.ok_or_else(|| {
            let line = shortened(line);
            format!("line {number}: \"{line}\" is not a time: expected is a whole number of milliseconds, such as \"17\"")
        })?;
        if time < before {
            return Err(format!(
                "line {number}: {time} is before {before} of the line above: times must not decrease"
            ));
        }
        times.push(time).map_err(unkept)?;
        before = time;
    }
    match before {
        0 => Err("no opportunity to send after the start: give lines like \"17\"".to_owned()),
        _ => times.finish().map_err(unkept),
    }
}

#[cfg(test)]
mod tests {
    fn parse(text: &str) -> Result<Vec<u64>, String> {
        super::parse(text.as_bytes(), None).map(|times| times.iter().collect())
    }

    #[test]
    fn a_file_is_one_time_a_line() {
        let times = parse("# own\n0\n 17\n\n17\n20\n");
        assert_eq!(times.as_deref(), Ok(&[0, 17, 17, 20][..]));
        for (text, expected) in [
            ("", "no opportunity"),
            ("0\n0\n", "no opportunity"),
            ("1\nx\n", "line 2: \"x\" is not a time"),
            ("1.5\n", "line 1"),
            ("3\n\n2\n", "line 3: 2 is before 3"),
            ("99999999999\n", "line 1"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}
