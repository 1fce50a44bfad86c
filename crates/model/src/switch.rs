//! Switches of a model: parts that all ports of a node share.

mod lossless;
mod shared_buffer;

use std::fmt;
use std::sync::Arc;

use pacesim_core::net::Switch;
use pacesim_units::{LinkId, NodeId, Rate};

use crate::change::Extremes;
use crate::middlebox::Site;

pub use lossless::{Headroom, Lossless};
pub use shared_buffer::{Alpha, Frees, Marking, Rule, SharedBuffer, Thresholds};

/// A switch at a node.
#[derive(Clone, Debug)]
pub struct PlacedSwitch {
    /// Node of the switch: the ports of all links from there share it.
    pub node: NodeId,
    /// The switch itself.
    pub part: OwnSwitch,
}

/// The links of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// The links that leave its node, whose ports share it.
    pub outputs: Vec<LinkId>,
    /// The rates of their lines.
    pub rates: Vec<Rate>,
    /// The links that lead to its node.
    pub inputs: Vec<Input>,
}

/// A link that leads to a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The link.
    pub link: LinkId,
    /// The link back, if there is one.
    pub back: Option<LinkId>,
    /// Rate of its line at first.
    pub rate: Rate,
    /// Its rates and its delay in the whole run.
    pub there: Extremes,
    /// Those of the link back.
    pub over_back: Option<Extremes>,
}

type Make = dyn Fn(Site, &Ports) -> Box<dyn Switch + Send> + Send + Sync;

/// A user's switch: its name, and its constructor.
#[derive(Clone)]
pub struct OwnSwitch {
    name: Arc<str>,
    make: Arc<Make>,
    asks: bool,
}

impl OwnSwitch {
    /// A switch of this name, constructed for each replication from its site and its ports.
    pub fn new<S: Switch + Send + 'static>(
        name: impl Into<Arc<str>>,
        make: impl Fn(Site, &[LinkId]) -> S + Send + Sync + 'static,
    ) -> OwnSwitch {
        OwnSwitch::knowing_ports(name, move |site, ports| make(site, &ports.outputs))
    }

    /// The same for a switch that also knows the rates of its ports, and the links that lead to it.
    pub fn knowing_ports<S: Switch + Send + 'static>(
        name: impl Into<Arc<str>>,
        make: impl Fn(Site, &Ports) -> S + Send + Sync + 'static,
    ) -> OwnSwitch {
        OwnSwitch {
            name: name.into(),
            make: Arc::new(move |site, ports| Box::new(make(site, ports))),
            asks: false,
        }
    }

    /// The same switch, which may ask ports upstream to hold their packets.
    pub fn asking(self) -> OwnSwitch {
        OwnSwitch { asks: true, ..self }
    }

    /// True if the switch may send requests to ports upstream.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// Name of the switch.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Builds the switch for this site and these ports.
    pub fn build(&self, site: Site, ports: &Ports) -> Box<dyn Switch + Send> {
        (self.make)(site, ports)
    }
}

/// Switches are equal only if they are copies of the same one.
impl PartialEq for OwnSwitch {
    fn eq(&self, other: &OwnSwitch) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for OwnSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
