//! Lists of transfers between the members of two groups, which may wait for each other.
//!
//! A CSV file with a header. Columns: `start_s` (or `_ms`, `_us`, `_ns`, `_ps`), `from` and `to`
//! (places in the groups, from 0), `size_bytes`, and optionally `after` (the rows, from 0, that must
//! have arrived, separated by spaces) and `path` (the sender's choice among paths of equal cost). The
//! start of a row with `after` counts from the last of these arrivals.
//!
//! A file that begins as a connection matrix of htsim is read as one.

mod matrix;

use std::io::BufRead;
use std::sync::Arc;

use pacesim_language::problem::shortened;
use pacesim_units::{Bytes, Span};

use crate::csv::fields;
use crate::lines::Lines;
use crate::recording::{RecordingError, TimeColumn};

/// A row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTransfer {
    /// Its start, or the wait after those that it needs.
    pub start: Span,
    /// Place of its source in one group.
    pub from: u32,
    /// Place of its sink in the other.
    pub to: u32,
    /// Bytes of payload.
    pub size: Bytes,
    /// Rows that must have arrived before.
    pub after: Vec<u32>,
    /// Place of its path among those of equal cost, if the sender chooses it.
    pub path: Option<u32>,
}

/// The places of columns in a row.
struct Columns {
    start: TimeColumn,
    from: usize,
    to: usize,
    size: usize,
    after: Option<usize>,
    path: Option<usize>,
}

impl Columns {
    fn find(names: &[&str]) -> Result<Columns, String> {
        let place = |wanted: &[&str]| names.iter().position(|name| wanted.contains(name));
        let need = |wanted: &[&str]| {
            place(wanted).ok_or_else(|| {
                let example = "\"start_s,from,to,size_bytes,after\"";
                format!("no column \"{}\", as in the header {example}", wanted[0])
            })
        };
        let start = TimeColumn::find("start", names)?;
        Ok(Columns {
            start: start.ok_or("no column of starts: accepted are start_s, start_ms, start_us, start_ns and start_ps")?,
            from: need(&["from"])?,
            to: need(&["to"])?,
            size: need(&["size_bytes", "size", "bytes"])?,
            after: place(&["after"]),
            path: place(&["path"]),
        })
    }

    fn read(&self, fields: &[&str], row: usize) -> Result<ListedTransfer, String> {
        let number = |place: usize, what: &str| {
            let field = fields[place];
            let parsed = field.parse::<u32>();
            parsed.map_err(|_| format!("\"{}\" is not {what}", shortened(field)))
        };
        let size = fields[self.size];
        let size = match size.parse::<u64>() {
            Ok(0) => return Err("a transfer of 0 bytes".to_owned()),
            Ok(size) => Bytes(size),
            Err(_) => {
                return Err(format!(
                    "\"{}\" is not a size in whole bytes",
                    shortened(size)
                ));
            }
        };
        let path = self.path.filter(|place| !fields[*place].is_empty());
        let path = path.map(|place| number(place, "the place of a path"));
        Ok(ListedTransfer {
            start: self.start.read(fields[self.start.place])?,
            from: number(self.from, "a place in from")?,
            to: number(self.to, "a place in to")?,
            size,
            after: self
                .after
                .map_or(Ok(Vec::new()), |place| after(fields[place], row))?,
            path: path.transpose()?,
        })
    }
}

/// The rows that a field names.
fn after(field: &str, row: usize) -> Result<Vec<u32>, String> {
    let number = |word: &str| {
        let number = word.parse::<u32>();
        let number =
            number.map_err(|_| format!("\"{}\" is not the number of a row", shortened(word)))?;
        match number as usize == row {
            true => Err(format!("row {row} waits for itself")),
            false => Ok(number),
        }
    };
    field.split_whitespace().map(number).collect()
}

/// The rows of a list, at least one.
pub fn parse(text: impl BufRead) -> Result<Arc<[ListedTransfer]>, RecordingError> {
    let mut lines = Lines::of(text);
    let whole = RecordingError::whole;
    let Some((header, names)) = lines.next().map_err(whole)? else {
        return Err(RecordingError::whole("there is no transfer".to_owned()));
    };
    if matrix::begins_with(names) {
        let first = names.to_owned();
        return matrix::parse((header, &first), &mut lines);
    }
    let names = fields(names);
    let at = |line, message| RecordingError::at("line", line, message);
    let columns = Columns::find(&names).map_err(|message| at(header, message))?;
    let width = names.len();
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    while let Some((line, text)) = lines.next().map_err(whole)? {
        let fields = fields(text);
        if fields.len() != width {
            let message = format!("the header has {width} fields, this row {}", fields.len());
            return Err(at(line, message));
        }
        let row = columns.read(&fields, rows.len());
        rows.push(row.map_err(|message| at(line, message))?);
        places.push(line);
    }
    let count = rows.len();
    for (row, line) in rows.iter().zip(places) {
        if let Some(missing) = row.after.iter().find(|row| **row as usize >= count) {
            let message = format!(
                "it waits for row {missing}, and the last is row {}",
                count - 1
            );
            return Err(at(line, message));
        }
    }
    match count {
        0 => Err(RecordingError::whole("there is no transfer".to_owned())),
        _ => Ok(rows.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_their_starts_ends_and_needs() {
        let text =
            "start_us,from,to,size_bytes,after,path\n0,0,3,1000,,2\n1.5,3,0,20,0,\n0,1,2,7,0 1,\n";
        let rows = parse(text.as_bytes()).expect("good");
        let first = ListedTransfer {
            start: Span::ZERO,
            from: 0,
            to: 3,
            size: Bytes(1000),
            after: Vec::new(),
            path: Some(2),
        };
        assert_eq!(rows[0], first);
        assert_eq!(
            (rows[1].start, &rows[1].after),
            (Span::from_ns(1500), &vec![0])
        );
        assert_eq!((&rows[2].after, rows[2].path), (&vec![0, 1], None));
        let plain = parse("bytes,to,from,start_s\n5,1,0,2\n".as_bytes()).expect("good");
        assert_eq!(plain[0].start, Span::from_secs(2));
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, place, part) in [
            ("", "", "no transfer"),
            ("start_s,from,to,size\n", "", "no transfer"),
            ("from,to,size\n0,1,5\n", "line 1", "start_s"),
            ("start_s,to,size\n", "line 1", "\"from\""),
            ("start_s,from,to,size\n0,0,1,0\n", "line 2", "0 bytes"),
            ("start_s,from,to,size\n0,0,1,1.5\n", "line 2", "whole bytes"),
            ("start_s,from,to,size\n0,a,1,5\n", "line 2", "place in from"),
            ("start_s,from,to,size\nsoon,0,1,5\n", "line 2", "not a time"),
            ("start_s,from,to,size\n0,0,1\n", "line 2", "this row 3"),
            (
                "start_s,from,to,size,after\n0,0,1,5,0\n",
                "line 2",
                "waits for itself",
            ),
            (
                "start_s,from,to,size,after\n0,0,1,5,\n0,0,1,5,7\n",
                "line 3",
                "the last is row 1",
            ),
            (
                "start_s,from,to,size,after\n0,0,1,5,x\n",
                "line 2",
                "number of a row",
            ),
        ] {
            let error = parse(text.as_bytes()).expect_err(text);
            assert_eq!(error.place, place, "{text}");
            assert!(error.message.contains(part), "{}", error.message);
        }
    }
}
