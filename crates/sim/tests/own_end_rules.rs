//! Rules of users' own ends: those that break one, fail or panic end the run with the reason, and
//! fingerprints cover what they send.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pacesim::model::transport::OwnTransport;
use pacesim::model::{Carrier, Load, Traffic};
use pacesim::net::Ecn;
use pacesim::tcp::Amount;
use pacesim::transport::{
    Command, Content, DataError, Datagram, Delivered, End, EndEvent, Header, Transfer,
};
use pacesim::units::{Capacity, Span, Time};

use crate::own_ends::{GoBack, InOrder, model, ran, refused, transfers};

/// A way to break the rules of ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    TooLarge,
    ContentBeyondSize,
    Marked,
    AfterClose,
    Burst,
    SameInstant,
    Past,
    SmallSteps,
    Fails,
    Panics,
    EndlessEvents,
    ReadingPanics,
    OtherNumbers,
}

/// An end that breaks a rule as soon as it has data.
struct Unruly {
    fault: Fault,
    has_data: bool,
    now: Time,
    closes: bool,
}

impl End for Unruly {
    fn receive(&mut self, _now: Time, _packet: &Header, _content: Content) {}

    fn command(&mut self, now: Time, _command: Command) -> Result<(), DataError> {
        (self.has_data, self.now) = (true, now);
        Ok(())
    }

    fn wake(&mut self, now: Time) {
        self.now = now;
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let packet = Datagram::new(now, 0, 500);
        match self.fault {
            _ if !self.has_data => None,
            Fault::TooLarge => Some(Datagram::new(now, 0, 1001)),
            Fault::ContentBeyondSize => Some(packet.with(Content::Bytes(vec![0; 501].into()))),
            Fault::Marked => {
                let flags = packet.flags.with_ecn(Ecn::Ce);
                Some(Datagram { flags, ..packet })
            }
            Fault::Burst => Some(packet),
            Fault::AfterClose if !self.closes => Some(packet),
            Fault::Panics => panic!("it is broken"),
            _ => None,
        }
    }

    fn next_wake(&mut self) -> Option<Time> {
        match self.fault {
            _ if !self.has_data => None,
            Fault::SameInstant => Some(Time::ZERO),
            Fault::Past if self.now < Time::ZERO + Span::from_ms(5) => {
                Some(Time::ZERO + Span::from_ms(5))
            }
            Fault::Past => Some(Time::ZERO + Span::from_ms(1)),
            // A pacer whose bucket never fills.
            Fault::SmallSteps => Some(self.now + Span::from_ns(2500)),
            Fault::AfterClose => Some(Time::ZERO + Span::from_ms(6)),
            _ => None,
        }
    }

    fn event(&mut self) -> Option<EndEvent> {
        match self.fault {
            Fault::Fails if self.has_data => Some(EndEvent::Failed("no key".to_owned())),
            Fault::AfterClose if std::mem::take(&mut self.closes) => Some(EndEvent::Closed),
            Fault::EndlessEvents if self.has_data => Some(EndEvent::RoundTrip(Span::from_ms(1))),
            _ => None,
        }
    }

    fn pending(&self) -> Vec<Transfer> {
        let is_broken = self.fault == Fault::ReadingPanics && self.has_data;
        assert!(!is_broken, "it has lost count");
        Vec::new()
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        let has_one = self.fault == Fault::OtherNumbers && self.has_data;
        vec![None; usize::from(has_one)]
    }
}

#[test]
fn ends_that_break_rules_end_the_run_with_flow_reason_and_time() {
    for (fault, told) in [
        (
            Fault::TooLarge,
            "sends a packet of 1001 B, beyond its packet size of 1000 B, at 0s",
        ),
        (
            Fault::ContentBeyondSize,
            "puts 501 B into a packet of 500 B",
        ),
        (Fault::Marked, "sends a packet that is marked already"),
        (Fault::AfterClose, "sends after it closed, at 6ms"),
        (
            Fault::Burst,
            "does not progress: it sends more than 100000 packets at one instant",
        ),
        (
            Fault::SameInstant,
            "does not progress: 100000 wake-ups in a row",
        ),
        (
            Fault::Past,
            "does not progress: 100000 wake-ups in a row brought neither a packet nor an event, at 5ms",
        ),
        (
            Fault::SmallSteps,
            "does not progress: 100000 wake-ups in a row",
        ),
        (Fault::Fails, "failed: no key"),
        (Fault::Panics, "panicked: it is broken"),
        (
            Fault::EndlessEvents,
            "does not progress: it has more than 100000 events at one instant, at 0s",
        ),
        (Fault::ReadingPanics, "panicked: it has lost count, at 20s"),
        (
            Fault::OtherNumbers,
            "has 1 numbers, and its transport declares 0 names",
        ),
    ] {
        let unruly = move |_| Unruly {
            fault,
            has_data: false,
            now: Time::ZERO,
            closes: fault == Fault::AfterClose,
        };
        let own = OwnTransport::new("unruly", unruly, |_| InOrder::default());
        let mut model = model(Load::Endless, 1, 100);
        let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
            panic!("closed loop");
        };
        tcp.transport = Some(own);
        let world = ran(model);
        let gave_up = world.gave_up().unwrap_or_else(|| panic!("{fault:?}"));
        let text = gave_up.to_string();
        assert!(text.starts_with("gave up: the end of flow "), "{text}");
        assert!(text.contains(told), "{fault:?}: {text}");
    }
}

#[test]
fn a_constructor_that_refuses_is_told_before_the_run() {
    let mut model = model(Load::Endless, 1, 100);
    let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
        panic!("closed loop");
    };
    tcp.transport = Some(OwnTransport::fallible("choosy", |opening| {
        Err(format!("no packets of {} B", opening.packet_size))
    }));
    let problem = refused(model);
    assert_eq!(problem, "cannot be opened: no packets of 1000 B");
}

#[test]
fn a_constructor_that_panics_is_told_before_the_run() {
    let mut model = model(Load::Endless, 1, 100);
    let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
        panic!("closed loop");
    };
    tcp.transport = Some(OwnTransport::fallible("rash", |opening| {
        panic!("no table for {} B", opening.packet_size)
    }));
    let problem = refused(model);
    let told = "cannot be opened: its constructor panicked: no table for 1000 B";
    assert_eq!(problem, told);
}

#[test]
fn a_constructor_that_panics_later_ends_the_run_with_flow_and_time() {
    let mut model = model(transfers(Carrier::New, 20), 5, 100);
    let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
        panic!("closed loop");
    };
    tcp.transport = Some(OwnTransport::fallible("tired", |opening| {
        assert!(opening.call < 3, "no port is left");
        match opening.is_source {
            true => Ok(Box::new(GoBack::new(5, Span::from_ms(200)))),
            false => Ok(Box::new(InOrder::default())),
        }
    }));
    let world = ran(model);
    let text = world.gave_up().expect("it ends early").to_string();
    let told = "gave up: the end of flow flow[0] cannot be opened: its constructor panicked: no port is left, at ";
    assert!(text.starts_with(told), "{text}");
}

#[test]
fn an_end_must_have_a_number_for_each_declared_name() {
    let mut model = model(Load::Endless, 1, 100);
    let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
        panic!("closed loop");
    };
    let own = OwnTransport::new(
        "mute",
        |_| GoBack::new(5, Span::from_ms(200)),
        |_| InOrder::default(),
    );
    tcp.transport = Some(own.with_numbers(&["rate_bps"]));
    let problem = refused(model);
    let told = "has 0 numbers, and its transport declares 1 names";
    assert_eq!(problem, told);
}

#[test]
fn fingerprints_cover_contents() {
    let printed = |salt: u64| {
        let mut model = model(Load::Once(Amount::Packets(20)), 5, 100);
        let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
            panic!("closed loop");
        };
        let sink = move |_| Salted(InOrder::default(), salt);
        let source = |_| GoBack::new(5, Span::from_ms(200));
        tcp.transport = Some(OwnTransport::new("salted", source, sink));
        ran(model).fingerprint()
    };
    assert_eq!(printed(1), printed(1));
    assert_ne!(printed(1), printed(2));
}

/// Adds a number to each answer, which its peer does not read.
struct Salted(InOrder, u64);

impl End for Salted {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        self.0.receive(now, packet, content);
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let sent = self.0.transmit(now)?;
        let arrived = u64::from_be(sent.content.word(0)?);
        Some(sent.with(Content::words(&[arrived.to_be(), self.1])))
    }

    fn delivered(&self) -> Delivered {
        self.0.delivered()
    }
}

#[test]
fn packets_are_marked_only_with_ecn() {
    for has_ecn in [false, true] {
        let mut model = model(Load::Endless, 10, 100);
        model.links[0].extras.mark = Some(Capacity::Packets(0));
        let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
            panic!("closed loop");
        };
        Arc::make_mut(&mut tcp.config).linux.ecn = has_ecn;
        let source = |_| Capable(GoBack::new(10, Span::from_ms(200)));
        let own = OwnTransport::new("capable", source, |_| InOrder::default());
        tcp.transport = Some(own);
        let marked = ran(model).flow_rows()[0].marked_pkts;
        assert_eq!(marked > 0, has_ecn);
    }
}

/// Sets the ECN field of every packet.
struct Capable(GoBack);

impl End for Capable {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        self.0.receive(now, packet, content);
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let sent = self.0.transmit(now)?;
        let flags = sent.flags.with_ecn(Ecn::Ect0);
        Some(Datagram { flags, ..sent })
    }

    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        self.0.command(now, command)
    }
}

/// Something outside of an end on which one of its answers depends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Leak {
    Contents,
    Number,
    Wake,
    None,
}

/// Sends a packet each millisecond, and depends on how many of its kind there are.
struct Leaky {
    leak: Leak,
    repeats: bool,
    /// A number that a clock could have given.
    salt: u64,
    sent: u32,
    has_data: bool,
}

impl Leaky {
    fn due(&self) -> Time {
        Time::ZERO + Span::from_ms(u64::from(self.sent))
    }

    /// The leak after some packets.
    fn leaked(&self, leak: Leak) -> u64 {
        let has_begun = self.leak == leak && self.sent >= 20;
        if has_begun { self.salt } else { 0 }
    }
}

impl End for Leaky {
    fn receive(&mut self, _now: Time, _packet: &Header, _content: Content) {}

    fn command(&mut self, _now: Time, _command: Command) -> Result<(), DataError> {
        self.has_data = true;
        Ok(())
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        if !self.has_data || now < self.due() {
            return None;
        }
        self.sent += 1;
        let number = u64::from(self.sent) + self.leaked(Leak::Number);
        let words = [self.leaked(Leak::Contents)];
        Some(Datagram::new(now, number as u32, 500).with(Content::words(&words)))
    }

    fn next_wake(&mut self) -> Option<Time> {
        let later = Span::from_ns(self.leaked(Leak::Wake));
        self.has_data.then(|| self.due() + later)
    }

    fn repeats(&self) -> bool {
        self.repeats
    }
}

/// The end of a run over such ends.
fn leaked(leak: Leak, repeats: bool, is_trusted: bool) -> Option<String> {
    let salts = AtomicU64::new(1);
    let leaky = move |_| Leaky {
        leak,
        repeats,
        salt: salts.fetch_add(1, Ordering::Relaxed),
        sent: 0,
        has_data: false,
    };
    let own = OwnTransport::new("leaky", leaky, |_| InOrder::default());
    let mut model = model(Load::Endless, 1, 100);
    let Traffic::Tcp(tcp) = &mut model.flows[0].traffic else {
        panic!("closed loop");
    };
    tcp.transport = Some(if is_trusted { own.trusted() } else { own });
    ran(model).gave_up().map(ToString::to_string)
}

#[test]
fn an_end_that_answers_the_same_calls_otherwise_ends_the_run_with_flow_and_time() {
    for (leak, told) in [
        (
            Leak::Contents,
            "its packet 20 of 500 B has other contents, at 19ms",
        ),
        (
            Leak::Number,
            "it sends packet 24 of 500 B, not packet 23 of 500 B, at 19ms",
        ),
        (
            Leak::Wake,
            "it is to be woken at 20.000004ms, not at 20.000003ms, at 19ms",
        ),
    ] {
        let text = leaked(leak, true, false).unwrap_or_else(|| panic!("{leak:?}"));
        let told = format!(
            "gave up: the end of flow flow[0] does not repeat, as with a clock or random numbers of \
             the system: built and called a second time, {told}"
        );
        assert_eq!(text, told);
    }
}

#[test]
fn ends_that_repeat_or_say_that_they_do_not_are_let_alone() {
    assert_eq!(leaked(Leak::None, true, false), None);
    assert_eq!(leaked(Leak::Contents, false, false), None);
    assert_eq!(leaked(Leak::Contents, true, true), None);
}
