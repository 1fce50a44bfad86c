//! Random networks over ends that misbehave in every way. No other test of this process reads a scenario: parts are
//! installed once.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a clock is one of the faults"
)]

use std::time::Instant;

use pacesim::World;
use pacesim::scenario::load;
use pacesim_app::end::{
    Command, Content, DataError, Datagram, Ecn, End, EndEvent, Flags, Header, Made, Opening,
};
use pacesim_app::networks::{install, scenario, try_all};
use pacesim_app::units::{Span, Time};
use pacesim_app::{Parts, keys};

keys! {
    /// Ends with a fault.
    pub struct Keys "wild" {
        fault: String, (= "none"), "The fault.", "stalls";
    }
}

/// The faults of ends, and a word of the reason that must be told.
const FAULTS: [(&str, &str); 8] = [
    ("panics", "panicked: by design"),
    ("stalls", "does not progress"),
    ("bursts", "does not progress"),
    ("too large", "beyond its packet size"),
    ("after close", "sends after it closed"),
    ("marks", "is marked already"),
    ("gives up", "failed: by design"),
    ("clock", "does not repeat"),
];

/// Sends a packet each millisecond, until its fault shows.
struct Wild {
    fault: String,
    left: u32,
    due: Option<Time>,
    closed: bool,
    size: u32,
    opened: Instant,
}

impl End for Wild {
    fn receive(&mut self, _now: Time, _packet: &Header, _content: Content) {}

    fn command(&mut self, now: Time, _command: Command) -> Result<(), DataError> {
        self.due = Some(now);
        Ok(())
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let due = self.due.filter(|due| *due <= now)?;
        let packet = Datagram::new(now, self.left, self.size);
        if self.left > 0 {
            self.left -= 1;
            self.due = Some(due + Span::from_ms(1));
            return Some(packet);
        }
        match self.fault.as_str() {
            "panics" => panic!("by design"),
            "bursts" => Some(packet),
            "too large" => Some(Datagram {
                size: self.size + 1,
                ..packet
            }),
            "after close" if self.closed => Some(packet),
            "clock" => {
                self.due = None;
                let words = [self.opened.elapsed().as_nanos() as u64];
                Some(packet.with(Content::words(&words)))
            }
            "marks" => {
                let flags = Flags::default().with_ecn(Ecn::Ce);
                Some(Datagram { flags, ..packet })
            }
            _ => None,
        }
    }

    fn wake(&mut self, now: Time) {
        if self.left == 0 && self.fault == "stalls" {
            self.due = Some(now + Span::from_ns(1));
        }
    }

    fn next_wake(&mut self) -> Option<Time> {
        self.due.filter(|_| self.left > 0 || self.fault != "none")
    }

    fn event(&mut self) -> Option<EndEvent> {
        if self.left > 0 || self.due.is_none() {
            return None;
        }
        match self.fault.as_str() {
            "gives up" => Some(EndEvent::Failed("by design".to_owned())),
            "after close" if !self.closed => {
                self.closed = true;
                self.due = self.due.map(|due| due + Span::from_ms(1));
                Some(EndEvent::Closed)
            }
            _ => None,
        }
    }
}

/// Hears, and says nothing.
struct Deaf;

impl End for Deaf {
    fn receive(&mut self, _now: Time, _packet: &Header, _content: Content) {}

    fn transmit(&mut self, _now: Time) -> Option<Datagram> {
        None
    }
}

fn new(keys: &Keys, opening: Opening) -> Made {
    assert!(keys.fault != "constructor", "by design");
    let wild = Wild {
        fault: keys.fault.clone(),
        left: (opening.seed % 50) as u32,
        due: None,
        closed: false,
        size: opening.packet_size,
        opened: Instant::now(),
    };
    Ok(match opening.is_source {
        true => Box::new(wild),
        false => Box::new(Deaf),
    })
}

/// The statistics of an end that does not tell its limits have none.
fn without_limits() {
    let text = scenario(1, "kind = \"wild\"");
    let checked = load("network.toml", &text, &[], &()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut world = World::new(checked.expand(1, 0)).expect("a world");
    world.run();
    let rows = world.flow_rows();
    let own = rows.iter().filter(|row| row.group == "own");
    let sent: u64 = own.clone().map(|row| row.sent_pkts).sum();
    assert!(sent > 0, "{text}");
    for row in own {
        let limits = [row.data_limited, row.window_limited, row.congestion_limited];
        assert_eq!(limits, [None; 3]);
    }
}

/// A constructor that panics is refused before a run, with the text of its panic.
fn without_a_constructor() {
    let text = scenario(1, "kind = \"wild\", fault = \"constructor\"");
    let refused = load("network.toml", &text, &[], &()).expect_err("it is refused");
    let told = refused.to_string();
    assert!(
        told.contains("their constructor panicked: by design"),
        "{told}"
    );
}

/// The number of networks; campaigns set a larger one.
fn networks() -> u64 {
    let asked = std::env::var("PACESIM_NETWORKS").ok();
    asked.map_or(70, |count| count.parse().expect("a number of networks"))
}

#[test]
fn every_fault_of_an_end_is_the_result_of_its_run_and_none_is_ours() {
    install(Parts::new().transport(&[], new));
    let fault = |number: u64| FAULTS[number as usize % FAULTS.len()];
    let traffic = |number: u64| format!("kind = \"wild\", fault = \"{}\"", fault(number).0);
    let tried = try_all(0..networks(), traffic);
    if let Some((number, why)) = tried.faults.first() {
        let text = scenario(*number, &traffic(*number));
        panic!("network {number}: {why}\n{text}");
    }
    for (number, why) in &tried.gave_up {
        let told = fault(*number).1;
        assert!(
            why.contains("the end of flow own["),
            "network {number}: {why}"
        );
        assert!(why.contains(told), "network {number}: {why}");
    }
    let most = tried.gave_up.len() as u64;
    println!("{} ended, {most} gave up", tried.ended);
    without_limits();
    without_a_constructor();
    assert!(most > networks() / 2, "{most} of {}", networks());
}
