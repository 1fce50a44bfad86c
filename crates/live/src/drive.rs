//! The loop that carries packets from doors through the world to doors, driven by the clock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike};
use pacesim::net::Ecn;
use pacesim::units::{FlowId, Span, Time};
use pacesim::{Exit, Exits, Fate, World};

use crate::clock::{Clock, now, spent};
use crate::coders::Coders;
use crate::door::Door;
use crate::error::LiveError;
use crate::header::{ETHERNET, Foreign, Header, mark};
use crate::namespace::host_of;
use crate::plan::{FIRST_PORT, Plan};
use crate::slab::{NONE, Slab};

/// A packet that entered the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Time at which it entered: the kernel's stamp, unless the world was past it already.
    pub at: Time,
    /// Flow that it belongs to.
    pub flow: FlowId,
    /// Its size in bytes, with the header of IPv4.
    pub size: u32,
    /// Its ECN field.
    pub ecn: Ecn,
    /// Time at which it was read.
    pub read: Time,
    /// Time from its stamp until it was read, in nanoseconds.
    pub lag_ns: i64,
}

/// The end of a packet in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Place of its entry in the list of entries.
    pub entry: u32,
    /// Time at which it left the world, when it was due at its door.
    pub due: Time,
    /// The way by which it left.
    pub fate: Fate,
    /// Lateness before it was written to its door, in nanoseconds; zero if it was not delivered.
    pub late_before_ns: i64,
    /// Lateness after it was written.
    pub late_after_ns: i64,
}

/// Everything that the loop recorded.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) entries: Vec<Entry>,
    pub(crate) departures: Vec<Departure>,
    /// Frames that were not carried, by reason.
    pub(crate) foreign: BTreeMap<Foreign, u64>,
    /// Packets whose stamp the world was past.
    pub(crate) clamped: u64,
    /// Share of a processor that the loop took.
    pub(crate) cpu_share: f64,
}

/// Time before the next event from which the loop does not sleep, if it can afford that.
const MARGIN_NS: i64 = 50_000;
/// Time between two looks at the load of the loop and at the counters of the doors.
const LOOK_NS: i64 = 100_000_000;
/// Share of a processor beyond which the loop sleeps up to the next event.
const BUSY: f64 = 0.33;
/// Share of a processor beyond which the first second shows that the machine is too slow.
const TOO_BUSY: f64 = 0.97;
/// The longest sleep, after which the clock and requests to stop are looked at.
const LONGEST_SLEEP_NS: i64 = 20_000_000;

/// The loop.
pub(crate) struct Drive<'a> {
    pub(crate) world: World<Exits>,
    pub(crate) clock: Clock,
    pub(crate) doors: Vec<Door>,
    plan: &'a Plan,
    /// The door at which the packets of each flow leave.
    ways_out: Vec<Option<usize>>,
    slab: Slab,
    /// The slot of each packet that entered, by its handle, which is its place among the entries.
    slots: Vec<u32>,
    pub(crate) coders: Coders,
    pub(crate) record: Record,
    load: LoadMeter,
}

/// The load of the loop between two looks.
#[derive(Debug)]
struct LoadMeter {
    began: i64,
    looked: i64,
    spent: i64,
    spent_in_all: i64,
    margin: i64,
}

impl LoadMeter {
    fn starting_at(time: i64) -> LoadMeter {
        LoadMeter {
            began: time,
            looked: time,
            spent: spent(),
            spent_in_all: spent(),
            margin: MARGIN_NS,
        }
    }

    /// The load since the last look, if it is time for another.
    fn look(&mut self, time: i64) -> Option<f64> {
        let passed = time - self.looked;
        if passed < LOOK_NS {
            return None;
        }
        let spent = spent();
        let share = (spent - self.spent) as f64 / passed as f64;
        (self.looked, self.spent) = (time, spent);
        self.margin = if share > BUSY { 0 } else { MARGIN_NS };
        Some(share)
    }

    fn share(&self, time: i64) -> f64 {
        (spent() - self.spent_in_all) as f64 / (time - self.began).max(1) as f64
    }
}

/// A packet that came in at a door, before it enters the world.
struct Incoming {
    /// Its stamp on the monotonic clock.
    stamp: i64,
    flow: FlowId,
    header: Header,
    slot: u32,
}

impl<'a> Drive<'a> {
    /// A loop over a world and its doors.
    pub(crate) fn new(
        plan: &'a Plan,
        world: World<Exits>,
        doors: Vec<Door>,
        (clock, coders): (Clock, Coders),
    ) -> Drive<'a> {
        let mut ways_out = vec![None; plan.model.flows.len()];
        for real in &plan.real {
            ways_out[real.flow.index()] = Some(real.hosts[1]);
            if let Some(back) = real.back {
                ways_out[back.index()] = Some(real.hosts[0]);
            }
        }
        for (_, to, flow) in &plan.ways {
            ways_out[flow.index()] = Some(*to);
        }
        Drive {
            world,
            clock,
            doors,
            plan,
            ways_out,
            slab: Slab::default(),
            slots: Vec::new(),
            coders,
            record: Record::default(),
            load: LoadMeter::starting_at(now()),
        }
    }

    /// Carries packets until the end of the run, or until a request to stop.
    pub(crate) fn run(&mut self, stops: [&AtomicBool; 2]) -> Result<(), LiveError> {
        let is_stopped = || stops.iter().any(|stop| stop.load(Ordering::Relaxed));
        let end = self.clock.outside(self.world.end());
        self.load = LoadMeter::starting_at(now());
        loop {
            let time = now();
            if time >= end || is_stopped() {
                break;
            }
            let incoming = self.read(time)?;
            let is_idle = incoming.is_empty();
            self.enter(incoming);
            self.world.run_until(self.clock.in_world(time));
            self.write();
            self.look(time)?;
            if is_idle {
                self.sleep(end);
            }
        }
        if !is_stopped() {
            // Those that came before the end, and that a late loop has not read.
            let incoming = self.read(now())?;
            self.enter(incoming);
            self.world.run();
            self.write();
        }
        let counted = self.doors.iter_mut().try_for_each(Door::count_drops);
        counted.map_err(|error| LiveError::at("cannot read the counters of a door", error))?;
        self.record.cpu_share = self.load.share(now());
        Ok(())
    }

    /// Reads all doors empty, and returns the packets in the order of their stamps.
    fn read(&mut self, time: i64) -> Result<Vec<Incoming>, LiveError> {
        let mut incoming = Vec::new();
        for (number, door) in self.doors.iter_mut().enumerate() {
            loop {
                let read = door.read(|(stamp, frame)| {
                    let way = Header::of(frame).and_then(|header| {
                        let flow = way_in(self.plan, number, &header).ok_or(Foreign::NoFlow)?;
                        Ok((header, flow))
                    });
                    match way {
                        Ok((header, flow)) => incoming.push(Incoming {
                            stamp: self.clock.of_stamp(stamp),
                            flow,
                            header,
                            slot: self.slab.keep(frame),
                        }),
                        Err(reason) => *self.record.foreign.entry(reason).or_default() += 1,
                    }
                });
                let read = read.map_err(|error| LiveError::at("cannot read a door", error))?;
                // Packets that come while the doors are read wait for the next round.
                if read == 0 || now() - time > LONGEST_SLEEP_NS {
                    break;
                }
            }
        }
        incoming.sort_by_key(|packet| packet.stamp);
        Ok(incoming)
    }

    /// Lets packets enter the world, each at its stamp.
    fn enter(&mut self, incoming: Vec<Incoming>) {
        let read = now();
        for packet in incoming {
            let (stamp, header) = (self.clock.in_world(packet.stamp), packet.header);
            if stamp > self.world.end() {
                self.slab.free(packet.slot);
                continue;
            }
            self.record.clamped += u64::from(stamp < self.world.now());
            self.world.run_until(stamp);
            let handle = self.slots.len() as u32;
            self.slots.push(packet.slot);
            self.record.entries.push(Entry {
                at: self.world.now(),
                flow: packet.flow,
                size: header.length,
                ecn: header.ecn,
                read: self.clock.in_world(read),
                lag_ns: read - packet.stamp,
            });
            let (flow, size) = (packet.flow, header.length);
            self.world.enter(flow, size, header.ecn, handle);
        }
    }

    /// Writes the packets that the world has delivered to their doors, and frees the others.
    fn write(&mut self) {
        let (slab, slots) = (&self.slab, &self.slots);
        self.coders.code(|handle| slab.read(slots[handle as usize]));
        for Exit {
            at,
            flow,
            handle,
            ecn,
            fate,
        } in self.world.probe_mut().drain()
        {
            let mut departure = Departure {
                entry: handle,
                due: at,
                fate,
                late_before_ns: 0,
                late_after_ns: 0,
            };
            let slot = std::mem::replace(&mut self.slots[handle as usize], NONE);
            let slot = match fate {
                Fate::Delivered if slot == NONE => match self.coders.take(handle) {
                    Some(bytes) => self.slab.keep(&bytes),
                    None => {
                        self.coders.note_missing(handle);
                        continue;
                    }
                },
                // A packet that comes after its repair is absorbed: it has left before.
                _ if slot == NONE => continue,
                _ => slot,
            };
            if let (Fate::Delivered, Some(door)) = (fate, self.ways_out[flow.index()]) {
                let frame = self.slab.frame(slot);
                if ecn == Ecn::Ce {
                    mark(frame);
                }
                let end = frame.len().min(SLOT_MOST);
                let due = self.clock.outside(at);
                departure.late_before_ns = now() - due;
                self.doors[door].write(&frame[..end]);
                departure.late_after_ns = now() - due;
            }
            self.record.departures.push(departure);
            self.slab.free(slot);
        }
    }

    /// Looks at the load from time to time. In the first second it decides whether to go on.
    fn look(&mut self, time: i64) -> Result<(), LiveError> {
        let Some(share) = self.load.look(time) else {
            return Ok(());
        };
        let counted = self.doors.iter_mut().try_for_each(Door::count_drops);
        counted.map_err(|error| LiveError::at("cannot read the counters of a door", error))?;
        if self.clock.in_world(time) > Time::ZERO + Span::from_secs(1) {
            return Ok(());
        }
        let drops: u64 = self.doors.iter().map(|door| door.drops).sum();
        if drops > 0 {
            let text = format!("its doors lost {drops} packets in the first second");
            return Err(LiveError::TooFast(text));
        }
        if share > TOO_BUSY && self.load.margin == 0 && time - self.load.began > 9 * LOOK_NS {
            let text = format!("the loop takes {share:.2} of a processor in the first second");
            return Err(LiveError::TooFast(text));
        }
        Ok(())
    }

    /// Sleeps until shortly before the next event, or until a packet comes.
    fn sleep(&mut self, end: i64) {
        let next = self.world.next_event();
        let next = next.map_or(end, |next| self.clock.outside(next)).min(end);
        let left = (next - now() - self.load.margin).min(LONGEST_SLEEP_NS);
        if left > 0 {
            let sockets = self.doors.iter().map(Door::as_fd);
            let mut polled: Vec<PollFd<'_>> = sockets
                .map(|socket| PollFd::new(socket, PollFlags::POLLIN))
                .collect();
            // A signal ends the sleep early, and the loop goes round.
            let _ = ppoll(&mut polled, Some(TimeSpec::nanoseconds(left)), None);
        }
    }
}

/// The longest frame that a host takes: padding behind a packet is left out.
const SLOT_MOST: usize = ETHERNET + 1500;

/// The flow of a packet that came in at a door.
fn way_in(plan: &Plan, door: usize, header: &Header) -> Option<FlowId> {
    let to = host_of(header.to)?;
    let real = |port: u16| plan.real.get(usize::from(port.checked_sub(FIRST_PORT)?));
    if let Some([from_port, to_port]) = header.ports {
        if let Some(real) = real(to_port).filter(|real| real.hosts == [door, to]) {
            return Some(real.flow);
        }
        if let Some(real) = real(from_port).filter(|real| real.hosts == [to, door]) {
            return real.back;
        }
    }
    let mut ways = plan.ways.iter();
    let way = ways.find(|(from, at, _)| [*from, *at] == [door, to]);
    way.map(|(_, _, flow)| *flow)
}
