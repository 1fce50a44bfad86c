//! Congestion controls of the profile: each sees the whole connection, sizes its window, and may
//! control it alone.

mod aggregation;
mod bandwidth;
mod bbr;
mod bbr3;
mod cubic;
mod dctcp;
mod hystart;
mod hystart_plus;
mod own;
mod plain;
mod prague;
mod reno;

use pacesim_tcp_common::draws::{self, Draws};
use pacesim_units::port::Ecn;

use super::clock::Micros;
use super::connection::{Connection, State};
use super::rate::RateSample;
use super::segments::Lost;
use crate::CubicCurve;
use crate::config::Hystart;
use crate::shared::{Control, Controller, Setup};
use bbr::Bbr;
use bbr3::Bbr3;
use cubic::Cubic;
use dctcp::Dctcp;
use own::Own;
use prague::Prague;
use reno::Reno;

/// The rules in which controls of the profile differ. The defaults are Reno's.
pub(super) trait LinuxControl {
    /// Notes that the connection has opened.
    fn on_open(&mut self, _conn: &mut Connection) {}
    /// The threshold to which a loss or a mark reduces the window.
    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32;
    /// Packets were acknowledged, or SACKed during heavy reordering: the window may grow.
    fn grow(&mut self, conn: &mut Connection, acked: u32);
    /// The window to return to after a spurious reduction.
    fn undo_window(&mut self, conn: &mut Connection) -> u32 {
        conn.window.size.max(conn.window.prior)
    }
    /// Processes an ACK; the state of congestion is judged next.
    fn on_ack(&mut self, _conn: &Connection) {}
    /// Packets were cumulatively acknowledged; the round trip of the last, if it has one.
    fn on_packets_acked(&mut self, _conn: &mut Connection, _packets: u32, _rtt: Option<Micros>) {}
    /// Notes that the state of congestion changes.
    fn on_state(&mut self, _conn: &mut Connection, _state: State) {}
    /// Notes that a packet leaves while nothing is in flight.
    fn on_start_of_flight(&mut self, _conn: &mut Connection) {}
    /// Reduces the window after a time-out.
    fn on_loss_event(&mut self, _conn: &mut Connection) {}
    /// A packet is marked lost; called only if the control follows losses.
    fn on_packet_lost(&mut self, _conn: &mut Connection, _lost: &Lost) {}
    /// Notes that a tail loss probe has repaired a loss.
    fn on_probe_repair(&mut self, _conn: &mut Connection) {}
    /// An ACK was processed, of any content; called only if the control rules alone.
    fn rule(&mut self, _conn: &mut Connection, _sample: &RateSample) {}
    /// The least number of packets in a burst, where segments leave together.
    fn least_burst(&self, _conn: &Connection) -> u64 {
        2
    }
    /// The most packets that leave together by offload, if the control has a rule for it.
    fn burst(&self, _conn: &Connection) -> Option<u64> {
        None
    }
    /// True if the control alone sets window and rate, in repairs too.
    fn rules_alone(&self) -> bool {
        false
    }
    /// True if it needs a notice of each lost packet, with the packets in flight at its departure.
    fn follows_losses(&self) -> bool {
        false
    }
    /// True if retransmissions may be marked too (ECT).
    fn marks_all(&self) -> bool {
        false
    }
    /// The ECN codepoint of packets that may be marked.
    fn codepoint(&self) -> Ecn {
        Ecn::Ect0
    }
    /// The random choices of the control, if it makes any.
    fn draws(&mut self) -> Option<&mut Draws> {
        None
    }
    fn choices_made(&self) -> u32 {
        0
    }
    /// The control's model of the path, if it has one.
    fn model(&self, _conn: &Connection) -> Option<Model> {
        None
    }
    /// The estimated share of marked packets, in 1/1024.
    fn alpha(&self) -> Option<u32> {
        None
    }
    /// Its cubic function, if it has one.
    fn curve(&self) -> Option<CubicCurve> {
        None
    }
}

/// A control's model of the path, as reported by the kernel: bytes per second, microseconds, gains
/// in 1/256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Model {
    /// Bandwidth in use.
    pub bandwidth: u64,
    /// Minimum round trip, in microseconds.
    pub min_rtt_us: u64,
    /// Gain of the pacing rate.
    pub pacing_gain: u32,
    /// Gain of the window.
    pub cwnd_gain: u32,
    /// Startup, Drain, ProbeRTT, Up, Down, Cruise, Refill: 1 to 7; 0 in version 1.
    pub phase: u8,
    /// The phase of either version in the draft's terms: startup, drain, probe_rtt, probe_bw,
    /// probe_bw_up and so on.
    pub phase_name: &'static str,
    /// The greatest bandwidth of two cycles.
    pub bandwidth_hi: u64,
    /// Bound on the bandwidth from recent losses.
    pub bandwidth_lo: Option<u64>,
    /// Bound on packets in flight from recent losses.
    pub inflight_lo: Option<u32>,
    /// Bound on packets in flight from probes.
    pub inflight_hi: Option<u32>,
    /// Number of packets acknowledged beyond what the bandwidth explains.
    pub extra_acked: u32,
}

macro_rules! house {
    ($( $name:ident, )+) => {
        /// One of the profile's controls without indirection, or a user's own.
        #[derive(Debug)]
        pub(super) enum LinuxController {
            $( $name($name), )+
            Own(Own),
        }

        macro_rules! whichever {
            ($self:expr, $control:ident => $call:expr) => {
                pacesim_units::dispatch!($self, LinuxController { $($name,)+ Own }, $control => $call)
            };
        }
    };
}

house! {
    Reno,
    Cubic,
    Dctcp,
    Prague,
    Bbr,
    Bbr3,
}

impl LinuxController {
    pub(super) fn new(
        control: &Control,
        setup: &Setup,
        hystart: Hystart,
        hz: u64,
    ) -> LinuxController {
        match control {
            Control::Reno => LinuxController::Reno(Reno),
            Control::Cubic => LinuxController::Cubic(Cubic::new(hystart, hz)),
            Control::Dctcp => LinuxController::Dctcp(Dctcp::default()),
            Control::Prague => LinuxController::Prague(Prague::default()),
            Control::Bbr => LinuxController::Bbr(Bbr::default()),
            Control::Bbr3 => LinuxController::Bbr3(Bbr3::new(bbr3::Rules::GOOGLE)),
            Control::Bbr3Draft => LinuxController::Bbr3(Bbr3::new(bbr3::Rules::DRAFT)),
            // A user's own, or a built-in one in real numbers only.
            other => LinuxController::Own(Own::new(Controller::new(other, setup).boxed())),
        }
    }
}

impl LinuxController {
    /// Processes a plain ACK, by separate code for each control; returns its round trip.
    #[inline]
    pub(super) fn take_plain(&mut self, conn: &mut Connection, next: u32, small: bool) -> Micros {
        whichever!(self, c => plain::take(conn, c, next, small))
    }
}

impl LinuxControl for LinuxController {
    fn on_open(&mut self, conn: &mut Connection) {
        whichever!(self, c => c.on_open(conn));
    }
    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        whichever!(self, c => c.new_ssthresh(conn))
    }
    #[inline]
    fn grow(&mut self, conn: &mut Connection, acked: u32) {
        whichever!(self, c => c.grow(conn, acked));
    }
    fn undo_window(&mut self, conn: &mut Connection) -> u32 {
        whichever!(self, c => c.undo_window(conn))
    }
    #[inline]
    fn on_packets_acked(&mut self, conn: &mut Connection, packets: u32, rtt: Option<Micros>) {
        whichever!(self, c => c.on_packets_acked(conn, packets, rtt));
    }
    fn on_state(&mut self, conn: &mut Connection, state: State) {
        whichever!(self, c => c.on_state(conn, state));
    }
    fn on_start_of_flight(&mut self, conn: &mut Connection) {
        whichever!(self, c => c.on_start_of_flight(conn));
    }
    fn on_loss_event(&mut self, conn: &mut Connection) {
        whichever!(self, c => c.on_loss_event(conn));
    }
    #[inline]
    fn on_ack(&mut self, conn: &Connection) {
        whichever!(self, c => c.on_ack(conn));
    }
    #[inline]
    fn rule(&mut self, conn: &mut Connection, sample: &RateSample) {
        whichever!(self, c => c.rule(conn, sample));
    }
    #[inline]
    fn rules_alone(&self) -> bool {
        whichever!(self, c => c.rules_alone())
    }
    fn on_packet_lost(&mut self, conn: &mut Connection, lost: &Lost) {
        whichever!(self, c => c.on_packet_lost(conn, lost));
    }
    fn on_probe_repair(&mut self, conn: &mut Connection) {
        whichever!(self, c => c.on_probe_repair(conn));
    }
    fn follows_losses(&self) -> bool {
        whichever!(self, c => c.follows_losses())
    }
    fn marks_all(&self) -> bool {
        whichever!(self, c => c.marks_all())
    }
    fn burst(&self, conn: &Connection) -> Option<u64> {
        whichever!(self, c => c.burst(conn))
    }
    fn codepoint(&self) -> Ecn {
        whichever!(self, c => c.codepoint())
    }
    fn least_burst(&self, conn: &Connection) -> u64 {
        whichever!(self, c => c.least_burst(conn))
    }
    fn draws(&mut self) -> Option<&mut Draws> {
        whichever!(self, c => c.draws())
    }
    fn choices_made(&self) -> u32 {
        whichever!(self, c => c.choices_made())
    }
    fn model(&self, conn: &Connection) -> Option<Model> {
        whichever!(self, c => c.model(conn))
    }
    fn alpha(&self) -> Option<u32> {
        whichever!(self, c => c.alpha())
    }
    fn curve(&self) -> Option<CubicCurve> {
        whichever!(self, c => c.curve())
    }
}

impl Connection {
    /// Slow start: grows by all acknowledged packets up to the threshold; returns the rest.
    #[inline]
    pub(super) fn slow_start(&mut self, acked: u32) -> u32 {
        let window = &mut self.window;
        let size = window.size.saturating_add(acked).min(window.ssthresh);
        let left = acked - (size - window.size);
        window.size = size;
        left
    }

    /// Grows the window by one packet for each `per` packets acknowledged.
    #[inline]
    pub(super) fn grow_by_credit(&mut self, per: u32, acked: u32) {
        let window = &mut self.window;
        if window.credit >= per {
            window.credit = 0;
            window.size += 1;
        }
        window.credit += acked;
        if window.credit >= per {
            let steps = window.credit / per;
            window.credit -= steps * per;
            window.size += steps;
        }
    }
}
