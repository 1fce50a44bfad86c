//! A sender fed with the ACKs that reached the kernel's sender must do as the kernel did: the same
//! packets in the same order, the same state after each ACK, at the same times.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp::{Config, Control, Hystart, LinuxState, Pacing, Sender, Variant};
use pacesim_units::{Bytes, Rate, Span, Time};

use crate::case::{Case, Info, MODEL, Packet, STATE, micros};
use crate::events::{Event, Recorded};
use crate::search::Miss;

/// The greatest difference from the recorded departure of a packet triggered by an ACK.
pub(crate) const PROMPT: Span = Span::from_us(100);

/// The greatest lead of an ACK over its record, to be ahead of a paced packet that left after it.
const CLOSE: Span = Span::from_us(50);

pub(crate) struct Replay<'c> {
    case: &'c Case,
    payload: u64,
    sender: Sender,
    sent: VecDeque<&'c Packet>,
    /// Probes of a closed window: packets without data behind the handshake.
    probes: VecDeque<&'c Packet>,
    /// Events in the order of time, with the state expected after them.
    events: VecDeque<Recorded>,
    trace: bool,
    time: Time,
}

impl<'c> Replay<'c> {
    pub(crate) fn new(case: &'c Case, phase: Span, events: Vec<Recorded>) -> Replay<'c> {
        let sent = case.packets.iter().filter(|p| !p.is_ack && p.len > 0);
        let empty = |p: &&Packet| !p.is_ack && p.len == 0 && p.seq > 0;
        let probes = case.packets.iter().filter(empty);
        let mut config = Config::linux(if case.scenario.sack {
            Variant::Sack
        } else {
            Variant::NewReno
        });
        config.control = match case.scenario.control.as_str() {
            "reno" => Control::Reno,
            "dctcp" => Control::Dctcp,
            "bbr" => Control::Bbr,
            "bbr3" => Control::Bbr3,
            "bbr3_draft" => Control::Bbr3Draft,
            _ => Control::Cubic,
        };
        config.payload = Bytes(case.payload());
        config.linux.stamps = !case.scenario.peer;
        config.linux.hystart = if case.scenario.hystart {
            Hystart::Linux
        } else {
            Hystart::Off
        };
        config.linux.gso = case.scenario.gso;
        config.linux.ecn = case.scenario.ecn;
        config.linux.ecn_low = case.scenario.ecn_low;
        config.window_cap = if case.scenario.peer {
            (65_535 / case.payload()) as f64
        } else {
            100_000.0
        };
        if let Some(bps) = case.scenario.max_pace_bps {
            config.pacing = Pacing::Fixed(Rate::from_bps(bps).expect("a rate"));
        }
        if case.scenario.fq {
            config.pacing = Pacing::Linux;
        }
        Replay {
            case,
            payload: case.payload(),
            sender: Sender::new(&Arc::new(config), phase),
            sent: sent.collect(),
            probes: probes.collect(),
            events: events.into(),
            time: Time::ZERO,
            trace: std::env::var_os("PACESIM_TRACE_REPLAY").is_some(),
        }
    }

    /// Runs all events, with these random choices of `of` possible ones; fails with the first
    /// difference.
    pub(crate) fn run(mut self, choices: &[u32], of: u32) -> Result<(), Miss> {
        self.sender.plan_choices(choices, of);
        self.go_through().map_err(|why| Miss {
            why,
            left: self.events.len(),
            choices: self.sender.choices_made(),
        })
    }

    fn go_through(&mut self) -> Result<(), String> {
        while let Some((at, event, info)) = self.events.pop_front() {
            let now = at.max(self.time);
            self.fire_timers_before(now, &event, info.as_ref())?;
            if self.trace {
                println!("{:>9} {event:?}", micros(now));
            }
            let (now, after) = self.pacing_about(now, &event, info.as_ref());
            match &event {
                Event::Open => self.sender.connect(now),
                Event::Write(amount) => self.sender.on_data(now, *amount).expect("data that fit"),
                Event::Ack(ack, window) => {
                    if let Some(window) = window {
                        self.sender.set_peer_window(*window);
                    }
                    self.sender.on_ack(now, ack);
                }
                Event::Timer => self.sender.on_timer(now),
                Event::End => {}
            }
            if let Some(after) = after {
                self.sender.on_timer(after);
            }
            self.time = now.max(after.unwrap_or(now));
            self.compare_sent(now)?;
            if let Some(info) = info {
                self.compare_state(now, &info)?;
            }
        }
        match self.probes.front() {
            Some(probe) if probe.at < self.last_seen() => {
                Err(format!("{} us: no probe", micros(probe.at)))
            }
            _ => Ok(()),
        }
    }

    /// Fires timers that expire before this time and for which no packet was recorded.
    fn fire_timers_before(
        &mut self,
        now: Time,
        next: &Event,
        info: Option<&Info>,
    ) -> Result<(), String> {
        while let Some(at) = self.sender.next_timeout().filter(|at| *at < now) {
            if at + PROMPT >= now && self.comes_after(next, info) {
                return Ok(());
            }
            let seen = match next {
                Event::Timer => Some(now),
                _ => self.next_timer_seen(),
            };
            if self.will_be_seen(at, seen) {
                return Ok(());
            }
            let at = at.max(self.time);
            if self.trace {
                println!("{:>9} timer, unseen", micros(at));
            }
            self.sender.on_timer(at);
            self.compare_sent(at)?;
        }
        Ok(())
    }

    /// The time of the event, and of pacing's wake-up after it. Records are rounded to the
    /// microsecond, and a paced departure may be as close to an ACK: a packet recorded just before
    /// or after an ACK leaves on the same side of it.
    fn pacing_about(&self, now: Time, event: &Event, info: Option<&Info>) -> (Time, Option<Time>) {
        let near = |at: &Time| *at <= now + PROMPT && now <= *at + PROMPT;
        let (Some(paced), Some(info)) = (self.sender.paced_at().filter(near), info) else {
            return (now, None);
        };
        let seen = self.sent_there(event, info) > self.sender.counters().sent as i64;
        // Pacing is no evidence while the window limits sending.
        match (event, seen, paced > now) {
            (Event::Timer, true, true) => (paced, None),
            (Event::Ack(..), true, true) => (now, Some(paced)),
            (Event::Ack(..), false, false) if info.may_send() && now <= paced + CLOSE => {
                (paced - Span::from_us(1), None)
            }
            _ => (now, None),
        }
    }

    /// Packets sent by the recorded sender once the event was over.
    fn sent_there(&self, event: &Event, info: &Info) -> i64 {
        let counters = self.sender.counters();
        let next = (counters.sent - counters.retransmitted) as u32;
        let una = match event {
            Event::Ack(ack, _) if ack.next <= next => self.sender.acknowledged().max(ack.next),
            _ => self.sender.acknowledged(),
        };
        i64::from(una) + info.state[3] + info.resent
    }

    /// True if pacing releases the next packet only after this ACK.
    fn comes_after(&self, next: &Event, info: Option<&Info>) -> bool {
        let (Event::Ack(..), Some(info)) = (next, info) else {
            return false;
        };
        self.sent_there(next, info) <= self.sender.counters().sent as i64
    }

    /// True if the timer that expires at `at`, or later by the wheel's rounding, is the one that
    /// sends the next packets.
    fn will_be_seen(&self, at: Time, seen: Option<Time>) -> bool {
        let Some(exact) = self.sender.unrounded_timeout().filter(|exact| *exact <= at) else {
            return false;
        };
        let armed = self.sender.timeout_armed();
        let rounding = Span::from_ps((exact - armed).as_ps() / 8) + Span::from_ms(12);
        seen.is_some_and(|seen| seen >= exact && seen <= exact + rounding)
    }

    fn next_timer_seen(&self) -> Option<Time> {
        let timer = self.events.iter().find(|e| matches!(e.1, Event::Timer));
        timer.map(|(at, ..)| *at)
    }

    fn compare_sent(&mut self, now: Time) -> Result<(), String> {
        while let Some(segment) = self.sender.poll_transmit(now) {
            if segment.payload == 0 {
                self.compare_probe(now, segment.seq)?;
                continue;
            }
            let ours = u64::from(segment.seq - 1) * self.payload;
            if self.trace {
                println!("{:>9}    sends {ours}", micros(now));
            }
            let Some(theirs) = self.sent.pop_front() else {
                return if now > self.last_seen() {
                    Ok(())
                } else {
                    Err(format!(
                        "at {} us byte {ours} is sent, nothing there",
                        micros(now)
                    ))
                };
            };
            let flags = |ecn: u8, cwr: bool| (ecn == 2, cwr);
            let (there, here) = (
                flags(theirs.ecn, theirs.flags & 0x80 != 0),
                flags(segment.ecn as u8, segment.cwr),
            );
            let same = theirs.seq == ours as i64 && theirs.len == u64::from(segment.payload);
            let late = now.max(theirs.at) - now.min(theirs.at);
            if !same || there != here || late > PROMPT {
                return Err(format!(
                    "at {} us byte {ours} is sent, {} B, ECT and CWR {here:?}; there at {} us byte {}, {} B, {there:?}",
                    micros(now),
                    segment.payload,
                    micros(theirs.at),
                    theirs.seq,
                    theirs.len,
                ));
            }
        }
        match self.sent.front() {
            Some(next) if next.at + PROMPT < now => Err(format!(
                "at {} us byte {} was sent there, nothing here",
                micros(next.at),
                next.seq
            )),
            _ => Ok(()),
        }
    }

    /// A packet without data is the SYN, or probes the receiver's window from the last byte
    /// acknowledged.
    fn compare_probe(&mut self, now: Time, seq: u32) -> Result<(), String> {
        if seq == 0 || now > self.last_seen() {
            return Ok(());
        }
        let end = i64::from(seq) * self.payload as i64;
        match self.probes.pop_front() {
            Some(there)
                if there.seq == end - 1 && now.max(there.at) - now.min(there.at) <= PROMPT =>
            {
                Ok(())
            }
            there => Err(format!(
                "at {} us the window is probed from byte {}, there {:?}",
                micros(now),
                end - 1,
                there.map(|p| (micros(p.at), p.seq))
            )),
        }
    }

    fn last_seen(&self) -> Time {
        self.case.packets.last().map_or(Time::ZERO, |p| p.at)
    }

    fn compare_model(&self, now: Time, info: &Info) -> Result<(), String> {
        let theirs: Vec<i64> = info.model.iter().map_while(|value| *value).collect();
        if theirs.is_empty() {
            return Ok(());
        }
        let ours = model(&self.sender.linux_state().expect("Linux's profile"));
        if self.trace {
            println!("{:>9}    {ours:?} there {theirs:?}", micros(now));
        }
        // On a machine with a long uptime the kernel's first gains are left over from a run on the
        // SYN's ACK, before the control is set up.
        let opening = self.sender.acknowledged() == 1;
        let gains = 2..4;
        let mut compared = (0..theirs.len()).filter(|n| !(opening && gains.contains(n)));
        match compared.find(|n| ours[*n].abs_diff(theirs[*n]) > slack(*n, theirs[*n])) {
            None => Ok(()),
            Some(n) => Err(format!(
                "at {} us {} is {}, there {} ({MODEL:?} {ours:?}, there {theirs:?})",
                micros(now),
                MODEL[n],
                ours[n],
                theirs[n],
            )),
        }
    }

    fn compare_state(&self, now: Time, info: &Info) -> Result<(), String> {
        let ours = state(&self.sender.linux_state().expect("Linux's profile"));
        if self.trace {
            println!("{:>9}    {ours:?} there {:?}", micros(now), info.state);
        }
        match (0..STATE.len()).find(|n| ours[*n] != info.state[*n]) {
            None => self.compare_model(now, info),
            Some(n) => Err(format!(
                "at {} us {} is {}, there {} ({STATE:?} {ours:?}, there {:?})",
                micros(now),
                STATE[n],
                ours[n],
                info.state[n],
                info.state
            )),
        }
    }
}

/// Tolerance for a value of the model: times were recorded to the microsecond, at the path, not in
/// the kernel.
fn slack(column: usize, value: i64) -> u64 {
    match MODEL[column] {
        "bbr_min_rtt" => 10,
        "bbr_bw" | "bbr_bw_hi" | "bbr_bw_lo" | "pacing_Bps" => value.unsigned_abs() / 1000,
        _ => 0,
    }
}

fn model(state: &LinuxState) -> [i64; MODEL.len()] {
    let model = state.model.expect("a model of the path");
    let unset = |bound: Option<u32>| bound.map_or(-1, i64::from);
    [
        model.bandwidth as i64,
        model.min_rtt_us as i64,
        i64::from(model.pacing_gain),
        i64::from(model.cwnd_gain),
        state.pacing_rate as i64,
        i64::from(model.phase),
        model.bandwidth_hi as i64,
        model.bandwidth_lo.map_or(-1, |bandwidth| bandwidth as i64),
        unset(model.inflight_lo),
        unset(model.inflight_hi),
        i64::from(model.extra_acked),
    ]
}

fn state(state: &LinuxState) -> [i64; 7] {
    [
        i64::from(state.state),
        i64::from(state.cwnd),
        state.ssthresh.map_or(-1, i64::from),
        i64::from(state.unacked),
        i64::from(state.sacked),
        i64::from(state.lost),
        i64::from(state.retrans),
    ]
}
