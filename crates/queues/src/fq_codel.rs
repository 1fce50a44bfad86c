//! FQ-CoDel: flows take turns by deficit round robin, new ones first, each under CoDel's control (RFC 8290).

use std::cmp::Reverse;
use std::collections::VecDeque;

use pacesim_units::{Capacity, FlowId, Time};

use crate::bypass::Bypass;
use crate::codel::{CodelConfig, Control, Head, Held, Law};
use crate::profile::Profile;
use crate::queue::{Line, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;
use crate::turns::Turns;

/// The parameters of FQ-CoDel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FqCodelConfig {
    /// CoDel's parameters, the same for each flow; the capacity is that of all flows together.
    pub codel: CodelConfig,
    /// The bytes that a flow may send at its turn.
    pub quantum: u32,
    /// The most packets that are pushed out at once when there is no room: of the flow that holds most,
    /// but no more than half of that.
    pub drop_batch: u32,
    /// Flows share this number of queues by a hash; else each has its own.
    pub buckets: Option<u32>,
    /// Mixed into the hash.
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

/// A queue for each flow.
#[derive(Clone, Debug)]
pub struct FqCodel {
    config: FqCodelConfig,
    law: Law,
    room: Room,
    flows: Vec<Flow>,
    /// The place among `flows` of each bucket, plus one.
    places: Vec<u32>,
    turns: Turns,
    bypass: Bypass,
    shedding: Option<Shedding>,
}

/// The queue of one flow, or of several that share a bucket.
#[derive(Clone, Debug)]
struct Flow {
    bucket: u32,
    is_listed: bool,
    deficit: i64,
    bytes: u64,
    control: Control,
    packets: VecDeque<Held>,
}

/// Packets are being pushed out of a flow's queue.
#[derive(Clone, Copy, Debug)]
struct Shedding {
    place: u32,
    /// The most packets that go, and the bytes after which no more do.
    packets: u32,
    bytes: u64,
}

impl FqCodel {
    /// An empty queue.
    pub fn new(config: &FqCodelConfig) -> FqCodel {
        FqCodel {
            config: *config,
            law: Law::new(&config.codel),
            room: Room::new(config.codel.capacity, config.codel.counts_sending),
            flows: Vec::new(),
            places: Vec::new(),
            turns: Turns::default(),
            bypass: Bypass::new(config.codel.profile),
            shedding: None,
        }
    }

    /// The number of flows with packets, or with a turn to come.
    pub fn active(&self) -> usize {
        self.turns.len()
    }

    /// The largest count of drops and marks in the dropping state among the flows that are in it.
    pub fn count(&self) -> u32 {
        let dropping = self.flows.iter().filter(|flow| flow.control.is_dropping());
        dropping.map(|flow| flow.control.count).max().unwrap_or(0)
    }

    fn bucket(&self, flow: FlowId) -> u32 {
        match self.config.buckets {
            None => flow.0,
            Some(buckets) => {
                let mixed = (u64::from(flow.0) ^ self.config.seed).wrapping_mul(MIX);
                let mixed = (mixed ^ mixed >> 32).wrapping_mul(MIX) >> 32;
                ((mixed * u64::from(buckets)) >> 32) as u32
            }
        }
    }

    /// The place of a packet's flow, which is made if there is none.
    #[inline]
    fn place(&mut self, flow: FlowId) -> u32 {
        let bucket = self.bucket(flow);
        match self.places.get(bucket as usize) {
            Some(&place) if place > 0 => place - 1,
            _ => self.make(bucket),
        }
    }

    #[cold]
    fn make(&mut self, bucket: u32) -> u32 {
        let index = bucket as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, 0);
        }
        self.flows.push(Flow {
            bucket,
            is_listed: false,
            deficit: 0,
            bytes: 0,
            control: Control::new(),
            packets: VecDeque::new(),
        });
        self.places[index] = self.flows.len() as u32;
        self.places[index] - 1
    }

    /// Chooses the flow that holds most bytes, the first bucket of equals, to push packets out of.
    #[cold]
    fn overflow(&mut self) {
        let fattest = self.flows.iter().enumerate();
        let fattest = fattest.max_by_key(|(_, flow)| (flow.bytes, Reverse(flow.bucket)));
        self.shedding = fattest.map(|(place, flow)| Shedding {
            place: place as u32,
            packets: self.config.drop_batch,
            bytes: flow.bytes >> 1,
        });
    }

    /// Pushes the next packet out.
    #[cold]
    fn shed(&mut self, mut shedding: Shedding) -> Option<Turn> {
        let flow = &mut self.flows[shedding.place as usize];
        let head = flow.packets.pop_front()?;
        let size = u64::from(head.size);
        flow.bytes -= size;
        self.room.drop(head.size);
        if self.law.profile() == Profile::Linux {
            flow.control.count += 1;
        }
        shedding.packets = shedding.packets.saturating_sub(1);
        shedding.bytes = shedding.bytes.saturating_sub(size);
        let is_done = shedding.packets == 0 || shedding.bytes == 0;
        self.shedding = (!is_done).then_some(shedding);
        if is_done && self.room.is_over() {
            self.overflow();
        }
        Some(Turn::Drop(head.key, Reason::Full))
    }

    /// Serves the flows in their turn, until one sends or drops a packet.
    #[inline]
    fn next(&mut self, now: Time) -> Option<Turn> {
        while let Some(place) = self.turns.next() {
            let flow = &mut self.flows[place as usize];
            if flow.deficit <= 0 {
                flow.deficit += i64::from(self.config.quantum);
                self.turns.pass();
                continue;
            }
            let Some(head) = flow.packets.pop_front() else {
                flow.control.note_empty();
                flow.is_listed = self.turns.retire(self.law.profile());
                continue;
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
            return Some(match flow.control.judge(&self.law, now, head) {
                Some(marked) => {
                    flow.deficit -= i64::from(size);
                    self.room.send(size);
                    Turn::Go { key, marked }
                }
                None => {
                    self.room.drop(size);
                    Turn::Drop(key, Reason::Early)
                }
            });
        }
        None
    }
}

/// A multiplier with well-mixed bits (the golden ratio's fraction).
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

impl FqCodel {
    /// The turn of a packet, which is pushed out or goes.
    #[inline]
    fn serve(&mut self, now: Time, line: Line) -> Turn {
        if let Some(shedding) = self.shedding.take()
            && let Some(turn) = self.shed(shedding)
        {
            return turn;
        }
        if line == Line::Busy {
            return Turn::Hold;
        }
        if let Some(turn) = self.bypass.turn(&mut self.room) {
            return turn;
        }
        match self.next(now) {
            Some(turn) => turn,
            None => {
                self.room.rest();
                Turn::Hold
            }
        }
    }
}

impl Queue for FqCodel {
    #[inline]
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        if self.room.is_too_large(packet.size) {
            return Err(Reason::Full);
        }
        let is_alone = self.room.packets() == 0;
        self.room.take(packet.size);
        if is_alone && self.bypass.takes(&packet) {
            return Ok(());
        }
        let place = self.place(packet.flow);
        let flow = &mut self.flows[place as usize];
        flow.packets.push_back(Held::new(now, &packet));
        flow.bytes += u64::from(packet.size);
        if !flow.is_listed {
            flow.is_listed = true;
            flow.deficit = i64::from(self.config.quantum);
            self.turns.add(place);
        }
        if self.room.is_over() {
            self.overflow();
        }
        Ok(())
    }

    #[inline]
    fn turn(&mut self, now: Time, line: Line) -> Turn {
        if line == Line::Busy && self.shedding.is_none() {
            return Turn::Hold;
        }
        self.serve(now, line)
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
