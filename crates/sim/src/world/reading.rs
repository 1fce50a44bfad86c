//! Periodic readings of flows: counts so far, and the state of their senders.

use std::ops::{AddAssign, Sub};

use pacesim_core::net::Probe;
use pacesim_tcp::Counters;
use pacesim_units::{FlowId, Span};

use super::World;
use super::session::Session;
use super::tally::FlowTally;

/// The counts of one flow, or of several together, since the start, and the current state of their
/// TCP senders.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlowReading {
    /// Bytes of data packets that reached the receiver, headers and retransmissions included.
    pub delivered_bytes: u64,
    /// Payload bytes that reached the receiver, each counted once.
    pub goodput_bytes: u64,
    /// Data packets that ports dropped.
    pub dropped_pkts: u64,
    /// Data packets that wires lost.
    pub lost_pkts: u64,
    /// Readings of the TCP senders, if there are any.
    pub senders: Option<SendersReading>,
}

/// The counts of TCP senders since the start, and their current state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SendersReading {
    /// Number of retransmitted packets.
    pub retransmitted_pkts: u64,
    /// Number of time-outs.
    pub timeouts: u64,
    /// The sum of the congestion windows of all open connections.
    pub cwnd_pkts: f64,
    /// Packets sent and not cumulatively acknowledged, summed over all open connections.
    pub in_flight_pkts: u64,
    /// Number of connections with data in progress.
    pub busy_connections: u64,
    /// The sum of the smoothed round-trip times of the connections that have one, in seconds.
    srtts_s: f64,
    with_srtt: u64,
}

impl SendersReading {
    /// The mean smoothed round-trip time of the open connections that have one, in seconds.
    pub fn srtt_s(&self) -> Option<f64> {
        (self.with_srtt > 0).then(|| self.srtts_s / self.with_srtt as f64)
    }

    /// The counts of a flow's closed connections; the state of open ones is still empty.
    fn of_closed(session: &Session) -> SendersReading {
        let past = session.past();
        SendersReading {
            retransmitted_pkts: past.retransmitted,
            timeouts: past.timeouts,
            ..SendersReading::default()
        }
    }

    /// The reading of a single sender.
    pub(super) fn of(
        counters: &Counters,
        cwnd_pkts: f64,
        in_flight_pkts: u64,
        is_busy: bool,
        srtt: Span,
    ) -> SendersReading {
        let srtt_s = srtt.as_secs_f64();
        SendersReading {
            retransmitted_pkts: counters.retransmitted,
            timeouts: u64::from(counters.timeouts),
            cwnd_pkts,
            in_flight_pkts,
            busy_connections: u64::from(is_busy),
            srtts_s: srtt_s,
            with_srtt: u64::from(srtt_s > 0.0),
        }
    }
}

impl AddAssign for SendersReading {
    fn add_assign(&mut self, other: SendersReading) {
        self.retransmitted_pkts += other.retransmitted_pkts;
        self.timeouts += other.timeouts;
        self.cwnd_pkts += other.cwnd_pkts;
        self.in_flight_pkts += other.in_flight_pkts;
        self.busy_connections += other.busy_connections;
        self.srtts_s += other.srtts_s;
        self.with_srtt += other.with_srtt;
    }
}

impl AddAssign for FlowReading {
    fn add_assign(&mut self, other: FlowReading) {
        self.delivered_bytes += other.delivered_bytes;
        self.goodput_bytes += other.goodput_bytes;
        self.dropped_pkts += other.dropped_pkts;
        self.lost_pkts += other.lost_pkts;
        if let Some(senders) = other.senders {
            *self.senders.get_or_insert_default() += senders;
        }
    }
}

/// The counts since an earlier reading; the state of senders is the later one.
impl Sub for FlowReading {
    type Output = FlowReading;

    fn sub(self, before: FlowReading) -> FlowReading {
        let earlier = before.senders.unwrap_or_default();
        let senders = self.senders.map(|now| SendersReading {
            retransmitted_pkts: now.retransmitted_pkts - earlier.retransmitted_pkts,
            timeouts: now.timeouts - earlier.timeouts,
            ..now
        });
        FlowReading {
            delivered_bytes: self.delivered_bytes - before.delivered_bytes,
            goodput_bytes: self.goodput_bytes - before.goodput_bytes,
            dropped_pkts: self.dropped_pkts - before.dropped_pkts,
            lost_pkts: self.lost_pkts - before.lost_pkts,
            senders,
        }
    }
}

impl<P: Probe> World<P> {
    /// The counts of all flows so far and the state of their senders, in the order of flows. Cost
    /// and memory are proportional to the number of flows and connections.
    pub fn read_flows(&self) -> Vec<FlowReading> {
        let ids = (0..self.model.flows.len()).map(FlowId::from_index);
        let mut all: Vec<FlowReading> = ids.map(|flow| without_senders(self.tally(flow))).collect();
        self.add_ends(&mut all);
        all
    }

    /// Passes on the payload bytes that each receiver has, in several amounts if a flow has several
    /// connections: what [`World::read_flows`] has as goodput, for less.
    pub fn read_goodput(&self, mut add: impl FnMut(FlowId, u64)) {
        for emitter in &self.emitters {
            add(emitter.flow, self.tally(emitter.flow).delivered.bytes);
        }
        for (number, part) in (0..).zip(self.parts()) {
            let is_here = |flow: FlowId| self.receives_in(number, flow);
            for session in part.sessions.iter().filter(|of| is_here(of.flow)) {
                add(session.flow, session.past().goodput_bytes);
            }
            for connection in part.open_in_order().filter(|of| is_here(of.flow)) {
                add(connection.flow, connection.goodput_bytes());
            }
        }
    }

    /// Adds the state of senders and the data that receivers have, each if it is here.
    pub(super) fn add_ends_if(
        &self,
        all: &mut [FlowReading],
        is_here: impl Fn(FlowId) -> [bool; 2],
    ) {
        for session in &self.sessions {
            let reading = &mut all[session.flow.index()];
            let [sends, receives] = is_here(session.flow);
            if receives {
                reading.goodput_bytes = session.past().goodput_bytes;
            }
            if sends {
                reading.senders = Some(SendersReading::of_closed(session));
            }
        }
        for connection in self.open_in_order() {
            let reading = &mut all[connection.flow.index()];
            let [sends, receives] = is_here(connection.flow);
            if receives {
                reading.goodput_bytes += connection.goodput_bytes();
            }
            if sends {
                *reading.senders.get_or_insert_default() += connection.sender.reading();
            }
        }
    }
}

/// The reading of an open-loop source, which never retransmits.
fn without_senders(tally: FlowTally) -> FlowReading {
    FlowReading {
        delivered_bytes: tally.delivered.bytes,
        goodput_bytes: tally.delivered.bytes,
        dropped_pkts: (tally.dropped - tally.auxiliary_dropped).packets,
        lost_pkts: (tally.lost - tally.auxiliary_lost).packets,
        senders: None,
    }
}
