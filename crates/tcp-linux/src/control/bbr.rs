//! BBR version 1 as in Linux (Cardwell et al. 2016;
//! draft-cardwell-iccrg-bbr-congestion-control-00): a model of the path, its bandwidth and its
//! round trip without queues, sets pacing and window; losses only bound the window.

mod cycle;
mod policer;
mod window;

use super::super::clock::Micros;
use super::super::connection::{Connection, INFINITE, State};
use super::super::filter::Greatest;
use super::super::pace::Holder;
use super::super::rate::RateSample;
use super::aggregation::Aggregation;
use super::bandwidth::{self, ONE};
use super::draws::Draws;
use super::{LinuxControl, Model};
use policer::Policer;

/// The gain 2/ln 2, which doubles the rate each round.
const HIGH_GAIN: u64 = ONE * 2885 / 1000 + 1;
const DRAIN_GAIN: u64 = ONE * 1000 / 2885;
const WINDOW_GAIN: u64 = ONE * 2;
/// Number of rounds in the window of the maximum bandwidth.
const BANDWIDTH_ROUNDS: u64 = 10;
/// The window of the minimum round trip, in seconds, and the length of the search for it.
const LEAST_RTT_S: u64 = 10;
const PROBE_RTT: Micros = 200_000;
const LEAST_WINDOW: u32 = 4;
/// The window in packets before the model exists.
const FIRST_WINDOW: u32 = 10;
/// The path is full when three rounds do not add a quarter.
const FULL_GROWTH: u64 = ONE * 5 / 4;
const FULL_ROUNDS: u8 = 3;
/// Below this rate a burst is one packet, in bytes per second.
const SLOW: u64 = 1_200_000 / 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Startup,
    Drain,
    ProbeBandwidth,
    ProbeRtt,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Startup => "startup",
            Mode::Drain => "drain",
            Mode::ProbeBandwidth => "probe_bw",
            Mode::ProbeRtt => "probe_rtt",
        }
    }
}

/// The path is full once bandwidth has not grown for some rounds.
#[derive(Clone, Copy, Debug, Default)]
struct Full {
    reached: bool,
    bandwidth: u64,
    rounds: u8,
}

/// The minimum round trip of ten seconds, and the search for it.
#[derive(Clone, Copy, Debug)]
struct LeastRtt {
    rtt: Micros,
    seen: u64,
    /// The tick in which the search may end, once few packets are in flight.
    until: Option<u64>,
    round_over: bool,
}

#[derive(Debug)]
pub(in super::super) struct Bbr {
    mode: Mode,
    bandwidth: Greatest,
    rounds: u64,
    /// Packets delivered at the end of the round, and whether one has just begun.
    round_end: u32,
    round_begins: bool,
    pacing_gain: u64,
    window_gain: u64,
    /// Number of packets in a burst at the pacing rate.
    burst: u32,
    /// The phase of the cycle of gains, and its start.
    phase: usize,
    phase_began: Micros,
    full: Full,
    least: LeastRtt,
    policer: Policer,
    aggregation: Aggregation,
    /// The window before a repair or a search for the minimum round trip.
    prior_window: u32,
    prior_state: State,
    conserves: bool,
    wakes_from_idling: bool,
    paces_by_rtt: bool,
    /// The bandwidth and gain from which the rate was last derived, once it may fall.
    paced_by: (u64, u64),
    draws: Draws,
}

impl Default for Bbr {
    fn default() -> Bbr {
        Bbr {
            mode: Mode::Startup,
            bandwidth: Greatest::new(0),
            rounds: 0,
            round_end: 0,
            round_begins: false,
            pacing_gain: HIGH_GAIN,
            window_gain: HIGH_GAIN,
            burst: 1,
            phase: 0,
            phase_began: 0,
            full: Full::default(),
            least: LeastRtt {
                rtt: Micros::MAX,
                seen: 0,
                until: None,
                round_over: false,
            },
            policer: Policer::default(),
            aggregation: Aggregation::default(),
            prior_window: 0,
            prior_state: State::Open,
            conserves: false,
            wakes_from_idling: false,
            paces_by_rtt: false,
            paced_by: (0, 0),
            draws: Draws::default(),
        }
    }
}

impl Bbr {
    /// The bandwidth in use: the maximum, or that of a policer.
    fn bandwidth(&self) -> u64 {
        self.policer.rate().unwrap_or(self.bandwidth.get())
    }

    fn update_model(&mut self, conn: &mut Connection, sample: &RateSample) {
        self.update_bandwidth(conn, sample);
        let bandwidth = self.bandwidth();
        self.aggregation
            .update(conn, sample, bandwidth, self.round_begins, false);
        self.update_phase(conn, sample);
        self.look_whether_full(sample);
        self.look_whether_drained(conn);
        self.update_least_rtt(conn, sample);
        self.update_gains();
    }

    fn update_bandwidth(&mut self, conn: &mut Connection, sample: &RateSample) {
        self.round_begins = false;
        let Some(interval) = sample.interval.filter(|interval| *interval > 0) else {
            return;
        };
        if sample.prior_delivered >= self.round_end {
            self.round_end = conn.rates.delivered;
            self.rounds += 1;
            self.round_begins = true;
            self.conserves = false;
        }
        self.watch_policer(conn, sample.losses > 0, sample.is_app_limited);
        let bandwidth = bandwidth::of(sample.delivered, interval);
        if !sample.is_app_limited || bandwidth >= self.bandwidth.get() {
            self.bandwidth
                .update(BANDWIDTH_ROUNDS, self.rounds, bandwidth);
        }
    }

    #[inline]
    fn watch_policer(&mut self, conn: &Connection, losses: bool, app_limited: bool) {
        let cycling = self.mode == Mode::ProbeBandwidth;
        let round = self.round_begins;
        let verdict = self
            .policer
            .watch(conn, round, cycling, losses, app_limited);
        match verdict {
            policer::PolicerFinding::Nothing => {}
            policer::PolicerFinding::Policed => self.pacing_gain = ONE,
            policer::PolicerFinding::Forgotten => self.begin_cycle(conn),
        }
    }

    fn look_whether_full(&mut self, sample: &RateSample) {
        let full = &mut self.full;
        if full.reached || !self.round_begins || sample.is_app_limited {
            return;
        }
        let greatest = self.bandwidth.get();
        if greatest >= (full.bandwidth * FULL_GROWTH) >> bandwidth::GAIN_BITS {
            full.bandwidth = greatest;
            full.rounds = 0;
            return;
        }
        full.rounds += 1;
        full.reached = full.rounds >= FULL_ROUNDS;
    }

    fn look_whether_drained(&mut self, conn: &mut Connection) {
        if self.mode == Mode::Startup && self.full.reached {
            self.mode = Mode::Drain;
            conn.window.ssthresh = self.in_flight_for(ONE);
        }
        if self.mode == Mode::Drain
            && self.in_network(conn, conn.in_flight()) <= self.in_flight_for(ONE)
        {
            self.begin_cycle(conn);
        }
    }

    /// Updates the minimum round trip; once it is old, few packets are kept in flight to measure it
    /// again.
    fn update_least_rtt(&mut self, conn: &mut Connection, sample: &RateSample) {
        let least = &mut self.least;
        let expired = conn.tick > least.seen + LEAST_RTT_S * conn.ticks.per_second();
        if let Some(rtt) = sample.rtt
            && (rtt < least.rtt || (expired && !sample.is_delayed))
        {
            least.rtt = rtt;
            least.seen = conn.tick;
        }
        if expired && !self.wakes_from_idling && self.mode != Mode::ProbeRtt {
            // First, since the former state decides which window is kept.
            self.save_window(conn, Mode::ProbeRtt);
            self.mode = Mode::ProbeRtt;
            self.least.until = None;
        }
        if self.mode == Mode::ProbeRtt {
            self.probe_rtt(conn);
        }
        if sample.delivered > 0 {
            self.wakes_from_idling = false;
        }
    }

    fn probe_rtt(&mut self, conn: &mut Connection) {
        let in_flight = conn.in_flight();
        conn.rates.app_limited = (conn.rates.delivered + in_flight).max(1);
        if self.least.until.is_none() {
            if in_flight <= LEAST_WINDOW {
                self.least.until = Some(conn.tick + conn.ticks.covering(PROBE_RTT));
                self.least.round_over = false;
                self.round_end = conn.rates.delivered;
            }
            return;
        }
        self.least.round_over |= self.round_begins;
        if self.least.round_over {
            self.end_probe_rtt(conn);
        }
    }

    fn end_probe_rtt(&mut self, conn: &mut Connection) {
        if self.least.until.is_none_or(|until| conn.tick <= until) {
            return;
        }
        self.least.seen = conn.tick;
        conn.window.size = conn.window.size.max(self.prior_window);
        if self.full.reached {
            self.begin_cycle(conn)
        } else {
            self.mode = Mode::Startup
        }
    }

    fn update_gains(&mut self) {
        (self.pacing_gain, self.window_gain) = match self.mode {
            Mode::Startup => (HIGH_GAIN, HIGH_GAIN),
            Mode::Drain => (DRAIN_GAIN, HIGH_GAIN),
            Mode::ProbeBandwidth => (self.phase_gain(), WINDOW_GAIN),
            Mode::ProbeRtt => (ONE, ONE),
        };
    }

    /// Sets the pacing rate, which only grows until the path is full.
    #[inline]
    fn set_pacing(&mut self, conn: &mut Connection, gain: u64) {
        let bandwidth = self.bandwidth();
        if self.paced_by == (bandwidth, gain) {
            return;
        }
        let rate = bandwidth::pacing_rate(bandwidth, gain, conn.payload);
        if !self.paces_by_rtt && conn.rtt.srtt8() > 0 {
            self.pace_by_rtt(conn);
        }
        let before = conn.pace.rate();
        if rate > before || (self.full.reached && rate < before) {
            conn.pace.set_rate(rate);
            self.size_burst(conn);
        }
        if self.full.reached && self.paces_by_rtt {
            self.paced_by = (bandwidth, gain);
        }
    }

    #[cold]
    fn pace_by_rtt(&mut self, conn: &mut Connection) {
        self.paces_by_rtt = bandwidth::pace_by_rtt(conn, HIGH_GAIN);
        self.size_burst(conn);
    }

    #[inline(never)]
    fn size_burst(&mut self, conn: &Connection) {
        self.burst = bandwidth::burst(conn, self.least_burst(conn));
    }
}

impl LinuxControl for Bbr {
    fn on_open(&mut self, conn: &mut Connection) {
        let draws = std::mem::take(&mut self.draws);
        *self = Bbr {
            draws,
            ..Bbr::default()
        };
        conn.window.ssthresh = INFINITE;
        self.round_end = conn.rates.delivered;
        self.least.rtt = conn.rtt.least();
        self.least.seen = conn.tick;
        self.pace_by_rtt(conn);
        self.policer.reset(conn);
        self.aggregation.begin_epoch(conn.now);
        if conn.pace.holder == Holder::Nobody {
            conn.pace.holder = Holder::Sender;
        }
    }

    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        self.save_window(conn, self.mode);
        conn.window.ssthresh
    }

    fn grow(&mut self, _conn: &mut Connection, _acked: u32) {}

    fn undo_window(&mut self, conn: &mut Connection) -> u32 {
        self.full.bandwidth = 0;
        self.full.rounds = 0;
        self.policer.reset(conn);
        conn.window.size
    }

    fn on_state(&mut self, conn: &mut Connection, state: State) {
        if state == State::Loss {
            self.prior_state = State::Loss;
            self.full.bandwidth = 0;
            // A time-out ends a round.
            self.round_begins = true;
            self.watch_policer(conn, true, false);
        }
    }

    fn on_start_of_flight(&mut self, conn: &mut Connection) {
        if conn.rates.app_limited == 0 {
            return;
        }
        self.wakes_from_idling = true;
        self.aggregation.begin_epoch(conn.now);
        match self.mode {
            Mode::ProbeBandwidth => self.set_pacing(conn, ONE),
            Mode::ProbeRtt => self.end_probe_rtt(conn),
            _ => {}
        }
    }

    fn rule(&mut self, conn: &mut Connection, sample: &RateSample) {
        self.update_model(conn, sample);
        self.set_pacing(conn, self.pacing_gain);
        self.set_window(conn, sample);
    }

    fn rules_alone(&self) -> bool {
        true
    }

    fn least_burst(&self, conn: &Connection) -> u64 {
        if conn.pace.rate() < SLOW { 1 } else { 2 }
    }

    fn draws(&mut self) -> Option<&mut Draws> {
        Some(&mut self.draws)
    }

    fn choices_made(&self) -> u32 {
        self.draws.made()
    }

    fn model(&self, conn: &Connection) -> Option<Model> {
        Some(Model {
            bandwidth: bandwidth::bytes_per_second(self.bandwidth(), conn.payload),
            min_rtt_us: self.least.rtt,
            pacing_gain: self.pacing_gain as u32,
            cwnd_gain: self.window_gain as u32,
            phase_name: self.mode.name(),
            ..Model::default()
        })
    }
}
