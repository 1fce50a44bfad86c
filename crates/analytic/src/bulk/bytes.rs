//! The bulk queue counted in bytes: packets of several sizes in a buffer of bytes.

use pacesim_units::Bytes;

use super::{Admission, BulkQueue, Bulks};
use crate::SolveError;
use crate::error::require;

/// One class of packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByteClass {
    /// Packets per unit of time.
    pub rate: f64,
    /// Bytes in a packet.
    pub size: Bytes,
}

/// The unit of the buffer's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// All bytes present, those in transmission too (zerobuf eq. 4).
    System,
    /// Only those that wait: the unit of work on the line takes no room.
    Waiting,
}

/// A drop-tail buffer that counts bytes: a packet is taken if the bytes held and its own are at
/// most the buffer, and lost whole otherwise.
///
/// A packet leaves byte by byte, as on a line: transmitted bytes free their room at once. The unit
/// of work is the greatest common divisor of the packet sizes, so nothing is rounded: a buffer of
/// 3100 B for packets of 200 and 1000 B holds as much as one of 3000 B.
#[derive(Clone, Debug, PartialEq)]
pub struct ByteQueue {
    /// The size of the buffer.
    pub buffer: Bytes,
    /// The unit of the buffer's size.
    pub room: Room,
    /// Bytes sent per unit of time.
    pub(crate) bytes_per_time: f64,
    /// The classes of packets.
    pub classes: Vec<ByteClass>,
}

impl ByteQueue {
    /// The unit of work: the largest size that divides every packet.
    pub fn unit(&self) -> Result<Bytes, SolveError> {
        let unit = self.classes.iter().fold(0, |g, c| gcd(g, c.size.get()));
        require(
            unit > 0,
            "every packet has at least one byte",
            || "no class, or only packets of no bytes".to_owned(),
            || "sizes from 1 B".to_owned(),
        )?;
        Ok(Bytes(unit))
    }

    /// The same queue in units of work, whole packets rejected.
    pub(crate) fn in_units(&self) -> Result<BulkQueue, SolveError> {
        let unit = self.unit()?.get();
        let on_the_line = usize::from(self.room == Room::Waiting);
        let bulks = |c: &ByteClass| Bulks {
            rate: c.rate,
            size: (c.size.get() / unit) as usize,
        };
        let queue = BulkQueue {
            places: (self.buffer.get() / unit) as usize + on_the_line,
            service_rate: self.bytes_per_time / unit as f64,
            classes: self.classes.iter().map(bulks).collect(),
            admission: Admission::CompleteRejection,
        };
        queue.check()?;
        Ok(queue)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_kilobytes(room: Room, buffer: u64) -> ByteQueue {
        let class = |rate, size| ByteClass {
            rate,
            size: Bytes(size),
        };
        ByteQueue {
            buffer: Bytes(buffer),
            room,
            bytes_per_time: 200.0,
            classes: vec![class(0.05, 200), class(0.06, 1000)],
        }
    }

    #[test]
    fn packet_sizes_become_places_by_their_common_divisor() {
        let queue = three_kilobytes(Room::System, 3100).in_units().unwrap();
        assert_eq!((queue.places, queue.service_rate), (15, 1.0));
        assert_eq!(queue.classes[1].size, 5);
        let waiting = three_kilobytes(Room::Waiting, 3000).in_units().unwrap();
        assert_eq!(waiting.places, 16);
    }

    #[test]
    fn a_packet_larger_than_the_buffer_is_reported() {
        let error = three_kilobytes(Room::System, 800).in_units().unwrap_err();
        assert!(
            error.to_string().contains("a bulk of 5 with 4 places"),
            "{error}"
        );
    }
}
