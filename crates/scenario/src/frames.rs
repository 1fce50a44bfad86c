//! The sizes of a video's frames, from a text: one number a line, or the verbose form of the
//! trace libraries, frame number, type, time and length. Lines that are empty or start with `#`
//! are skipped.

use std::io::BufRead;

use pacesim_language::problem::shortened;
use pacesim_tape::{OpenStore, Tape, TapeWriter};

use crate::lines::Lines;
use crate::recording::unkept;

/// The numbers of a file, or which line is wrong, and why.
pub(crate) fn parse(text: impl BufRead, stores: Option<&OpenStore>) -> Result<Tape<u32>, String> {
    let mut frames = TapeWriter::new(stores);
    let mut lines = Lines::of(text);
    let mut has_data = false;
    while let Some((number, line)) = lines.next()? {
        let size = size(line).ok_or_else(|| complaint(number, line))?;
        has_data |= size > 0;
        frames.push(size).map_err(unkept)?;
    }
    match has_data {
        true => frames.finish().map_err(unkept),
        false => Err("there is no frame that has any data".to_owned()),
    }
}

fn size(line: &str) -> Option<u32> {
    let mut words = line.split_whitespace();
    let (first, kind) = (words.next()?, words.next());
    let number = match kind {
        None => first,
        Some(kind) if kind.chars().all(char::is_alphabetic) => words.nth(1)?,
        Some(_) => return None,
    };
    number.parse().ok()
}

fn complaint(number: usize, line: &str) -> String {
    let line = shortened(line);
    format!(
        "line {number}: \"{line}\" is no frame: expected is its size alone, a whole number as in \"15600\", or its number, type, time and length, as in \"1 I 0.0 3500\""
    )
}

#[cfg(test)]
mod tests {
    fn parse(text: &str) -> Result<Vec<u32>, String> {
        super::parse(text.as_bytes(), None).map(|frames| frames.iter().collect())
    }

    #[test]
    fn sizes_stand_alone_or_behind_number_type_and_time() {
        assert_eq!(
            parse("# own\n15600\n\n 7 \n").as_deref(),
            Ok(&[15600, 7][..])
        );
        let verbose = "1\tI\t0.0\t3500\n3\tP\t120.0\t900\n2\tB\t40.0\t80 extra\n";
        assert_eq!(parse(verbose).as_deref(), Ok(&[3500, 900, 80][..]));
    }

    #[test]
    fn what_is_no_frame_is_said_with_its_line() {
        for (text, expected) in [
            ("", "no frame that has any"),
            ("0\n0\n", "no frame that has any"),
            ("5\n\nx\n", "line 3: \"x\" is no frame"),
            ("5\n-1\n", "line 2"),
            ("1 2 3\n", "line 1"),
            ("1 I 0.0\n", "line 1"),
            ("99999999999\n", "line 1"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}
