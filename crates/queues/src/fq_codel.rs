//! FQ-CoDel: flows, which are connections, take turns by deficit round robin, new flows first, each
//! under CoDel's control (RFC 8290).

mod flows;
mod list;

use pacesim_units::{Capacity, ConnectionId, FlowId, Time};

use crate::built_in::{BuiltIn, Site};
use crate::bypass::Bypass;
use crate::codel::{CodelConfig, Head, Law};
use crate::fate::Fate;
use crate::profile::Profile;
use crate::queue::{Line, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;
use flows::Flows;

/// Parameters of FQ-CoDel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FqCodelConfig {
    /// CoDel's parameters, the same for each flow; the capacity is shared by all flows.
    pub codel: CodelConfig,
    /// Number of bytes that a flow may send at its turn.
    pub quantum: u32,
    /// The most packets pushed out at once for lack of room: from the flow with the most bytes, but
    /// no more than half of its bytes.
    pub drop_batch: u32,
    /// The number of queues that flows share by a hash; otherwise each flow has its own.
    pub buckets: Option<u32>,
    /// Seed that is mixed into the hash.
    pub seed: u64,
}

impl Default for FqCodelConfig {
    fn default() -> FqCodelConfig {
        FqCodelConfig {
            codel: CodelConfig {
                capacity: Capacity::Packets(10_240),
                ecn: true,
                ..CodelConfig::default()
            },
            quantum: 1514,
            drop_batch: 64,
            buckets: None,
            seed: 0,
        }
    }
}

/// A discipline with a queue under CoDel for each flow.
#[derive(Clone, Debug)]
pub struct FqCodel {
    law: Law,
    room: Room,
    flows: Flows,
    /// The number of queues that flows share, and the seed of their hash.
    buckets: Option<u32>,
    seed: u64,
    bypass: Bypass,
    shedding: Option<Shedding>,
    drop_batch: u32,
}

/// State of pushing packets out of a flow's queue.
#[derive(Clone, Copy, Debug)]
struct Shedding {
    place: u32,
    /// The most packets to push out, and the bytes after which to stop.
    packets: u32,
    bytes: u64,
}

impl FqCodel {
    /// A queue without packets.
    pub fn new(config: &FqCodelConfig) -> FqCodel {
        FqCodel {
            law: Law::new(&config.codel),
            room: Room::new(config.codel.capacity, config.codel.counts_sending),
            flows: Flows::new(config.quantum, config.codel.profile),
            buckets: config.buckets,
            seed: config.seed,
            bypass: Bypass::new(config.codel.profile),
            shedding: None,
            drop_batch: config.drop_batch,
        }
    }

    /// The largest count of drops and marks among the flows in the dropping state.
    pub fn count(&self) -> u32 {
        let dropping = self.flows.controls().filter(|flow| flow.is_dropping());
        dropping.map(|flow| flow.count).max().unwrap_or(0)
    }

    /// The connection whose queue takes the packet: its own, or the one that stands for its bucket.
    #[inline]
    fn queue_of(&self, connection: ConnectionId) -> ConnectionId {
        let Some(buckets) = self.buckets else {
            return connection;
        };
        let mixed = (connection.word() ^ self.seed).wrapping_mul(MIX);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(MIX) >> 32;
        FlowId(((mixed * u64::from(buckets)) >> 32) as u32).into()
    }

    /// Selects the flow with the most bytes, to push packets out of it.
    #[cold]
    fn overflow(&mut self) {
        self.shedding = self.flows.fattest().map(|(place, bytes)| Shedding {
            place,
            packets: self.drop_batch,
            bytes: bytes >> 1,
        });
    }

    /// Pushes out the next packet, if necessary.
    #[cold]
    fn shed(&mut self) -> Option<Turn> {
        let mut shedding = self.shedding.take()?;
        let (control, head) = self.flows.push_out(shedding.place)?;
        if self.law.profile() == Profile::Linux {
            control.count += 1;
        }
        self.room.drop(head.size);
        shedding.packets = shedding.packets.saturating_sub(1);
        shedding.bytes = shedding.bytes.saturating_sub(head.size.into());
        let is_done = shedding.packets == 0 || shedding.bytes == 0;
        self.shedding = (!is_done).then_some(shedding);
        if is_done && self.room.is_over() {
            self.overflow();
        }
        Some(Turn::Drop(head.key, Reason::Full))
    }

    /// Serves the queue when the line is free.
    #[inline]
    fn serve(&mut self, now: Time) -> Turn {
        if let Some(turn) = self.bypass.turn(&mut self.room) {
            return turn;
        }
        let Some((flow, head)) = self.flows.next() else {
            self.room.rest();
            return Turn::Hold;
        };
        let (key, size) = (head.key, head.size);
        flow.bytes -= u64::from(size);
        let behind = match self.law.profile() {
            Profile::Rfc => flow.bytes,
            Profile::Linux => self.room.bytes() - u64::from(size),
        };
        let head = Head {
            came: head.came,
            ecn: head.ecn,
            behind,
        };
        match flow.control.judge(&self.law, now, head) {
            Fate::Drop => {
                self.room.drop(size);
                Turn::Drop(key, Reason::Early)
            }
            fate => {
                flow.deficit -= i64::from(size);
                self.room.send(size);
                let mark = fate.mark();
                Turn::Go { key, mark }
            }
        }
    }
}

/// A multiplier with well-mixed bits (the fraction of the golden ratio).
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

impl BuiltIn for FqCodel {
    type Config = FqCodelConfig;
    const NAME: &'static str = "fq_codel";

    fn at(site: Site, config: &Self::Config) -> FqCodel {
        let config = FqCodelConfig {
            codel: config.codel.before(&site),
            ..*config
        };
        FqCodel::new(&config)
    }

    fn marks(config: &Self::Config) -> bool {
        config.codel.marks()
    }
}

impl Queue for FqCodel {
    #[inline]
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        let fits = self.room.fits(packet.size);
        if !fits && self.room.is_too_large(packet.size) {
            return Err(Reason::Full);
        }
        let is_alone = self.room.packets() == 0;
        self.room.take(packet.size);
        if is_alone && self.bypass.takes(&packet) {
            return Ok(());
        }
        let queue = self.queue_of(packet.connection);
        self.flows.push(now, &self.law, queue, &packet);
        if !fits {
            self.overflow();
        }
        Ok(())
    }

    #[inline]
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        if self.shedding.is_some()
            && let Some(turn) = self.shed()
        {
            return turn;
        }
        line.if_free(|| self.serve(now))
    }

    fn state(&self) -> Option<State> {
        Some(State {
            name: "codel_count",
            value: f64::from(self.count()),
        })
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }
}
