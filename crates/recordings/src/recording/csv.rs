//! Reader of recordings in lines of text.

use std::io::BufRead;

use pacesim_language::problem::shortened;

use super::{Columns, Recording, RecordingError, Rows};
use crate::csv::fields;
use crate::lines::Lines;

pub(super) fn parse(text: impl BufRead, mut rows: Rows<'_>) -> Result<Recording, RecordingError> {
    let mut lines = Lines::of(text);
    let Some((header, names)) = lines.next().map_err(RecordingError::whole)? else {
        return rows.finish();
    };
    let names = fields(names);
    let columns =
        Columns::find(&names).map_err(|message| RecordingError::at("line", header, message))?;
    let width = names.len();
    while let Some((line, text)) = lines.next().map_err(RecordingError::whole)? {
        add(&mut rows, columns, width, &fields(text))
            .map_err(|message| RecordingError::at("line", line, message))?;
    }
    rows.finish()
}

fn add(rows: &mut Rows<'_>, columns: Columns, width: usize, fields: &[&str]) -> Result<(), String> {
    if fields.len() != width {
        let here = fields.len();
        return Err(format!("the header has {width} fields, this row {here}"));
    }
    let at = columns.time.read(fields[columns.time.place])?;
    let deadline = columns
        .deadline
        .map(|column| column.read(fields[column.place]));
    rows.add(at, size(fields[columns.size])?, deadline.transpose()?)
}

fn size(field: &str) -> Result<u64, String> {
    field.parse().map_err(|_| {
        let field = shortened(field);
        format!("\"{field}\" is not a size: accepted are whole bytes, like 1500")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::Span;

    fn parse(text: &str) -> Result<Recording, RecordingError> {
        super::parse(text.as_bytes(), Rows::default())
    }

    fn parsed(text: &str) -> Vec<(u64, u64)> {
        let recording = parse(text).expect(text);
        let arrivals = recording.arrivals.iter();
        arrivals.map(|a| (a.at.as_ps(), a.size.get())).collect()
    }

    fn error(text: &str) -> (String, String) {
        let error = parse(text).expect_err(text);
        (error.place, error.message)
    }

    #[test]
    fn the_header_gives_the_unit() {
        assert_eq!(parsed("t_ps,size_bytes\n7,40"), [(7, 40)]);
        assert_eq!(parsed("time,size\n0.5,40"), [(500_000_000_000, 40)]);
        assert_eq!(parsed("id,bytes,t_us\r\n9,40,1.5\r\n"), [(1_500_000, 40)]);
        assert_eq!(
            parsed("\u{feff}# a trace\n\n\"t_ms\", size\n1, 40\n\n"),
            [(1_000_000_000, 40)]
        );
    }

    #[test]
    fn times_are_exact_and_floats_round_to_the_nearest_picosecond() {
        assert_eq!(parsed("t_s,size\n0.1,1"), [(100_000_000_000, 1)]);
        assert_eq!(parsed("t_s,size\n1e-3,1"), [(1_000_000_000, 1)]);
        assert_eq!(parsed("t_s,size\n0.0000000000016,1"), [(2, 1)]);
    }

    #[test]
    fn deadlines_have_a_unit_of_their_own_and_may_be_missing() {
        let with = parse("t_ms,size,deadline_us\n1,40,1500\n").expect("good");
        let deadlines = with.deadlines.expect("a column of deadlines");
        assert!(deadlines.iter().eq([Span::from_us(1500)]));
        assert_eq!(parse("t_ms,size\n1,40\n").expect("good").deadlines, None);
    }

    #[test]
    fn two_columns_of_one_kind_are_a_mistake() {
        for (header, part) in [
            ("t_s,t_ms,size", "more than one column of times: t_s, t_ms;"),
            ("time,size,t_ns", "times: time, t_ns;"),
            ("t_s,time_s,t_s,size", "times: t_s, time_s, t_s;"),
            ("t_s,size_bytes,bytes", "sizes: size_bytes, bytes;"),
            (
                "t_s,size,deadline_s,deadline_ms",
                "deadlines: deadline_s, deadline_ms;",
            ),
        ] {
            let (at, message) = error(header);
            assert_eq!(at, "line 1", "{header}");
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(
            parsed("t_s,t_x,size,deadline\n1,9,40,9\n"),
            [(1_000_000_000_000, 40)]
        );
    }

    #[test]
    fn errors_name_their_line() {
        for (text, place, part) in [
            ("t_s,size\n0,1\n# pause\nsoon,1\n", "line 4", "\"soon\""),
            ("t_s,size\n1,1\n0.5,1\n", "line 3", "must not decrease"),
            ("t_s,size\n-1,1\n", "line 2", "not a time"),
            ("t_s,size\n1\n", "line 2", "has 2 fields, this row 1"),
            ("t_s,size\n1,0\n", "line 2", "a size of 0 bytes"),
            ("t_s,size\n1,1.5\n", "line 2", "whole bytes"),
            ("t_s,size\nnan,1\n", "line 2", "not a time"),
            ("t_s,size,deadline_s\n1,1,late\n", "line 2", "\"late\""),
            ("# nothing\n\n0.1,40\n", "line 3", "t_s,size_bytes"),
            ("t_s,length\n", "line 1", "size_bytes"),
            ("", "", "no arrivals"),
            ("t_s,size\n", "", "no arrivals"),
        ] {
            let (at, message) = error(text);
            assert_eq!(at, place, "{text}");
            assert!(message.contains(part), "{message}");
        }
    }
}
