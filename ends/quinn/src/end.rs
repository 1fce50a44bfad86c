//! One end of a QUIC connection, driven by a simulated clock.

#![allow(
    clippy::disallowed_types,
    reason = "the library counts time from an instant, of which only differences matter"
)]

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use bytes::{Bytes, BytesMut};
use pacesim_app::end::{
    Command, Content, Counters, DataError, Datagram, Delivered, Ecn, End, EndEvent, Flags, Gauges,
    Header, Limit, Opening, Standing, Transfer,
};
use pacesim_app::random::Rng;
use pacesim_app::units::{Bytes as Size, Span, Time};
use quinn_proto::{
    ClientConfig, Connection, ConnectionError, ConnectionHandle, ConnectionId,
    ConnectionIdGenerator, DatagramEvent, EcnCodepoint, Endpoint, EndpointConfig, Event,
    NoneTokenStore, ServerConfig, StreamEvent, TimeSource, VarInt,
};

use crate::null_crypto::{Null, NullKey, TYPICAL};
use crate::streams::{Sink, Source};
use crate::{Keys, Pacing};

/// IPv4 and UDP.
const HEADERS: u32 = 28;
/// The smallest datagram over which QUIC runs (RFC 9000, section 14).
const LEAST: u32 = 1200;

/// Simulated time zero. Only differences enter the library, so its value changes nothing.
#[allow(
    clippy::disallowed_methods,
    reason = "the library takes no other times, and there is no other way to get the first one"
)]
pub(crate) fn base() -> Instant {
    static BASE: OnceLock<Instant> = OnceLock::new();
    *BASE.get_or_init(|| Instant::now() + Duration::from_secs(86_400))
}

fn instant(at: Time) -> Instant {
    base() + Duration::from_nanos(at.as_ps() / 1000)
}

/// The library's times are whole nanoseconds: a wake-up is the first at which it has one.
pub(crate) fn time(at: Instant) -> Time {
    let nanos = at.saturating_duration_since(base()).as_nanos() as u64;
    Time::ZERO + Span::from_ns(nanos)
}

fn span(of: Duration) -> Span {
    Span::from_ns(of.as_nanos() as u64)
}

/// A clock that stands, for the dates in tokens.
struct Epoch;

impl TimeSource for Epoch {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
    }
}

/// Connection identifiers that count from a seed.
struct Counted(Arc<AtomicU64>);

impl ConnectionIdGenerator for Counted {
    fn generate_cid(&mut self) -> ConnectionId {
        let n = self.0.fetch_add(1, Ordering::Relaxed);
        ConnectionId::new(&n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes())
    }

    fn cid_len(&self) -> usize {
        8
    }

    fn cid_lifetime(&self) -> Option<Duration> {
        None
    }
}

fn address(is_source: bool) -> SocketAddr {
    let host = if is_source { 1 } else { 2 };
    (Ipv4Addr::new(10, 0, 0, host), 4433).into()
}

/// One end of a QUIC connection.
pub struct QuicEnd {
    is_source: bool,
    mtu: u16,
    endpoint: Endpoint,
    /// The configuration with which a source connects, until it does.
    client: Option<ClientConfig>,
    connection: Option<(ConnectionHandle, Connection)>,
    outbox: VecDeque<(Option<EcnCodepoint>, Vec<u8>)>,
    source: Source,
    sink: Sink,
    counters: Counters,
    events: VecDeque<EndEvent>,
    buf: Vec<u8>,
    is_connected: bool,
    is_closed: bool,
    /// True if the library may have something to say.
    is_dirty: bool,
    /// The time of the next datagram, if a rate decides it.
    gate: Option<Gate>,
    /// False if its control draws from the system.
    repeats: bool,
}

/// Datagrams that leave no faster than the rate that the library's control computes.
#[derive(Default)]
struct Gate {
    opens: Time,
    /// True if the library was not asked for a datagram, since the gate was closed.
    is_waiting: bool,
}

impl Gate {
    /// True if a datagram may leave now.
    fn is_open(&mut self, now: Time) -> bool {
        self.is_waiting = now < self.opens;
        !self.is_waiting
    }

    /// A datagram leaves now.
    fn pass(&mut self, now: Time, size: u32, rate_bps: Option<u64>) {
        let rate = rate_bps.filter(|rate| *rate > 0);
        let gap = rate.and_then(|rate| Span::from_ps_f64(f64::from(size) * 8e12 / rate as f64));
        self.opens = now + gap.unwrap_or(Span::ZERO);
    }
}

impl QuicEnd {
    /// An end for this opening.
    ///
    /// # Errors
    ///
    /// The packets must hold the smallest datagram of QUIC.
    pub fn new(keys: &Keys, opening: Opening) -> Result<QuicEnd, String> {
        let size = opening.packet_size;
        let datagram = size.saturating_sub(HEADERS);
        if !(LEAST..=65_527).contains(&datagram) {
            let (least, most) = (LEAST + HEADERS, 65_527 + HEADERS);
            return Err(format!(
                "QUIC takes packets of {least} to {most} B, not {size} B: give packet_size"
            ));
        }
        let mut stream = opening.stream();
        let mut seed = [0; 32];
        stream.fill_bytes(&mut seed);
        let cids = Arc::new(AtomicU64::new(stream.next_u64()));
        let first_cid = stream.next_u64();
        let mut config = EndpointConfig::new(Arc::new(NullKey));
        config.rng_seed(Some(seed));
        config.cid_generator(move || Box::new(Counted(Arc::clone(&cids))));
        let mtu = datagram as u16;
        config
            .max_udp_payload_size(mtu)
            .map_err(|e| e.to_string())?;
        let transport = Arc::new(keys.transport(mtu));
        let null = Arc::new(Null(TYPICAL));
        let server = (!opening.is_source).then(|| {
            let mut server = ServerConfig::new(null.clone(), Arc::new(NullKey));
            server.transport_config(Arc::clone(&transport));
            server.time_source(Arc::new(Epoch));
            Arc::new(server)
        });
        let client = opening.is_source.then(|| {
            let mut client = ClientConfig::new(null);
            client.transport_config(transport);
            client.token_store(Arc::new(NoneTokenStore));
            client.initial_dst_cid_provider(Arc::new(move || {
                ConnectionId::new(&first_cid.to_le_bytes())
            }));
            client
        });
        Ok(QuicEnd {
            is_source: opening.is_source,
            mtu,
            endpoint: Endpoint::new(Arc::new(config), server, true, None),
            client,
            connection: None,
            outbox: VecDeque::new(),
            source: Source::default(),
            sink: Sink::default(),
            counters: Counters::default(),
            events: VecDeque::new(),
            buf: Vec::with_capacity(2048),
            is_connected: false,
            is_closed: false,
            is_dirty: false,
            gate: (keys.pacing == Pacing::Rate && opening.is_source).then(Gate::default),
            repeats: !keys.irreproducible,
        })
    }

    /// Lets the library and the application talk until neither has anything to say.
    fn drive(&mut self) {
        let Some((handle, connection)) = &mut self.connection else {
            return;
        };
        loop {
            let mut is_idle = true;
            while let Some(event) = connection.poll_endpoint_events() {
                is_idle = false;
                if let Some(event) = self.endpoint.handle_event(*handle, event) {
                    connection.handle_event(event);
                }
            }
            while let Some(event) = connection.poll() {
                is_idle = false;
                match event {
                    Event::Connected => self.is_connected = true,
                    Event::ConnectionLost { reason } => {
                        self.events.push_back(end_of(reason, self.is_closed));
                        self.is_closed = true;
                    }
                    Event::Stream(StreamEvent::Finished { id }) => {
                        self.events.extend(self.source.finished(id));
                    }
                    Event::Stream(StreamEvent::Opened { .. }) => self.sink.accept(connection),
                    _ => {}
                }
            }
            if self.is_source && self.is_connected && !self.is_closed {
                is_idle &= !self.source.write(connection);
            }
            is_idle &= !self.sink.read(connection);
            if is_idle {
                break;
            }
        }
    }

    fn datagram(&mut self, now: Time, ecn: Option<EcnCodepoint>, content: Vec<u8>) -> Datagram {
        self.counters.sent += 1;
        let number = (self.counters.sent - 1) as u32;
        let ecn = Ecn::from_bits(ecn.map_or(0, |ecn| ecn as u8));
        let size = content.len() as u32 + HEADERS;
        Datagram {
            flags: Flags::default().with_ecn(ecn),
            content: Content::Bytes(content.into()),
            ..Datagram::new(now, number, size)
        }
    }

    fn handle(&mut self, now: Time, ecn: Option<EcnCodepoint>, content: &[u8]) {
        let at = instant(now);
        let remote = address(!self.is_source);
        self.buf.clear();
        let data = BytesMut::from(content);
        match self
            .endpoint
            .handle(at, remote, None, ecn, data, &mut self.buf)
        {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut self.connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                if self.connection.is_some() {
                    self.endpoint.ignore(incoming);
                    return;
                }
                match self.endpoint.accept(incoming, at, &mut self.buf, None) {
                    Ok(accepted) => self.connection = Some(accepted),
                    // The client hears of it, or tries again.
                    Err(error) => {
                        if let Some(answer) = error.response {
                            let content = self.buf[..answer.size].to_vec();
                            self.outbox.push_back((answer.ecn, content));
                        }
                    }
                }
            }
            Some(DatagramEvent::Response(answer)) => {
                let content = self.buf[..answer.size].to_vec();
                self.outbox.push_back((answer.ecn, content));
            }
            None => {}
        }
    }
}

/// The event of a connection that is lost.
fn end_of(reason: ConnectionError, was_closed: bool) -> EndEvent {
    match reason {
        ConnectionError::LocallyClosed | ConnectionError::ApplicationClosed(_) => EndEvent::Closed,
        _ if was_closed => EndEvent::Closed,
        other => EndEvent::Failed(format!("quinn lost the connection: {other}")),
    }
}

impl End for QuicEnd {
    fn command(&mut self, now: Time, command: Command) -> Result<(), DataError> {
        let payload = Size(u64::from(self.mtu));
        self.source.command(now, command, payload)?;
        self.is_dirty = true;
        if let Some(client) = self.client.take() {
            let connected = self
                .endpoint
                .connect(instant(now), client, address(false), "sink");
            match connected {
                Ok(connection) => self.connection = Some(connection),
                Err(error) => self.events.push_back(EndEvent::Failed(error.to_string())),
            }
        }
        if command == Command::Close
            && let Some((_, connection)) = &mut self.connection
        {
            connection.close(instant(now), VarInt::from_u32(0), Bytes::new());
            self.is_closed = true;
            self.events.push_back(EndEvent::Closed);
        }
        Ok(())
    }

    fn receive(&mut self, now: Time, packet: &Header, content: Content) {
        let Content::Bytes(content) = content else {
            return;
        };
        let ecn = EcnCodepoint::from_bits(packet.flags.ecn() as u8);
        self.handle(now, ecn, &content);
        self.is_dirty = true;
        if let Some((_, connection)) = &self.connection
            && self.is_source
            && self.is_connected
        {
            // The library tells only its smoothed round trip.
            let round_trip = span(connection.rtt());
            self.events.push_back(EndEvent::RoundTrip(round_trip));
        }
    }

    fn wake(&mut self, now: Time) {
        let at = instant(now);
        if let Some((_, connection)) = &mut self.connection
            && connection.poll_timeout().is_some_and(|due| due <= at)
        {
            connection.handle_timeout(at);
            self.is_dirty = true;
        }
    }

    fn transmit(&mut self, now: Time) -> Option<Datagram> {
        if std::mem::take(&mut self.is_dirty) {
            self.drive();
        }
        if let Some((ecn, content)) = self.outbox.pop_front() {
            return Some(self.datagram(now, ecn, content));
        }
        if self.gate.as_mut().is_some_and(|gate| !gate.is_open(now)) {
            return None;
        }
        let mut content = Vec::with_capacity(usize::from(self.mtu));
        let (_, connection) = self.connection.as_mut()?;
        let transmit = connection.poll_transmit(instant(now), 1, &mut content)?;
        content.truncate(transmit.size);
        if let Some(gate) = &mut self.gate {
            let rate = connection.congestion_state().metrics().pacing_rate;
            gate.pass(now, transmit.size as u32 + HEADERS, rate);
        }
        // The library sends data of lost packets before all other.
        let lost = connection.stats().path.lost_packets;
        let is_again = self.is_source && self.counters.retransmitted < lost;
        self.counters.retransmitted += u64::from(is_again);
        let sent = self.datagram(now, transmit.ecn, content);
        let flags = sent.flags.again(is_again);
        Some(Datagram { flags, ..sent })
    }

    fn next_wake(&mut self) -> Option<Time> {
        let (_, connection) = self.connection.as_mut()?;
        let timeout = connection.poll_timeout().map(time);
        let gate = self.gate.as_ref().filter(|gate| gate.is_waiting);
        timeout.into_iter().chain(gate.map(|gate| gate.opens)).min()
    }

    fn event(&mut self) -> Option<EndEvent> {
        self.events.pop_front()
    }

    fn standing(&self) -> Standing {
        let is_busy = self.source.is_busy();
        match self.source.has_endless {
            true => Standing::new(Limit::Congestion, is_busy, false),
            // The library takes all data at once, and does not tell how much of them has left.
            false => Standing::untold(is_busy),
        }
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn gauges(&self) -> Gauges {
        let Some((_, connection)) = &self.connection else {
            return Gauges::default();
        };
        let window = connection.congestion_state().window() as f64;
        Gauges {
            window_pkts: Some(window / f64::from(self.mtu)),
            srtt: Some(span(connection.rtt())),
            ..Gauges::default()
        }
    }

    fn pending(&self) -> Vec<Transfer> {
        self.source.pending()
    }

    fn delivered(&self) -> Delivered {
        Delivered {
            bytes: self.sink.bytes,
            ..Delivered::default()
        }
    }

    fn repeats(&self) -> bool {
        self.repeats
    }

    fn numbers(&self) -> Vec<Option<f64>> {
        let Some((_, connection)) = &self.connection else {
            return vec![None; crate::NUMBERS.len()];
        };
        let path = connection.stats().path;
        let numbers = [
            Some(path.lost_packets),
            Some(path.congestion_events),
            Some(path.black_holes_detected),
            Some(u64::from(path.current_mtu)),
            // Zero before the first estimate.
            connection
                .congestion_state()
                .metrics()
                .pacing_rate
                .filter(|rate| *rate > 0),
        ];
        numbers.map(|number| number.map(|of| of as f64)).to_vec()
    }
}
