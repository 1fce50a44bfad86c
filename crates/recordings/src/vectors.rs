//! Tmix connection vectors (Weigle et al. 2006): recorded connections as the applications at
//! their two ends saw them, unit by unit of data.
//!
//! A connection is a header line and the lines below it; times are in microseconds, sizes in
//! bytes. Lines that are empty or start with `#` are skipped.
//!
//! | line | means |
//! |---|---|
//! | `SEQ start units id...` | a sequential connection, in which the ends take turns |
//! | `CONC start units units id...` | a concurrent one, each end with waits of its own |
//! | `w initiator acceptor` | what each end may have on its way |
//! | `r time` | the least round trip |
//! | `l rate rate` | loss, from the initiator and from the acceptor |
//! | `m initiator acceptor` | segment sizes |
//! | `> bytes`, `< bytes`, `t time` | sequential: a unit of an end, and the wait between two units |
//! | `c> bytes`, `c< bytes`, `t> time`, `t< time` | the same of concurrent ones |
//!
//! In the alternate format headers begin with `S` and `C`, and a unit is one line, `I` or `A`, then the
//! wait after what the end itself sent, the wait after what came, and the bytes; 0 bytes close.
//!
//! A wait behind an end's last unit is how long it then takes to close; if neither end has one, the end that
//! spoke last takes a second, as in ns-2's player.

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

/// The two ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The end that opens it.
    Initiator,
    /// The end that is called.
    Acceptor,
}

/// A connection. Pairs are of initiator and acceptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// When it begins.
    pub start: Span,
    /// The bytes that each end may have on their way, if said.
    pub windows: Option<[u64; 2]>,
    /// The bytes of each end's segments, if said.
    pub segments: Option<[u64; 2]>,
    /// The least round trip.
    pub round_trip: Span,
    /// The loss of what each end sends.
    pub loss: [f64; 2],
    /// What each end sends, and last, without bytes, that it has no more.
    pub steps: [Arc<[Step]>; 2],
    /// Which end speaks first; both, if they do not take turns.
    pub first: Option<End>,
}

/// The connections of a file, or which line is wrong, and why.
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
    match done.is_empty() {
        true => Err("there is no connection: give lines like \"SEQ 10000 1 1 1\", \"w 29200 29200\", \"r 50000\", \"> 245\", \"t 51257\", \"< 5100\"".to_owned()),
        false => Ok(done.into()),
    }
}

fn finished((number, draft): (usize, Draft)) -> Result<Vector, String> {
    draft.finish().ok_or_else(|| {
        format!("line {number}: this connection sends nothing: give at least one unit, as in \"> 245\" or \"I 0 0 245\"")
    })
}

#[cfg(test)]
mod tests;
