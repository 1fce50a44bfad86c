//! The lines of a text that may be longer than memory.

use std::io::{BufRead, Read};

/// Greatest length of a recording's lines.
const LONGEST: u64 = 1 << 16;

/// Lines with their numbers, from 1; those that are empty or start with `#` are skipped.
pub(crate) struct Lines<R> {
    source: R,
    number: usize,
    /// Number of bytes before the line.
    before: usize,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn of(source: R) -> Lines<R> {
        Lines {
            source,
            number: 0,
            before: 0,
            line: Vec::new(),
        }
    }

    /// The next line, trimmed, or the reason why it cannot be read.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, &str)>, String> {
        while self.read()? {
            let is_content = match self.line.trim_ascii_start() {
                [] | [b'#', ..] => false,
                [0xEF, 0xBB, 0xBF, ..] if self.number == 1 => {
                    self.line.drain(..3);
                    !matches!(self.line.trim_ascii_start(), [] | [b'#', ..])
                }
                _ => true,
            };
            if is_content {
                let text = str::from_utf8(&self.line).map_err(|error| {
                    let at = self.before + error.valid_up_to();
                    format!("this is not a text file: byte {at} is not UTF-8")
                })?;
                return Ok(Some((self.number, text.trim())));
            }
        }
        Ok(None)
    }

    /// Reads a line; false at the end.
    fn read(&mut self) -> Result<bool, String> {
        self.before += self.line.len();
        self.line.clear();
        self.number += 1;
        let mut source = self.source.by_ref().take(LONGEST);
        let read = source.read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| error.to_string())?;
        if read as u64 == LONGEST && self.line.last() != Some(&b'\n') {
            Err(format!(
                "line {}: it is longer than {} KiB, as no line of such a file is",
                self.number,
                LONGEST >> 10
            ))
        } else {
            Ok(read > 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Result<Vec<(usize, String)>, String> {
        let mut lines = Lines::of(text);
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next()? {
            all.push((number, line.to_owned()));
        }
        Ok(all)
    }

    #[test]
    fn lines_keep_their_numbers() {
        let text = "\u{feff}# a\r\n\n first \r\n#\nsecond\n \n third";
        let expected = [(3, "first"), (5, "second"), (7, "third")];
        let expected = expected.map(|(n, line)| (n, line.to_owned()));
        assert_eq!(all(text.as_bytes()), Ok(expected.to_vec()));
        assert_eq!(all(b""), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_text_is_said() {
        let error = all(b"ab\nc\xFFd\n").expect_err("not UTF-8");
        assert_eq!(error, "this is not a text file: byte 4 is not UTF-8");
        let error = all(&vec![b'7'; 1 << 17]).expect_err("no line");
        assert!(
            error.starts_with("line 1: it is longer than 64 KiB"),
            "{error}"
        );
    }
}
