//! Ends that depend on more than their calls, by design: the laws find each, and say so.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the laws are to find these"
)]

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::Instant;

use pacesim_app::end::{
    Arrivals, Backlog, Command, Content, DataError, Datagram, Delivered, End, EndEvent, Header,
    Made, Opening, Standing, Transfer,
};
use pacesim_app::units::{Bytes, Span, Time};
use pacesim_app::{keys, laws};

keys! {
    /// Ends that leak.
    pub struct Keys "leaky" {}
}

/// A word that depends on something outside of the end.
type Leak = fn(&Source) -> u64;

/// Sends its packets one by one, each until it is answered, with a word that leaks.
struct Source {
    leak: Leak,
    opened: Instant,
    backlog: Backlog,
    arrived: u64,
    sent: u32,
    due: Time,
    events: Vec<EndEvent>,
}

impl End for Source {
    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        self.due = now;
        self.backlog
            .command(now, command, Bytes(1000), self.arrived)
    }

    fn receive(&mut self, _now: Time, _packet: &Header, content: Content) {
        self.arrived = self.arrived.max(content.word(0).unwrap_or(0));
        let done = self.backlog.done(self.arrived);
        self.events.extend(done);
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        self.next_wake().filter(|due| *due <= now)?;
        self.due = now + Span::from_ms(5);
        self.sent += 1;
        let words = [self.backlog.end(), (self.leak)(self)];
        Some(Datagram::new(now, self.sent, 1040).with(Content::words(&words)))
    }

    fn next_wake(&mut self) -> Option<Time> {
        (self.arrived < self.backlog.end()).then_some(self.due)
    }

    fn event(&mut self) -> Option<EndEvent> {
        (!self.events.is_empty()).then(|| self.events.remove(0))
    }

    fn standing(&self) -> Standing {
        Standing::untold(self.arrived < self.backlog.end())
    }

    fn pending(&self) -> Vec<Transfer> {
        self.backlog.pending()
    }
}

#[derive(Default)]
struct Sink {
    got: u64,
    arrivals: Arrivals,
    answers: Vec<Time>,
}

impl End for Sink {
    fn receive(&mut self, _now: Time, packet: &Header, content: Content) {
        if let Some(end) = content.word(0).filter(|_| self.arrivals.add(packet.seq)) {
            self.got = end.min(self.got + 1000).max(self.got);
            self.answers.push(packet.stamp);
        }
    }

    fn transmit(&mut self, _now: Time) -> Option<Datagram> {
        let answer = Datagram::new(self.answers.pop()?, 0, 60);
        Some(answer.with(Content::words(&[self.got])))
    }

    fn delivered(&self) -> Delivered {
        Delivered {
            bytes: self.got,
            ..Delivered::default()
        }
    }
}

fn leaking(leak: Leak) -> impl Fn(&Keys, Opening) -> Made {
    move |_, opening| {
        let source = || Source {
            leak,
            opened: Instant::now(),
            backlog: Backlog::default(),
            arrived: 0,
            sent: 0,
            due: Time::ZERO,
            events: Vec::new(),
        };
        Ok(match opening.is_source {
            true => Box::new(source()),
            false => Box::new(Sink::default()),
        })
    }
}

/// The message of a panic that must come.
fn caught(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("it is found");
    let text = panic.downcast_ref::<String>().cloned();
    text.expect("a message with its numbers")
}

fn order_of_a_map() -> u64 {
    let map: HashMap<u64, ()> = (0..20).map(|key| (key, ())).collect();
    map.keys().fold(0, |sum, key| sum.wrapping_mul(31) + key)
}

/// The same in all of a process, as the state of many libraries' hashes.
fn seed_of_the_process() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| RandomState::new().hash_one(0))
}

#[test]
fn a_clock_and_the_order_of_a_map_are_found_by_a_repetition() {
    let leaks: [(&str, Leak); 3] = [
        ("nanoseconds", |end| end.opened.elapsed().as_nanos() as u64),
        // Too coarse to show, were it not for the pauses of a repetition.
        ("five milliseconds", |end| {
            end.opened.elapsed().as_millis() as u64 / 5
        }),
        ("a map", |_| order_of_a_map()),
    ];
    for (what, leak) in leaks {
        let told = caught(|| _ = laws::end(leaking(leak)));
        assert!(
            told.contains("differs when the ends are constructed again"),
            "{what}: {told}"
        );
        assert!(told.contains("no clock"), "{what}: {told}");
    }
}

#[test]
fn a_seed_of_the_process_is_found_by_another_process() {
    let sent = laws::end(leaking(|_| seed_of_the_process()));
    let test = concat!(
        module_path!(),
        "::a_seed_of_the_process_is_found_by_another_process"
    );
    let told = caught(|| laws::elsewhere::same(test, &sent));
    let differs = "trial 0: packet or number 0 differs in another process of the same program";
    assert!(told.starts_with(differs), "{told}");
}

#[test]
fn an_end_without_leaks_is_the_same_in_another_process() {
    let sent = laws::end(leaking(|end| u64::from(end.sent)));
    let test = concat!(
        module_path!(),
        "::an_end_without_leaks_is_the_same_in_another_process"
    );
    laws::elsewhere::same(test, &sent);
}

#[test]
fn a_name_that_no_test_has_is_told() {
    let test = concat!(module_path!(), "::no_such_test");
    let told = caught(|| laws::elsewhere::same(test, &[vec![1]]));
    assert!(
        told.contains("no test of this executable is called leaks::no_such_test"),
        "{told}"
    );
}
