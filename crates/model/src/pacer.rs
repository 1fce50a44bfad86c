//! Pacers of a model, and their construction for a port.
//!
//! A custom pacer is added with [`OwnPacer::new`].

use std::fmt;
use std::sync::Arc;

use pacesim_pacers::{self as pacers, AnyPacer, BuiltIn, ConfigProblem, InvalidConfig, Pacer};

pub use crate::port::Port;

/// A user's pacer: its name, and its constructor for a port.
#[derive(Clone)]
pub struct OwnPacer {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn Pacer> + Send + Sync>,
}

impl OwnPacer {
    /// A pacer of this name, constructed for each port and replication.
    pub fn new<P: Pacer + 'static>(
        name: impl Into<String>,
        make: impl Fn(Port) -> P + Send + Sync + 'static,
    ) -> OwnPacer {
        OwnPacer {
            name: name.into(),
            make: Arc::new(move |port| Box::new(make(port))),
        }
    }
}

impl fmt::Debug for OwnPacer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl From<OwnPacer> for PortPacer {
    fn from(pacer: OwnPacer) -> PortPacer {
        PortPacer::Own(pacer)
    }
}

/// The pacer of a port from the list of those built in.
macro_rules! port_pacer {
    ($( $(#[$about:meta])+ $pacer:ident, )+) => {
        /// The pacer of a port's packets before they join its queue.
        #[derive(Clone, Debug)]
        pub enum PortPacer {
            $( $(#[$about])+ $pacer(<pacers::$pacer as BuiltIn>::Config), )+
            /// A user's own pacer.
            Own(OwnPacer),
        }

        impl PortPacer {
            /// Name of the pacer in scenarios and results.
            pub fn name(&self) -> &str {
                match self {
                    $( PortPacer::$pacer(_) => <pacers::$pacer>::NAME, )+
                    PortPacer::Own(own) => &own.name,
                }
            }

            /// Lists all problems of the pacer's parameters.
            pub fn validate(&self) -> Vec<ConfigProblem> {
                match self {
                    $( PortPacer::$pacer(config) => config.validate(), )+
                    PortPacer::Own(_) => Vec::new(),
                }
            }

            /// Builds the pacer for this port.
            pub fn build(&self, port: Port) -> Result<AnyPacer, InvalidConfig> {
                Ok(match self {
                    $( PortPacer::$pacer(config) => <pacers::$pacer>::of(config, port.stream)?.into(), )+
                    PortPacer::Own(own) => (own.make)(port).into(),
                })
            }
        }
    };
}

pacers::built_in!(port_pacer);
