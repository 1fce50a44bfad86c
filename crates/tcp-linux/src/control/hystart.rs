//! The end of slow start before a loss: HyStart as in Linux, and HyStart++ (RFC 9406).

use super::super::clock::Micros;
use super::super::connection::Connection;
use super::super::pace::Holder;
use super::hystart_plus::Plus;
use crate::config::Hystart as Rule;

/// The window from which HyStart may end slow start, and the samples that it needs.
const LOW_WINDOW: u32 = 16;
const SAMPLES: u8 = 8;
/// The spacing below which ACKs form a train.
const TRAIN_GAP: Micros = 2_000;
const LEAST_RISE: Micros = 4_000;
const GREATEST_RISE: Micros = 16_000;
/// The largest allowance of a train for segmentation offload, and the size of its bursts.
const OFFLOAD_MOST: Micros = 1_000;
const OFFLOAD_BYTES: u64 = 65_215;

/// The rule by which slow start ends before a loss.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlowStartEnd {
    /// A loss, and nothing before it, ends slow start.
    ByLoss,
    Linux(Hystart),
    Plus(Plus),
}

impl SlowStartEnd {
    pub(super) fn new(rule: Rule) -> SlowStartEnd {
        match rule {
            Rule::Off => SlowStartEnd::ByLoss,
            Rule::Linux => SlowStartEnd::Linux(Hystart::new(true)),
            Rule::Linux68 => SlowStartEnd::Linux(Hystart::new(false)),
            Rule::PlusPlus => SlowStartEnd::Plus(Plus::default()),
        }
    }

    /// Allows the end of another slow start.
    pub(super) fn forget(&mut self) {
        if let SlowStartEnd::Linux(hystart) = self {
            hystart.found = false;
        }
    }

    pub(super) fn start_round(&mut self, conn: &Connection) {
        match self {
            SlowStartEnd::ByLoss => {}
            SlowStartEnd::Linux(hystart) => hystart.start_round(conn),
            SlowStartEnd::Plus(plus) => plus.start_round(conn),
        }
    }

    /// Processes a round trip in slow start.
    pub(super) fn update(&mut self, conn: &mut Connection, rtt: Micros, least_rtt: Micros) {
        match self {
            SlowStartEnd::ByLoss => {}
            SlowStartEnd::Linux(hystart) => hystart.update(conn, rtt, least_rtt),
            SlowStartEnd::Plus(plus) => plus.update(conn, rtt),
        }
    }

    /// The growth of the window in slow start for these acknowledged packets.
    pub(super) fn slowed(&mut self, acked: u32) -> u32 {
        match self {
            SlowStartEnd::Plus(plus) => plus.slowed(acked),
            _ => acked,
        }
    }
}

/// The end of slow start before a loss: by a train of ACKs, or by rising round trips.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hystart {
    found: bool,
    /// Rounds are counted from the first packet on, not only above the minimum window (since 6.13
    /// and 6.12.13).
    counts_from_start: bool,
    round_start: Micros,
    round_end: u32,
    last_ack: Micros,
    least: Micros,
    samples: u8,
}

impl Hystart {
    fn new(counts_from_start: bool) -> Hystart {
        Hystart {
            found: false,
            counts_from_start,
            round_start: 0,
            round_end: 0,
            last_ack: 0,
            least: Micros::MAX,
            samples: 0,
        }
    }

    fn start_round(&mut self, conn: &Connection) {
        self.round_start = conn.now;
        self.last_ack = conn.now;
        self.round_end = conn.next;
        self.least = Micros::MAX;
        self.samples = 0;
    }

    fn update(&mut self, conn: &mut Connection, rtt: Micros, least_rtt: Micros) {
        let looks = conn.window.size >= LOW_WINDOW;
        if self.found || !(looks || self.counts_from_start) {
            return;
        }
        if conn.una > self.round_end {
            self.start_round(conn);
        }
        if !looks {
            return;
        }
        self.look_for_train(conn, least_rtt);
        self.look_for_rise(conn, rtt, least_rtt);
    }

    /// Ends slow start if ACKs without a gap last longer than half a round trip: they fill the
    /// path.
    fn look_for_train(&mut self, conn: &mut Connection, least_rtt: Micros) {
        if conn.now - self.last_ack > TRAIN_GAP {
            return;
        }
        self.last_ack = conn.now;
        let mut longest = least_rtt + offload_delay(conn.pace.rate());
        if conn.pace.holder == Holder::Nobody {
            longest >>= 1;
        }
        if conn.now - self.round_start > longest {
            self.leave(conn);
        }
    }

    /// Ends slow start if all round trips of a round exceed the minimum by an eighth, 4 to 16 ms.
    fn look_for_rise(&mut self, conn: &mut Connection, rtt: Micros, least_rtt: Micros) {
        self.least = self.least.min(rtt);
        if self.samples < SAMPLES {
            self.samples += 1;
            return;
        }
        if self.least > least_rtt + (least_rtt >> 3).clamp(LEAST_RISE, GREATEST_RISE) {
            self.leave(conn);
        }
    }

    fn leave(&mut self, conn: &mut Connection) {
        self.found = true;
        conn.window.ssthresh = conn.window.size;
    }
}

fn offload_delay(rate: u64) -> Micros {
    match (OFFLOAD_BYTES * 4 * 1_000_000).checked_div(rate) {
        Some(delay) => delay.min(OFFLOAD_MOST),
        None => 0,
    }
}
