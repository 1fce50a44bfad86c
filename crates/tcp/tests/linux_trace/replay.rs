//! A sender fed with the ACKs that the kernel got must do what the kernel did: the same packets in the same
//! order, the same state after each ACK, at the same times.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use pacesim_tcp::{
    Ack, Amount, Block, Config, Control, Hystart, LinuxState, Pacing, SackBlocks, Sender, Variant,
};
use pacesim_units::{Bytes, Rate, Span, Time};

use crate::case::{Case, Info, MODEL, Packet, STATE, micros, time};

/// Packets that an ACK triggers leave at most so much later or earlier than recorded.
const PROMPT: Span = Span::from_us(100);

/// Compares; what differs first.
pub(crate) fn check(case: &Case) -> Result<(), String> {
    let readings = match case.scenario.peer {
        true => &[Reading::AtRecord][..],
        false => &[Reading::AtArrival, Reading::Between, Reading::AtRecord],
    };
    let clocks = phases(case)
        .into_iter()
        .flat_map(|phase| readings.iter().map(move |reading| (phase, *reading)));
    let mut closest: Option<Miss> = None;
    for clock in clocks {
        match check_with(case, clock) {
            Ok(()) => return Ok(()),
            Err(miss) if closest.as_ref().is_none_or(|closest| miss.left < closest.left) => {
                closest = Some(miss);
            }
            Err(_) => {}
        }
    }
    Err(closest.map_or_else(String::new, |miss| miss.why))
}

/// When the kernel read its clock for an ACK: the hand-over to it and the record of its state after are known, and
/// the one is up to some microseconds later than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    AtArrival,
    /// A microsecond before the record.
    Between,
    AtRecord,
}

/// How far the kernel's ticks lie from ours, and when it read its clock.
type Clock = (Span, Reading);

/// Parts into which what a control may choose from is divided: version 1 of BBR chooses one of seven phases.
const CHOICES: u32 = 7;

/// Compares with this clock. The kernel's random choices were not recorded: each is tried in turn,
/// and the one kept with which the replay gets furthest.
fn check_with(case: &Case, clock: Clock) -> Result<(), Miss> {
    let replay = |choices: &[u32]| Replay::new(case, clock).run(choices);
    let mut choices = Vec::new();
    let mut best = replay(&choices);
    loop {
        let Err(miss) = &best else {
            return Ok(());
        };
        if choices.len() >= miss.choices as usize {
            return best;
        }
        choices.push(0);
        let last = choices.len() - 1;
        let mut keep = 0;
        best = replay(&choices);
        for choice in 1..CHOICES {
            choices[last] = choice;
            let tried = replay(&choices);
            if left(&tried) < left(&best) {
                (best, keep) = (tried, choice);
            }
        }
        choices[last] = keep;
    }
}

/// The first difference, how many events were left then, and how many choices were made.
struct Miss {
    why: String,
    left: usize,
    choices: u32,
}

fn left(result: &Result<(), Miss>) -> usize {
    result.as_ref().err().map_or(0, |miss| miss.left + 1)
}

/// How far the kernel's ticks lie from ours: told by the offset of the path's clock or by packets that a timer
/// sent; where nothing tells, sixteen are tried.
fn phases(case: &Case) -> Vec<Span> {
    if !case.scenario.peer {
        return vec![Span::from_us(case.scenario.offset_us % 4000)];
    }
    let timed = case.infos.iter().find(|info| info.why == 'T');
    match timed {
        Some(info) => vec![Span::from_us(
            (4000 - micros(info.at).rem_euclid(4000)) as u64 % 4000,
        )],
        None => (0..16).map(|n| Span::from_us(n * 250)).collect(),
    }
}

/// Something that happens to the sender.
#[derive(Clone, Debug)]
enum Event {
    Open,
    Write(Amount),
    Ack(Ack, Option<u32>),
    /// A timer's packets were seen.
    Timer,
    /// Nothing; time only.
    End,
}

/// An event at its time, with the state expected after it.
type Recorded = (Time, Event, Option<Info>);

struct Replay<'c> {
    case: &'c Case,
    payload: u64,
    sender: Sender,
    sent: VecDeque<&'c Packet>,
    /// Events in the order of time, with the state expected after them.
    events: VecDeque<Recorded>,
    trace: bool,
    time: Time,
}

impl<'c> Replay<'c> {
    fn new(case: &'c Case, (phase, reading): Clock) -> Replay<'c> {
        let sent = case.packets.iter().filter(|p| !p.is_ack && p.len > 0);
        let mut config = Config::linux(match case.scenario.sack {
            true => Variant::Sack,
            false => Variant::NewReno,
        });
        config.control = match case.scenario.control.as_str() {
            "reno" => Control::Reno,
            "dctcp" => Control::Dctcp,
            "bbr" => Control::Bbr,
            "bbr3" => Control::Bbr3,
            _ => Control::Cubic,
        };
        config.payload = Bytes(case.payload());
        config.linux.stamps = !case.scenario.peer;
        config.linux.hystart = match case.scenario.hystart {
            true => Hystart::Linux,
            false => Hystart::Off,
        };
        config.linux.ecn = case.scenario.ecn;
        config.linux.ecn_low = case.scenario.ecn_low;
        config.window_cap = match case.scenario.peer {
            true => (65_535 / case.payload()) as f64,
            false => 100_000.0,
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
            events: events(case, reading),
            time: Time::ZERO,
            trace: std::env::var_os("PACESIM_TRACE_REPLAY").is_some(),
        }
    }

    fn run(mut self, choices: &[u32]) -> Result<(), Miss> {
        self.sender.plan_choices(choices, CHOICES);
        self.go_through().map_err(|why| Miss {
            why,
            left: self.events.len(),
            choices: self.sender.choices_made(),
        })
    }

    fn go_through(&mut self) -> Result<(), String> {
        while let Some((now, event, info)) = self.events.pop_front() {
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
        Ok(())
    }

    /// Lets timers end that were to end before this, and for which no packet of a timer was recorded.
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

    /// Records are rounded to the microsecond, and pacing comes as close to ACKs: a packet that was seen just before
    /// or after an ACK leaves on the same side of it. The time of the event, and when pacing wakes after it.
    fn pacing_about(&self, now: Time, event: &Event, info: Option<&Info>) -> (Time, Option<Time>) {
        let near = |at: &Time| *at <= now + PROMPT && now <= *at + PROMPT;
        let (Some(paced), Some(info)) = (self.sender.paced_at().filter(near), info) else {
            return (now, None);
        };
        let seen = self.sent_there(event, info) > self.sender.counters().sent as i64;
        // Where the window holds back pacing says nothing.
        match (event, seen, paced > now) {
            (Event::Timer, true, true) => (paced, None),
            (Event::Ack(..), true, true) => (now, Some(paced)),
            (Event::Ack(..), false, false) if info.may_send() => (paced - Span::from_us(1), None),
            _ => (now, None),
        }
    }

    /// Packets that had been sent there once the event was over.
    fn sent_there(&self, event: &Event, info: &Info) -> i64 {
        let counters = self.sender.counters();
        let next = (counters.sent - counters.retransmitted) as u32;
        let una = match event {
            Event::Ack(ack, _) if ack.next <= next => self.sender.acknowledged().max(ack.next),
            _ => self.sender.acknowledged(),
        };
        i64::from(una) + info.state[3] + info.resent
    }

    /// Whether pacing lets its next packet go only after this ACK.
    fn comes_after(&self, next: &Event, info: Option<&Info>) -> bool {
        let (Event::Ack(..), Some(info)) = (next, info) else {
            return false;
        };
        self.sent_there(next, info) <= self.sender.counters().sent as i64
    }

    /// Whether the timer that ends at `at`, or later by what the wheel rounds, is the one whose packets come next.
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
                continue;
            }
            let ours = u64::from(segment.seq - 1) * self.payload;
            if self.trace {
                println!("{:>9}    sends {ours}", micros(now));
            }
            let Some(theirs) = self.sent.pop_front() else {
                return match now > self.last_seen() {
                    true => Ok(()),
                    false => Err(format!(
                        "at {} us byte {ours} is sent, nothing there",
                        micros(now)
                    )),
                };
            };
            let flags = |ecn: u8, cwr: bool| (ecn == 2, cwr);
            let (there, here) = (
                flags(theirs.ecn, theirs.flags & 0x80 != 0),
                flags(u8::from(segment.ect) * 2, segment.cwr),
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
        // On a machine that is up for long enough the kernel's first gains are left over from a run on the SYN's
        // ACK, before the control is set up.
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

/// How far a value of the model may be off: times were recorded to the microsecond, at the path, not in the kernel.
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

/// All that happened to the recorded sender, in its order.
fn events(case: &Case, reading: Reading) -> VecDeque<Recorded> {
    let mut events = Vec::new();
    let syn = case.packets.iter().find(|p| !p.is_ack && p.flags & 2 != 0);
    let opened = syn.map_or(Time::ZERO, |syn| syn.at);
    events.push((opened, Event::Open, None));
    let of = |why: char| {
        case.infos
            .iter()
            .filter(move |info| info.why == why)
            .copied()
    };
    let end = case.packets.last().map_or(opened, |p| p.at);
    let acks = acks(case);
    let established = acks.first().map_or(opened, |(at, _)| *at);
    let mut states = of('A');
    let mut arrivals = BTreeMap::new();
    let mut windows = windows(case);
    for (index, (at, ack)) in acks.iter().enumerate() {
        let info = states.next();
        let now = info.map_or(*at, |info| info.at.max(*at));
        let window = if index == 0 {
            None
        } else {
            windows.pop_front().flatten()
        };
        // The application writes as soon as the connection is open, before the state is read.
        if let Some(info) = info {
            arrivals.insert(info.order, *at);
        }
        let early = index == 0 && !case.scenario.peer;
        events.push((now, Event::Ack(*ack, window), info.filter(|_| !early)));
        if early {
            events.extend(first_write(case).map(|amount| (now, Event::Write(amount), info)));
        }
    }
    events.extend(writes(case, established, end));
    // What leaves fq lets another in just after the state was read.
    events.extend(
        of('T')
            .filter(|info| !case.scenario.is_write(info.at, established))
            .map(|info| {
                (
                    info.at,
                    Event::Timer,
                    Some(info).filter(|_| !case.scenario.fq),
                )
            }),
    );
    events.push((end, Event::End, None));
    events.sort_by_key(|(at, _, info)| (*at, info.map(|info| info.order)));
    events.retain(|event| event.0 <= end);
    if reading != Reading::AtRecord {
        read_early(&mut events, &arrivals, reading);
    }
    events.into()
}

/// ACKs are taken in before the state after them was recorded, but not before what was recorded earlier.
fn read_early(events: &mut [Recorded], arrivals: &BTreeMap<usize, Time>, reading: Reading) {
    let mut earlier = Time::ZERO;
    for (at, event, info) in events {
        if let (Event::Ack(..) | Event::Write(_), Some(info)) = (&event, &info)
            && let Some(arrival) = arrivals.get(&info.order)
        {
            let before = match reading {
                Reading::AtArrival => *arrival,
                _ => *at - Span::from_us(1),
            };
            *at = before.max(*arrival).min(*at).max(earlier);
        }
        earlier = *at;
    }
}

fn first_write(case: &Case) -> Option<Amount> {
    Some(match (case.scenario.chunk, case.scenario.segments) {
        (Some((packets, _)), _) | (None, Some(packets)) => Amount::Packets(packets),
        (None, None) => Amount::Endless,
    })
}

/// Further writes: by the script, or by the clock.
fn writes(case: &Case, established: Time, end: Time) -> Vec<(Time, Event, Option<Info>)> {
    let bytes = |n: u64| Event::Write(Amount::Bytes(Bytes(n)));
    if case.scenario.peer {
        let seen = case.infos.iter().filter(|info| info.why == 'W');
        let script = case.scenario.script.iter().filter_map(|step| step.write);
        return script
            .zip(seen)
            .map(|(n, info)| (info.at, bytes(n), Some(*info)))
            .collect();
    }
    let Some((packets, gap)) = case.scenario.chunk else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let mut at = established + Span::from_us(gap);
    while at <= end {
        let seen = case.infos.iter().find(|info| {
            info.why == 'T' && info.at + PROMPT >= at && info.at <= at + Span::from_ms(1)
        });
        let now = seen.map_or(at, |info| info.at);
        all.push((now, Event::Write(Amount::Packets(packets)), seen.copied()));
        at = now + Span::from_us(gap);
    }
    all
}

impl crate::case::Scenario {
    /// Whether the application writes about then, by the clock.
    fn is_write(&self, at: Time, established: Time) -> bool {
        let Some((_, gap)) = self.chunk else {
            return false;
        };
        let since = at.saturating_since(established).as_ps() / 1_000_000;
        since >= gap / 2 && (since % gap).min(gap - since % gap) < 2_000
    }
}

/// The windows that scripted ACKs name, in packets.
fn windows(case: &Case) -> VecDeque<Option<u32>> {
    let payload = case.payload();
    let acks = case
        .scenario
        .script
        .iter()
        .filter(|step| step.write.is_none());
    acks.map(|step| {
        let bytes = step.window.unwrap_or(1 << 24);
        Some((((bytes >> 8).min(65_535) << 8) / payload) as u32)
    })
    .collect()
}

/// The ACKs that reached the sender, with the time-stamps they echo, in their order.
fn acks(case: &Case) -> Vec<(Time, Ack)> {
    let payload = case.payload() as i64;
    let end = case.packets.last().map_or(Time::ZERO, |p| p.at);
    let mut echoes = Echoes::new(case);
    let mut acks = Vec::new();
    for packet in case.packets.iter().filter(|p| p.is_ack) {
        let stamp = echoes.of(packet);
        if !packet.delivered && !case.scenario.peer {
            continue;
        }
        if packet.out > end && !case.scenario.peer {
            continue;
        }
        let syn = packet.flags & 2 != 0;
        let number = |byte: i64| (byte.max(0) / payload) as u32;
        let upwards = |byte: i64| (byte.max(0) as u64).div_ceil(payload as u64) as u32;
        let blocks: Vec<Block> = packet
            .sacks
            .iter()
            .map(|(start, end)| Block {
                start: 1 + upwards(*start),
                end: 1 + number(*end),
            })
            .filter(|block| block.start < block.end)
            .collect();
        let ack = Ack {
            next: if syn { 1 } else { 1 + number(packet.ack) },
            stamp,
            sacks: SackBlocks::new(&blocks),
            ece: packet.flags & 0x40 != 0 && !syn,
        };
        acks.push((packet.out, ack));
    }
    acks.sort_by_key(|(at, _)| *at);
    acks
}

/// The time-stamp that the receiver echoes, by RFC 7323 §4.3.
struct Echoes<'c> {
    arrivals: VecDeque<&'c Packet>,
    recent: Time,
    last_acked: i64,
}

impl<'c> Echoes<'c> {
    fn new(case: &'c Case) -> Echoes<'c> {
        let data = case.packets.iter().filter(|p| !p.is_ack && p.delivered);
        let mut arrivals: Vec<&Packet> = data.collect();
        arrivals.sort_by_key(|p| p.out);
        Echoes {
            arrivals: arrivals.into(),
            recent: time(0),
            last_acked: -1,
        }
    }

    fn of(&mut self, ack: &Packet) -> Time {
        while let Some(packet) = self.arrivals.front().filter(|p| p.out <= ack.at) {
            if packet.seq <= self.last_acked && packet.at >= self.recent {
                self.recent = packet.at;
            }
            self.arrivals.pop_front();
        }
        self.last_acked = self.last_acked.max(ack.ack);
        self.recent
    }
}
