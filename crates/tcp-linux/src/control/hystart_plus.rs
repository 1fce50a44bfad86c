//! HyStart++, RFC 9406: rising round trips slow the growth down, and end slow start if they stay
//! high.

use super::super::clock::Micros;
use super::super::connection::Connection;

/// The least rise of the round trip that counts (RFC 9406 §4.3).
const LEAST_RISE: Micros = 4_000;
const GREATEST_RISE: Micros = 16_000;
const SAMPLES: u32 = 8;
const GROWTH_DIVISOR: u32 = 4;
const CONSERVATIVE_ROUNDS: u32 = 5;

/// State of slow start, and of the conservative slow start that may follow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plus {
    /// The minimum round trips of the last round and of this one.
    last: Micros,
    current: Micros,
    samples: u32,
    round_end: u32,
    conservative: Option<Conservative>,
    /// Number of acknowledged packets that the slowed growth has not used.
    rest: u32,
    done: bool,
}

#[derive(Clone, Copy, Debug)]
struct Conservative {
    /// The minimum round trip at its start: a lower one ends it.
    baseline: Micros,
    rounds: u32,
}

impl Default for Plus {
    fn default() -> Plus {
        Plus {
            last: Micros::MAX,
            current: Micros::MAX,
            samples: 0,
            round_end: 0,
            conservative: None,
            rest: 0,
            done: false,
        }
    }
}

impl Plus {
    pub(super) fn start_round(&mut self, conn: &Connection) {
        self.last = self.current;
        self.current = Micros::MAX;
        self.samples = 0;
        self.round_end = conn.next;
    }

    pub(super) fn update(&mut self, conn: &mut Connection, rtt: Micros) {
        if self.done {
            return;
        }
        if conn.una > self.round_end {
            self.end_round(conn);
            self.start_round(conn);
        }
        self.current = self.current.min(rtt);
        self.samples += 1;
        if self.samples < SAMPLES || self.last == Micros::MAX {
            return;
        }
        match self.conservative {
            None => self.look_for_rise(),
            Some(slow) if self.current < slow.baseline => self.conservative = None,
            Some(_) => {}
        }
    }

    fn look_for_rise(&mut self) {
        let threshold = (self.last / 8).clamp(LEAST_RISE, GREATEST_RISE);
        if self.current >= self.last + threshold {
            self.conservative = Some(Conservative {
                baseline: self.current,
                rounds: 0,
            });
        }
    }

    /// Ends slow start after five rounds: a rise in round trips that lasts this long is not
    /// accidental.
    fn end_round(&mut self, conn: &mut Connection) {
        let Some(slow) = &mut self.conservative else {
            return;
        };
        slow.rounds += 1;
        if slow.rounds >= CONSERVATIVE_ROUNDS {
            conn.window.ssthresh = conn.window.size;
            self.done = true;
        }
    }

    pub(super) fn slowed(&mut self, acked: u32) -> u32 {
        if self.conservative.is_none() {
            return acked;
        }
        let sum = self.rest + acked;
        self.rest = sum % GROWTH_DIVISOR;
        sum / GROWTH_DIVISOR
    }
}
