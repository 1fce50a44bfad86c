//! Replays one trace and compares.

use std::collections::BTreeMap;
use std::fmt::Debug;

use pacesim_tcp::{Ack, Amount, Config, EventMask, Receiver, Sender, SenderEvent};
use pacesim_units::{Span, Time};

use crate::trace::{At, Link, Trace};

/// The first difference between what ns-2 and what we did.
pub(crate) fn check(trace: &Trace) -> Result<(), String> {
    let config = trace.config();
    let acks = surviving(trace, &arrivals_at_router(trace, &config));
    compare_acks(trace, &acks)?;
    let mut flow = Replay::new(trace);
    flow.start(trace.npkts);
    for (ack, (At(at), _)) in acks.iter().zip(&trace.events.ack_rx) {
        flow.run_timers(*at);
        flow.on_ack(*at, &ack.ack);
    }
    if !flow.sender.is_done() {
        flow.run_timers(trace.end.0);
    }
    flow.compare(trace)
}

/// An ACK on its way.
struct Flying {
    at: Time,
    ack: Ack,
}

/// When each data packet that reached the sink was sent. A packet number's
/// transmissions fare in the order they left: each is dropped or arrives.
fn sending_times(trace: &Trace) -> Vec<Time> {
    let mut sent: BTreeMap<u32, Vec<Time>> = BTreeMap::new();
    for (at, seq, _) in trace.events.data_tx.iter().rev() {
        sent.entry(*seq).or_default().push(at.0);
    }
    let delay = trace.topology.links()[1].1;
    let dropped = trace
        .events
        .drop
        .iter()
        .map(|(at, seq, _)| (at.0, *seq, false));
    let arrived = trace
        .events
        .sink_rx
        .iter()
        .map(|(at, seq)| (at.0 - delay, *seq, true));
    let mut fates: Vec<(Time, u32, bool)> = dropped.chain(arrived).collect();
    fates.sort_by_key(|(at, ..)| *at);
    let mut times = Vec::new();
    for (_, seq, arrives) in fates {
        let at = sent
            .get_mut(&seq)
            .and_then(Vec::pop)
            .expect("a transmission for each fate");
        if arrives {
            times.push(at);
        }
    }
    times
}

/// What our receiver answers, and when it reaches the router on the way back.
fn arrivals_at_router(trace: &Trace, config: &std::sync::Arc<Config>) -> Vec<Flying> {
    let mut receiver = Receiver::new(config);
    let mut answers = Vec::new();
    let stamps = sending_times(trace);
    for ((At(at), seq), stamp) in trace.events.sink_rx.iter().zip(stamps) {
        if let Some(due) = receiver.next_timeout().filter(|due| due <= at) {
            answers.extend(receiver.on_timer(due).map(|ack| Flying { at: due, ack }));
        }
        answers.extend(
            receiver
                .on_data(*at, *seq, stamp)
                .map(|ack| Flying { at: *at, ack }),
        );
    }
    if let Some(due) = receiver.next_timeout() {
        answers.extend(receiver.on_timer(due).map(|ack| Flying { at: due, ack }));
    }
    cross(&mut answers, trace.topology.links()[1], config);
    answers
}

/// Moves ACKs over a link with an unlimited queue.
fn cross(acks: &mut [Flying], (rate, delay): Link, config: &Config) {
    let mut free = Time::ZERO;
    for flying in acks {
        let size = config.ack_wire_size(flying.ack.sacks.len());
        free = free.max(flying.at) + rate.transmission_time(size).expect("a short time");
        flying.at = free + delay;
    }
}

/// Those that the script does not drop at the router, at the sender.
fn surviving(trace: &Trace, at_router: &[Flying]) -> Vec<Flying> {
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    let mut left = Vec::new();
    for Flying { at, ack } in at_router {
        let count = seen.entry(ack.next).or_default();
        *count += 1;
        if !trace.ack_drops.contains(&(i64::from(ack.next) - 1, *count)) {
            left.push(Flying { at: *at, ack: *ack });
        }
    }
    cross(&mut left, trace.topology.links()[0], &trace.config());
    left
}

fn compare_acks(trace: &Trace, ours: &[Flying]) -> Result<(), String> {
    let theirs: Vec<_> = trace
        .events
        .ack_rx
        .iter()
        .map(|(at, ack)| (at.0, *ack))
        .collect();
    // What arrives after the run's end is not in the trace.
    let ours: Vec<_> = ours
        .iter()
        .filter(|flying| flying.at <= trace.end.0)
        .map(|flying| (flying.at, i64::from(flying.ack.next) - 1))
        .collect();
    same("ACK", &theirs, &ours)
}

/// A sender, what it did, and how it looked after each event.
struct Replay {
    sender: Sender,
    sent: Vec<(Time, (u32, u8))>,
    windows: Vec<(Time, (String, u32))>,
    round_trips: Vec<(Time, [u64; 4])>,
    timeouts: Vec<(Time, u32)>,
}

impl Replay {
    fn new(trace: &Trace) -> Replay {
        let phase = trace.boot_time.0 - Time::ZERO;
        let mut sender = Sender::new(&trace.config(), phase);
        sender.want_events(EventMask::TIMEOUT);
        let mut new = Replay {
            sender,
            sent: Vec::new(),
            windows: Vec::new(),
            round_trips: Vec::new(),
            timeouts: Vec::new(),
        };
        new.look(Time::ZERO);
        new
    }

    fn start(&mut self, packets: u32) {
        self.sender
            .on_data(Time::ZERO, Amount::Packets(packets))
            .expect("something to send");
        self.drain(Time::ZERO);
    }

    fn on_ack(&mut self, at: Time, ack: &Ack) {
        self.sender.on_ack(at, ack);
        self.drain(at);
        self.look(at);
    }

    /// Timers armed before an ACK began to arrive go first (ties included).
    fn run_timers(&mut self, until: Time) {
        while let Some(due) = self.sender.next_timeout().filter(|due| *due <= until) {
            self.sender.on_timer(due);
            // Expiries that send nothing are not in the trace.
            if self.drain(due) > 0 {
                self.look(due);
            }
        }
    }

    fn drain(&mut self, at: Time) -> usize {
        let before = self.sent.len();
        while let Some(segment) = self.sender.poll_transmit(at) {
            let again = u8::from(segment.retransmission);
            self.sent.push((at, (segment.seq, again)));
        }
        while let Some(event) = self.sender.poll_event() {
            if let SenderEvent::Timeout { at, seq, .. } = event {
                self.timeouts.push((at, seq));
            }
        }
        self.sent.len() - before
    }

    /// Notes window and round trip where they have changed.
    fn look(&mut self, at: Time) {
        let window = (
            six_digits(self.sender.cwnd()),
            self.sender.ssthresh() as u32,
        );
        if self.windows.last().is_none_or(|(_, last)| *last != window) {
            self.windows.push((at, window));
        }
        let rtt = self.sender.rtt_state();
        let rtt = [rtt.last, rtt.srtt8, rtt.rttvar4, u64::from(rtt.backoff)];
        if self.round_trips.last().is_none_or(|(_, last)| *last != rtt) {
            self.round_trips.push((at, rtt));
        }
    }

    fn compare(&self, trace: &Trace) -> Result<(), String> {
        let events = &trace.events;
        let sent: Vec<_> = events
            .data_tx
            .iter()
            .map(|(at, seq, again)| (at.0, (*seq, *again)))
            .collect();
        let windows: Vec<_> = events
            .win
            .iter()
            .map(|(at, w, s)| (at.0, (six_digits(*w), *s)))
            .collect();
        let rtts: Vec<_> = events
            .rtt
            .iter()
            .map(|(at, a, b, c, d)| (at.0, [*a, *b, *c, u64::from(*d)]))
            .collect();
        let timeouts: Vec<_> = events.rto.iter().map(|(at, seq)| (at.0, *seq)).collect();
        same("transmission", &sent, &self.sent)?;
        same("window", &windows, &self.windows)?;
        same("round trip", &rtts, &self.round_trips)?;
        same("timeout", &timeouts, &self.timeouts)
    }
}

/// As ns-2 prints a real number.
fn six_digits(x: f64) -> String {
    format!("{x:.5e}")
}

/// Whether two lists agree, in times to a nanosecond.
fn same<T: PartialEq + Debug>(
    what: &str,
    theirs: &[(Time, T)],
    ours: &[(Time, T)],
) -> Result<(), String> {
    let close = |a: Time, b: Time| a.max(b) - a.min(b) <= Span::from_ns(1);
    for (i, (x, y)) in theirs.iter().zip(ours).enumerate() {
        if !close(x.0, y.0) || x.1 != y.1 {
            return Err(format!("{what} {i}: ns-2 {x:?}, we {y:?}"));
        }
    }
    if theirs.len() == ours.len() {
        return Ok(());
    }
    let (n, m) = (theirs.len(), ours.len());
    Err(format!("{what}s: ns-2 {n}, we {m}"))
}
