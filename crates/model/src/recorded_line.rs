//! A queue discipline in front of a line that takes packets only at recorded opportunities.

use pacesim_pacers::Opportunities;
use pacesim_queues::{AnyQueue, Line, Mark, Pending, Queue, Reason, State, Turn, Waiting};
use pacesim_tape::Tape;
use pacesim_units::{Bytes, Time};

/// A discipline whose line takes 1504 bytes at each opportunity, of one packet or of several; a
/// packet may need several, and unused bytes are lost. Packets that come at the very instant of an
/// opportunity, or later, have no part in it.
#[derive(Debug)]
pub struct RecordedLine {
    queue: AnyQueue,
    opportunities: Opportunities,
    /// Remaining bytes of the opportunity in use, and the packets that may still use them.
    left: u32,
    entitled: u64,
    /// A packet that has left the discipline and needs more bytes before it departs.
    leaving: Option<Leaving>,
    /// Packets that came at the last instant of arrivals.
    latest: (Time, u64),
}

/// A packet on its way out of the discipline.
#[derive(Clone, Copy, Debug)]
struct Leaving {
    key: u32,
    mark: Option<Mark>,
    size: u32,
    /// Number of bytes that have yet to be sent.
    missing: u32,
}

impl RecordedLine {
    /// A discipline in front of a line with these opportunities, in milliseconds.
    pub fn new(queue: AnyQueue, opportunities_ms: &Tape<u64>) -> RecordedLine {
        RecordedLine {
            queue,
            opportunities: Opportunities::new(opportunities_ms),
            left: 0,
            entitled: 0,
            leaving: None,
            latest: (Time::ZERO, 0),
        }
    }

    /// Sends the packet on its way out, if the opportunity has the bytes.
    fn send(&mut self) -> Option<Turn> {
        let leaving = self.leaving.as_mut()?;
        let goes = leaving.missing.min(self.left);
        leaving.missing -= goes;
        self.left -= goes;
        let Leaving {
            key, mark, missing, ..
        } = *leaving;
        (missing == 0).then(|| {
            self.leaving = None;
            Turn::Go { key, mark }
        })
    }

    /// Takes the next packet out of the discipline; `Some` if that answers the call.
    fn take_out(&mut self, now: Time, line: Line) -> Option<Turn> {
        let before = self.queue.waiting().bytes;
        match self.queue.turn(now, line) {
            Turn::Hold => Some(Turn::Hold),
            Turn::Drop(key, reason) => {
                self.entitled = self.entitled.saturating_sub(1);
                Some(Turn::Drop(key, reason))
            }
            cut @ Turn::Trim { .. } => Some(cut),
            Turn::Go { key, mark } => {
                self.entitled = self.entitled.saturating_sub(1);
                let size = (before - self.queue.waiting().bytes).get() as u32;
                let missing = size;
                self.leaving = Some(Leaving {
                    key,
                    mark,
                    size,
                    missing,
                });
                None
            }
        }
    }

    /// Begins the next opportunity if its time has come.
    fn begin_next(&mut self, now: Time) -> bool {
        if self.opportunities.time() > now {
            return false;
        }
        let at = self.opportunities.take();
        let (came, too_late) = self.latest;
        let too_late = if came >= at { too_late } else { 0 };
        self.left = Opportunities::BYTES;
        self.entitled = self.queue.waiting().packets.saturating_sub(too_late);
        true
    }
}

impl Queue for RecordedLine {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        if self.waiting().packets == 0 {
            self.opportunities.pass_by(now);
            (self.left, self.entitled) = (0, 0);
        }
        self.latest.1 = if self.latest.0 == now {
            self.latest.1 + 1
        } else {
            1
        };
        self.latest.0 = now;
        self.queue.arrive(now, packet)
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        if line == Line::Busy {
            return self.queue.turn(now, line);
        }
        loop {
            if let Some(turn) = self.send() {
                return turn;
            }
            let may_leave = self.leaving.is_none() && self.left > 0 && self.entitled > 0;
            if may_leave {
                match self.take_out(now, line) {
                    Some(turn) => return turn,
                    None => continue,
                }
            }
            if self.waiting().packets == 0 || !self.begin_next(now) {
                return Turn::Hold;
            }
        }
    }

    fn waiting(&self) -> Waiting {
        let waiting = self.queue.waiting();
        match self.leaving {
            None => waiting,
            Some(leaving) => Waiting {
                packets: waiting.packets + 1,
                bytes: waiting.bytes + Bytes(u64::from(leaving.size)),
            },
        }
    }

    fn state(&self) -> Option<State> {
        self.queue.state()
    }

    fn next_turn(&self) -> Option<Time> {
        let time = self.opportunities.time();
        let shaped = self.queue.next_turn().filter(|_| self.leaving.is_none());
        (self.waiting().packets > 0).then(|| shaped.map_or(time, |turn| turn.max(time)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_core::random::{Streams, unit_below_one};
    use pacesim_pacers::{Pacer, RecordedRate, RecordedRateConfig, Release};
    use pacesim_queues::DropTail;
    use pacesim_units::{Capacity, FlowId, Span};

    /// Releases of packets of these arrivals and sizes by the discipline before an infinitely fast
    /// line.
    fn by_queue(opportunities_ms: &[u64], packets: &[(Time, u32)]) -> Vec<(u32, Time)> {
        let queue = DropTail::new(Capacity::Unlimited, false).into();
        let mut line = RecordedLine::new(queue, &opportunities_ms.iter().copied().collect());
        let (mut left, mut coming) = (Vec::new(), packets.iter().zip(0..).peekable());
        loop {
            let next = line.next_turn().unwrap_or(Time::NEVER);
            match coming.next_if(|((at, _), _)| *at <= next) {
                Some((&(at, size), key)) => {
                    assert!(line.arrive(at, Pending::new(key, FlowId(0), size)).is_ok());
                    while let Turn::Go { key, .. } = line.turn(at, Line::Free) {
                        left.push((key, at));
                    }
                }
                None if next == Time::NEVER => return left,
                None => {
                    while let Turn::Go { key, .. } = line.turn(next, Line::Free) {
                        left.push((key, next));
                    }
                }
            }
        }
    }

    /// Releases of the same packets by the pacer of recorded rates.
    fn by_pacer(opportunities_ms: &[u64], packets: &[(Time, u32)]) -> Vec<(u32, Time)> {
        let config = RecordedRateConfig {
            opportunities_ms: opportunities_ms.iter().copied().collect(),
            capacity: Capacity::Unlimited,
        };
        let mut pacer = RecordedRate::new(&config).expect("sound");
        let (mut left, mut coming) = (Vec::new(), packets.iter().zip(0..).peekable());
        loop {
            let next = match pacer.next_release() {
                Release::At(at) => at,
                Release::Idle => Time::NEVER,
            };
            match coming.next_if(|((at, _), _)| *at <= next) {
                Some((&(at, size), key)) => {
                    let packet = pacesim_pacers::Pending::new(key, FlowId(0), size);
                    pacer.enqueue(at, packet).expect("unlimited");
                }
                None if next == Time::NEVER => return left,
                None => left.push((pacer.dequeue(next).expect("ready").key, next)),
            }
        }
    }

    #[test]
    fn packets_leave_as_behind_the_pacer_of_recorded_rates() {
        for seed in 0..200 {
            let replication = 0;
            let streams = Streams { seed, replication };
            let mut dice = streams.stream("packets", "test");
            let mut below = |limit: f64| (unit_below_one(&mut dice) * limit) as u64;
            let mut opportunities: Vec<u64> =
                (0..1 + below(9.0)).map(|_| 1 + below(40.0)).collect();
            opportunities.sort_unstable();
            let mut now = Time::ZERO;
            let packet = |_| {
                now += Span::from_us(below(4.0) * below(3000.0));
                (now, 1 + below(4000.0) as u32)
            };
            let packets: Vec<_> = (0..60).map(packet).collect();
            let expected = by_pacer(&opportunities, &packets);
            assert_eq!(by_queue(&opportunities, &packets), expected, "seed {seed}");
            assert_eq!(expected.len(), packets.len());
        }
    }
}
