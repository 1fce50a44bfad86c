//! The clairvoyant optimum: the shortest path between the arrival and the deadline curve (zerobuf
//! 4.2; Salehi et al. 1998).
//!
//! Among all schedules in which no packet of a trace leaves before its arrival or after its
//! deadline, the shortest path has the lowest peak rate and the least variance of the rate: the
//! bound for every on-line pacer on the same traffic.

use pacesim_units::{Bytes, Span, Time};
use thiserror::Error;

/// A packet of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueArrival {
    /// Time at which the packet arrives.
    pub at: Time,
    /// Time by which the packet must be released.
    pub deadline: Time,
    /// Size of the packet.
    pub size: u32,
}

/// The reason why a trace cannot be smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TraceError {
    /// The arrivals run backwards.
    #[error("packet {0} comes before the one in front of it; sort the trace by arrival")]
    NotSorted(usize),
    /// A packet is due before the one in front of it.
    #[error(
        "packet {0} is due before the one in front of it; only a first-in-first-out trace can be released packet by packet"
    )]
    Overtakes(usize),
    /// A packet is due before it arrives.
    #[error("packet {0} has its deadline before its arrival, so no release can meet it")]
    DeadlineBeforeArrival(usize),
}

/// An exit curve: straight lines between corners (time, bytes released). Two corners
/// at one time are a jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitCurve {
    corners: Vec<(Time, Bytes)>,
}

/// A wall for the path: at this time it may not be above, or not below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gate {
    at: u64,
    bytes: u64,
    is_ceiling: bool,
}

/// Finds the shortest path from the first arrival to the last deadline.
///
/// ```
/// use pacesim_pacers::offline::{DueArrival, shortest_path};
/// use pacesim_units::{Bytes, Time};
///
/// let us = |n: u64| Time::from_ps(n * 1_000_000);
/// let burst = [0, 0, 0, 9].map(|t| DueArrival { at: us(t), deadline: us(t + 3), size: 1000 });
/// let path = shortest_path(&burst)?;
/// // Three packets in the first 3 us, then one in the next 9.
/// assert_eq!(path.corners()[1], (us(3), Bytes(3000)));
/// assert_eq!(path.peak_rate(), 8e9);
/// # Ok::<(), pacesim_pacers::offline::TraceError>(())
/// ```
pub fn shortest_path(trace: &[DueArrival]) -> Result<ExitCurve, TraceError> {
    check(trace)?;
    let gates = gates(trace);
    let Some(first) = gates.first() else {
        return Ok(ExitCurve {
            corners: Vec::new(),
        });
    };
    let mut here = (first.at, 0);
    let mut corners = vec![here];
    let mut next = 0;
    while next < gates.len() {
        (here, next) = straight_on(&gates, here, next);
        corners.push(here);
    }
    corners.dedup();
    let corners = corners
        .into_iter()
        .map(|(t, b)| (Time::from_ps(t), Bytes(b)));
    Ok(ExitCurve {
        corners: corners.collect(),
    })
}

/// The release of each packet of a trace on the shortest path: when the path passes its last byte,
/// rounded up to a picosecond. The deadlines must be in the trace's order.
pub fn smooth(trace: &[DueArrival]) -> Result<Vec<Time>, TraceError> {
    let path = shortest_path(trace)?;
    if let Some(i) = trace.windows(2).position(|w| w[1].deadline < w[0].deadline) {
        return Err(TraceError::Overtakes(i + 1));
    }
    let (mut end, mut corner) = (0, 0);
    let release = |packet: &DueArrival| {
        end += u64::from(packet.size);
        while path.corners[corner].1.get() < end {
            corner += 1;
        }
        path.crossing(corner, end).max(packet.at)
    };
    Ok(trace.iter().map(release).collect())
}

impl ExitCurve {
    /// Corners of the curve, including its two ends.
    pub fn corners(&self) -> &[(Time, Bytes)] {
        &self.corners
    }

    /// The steepest slope in bits per second; infinite with a jump.
    pub fn peak_rate(&self) -> f64 {
        self.pieces()
            .map(|(span, bits)| bits / span.as_secs_f64())
            .fold(0.0, f64::max)
    }

    /// The variance of the rate over the whole curve, weighted by time, in
    /// (bit/s)^2; infinite with a jump.
    pub fn rate_variance(&self) -> f64 {
        let (mut seconds, mut volume, mut square) = (0.0, 0.0, 0.0);
        for (span, bits) in self.pieces() {
            seconds += span.as_secs_f64();
            volume += bits;
            square += bits / span.as_secs_f64() * bits;
        }
        let mean = volume / seconds;
        square / seconds - mean * mean
    }

    fn pieces(&self) -> impl Iterator<Item = (Span, f64)> + '_ {
        self.corners
            .windows(2)
            .map(|w| (w[1].0 - w[0].0, (w[1].1 - w[0].1).get() as f64 * 8.0))
    }

    /// Time at which the curve passes this number of bytes, on the piece before a corner.
    fn crossing(&self, corner: usize, bytes: u64) -> Time {
        let (to_at, to) = self.corners[corner];
        if corner == 0 || to == self.corners[corner - 1].1 {
            return to_at;
        }
        let (from_at, from) = self.corners[corner - 1];
        let run = u128::from((to_at - from_at).as_ps());
        let left = u128::from(bytes - from.get());
        let wait = (left * run).div_ceil(u128::from((to - from).get()));
        from_at + Span::from_ps(wait as u64)
    }
}

fn check(trace: &[DueArrival]) -> Result<(), TraceError> {
    for (i, packet) in trace.iter().enumerate() {
        if packet.deadline < packet.at {
            return Err(TraceError::DeadlineBeforeArrival(i));
        }
        if i > 0 && packet.at < trace[i - 1].at {
            return Err(TraceError::NotSorted(i));
        }
    }
    Ok(())
}

/// The corners of both curves that constrain a path, in order of time. Just before an arrival, at
/// most the earlier packets can have left; by a deadline, all due packets have left. At equal times
/// the ceiling comes first: a jump is after it.
fn gates(trace: &[DueArrival]) -> Vec<Gate> {
    let mut gates = Vec::with_capacity(2 * trace.len());
    let mut came = 0;
    for packet in trace {
        gates.push(Gate {
            at: packet.at.as_ps(),
            bytes: came,
            is_ceiling: true,
        });
        came += u64::from(packet.size);
    }
    let mut due: Vec<(u64, u32)> = trace.iter().map(|p| (p.deadline.as_ps(), p.size)).collect();
    due.sort_unstable();
    let mut sum = 0;
    for (at, size) in due {
        sum += u64::from(size);
        gates.push(Gate {
            at,
            bytes: sum,
            is_ceiling: false,
        });
    }
    gates.sort_by_key(|g| (g.at, !g.is_ceiling));
    tighten(gates)
}

/// Keeps the binding gate of each time and kind.
fn tighten(gates: Vec<Gate>) -> Vec<Gate> {
    let mut kept: Vec<Gate> = Vec::with_capacity(gates.len());
    for gate in gates {
        match kept.last_mut() {
            Some(last) if (last.at, last.is_ceiling) == (gate.at, gate.is_ceiling) => {
                if !gate.is_ceiling {
                    last.bytes = gate.bytes;
                }
            }
            _ => kept.push(gate),
        }
    }
    kept
}

/// The longest straight line from here through all gates from `next` on: its end, and the first
/// gate after that.
fn straight_on(gates: &[Gate], here: (u64, u64), next: usize) -> ((u64, u64), usize) {
    let (mut roof, mut floor): (Option<usize>, Option<usize>) = (None, None);
    for (i, gate) in gates.iter().enumerate().skip(next) {
        // A gate at this very time has been passed, unless the path must jump.
        if gate.at == here.0 && (gate.is_ceiling || gate.bytes <= here.1) {
            continue;
        }
        if gate.is_ceiling {
            if floor.is_some_and(|f| is_below(here, gate, &gates[f])) {
                return end_at(gates, floor);
            }
            if roof.is_none_or(|r| !is_below(here, &gates[r], gate)) {
                roof = Some(i);
            }
        } else {
            if roof.is_some_and(|r| is_below(here, &gates[r], gate)) {
                return end_at(gates, roof);
            }
            if floor.is_none_or(|f| !is_below(here, gate, &gates[f])) {
                floor = Some(i);
            }
        }
    }
    end_at(gates, floor)
}

fn end_at(gates: &[Gate], gate: Option<usize>) -> ((u64, u64), usize) {
    let i = gate.expect("a line is stopped by a gate it has seen");
    ((gates[i].at, gates[i].bytes), i + 1)
}

/// True if the line from here to `a` is flatter than the line to `b`.
fn is_below(here: (u64, u64), a: &Gate, b: &Gate) -> bool {
    let rise = |g: &Gate| i128::from(g.bytes) - i128::from(here.1);
    let run = |g: &Gate| i128::from(g.at - here.0);
    rise(a) * run(b) < rise(b) * run(a)
}
