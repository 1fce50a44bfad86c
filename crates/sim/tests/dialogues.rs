//! Applications of one's own: two sides that answer each other, over TCP and over other transports.

use std::sync::{Arc, Mutex};

use pacesim::model::application::{Application, Message, News, OwnApplication, Role, Side, Write};
use pacesim::model::transport::OwnTransport;
use pacesim::model::{Load, Loss, Model, Traffic};
use pacesim::scenario::load;
use pacesim::units::{Bytes, FlowId, Span, Time};
use pacesim::{BuildError, Excess, World};

use crate::ahead::assert_same;
use crate::own_ends::{GoBack, InOrder};

/// All that both sides heard, with the times.
type Heard = Arc<Mutex<Vec<(Time, bool, News)>>>;

const REQUEST: Message = Message {
    size: Bytes(500),
    word: 7000,
};
const SERVICE: Span = Span::from_ms(3);
const THINK: Span = Span::from_ms(20);

/// A client that asks, and a server that answers with as many bytes as it is asked for.
struct Speaker {
    is_client: bool,
    heard: Heard,
}

impl Application for Speaker {
    fn told(&mut self, now: Time, news: News) -> Option<Write> {
        let heard = (now, self.is_client, news);
        self.heard.lock().expect("one thread").push(heard);
        match (self.is_client, news) {
            (true, News::Start) => Some(Write::now(REQUEST)),
            (true, News::Arrived(_)) => Some(Write::after(THINK, REQUEST)),
            (false, News::Arrived(request)) => {
                let answer = Message::new(Bytes(request.word));
                Some(Write::after(SERVICE, answer))
            }
            _ => None,
        }
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        vec![self.is_client.then_some(1.5)]
    }
}

/// An application, and what its sides will have heard.
fn speakers() -> (OwnApplication, Heard) {
    let heard = Heard::default();
    let log = heard.clone();
    let make = move |role: Role| -> Box<dyn Application> {
        let (is_client, heard) = (role.is_client, log.clone());
        Box::new(Speaker { is_client, heard })
    };
    (OwnApplication::new("speakers", &["fixed"], make), heard)
}

/// A client at one end of a line, a server at the other, with these keys of TCP.
fn model(keys: &str, application: &OwnApplication) -> Model {
    let text = format!(
        r#"
run = {{ duration = "10s" }}
topology = {{ shape = "tandem", hops = 2, link = {{ rate = "10Mbps", delay = "5ms", buffer = "50pkts" }} }}
flow = [
  {{ name = "ask", from = "node[0]", to = "node[2]", traffic = {{ kind = "tcp", {keys} }} }},
  {{ name = "answer", from = "node[2]", to = "node[0]", traffic = {{ kind = "tcp", {keys} }} }},
]
"#
    );
    let checked = load("dialogue.toml", &text, &[], &());
    let mut model = checked
        .unwrap_or_else(|problems| panic!("{problems}"))
        .expand(1, 0);
    for (flow, is_client) in [(0, true), (1, false)] {
        let application = application.clone();
        let other = FlowId(1 - flow);
        of(&mut model, flow).load = Load::Messages(Side {
            application,
            other,
            is_client,
        });
    }
    model
}

fn of(model: &mut Model, flow: u32) -> &mut pacesim::model::Tcp {
    match &mut model.flows[flow as usize].traffic {
        Traffic::Tcp(tcp) => tcp,
        _ => panic!("closed loops"),
    }
}

/// The same model over go-back-N.
fn over_own_ends(mut model: Model) -> Model {
    let ends = OwnTransport::new(
        "go-back-N",
        |_| GoBack::new(20, Span::from_ms(200)),
        |_| InOrder::default(),
    );
    for flow in [0, 1] {
        of(&mut model, flow).transport = Some(ends.clone());
    }
    model
}

fn ran(model: Model) -> World {
    let mut world = World::new(model).unwrap_or_else(|error| panic!("{error}"));
    world.run();
    assert_eq!(world.gave_up(), None);
    world
}

const KEYS: [&str; 4] = [
    "profile = \"linux\"",
    "profile = \"rfc\", packet_size = \"1000B\"",
    "profile = \"ns2\", variant = \"sack\"",
    "profile = \"linux\", control = \"bbr\"",
];

#[test]
fn messages_arrive_once_and_in_order_whatever_is_lost() {
    for keys in KEYS {
        for is_own in [false, true] {
            let (application, heard) = speakers();
            let mut lossy = model(keys, &application);
            for link in &mut lossy.links {
                link.extras.loss = Some(Loss::Bernoulli { probability: 0.03 });
            }
            if is_own {
                lossy = over_own_ends(lossy);
            }
            ran(lossy);
            let heard = heard.lock().expect("one thread");
            let arrivals = heard.iter().filter_map(|(_, is_client, news)| match news {
                News::Arrived(message) => Some((*is_client, *message)),
                _ => None,
            });
            let arrivals: Vec<_> = arrivals.collect();
            assert!(arrivals.len() > 20, "{keys}: {}", arrivals.len());
            for (i, arrival) in arrivals.iter().enumerate() {
                let expected = match i % 2 {
                    0 => (false, REQUEST),
                    _ => (true, Message::new(Bytes(REQUEST.word))),
                };
                assert_eq!(*arrival, expected, "{keys}: message {i}");
            }
            let times: Vec<Time> = heard.iter().map(|(at, ..)| *at).collect();
            assert!(times.is_sorted(), "{keys}");
        }
    }
}

/// Over an idle line and a transport without a handshake the times are sums: 10 Mbps, two hops of 5 ms.
#[test]
fn times_over_an_idle_line_are_sums() {
    let (application, heard) = speakers();
    ran(over_own_ends(model("profile = \"rfc\"", &application)));
    let heard = heard.lock().expect("one thread");
    let bits = |bytes: u64| Span::from_ns(bytes * 800);
    let hops = |first: u64, all: u64| {
        let propagation = Span::from_ms(10);
        Time::ZERO + propagation + bits(all) + bits(first) - Time::ZERO
    };
    // Payload of 960 B and headers of 40 B: a request of one packet, an answer of seven and 280 B.
    let asked = Time::ZERO + hops(540, 540);
    let last = bits(320);
    let answered = asked + SERVICE + Span::from_ms(10) + bits(7 * 1000) + last + last;
    assert_eq!(heard[2], (asked, false, News::Arrived(REQUEST)));
    let is_answer =
        |(_, is_client, news): &&(Time, bool, News)| *is_client && matches!(news, News::Arrived(_));
    let first = heard.iter().find(is_answer).expect("an answer");
    // The last packet waits at the second hop for the one before it.
    let waits = bits(1000) - last;
    assert_eq!(first.0, answered + waits);
}

#[test]
fn both_sides_hear_the_start_and_own_messages_are_acknowledged() {
    let (application, heard) = speakers();
    let world = ran(model("profile = \"linux\"", &application));
    let heard = heard.lock().expect("one thread");
    let starts = heard.iter().filter(|(_, _, news)| *news == News::Start);
    assert_eq!(starts.count(), 2);
    let acknowledged = |(_, is_client, news): &&(Time, bool, News)| {
        *is_client && *news == News::Acknowledged(REQUEST)
    };
    assert!(heard.iter().filter(acknowledged).count() > 50);
    assert_eq!(world.application_numbers(FlowId(0)), [("fixed", Some(1.5))]);
    assert_eq!(world.application_numbers(FlowId(1)), [("fixed", None)]);
}

#[test]
fn runs_do_not_depend_on_work_ahead_of_time() {
    let looks = [700, 1900, 4000].map(Span::from_ms);
    for keys in KEYS {
        let (application, _) = speakers();
        assert_same(&model(keys, &application), &looks);
        assert_same(&over_own_ends(model(keys, &application)), &looks);
    }
}

/// A side that breaks a rule at its first message, or before.
struct Broken(&'static str);

impl Application for Broken {
    fn told(&mut self, _now: Time, news: News) -> Option<Write> {
        let empty = Message::new(Bytes::ZERO);
        match (self.0, news) {
            ("panics", News::Arrived(_)) => panic!("it is broken"),
            ("at the start", News::Start) => panic!("it is broken"),
            ("empty", News::Arrived(_)) => Some(Write::now(empty)),
            ("too long", News::Arrived(_)) => Some(Write::now(Message::new(Bytes(u64::MAX)))),
            _ => None,
        }
    }
}

fn with_broken_server(fault: &'static str) -> OwnApplication {
    let heard = Heard::default();
    OwnApplication::new("broken", &[], move |role| match role.is_client {
        _ if fault == "constructor" => panic!("it is broken"),
        true => Box::new(Speaker {
            is_client: true,
            heard: heard.clone(),
        }),
        false => Box::new(Broken(fault)),
    })
}

#[test]
fn sides_that_break_rules_end_the_run_with_flow_reason_and_time() {
    for (fault, told) in [
        ("panics", "panicked: it is broken"),
        ("empty", "writes a message without data"),
        ("too long", "writes more than a connection can number"),
    ] {
        let application = with_broken_server(fault);
        let model = model("profile = \"linux\"", &application);
        let mut world = World::new(model).unwrap_or_else(|error| panic!("{error}"));
        world.run();
        let gave_up = world.gave_up().unwrap_or_else(|| panic!("{fault}"));
        assert!(matches!(&gave_up.excess, Excess::Application { flow, .. } if flow == "answer[0]"));
        assert!(gave_up.to_string().contains(told), "{gave_up}");
        assert!(gave_up.at > Time::ZERO + Span::from_ms(10), "{gave_up}");
    }
}

#[test]
fn sides_that_cannot_begin_are_told_before_the_run() {
    for fault in ["constructor", "at the start"] {
        let application = with_broken_server(fault);
        let refused = World::new(model("profile = \"linux\"", &application)).err();
        let Some(BuildError::OwnApplication { problem, .. }) = refused else {
            panic!("{fault}: {refused:?}");
        };
        assert_eq!(problem, "panicked: it is broken");
    }
}

#[test]
fn a_side_without_the_other_is_refused() {
    let (application, _) = speakers();
    let mut alone = model("profile = \"linux\"", &application);
    of(&mut alone, 1).load = Load::Endless;
    let refused = World::new(alone).err();
    assert!(
        matches!(refused, Some(BuildError::NoOtherEnd { flow: 0, other: 1 })),
        "{refused:?}"
    );
}
