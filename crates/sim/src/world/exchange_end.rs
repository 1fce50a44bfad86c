//! The application of one end of an exchange: the units that it hands over, and when.

use std::sync::Arc;

use pacesim_tcp::{Amount, Config};
use pacesim_units::{Bytes, FlowId, Span};

use crate::model::{After, Exchange, Step};

/// The state of the connection of one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    NotYet,
    /// At this place.
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

/// The state of an end's part in closing the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It is not to be closed.
    Never,
    ToCome,
    /// It has just found out that it has no more.
    Due,
    /// It has no more, but the other end has.
    Waits,
    /// Its FIN has been handed over.
    Closed,
}

/// The application of one end.
pub(super) struct ExchangeEnd {
    pub(super) other: FlowId,
    /// The units, and the step without any behind them if there is one.
    steps: Arc<[Step]>,
    units: usize,
    pub(super) ending: Ending,
    /// True if the other end has no more, and if its FIN has arrived.
    pub(super) other_waits: bool,
    pub(super) other_closed: bool,
    pub(super) stands_when_closed: bool,
    payload: u64,
    /// Units that it has handed over.
    handed: usize,
    /// Units of the other end that have arrived.
    heard: u32,
    /// Its own units that have arrived, and the packet behind the last of the next.
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
            ending: match units < exchange.steps.len() {
                true => Ending::ToCome,
                false => Ending::Never,
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

    /// The amount that is handed over now.
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

    /// True if units are left to hand over.
    pub(super) fn has_more(&self) -> bool {
        self.handed < self.units
    }

    /// The wait of the next step from now, if it is known: the unit before has just been
    /// handed over.
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

    /// So many packets of its own have arrived in order; whether that ends a unit.
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

    /// So many units of the other end have arrived; how long the next of its own waits, if it
    /// waited for just that.
    pub(super) fn hear(&mut self, units: u32) -> Option<Span> {
        let waited = self.wait().is_none();
        self.heard = units;
        self.wait().filter(|_| waited)
    }
}
