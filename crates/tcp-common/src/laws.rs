//! The laws that every congestion control keeps, as a function to run.
//!
//! 1. *Bounds*: after every call the window is a finite number of at least 1 packet, and
//!    the threshold is at least 1.
//! 2. *Start*: `restart` with a window makes it that window.
//! 3. *Loss*: neither a loss nor a partial acknowledgement widens the window beyond 2 packets; one
//!    that restarts from a single packet leaves at most that or half.
//! 4. *Sameness*: the same calls give the same window, in every sender and run.

use std::fmt;

use pacesim_units::{Span, Time};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::control::{AckSample, CongestionControl, LossKind, LossSample, SentSample};

/// One call of a trial, by the method that is called.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A call of [`CongestionControl::restart`].
    Restart(f64),
    /// A call of [`CongestionControl::on_sent`].
    Sent(SentSample),
    /// A call of [`CongestionControl::on_ack`].
    Acked(AckSample),
    /// A call of [`CongestionControl::on_loss`].
    Lost(LossSample),
    /// A call of [`CongestionControl::deflate`].
    Deflated(f64),
    /// A call of [`CongestionControl::on_recovered`].
    Recovered(u32),
}

/// A broken law, and the call that broke it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the broken law.
    pub law: &'static str,
    /// Number of the call that broke it, from 0.
    pub call: usize,
    /// Description of the event that broke it.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { law, call, what } = self;
        write!(f, "the law of {law} is broken by call {call}: {what}")
    }
}

impl std::error::Error for Violation {}

/// Plays the calls to two identical congestion controls, and returns the first broken law.
///
/// ```
/// use pacesim_tcp_common::control::{Halving, Reno};
/// use pacesim_tcp_common::laws;
///
/// for seed in 0..20 {
///     let make = || Reno::rfc(10.0, f64::INFINITY, Halving::Flight);
///     laws::check(make, &laws::random_events(seed, 500))?;
/// }
/// # Ok::<(), laws::Violation>(())
/// ```
pub fn check<C: CongestionControl>(
    make: impl Fn() -> C,
    events: &[Event],
) -> Result<(), Violation> {
    let (mut control, mut twin) = (make(), make());
    for (call, event) in events.iter().enumerate() {
        let before = control.window();
        play(&mut control, event);
        play(&mut twin, event);
        let broken = bounds(&control)
            .or_else(|| start(&control, event))
            .or_else(|| loss(&control, event, before))
            .or_else(|| sameness(&control, &twin));
        if let Some((law, what)) = broken {
            return Err(Violation { law, call, what });
        }
    }
    Ok(())
}

/// The name of a law and the event that broke it.
type Broken = Option<(&'static str, String)>;

fn play(control: &mut impl CongestionControl, event: &Event) {
    match event {
        Event::Restart(window) => control.restart(*window),
        Event::Sent(sample) => control.on_sent(sample),
        Event::Acked(sample) => control.on_ack(sample),
        Event::Lost(sample) => control.on_loss(&LossSample {
            // No sender has more packets outstanding than its window allowed.
            in_flight: sample.in_flight.min(control.window() as u32),
            ..*sample
        }),
        Event::Deflated(packets) => control.deflate(*packets),
        Event::Recovered(in_flight) => control.on_recovered(*in_flight),
    }
}

fn bounds(control: &impl CongestionControl) -> Broken {
    let (window, ssthresh) = (control.window(), control.ssthresh());
    let what = if !(control.least_window()..f64::INFINITY).contains(&window) {
        format!("the window is {window}")
    } else if ssthresh.is_nan() || ssthresh < 1.0 {
        format!("the threshold is {ssthresh}")
    } else {
        return None;
    };
    Some(("bounds", what))
}

fn start(control: &impl CongestionControl, event: &Event) -> Broken {
    let Event::Restart(asked) = *event else {
        return None;
    };
    let window = control.window();
    let what = || format!("a restart with {asked} made the window {window}");
    (window != asked).then(|| ("start", what()))
}

/// The least window allowed after a loss.
const LEAST_AFTER_LOSS: f64 = 2.0;

fn loss(control: &impl CongestionControl, event: &Event, before: f64) -> Broken {
    let most = match event {
        Event::Lost(sample) if sample.kind == LossKind::FastRetransmit => before,
        Event::Lost(_) => before / 2.0,
        Event::Deflated(_) => before,
        _ => return None,
    };
    let window = control.window();
    let what = || format!("{event:?} made a window of {before} one of {window}");
    (window > most.max(LEAST_AFTER_LOSS)).then(|| ("loss", what()))
}

fn sameness(control: &impl CongestionControl, twin: &impl CongestionControl) -> Broken {
    let state = |c: &dyn CongestionControl| (c.window(), c.ssthresh(), c.pacing_rate());
    let (one, other) = (state(control), state(twin));
    let what = || format!("one is at {one:?}, the other at {other:?}");
    (one != other).then(|| ("sameness", what()))
}

/// A random sequence of calls, as a sender with losses might make them.
pub fn random_events(seed: u64, count: usize) -> Vec<Event> {
    let mut random = Calls(Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut now = Time::ZERO;
    let first = Event::Restart((1 + random.below(10)) as f64);
    let rest = (1..count).map(|_| {
        now += Span::from_us(random.below(20_000));
        random.event(now)
    });
    std::iter::once(first).chain(rest).collect()
}

/// A random generator of calls.
struct Calls(Xoshiro256PlusPlus);

impl Calls {
    fn below(&mut self, n: u64) -> u64 {
        self.0.random_range(0..n)
    }

    fn event(&mut self, now: Time) -> Event {
        let in_flight = self.below(100) as u32;
        match self.below(100) {
            0..60 => Event::Acked(self.ack(now, in_flight)),
            60..90 => Event::Sent(SentSample::new(now, self.below(10_000) as u32, in_flight)),
            90..93 => Event::Lost(LossSample::new(now, LossKind::FastRetransmit, in_flight)),
            93..96 => Event::Deflated((1 + self.below(30)) as f64),
            96..97 => Event::Recovered(in_flight),
            97..98 => Event::Restart((1 + self.below(10)) as f64),
            _ => Event::Lost(LossSample::new(now, self.loss_with_restart(), in_flight)),
        }
    }

    fn ack(&mut self, now: Time, in_flight: u32) -> AckSample {
        let rtt = Span::from_us(1 + self.below(200_000));
        AckSample {
            in_flight,
            rtt: (self.below(4) > 0).then_some(rtt),
            srtt: rtt,
            window_unused: self.below(4) == 0,
            in_recovery: self.below(8) == 0,
            ..AckSample::new(now, self.below(4) as u32)
        }
    }

    /// One of the losses after which a sender starts again from a single packet.
    fn loss_with_restart(&mut self) -> LossKind {
        let kinds = [
            LossKind::FastRestart,
            LossKind::Timeout,
            LossKind::RepeatedTimeout,
        ];
        kinds[self.below(kinds.len() as u64) as usize]
    }
}
