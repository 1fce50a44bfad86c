//! Users' own applications: two sides that answer each other, over any transport.

use std::fmt;
use std::sync::Arc;

use pacesim_core::random::Stream;
use pacesim_units::FlowId;

pub use pacesim_transport::application::{Application, Message, News, Write};

/// One side of an application.
#[derive(Clone, Debug)]
pub struct Role {
    /// Name of the flow that carries its messages: "flow/group\[index\]".
    pub flow: String,
    /// True for the side at the node `from` of the group.
    pub is_client: bool,
    /// Stream of random numbers used nowhere else in the world.
    pub stream: Stream,
}

type Make = dyn Fn(Role) -> Box<dyn Application> + Send + Sync;

/// A user's application: its name, and the constructor of its two sides.
#[derive(Clone)]
pub struct OwnApplication {
    name: Arc<str>,
    make: Arc<Make>,
    numbers: &'static [&'static str],
}

impl OwnApplication {
    /// An application of this name, either side of which is constructed for each pair of flows, and
    /// yields numbers of these names.
    pub fn new(
        name: impl Into<Arc<str>>,
        numbers: &'static [&'static str],
        make: impl Fn(Role) -> Box<dyn Application> + Send + Sync + 'static,
    ) -> OwnApplication {
        OwnApplication {
            name: name.into(),
            make: Arc::new(make),
            numbers,
        }
    }

    /// Name of the application.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the numbers of its sides.
    pub fn numbers(&self) -> &'static [&'static str] {
        self.numbers
    }

    /// Builds one side.
    pub fn side(&self, role: Role) -> Box<dyn Application> {
        (self.make)(role)
    }
}

/// Applications are equal only if they are copies of the same one.
impl PartialEq for OwnApplication {
    fn eq(&self, other: &OwnApplication) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for OwnApplication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The messages of one side of an application, as the data of a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The application.
    pub application: OwnApplication,
    /// The flow that carries the messages of the other side, back from this one's `to`.
    pub other: FlowId,
    /// True for the side at the node `from` of the group.
    pub is_client: bool,
}
