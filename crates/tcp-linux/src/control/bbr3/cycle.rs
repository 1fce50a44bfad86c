//! The cycle of probes for bandwidth: the path is filled, more is tried, its queue drains, and then
//! it cruises.

use super::super::super::clock::Micros;
use super::super::super::connection::{Connection, State};
use super::super::super::rate::RateSample;
use super::super::bandwidth::{self, ONE};
use super::bounds::FREE;
use super::{Bbr3, LEAST_WINDOW, Mode};

/// Time between probes, and its random addition in time and rounds.
const WAIT: Micros = 2_000_000;
const MORE_WAIT: u32 = 1_000_000;
const FEWER_ROUNDS: u32 = 2;
/// The most rounds between probes, for coexistence with Reno.
const MOST_ROUNDS: u32 = 63;
/// Bursts last a millisecond, and are larger on short paths: 64 KiB, half of it for each 512 us of
/// the round trip.
const SHORT_BITS: u32 = 9;
const LARGEST_BURST: u64 = 65_536;
const MOST_BURST_BYTES: u64 = 65_215;
const LEAST_BURST: u64 = 2;

/// The relation of current ACKs to the last probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acks {
    Nothing,
    Refilling,
    Starting,
    Feedback,
    Stopping,
}

/// State of the probe for bandwidth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// Start of the phase, time until the next probe, and rounds since the last.
    began: Micros,
    wait: Micros,
    pub(super) rounds: u32,
    pub(super) acks: Acks,
    /// True while ACKs still reflect packets of the probe.
    pub(super) shows: bool,
    pub(super) was_too_high: bool,
    /// True if the probe ended as soon as the lasting bound was reached.
    stopped_at_bound: bool,
    /// Packets acknowledged per packet of growth of the lasting bound, and towards the next; rounds
    /// of growth.
    per: u32,
    acked: u32,
    growth: u32,
}

impl Default for Probe {
    fn default() -> Probe {
        Probe {
            began: 0,
            wait: 0,
            rounds: 0,
            acks: Acks::Nothing,
            shows: false,
            was_too_high: false,
            stopped_at_bound: false,
            per: u32::MAX,
            acked: 0,
            growth: 0,
        }
    }
}

impl Bbr3 {
    pub(super) fn begin_down(&mut self, conn: &Connection) {
        self.reset_signals();
        self.probe.per = u32::MAX;
        self.probe.rounds = self.draws.below(FEWER_ROUNDS);
        self.probe.wait = WAIT + u64::from(self.draws.below(MORE_WAIT));
        self.probe.began = conn.now;
        self.probe.acks = Acks::Stopping;
        self.round.end = conn.rates.delivered;
        self.enter(Mode::Down);
    }

    pub(super) fn begin_cruise(&mut self) {
        if self.bounds.recent != FREE {
            self.bounds.recent = self.bounds.recent.min(self.bounds.lasting);
        }
        self.enter(Mode::Cruise);
    }

    /// Fills the path; growth begins at 2^`growth` packets per round.
    pub(super) fn begin_refill(&mut self, conn: &Connection, growth: u32) {
        self.bounds.forget_losses();
        self.probe.growth = growth;
        self.probe.acked = 0;
        self.probe.stopped_at_bound = false;
        self.probe.acks = Acks::Refilling;
        self.round.end = conn.rates.delivered;
        self.enter(Mode::Refill);
    }

    fn begin_up(&mut self, conn: &Connection) {
        self.probe.shows = true;
        self.probe.acks = Acks::Starting;
        self.round.end = conn.rates.delivered;
        self.probe.began = conn.now;
        self.full.start_anew(self.sampled);
        self.enter(Mode::Up);
        self.grow_faster(conn);
    }

    fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        self.settled = false;
    }

    pub(super) fn update_phase(&mut self, conn: &mut Connection, sample: &RateSample) {
        if !self.full.reached || self.adapt_lasting_bound(conn, sample) {
            return;
        }
        match self.mode {
            Mode::Cruise => {
                self.probe_if_due(conn);
            }
            Mode::Refill if self.round.begins => self.begin_up(conn),
            Mode::Up => self.end_up(conn, sample),
            Mode::Down => self.end_down(conn, sample),
            _ => {}
        }
    }

    fn end_up(&mut self, conn: &Connection, sample: &RateSample) {
        let in_network = self.in_network(conn, sample.prior_in_flight);
        if self.probe.was_too_high && in_network >= self.bounds.lasting {
            self.probe.stopped_at_bound = true;
        } else if conn.window.limits && conn.window.size >= self.bounds.lasting {
            self.full.start_anew(self.sampled);
            return;
        } else if !self.full.now {
            return;
        }
        self.probe.was_too_high = false;
        self.begin_down(conn);
    }

    fn end_down(&mut self, conn: &Connection, sample: &RateSample) {
        // Before the phase changes, since its gain is used.
        let in_network = self.in_network(conn, sample.prior_in_flight);
        if self.probe_if_due(conn) {
            return;
        }
        let drained = in_network <= self.in_flight_for(conn, self.greatest(), ONE);
        if drained && in_network <= self.bounds.with_headroom() {
            self.begin_cruise();
        }
    }

    /// Begins a probe when it is due.
    fn probe_if_due(&mut self, conn: &Connection) -> bool {
        let marks_ceased = self.marking.counts
            && self.marking.in_cycle
            && !self.loss_in_cycle
            && conn.state == State::Open;
        if marks_ceased {
            let half = (self.bounds.lasting / 2).max(1);
            self.begin_refill(conn, half.ilog2());
            return true;
        }
        let waited = conn.now > self.probe.began + self.probe.wait;
        let due = waited || self.has_waited_rounds(conn);
        if due {
            self.begin_refill(conn, 0);
        }
        due
    }

    /// True after as many rounds as the path holds packets; bursts only add to those and are
    /// checked last.
    fn has_waited_rounds(&self, conn: &Connection) -> bool {
        let rounds = self.probe.rounds;
        let held = self.product(self.bandwidth(), ONE).min(conn.window.size);
        rounds >= MOST_ROUNDS.min(held) && rounds >= MOST_ROUNDS.min(self.target(conn))
    }

    /// Adapts the lasting bound to the ACKs of a probe; true if that decides the phase.
    fn adapt_lasting_bound(&mut self, conn: &mut Connection, sample: &RateSample) -> bool {
        if self.follow_acks(conn, sample) {
            return true;
        }
        let marked = self.marking.is_too_high(sample);
        if self.is_too_high(sample.lost, sample.in_flight) || marked {
            if self.probe.shows {
                self.fall_back(conn, sample.in_flight, sample.is_app_limited);
            }
        } else if self.bounds.lasting != FREE {
            self.bounds.lasting = self.bounds.lasting.max(sample.in_flight);
            if self.mode == Mode::Up {
                self.raise_lasting_bound(conn, sample);
            }
        }
        false
    }

    fn follow_acks(&mut self, conn: &Connection, sample: &RateSample) -> bool {
        if !self.round.begins {
            return false;
        }
        match self.probe.acks {
            Acks::Starting => self.probe.acks = Acks::Feedback,
            Acks::Stopping => return self.end_feedback(conn, sample),
            _ => {}
        }
        false
    }

    /// Ends the feedback of the last probe: its bandwidth becomes that of the last cycle. A probe
    /// that only reached the bound, without losses, is followed by another that goes beyond.
    fn end_feedback(&mut self, conn: &Connection, sample: &RateSample) -> bool {
        self.probe.shows = false;
        self.probe.acks = Acks::Nothing;
        if !self.mode.cycles() {
            return false;
        }
        if !sample.is_app_limited && self.highest[1] > 0 {
            self.highest = [self.highest[1], 0];
        }
        let again = self.probe.stopped_at_bound && !self.probe.was_too_high;
        if again {
            self.begin_refill(conn, 0);
        }
        again
    }

    fn raise_lasting_bound(&mut self, conn: &Connection, sample: &RateSample) {
        if !conn.window.limits || conn.window.size < self.bounds.lasting {
            return;
        }
        let probe = &mut self.probe;
        probe.acked += sample.acked_sacked;
        if probe.acked >= probe.per {
            self.bounds.lasting += probe.acked / probe.per;
            probe.acked %= probe.per;
            self.settled = false;
        }
        if self.round.begins {
            self.grow_faster(conn);
        }
    }

    /// Doubles the growth of the bound each round.
    fn grow_faster(&mut self, conn: &Connection) {
        let growth = 1 << self.probe.growth;
        self.probe.growth = (self.probe.growth + 1).min(30);
        self.probe.per = (conn.window.size / growth).max(1);
    }

    /// Packets in flight that fill the path with this gain, plus the bursts at both ends.
    pub(super) fn in_flight_for(&self, conn: &Connection, bandwidth: u64, gain: u64) -> u32 {
        let product = self.product(bandwidth, gain);
        self.with_bursts(conn, product)
    }

    pub(super) fn product(&self, bandwidth: u64, gain: u64) -> u32 {
        if self.least.rtt == super::UNKNOWN {
            return self.first_window;
        }
        bandwidth::product(bandwidth, self.least.rtt, gain)
    }

    pub(super) fn with_bursts(&self, conn: &Connection, packets: u32) -> u32 {
        let least = (3 * self.burst(conn)).max(LEAST_WINDOW);
        packets.max(least) + if self.mode == Mode::Up { 2 } else { 0 }
    }

    fn burst(&self, conn: &Connection) -> u32 {
        let halvings = self.least.rtt >> SHORT_BITS;
        let short = match halvings {
            0..32 => LARGEST_BURST >> halvings,
            _ => 0,
        };
        let bytes = (conn.pace.rate() >> 10) + short;
        (bytes.min(MOST_BURST_BYTES) / u64::from(conn.payload)).max(LEAST_BURST) as u32
    }

    pub(super) fn in_network(&self, conn: &Connection, in_flight: u32) -> u32 {
        let joins = if self.pacing_gain > ONE {
            self.burst(conn)
        } else {
            0
        };
        bandwidth::in_network_at_departure(conn, self.bandwidth(), in_flight, joins)
    }
}
