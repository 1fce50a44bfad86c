//! The laws of ends find what no run shows: a clock, a memory that outlives a connection, an end that
//! goes on after its close, one that trusts what arrives.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pacesim_transport::laws::{Fate, check_made};
use pacesim_transport::{
    Backlog, Command, Content, DataError, Datagram, Delivered, End, EndEvent, Header, Standing,
    Transfer,
};
use pacesim_units::{Bytes, Span, Time};

const PAYLOAD: u64 = 100;
const TIMEOUT: Span = Span::from_ms(50);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// It reads the time of day.
    Clock,
    /// It counts the connections of its process.
    Memory,
    /// Its timer runs on after the close.
    Restless,
    /// It takes what arrives for what it expects.
    Trusting,
}

thread_local! {
    static CONNECTIONS: Cell<u64> = const { Cell::new(0) };
}

/// Stop and wait.
struct Source {
    fault: Fault,
    backlog: Backlog,
    acknowledged: u64,
    due: Option<Time>,
    extra: u64,
    events: Vec<EndEvent>,
}

impl End for Source {
    fn receive(&mut self, now: Time, _packet: &Header, content: Content) {
        let place = match (&content, self.fault) {
            (Content::Bytes(bytes), Fault::Trusting) => {
                let bytes = bytes[..8].try_into();
                u64::from_le_bytes(bytes.expect("eight bytes"))
            }
            _ => content.word(0).unwrap_or_default(),
        };
        if place > self.acknowledged && place <= self.backlog.end() {
            self.acknowledged = place;
            self.due = (place < self.backlog.end()).then_some(now);
            self.events.extend(self.backlog.done(place));
        }
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        self.due.filter(|due| *due <= now)?;
        if self.acknowledged == self.backlog.end() {
            self.due = Some(now + TIMEOUT);
            return None;
        }
        self.due = Some(now + TIMEOUT);
        let end = (self.acknowledged + PAYLOAD).min(self.backlog.end());
        let of_day = match self.fault {
            Fault::Clock => now.as_ps() / 1_000_000_000_000,
            _ => self.extra,
        };
        let content = Content::words(&[end, of_day]);
        Some(Datagram::new(now, 0, 140).with(content))
    }

    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        let (payload, sent) = (Bytes(PAYLOAD), self.acknowledged);
        self.backlog.command(now, command, payload, sent)?;
        self.due = match (command, self.fault) {
            (Command::Close, Fault::Restless) => Some(now + TIMEOUT),
            (Command::Close, _) => None,
            _ => Some(now),
        };
        Ok(())
    }

    fn next_wake(&mut self) -> Option<Time> {
        self.due
    }

    fn event(&mut self) -> Option<EndEvent> {
        (!self.events.is_empty()).then(|| self.events.remove(0))
    }

    fn standing(&self) -> Standing {
        Standing::untold(self.acknowledged < self.backlog.end())
    }

    fn pending(&self) -> Vec<Transfer> {
        self.backlog.pending()
    }
}

#[derive(Default)]
struct Sink {
    got: Delivered,
    answer: Option<Header>,
}

impl End for Sink {
    fn receive(&mut self, _now: Time, packet: &Header, content: Content) {
        if let Some(end) = content.word(0) {
            let next = end.min(self.got.bytes + PAYLOAD);
            self.got.bytes = self.got.bytes.max(next);
            self.answer = Some(*packet);
        }
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let packet = self.answer.take()?;
        let content = Content::words(&[self.got.bytes]);
        Some(Datagram::new(now, packet.seq, 56).with(content))
    }

    fn delivered(&self) -> Delivered {
        self.got
    }
}

/// The violation that the laws find.
fn found(fault: Fault) -> Option<String> {
    let make = |_| -> [Box<dyn End>; 2] {
        let connection = CONNECTIONS.with(|count| count.replace(count.get() + 1));
        let source = Source {
            fault,
            backlog: Backlog::default(),
            acknowledged: 0,
            due: None,
            extra: if fault == Fault::Memory {
                connection
            } else {
                0
            },
            events: Vec::new(),
        };
        [Box::new(source), Box::new(Sink::default())]
    };
    let transfers = [Bytes(1000), Bytes(40)];
    let fate = |number: u32| match number {
        3 => Fate::Lost,
        5 => Fate::Twice(Span::from_ms(1)),
        _ => Fate::Late(Span::ZERO),
    };
    let tried = || check_made(make, &transfers, Span::from_ms(10), fate);
    let panic = catch_unwind(AssertUnwindSafe(tried)).err()?;
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
}

#[test]
fn faults_that_no_run_shows_are_found() {
    assert_eq!(found(Fault::None), None);
    for (fault, told) in [
        (Fault::Clock, "differs when all begins 1s later"),
        (Fault::Memory, "differs when the ends are constructed again"),
        (Fault::Restless, "wake-ups without end"),
        (Fault::Trusting, "out of range"),
    ] {
        let found = found(fault).unwrap_or_else(|| panic!("{fault:?} was not found"));
        assert!(found.contains(told), "{fault:?}: {found}");
    }
}
