//! Turns to send, which all receiving ends of a host take one by one, as NDP's pulls.

use pacesim_core::net::Probe;
use pacesim_datacentre::ndp::{PullClock, PullClockConfig};
use pacesim_transport::Wish;
use pacesim_units::{Bytes, LinkId, Rate, Time};

use super::ends::SinkEnd;
use super::session::Session;
use super::{Agent, World, WorldNetwork};
use crate::model::Model;
use crate::model::transport::TurnRule;

/// The turns of the ends whose packets leave by one port.
#[derive(Debug)]
pub(super) struct Turns {
    link: LinkId,
    config: PullClockConfig,
    clock: PullClock,
    timer: u32,
    /// The time at which the timer expires; never if it is not armed.
    wake: Time,
}

/// Gives the receiving ends of a session their place in the turns of their host, if they take some.
pub(super) fn equip(
    session: &mut Session,
    model: &Model,
    network: &mut WorldNetwork,
    all: &mut Vec<Turns>,
) {
    let Some(rule) = session.transport.as_ref().and_then(|of| of.turns()) else {
        return;
    };
    let link = network.path(session.routes[1]).next();
    let link = link.expect("a route has a link");
    let size = session.config.payload + session.config.header;
    let config = config(rule, model.links[link.index()].rate, size);
    let known = all.iter().position(|turns| turns.link == link);
    let place = known.unwrap_or_else(|| {
        all.push(Turns {
            link,
            config,
            clock: PullClock::new(config),
            timer: network.add_timers(1),
            wake: Time::NEVER,
        });
        all.len() - 1
    });
    // Turns of ends with packets of several sizes are those of the largest.
    if config.gap > all[place].config.gap {
        (all[place].config, all[place].clock) = (config, PullClock::new(config));
    }
    session.turns = Some(place as u32);
}

fn config(rule: TurnRule, line: Rate, packet: Bytes) -> PullClockConfig {
    match rule {
        TurnRule::Paper => PullClockConfig::paper(line, packet),
        TurnRule::Htsim => PullClockConfig::htsim(line, packet),
    }
}

impl<P: Probe> World<P> {
    /// A packet has arrived at a receiving end, which may wish for turns.
    pub(super) fn grant_wishes(&mut self, id: u32, now: Time) {
        let connection = &mut self.connections[id as usize];
        let Some(place) = self.sessions[connection.session as usize].turns else {
            return;
        };
        let key = u64::from(connection.flow.0) << 32 | u64::from(connection.call);
        let SinkEnd::Own(end) = &mut connection.receiver else {
            return;
        };
        let clock = &mut self.turns[place as usize].clock;
        while let Some(wish) = end.wish() {
            match wish {
                Wish::NoTurns => clock.remove(key),
                Wish::Turn => {
                    // Turns are counted by the end.
                    if clock.answer(now, key, 0) {
                        end.turn(now);
                    }
                }
            }
        }
        self.arm_turns(place as usize, now);
    }

    /// The timer of some turns has expired; false if it is none of theirs.
    pub(super) fn wake_turns(&mut self, timer: u32, now: Time, began: Time) -> bool {
        let place = self.turns.binary_search_by_key(&timer, |turns| turns.timer);
        let Ok(place) = place else {
            return false;
        };
        self.turns[place].wake = Time::NEVER;
        while let Some(pull) = self.turns[place].clock.pull(now) {
            let (flow, call) = ((pull.flow >> 32) as usize, pull.flow as u32);
            let id = match self.agents[flow] {
                Agent::Tcp(id) | Agent::Heard(id) => Some(id),
                Agent::Calls(session) => self.sessions[session as usize].open.place(call),
                Agent::Exchange(_) | Agent::Open(_) => None,
            };
            let Some(id) = id else {
                continue;
            };
            if let SinkEnd::Own(end) = &mut self.connections[id as usize].receiver {
                end.turn(now);
                self.answer_own(id, now, began);
            }
        }
        self.arm_turns(place, now);
        true
    }

    fn arm_turns(&mut self, place: usize, now: Time) {
        let turns = &mut self.turns[place];
        let wake = turns.clock.next_wake().unwrap_or(Time::NEVER);
        if wake == turns.wake {
            return;
        }
        turns.wake = wake;
        match wake {
            Time::NEVER => self.network.clear_timer(turns.timer),
            at => self.network.set_timer(turns.timer, at, now),
        }
    }
}
