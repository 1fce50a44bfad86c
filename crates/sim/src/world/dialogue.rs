//! Flows whose data are messages of users' own applications: two sides, each of which hears of the
//! other's messages when all their bytes have arrived.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pacesim_core::random::Streams;
use pacesim_tcp::Amount;
use pacesim_transport::application::{Application, Message, News, Write};
use pacesim_units::{FlowId, Time};

use super::panics::text_of;
use crate::model::Tcp;
use crate::model::application::{Role, Side};

/// One side, and its messages.
pub(super) struct Dialogue {
    side: Box<dyn Application>,
    pub(super) other: FlowId,
    names: &'static [&'static str],
    /// Messages that wait, by the time at which they are handed over and the order of their writing.
    due: BTreeMap<(Time, u64), Message>,
    written: u64,
    /// Messages that have been handed over and have not arrived, each with its end in `unit`s.
    under_way: VecDeque<(u64, Message)>,
    unacknowledged: VecDeque<Message>,
    end: u64,
    unit: Unit,
    /// The reason why it is heard no more, until it is taken.
    why: Option<String>,
    has_failed: bool,
}

/// The unit in which the receiving end counts what has arrived in order.
enum Unit {
    /// Packets of TCP with this payload.
    Packets(u64),
    Bytes,
}

impl Dialogue {
    /// The side of a flow that starts at this time; it hears of that at once.
    pub(super) fn new(
        side: &Side,
        start: Time,
        tcp: &Tcp,
        (streams, name): (&Streams, &str),
    ) -> Dialogue {
        let role = Role {
            flow: name.to_owned(),
            is_client: side.is_client,
            stream: streams.stream(name, "application"),
        };
        let (config, is_tcp) = (&tcp.config, tcp.transport.is_none());
        let made = catch_unwind(AssertUnwindSafe(|| side.application.side(role)));
        let failed = made.as_ref().err().map(|panic| text_of(&**panic));
        let mut dialogue = Dialogue {
            side: made.unwrap_or_else(|_| Box::new(Silent)),
            other: side.other,
            names: side.application.numbers(),
            due: BTreeMap::new(),
            written: 0,
            under_way: VecDeque::new(),
            unacknowledged: VecDeque::new(),
            end: if is_tcp { u64::from(config.syn) } else { 0 },
            unit: match is_tcp {
                true => Unit::Packets(config.payload.0.max(1)),
                false => Unit::Bytes,
            },
            why: None,
            has_failed: false,
        };
        match failed {
            Some(text) => dialogue.fail(format!("panicked: {text}")),
            None => dialogue.tell(start, News::Start),
        }
        dialogue
    }

    /// The side hears news, and may write a message.
    pub(super) fn tell(&mut self, now: Time, news: News) {
        if self.has_failed {
            return;
        }
        let side = &mut self.side;
        match catch_unwind(AssertUnwindSafe(|| side.told(now, news))) {
            Err(panic) => self.fail(format!("panicked: {}", text_of(&*panic))),
            Ok(None) => {}
            Ok(Some(write)) if write.message.size.0 == 0 => {
                self.fail("writes a message without data".to_owned());
            }
            Ok(Some(write)) => {
                let at = now.saturating_add(write.wait);
                self.due.insert((at, self.written), write.message);
                self.written += 1;
            }
        }
    }

    /// It is heard no more.
    pub(super) fn fail(&mut self, why: String) {
        self.has_failed = true;
        self.due.clear();
        self.why.get_or_insert(why);
    }

    /// The time at which the next message is handed over.
    pub(super) fn next_due(&self) -> Option<Time> {
        self.due.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes the message that is handed over now.
    pub(super) fn next(&mut self) -> Option<Amount> {
        let (_, message) = self.due.pop_first()?;
        let size = message.size;
        self.end += match self.unit {
            Unit::Packets(payload) => size.0.div_ceil(payload),
            Unit::Bytes => size.0,
        };
        self.under_way.push_back((self.end, message));
        self.unacknowledged.push_back(message);
        Some(Amount::Bytes(size))
    }

    /// All data of its oldest message have been acknowledged; returns the time of the next.
    pub(super) fn acknowledged(&mut self, now: Time) -> Option<Time> {
        if let Some(message) = self.unacknowledged.pop_front() {
            self.tell(now, News::Acknowledged(message));
        }
        self.next_due()
    }

    /// The reason why it has failed, told once.
    pub(super) fn take_failure(&mut self) -> Option<String> {
        self.why.take()
    }

    /// Takes a message that has arrived, as far as the receiving end has counted.
    pub(super) fn arrived(&mut self, packets: u32, bytes: u64) -> Option<Message> {
        let so_far = match self.unit {
            Unit::Packets(_) => u64::from(packets),
            Unit::Bytes => bytes,
        };
        let is_there = self
            .under_way
            .front()
            .is_some_and(|(end, _)| *end <= so_far);
        let (_, message) = is_there.then(|| self.under_way.pop_front()).flatten()?;
        Some(message)
    }

    /// The numbers of the side, with their names.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        let found = catch_unwind(AssertUnwindSafe(|| self.side.numbers()));
        self.names.iter().copied().zip(found.unwrap_or_default())
    }
}

/// A side that says nothing, in place of one that could not be constructed.
struct Silent;

impl Application for Silent {
    fn told(&mut self, _now: Time, _news: News) -> Option<Write> {
        None
    }
}
