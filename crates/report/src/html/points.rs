//! Columns of numbers packed for the page: differences as variable-length integers,
//! deflated, in base64.

use std::io::Write;

use crate::trace::{Recording, TraceError};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pacesim_measure::record::PacketRow;
use serde_json::{Value, json};

/// A column: its name, the number of values and their bytes.
pub(super) struct Packed {
    name: &'static str,
    count: usize,
    bytes: Vec<u8>,
    last: i64,
}

impl Packed {
    fn new(name: &'static str) -> Packed {
        Packed {
            name,
            count: 0,
            bytes: Vec::new(),
            last: 0,
        }
    }

    /// Appends a value as its difference from the last, in zigzag order, seven bits per byte.
    fn push(&mut self, value: i64) {
        let change = value.wrapping_sub(self.last);
        self.last = value;
        self.count += 1;
        let mut rest = (change << 1 ^ change >> 63).cast_unsigned();
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    pub(super) fn json(self) -> Value {
        json!({ "name": self.name, "count": self.count, "bytes": base64(&deflated(&self.bytes)) })
    }
}

/// The packets of a recording, one row per passage of a port.
#[derive(Default)]
pub(super) struct Points {
    rows: Vec<[i64; 7]>,
}

/// Times in the page are in whole nanoseconds.
const NS: u64 = 1000;

impl Points {
    pub(super) fn push(&mut self, row: &PacketRow) {
        let after = |time: Option<u64>| time.map_or(0, |t| (t / NS - row.t_ps / NS) as i64 + 1);
        let flags = i64::from(row.kind)
            | i64::from(row.outcome) << 2
            | i64::from(row.retransmission) << 5
            | i64::from(row.repaired) << 6
            | i64::from(row.ecn & 0b11) << 7;
        self.rows.push([
            (row.t_ps / NS) as i64,
            after(row.release_ps),
            after(row.departure_ps),
            (i64::from(row.flow_id) << 20) | i64::from(row.link_id),
            i64::from(row.seq as u32),
            i64::from(row.size_bytes),
            flags,
        ]);
    }

    /// The columns, sorted by flow, link and time, so that differences are small.
    pub(super) fn pack(mut self) -> Vec<Packed> {
        self.rows
            .sort_unstable_by_key(|row| (row[3], row[0], row[4]));
        let names = ["t", "release", "departure", "place", "seq", "size", "flags"];
        let mut columns = names.map(Packed::new);
        for row in &self.rows {
            for (column, value) in columns.iter_mut().zip(row) {
                column.push(*value);
            }
        }
        columns.into()
    }
}

/// Events of senders: kinds, windows in hundredths of a packet.
pub(super) fn packed_senders(
    recording: &Recording,
    takes: impl Fn(u32) -> bool,
) -> Result<Vec<Packed>, TraceError> {
    let mut rows = Vec::new();
    recording.senders(|row| {
        if takes(row.flow_id) {
            rows.push(row);
        }
    })?;
    rows.sort_by_key(|row| (row.flow_id, row.t_ps));
    let names = [
        "flow", "t", "event", "cwnd", "ssthresh", "flight", "srtt", "pacing",
    ];
    let mut columns = names.map(Packed::new);
    for row in &rows {
        let event = ["window", "timeout", "fast_retransmit", "recovered", "rtt"];
        let event = event.iter().position(|name| *name == row.event);
        let hundredths = |x: f64| (x * 100.0).min(1e15) as i64;
        let values = [
            i64::from(row.flow_id),
            (row.t_ps / NS) as i64,
            event.map_or(0, |place| place as i64),
            hundredths(row.cwnd_pkts),
            row.ssthresh_pkts.map_or(-1, hundredths),
            i64::from(row.in_flight_pkts),
            row.srtt_s.map_or(-1, |s| (s * 1e9) as i64),
            row.pacing_bps.map_or(-1, |rate| rate as i64),
        ];
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    Ok(columns.into())
}

/// Deflated bytes with a zlib header, which browsers inflate.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to a vector cannot fail.
    encoder.write_all(bytes).expect("a vector takes every byte");
    encoder.finish().expect("a vector takes every byte")
}

/// Base64 (RFC 4648) with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for triple in bytes.chunks(3) {
        let byte = |place: usize| u32::from(*triple.get(place).unwrap_or(&0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            if place <= triple.len() {
                text.push(char::from(
                    LETTERS[(word >> (18 - 6 * place) & 63) as usize],
                ))
            } else {
                text.push('=')
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let encoded = texts.map(|text| base64(text.as_bytes()));
        let expected = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        assert_eq!(encoded, expected);
    }

    #[test]
    fn values_are_packed_as_differences() {
        let mut column = Packed::new("t");
        [1000, 1001, 1000, 1064]
            .iter()
            .for_each(|t| column.push(*t));
        assert_eq!(column.bytes, [0xD0, 0x0F, 2, 1, 0x80, 1]);
    }
}
