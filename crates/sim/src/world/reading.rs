//! Flows looked at again and again: what each has done so far, and how its senders stand.

use std::ops::{AddAssign, Sub};

use pacesim_core::net::Probe;

use super::World;
use super::connection::Connection;
use super::session::Session;
use super::tally::FlowTally;

/// What a flow, or several together, have done since the start, and how their TCP senders stand
/// now.
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
    /// Of TCP, what its senders say.
    pub senders: Option<SendersReading>,
}

/// What TCP senders have done since the start, and how they stand now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SendersReading {
    /// Packets sent again.
    pub retransmitted_pkts: u64,
    /// Time-outs.
    pub timeouts: u64,
    /// The sum of the congestion windows of all connections that are open.
    pub cwnd_pkts: f64,
    /// Packets sent and not cumulatively acknowledged, of all of these.
    pub in_flight_pkts: u64,
    /// Connections with data in progress.
    pub busy_connections: u64,
    /// The sum of the smoothed round trips of those that have one, in seconds.
    srtts_s: f64,
    with_srtt: u64,
}

impl SendersReading {
    /// The mean smoothed round trip of the connections that are open and have one, in seconds.
    pub fn srtt_s(&self) -> Option<f64> {
        (self.with_srtt > 0).then(|| self.srtts_s / self.with_srtt as f64)
    }

    /// Those of a flow's closed connections; of others there is nothing yet.
    fn of_closed(session: &Session) -> SendersReading {
        let past = session.past();
        SendersReading {
            retransmitted_pkts: past.retransmitted,
            timeouts: past.timeouts,
            ..SendersReading::default()
        }
    }

    fn of_open(connection: &Connection) -> SendersReading {
        let sender = &connection.sender;
        let srtt_s = sender.srtt().as_secs_f64();
        SendersReading {
            retransmitted_pkts: sender.counters().retransmitted,
            timeouts: u64::from(sender.counters().timeouts),
            cwnd_pkts: sender.cwnd(),
            in_flight_pkts: u64::from(sender.outstanding()),
            busy_connections: u64::from(!sender.is_done()),
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

/// What has been done since an earlier reading; how senders stand is that of now.
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
    /// What all flows have done so far, and how their senders stand, in the order of flows. Time
    /// and memory go by the flows and connections that there are.
    pub fn read_flows(&self) -> Vec<FlowReading> {
        let mut all: Vec<FlowReading> = self.tallies.all().map(without_senders).collect();
        for session in &self.sessions {
            let reading = &mut all[session.flow.index()];
            reading.goodput_bytes = session.past().goodput_bytes;
            reading.senders = Some(SendersReading::of_closed(session));
        }
        let open = self.connections.iter();
        for connection in open.filter(|connection| !connection.is_over) {
            let reading = &mut all[connection.flow.index()];
            reading.goodput_bytes += connection.goodput_bytes();
            *reading.senders.get_or_insert_default() += SendersReading::of_open(connection);
        }
        all
    }
}

/// A source that waits for no answer sends nothing twice.
fn without_senders(tally: FlowTally) -> FlowReading {
    FlowReading {
        delivered_bytes: tally.delivered.bytes,
        goodput_bytes: tally.delivered.bytes,
        dropped_pkts: (tally.dropped - tally.auxiliary_dropped).packets,
        lost_pkts: (tally.lost - tally.auxiliary_lost).packets,
        senders: None,
    }
}
