//! Users' own transports: their two ends in place of TCP's.

use std::fmt;
use std::sync::Arc;

use pacesim_transport::End;
use pacesim_units::{FlowId, Time};

/// The connection that an end is made for.
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
}

type Make = dyn Fn(Opening) -> Box<dyn End> + Send + Sync;

/// A user's transport: its name, and the constructors of its two ends.
#[derive(Clone)]
pub struct OwnTransport {
    name: Arc<str>,
    source: Arc<Make>,
    sink: Arc<Make>,
}

impl OwnTransport {
    /// A transport of this name, whose ends are constructed for each connection.
    pub fn new<S: End + 'static, T: End + 'static>(
        name: impl Into<Arc<str>>,
        source: impl Fn(Opening) -> S + Send + Sync + 'static,
        sink: impl Fn(Opening) -> T + Send + Sync + 'static,
    ) -> OwnTransport {
        OwnTransport {
            name: name.into(),
            source: Arc::new(move |opening| Box::new(source(opening))),
            sink: Arc::new(move |opening| Box::new(sink(opening))),
        }
    }

    /// Name of the transport.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Builds the sending end of a connection.
    pub fn source(&self, opening: Opening) -> Box<dyn End> {
        (self.source)(opening)
    }

    /// Builds the receiving end of a connection.
    pub fn sink(&self, opening: Opening) -> Box<dyn End> {
        (self.sink)(opening)
    }
}

/// Transports are equal only if they are copies of the same one.
impl PartialEq for OwnTransport {
    fn eq(&self, other: &OwnTransport) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
    }
}

impl fmt::Debug for OwnTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
