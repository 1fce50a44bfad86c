//! The history of a flow's phases.

use pacesim_tcp::{Control, LinuxState, Model, Segment, Sender};
use pacesim_units::{Rate, Span, Time};

use crate::path::{self, Part, Path, Watch};

pub(crate) const STARTUP: u8 = 1;
pub(crate) const DRAIN: u8 = 2;
pub(crate) const PROBE_RTT: u8 = 3;
pub(crate) const UP: u8 = 4;
pub(crate) const DOWN: u8 = 5;
pub(crate) const CRUISE: u8 = 6;
pub(crate) const REFILL: u8 = 7;

/// Packets of 1500 bytes in 40 ms of 50 Mbps.
pub(crate) const PRODUCT: u32 = 167;
pub(crate) const RTT_S: f64 = 0.04;

/// A stay in a phase: its limits in seconds, and the state after its first and its last ACK.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stay {
    pub(crate) phase: u8,
    pub(crate) begins: f64,
    pub(crate) ends: f64,
    pub(crate) first: LinuxState,
    pub(crate) last: LinuxState,
    /// Packets dropped before the stay and until its end.
    pub(crate) dropped: [u32; 2],
    /// Packets sent before it.
    pub(crate) sent: u32,
}

impl Stay {
    pub(crate) fn lasts(&self) -> f64 {
        self.ends - self.begins
    }
}

/// Stays in phases, and the time after a given one at which the bandwidth estimate was first within
/// a tenth of a rate.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub(crate) sent: u32,
    pub(crate) stays: Vec<Stay>,
    pub(crate) goal: Option<(Time, f64)>,
    pub(crate) reached: Option<f64>,
    /// State at the first departure after a time.
    pub(crate) resumes: Option<Time>,
    pub(crate) resumed: Option<LinuxState>,
    /// The bandwidth at the end of each round.
    pub(crate) rounds: Vec<(f64, u64)>,
    pub(crate) round_end: u32,
    /// Bounds by recent losses as they change, with their times.
    pub(crate) lower: Vec<(f64, Option<u64>, Option<u32>)>,
    /// Packets delivered and dropped by each whole second.
    pub(crate) totals: Vec<(u32, u32)>,
}

pub(crate) fn model(state: &LinuxState) -> Model {
    state.model.expect("BBR's model")
}

impl Watch for Story {
    fn sent(&mut self, now: Time, sender: &Sender, _: &Segment) {
        self.sent += 1;
        if self.resumes.is_some_and(|resumes| now >= resumes) && self.resumed.is_none() {
            self.resumed = sender.linux_state();
        }
    }

    fn event(&mut self, now: Time, sender: &Sender, path: &Path) {
        let state = sender.linux_state().expect("Linux's profile");
        let (phase, at) = (model(&state).phase, now.as_secs_f64());
        match self.stays.last_mut() {
            Some(stay) if stay.phase == phase => {
                (stay.ends, stay.last) = (at, state);
                stay.dropped[1] = path.dropped;
            }
            _ => self.stays.push(Stay {
                phase,
                begins: at,
                ends: at,
                first: state,
                last: state,
                dropped: [path.dropped; 2],
                sent: self.sent,
            }),
        }
        self.note_rounds(at, sender, &state);
        while self.totals.len() as f64 <= at {
            self.totals.push((state.delivered, path.dropped));
        }
        if let Some((after, rate)) = self.goal
            && now > after
            && self.reached.is_none()
            && (model(&state).bandwidth_hi as f64 / rate - 1.0).abs() < 0.1
        {
            self.reached = Some(now.saturating_since(after).as_secs_f64());
        }
    }
}

impl Story {
    fn note_rounds(&mut self, at: f64, sender: &Sender, state: &LinuxState) {
        if sender.acknowledged() >= self.round_end {
            self.round_end = sender.acknowledged() + sender.outstanding();
            self.rounds.push((at, model(state).bandwidth_hi));
        }
        let lower = (model(state).bandwidth_lo, model(state).inflight_lo);
        if self.lower.last().map(|(_, rate, flight)| (*rate, *flight)) != Some(lower) {
            self.lower.push((at, lower.0, lower.1));
        }
    }

    /// Stays in a phase, each with the stays that follow.
    pub(crate) fn pairs(&self, phase: u8) -> impl Iterator<Item = (&Stay, &Stay)> {
        let pairs = self.stays.windows(2).map(|pair| (&pair[0], &pair[1]));
        pairs.filter(move |(stay, _)| stay.phase == phase)
    }
}

pub(crate) fn plain(mbps: u64, buffer: u32) -> Path {
    Path::new(Rate::from_mbps(mbps), Span::from_ms(40), buffer as usize)
}

pub(crate) fn after(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// The story of a path.
pub(crate) fn follow(mut path: Path, seconds: u64) -> Story {
    let mut story = Story::default();
    path::run(Control::Bbr3Draft, 1, &mut path, after(seconds), &mut story);
    story
}

pub(crate) fn run(mbps: u64, buffer: u32, seconds: u64) -> Story {
    follow(plain(mbps, buffer), seconds)
}

/// Payload bytes per second of a link.
pub(crate) fn payload(mbps: f64) -> f64 {
    mbps * 1e6 / 8.0 * 1448.0 / 1500.0
}

/// The story of a link that takes a new rate at the tenth second; it knows the time until the bandwidth estimate is within a tenth of it.
pub(crate) fn adapts(from: u64, to: u64, buffer: u32) -> Story {
    let change = after(10);
    let mut path = plain(from, buffer).with(Part::NewRate(change, Rate::from_mbps(to)));
    let mut story = Story {
        goal: Some((change, payload(to as f64))),
        ..Story::default()
    };
    let end = change + Span::from_secs(20);
    path::run(Control::Bbr3Draft, 1, &mut path, end, &mut story);
    story
}
