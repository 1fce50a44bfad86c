//! Features of few links.

use std::ops::{Deref, DerefMut};

use pacesim_units::Capacity;

use crate::loss::{Loss, ScriptedDrop};
use crate::pacer::PortPacer;
use crate::queue::PortQueue;

/// Features of few links beyond a line and a buffer.
#[derive(Clone, Debug, Default)]
pub struct LinkExtras {
    /// Packets that are dropped on arrival at the port, whatever the queue holds.
    pub drops: Vec<ScriptedDrop>,
    /// Random loss on the wire, behind the queue.
    pub loss: Option<Loss>,
    /// Pacer of packets before they join the queue.
    pub pacer: Option<PortPacer>,
    /// Queue discipline; drop-tail by default.
    pub queue: Option<PortQueue>,
    /// Threshold at which a drop-tail queue marks ECN-capable packets.
    pub mark: Option<Capacity>,
}

impl LinkExtras {
    const NONE: LinkExtras = LinkExtras {
        drops: Vec::new(),
        loss: None,
        pacer: None,
        queue: None,
        mark: None,
    };

    /// True if the queue marks packets that may be marked.
    pub fn marks(&self) -> bool {
        self.mark.is_some() || self.queue.as_ref().is_some_and(PortQueue::marks)
    }

    fn is_nothing(&self) -> bool {
        // By name, so that a new field is not forgotten.
        let LinkExtras {
            drops,
            loss,
            pacer,
            queue,
            mark,
        } = self;
        drops.is_empty() && loss.is_none() && pacer.is_none() && queue.is_none() && mark.is_none()
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
