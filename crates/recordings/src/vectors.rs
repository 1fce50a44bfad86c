//! Tmix connection vectors (Weigle et al. 2006): recorded connections as seen by the applications
//! at their two ends, unit by unit of data.
//!
//! A connection is a header line and the lines below it; times are in microseconds, sizes in bytes.
//! Lines that are empty or start with `#` are skipped.
//!
//! | line | meaning |
//! |---|---|
//! | `SEQ start units id...` | a sequential connection, in which the ends take turns |
//! | `CONC start units units id...` | a concurrent one, each end with waits of its own |
//! | `w initiator acceptor` | window of each end |
//! | `r time` | minimum round-trip time |
//! | `l rate rate` | loss, from the initiator and from the acceptor |
//! | `m initiator acceptor` | segment sizes |
//! | `> bytes`, `< bytes`, `t time` | sequential: a unit of an end, and the wait between two units |
//! | `c> bytes`, `c< bytes`, `t> time`, `t< time` | the same for concurrent ones |
//!
//! In the alternate format headers begin with `S` and `C`, and a unit is one line: `I` or `A`, then
//! the wait after the end's own last unit, the wait after data from the other end, and the bytes; 0
//! bytes close.
//!
//! A wait after an end's last unit is the time until it closes; if neither end has one, the end
//! that sent last waits a second, as in ns-2's player.

mod connection;
mod line;

use std::io::BufRead;
use std::sync::Arc;

use pacesim_model::Step;
use pacesim_units::Span;

use crate::lines::Lines;
use connection::Draft;
use line::Line;

/// Connections, in the order of their file.
pub type Vectors = Arc<[Vector]>;

/// One of the two ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The end that opens the connection.
    Initiator,
    /// The end that accepts the connection.
    Acceptor,
}

/// A connection. Pairs are in the order initiator, acceptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// Time at which the connection starts.
    pub start: Span,
    /// Bytes that each end may have in flight, if given.
    pub windows: Option<[u64; 2]>,
    /// Segment size of each end in bytes, if given.
    pub segments: Option<[u64; 2]>,
    /// Minimum round-trip time of the connection.
    pub round_trip: Span,
    /// Loss rate of the packets of each end.
    pub loss: [f64; 2],
    /// The units that each end sends, followed by an empty one that closes the end.
    pub steps: [Arc<[Step]>; 2],
    /// The end that sends first; `None` if they do not take turns.
    pub first: Option<End>,
}

/// The connections of a file, or the faulty line and the reason.
pub fn parse(text: impl BufRead) -> Result<Vectors, String> {
    let mut done = Vec::new();
    let mut open: Option<(usize, Draft)> = None;
    let mut lines = Lines::of(text);
    while let Some((number, text)) = lines.next()? {
        let line = Line::new(text);
        let at = |why: String| format!("line {number}: {why}");
        match Draft::begun_by(&line).map_err(at)? {
            Some(next) => {
                let before = open.replace((number, next));
                done.extend(before.map(finished).transpose()?);
            }
            None => {
                let (_, draft) = open.as_mut().ok_or_else(|| at(line.is_no_header()))?;
                draft.add(&line).map_err(at)?;
            }
        }
    }
    done.extend(open.map(finished).transpose()?);
    if done.is_empty() {
        Err("there are no connections: give lines such as \"SEQ 10000 1 1 1\", \"w 29200 29200\", \"r 50000\", \"> 245\", \"t 51257\", \"< 5100\"".to_owned())
    } else {
        Ok(done.into())
    }
}

fn finished((number, draft): (usize, Draft)) -> Result<Vector, String> {
    draft.finish().ok_or_else(|| {
        format!("line {number}: this connection sends nothing: give at least one unit, as in \"> 245\" or \"I 0 0 245\"")
    })
}

#[cfg(test)]
mod tests;
