//! State of a TCP flow except its connections: its application and its counts.

use std::sync::Arc;

use pacesim_core::net::{Ecn, RouteId};
use pacesim_core::random::Streams;
use pacesim_measure::{Moments, Quantiles};
use pacesim_tcp::{Config, Limit, Profile};
use pacesim_units::{FlowId, Rate, Span, Time};

use super::application::Application;
use super::end_log::EndLog;
use super::exchange_end::Way;
use super::limits::Spent;
use super::tcp_log::TcpLog;
use super::totals::Totals;
use crate::model::transport::OwnTransport;
use crate::model::{Carrier, Tcp};

/// The TCP side of a flow, which has one connection or one for each transfer.
pub(super) struct Session {
    pub(super) flow: FlowId,
    /// The index of its group among those of TCP.
    pub(super) group: u32,
    /// The routes of data and of acknowledgements.
    pub(super) routes: [RouteId; 2],
    /// Rates of the lines at the sending and at the receiving end, the round trip of a full packet on
    /// idle links, and the number of links on its way.
    pub(super) lines: [Rate; 2],
    pub(super) round_trip: Span,
    pub(super) hops: u32,
    /// The card that asks its connections for packets, if one does.
    pub(super) card: Option<u32>,
    /// The turns of its receiving ends, if they take some.
    pub(super) turns: Option<u32>,
    /// The ECN field of its data packets that may be marked, in place of TCP's own.
    pub(super) ecn: Option<Ecn>,
    pub(super) config: Arc<Config>,
    pub(super) clock_phase: Span,
    /// The stream of its congestion control's random choices.
    pub(super) control_seed: u64,
    /// The user's own transport, in TCP's place.
    pub(super) transport: Option<OwnTransport>,
    pub(super) carrier: Carrier,
    pub(super) application: Application,
    pub(super) start: Time,
    pub(super) stop: Time,
    /// The time at which the application begins.
    pub(super) first: Time,
    /// The time at which the next connection is opened, if the session has one for each transfer.
    pub(super) next_call: Time,
    /// The number of connections for single transfers so far.
    pub(super) calls: u32,
    pub(super) open: OpenCalls,
    /// The state of its connection if it is an exchange, and the timer of its receiving end.
    pub(super) way: Way,
    pub(super) receiver_timer: u32,
    /// The time at which all data of the application were delivered.
    pub(super) ended: Option<Time>,
    /// The counts of its closed connections, if there are any.
    past: Option<Box<Totals>>,
    /// Round-trip times since the warm-up, in picoseconds.
    pub(super) rtt_ps: Moments,
    pub(super) rtt_quantiles: Quantiles,
    /// Events of its senders that have not been taken yet, if they are recorded.
    pub(super) recorded: Option<Box<TcpLog>>,
    /// The same of changes of its senders' declared numbers.
    pub(super) numbers: Option<Box<EndLog>>,
}

impl Session {
    pub(super) fn new(
        flow: FlowId,
        tcp: &Tcp,
        routes: [RouteId; 2],
        [start, stop]: [Time; 2],
        streams: &Streams,
        name: &str,
    ) -> Session {
        let phase = tcp.clock_phase;
        let (application, first) = Application::new(tcp, start, streams, name);
        let first = start.saturating_add(first);
        let ended = application.is_nothing().then_some(start);
        Session {
            flow,
            group: 0,
            routes,
            lines: [Rate::from_mbps(1); 2],
            round_trip: Span::ZERO,
            hops: 0,
            card: None,
            turns: None,
            ecn: None,
            config: tcp.config.clone(),
            clock_phase: phase.unwrap_or_else(|| draw_phase(&tcp.config, streams, name)),
            control_seed: draw_seed(tcp, streams, name),
            transport: tcp.transport.clone(),
            carrier: tcp.load.carrier(),
            application,
            start,
            stop,
            first,
            next_call: first,
            calls: 0,
            open: OpenCalls::default(),
            way: Way::NotYet,
            receiver_timer: 0,
            ended,
            past: None,
            rtt_ps: Moments::new(),
            rtt_quantiles: Quantiles::new(),
            recorded: None,
            numbers: None,
        }
    }

    /// The counts of its closed connections.
    pub(super) fn past(&self) -> Totals {
        self.past.as_deref().copied().unwrap_or_default()
    }

    /// Adds the counts of a connection that is closed.
    pub(super) fn add_closed(&mut self, totals: Totals) {
        **self.past.get_or_insert_default() += totals;
    }

    /// Restarts the round-trip times when statistics start.
    pub(super) fn open_window(&mut self) {
        self.rtt_ps.reset();
        self.rtt_quantiles.reset();
    }

    /// Time at each limit before its connection was opened: a direction of an exchange that has not
    /// begun waits for data.
    pub(super) fn limited_before(&self, now: Time) -> Spent {
        let mut spent = self.past().limited;
        if self.way == Way::NotYet && matches!(self.application, Application::Exchange(_)) {
            spent[Limit::Data as usize] += now.saturating_since(self.start).as_ps();
        }
        spent
    }

    /// Ends the session if no more data follow and no connection is open.
    pub(super) fn end_if_over(&mut self, now: Time) {
        if self.next_call == Time::NEVER && self.open.is_empty() && self.ended.is_none() {
            self.ended = Some(now);
        }
    }
}

/// The open connections for single transfers, in the order of their numbers, and their places.
#[derive(Debug, Default)]
pub(super) struct OpenCalls(Vec<(u32, u32)>);

impl OpenCalls {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The places of open connections, in the order of calls.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(|(_, place)| *place)
    }

    /// Adds the newest connection, which has the greatest number.
    pub(super) fn add(&mut self, call: u32, place: u32) {
        self.0.push((call, place));
    }

    pub(super) fn remove(&mut self, call: u32) {
        if let Ok(at) = self.find(call) {
            self.0.remove(at);
        }
    }

    /// The place of the connection of this number, if it is open.
    #[inline]
    pub(super) fn place(&self, call: u32) -> Option<u32> {
        self.find(call).ok().map(|at| self.0[at].1)
    }

    #[inline]
    fn find(&self, call: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&call, |(call, _)| *call)
    }
}

/// The phase of a coarse clock, uniform within a tick.
fn draw_phase(config: &Config, streams: &Streams, name: &str) -> Span {
    match config.clock {
        pacesim_tcp::Clock::Ticks(tick) => {
            let share = pacesim_core::random::unit_below_one(&mut streams.stream(name, "clock"));
            Span::from_ps((share * tick.as_ps() as f64) as u64)
        }
        pacesim_tcp::Clock::Stamps { .. } => Span::ZERO,
    }
}

/// A seed for Linux's controls and for transports of users' own, which may make random choices.
fn draw_seed(tcp: &Tcp, streams: &Streams, name: &str) -> u64 {
    let purpose = match (&tcp.transport, tcp.config.profile) {
        (Some(_), _) => "transport",
        (None, Profile::Linux) => "control",
        (None, Profile::Ns2 | Profile::Rfc) => return 0,
    };
    let share = pacesim_core::random::unit_below_one(&mut streams.stream(name, purpose));
    (share * (1u64 << 53) as f64) as u64
}
