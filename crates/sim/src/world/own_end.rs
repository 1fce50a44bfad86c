//! An end of a user's own, held to its rules: one that breaks a rule, fails or panics is called no
//! more, and the run gives up with the reason.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pacesim_core::net::Ecn;
use pacesim_transport::{
    Answers, Command, Content, Counters, DataError, Datagram, Delivered, End, EndEvent, Gauges,
    Header, Settled, Standing, Transfer, Wish,
};
use pacesim_units::Time;

use super::own_twin::{Answer, Twin};
use super::panics::text_of;
use super::session::Session;
use crate::model::transport::{Made, Opening};

/// The most packets that an end may send in answer to one call, and the most events and wishes.
const BURST: u32 = 100_000;
/// The most wake-ups in a row that bring neither a packet nor an event.
const FRUITLESS: u32 = 100_000;

/// A user's end, and all that is known of its conduct.
pub(super) struct OwnEnd {
    end: Box<dyn End>,
    /// A second end, for the first calls of a flow's first connection.
    twin: Option<Twin>,
    packet_size: u32,
    /// True if it is asked for packets by its port, which may be paused for long.
    is_pulled: bool,
    /// True while it waits for its port to ask.
    pub(super) is_waiting: bool,
    /// Number of packets since the last other call.
    burst: u32,
    /// Number of events and wishes since then.
    reports: u32,
    /// Number of packets sent, and of those sent again.
    counts: [u64; 2],
    /// Number of wake-ups since it last sent, reported or heard anything.
    fruitless: u32,
    /// True once it has closed, until a packet arrives.
    is_closed: bool,
    /// Readings of its state may find a failure, too.
    has_failed: Cell<bool>,
    /// The reason why it has failed, until it is taken.
    why: RefCell<Option<String>>,
}

/// An end that does nothing, in place of one that could not be constructed.
struct Absent;

impl End for Absent {
    fn receive(&mut self, _now: Time, _packet: &Header, _content: Content) {}

    fn transmit(&mut self, _now: Time) -> Option<Datagram> {
        None
    }
}

impl OwnEnd {
    fn new(made: Made, twin: Option<Twin>, packet_size: u32, is_pulled: bool) -> OwnEnd {
        let (end, why): (Box<dyn End>, _) = match made {
            Ok(end) => (end, None),
            Err(why) => (Box::new(Absent), Some(format!("cannot be opened: {why}"))),
        };
        OwnEnd {
            end,
            twin,
            packet_size,
            is_pulled,
            is_waiting: false,
            burst: 0,
            reports: 0,
            counts: [0; 2],
            fruitless: 0,
            is_closed: false,
            has_failed: Cell::new(why.is_some()),
            why: RefCell::new(why),
        }
    }

    /// Both ends of a session's next connection, if its transport is a user's.
    pub(super) fn pair(session: &Session, at: Time, seed: u64) -> Option<[Box<OwnEnd>; 2]> {
        let transport = session.transport.as_ref()?;
        let config = &session.config;
        let size = config.payload.get().saturating_add(config.header.get());
        let packet_size = u32::try_from(size).unwrap_or(u32::MAX);
        let header = u32::try_from(config.header.get()).unwrap_or(u32::MAX);
        Some([true, false].map(|is_source| {
            let opening = Opening {
                flow: session.flow,
                call: session.calls,
                at,
                seed,
                is_source,
                packet_size,
                header,
                line: session.lines[usize::from(!is_source)],
                round_trip: session.round_trip,
                hops: session.hops,
                ecn: config.linux.ecn,
            };
            let made = catch_unwind(AssertUnwindSafe(|| {
                let end = transport.end(opening)?;
                let has_twin = transport.is_watched() && session.calls == 0 && end.repeats();
                let twin = has_twin.then(|| transport.end(opening)).transpose()?;
                Ok((end, twin.map(Twin::new)))
            }));
            let made = made.unwrap_or_else(|panic| {
                Err(format!("its constructor panicked: {}", text_of(&*panic)))
            });
            let (made, twin) = match made {
                Ok((end, twin)) => (Ok(end), twin),
                Err(why) => (Err(why), None),
            };
            Box::new(OwnEnd::new(made, twin, packet_size, transport.is_pulled()))
        }))
    }

    /// The reason why it has failed, told once.
    pub(super) fn take_failure(&mut self) -> Option<String> {
        self.why.get_mut().take()
    }

    fn fail(&self, why: String) {
        if !self.has_failed.replace(true) {
            self.why.replace(Some(why));
        }
    }

    /// Calls the end, unless it has failed; `None` if it has, or panics now.
    fn call<T>(&mut self, call: impl FnOnce(&mut dyn End) -> T) -> Option<T> {
        if self.has_failed.get() {
            return None;
        }
        let end = &mut *self.end;
        let answer = catch_unwind(AssertUnwindSafe(|| call(end)));
        self.answer(answer)
    }

    /// Calls the end, whose twin must answer alike.
    fn ask<T: Answer>(&mut self, call: impl Fn(&mut dyn End) -> T) -> Option<T> {
        let answer = self.call(&call)?;
        self.compare(&answer, call).then_some(answer)
    }

    /// Gives the twin, if there is one, the same call; false if it answers otherwise.
    fn compare<T: Answer>(&mut self, answer: &T, call: impl FnOnce(&mut dyn End) -> T) -> bool {
        let Some(twin) = &mut self.twin else {
            return true;
        };
        let differs = twin.differs(answer, call);
        if !twin.is_asked() || differs.is_some() {
            self.twin = None;
        }
        if let Some(how) = &differs {
            self.fail(format!(
                "does not repeat, as with a clock or random numbers of the system: built and called \
                 a second time, {how}"
            ));
        }
        differs.is_none()
    }

    /// Reads its state; the default if it has failed, or panics now.
    fn read<T: Default>(&self, reading: impl FnOnce(&dyn End) -> T) -> T {
        if self.has_failed.get() {
            return T::default();
        }
        let answer = catch_unwind(AssertUnwindSafe(|| reading(&*self.end)));
        self.answer(answer).unwrap_or_default()
    }

    fn answer<T>(&self, answer: std::thread::Result<T>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(panic) => {
                self.fail(format!("panicked: {}", text_of(&*panic)));
                None
            }
        }
    }

    /// Reads all of its state, so that later readings of the same state find no failure. The transport
    /// of a sending end declares this many numbers.
    pub(super) fn try_readings(&self, names: Option<usize>) {
        self.standing();
        self.gauges();
        self.pending();
        self.delivered();
        self.wake_decided();
        self.answers();
        self.counters();
        names.map(|names| self.numbers(names));
    }

    /// The numbers of a sending end, of which its transport declares so many.
    pub(super) fn numbers(&self, names: usize) -> Vec<Option<f64>> {
        let numbers = self.read(|end| end.numbers());
        let found = numbers.len();
        if found != names && !self.has_failed.get() {
            self.fail(format!(
                "has {found} numbers, and its transport declares {names} names"
            ));
        }
        numbers
    }

    fn begin_call(&mut self) {
        (self.burst, self.reports) = (0, 0);
    }

    /// Counts an event or a wish; false if there are too many, as of an end that always has another.
    fn count_report(&mut self, of: &str) -> bool {
        self.reports += 1;
        if self.reports > BURST {
            self.fail(format!(
                "does not progress: it has more than {BURST} {of} at one instant"
            ));
        }
        !self.has_failed.get()
    }

    pub(super) fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        (self.fruitless, self.is_closed) = (0, false);
        self.begin_call();
        if self.twin.is_some() {
            self.ask(|end| end.receive(now, packet, content.clone()));
        } else {
            self.call(|end| end.receive(now, packet, content));
        }
    }

    pub(super) fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        self.fruitless = 0;
        self.begin_call();
        self.ask(|end| end.command(now, command)).unwrap_or(Ok(()))
    }

    pub(super) fn wake(&mut self, now: Time) {
        self.begin_call();
        self.fruitless += 1;
        if self.fruitless > FRUITLESS && !self.is_pulled {
            let told = "does not progress";
            return self.fail(format!(
                "{told}: {FRUITLESS} wake-ups in a row brought neither a packet nor an event"
            ));
        }
        self.ask(|end| end.wake(now));
    }

    pub(super) fn wish(&mut self) -> Option<Wish> {
        let wish = self.ask(|end| end.wish())??;
        self.count_report("wishes").then_some(wish)
    }

    pub(super) fn turn(&mut self, now: Time) {
        self.begin_call();
        self.ask(|end| end.turn(now));
    }

    pub(super) fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let sent = self.ask(|end| end.transmit(now))??;
        self.fruitless = 0;
        self.burst += 1;
        match self.broken_by(&sent) {
            Some(why) => {
                self.fail(why);
                None
            }
            None => {
                self.counts[0] += 1;
                self.counts[1] += u64::from(sent.flags.is_again());
                Some(sent)
            }
        }
    }

    /// Totals so far: its packets as the world counts them, the rest as it tells.
    pub(super) fn counters(&self) -> Counters {
        let [sent, retransmitted] = self.counts;
        Counters {
            sent,
            retransmitted,
            ..self.read(|end| end.counters())
        }
    }

    pub(super) fn answers(&self) -> Answers {
        self.read(|end| end.answers())
    }

    pub(super) fn standing(&self) -> Standing {
        self.read(|end| Some(end.standing()))
            .unwrap_or(Standing::untold(false))
    }

    pub(super) fn gauges(&self) -> Gauges {
        self.read(|end| end.gauges())
    }

    pub(super) fn pending(&self) -> Vec<Transfer> {
        self.read(|end| end.pending())
    }

    pub(super) fn delivered(&self) -> Delivered {
        self.read(|end| end.delivered())
    }

    pub(super) fn wake_decided(&self) -> Option<Time> {
        self.read(|end| end.wake_decided())
    }

    /// The rule that a packet breaks.
    fn broken_by(&self, sent: &Datagram) -> Option<String> {
        let content = match &sent.content {
            Content::Bytes(bytes) => bytes.len(),
            Content::None
            | Content::Ack(_)
            | Content::Telemetry(_)
            | Content::Refusal { .. }
            | Content::Pull(_) => 0,
        };
        let (size, most) = (sent.size, self.packet_size);
        if size > most {
            return Some(format!(
                "sends a packet of {size} B, beyond its packet size of {most} B"
            ));
        }
        if content > size as usize {
            return Some(format!("puts {content} B into a packet of {size} B"));
        }
        if sent.flags.ecn() == Ecn::Ce {
            return Some("sends a packet that is marked already".to_owned());
        }
        if self.is_closed {
            return Some("sends after it closed".to_owned());
        }
        (self.burst > BURST).then(|| {
            format!("does not progress: it sends more than {BURST} packets at one instant")
        })
    }

    pub(super) fn next_wake(&mut self) -> Option<Time> {
        self.ask(|end| end.next_wake())?
    }

    pub(super) fn event(&mut self) -> Option<EndEvent> {
        let event = self.ask(|end| end.event())??;
        self.fruitless = 0;
        if !self.count_report("events") {
            return None;
        }
        match event {
            EndEvent::Closed => self.is_closed = true,
            EndEvent::Failed(why) => {
                self.fail(format!("failed: {why}"));
                return None;
            }
            _ => {}
        }
        Some(event)
    }

    pub(super) fn settled(&mut self) -> Settled {
        let settled = self
            .call(|end| end.settled())
            .filter(|settled| self.compare(&settled.next_wake, |end| end.settled().next_wake));
        settled.unwrap_or(Settled {
            standing: Standing::untold(false),
            has_events: false,
            next_wake: None,
        })
    }
}
