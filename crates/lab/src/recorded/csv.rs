//! Arrivals from lines of text.

use pacesim::model::Arrival;
use pacesim::units::Span;

use super::{Arrivals, Fault, Place, columns};

pub(super) fn parse(text: &str) -> Result<Vec<Arrival>, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text
        .lines()
        .zip(1..)
        .map(|(line, number)| (line.trim(), number))
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let mut arrivals = Arrivals::default();
    let Some((header, number)) = lines.next() else {
        return arrivals.finish();
    };
    let names: Vec<&str> = fields(header).collect();
    let place = columns::find(&names).map_err(|message| Fault::at(number, message))?;
    for (line, number) in lines {
        let fault = |message| Fault::at(number, message);
        let at = time(field(line, place.time).map_err(fault)?, place).map_err(fault)?;
        let bytes = size(field(line, place.size).map_err(fault)?).map_err(fault)?;
        arrivals.add(number, at, bytes)?;
    }
    arrivals.finish()
}

fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|field| field.trim().trim_matches('"'))
}

fn field(line: &str, place: usize) -> Result<&str, String> {
    let found = fields(line).nth(place);
    found.ok_or_else(|| format!("column {} is missing in \"{line}\"", place + 1))
}

/// Exactly, if a plain decimal of whole picoseconds; else the nearest picosecond.
fn time(field: &str, place: Place) -> Result<Span, String> {
    let exact = format!("{field}{}", place.unit).parse();
    let nearest = || Span::from_ps_f64(field.parse::<f64>().ok()? * place.unit_ps() as f64);
    exact.or_else(|_| {
        nearest().ok_or_else(|| {
            format!(
                "\"{field}\" is not a time: accepted are numbers from 0, in {}",
                place.unit
            )
        })
    })
}

fn size(field: &str) -> Result<u64, String> {
    field
        .parse()
        .map_err(|_| format!("\"{field}\" is not a size: accepted are whole bytes, like 1500"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(u64, u64)> {
        let arrivals = parse(text).expect(text);
        arrivals
            .iter()
            .map(|a| (a.at.as_ps(), a.size.get()))
            .collect()
    }

    fn fault(text: &str) -> (Option<usize>, String) {
        let fault = parse(text).expect_err(text);
        (fault.line, fault.message)
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
    fn faults_name_their_line() {
        assert_eq!(fault("t_s,size\n0,1\n# pause\nsoon,1\n").0, Some(4));
        assert_eq!(fault("t_s,size\n1,1\n0.5,1\n").0, Some(3));
        assert_eq!(fault("t_s,size\n-1,1\n").0, Some(2));
        assert_eq!(fault("t_s,size\n1\n").0, Some(2));
        assert_eq!(fault("t_s,size\n1,0\n").0, Some(2));
        assert_eq!(fault("t_s,size\n1,1.5\n").0, Some(2));
        assert_eq!(fault("t_s,size\nnan,1\n").0, Some(2));
        assert_eq!(fault("").0, None);
        assert!(fault("0.1,40\n").1.contains("time_s,size_bytes"));
        assert!(fault("t_s,length\n").1.contains("size_bytes"));
    }
}
