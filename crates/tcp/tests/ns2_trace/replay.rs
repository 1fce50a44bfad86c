//! Replays one trace and compares.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::Arc;

use pacesim_tcp::{Ack, Amount, Config, EventMask, Receiver, Sender, SenderEvent};
use pacesim_units::{Bytes, Span, Time};

use crate::trace::{At, Link, Trace};

/// The first difference between ns-2 and this sender.
pub(crate) fn check(trace: &Trace) -> Result<(), String> {
    let config = trace.config();
    let acks = surviving(trace, &arrivals_at_router(trace, &config));
    compare_acks(trace, &acks)?;
    let mut flow = Replay::new(trace);
    flow.on_data(At(Time::ZERO, 0.0), trace.npkts);
    let mut more = trace.more_data.iter().peekable();
    for (ack, (at, _)) in acks.iter().zip(&trace.events.ack_rx) {
        while let Some((given, packets)) = more.next_if(|(given, _)| given.1 <= at.1) {
            flow.on_data(*given, *packets);
        }
        flow.run_timers(*at);
        flow.on_ack(*at, &ack.ack);
    }
    if !flow.sender.is_done() {
        flow.run_timers(trace.end);
    }
    flow.compare(trace)
}

/// An ACK in flight.
struct Flying {
    at: Time,
    ack: Ack,
}

/// Sending time of each data packet that reached the sink. The transmissions of a packet number
/// share its outcomes in order: each is dropped or arrives.
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

/// The answers of this receiver, and their arrival times at the router on the return path.
fn arrivals_at_router(trace: &Trace, config: &Arc<Config>) -> Vec<Flying> {
    let mut receiver = Receiver::new(config);
    let mut answers = Vec::new();
    let mut last = At(Time::ZERO, 0.0);
    for ((at, seq), stamp) in trace.events.sink_rx.iter().zip(sending_times(trace)) {
        if let Some(due) = receiver.next_timeout()
            && delayed_ack_goes_first(trace, config, last, *at)
        {
            answers.extend(receiver.on_timer(due).map(|ack| Flying { at: due, ack }));
        }
        let answer = receiver.on_data(at.0, *seq, stamp);
        answers.extend(answer.map(|ack| Flying { at: at.0, ack }));
        last = *at;
    }
    if let Some(due) = receiver.next_timeout() {
        answers.extend(receiver.on_timer(due).map(|ack| Flying { at: due, ack }));
    }
    drop_at_queue(trace, &mut answers);
    cross(&mut answers, trace.topology.links_back()[0], config);
    answers
}

/// Removes the ACKs that found the queue at the receiver full.
fn drop_at_queue(trace: &Trace, answers: &mut Vec<Flying>) {
    let dropped = trace.events.ack_drop.iter();
    let mut full = dropped
        .filter(|(.., place)| place == "queueD")
        .map(|(at, ..)| at.0)
        .peekable();
    answers.retain(|flying| full.next_if(|at| close(*at, flying.at)).is_none());
}

/// True if the ACK of the packet that arrived `last` is sent before a packet that arrives `at`.
/// ns-2's clock is a double, and the last bit may decide; at an exact tie the one that began
/// earlier is first, the delay or the transmission.
fn delayed_ack_goes_first(trace: &Trace, config: &Config, last: At, at: At) -> bool {
    let wait = config.delayed_ack.expect("a delayed ACK");
    let due = last.1 + wait.as_secs_f64();
    let (rate, delay) = trace.topology.links()[1];
    let size = Bytes(config.payload.get() + config.header.get());
    let transmission = rate.transmission_time(size).expect("a short time");
    due < at.1 || (due == at.1 && wait > delay + transmission)
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

/// The ACKs not dropped by the script at the router, as they reach the sender.
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
    cross(&mut left, trace.topology.links_back()[1], &trace.config());
    left
}

fn compare_acks(trace: &Trace, ours: &[Flying]) -> Result<(), String> {
    let theirs: Vec<_> = trace
        .events
        .ack_rx
        .iter()
        .map(|(at, ack)| (at.0, *ack))
        .collect();
    // The trace lacks arrivals after the run's end.
    let ours: Vec<_> = ours
        .iter()
        .filter(|flying| flying.at <= trace.end.0)
        .map(|flying| (flying.at, i64::from(flying.ack.next) - 1))
        .collect();
    same("ACK", &theirs, &ours)
}

/// A sender, its actions, and its state after each event.
struct Replay {
    sender: Sender,
    /// The timer's expiry, also as the double that ns-2 would have.
    timer: Option<At>,
    sent: Vec<(Time, (u32, u8))>,
    windows: Vec<(Time, (String, u32))>,
    round_trips: Vec<(Time, [u64; 4])>,
    timeouts: Timeouts,
}

impl Replay {
    fn new(trace: &Trace) -> Replay {
        let phase = trace.boot_time.0 - Time::ZERO;
        let mut sender = Sender::new(&trace.config(), phase);
        sender.want_events(EventMask::TIMEOUT);
        let mut new = Replay {
            sender,
            timer: None,
            sent: Vec::new(),
            windows: Vec::new(),
            round_trips: Vec::new(),
            timeouts: Vec::new(),
        };
        new.look(Time::ZERO);
        new
    }

    fn on_data(&mut self, at: At, packets: u32) {
        self.run_timers(at);
        self.sender
            .on_data(at.0, Amount::Packets(packets))
            .expect("something to send");
        if self.drain(at) > 0 {
            self.look(at.0);
        }
    }

    fn on_ack(&mut self, at: At, ack: &Ack) {
        self.sender.on_ack(at.0, ack);
        self.drain(at);
        self.look(at.0);
    }

    /// Runs timers. One that expires at an ACK's arrival was armed before that ACK was sent, and
    /// goes first.
    fn run_timers(&mut self, until: At) {
        while let Some(due) = self.timer.filter(|due| due.1 <= until.1) {
            self.sender.on_timer(due.0);
            // Expiries that send nothing are not in the trace.
            if self.drain(due) > 0 {
                self.look(due.0);
            }
        }
    }

    /// Takes everything out of the sender; returns the number of packets.
    fn drain(&mut self, at: At) -> usize {
        let before = self.sent.len();
        while let Some(segment) = self.sender.poll_transmit(at.0) {
            let again = u8::from(segment.retransmission);
            self.sent.push((at.0, (segment.seq, again)));
        }
        while let Some(event) = self.sender.poll_event() {
            if let SenderEvent::Timeout { at, seq, .. } = event {
                self.timeouts.push((at, seq));
            }
        }
        self.note_timer(at);
        self.sent.len() - before
    }

    fn note_timer(&mut self, at: At) {
        let due = self.sender.next_timeout();
        if due != self.timer.map(|timer| timer.0) {
            self.timer = due.map(|due| At(due, at.1 + (due - at.0).as_secs_f64()));
        }
    }

    /// Notes window and round trip after a change; ns-2 prints only the last at one time.
    fn look(&mut self, at: Time) {
        let (cwnd, ssthresh) = (self.sender.cwnd(), self.sender.ssthresh());
        note(&mut self.windows, at, (six_digits(cwnd), ssthresh as u32));
        let rtt = self.sender.rtt_state();
        let rtt = [rtt.last, rtt.srtt8, rtt.rttvar4, u64::from(rtt.backoff)];
        note(&mut self.round_trips, at, rtt);
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
        if trace.paced {
            // Go-back-N is paced: what left without an ACK need not be a timeout.
            return Ok(());
        }
        let (timeouts, ours) = without_ambiguous(trace, timeouts, self.timeouts.clone());
        same("timeout", &timeouts, &ours)
    }
}

/// Times of retransmissions, and the packets.
type Timeouts = Vec<(Time, u32)>;

/// The timeouts of ns-2 and of this sender, without those that the trace cannot show: it treats a
/// retransmission without an ACK as a timeout, even if new data cause it, and one together with an
/// ACK as none.
fn without_ambiguous(
    trace: &Trace,
    mut theirs: Timeouts,
    mut ours: Timeouts,
) -> (Timeouts, Timeouts) {
    let data: BTreeSet<Time> = trace.more_data.iter().map(|(at, _)| at.0).collect();
    let acks: BTreeSet<Time> = trace.events.ack_rx.iter().map(|(at, _)| at.0).collect();
    theirs.retain(|(at, _)| !data.contains(at));
    ours.retain(|(at, _)| !data.contains(at));
    ours.retain(|timeout| !acks.contains(&timeout.0) || theirs.contains(timeout));
    (theirs, ours)
}

/// Appends a value if it is new, in place of one of the same time.
fn note<T: PartialEq>(list: &mut Vec<(Time, T)>, at: Time, value: T) {
    list.pop_if(|(last, _)| *last == at);
    if list.last().is_none_or(|(_, last)| *last != value) {
        list.push((at, value));
    }
}

/// A real number as ns-2 prints it.
fn six_digits(x: f64) -> String {
    format!("{x:.5e}")
}

fn close(a: Time, b: Time) -> bool {
    a.max(b) - a.min(b) <= Span::from_ns(1)
}

/// True if two lists agree, in times to a nanosecond.
fn same<T: PartialEq + Debug>(
    what: &str,
    theirs: &[(Time, T)],
    ours: &[(Time, T)],
) -> Result<(), String> {
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
