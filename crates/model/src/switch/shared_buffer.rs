//! A memory that the ports of a switch share, with thresholds of their queues (Choudhury and Hahne, 1998).

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_core::net::{Mark, MemoryCounters, Moment, Offered, Packet, Reason, Switch};
use pacesim_core::random::{Stream, unit_below_one};
use pacesim_units::{Bytes, LinkId, Rate, Time};

use super::{OwnSwitch, Ports};

/// The memory of a switch, and its rules. A queue is that of a port, or of a class at a port.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedBuffer {
    /// Size of the memory, reserves included.
    pub memory: Bytes,
    /// Memory that each queue has for itself.
    pub reserve: Bytes,
    /// Size of the pieces in which the memory is given out: a packet takes whole ones.
    pub cell: Bytes,
    /// Limits of queues beyond their reserve.
    pub thresholds: Thresholds,
    /// With limits by class, the part of the memory of each class; if it is empty, all share one.
    pub class_memory: Vec<Bytes>,
    /// Length that a queue is compared by.
    pub rule: Rule,
    /// Time at which a packet's memory is free again.
    pub frees: Frees,
    /// Marks of packets that may be marked.
    pub marking: Option<Marking>,
}

/// The limit of each queue on the memory beyond its reserve.
#[derive(Clone, Debug, PartialEq)]
pub enum Thresholds {
    /// No limit but the memory.
    None,
    /// The same number of bytes, whatever is free.
    Static(Bytes),
    /// A multiple of the free memory.
    Dynamic(Alpha),
    /// A multiple of the free memory for each class, which has queues of its own; the last also for
    /// higher classes.
    ByClass(Vec<Alpha>),
}

/// A multiple of the free memory, exact to 2^-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alpha(u64);

impl Alpha {
    const UNIT: f64 = 4_294_967_296.0;
    /// The largest alpha.
    pub const MOST: f64 = 1024.0;

    /// Alpha from a number above 0, of at most [`Alpha::MOST`].
    pub fn new(alpha: f64) -> Option<Alpha> {
        let units = (alpha * Alpha::UNIT + 0.5) as u64;
        (alpha <= Alpha::MOST && units > 0).then_some(Alpha(units))
    }

    /// Alpha in units of 2^-32.
    pub fn units(self) -> u64 {
        self.0
    }
}

/// The length of a queue that is compared with its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The queue with the packet may be as long as the threshold.
    After,
    /// The queue without the packet must be shorter than the threshold.
    Before,
}

/// The time at which a packet's memory is free again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frees {
    /// The start of its transmission.
    Start,
    /// The end of its transmission.
    End,
}

/// Marks by the bytes that wait at the port beside a packet: none up to `min`, all beyond `max`,
/// between these with a probability that grows to `probability`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marking {
    /// The most bytes at which none is marked.
    pub min: Bytes,
    /// The most bytes at which not all are marked.
    pub max: Bytes,
    /// The probability of a mark at `max`.
    pub probability: f64,
    /// The moment at which the bytes are counted.
    pub at: Moment,
    /// The rate of ports with this `min` and `max`, which others have in proportion to theirs; without
    /// one all have the same.
    pub per_rate: Option<Rate>,
}

impl Marking {
    /// The marks of a port of this rate.
    fn at_rate(&self, rate: Rate) -> [u64; 2] {
        let of = self.per_rate.unwrap_or(rate).as_bps();
        [self.min, self.max].map(|bytes| {
            let scaled = u128::from(bytes.get()) * u128::from(rate.as_bps()) / u128::from(of);
            u64::try_from(scaled).unwrap_or(u64::MAX)
        })
    }

    /// The limits of each port.
    pub(super) fn of_ports(&self, ports: &Ports) -> BTreeMap<LinkId, [u64; 2]> {
        let ports = ports.outputs.iter().zip(&ports.rates);
        ports
            .map(|(link, rate)| (*link, self.at_rate(*rate)))
            .collect()
    }

    /// The reason to mark a packet beside which so many bytes wait, if there is one.
    pub(super) fn of(&self, bytes: u64, [min, max]: [u64; 2], stream: &mut Stream) -> Option<Mark> {
        if bytes <= min {
            None
        } else if bytes > max {
            Some(if min == max {
                Mark::Threshold
            } else {
                Mark::Forced
            })
        } else {
            let share = (bytes - min) as f64 / (max - min) as f64;
            let drawn = unit_below_one(stream);
            (drawn < self.probability * share).then_some(Mark::Probability)
        }
    }
}

impl SharedBuffer {
    /// The part that models place at a node; `classes` has the class of each flow, or is empty if
    /// all are in class 0.
    pub fn part(self, classes: Arc<[u16]>) -> OwnSwitch {
        let config = Arc::new(self);
        OwnSwitch::knowing_ports("shared_buffer", move |site, ports| {
            Memory::new(config.clone(), classes.clone(), ports, site.stream)
        })
    }

    /// The number of queues of each port.
    pub fn queues_of_port(&self) -> usize {
        match &self.thresholds {
            Thresholds::ByClass(alphas) => alphas.len(),
            _ => 1,
        }
    }

    /// The memory that `ports` share beyond the reserves of their queues, one number for all classes or
    /// one for each; none if the reserves take one wholly.
    pub fn pools(&self, ports: usize) -> Option<Vec<u64>> {
        let whole = [self.memory];
        let (parts, queues) = match self.class_memory.is_empty() {
            true => (&whole[..], ports * self.queues_of_port()),
            false => (&self.class_memory[..], ports),
        };
        let reserved = self.cells(self.reserve.get()).checked_mul(queues as u64)?;
        let beyond = |part: &Bytes| part.get().checked_sub(reserved).filter(|pool| *pool > 0);
        parts.iter().map(beyond).collect()
    }

    /// The memory that so many bytes take.
    fn cells(&self, bytes: u64) -> u64 {
        let cells = bytes.checked_next_multiple_of(self.cell.get());
        cells.unwrap_or(u64::MAX)
    }
}

/// A shared memory in a run.
struct Memory {
    config: Arc<SharedBuffer>,
    classes: Arc<[u16]>,
    stream: Stream,
    /// The place of each port's first queue.
    ports: BTreeMap<LinkId, usize>,
    /// The bytes between which each port marks.
    marks: BTreeMap<LinkId, [u64; 2]>,
    /// The memory in use by each queue.
    queues: Vec<u64>,
    reserve: u64,
    /// The memory beyond reserves: one for all classes, or one for each.
    pools: Vec<Pool>,
    used: u64,
    most_used: u64,
    /// The integral of used bytes up to `counted`.
    used_byte_ps: u128,
    counted: Time,
}

/// Memory that queues share.
struct Pool {
    size: u64,
    used: u64,
}

impl Memory {
    fn new(
        config: Arc<SharedBuffer>,
        classes: Arc<[u16]>,
        ports: &Ports,
        stream: Stream,
    ) -> Memory {
        let each = config.queues_of_port();
        let marks = config.marking.map(|marking| marking.of_ports(ports));
        let ports = &ports.outputs;
        let pools = config.pools(ports.len());
        let pools = pools.expect("checked: the reserves leave memory to share");
        Memory {
            marks: marks.unwrap_or_default(),
            ports: ports.iter().copied().zip((0..).step_by(each)).collect(),
            queues: vec![0; ports.len() * each],
            reserve: config.cells(config.reserve.get()),
            pools: pools
                .into_iter()
                .map(|size| Pool { size, used: 0 })
                .collect(),
            used: 0,
            most_used: 0,
            used_byte_ps: 0,
            counted: Time::ZERO,
            config,
            classes,
            stream,
        }
    }

    /// The place of a packet's queue, and its class there.
    fn queue_of(&self, offered: &Offered<'_>) -> (usize, usize) {
        let flow = offered.packet.flow.index();
        let class = self.classes.get(flow).copied().unwrap_or(0);
        let class = usize::from(class).min(self.config.queues_of_port() - 1);
        (self.ports[&offered.to] + class, class)
    }

    /// The place of the memory that queues of this class share.
    fn pool_of(&self, class: usize) -> usize {
        class.min(self.pools.len() - 1)
    }

    /// The part of a queue's memory beyond its reserve.
    fn beyond_reserve(&self, bytes: u64) -> u64 {
        bytes.saturating_sub(self.reserve)
    }

    /// True if a queue that has so many bytes beyond its reserve before and after a packet may take it.
    fn is_within(&self, class: usize, before: u64, after: u64) -> bool {
        let length = match self.config.rule {
            Rule::After => after,
            Rule::Before => before,
        };
        let alpha = match &self.config.thresholds {
            Thresholds::None => return true,
            Thresholds::Static(limit) => {
                return self.compares(u128::from(length), u128::from(limit.get()));
            }
            Thresholds::Dynamic(alpha) => alpha,
            Thresholds::ByClass(alphas) => &alphas[class],
        };
        let pool = &self.pools[self.pool_of(class)];
        let free = pool.size - pool.used;
        self.compares(
            u128::from(length) << 32,
            u128::from(alpha.0) * u128::from(free),
        )
    }

    fn compares(&self, length: u128, threshold: u128) -> bool {
        match self.config.rule {
            Rule::After => length <= threshold,
            Rule::Before => length < threshold,
        }
    }

    fn count(&mut self, now: Time) {
        let ps = (now - self.counted).as_ps();
        self.used_byte_ps += u128::from(ps) * u128::from(self.used);
        self.counted = now;
    }

    fn free(&mut self, now: Time, offered: &Offered<'_>) {
        self.count(now);
        let (queue, class) = self.queue_of(offered);
        let size = self.size(offered.packet);
        let before = self.queues[queue];
        self.queues[queue] = before - size;
        let freed = self.beyond_reserve(before) - self.beyond_reserve(before - size);
        let pool = self.pool_of(class);
        self.pools[pool].used -= freed;
        self.used -= size;
    }

    fn size(&self, packet: &Packet) -> u64 {
        self.config.cells(u64::from(packet.size))
    }
}

impl Switch for Memory {
    /// A packet is refused as early if its queue has reached its threshold, and as one too many if
    /// the memory is full.
    fn admit(&mut self, now: Time, offered: &Offered<'_>) -> Result<(), Reason> {
        let (queue, class) = self.queue_of(offered);
        let size = self.size(offered.packet);
        let [before, after] = [self.queues[queue], self.queues[queue] + size];
        let [own, with_it] = [before, after].map(|bytes| self.beyond_reserve(bytes));
        let at = self.pool_of(class);
        if with_it > 0 {
            let pool = &self.pools[at];
            if pool.used + (with_it - own) > pool.size {
                return Err(Reason::Full);
            }
            if !self.is_within(class, own, with_it) {
                return Err(Reason::Early);
            }
        }
        self.count(now);
        self.queues[queue] = after;
        self.pools[at].used += with_it - own;
        self.used += size;
        self.most_used = self.most_used.max(self.used);
        Ok(())
    }

    fn starts(&mut self, now: Time, offered: &Offered<'_>) {
        if self.config.frees == Frees::Start {
            self.free(now, offered);
        }
    }

    fn left(&mut self, now: Time, offered: &Offered<'_>) {
        if self.config.frees == Frees::End {
            self.free(now, offered);
        }
    }

    fn dropped(&mut self, now: Time, offered: &Offered<'_>) {
        self.free(now, offered);
    }

    fn mark(&mut self, _now: Time, offered: &Offered<'_>, at: Moment) -> Option<Mark> {
        let marking = self.config.marking.filter(|marking| marking.at == at)?;
        let between = self.marks[&offered.to];
        marking.of(offered.queued.bytes, between, &mut self.stream)
    }

    fn memory(&self, now: Time) -> Option<MemoryCounters> {
        let ps = (now - self.counted).as_ps();
        Some(MemoryCounters {
            size: self.config.memory.get(),
            used: self.used,
            most_used: self.most_used,
            used_byte_ps: self.used_byte_ps + u128::from(ps) * u128::from(self.used),
        })
    }

    fn restart_maxima(&mut self) {
        self.most_used = self.used;
    }
}

#[cfg(test)]
mod tests {
    use pacesim_core::net::Volume;
    use pacesim_core::random::Streams;
    use pacesim_units::FlowId;

    use super::*;

    const CELL: u32 = 254;

    /// The memory of a switch of 32 ports with reserves of 74 cells and 240086 cells beside these.
    fn tomahawk() -> Memory {
        let cells = |cells: u64| Bytes(cells * u64::from(CELL));
        let config = SharedBuffer {
            memory: cells(240_086 + 32 * 74),
            reserve: cells(74),
            cell: Bytes(CELL.into()),
            thresholds: Thresholds::Dynamic(Alpha::new(1.0).expect("not zero")),
            class_memory: Vec::new(),
            rule: Rule::Before,
            frees: Frees::Start,
            marking: None,
        };
        let ports = Ports {
            outputs: (0..32).map(LinkId).collect(),
            rates: vec![Rate::from_mbps(800_000); 32],
            inputs: Vec::new(),
        };
        Memory::new(Arc::new(config), Arc::from([]), &ports, stream())
    }

    /// The packets that a queue takes until it refuses one.
    fn filled(memory: &mut Memory, port: u32) -> (u64, Reason) {
        let packet = Packet {
            size: 64,
            ..Packet::default()
        };
        let offered = Offered {
            from: None,
            to: LinkId(port),
            packet: &packet,
            queued: Volume::default(),
        };
        for taken in 0.. {
            if let Err(reason) = memory.admit(Time::ZERO, &offered) {
                return (taken, reason);
            }
        }
        unreachable!("a memory has an end");
    }

    /// The numbers of cells that the test suite of SONiC expects of a Tomahawk 5 with alpha 1.
    #[test]
    fn queues_filled_one_after_the_other_are_as_long_as_on_a_chip() {
        let mut memory = tomahawk();
        let expected = [
            120_117, 60_096, 30_085, 15_079, 7_577, 3_825, 1_950, 1_012, 543, 308, 191, 133, 103,
            89, 81, 78, 76, 75, 74,
        ];
        let ports = 0..19;
        let found: Vec<u64> = ports.map(|port| filled(&mut memory, port).0).collect();
        assert_eq!(found, expected);
        assert_eq!(filled(&mut memory, 19), (74, Reason::Full), "its reserve");
        let used = memory.memory(Time::from_ps(10)).expect("a memory");
        assert_eq!(used.used_byte_ps, u128::from(used.used) * 10);
        assert_eq!((used.most_used, used.used), (memory.used, memory.used));
    }

    /// Two classes with memories of their own are two memories.
    #[test]
    fn memories_of_classes_are_as_good_as_switches_of_their_own() {
        let alphas = [4.0, 0.5].map(|alpha| Alpha::new(alpha).expect("not zero"));
        let sizes = [9_000, 30_000].map(Bytes);
        let of = |memory, alphas: &[Alpha], parts: &[Bytes]| {
            let config = SharedBuffer {
                memory,
                reserve: Bytes(500),
                cell: Bytes(100),
                thresholds: Thresholds::ByClass(alphas.to_vec()),
                class_memory: parts.to_vec(),
                rule: Rule::After,
                frees: Frees::End,
                marking: None,
            };
            let ports = Ports {
                outputs: (0..3).map(LinkId).collect(),
                rates: vec![Rate::from_mbps(800_000); 3],
                inputs: Vec::new(),
            };
            Memory::new(Arc::new(config), Arc::from([0, 1]), &ports, stream())
        };
        let mut both = of(Bytes(40_000), &alphas, &sizes);
        let mut alone = [0, 1].map(|class| of(sizes[class], &alphas[class..=class], &[]));
        let mut draws = stream();
        let mut inside: Vec<(Packet, u32)> = Vec::new();
        let mut refused = [0, 0];
        for _ in 0..20_000 {
            let drawn = (unit_below_one(&mut draws) * 100.0) as usize;
            let leaves = drawn >= 60 && !inside.is_empty();
            let (packet, port) = if leaves {
                inside.swap_remove(drawn % inside.len())
            } else {
                let new = Packet {
                    size: 64 + 14 * drawn as u32,
                    flow: FlowId(u32::from(!drawn.is_multiple_of(3))),
                    ..Packet::default()
                };
                (new, drawn as u32 / 3 % 3)
            };
            let offered = Offered {
                from: None,
                to: LinkId(port),
                packet: &packet,
                queued: Volume::default(),
            };
            let class = packet.flow.index();
            if leaves {
                both.left(Time::ZERO, &offered);
                alone[class].left(Time::ZERO, &offered);
                continue;
            }
            let answer = both.admit(Time::ZERO, &offered);
            assert_eq!(answer, alone[class].admit(Time::ZERO, &offered));
            match answer {
                Ok(()) => inside.push((packet, port)),
                Err(_) => refused[class] += 1,
            }
        }
        assert!(refused[0] > 100 && refused[1] > 100, "{refused:?}");
    }

    fn stream() -> Stream {
        let streams = Streams {
            seed: 1,
            replication: 0,
        };
        streams.stream("switch", "switch")
    }

    #[test]
    fn alphas_are_above_zero() {
        assert_eq!(Alpha::new(0.0), None);
        assert_eq!(Alpha::new(-1.0), None);
        assert_eq!(Alpha::new(f64::NAN), None);
        assert_eq!(Alpha::new(2000.0), None);
        assert_eq!(Alpha::new(0.125), Some(Alpha(1 << 29)));
    }
}
