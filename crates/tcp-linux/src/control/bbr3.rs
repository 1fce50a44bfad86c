//! BBR version 3 as in Google's kernel code (tcp_bbr.c of google/bbr, branch v3), or with the
//! constants of draft-ietf-ccwg-bbr: a model of the path as in version 1, bounded by observed
//! losses and marks.

mod bounds;
mod cycle;
mod ecn;
mod least_rtt;
mod rules;
mod startup;
mod window;

use super::super::clock::Micros;
use super::super::connection::{Connection, INFINITE, State};
use super::super::pace::Holder;
use super::super::rate::RateSample;
use super::super::segments::Lost;
use super::aggregation::Aggregation;
use super::bandwidth::{self, ONE};
use super::draws::Draws;
use super::{LinuxControl, Model};
use bounds::Bounds;
use cycle::Probe;
use ecn::Marking;
use least_rtt::LeastRtt;
pub(super) use rules::Rules;
use startup::Full;

/// The gain 4 ln 2, which doubles the rate each round.
const STARTUP_GAIN: u64 = ONE * 277 / 100 + 1;
const UP_GAIN: u64 = ONE * 5 / 4;
const WINDOW_GAIN: u64 = ONE * 2;
const UP_WINDOW_GAIN: u64 = WINDOW_GAIN + ONE / 4;
const LEAST_WINDOW: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Startup,
    Drain,
    ProbeRtt,
    /// The phase that probes for more bandwidth.
    Up,
    /// The phase that drains the queue of the probe.
    Down,
    Cruise,
    /// The phase that fills the path before the next probe.
    Refill,
}

impl Mode {
    /// True for the four phases of the probing cycle.
    fn cycles(self) -> bool {
        use Mode::{Cruise, Down, Refill, Up};
        matches!(self, Up | Down | Cruise | Refill)
    }

    /// True if more packets may be in flight than the path is known to hold.
    fn pushes(self) -> bool {
        matches!(self, Mode::Startup | Mode::Refill | Mode::Up)
    }

    /// The number under which the kernel reports the phase.
    fn number(self) -> u8 {
        match self {
            Mode::Startup => 1,
            Mode::Drain => 2,
            Mode::ProbeRtt => 3,
            Mode::Up => 4,
            Mode::Down => 5,
            Mode::Cruise => 6,
            Mode::Refill => 7,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Mode::Startup => "startup",
            Mode::Drain => "drain",
            Mode::ProbeRtt => "probe_rtt",
            Mode::Up => "probe_bw_up",
            Mode::Down => "probe_bw_down",
            Mode::Cruise => "probe_bw_cruise",
            Mode::Refill => "probe_bw_refill",
        }
    }
}

/// A round trip: it ends with the delivery of packets sent at its start.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    end: u32,
    begins: bool,
}

/// Bandwidth and packets delivered, the maximum of the last round of losses.
#[derive(Clone, Copy, Debug, Default)]
struct Delivery {
    bandwidth: u64,
    in_flight: u32,
}

#[derive(Debug)]
pub(in super::super) struct Bbr3 {
    rules: Rules,
    mode: Mode,
    pacing_gain: u64,
    window_gain: u64,
    round: Round,
    /// The round in which losses count once.
    loss_round: Round,
    loss_in_round: bool,
    loss_in_cycle: bool,
    /// Bandwidth sample of the current ACK; 0 if there is none.
    sampled: u64,
    latest: Delivery,
    /// The maximum bandwidth of the last cycle and of this one.
    highest: [u64; 2],
    bounds: Bounds,
    /// Bounds before the last reduction.
    bounds_before: Bounds,
    /// The phase before the first loss of an episode, where its undo restores it.
    mode_before: Option<Mode>,
    full: Full,
    probe: Probe,
    least: LeastRtt,
    marking: Marking,
    aggregation: Aggregation,
    prior_window: u32,
    prior_state: State,
    /// Set once the window has reached its target: for an application that sends little, not every
    /// ACK needs full processing.
    settled: bool,
    wakes_from_idling: bool,
    paces_by_rtt: bool,
    first_window: u32,
    draws: Draws,
}

impl Bbr3 {
    pub(super) fn new(rules: Rules) -> Bbr3 {
        Bbr3 {
            rules,
            mode: Mode::Startup,
            pacing_gain: STARTUP_GAIN,
            window_gain: WINDOW_GAIN,
            round: Round::default(),
            loss_round: Round::default(),
            loss_in_round: false,
            loss_in_cycle: false,
            sampled: 0,
            latest: Delivery::default(),
            highest: [0; 2],
            bounds: Bounds::NONE,
            bounds_before: Bounds::ZERO,
            mode_before: None,
            full: Full::default(),
            probe: Probe::default(),
            least: LeastRtt::default(),
            marking: Marking::default(),
            aggregation: Aggregation::default(),
            prior_window: 0,
            prior_state: State::Open,
            settled: false,
            wakes_from_idling: false,
            paces_by_rtt: false,
            first_window: 10,
            draws: Draws::default(),
        }
    }

    fn greatest(&self) -> u64 {
        self.highest[0].max(self.highest[1])
    }

    /// The bandwidth in use.
    fn bandwidth(&self) -> u64 {
        self.greatest().min(self.bounds.bandwidth)
    }

    /// Forgets losses, marks and deliveries of the last probe.
    fn reset_signals(&mut self) {
        self.loss_in_round = false;
        self.loss_in_cycle = false;
        self.marking.in_round = false;
        self.marking.in_cycle = false;
        self.latest = Delivery::default();
    }

    fn update_round(&mut self, conn: &Connection, sample: &RateSample) {
        let valid = sample.interval.is_some_and(|interval| interval > 0);
        self.round.begins = valid && sample.prior_delivered >= self.round.end;
        if self.round.begins {
            self.round.end = conn.rates.delivered;
            self.probe.rounds = (self.probe.rounds + 1).min(255);
            self.update_marking(conn);
        }
        self.marking.in_round |= self.marking.counts && sample.is_marked;
        self.sampled = match sample.interval {
            Some(interval) if valid => bandwidth::of_rounded_up(sample.delivered, interval),
            _ => 0,
        };
        self.update_latest(conn, sample);
    }

    fn update_latest(&mut self, conn: &Connection, sample: &RateSample) {
        self.loss_round.begins = false;
        if !is_valid(sample) {
            return;
        }
        let latest = &mut self.latest;
        latest.bandwidth = latest.bandwidth.max(self.sampled);
        latest.in_flight = latest.in_flight.max(sample.delivered);
        if sample.prior_delivered >= self.loss_round.end {
            self.loss_round.end = conn.rates.delivered;
            self.loss_round.begins = true;
        }
    }

    /// Starts a new round of losses with the data of this ACK.
    fn advance_latest(&mut self, sample: &RateSample) {
        if self.loss_round.begins && !sample.answers_probe {
            self.latest = Delivery {
                bandwidth: self.sampled,
                in_flight: sample.delivered,
            };
        }
    }

    /// The short path for an application that sends little without congestion: most of the model
    /// stays; returns whether the rest does too.
    fn glance(&mut self, conn: &mut Connection, sample: &RateSample) -> Option<bool> {
        let little = self.settled && sample.is_app_limited && self.sampled < self.greatest();
        if !little || self.loss_in_round || self.marking.in_round {
            return None;
        }
        let before = (self.mode.cycles(), self.mode, self.least.rtt);
        self.look_whether_drained(conn);
        self.update_phase(conn, sample);
        self.update_least_rtt(conn, sample);
        let kept_mode = if before.0 {
            self.mode.cycles()
        } else {
            self.mode == before.1
        };
        Some(kept_mode && self.least.rtt == before.2 && self.settled)
    }

    fn update_model(&mut self, conn: &mut Connection, sample: &RateSample) {
        self.update_signals(conn, sample);
        let bandwidth = self.bandwidth();
        self.aggregation.update(
            conn,
            sample,
            bandwidth,
            self.round.begins,
            !self.full.reached,
        );
        self.look_for_losses_in_startup(conn, sample);
        self.look_whether_full(sample);
        self.look_whether_drained(conn);
        self.update_phase(conn, sample);
        self.update_least_rtt(conn, sample);
    }

    fn update_signals(&mut self, conn: &Connection, sample: &RateSample) {
        if !is_valid(sample) {
            return;
        }
        if !sample.is_app_limited || self.sampled >= self.greatest() {
            self.highest[1] = self.highest[1].max(self.sampled);
        }
        self.loss_in_round |= sample.losses > 0;
        if self.loss_round.begins {
            self.lower_bounds(conn);
            self.loss_in_round = false;
            self.marking.in_round = false;
        }
    }

    fn update_gains(&mut self) {
        (self.pacing_gain, self.window_gain) = match self.mode {
            Mode::Startup => (STARTUP_GAIN, WINDOW_GAIN),
            Mode::Drain => (self.rules.drain_gain, WINDOW_GAIN),
            Mode::ProbeRtt => (ONE, ONE),
            Mode::Up => (UP_GAIN, UP_WINDOW_GAIN),
            Mode::Down => (self.rules.down_gain, WINDOW_GAIN),
            Mode::Cruise | Mode::Refill => (ONE, WINDOW_GAIN),
        };
    }
}

fn is_valid(sample: &RateSample) -> bool {
    sample.interval.is_some_and(|interval| interval > 0) && sample.acked_sacked > 0
}

impl LinuxControl for Bbr3 {
    fn on_open(&mut self, conn: &mut Connection) {
        let draws = std::mem::take(&mut self.draws);
        *self = Bbr3 {
            draws,
            first_window: conn.window.size.min(127),
            least: LeastRtt::begin(conn),
            prior_window: conn.window.prior,
            ..Bbr3::new(self.rules)
        };
        conn.window.ssthresh = INFINITE;
        self.round.end = conn.rates.delivered;
        self.loss_round.end = conn.rates.delivered + 1;
        self.paces_by_rtt = bandwidth::pace_by_rtt(conn, STARTUP_GAIN);
        self.aggregation.begin_epoch(conn.now);
        self.marking.allowed = conn.ecn.on && conn.ecn.low;
        if conn.pace.holder == Holder::Nobody {
            conn.pace.holder = Holder::Sender;
        }
    }

    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        self.save_window(conn);
        if self.mode_before.is_none() {
            self.bounds_before = self.bounds;
        }
        conn.window.ssthresh
    }

    fn grow(&mut self, _conn: &mut Connection, _acked: u32) {}

    fn undo_window(&mut self, conn: &mut Connection) -> u32 {
        self.full.start_anew(0);
        self.loss_in_round = false;
        self.bounds.widen_to(self.bounds_before);
        let tried = self.mode_before.take() == Some(Mode::Up);
        if tried && self.mode.cycles() && self.mode != Mode::Up {
            self.begin_refill(conn, 0);
        }
        self.settled = false;
        self.prior_window
    }

    fn on_state(&mut self, conn: &mut Connection, state: State) {
        if state == State::Loss {
            self.prior_state = State::Loss;
            self.full.start_anew(0);
            if !self.mode.pushes() && self.bounds.recent == bounds::FREE {
                self.bounds.recent = conn.window.size.max(self.prior_window);
            }
        } else if self.prior_state == State::Loss {
            conn.window.size = conn.window.size.max(self.prior_window);
            self.settled = false;
        }
    }

    fn on_start_of_flight(&mut self, conn: &mut Connection) {
        if conn.rates.app_limited == 0 {
            return;
        }
        self.wakes_from_idling = true;
        self.aggregation.begin_epoch(conn.now);
        if self.mode.cycles() {
            self.set_pacing(conn, ONE);
        } else if self.mode == Mode::ProbeRtt {
            self.end_probe_rtt(conn);
        }
    }

    fn on_packet_lost(&mut self, conn: &mut Connection, lost: &Lost) {
        self.save_before_losses(conn);
        self.note_loss(conn);
        if self.probe.shows && lost.is_sampled && self.is_too_high(lost.losses, lost.in_flight) {
            let level = bounds::level_of_losses(self.rules.loss_test, lost);
            self.fall_back(conn, level, lost.is_app_limited);
        }
    }

    fn on_probe_repair(&mut self, conn: &mut Connection) {
        self.note_loss(conn);
        let level = self.latest.in_flight + 1;
        if self.probe.shows && self.is_too_high(1, level) {
            self.fall_back(conn, level, conn.probe_was_app_limited);
        }
    }

    fn rule(&mut self, conn: &mut Connection, sample: &RateSample) {
        self.update_round(conn, sample);
        let glance = self.glance(conn, sample);
        if glance.is_none() {
            self.update_model(conn, sample);
        }
        if glance != Some(true) {
            self.update_gains();
            self.set_pacing(conn, self.pacing_gain);
            self.set_window(conn, sample);
        }
        self.advance_latest(sample);
        self.prior_state = conn.state;
        self.mode_before = self.mode_before.filter(|_| conn.state > State::Open);
        self.loss_in_cycle |= sample.lost > 0;
        self.marking.in_cycle |= sample.delivered_ce > 0;
    }

    fn rules_alone(&self) -> bool {
        true
    }

    fn follows_losses(&self) -> bool {
        true
    }

    fn marks_all(&self) -> bool {
        self.marking.allowed
    }

    fn draws(&mut self) -> Option<&mut Draws> {
        Some(&mut self.draws)
    }

    fn choices_made(&self) -> u32 {
        self.draws.made()
    }

    fn model(&self, conn: &Connection) -> Option<Model> {
        let rate = |bandwidth| bandwidth::bytes_per_second(bandwidth, conn.payload).max(1);
        let bound = |packets: u32| (packets != bounds::FREE).then_some(packets);
        let lower = self.bounds.bandwidth;
        Some(Model {
            bandwidth: rate(self.bandwidth()),
            min_rtt_us: self.least.rtt,
            pacing_gain: self.pacing_gain as u32,
            cwnd_gain: self.window_gain as u32,
            phase: self.mode.number(),
            phase_name: self.mode.name(),
            bandwidth_hi: rate(self.greatest()),
            bandwidth_lo: (lower != Bounds::NONE.bandwidth).then(|| rate(lower)),
            inflight_lo: bound(self.bounds.recent),
            inflight_hi: bound(self.bounds.lasting),
            extra_acked: self.aggregation.excess(),
        })
    }
}

/// A time that the model does not know yet.
const UNKNOWN: Micros = Micros::MAX;
