//! A transport of one's own: two ends written against the trait alone, with the applications,
//! networks and statistics of TCP.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim::model::transport::OwnTransport;
use pacesim::model::{
    Buffer, Carrier, Exchange, Load, Loss, Model, Pause, PauseFrom, Tcp, Traffic, TransferSizes,
    Transfers,
};
use pacesim::scenario::load;
use pacesim::tcp::{Amount, Config, EventMask, ReceiverEnd, Sender, Variant};
use pacesim::transport::laws::{self, Fate};
use pacesim::transport::{
    Backlog, Command, Content, Counters, DataError, Datagram, Delivered, End, EndEvent, Gauges,
    Header, Limit, Standing,
};
use pacesim::units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use pacesim::{BuildError, World};
use proptest::prelude::*;

const PAYLOAD: u64 = 960;
const HEADER: u64 = 40;

/// Go-back-N with a fixed window: a time-out sends all again that is not acknowledged. Data carry
/// their place as bytes, and so do the answers.
pub(crate) struct GoBack {
    window: u64,
    timeout: Span,
    backlog: Backlog,
    acknowledged: u64,
    next: u64,
    /// The greatest place sent so far: what lies before it is sent again.
    reached: u64,
    deadline: Option<Time>,
    events: VecDeque<EndEvent>,
    counters: Counters,
}

impl GoBack {
    pub(crate) fn new(window: u64, timeout: Span) -> GoBack {
        GoBack {
            window: window * PAYLOAD,
            timeout,
            backlog: Backlog::default(),
            acknowledged: 0,
            next: 0,
            reached: 0,
            deadline: None,
            events: VecDeque::new(),
            counters: Counters::default(),
        }
    }
}

fn place(content: &Content) -> Option<u64> {
    match content {
        Content::Bytes(bytes) => Some(u64::from_be_bytes(bytes[..8].try_into().ok()?)),
        _ => None,
    }
}

impl End for GoBack {
    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        let Some(acknowledged) = place(&content).filter(|place| *place > self.acknowledged) else {
            return;
        };
        self.acknowledged = acknowledged;
        self.next = self.next.max(acknowledged);
        let round_trip = now.saturating_since(packet.stamp);
        self.events.push_back(EndEvent::RoundTrip(round_trip));
        while let Some(transfer) = self.backlog.finish(acknowledged) {
            self.events.push_back(EndEvent::TransferDone(transfer));
        }
        self.deadline = (self.next > acknowledged).then(|| now + self.timeout);
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        let from = self.next;
        let most = self
            .backlog
            .next_end(from)
            .min(self.acknowledged + self.window);
        if from >= most {
            return None;
        }
        let payload = PAYLOAD.min(most - from);
        self.next = from + payload;
        self.counters.sent += 1;
        let mut datagram = Datagram::new(now, self.counters.sent as u32, (payload + HEADER) as u32);
        if from < self.reached {
            self.counters.retransmitted += 1;
            datagram.flags = datagram.flags.again(true);
        }
        self.reached = self.reached.max(self.next);
        self.deadline.get_or_insert(now + self.timeout);
        datagram.content = Content::Bytes(from.to_be_bytes().into());
        Some(datagram)
    }

    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        match command {
            Command::Send(amount) => self.backlog.add(now, amount, Bytes(PAYLOAD)),
            Command::Stop => {
                self.backlog.stop(self.next);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn wake(&mut self, now: Time) {
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.next = self.acknowledged;
            self.deadline = None;
            self.counters.timeouts += 1;
        }
    }

    fn next_wake(&mut self) -> Option<Time> {
        self.deadline
    }

    fn event(&mut self) -> Option<EndEvent> {
        self.events.pop_front()
    }

    fn standing(&self) -> Standing {
        let has_data = self.next < self.backlog.end();
        let limit = if has_data { Limit::Window } else { Limit::Data };
        Standing::new(limit, self.acknowledged < self.backlog.end(), false)
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn gauges(&self) -> Gauges {
        Gauges {
            window_pkts: Some((self.window / PAYLOAD) as f64),
            in_flight_pkts: (self.next - self.acknowledged).div_ceil(PAYLOAD),
            ..Gauges::default()
        }
    }

    fn pending(&self) -> Vec<pacesim::transport::Transfer> {
        self.backlog.pending()
    }
}

/// Takes what arrives in order, and answers each packet.
#[derive(Default)]
pub(crate) struct InOrder {
    arrived: u64,
    answer: Option<Time>,
}

impl End for InOrder {
    fn receive(&mut self, _now: Time, packet: &Header, content: Content) {
        let payload = u64::from(packet.size) - HEADER;
        if let Some(place) = place(&content)
            && place <= self.arrived
        {
            self.arrived = self.arrived.max(place + payload);
        }
        self.answer = Some(packet.stamp);
    }

    fn transmit(&mut self, _now: Time) -> Option<Datagram> {
        // The time that it echoes is that of the packet it answers.
        let mut datagram = Datagram::new(self.answer.take()?, 0, HEADER as u32);
        datagram.content = Content::Bytes(self.arrived.to_be_bytes().into());
        Some(datagram)
    }

    fn delivered(&self) -> Delivered {
        Delivered {
            bytes: self.arrived,
            ..Delivered::default()
        }
    }
}

fn go_back(window: u64) -> OwnTransport {
    let timeout = Span::from_ms(200);
    OwnTransport::new(
        "go-back",
        move |_| GoBack::new(window, timeout),
        |_| InOrder::default(),
    )
}

proptest! {
    /// The same laws hold for TCP's ends and for those written here.
    #[test]
    fn ends_keep_the_laws_over_any_line(
        transfers in prop::collection::vec(1u64..20_000, 1..6),
        fates in prop::collection::vec((0u32..12, 0u64..30), 1..40),
    ) {
        let transfers: Vec<Bytes> = transfers.into_iter().map(Bytes).collect();
        let fate = |number: u32| {
            let (kind, ms) = fates[number as usize % fates.len()];
            match kind {
                // The same packet must not be lost for ever.
                0 if number < 200 => Fate::Lost,
                1 => Fate::Late(Span::from_ms(ms)),
                2 => Fate::Twice(Span::from_ms(ms)),
                _ => Fate::Late(Span::ZERO),
            }
        };
        let delay = Span::from_ms(10);
        let mut source = GoBack::new(8, Span::from_ms(200));
        laws::check(&mut source, &mut InOrder::default(), &transfers, delay, fate);
        for config in [Config::rfc(Variant::Sack), Config::linux(Variant::Sack)] {
            let config = Arc::new(config);
            let mut sender = Sender::new(&config, Span::ZERO);
            sender.want_events(EventMask::RTT | EventMask::TRANSFER);
            let mut receiver = ReceiverEnd::opened(&config, Time::ZERO, Span::ZERO);
            laws::check(&mut sender, &mut receiver, &transfers, delay, fate);
        }
    }
}

/// Two nodes, 20 ms there and back, with this load over such ends.
pub(crate) fn model(load: Load, window: u64, buffer: u64) -> Model {
    let mut model = Model::new("own ends", Span::from_secs(20));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let (rate, delay) = (Rate::from_mbps(10), Span::from_ms(10));
    let there = model.add_link(a, b, rate, delay);
    model.link_mut(there).buffer = Buffer::waiting(Capacity::Packets(buffer));
    model.add_link(b, a, rate, delay);
    let mut config = Config::rfc(Variant::Sack);
    (config.payload, config.header, config.ack_size) =
        (Bytes(PAYLOAD), Bytes(HEADER), Bytes(HEADER));
    let tcp = Tcp::new(Arc::new(config), load).over(go_back(window));
    model.add_flow(a, b, Traffic::Tcp(tcp));
    model
}

pub(crate) fn ran(model: Model) -> World {
    let mut world = World::new(model).expect("a world");
    world.run();
    world
}

const FLOW: FlowId = FlowId(0);

#[test]
fn a_window_gives_its_rate_and_round_trips_are_those_of_the_line() {
    // Ten packets of 1000 B in 20.832 ms: a packet and an answer on each line.
    let mut world = ran(model(Load::Endless, 10, 100));
    let rows = world.flow_rows();
    let goodput = rows[0].goodput_bps;
    let round_trip_s = 0.02 + 8.0 * (1000.0 + 40.0) / 10e6;
    let expected = 10.0 * 8.0 * PAYLOAD as f64 / round_trip_s;
    assert!(
        (goodput / expected - 1.0).abs() < 2e-3,
        "{goodput} and {expected}"
    );
    let measured = world.round_trips(FLOW).expect("closed loop");
    let median = measured.quantile(0.5).expect("samples") as f64 / 1e12;
    assert!((median / round_trip_s - 1.0).abs() < 0.01, "{median}");
    assert_eq!(rows[0].retransmitted_pkts, 0);
    assert!(world.take_transfers().is_empty());
}

pub(crate) fn transfers(connection: Carrier, count: u32) -> Load {
    Load::Transfers(Box::new(Transfers {
        size: TransferSizes::Packets(7),
        first: Pause::Constant(Span::ZERO),
        pause: Pause::Constant(Span::from_ms(50)),
        pause_from: PauseFrom::LastAck,
        connection,
        count: Some(count),
    }))
}

#[test]
fn transfers_over_one_connection_or_over_many_end_when_their_ends_say_so() {
    for carrier in [Carrier::Same, Carrier::New] {
        let mut world = ran(model(transfers(carrier, 20), 100, 100));
        let done = world.take_transfers();
        assert_eq!(done.len(), 20, "{carrier:?}");
        // Seven packets at the rate of the line, and the last one's answer.
        let expected = 20e9 + 7.0 * 8e8 + 0.32e8;
        for transfer in &done {
            let took = (transfer.end_ps.expect("done") - transfer.start_ps) as f64;
            assert!(
                (took - expected).abs() < 1e6,
                "{carrier:?}: {took} and {expected}"
            );
            assert_eq!(transfer.size_bytes, 7 * PAYLOAD);
        }
        let goodput = world.read_flows()[0].goodput_bytes;
        assert_eq!(goodput, 20 * 7 * PAYLOAD, "{carrier:?}");
        assert_eq!(
            world.open_connections(),
            usize::from(carrier == Carrier::Same)
        );
    }
}

#[test]
fn losses_are_repaired_and_counted() {
    let amount = Amount::Packets(500);
    let mut model = model(Load::Once(amount), 20, 100);
    model.links[0].extras.loss = Some(Loss::Bernoulli { probability: 0.02 });
    let mut world = ran(model);
    let rows = world.flow_rows();
    let done = world.take_transfers();
    assert_eq!(done.len(), 1);
    assert!(
        done[0].retransmitted_pkts > 0 && rows[0].timeouts > 0,
        "{:?}",
        done[0]
    );
    assert_eq!(done[0].retransmitted_pkts, rows[0].retransmitted_pkts);
    assert_eq!(world.read_flows()[0].goodput_bytes, 500 * PAYLOAD);
}

/// The reason why a model is refused.
pub(crate) fn refused(model: Model) -> String {
    match World::new(model).err() {
        Some(BuildError::OwnTransport { problem, .. }) => problem.to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn own_ends_are_refused_where_only_those_of_tcp_are_understood() {
    let exchange = Load::Exchange(Exchange {
        other: FLOW,
        steps: Arc::new([]),
        stands_when_closed: false,
    });
    let problem = refused(model(exchange, 10, 100));
    assert!(problem.contains("no exchanges"), "{problem}");
    let text = r#"
run = { duration = "1s" }
topology = { shape = "tandem", hops = 3, link = { rate = "10Mbps" } }
flow = [{ name = "f", from = "node[0]", to = "node[3]", traffic = { kind = "tcp" } }]
fec = [{ name = "xor", ingress = "node[1]", egress = "node[2]", block = 4 }]
"#;
    let checked = load("fec.toml", text, &[], &());
    let mut protected = checked
        .unwrap_or_else(|problems| panic!("{problems}"))
        .expand(1, 0);
    let Traffic::Tcp(tcp) = &mut protected.flows[0].traffic else {
        panic!("closed loop");
    };
    tcp.transport = Some(go_back(10));
    let problem = refused(protected);
    assert!(problem.contains("cannot be protected"), "{problem}");
}

/// A dumbbell of four flows that lose packets, with these TCP keys.
fn dumbbell(keys: &str) -> Model {
    let text = format!(
        r#"
run = {{ duration = "8s" }}
topology = {{ shape = "dumbbell", pairs = 4, access = {{ rate = "100Mbps", delay = "3ms" }}, bottleneck = {{ rate = "10Mbps", delay = "10ms", buffer = "12pkts" }} }}
flow = [{{ name = "f", count = 4, from = "left", to = "right", start = {{ uniform = ["0s", "1s"] }}, traffic = {{ kind = "tcp", {keys} }} }}]
"#
    );
    let checked = load("dumbbell.toml", &text, &[], &());
    checked
        .unwrap_or_else(|problems| panic!("{problems}"))
        .expand(1, 0)
}

/// TCP's own two ends, held as a user's.
fn behind_the_trait(config: &Arc<Config>) -> OwnTransport {
    let (ours, theirs) = (config.clone(), config.clone());
    OwnTransport::new(
        "TCP",
        move |_| {
            let mut sender = Sender::new(&ours, Span::ZERO);
            sender.want_events(EventMask::RTT | EventMask::TRANSFER);
            sender
        },
        move |opening| ReceiverEnd::opened(&theirs, opening.at, Span::ZERO),
    )
}

#[test]
fn tcp_behind_the_trait_is_tcp_packet_by_packet() {
    for keys in [
        "profile = \"rfc\", variant = \"newreno\"",
        "profile = \"ns2\", variant = \"sack\"",
        "profile = \"linux\", control = \"cubic\"",
        "profile = \"rfc\", variant = \"sack\", transfers = { size = \"60KB\", pause = \"100ms\", connection = \"new\" }",
        "profile = \"linux\", control = \"cubic\", transfers = { size = \"60KB\", pause = \"100ms\" }",
    ] {
        let mut built_in = dumbbell(keys);
        for flow in &mut built_in.flows {
            if let Traffic::Tcp(tcp) = &mut flow.traffic {
                tcp.clock_phase = Some(Span::ZERO);
            }
        }
        let mut own = built_in.clone();
        for flow in &mut own.flows {
            if let Traffic::Tcp(tcp) = &mut flow.traffic {
                tcp.transport = Some(behind_the_trait(&tcp.config));
            }
        }
        let (mut ours, mut theirs) = (ran(built_in), ran(own));
        assert_eq!(ours.fingerprint(), theirs.fingerprint(), "{keys}");
        let (rows, mut others) = (ours.flow_rows(), theirs.flow_rows());
        // Notifications are counted for transports of their own alone.
        for row in &mut others {
            assert_eq!((row.cnps.take(), row.nacks.take()), (Some(0), Some(0)));
        }
        assert!(rows.iter().any(|row| row.retransmitted_pkts > 0), "{keys}");
        assert_eq!(format!("{rows:?}"), format!("{others:?}"), "{keys}");
        assert_eq!(ours.take_transfers(), theirs.take_transfers(), "{keys}");
    }
}
