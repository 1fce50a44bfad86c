//! Counters of classes that a queue discipline keeps apart.

use pacesim_core::net::{DropCause, Ecn, Packet};
use pacesim_measure::Quantiles;
use pacesim_units::{LinkId, Span};

use crate::model::{Model, PortQueue};

/// The counters of one class at one link since the warm-up.
#[derive(Debug, Default)]
pub(super) struct ClassTally {
    /// The waiting packets, including those from before the warm-up.
    pub(super) waiting: u64,
    /// The packets refused for lack of room, and those refused in spite of room.
    pub(super) full: u64,
    pub(super) early: u64,
    /// The accepted packets dropped later: pushed out for lack of room, and dropped in spite of
    /// room.
    pub(super) pushed_out: u64,
    pub(super) departure: u64,
    /// Packets that the discipline marked.
    pub(super) marked: u64,
    /// Sojourn times of packets sent, in picoseconds.
    pub(super) sojourns: Quantiles,
    /// Sum of these sojourn times, in picoseconds.
    pub(super) held_ps: u128,
}

/// The class of packets of a flow, by their ECN field.
type Row = [u8; 4];

/// The counters of all classes of one discipline.
#[derive(Debug)]
struct OfLink {
    /// The classes of packets of flows of class 0, and of those above.
    lowest: Row,
    others: Box<[Row]>,
    classes: [ClassTally; 4],
}

impl OfLink {
    /// The classes of a discipline that keeps classes apart, for classes of flows up to `most`.
    fn new(queue: &PortQueue, most: u16) -> Option<OfLink> {
        let of_packet = |class, bits| {
            queue
                .class_of(class, Ecn::from_bits(bits))
                .map(|n| n.min(3) as u8)
        };
        let of_flow = |class| {
            let [not, one, zero, both] = [0, 1, 2, 3].map(|bits| of_packet(class, bits));
            Some([not?, one?, zero?, both?])
        };
        Some(OfLink {
            lowest: of_flow(0)?,
            others: (1..=most).map(of_flow).collect::<Option<_>>()?,
            classes: Default::default(),
        })
    }
}

/// All links whose disciplines keep classes apart.
#[derive(Debug, Default)]
pub(super) struct ClassTallies {
    /// Counters of each link; empty without such links.
    links: Vec<Option<Box<OfLink>>>,
    /// The class of each flow; empty if all are in class 0.
    flows: Box<[u16]>,
}

impl ClassTally {
    /// The packets that the discipline dropped.
    pub(super) fn dropped(&self) -> u64 {
        self.full + self.early + self.pushed_out + self.departure
    }
}

impl ClassTallies {
    pub(super) fn new(model: &Model) -> ClassTallies {
        let flows: Box<[u16]> = model.flows.iter().map(|flow| flow.class).collect();
        let most = flows.iter().copied().max().unwrap_or(0);
        let stages = model.stages();
        let of = |link| OfLink::new(&stages.queue(link)?, most).map(Box::new);
        let links = (0..model.links.len()).map(LinkId::from_index);
        let links: Vec<_> = links.map(of).collect();
        match (links.iter().any(Option::is_some), most) {
            (false, _) => ClassTallies::default(),
            (true, 0) => ClassTallies {
                links,
                flows: Box::default(),
            },
            (true, _) => ClassTallies { links, flows },
        }
    }

    /// The counters of a link's classes.
    pub(super) fn of(&self, link: LinkId) -> Option<&[ClassTally; 4]> {
        let of_link = self.links.get(link.index())?.as_ref()?;
        Some(&of_link.classes)
    }

    pub(super) fn restart(&mut self) {
        for of_link in self.links.iter_mut().flatten() {
            for class in &mut of_link.classes {
                *class = ClassTally {
                    waiting: class.waiting,
                    ..ClassTally::default()
                };
            }
        }
    }

    /// The class of a packet at a link.
    #[inline]
    fn class_mut(&mut self, link: LinkId, packet: &Packet) -> Option<&mut ClassTally> {
        let of_link = self.links.get_mut(link.index())?.as_mut()?;
        let row = match self.flows.get(packet.flow.index()) {
            None | Some(0) => &of_link.lowest,
            Some(&class) => of_link.others.get(usize::from(class) - 1)?,
        };
        // There are four, numbered from 0.
        let class = usize::from(row[packet.ecn() as usize] & 3);
        Some(&mut of_link.classes[class])
    }

    #[inline]
    pub(super) fn note_taken(&mut self, link: LinkId, packet: &Packet) {
        if let Some(class) = self.class_mut(link, packet) {
            class.waiting += 1;
        }
    }

    /// Counts a released packet in its class; true if it has one.
    #[inline]
    pub(super) fn note_release(&mut self, link: LinkId, packet: &Packet, held: Span) -> bool {
        let Some(class) = self.class_mut(link, packet) else {
            return false;
        };
        class.waiting -= 1;
        class.sojourns.add(held.as_ps());
        class.held_ps += u128::from(held.as_ps());
        true
    }

    #[inline]
    pub(super) fn note_mark(&mut self, link: LinkId, packet: &Packet) {
        if let Some(class) = self.class_mut(link, packet) {
            class.marked += 1;
        }
    }

    #[inline]
    pub(super) fn note_drop(&mut self, link: LinkId, packet: &Packet, cause: DropCause) {
        let Some(class) = self.class_mut(link, packet) else {
            return;
        };
        match cause {
            DropCause::Full { .. } => class.full += 1,
            DropCause::Early { .. } => class.early += 1,
            DropCause::PushedOut { .. } => {
                class.pushed_out += 1;
                class.waiting -= 1;
            }
            DropCause::Departure { .. } => {
                class.departure += 1;
                class.waiting -= 1;
            }
            DropCause::Wire | DropCause::Gate | DropCause::Script => (),
        }
    }
}
