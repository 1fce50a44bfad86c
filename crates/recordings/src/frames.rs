//! The sizes of a video's frames, from a text file: one number per line, or the verbose form of the
//! trace libraries, frame number, type, time and length. Lines that are empty or start with `#` are
//! skipped. Or from a binary trace of ns-2: for each frame two big-endian 32-bit numbers, the
//! microseconds since the previous frame and the size.

use std::io::{BufRead, Read};

use pacesim_language::problem::shortened;
use pacesim_tape::{OpenStore, Tape, TapeWriter};

use crate::lines::Lines;
use crate::recording::unkept;

/// The frames of a video.
#[derive(Debug, PartialEq)]
pub struct Frames {
    /// Sizes of the frames in bytes.
    pub sizes: Tape<u32>,
    /// The microseconds between frames, if the file gives them.
    pub gap_us: Option<u32>,
}

/// The frames of a file, or the faulty line or record and the reason.
pub fn parse(mut file: impl BufRead, stores: Option<&OpenStore>) -> Result<Frames, String> {
    let start = file.fill_buf().map_err(|error| error.to_string())?;
    // Text has no zero byte; the first number of a record has one, since no frame lasts 17 s.
    if start.iter().take(RECORD).any(|byte| *byte == 0) {
        records(file, stores)
    } else {
        lines(file, stores).map(|sizes| Frames {
            sizes,
            gap_us: None,
        })
    }
}

/// The largest frame; a larger one is considered damage, since its packets are sent at one instant
/// and are all in memory.
pub const LARGEST: u32 = 64 << 20;

fn checked(size: u32) -> Result<u32, String> {
    if size <= LARGEST {
        Ok(size)
    } else {
        Err(format!(
            "a frame of {size} is taken for damage: accepted are sizes to {LARGEST}"
        ))
    }
}

/// Number of bytes in a record of ns-2.
const RECORD: usize = 8;

fn records(mut file: impl BufRead, stores: Option<&OpenStore>) -> Result<Frames, String> {
    let mut frames = TapeWriter::new(stores);
    let (mut first_gap, mut has_data) = (None, false);
    while let Some([gap, size]) = record(&mut file, frames.len() + 1)? {
        let steady: u32 = *first_gap.get_or_insert(gap);
        if gap.abs_diff(steady) > 1 {
            return Err(format!(
                "record {}: it comes {gap} us after the previous one, and the first after {steady}: frames must have one rate",
                frames.len() + 1
            ));
        }
        let size = checked(size).map_err(|why| format!("record {}: {why}", frames.len() + 1))?;
        has_data |= size > 0;
        frames.push(size).map_err(unkept)?;
    }
    if has_data {
        Ok(Frames {
            sizes: frames.finish().map_err(unkept)?,
            gap_us: first_gap,
        })
    } else {
        Err(NO_DATA.to_owned())
    }
}

/// Reads the next record, whose number, counted from 1, is `number`.
fn record(file: &mut impl BufRead, number: usize) -> Result<Option<[u32; 2]>, String> {
    let mut bytes = Vec::with_capacity(RECORD);
    let read = file.take(RECORD as u64).read_to_end(&mut bytes);
    match read.map_err(|error| error.to_string())? {
        0 => Ok(None),
        RECORD => {
            let word = |at: usize| {
                bytes[at..at + 4]
                    .iter()
                    .fold(0, |sum, byte| sum << 8 | u32::from(*byte))
            };
            Ok(Some([word(0), word(4)]))
        }
        rest => Err(format!(
            "record {number}: the file ends {rest} bytes within it: it was cut; a record of ns-2 is of 8 bytes"
        )),
    }
}

const NO_DATA: &str = "no frame has any data";

fn lines(text: impl BufRead, stores: Option<&OpenStore>) -> Result<Tape<u32>, String> {
    let mut frames = TapeWriter::new(stores);
    let mut lines = Lines::of(text);
    let mut has_data = false;
    while let Some((number, line)) = lines.next()? {
        let size = size(line).ok_or_else(|| complaint(number, line))?;
        let size = checked(size).map_err(|why| format!("line {number}: {why}"))?;
        has_data |= size > 0;
        frames.push(size).map_err(unkept)?;
    }
    if has_data {
        frames.finish().map_err(unkept)
    } else {
        Err(NO_DATA.to_owned())
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
        "line {number}: \"{line}\" is not a frame: expected is its size alone, a whole number such as \"15600\", or its number, type, time and length, as in \"1 I 0.0 3500\""
    )
}

#[cfg(test)]
mod tests {
    fn parse(text: &str) -> Result<Vec<u32>, String> {
        let frames = super::parse(text.as_bytes(), None)?;
        assert_eq!(frames.gap_us, None);
        Ok(frames.sizes.iter().collect())
    }

    fn of_records(records: &[[u32; 2]]) -> Vec<u8> {
        let words = records.as_flattened().iter();
        words.flat_map(|word| word.to_be_bytes()).collect()
    }

    #[test]
    fn records_of_ns2_have_a_gap_and_a_size() {
        let bytes = of_records(&[[41667, 900], [41666, 0], [41667, 70_000]]);
        let frames = super::parse(&bytes[..], None).expect("sound");
        assert_eq!(frames.sizes.iter().collect::<Vec<_>>(), [900, 0, 70_000]);
        assert_eq!(frames.gap_us, Some(41667));
        for (bytes, expected) in [
            (&bytes[..21], "record 3: the file ends 5 bytes within it"),
            (
                &of_records(&[[40_000, 7], [40_000, 7], [9, 7]])[..],
                "record 3: it comes 9 us after",
            ),
            (&of_records(&[[40_000, 0]])[..], "no frame has any"),
            (
                &of_records(&[[40_000, 7], [40_000, 67_108_865]])[..],
                "record 2: a frame of 67108865",
            ),
        ] {
            let error = super::parse(bytes, None).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
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
            ("", "no frame has any"),
            ("0\n0\n", "no frame has any"),
            ("5\n\nx\n", "line 3: \"x\" is not a frame"),
            ("5\n-1\n", "line 2"),
            ("1 2 3\n", "line 1"),
            ("1 I 0.0\n", "line 1"),
            ("99999999999\n", "line 1"),
            ("67108864\n67108865\n", "line 2: a frame of 67108865"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}
