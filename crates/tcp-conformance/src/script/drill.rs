//! The player of scripted cases.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp::{Ack, Amount, Block, Config, SackBlocks, Sender};
use pacesim_units::{Span, Time};
use serde_json::Value;

use super::{keys, number, values};

/// Plays a case to a sender; the error is the first event that it does not meet.
pub(super) fn play(case: &Value, config: Config) -> Result<(), String> {
    let mut drill = Drill::new(case, config);
    let events = case["events"].as_array().into_iter().flatten();
    events.into_iter().try_for_each(|event| drill.event(event))
}

/// Time zero of a case, so that its handshake does not precede time zero of the simulation.
const START_MS: f64 = 10_000.0;
/// The tolerance of the scripts, and the lateness of timers due to their ticks.
const TOLERANCE_MS: f64 = 4.0;
const TICKS_MS: f64 = 15.0;
/// The most by which a timer for late packets may differ from the record.
const LATE_TIMER_MS: f64 = 14.0;

struct Drill {
    sender: Sender,
    payload: u64,
    /// Segments that left and that no event has claimed, with their times.
    left: VecDeque<(u32, f64, bool)>,
    /// Lateness of events, due to the lateness of timers.
    shift: f64,
    tolerance: f64,
    previous: f64,
}

fn time(ms: f64) -> Time {
    Time::ZERO + Span::from_us(((START_MS + ms) * 1000.0).round() as u64)
}

fn ms(time: Time) -> f64 {
    time.as_secs_f64() * 1000.0 - START_MS
}

impl Drill {
    fn new(case: &Value, config: Config) -> Drill {
        let start = &case["start"];
        let mut drill = Drill {
            payload: config.payload.get(),
            sender: Sender::new(&Arc::new(config), Span::ZERO),
            left: VecDeque::new(),
            shift: 0.0,
            tolerance: number(case, "tol_ms").unwrap_or(TOLERANCE_MS),
            previous: 0.0,
        };
        drill.open(number(start, "handshake_rtt_ms").unwrap_or(100.0));
        drill
    }

    fn open(&mut self, rtt: f64) {
        let opened = time(-rtt);
        self.sender.connect(opened);
        while self.sender.poll_transmit(opened).is_some() {}
        self.acknowledge(0.0, 1, SackBlocks::NONE, false);
    }

    fn collect(&mut self, now: f64) {
        while let Some(segment) = self.sender.poll_transmit(time(now)) {
            // Probes of a closed window are tested against recorded runs.
            if segment.payload == 0 {
                continue;
            }
            self.left
                .push_back((segment.seq, now, segment.ecn.is_capable()));
        }
    }

    /// Runs timers until this time, or until a segment leaves if that is requested.
    fn wait(&mut self, until: f64, for_segment: bool) {
        while let Some(at) = self.sender.next_timeout().filter(|at| *at <= time(until)) {
            if for_segment && !self.left.is_empty() {
                return;
            }
            self.sender.on_timer(at);
            self.collect(ms(at));
        }
    }

    fn acknowledge(&mut self, at: f64, next: u32, sacks: SackBlocks, ece: bool) {
        let ack = Ack {
            next,
            stamp: Time::ZERO,
            sacks,
            ece,
            marked: None,
        };
        self.sender.on_ack(time(at), &ack);
        self.collect(at);
    }

    fn event(&mut self, event: &Value) -> Result<(), String> {
        let at = needed(event, "t")? + self.shift;
        let acts = ["app", "ack", "acks"]
            .iter()
            .any(|key| event.get(key).is_some());
        let probes = event
            .get("sends")
            .is_some_and(|sends| sends[0].get("probe_at").is_some());
        if probes {
            self.expect_probe(event)?;
        } else if acts {
            self.wait(at, false);
            self.act(at, event)?;
            self.expect_sends(event, at - self.tolerance, at + self.tolerance)?;
        } else if event.get("sends").is_some() {
            self.expect_timer(at, event)?;
        } else {
            self.wait(at, false);
        }
        self.expect_state(event)?;
        self.previous = at;
        Ok(())
    }

    fn act(&mut self, at: f64, event: &Value) -> Result<(), String> {
        if let Some(bytes) = number(event, "wnd") {
            self.sender
                .set_peer_window((bytes / self.payload as f64) as u32);
        }
        if let Some(segments) = number(event, "app") {
            let amount = Amount::Packets(segments as u32);
            let accepted = self.sender.on_data(time(at), amount);
            accepted.map_err(|why| why.to_string())?;
            self.collect(at);
        }
        if let Some(segments) = number(event, "ack") {
            let ece = keys::is_set(&event["ece"]).unwrap_or(false);
            self.acknowledge(at, 1 + segments as u32, self.blocks(event), ece);
        }
        if let Some(run) = event.get("acks") {
            let of = |key| needed(run, key);
            let [from, to, step, every] = [of("from")?, of("to")?, of("step")?, of("every_ms")?];
            if step <= 0.0 {
                return Err(format!("{run} has a step of {step}"));
            }
            let count = ((to - from) / step) as u32;
            for n in 0..=count {
                let at = at + every * f64::from(n);
                self.wait(at, false);
                let next = 1 + (from + step * f64::from(n)) as u32;
                self.acknowledge(at, next, SackBlocks::NONE, false);
            }
            if let Some(then) = event.get("then") {
                self.expect_state(then)?;
            }
        }
        Ok(())
    }

    fn blocks(&self, event: &Value) -> SackBlocks {
        let ranges = event.get("sack").and_then(Value::as_array);
        let blocks = ranges.into_iter().flatten().filter_map(|range| {
            let [before, last] = match keys::bytes_of(range) {
                // Part of a segment does not show that all of it was received.
                Some([from, to]) => [from.div_ceil(self.payload), to / self.payload],
                None => [range[0].as_u64()?.checked_sub(1)?, range[1].as_u64()?],
            };
            let (start, end) = (before as u32 + 1, last as u32 + 1);
            (start < end).then_some(Block { start, end })
        });
        SackBlocks::new(&blocks.collect::<Vec<_>>())
    }

    /// Expects segments that a timer sends, between these times after the event before.
    fn expect_timer(&mut self, at: f64, event: &Value) -> Result<(), String> {
        let (from, to) = match event.get("within") {
            Some(within) => {
                let [from, to] = pair(within)?;
                (self.previous + from, self.previous + to + TICKS_MS)
            }
            None => (at.min(self.previous + 25.0), at + LATE_TIMER_MS),
        };
        self.wait(to, true);
        let left = self.left.front().map(|(_, at, _)| *at);
        self.expect_sends(event, from - self.tolerance, to)?;
        if event.get("within").is_none()
            && let Some(left) = left
        {
            self.shift += left - at;
        }
        Ok(())
    }

    /// Expects a probe of a closed window: nothing leaves here, but the timer doubles.
    fn expect_probe(&mut self, event: &Value) -> Result<(), String> {
        let [from, to] = pair(&event["within"])?;
        let due = self.sender.next_timeout().map(ms).ok_or("no timer runs")?;
        let (from, to) = (self.previous + from, self.previous + to + TICKS_MS);
        self.sender.on_timer(time(due));
        self.collect(due);
        if (from - self.tolerance..=to + 0.13 * (to - self.previous)).contains(&due) {
            Ok(())
        } else {
            Err(format!("a probe at {due} ms, not between {from} and {to}"))
        }
    }

    fn expect_sends(&mut self, event: &Value, from: f64, to: f64) -> Result<(), String> {
        let ranges = event.get("sends").and_then(Value::as_array);
        for range in ranges.into_iter().flatten() {
            let [first, last] = pair(range)?.map(|segment| segment as u32);
            for seq in first..=last {
                let Some((left, at, ect)) = self.left.pop_front() else {
                    return Err(format!("segment {seq} does not leave by {to} ms"));
                };
                if left != seq || at < from || at > to {
                    return Err(format!(
                        "segment {left} leaves at {at} ms, not {seq} between {from} and {to}"
                    ));
                }
                if event.get("ecn").is_some_and(|ecn| ecn == "ect0") && !ect {
                    return Err(format!("segment {seq} may not be marked"));
                }
            }
        }
        Ok(())
    }

    fn expect_state(&self, event: &Value) -> Result<(), String> {
        let Some(state) = self.sender.linux_state() else {
            return Err("a script needs a sender of Linux's profile".to_owned());
        };
        for (key, ours) in values(&state) {
            let Some(theirs) = event.get(key) else {
                continue;
            };
            let ours = if theirs.is_number() {
                ours.parse::<u64>().map_or(Value::from(ours), Value::from)
            } else {
                Value::from(ours)
            };
            if *theirs != ours {
                return Err(format!(
                    "at {} ms {key} is {ours}, not {theirs}",
                    event["t"]
                ));
            }
        }
        Ok(())
    }
}

/// A number that an event needs.
fn needed(value: &Value, key: &str) -> Result<f64, String> {
    number(value, key).ok_or_else(|| format!("{value} needs {key}, a number"))
}

/// Two numbers.
fn pair(value: &Value) -> Result<[f64; 2], String> {
    match (value[0].as_f64(), value[1].as_f64()) {
        (Some(from), Some(to)) => Ok([from, to]),
        _ => Err(format!("{value} is no pair of numbers")),
    }
}
