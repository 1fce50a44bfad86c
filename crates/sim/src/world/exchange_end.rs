//! The application of one end of an exchange: its units and their times.

use std::sync::Arc;

use pacesim_tcp::{Amount, Config};
use pacesim_units::{Bytes, FlowId, Span};

use crate::model::{After, Exchange, Step};

/// State of the connection that carries one direction of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    NotYet,
    /// The connection is open, at this place.
    Open(u32),
    Over,
}

impl Way {
    pub(super) fn connection(self) -> Option<u32> {
        match self {
            Way::Open(id) => Some(id),
            Way::NotYet | Way::Over => None,
        }
    }
}

/// An end's part in closing the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The connection is never closed.
    Never,
    ToCome,
    /// The end has just run out of data.
    Due,
    /// The end has no more data, but the other end still has some.
    Waits,
    /// The FIN of the end has been handed over.
    Closed,
}

/// The application of one end.
pub(super) struct ExchangeEnd {
    pub(super) other: FlowId,
    /// Units that the end sends, followed by an empty step, if any.
    steps: Arc<[Step]>,
    units: usize,
    pub(super) ending: Ending,
    /// True if the other end has no more data; true if its FIN has arrived.
    pub(super) other_waits: bool,
    pub(super) other_closed: bool,
    pub(super) stands_when_closed: bool,
    payload: u64,
    /// Number of units handed over so far.
    handed: usize,
    /// Number of units of the other end that have arrived.
    heard: u32,
    /// Own units that have arrived, and the sequence number after the next one's last packet.
    pub(super) arrived: usize,
    next_end: u64,
}

impl ExchangeEnd {
    pub(super) fn new(exchange: &Exchange, config: &Config) -> ExchangeEnd {
        let is_unit = |step: &&Step| step.size > Bytes::ZERO;
        let units = exchange.steps.iter().take_while(is_unit).count();
        let mut exchange_end = ExchangeEnd {
            other: exchange.other,
            steps: exchange.steps.clone(),
            units,
            ending: if units < exchange.steps.len() {
                Ending::ToCome
            } else {
                Ending::Never
            },
            other_waits: false,
            other_closed: false,
            stands_when_closed: exchange.stands_when_closed,
            payload: config.payload.0,
            handed: 0,
            heard: 0,
            arrived: 0,
            next_end: u64::from(config.syn),
        };
        exchange_end.next_end += exchange_end.packets_of_next();
        exchange_end
    }

    /// Takes the amount that the application hands over now.
    pub(super) fn next(&mut self) -> Option<Amount> {
        if !self.has_more() {
            if self.ending == Ending::ToCome {
                self.ending = Ending::Due;
            }
            return None;
        }
        let step = self.steps[self.handed];
        self.handed += 1;
        Some(Amount::Bytes(step.size))
    }

    /// True if there are units still to hand over.
    pub(super) fn has_more(&self) -> bool {
        self.handed < self.units
    }

    /// The wait of the next step from now, if it is known; the unit before has just been handed
    /// over.
    pub(super) fn wait(&self) -> Option<Span> {
        if !self.has_more() && self.ending != Ending::ToCome {
            return None;
        }
        let step = self.steps.get(self.handed)?;
        let begins = match step.after {
            After::OwnUnit => true,
            After::Arrivals(units) => units <= self.heard,
        };
        begins.then_some(step.wait)
    }

    /// Own packets that have arrived in order so far; true if they complete a unit.
    pub(super) fn note_arrivals(&mut self, packets: u32) -> bool {
        let before = self.arrived;
        while self.arrived < self.handed && u64::from(packets) >= self.next_end {
            self.arrived += 1;
            self.next_end += self.packets_of_next();
        }
        self.arrived > before
    }

    pub(super) fn packets_of_next(&self) -> u64 {
        let next = self.steps[..self.units].get(self.arrived);
        next.map_or(0, |step| step.size.0.div_ceil(self.payload))
    }

    /// Units of the other end that have arrived so far; returns the wait of the next own unit if it
    /// depended on exactly these.
    pub(super) fn hear(&mut self, units: u32) -> Option<Span> {
        let waited = self.wait().is_none();
        self.heard = units;
        self.wait().filter(|_| waited)
    }
}
