//! A memory whose switch pauses its inputs before it is full (PFC), so that nothing is dropped.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use pacesim_core::net::{
    Frame, Mark, MemoryCounters, Moment, Offered, Packet, Reason, Signal, Switch,
};
use pacesim_core::random::Stream;
use pacesim_datacentre::headroom;
use pacesim_datacentre::mmu::{Mmu, MmuConfig, Port};
use pacesim_units::{Bytes, LinkId, PS_PER_SECOND, Rate, Span, Time};

use super::shared_buffer::{Alpha, Marking};
use super::{Input, OwnSwitch, Ports};

/// The memory of a lossless switch, and its rules. Packets are counted at their inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Lossless {
    /// Size of the memory, reserves and headroom included.
    pub memory: Bytes,
    /// Memory that each input and class has for itself.
    pub reserve: Bytes,
    /// The threshold of an input, as a multiple of the free memory.
    pub alpha: Alpha,
    /// The rate of inputs that have this alpha: it doubles with each doubling of the rate. Without
    /// one all inputs have it.
    pub alpha_rate: Option<Rate>,
    /// Memory of each input and class for the packets that arrive after a pause.
    pub headroom: Headroom,
    /// Bytes below the threshold at which an input is resumed.
    pub resume_gap: Bytes,
    /// Size of a frame that pauses or resumes.
    pub frame: Bytes,
    /// Time that a node takes to obey a frame.
    pub response: Span,
    /// Time after which a pause that is not renewed ends, in quanta of 512 bit times; without it none
    /// ends by itself.
    pub quanta: Option<u16>,
    /// Number of classes that are paused apart; the last also has the flows of higher classes.
    pub classes: u16,
    /// Marks of packets that may be marked.
    pub marking: Option<Marking>,
}

/// The headroom of an input and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headroom {
    /// The same for each.
    Each(Bytes),
    /// All that it needs, with packets up to this size.
    Enough(Bytes),
}

impl Lossless {
    /// The part that models place at a node; `classes` has the class of each flow, or is empty if
    /// all are in class 0.
    pub fn part(self, classes: Arc<[u16]>) -> OwnSwitch {
        let config = Arc::new(self);
        let part = OwnSwitch::knowing_ports("lossless", move |site, ports| {
            Pausing::new(config.clone(), classes.clone(), ports, site.stream)
        });
        part.asking()
    }

    /// The headroom of an input and class.
    pub fn headroom_of(&self, input: &Input) -> Bytes {
        match self.headroom {
            Headroom::Each(bytes) => bytes,
            Headroom::Enough(packet) => self.needed(input, packet),
        }
    }

    /// The headroom of an input that never overflows, whatever the changes of its lines: the packet that
    /// crosses the threshold, which lies there wholly, and all that may arrive after the decision to
    /// pause.
    pub fn needed(&self, input: &Input, packet: Bytes) -> Bytes {
        let (there, back) = (input.there, input.over_back.unwrap_or(input.there));
        let [rate, back_rate] = [there.most_rate, back.least_rate].map(|rate| rate.as_bps());
        let sent_in = |ps: u64| {
            let bits = u128::from(rate) * u128::from(ps);
            bits.div_ceil(8 * u128::from(PS_PER_SECOND))
        };
        // The frame waits for a packet that the switch has just begun, and for one frame of each other
        // class.
        let frame = self.frame.max(headroom::PAUSE_FRAME).get();
        let frames = frame.saturating_mul(self.classes.into());
        let over_back = packet.get().saturating_add(frames);
        let before_it_left = (u128::from(over_back) * u128::from(rate)).div_ceil(back_rate.into());
        let wires = there
            .most_delay
            .as_ps()
            .saturating_add(back.most_delay.as_ps());
        let parts = [
            before_it_left,
            sent_in(wires),
            sent_in(self.response.as_ps()),
        ];
        let parts = parts.map(|part| u64::try_from(part).unwrap_or(u64::MAX));
        // The packet that crosses the threshold, and one just begun upstream.
        let packets = packet.get().saturating_mul(2);
        Bytes(parts.into_iter().fold(packets, u64::saturating_add))
    }

    /// The memory of a switch with these ports as a state machine; none if reserves and headroom
    /// leave nothing to share.
    pub fn mmu(&self, ports: &Ports) -> Option<Mmu> {
        let inputs = ports.inputs.iter().map(|input| Port {
            headroom: self.headroom_of(input),
            alpha: self.alpha_of(input),
        });
        Mmu::new(MmuConfig {
            memory: self.memory,
            reserve: self.reserve,
            resume_gap: self.resume_gap,
            ports: inputs.collect(),
            classes: usize::from(self.classes),
        })
    }

    fn alpha_of(&self, input: &Input) -> u64 {
        let mut alpha = self.alpha.units();
        let mut of = self.alpha_rate.unwrap_or(input.rate).as_bps();
        while of < input.rate.as_bps() {
            (alpha, of) = (alpha.saturating_mul(2), of.saturating_mul(2));
        }
        alpha
    }
}

/// A lossless memory in a run.
struct Pausing {
    config: Arc<Lossless>,
    classes: Arc<[u16]>,
    stream: Stream,
    mmu: Mmu,
    /// The place of each input's port in the memory, and the link back.
    inputs: BTreeMap<LinkId, (usize, Option<LinkId>)>,
    /// The place of the port of each output that has an input.
    outputs: BTreeMap<LinkId, usize>,
    /// The bytes between which each port marks.
    marks: BTreeMap<LinkId, [u64; 2]>,
    signals: VecDeque<Signal>,
    used: u64,
    most_used: u64,
    /// The integral of used bytes up to `counted`.
    used_byte_ps: u128,
    counted: Time,
}

impl Pausing {
    fn new(config: Arc<Lossless>, classes: Arc<[u16]>, ports: &Ports, stream: Stream) -> Pausing {
        let inputs = ports.inputs.iter().enumerate();
        let with_input = inputs
            .clone()
            .filter_map(|(i, input)| Some((input.back?, i)));
        let mmu = config.mmu(ports);
        let marks = config.marking.map(|marking| marking.of_ports(ports));
        Pausing {
            marks: marks.unwrap_or_default(),
            mmu: mmu.expect("checked: reserves and headroom leave memory to share"),
            outputs: with_input.collect(),
            inputs: inputs
                .map(|(i, input)| (input.link, (i, input.back)))
                .collect(),
            signals: VecDeque::new(),
            used: 0,
            most_used: 0,
            used_byte_ps: 0,
            counted: Time::ZERO,
            config,
            classes,
            stream,
        }
    }

    /// Input, output and class of a packet in the memory; none for a packet that starts here.
    fn places(&self, offered: &Offered<'_>) -> Option<(LinkId, [usize; 3])> {
        let from = offered.from?;
        let (input, _) = self.inputs[&from];
        let class = self.classes.get(offered.packet.flow.index());
        let class = class.copied().unwrap_or(0).min(self.config.classes - 1);
        // The memory only counts what waits for an output: those without an input are counted as one.
        let output = self.outputs.get(&offered.to).copied().unwrap_or(0);
        Some((from, [input, output, usize::from(class)]))
    }

    fn ask(&mut self, input: LinkId, class: usize, holds: bool) {
        let Some(over) = self.inputs[&input].1 else {
            return;
        };
        let size = self.config.frame.get() as u32;
        self.signals.push_back(Signal {
            input,
            class: (self.config.classes > 1).then_some(class as u16),
            holds,
            quanta: self.config.quanta,
            frame: Some(Frame { over, size }),
            after: self.config.response,
        });
    }

    fn count(&mut self, now: Time) {
        let ps = (now - self.counted).as_ps();
        self.used_byte_ps += u128::from(ps) * u128::from(self.used);
        self.counted = now;
    }

    fn free(&mut self, now: Time, offered: &Offered<'_>) {
        let Some((input, [from, to, class])) = self.places(offered) else {
            return;
        };
        self.count(now);
        let size = size(offered.packet);
        self.used -= size.get();
        if self.mmu.depart(from, to, class, size) {
            self.ask(input, class, false);
        }
    }
}

fn size(packet: &Packet) -> Bytes {
    Bytes(u64::from(packet.size))
}

impl Switch for Pausing {
    fn admit(&mut self, now: Time, offered: &Offered<'_>) -> Result<(), Reason> {
        let Some((input, [from, to, class])) = self.places(offered) else {
            return Ok(());
        };
        let size = size(offered.packet);
        let answer = self.mmu.arrive(from, to, class, size);
        let pauses = answer.map_err(|_| Reason::Full)?;
        self.count(now);
        self.used += size.get();
        self.most_used = self.most_used.max(self.used);
        if pauses {
            self.ask(input, class, true);
        }
        Ok(())
    }

    /// As in the source, memory is free at the start of a transmission.
    fn starts(&mut self, now: Time, offered: &Offered<'_>) {
        self.free(now, offered);
    }

    fn left(&mut self, _now: Time, _offered: &Offered<'_>) {}

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

    fn signal(&mut self) -> Option<Signal> {
        self.signals.pop_front()
    }
}
