//! Choices of a program's own among paths of equal cost, packet by packet.
//!
//! Set [`Model::path_choice`](crate::Model::path_choice), and
//! [`PathRule::Own`](crate::PathRule::Own) as the path of the flows that it serves.

use std::fmt;
use std::sync::Arc;

use pacesim_core::random::Stream;
use pacesim_units::{LinkId, Time};

/// The paths of one direction of a flow when a packet is sent.
pub struct Ways<'w> {
    /// All paths of equal cost, in the order of their links; at least one.
    pub paths: &'w [Vec<LinkId>],
    /// The connection within the flow: 0, or one more than the number of its transfer.
    pub connection: u32,
    waiting: &'w dyn Fn(LinkId) -> u64,
}

impl<'w> Ways<'w> {
    /// These paths, with the bytes that wait at each link.
    pub fn new(
        paths: &'w [Vec<LinkId>],
        connection: u32,
        waiting: &'w dyn Fn(LinkId) -> u64,
    ) -> Ways<'w> {
        Ways {
            paths,
            connection,
            waiting,
        }
    }

    /// The bytes that wait now at a link's port, without the packet in transmission.
    pub fn waiting_bytes(&self, link: LinkId) -> u64 {
        (self.waiting)(link)
    }

    /// The bytes that wait now at the ports of a path.
    pub fn waiting_on(&self, path: usize) -> u64 {
        let links = self.paths[path].iter();
        links.map(|link| self.waiting_bytes(*link)).sum()
    }
}

/// Chooses a path for each packet of one direction of a flow, at the time at which its host sends it.
/// Packets keep their path.
pub trait PathChoice: Send {
    /// The place of the path among those of `ways`.
    fn pick(&mut self, now: Time, ways: &Ways<'_>) -> usize;
}

type Make = dyn Fn(Stream) -> Box<dyn PathChoice> + Send + Sync;

/// A user's choice of paths: its name, and its constructor.
#[derive(Clone)]
pub struct OwnPathChoice {
    name: Arc<str>,
    make: Arc<Make>,
}

impl OwnPathChoice {
    /// A choice of this name, constructed for each direction of each flow in each replication, with a
    /// random stream of its own.
    pub fn new<C: PathChoice + 'static>(
        name: impl Into<Arc<str>>,
        make: impl Fn(Stream) -> C + Send + Sync + 'static,
    ) -> OwnPathChoice {
        OwnPathChoice {
            name: name.into(),
            make: Arc::new(move |stream| Box::new(make(stream))),
        }
    }

    /// Name of the choice.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Builds the choice of one direction of a flow.
    pub fn build(&self, stream: Stream) -> Box<dyn PathChoice> {
        (self.make)(stream)
    }
}

impl fmt::Debug for OwnPathChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
