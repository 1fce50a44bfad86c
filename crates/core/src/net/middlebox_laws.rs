//! The laws that every middlebox keeps, as a function to run.
//!
//! 1. *Hands*: it passes on or absorbs packets that arrived and are still there, each once.
//! 2. *Routes*: a packet that it creates has the [`hop`](Packet::hop) of a packet that arrived.
//! 3. *Patience*: it waits after finitely many steps, and then asks for no further call at the same
//!    time.
//! 4. *Repeatable*: made anew and offered the same packets, it does the same.
//! 5. *Short cut*: asked by [`passes`](Middlebox::passes) first it does the same, and counts the packets
//!    that it let [pass](Middlebox::passed).
//! 6. *Prompt*: if it [declares](Middlebox::is_prompt) so, it keeps no packet and has no timer.

use std::collections::{BTreeMap, BTreeSet};

use pacesim_units::{Span, Time};

use super::{Middlebox, Packet, Step, Volume};

/// A middlebox with more steps at one instant counts as one that never waits; more wake-ups after
/// the last arrival count as a periodic timer.
const MOST_STEPS: usize = 10_000;

/// Brings these packets to a middlebox, each by its gap after the one before, and serves its timer
/// until it has none or has been woken often enough. Returns the steps with their times, or a
/// description of the broken law. `make` makes the same middlebox each time it is called.
///
/// ```
/// use pacesim_core::net::{Middlebox, Packet, Step, middlebox_laws};
/// use pacesim_units::{Span, Time};
///
/// /// Absorbs every packet.
/// struct Sink(Vec<u32>);
///
/// impl Middlebox for Sink {
///     type Payload = ();
///     fn arrive(&mut self, _: Time, place: u32, _: &Packet, _: &mut u32) {
///         self.0.push(place);
///     }
///     fn step(&mut self, _: Time) -> Step {
///         self.0.pop().map_or(Step::Wait, Step::Absorb)
///     }
/// }
///
/// let packets = vec![(Span::from_ms(1), Packet::default()); 5];
/// let steps = middlebox_laws(|| Sink(Vec::new()), &packets).unwrap();
/// assert_eq!(steps.len(), 5);
/// ```
pub fn middlebox_laws<M: Middlebox>(
    make: impl Fn() -> M,
    arrivals: &[(Span, Packet)],
) -> Result<Vec<(Time, Step)>, String> {
    let steps = run_trial(make(), arrivals, Trial::arrive)?;
    if run_trial(make(), arrivals, Trial::arrive)? != steps {
        return Err("repeatable: constructed again it behaves differently".to_owned());
    }
    if run_trial(make(), arrivals, Trial::pass)? == steps {
        Ok(steps)
    } else {
        Err("short cut: behind `passes` it does something else".to_owned())
    }
}

/// A way of bringing a packet to a middlebox.
type Bring<M> = fn(&mut Trial<M>, u32, &Packet) -> Result<(), String>;

fn run_trial<M: Middlebox>(
    middlebox: M,
    arrivals: &[(Span, Packet)],
    bring: Bring<M>,
) -> Result<Vec<(Time, Step)>, String> {
    let mut trial = Trial {
        middlebox,
        now: Time::ZERO,
        header: 0,
        inside: BTreeMap::new(),
        hops: BTreeSet::new(),
        steps: Vec::new(),
        passed: Volume::default(),
    };
    for (place, (gap, packet)) in (0..).zip(arrivals) {
        let now = trial.now.saturating_add(*gap);
        while trial.wake(now)? {}
        trial.now = now;
        trial.inside.insert(place, *packet);
        trial.hops.insert(packet.hop);
        bring(&mut trial, place, packet)?;
    }
    for _ in 0..MOST_STEPS {
        if !trial.wake(Time::NEVER)? {
            break;
        }
    }
    Ok(trial.steps)
}

/// A middlebox and the packets it holds.
struct Trial<M> {
    middlebox: M,
    now: Time,
    /// Header word shared by all packets.
    header: u32,
    inside: BTreeMap<u32, Packet>,
    hops: BTreeSet<u32>,
    steps: Vec<(Time, Step)>,
    /// Packets that passed without arriving.
    passed: Volume,
}

impl<M: Middlebox> Trial<M> {
    /// Wakes the middlebox if its timer is due before `end`.
    fn wake(&mut self, end: Time) -> Result<bool, String> {
        match self.middlebox.next_wake() {
            Some(at) if at < end => {
                self.now = at;
                self.work().map(|()| true)
            }
            _ => Ok(false),
        }
    }

    fn arrive(&mut self, place: u32, packet: &Packet) -> Result<(), String> {
        let header = &mut self.header;
        self.middlebox.arrive(self.now, place, packet, header);
        self.work()
    }

    fn pass(&mut self, place: u32, packet: &Packet) -> Result<(), String> {
        let (header, wake) = (&mut self.header, self.middlebox.next_wake());
        if !self.middlebox.passes(self.now, packet, header) {
            return self.arrive(place, packet);
        }
        self.inside.remove(&place);
        self.steps.push((self.now, Step::Pass(place)));
        self.passed.add(packet.size);
        if self.middlebox.passed() != self.passed {
            return Err(format!(
                "short cut: {:?} are said to have passed at {}, not {:?}",
                self.middlebox.passed(),
                self.now,
                self.passed
            ));
        }
        if self.middlebox.next_wake() == wake {
            Ok(())
        } else {
            Err(format!("short cut: the timer moves at {}", self.now))
        }
    }

    /// Asks for the next action until it waits.
    fn work(&mut self) -> Result<(), String> {
        for _ in 0..MOST_STEPS {
            let step = self.middlebox.step(self.now);
            match step {
                Step::Wait => return self.check_patience(),
                Step::Pass(place) | Step::Absorb(place) => {
                    if self.inside.remove(&place).is_none() {
                        return Err(format!("hands: {step:?} at {}, not there", self.now));
                    }
                }
                Step::Send(packet) => {
                    self.middlebox.payload();
                    if !self.hops.contains(&packet.hop) {
                        return Err(format!(
                            "routes: no packet arrived with the hop of {packet:?}"
                        ));
                    }
                }
            }
            self.steps.push((self.now, step));
        }
        Err(format!("patience: {MOST_STEPS} steps at {}", self.now))
    }

    fn check_patience(&self) -> Result<(), String> {
        let wake = self.middlebox.next_wake();
        if self.middlebox.is_prompt() && (wake.is_some() || !self.inside.is_empty()) {
            return Err(format!("prompt: it waits for something at {}", self.now));
        }
        match wake {
            Some(at) if at <= self.now => Err(format!(
                "patience: it waits at {}, and is ready since {at}",
                self.now
            )),
            _ => Ok(()),
        }
    }
}
