//! Features that few links have.

use std::ops::{Deref, DerefMut};

use pacesim_tape::Tape;
use pacesim_units::Capacity;

use crate::host::{HostArrivals, HostSends};
use crate::loss::{Loss, OwnLoss, ScriptedDrop};
use crate::middlebox::{Jitter, OwnMiddlebox};
use crate::pacer::PortPacer;
use crate::queue::PortQueue;

/// Features that few links have, beyond a line and a buffer.
#[derive(Clone, Debug, Default)]
pub struct LinkExtras {
    /// Packets that are dropped on arrival at the port, whatever the queue holds.
    pub drops: Vec<ScriptedDrop>,
    /// Random loss on the wire, behind the queue.
    pub loss: Option<Loss>,
    /// A user's own loss model, in its place.
    pub own_loss: Option<OwnLoss>,
    /// Pacer of packets before they join the queue.
    pub pacer: Option<PortPacer>,
    /// Queue discipline of the port; drop-tail by default.
    pub queue: Option<PortQueue>,
    /// Threshold at which a drop-tail queue marks ECN-capable packets.
    pub mark: Option<Capacity>,
    /// Opportunities to send, at which alone the line takes from its queue discipline.
    pub opportunities: Option<Tape<u64>>,
    /// Extra delay of each packet behind the wire.
    pub jitter: Option<Jitter>,
    /// Middleboxes behind the wire and its jitter, in the order of the packets.
    pub middleboxes: Vec<OwnMiddlebox>,
    /// The time that the host at its port takes for each packet; an ideal one takes none.
    pub host_sends: Option<HostSends>,
    /// The arrivals at the host behind the wire and all else; an ideal one gets each at once.
    pub host_arrivals: Option<HostArrivals>,
}

impl LinkExtras {
    const NONE: LinkExtras = LinkExtras {
        drops: Vec::new(),
        loss: None,
        own_loss: None,
        pacer: None,
        queue: None,
        mark: None,
        opportunities: None,
        jitter: None,
        middleboxes: Vec::new(),
        host_sends: None,
        host_arrivals: None,
    };

    /// True if the queue marks packets that may be marked.
    pub fn marks(&self) -> bool {
        self.mark.is_some() || self.queue.as_ref().is_some_and(PortQueue::marks)
    }

    /// True if the wire may lose packets from the start.
    pub fn may_lose(&self) -> bool {
        self.loss.is_some() || self.own_loss.is_some()
    }

    /// The number of middleboxes behind the wire: the jitter's, the others, and the host's.
    pub fn behind(&self) -> usize {
        let own = [self.jitter.is_some(), self.host_arrivals.is_some()];
        own.into_iter().map(usize::from).sum::<usize>() + self.middleboxes.len()
    }

    fn is_nothing(&self) -> bool {
        // By name, so that a new field is not forgotten.
        let LinkExtras {
            drops,
            loss: _,
            own_loss: _,
            pacer,
            queue,
            mark,
            opportunities,
            jitter: _,
            middleboxes: _,
            host_sends,
            host_arrivals: _,
        } = self;
        let at_port = pacer.is_none() && queue.is_none() && mark.is_none() && host_sends.is_none();
        let on_wire = drops.is_empty() && !self.may_lose() && self.behind() == 0;
        at_port && on_wire && opportunities.is_none()
    }
}

/// [`LinkExtras`] that take next to no memory while unused. They are read and written as if they
/// existed: `model.link_mut(id).extras.loss = Some(...)`.
#[derive(Clone, Debug, Default)]
pub struct Extras(Option<Box<LinkExtras>>);

static NONE: LinkExtras = LinkExtras::NONE;

impl From<LinkExtras> for Extras {
    fn from(extras: LinkExtras) -> Extras {
        Extras((!extras.is_nothing()).then(|| Box::new(extras)))
    }
}

impl Deref for Extras {
    type Target = LinkExtras;
    fn deref(&self) -> &LinkExtras {
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Extras {
    fn deref_mut(&mut self) -> &mut LinkExtras {
        self.0.get_or_insert_default()
    }
}
