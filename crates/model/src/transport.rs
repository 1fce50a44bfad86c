//! Users' own transports: their two ends in place of TCP's.

use std::fmt;
use std::sync::Arc;

use pacesim_core::random::{Stream, Streams};
use pacesim_transport::End;
use pacesim_units::{FlowId, Rate, Span, Time};

/// The connection that an end is made for, and its side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Flow of the connection.
    pub flow: FlowId,
    /// Number of the connection in its flow, from 0.
    pub call: u32,
    /// Time at which the connection opens.
    pub at: Time,
    /// Seed for random choices, different for each connection.
    pub seed: u64,
    /// True for the end that sends data.
    pub is_source: bool,
    /// The largest packet that either end may send, on the wire.
    pub packet_size: u32,
    /// Bytes of headers in a full packet, as the flow's `header` states them: loads and ideal times of
    /// transfers are counted by it, so an end's own headers should have this size.
    pub header: u32,
    /// Rate of the line at the end's own port.
    pub line: Rate,
    /// Time from the first bit of a full packet to the last of its answer, on idle links.
    pub round_trip: Span,
    /// Number of links on the way of data.
    pub hops: u32,
    /// True if the network may mark packets: without, their ECN field is cleared.
    pub ecn: bool,
}

impl Opening {
    /// Stream of random numbers used nowhere else in the world: a call returns the same one again.
    pub fn stream(&self) -> Stream {
        let side = if self.is_source { "source" } else { "sink" };
        let streams = Streams {
            seed: self.seed,
            replication: 0,
        };
        streams.stream("end", side)
    }
}

/// An end, or the reason why there is none.
pub type Made = Result<Box<dyn End>, String>;

type Make = dyn Fn(Opening) -> Made + Send + Sync;

/// A user's transport: its name, and the constructor of its two ends.
#[derive(Clone)]
pub struct OwnTransport {
    name: Arc<str>,
    make: Arc<Make>,
    numbers: &'static [&'static str],
    is_pulled: bool,
    turns: Option<TurnRule>,
    is_watched: bool,
    detail: Arc<str>,
}

/// The rule by which the receiving ends of a host take turns to send, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnRule {
    /// NDP's pulls: a turn in the time of a full packet on the host's line, and a little more.
    Paper,
    /// The same with a fault of htsim, by which two turns may come at once.
    Htsim,
}

impl OwnTransport {
    /// A transport of this name, whose ends are constructed for each connection.
    pub fn new<S: End + 'static, T: End + 'static>(
        name: impl Into<Arc<str>>,
        source: impl Fn(Opening) -> S + Send + Sync + 'static,
        sink: impl Fn(Opening) -> T + Send + Sync + 'static,
    ) -> OwnTransport {
        OwnTransport::fallible(name, move |opening| {
            Ok(match opening.is_source {
                true => Box::new(source(opening)),
                false => Box::new(sink(opening)),
            })
        })
    }

    /// A transport whose constructor makes the end of either side and may refuse. It must do the
    /// same for equal openings: those of each flow's first connection are tried before the run, and
    /// made twice for it ([`End::repeats`]).
    pub fn fallible(
        name: impl Into<Arc<str>>,
        make: impl Fn(Opening) -> Made + Send + Sync + 'static,
    ) -> OwnTransport {
        OwnTransport {
            name: name.into(),
            make: Arc::new(make),
            numbers: &[],
            is_pulled: false,
            turns: None,
            is_watched: true,
            detail: Arc::from(""),
        }
    }

    /// The same transport with its settings in words, by which models tell it from others.
    pub fn described(self, detail: impl Into<Arc<str>>) -> OwnTransport {
        OwnTransport {
            detail: detail.into(),
            ..self
        }
    }

    /// The same transport, whose sending ends are asked for a packet only when the port of their host
    /// would transmit it at once, as by a card that serves its connections in turn. An end must not
    /// ask to be woken for a packet that is due: it is asked when the port is ready.
    pub fn pulled(self) -> OwnTransport {
        OwnTransport {
            is_pulled: true,
            ..self
        }
    }

    /// The same transport, whose ends are known to answer the same calls alike: no second end is built
    /// beside one to see this ([`End::repeats`]).
    pub fn trusted(self) -> OwnTransport {
        OwnTransport {
            is_watched: false,
            ..self
        }
    }

    /// True unless its ends are trusted.
    pub fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// The same transport, whose receiving ends take turns with all others of their host
    /// ([`End::wish`]).
    pub fn taking_turns(self, rule: TurnRule) -> OwnTransport {
        OwnTransport {
            turns: Some(rule),
            ..self
        }
    }

    /// The rule by which its receiving ends take turns, if they do.
    pub fn turns(&self) -> Option<TurnRule> {
        self.turns
    }

    /// True if the port of its host asks for its packets.
    pub fn is_pulled(&self) -> bool {
        self.is_pulled
    }

    /// The same transport, whose sending ends yield numbers of these names ([`End::numbers`]).
    pub fn with_numbers(self, numbers: &'static [&'static str]) -> OwnTransport {
        OwnTransport { numbers, ..self }
    }

    /// Name of the transport.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the numbers of its sending ends.
    pub fn numbers(&self) -> &'static [&'static str] {
        self.numbers
    }

    /// Builds an end of a connection.
    pub fn end(&self, opening: Opening) -> Made {
        (self.make)(opening)
    }
}

/// Transports are equal only if they are copies of the same one.
impl PartialEq for OwnTransport {
    fn eq(&self, other: &OwnTransport) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for OwnTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.detail)
    }
}
