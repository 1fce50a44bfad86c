//! Early end of a run that would not end otherwise: beyond its [`Budget`](crate::model::Budget).

use std::fmt;

use pacesim_core::net::Probe;
use pacesim_units::Time;

use super::World;
use crate::model::Model;

/// Reason, time and place of a run's giving up. It follows from the model alone, not from the
/// machine or from any observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GaveUp {
    /// The count that exceeded its budget.
    pub excess: Excess,
    /// The time at which the run gave up.
    pub at: Time,
}

/// A budget that was exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Too many packets wait at a port.
    Waiting {
        /// Link of the port.
        link: String,
        /// The most packets that may wait there.
        most: u32,
    },
    /// Too many timers expire at one instant.
    Events {
        /// The group of the flow of the next timer, if that is a sender's.
        flows: Option<String>,
        /// The most timers that may expire at one instant.
        most: u64,
    },
    /// An end of a user's own broke a rule, or failed.
    End {
        /// Name of the flow.
        flow: String,
        /// The rule or the reason, as in "the end FLOW ...".
        why: String,
    },
    /// A side of a user's own application broke a rule, or panicked.
    Application {
        /// Name of the flow that carries its messages.
        flow: String,
        /// The rule or the reason, as in "the application of flow FLOW ...".
        why: String,
    },
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at;
        match &self.excess {
            Excess::Waiting { link, most } => write!(
                f,
                "gave up: more than {most} packets wait, at {at}, at the port of link {link} (run.most_waiting)"
            ),
            Excess::Events { flows, most } => {
                let flow = flows.iter().map(|flows| format!(" of flow {flows}"));
                let whose: String = flow.collect();
                write!(
                    f,
                    "gave up: more than {most} events, at {at}, the last{whose} (run.most_events)"
                )
            }
            Excess::End { flow, why } => {
                write!(f, "gave up: the end of flow {flow} {why}, at {at}")
            }
            Excess::Application { flow, why } => {
                write!(f, "gave up: the application of flow {flow} {why}, at {at}")
            }
        }
    }
}

/// Counts timers at one instant; reads the clock only rarely.
#[derive(Debug)]
pub(super) struct Instants {
    /// Number of timers before the next look at the clock.
    left: u32,
    grain: u32,
    /// The time of the last look, and the timers since then at that same instant.
    at: Time,
    there: u64,
    /// The most timers that may expire at one instant.
    most: u64,
    /// Number of timers that had expired by the last look.
    before: u64,
    /// The number of timers between pauses, the count at which the next pause is due, and the time
    /// of a pause in progress.
    stretch: u64,
    rest_after: u64,
    rests: Option<Time>,
}

/// Number of timers between two looks at the clock.
const GRAIN: u64 = 4096;

/// Timers between pauses in which the caller may check on the machine. More with very many links
/// and flows, since each check reads all their counters.
const STRETCH: u64 = 1 << 16;

impl Instants {
    pub(super) fn of(model: &Model) -> Instants {
        let most = model.budget.events(model.flows.len());
        let grain = most.clamp(1, GRAIN) as u32;
        let stretch = STRETCH.max((model.links.len() + model.flows.len()) as u64);
        Instants {
            left: grain,
            grain,
            at: Time::NEVER,
            there: 0,
            most,
            before: 0,
            stretch,
            rest_after: stretch,
            rests: None,
        }
    }

    /// Counts a timer. True if it is time to look at the clock.
    #[inline(always)]
    pub(super) fn is_due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    /// Looks at the clock. True if too many timers have expired at this instant.
    fn look(&mut self, now: Time) -> bool {
        self.left = self.grain;
        self.before += u64::from(self.grain);
        self.there = if self.at == now {
            self.there + u64::from(self.grain)
        } else {
            0
        };
        self.at = now;
        if self.before >= self.rest_after {
            self.rest_after = self.before + self.stretch;
            self.rests = Some(now);
        }
        self.there >= self.most
    }

    fn timers(&self) -> u64 {
        self.before + u64::from(self.grain - self.left)
    }
}

impl<P: Probe> World<P> {
    /// The reason for giving up, if the run did: it has ended there, and its numbers are void.
    pub fn gave_up(&self) -> Option<&GaveUp> {
        self.gave_up.as_ref()
    }

    /// Work so far: packet hops plus expired timers of flows.
    pub fn work(&self) -> u64 {
        let timers = self.parts().map(|part| part.instants.timers());
        self.packet_hops() + timers.sum::<u64>()
    }

    /// True if the run paused before all requested events were processed.
    pub(super) fn comes_to_rest(&mut self) -> bool {
        let Some(now) = self.instants.rests.take() else {
            return false;
        };
        self.now = now;
        self.gave_up.is_none()
    }

    /// Looks at the clock. True if too many timers have expired at this instant for it ever to
    /// pass, or if a pause is due in which the caller may check on the machine.
    #[cold]
    #[inline(never)]
    pub(super) fn must_stop(&mut self, now: Time, timer: u32) -> bool {
        let stands = self.instants.look(now);
        if stands {
            let flow = self.model.flows.get(timer as usize);
            let flows = flow.map(|flow| flow.group.to_string());
            let most = self.instants.most;
            let excess = Excess::Events { flows, most };
            self.gave_up.get_or_insert(GaveUp { excess, at: now });
        }
        stands || self.instants.rests.is_some()
    }

    /// Ends the run after all events up to the instant at which a port had too many packets.
    pub(super) fn stop_if_beyond(&mut self, until: Time) {
        let overflows = self.parts().filter_map(|part| part.network.overflow());
        if let Some((at, link)) = overflows.min()
            && at <= until
            && self.gave_up.is_none()
        {
            let link = self.model.links[link.index()].name.to_string();
            let most = self.model.budget.waiting();
            let excess = Excess::Waiting { link, most };
            self.gave_up = Some(GaveUp { excess, at });
        }
        if until == self.end && self.gave_up.is_none() {
            self.try_ends(until);
        }
        if let Some(gave_up) = &self.gave_up {
            self.now = gave_up.at;
        }
    }
}
