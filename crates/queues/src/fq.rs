//! Linux's fq: flows, which are connections, take turns by deficit round robin in three bands, each
//! paced at a rate or by the times of its packets.

mod band;
mod flow;

use std::collections::{BTreeMap, VecDeque};

use pacesim_units::{Capacity, ConnectionId, Rate, Span, Time};

use crate::built_in::{BuiltIn, Site};
use crate::places::{Found, Memory, Places};
use crate::queue::{Ecn, Line, Mark, Pending, Queue, Reason, State, Turn, Waiting};
use crate::room::Room;
use band::Band;
use flow::{Flow, Held};

/// Number of the band for each of Linux's sixteen priorities.
const BANDS: [u8; 16] = [1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
/// Number of nanoseconds after which Linux may forget a flow without packets.
const FORGETS: u64 = 3_000_000_000;
/// Number of packets that may overtake all flows while none can send.
const FAST: usize = 8;

/// Parameters of fq, by default those of Linux 6.12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FqConfig {
    /// Limit on the number of waiting packets in a band.
    pub limit: u64,
    /// Limit on the number of waiting packets of a flow.
    pub flow_limit: usize,
    /// Number of bytes that a flow may send at its turn.
    pub quantum: u32,
    /// Number of bytes that a new flow may send at once.
    pub initial_quantum: u32,
    /// True if flows are paced; departure times that packets request apply in any case.
    pub paces: bool,
    /// Maximum rate of a flow.
    pub max_rate: Option<Rate>,
    /// Time for which an empty flow keeps its remaining credit.
    pub refill_delay: Span,
    /// A packet that requests a later departure than this is dropped, or leaves then.
    pub horizon: Span,
    /// True if a packet beyond the horizon is dropped.
    pub horizon_drop: bool,
    /// A flow with at most this rate is paced packet by packet.
    pub low_rate: Rate,
    /// A delay after its time beyond which each packet is marked, where permitted.
    pub ce_threshold: Option<Span>,
}

impl Default for FqConfig {
    fn default() -> FqConfig {
        FqConfig {
            limit: 10_000,
            flow_limit: 100,
            quantum: 3000,
            initial_quantum: 15_000,
            paces: true,
            max_rate: None,
            refill_delay: Span::from_ps(40_000_000_000),
            horizon: Span::from_ps(10_000_000_000_000),
            horizon_drop: true,
            low_rate: Rate::from_bps(550_000).expect("above zero"),
            ce_threshold: None,
        }
    }
}

/// Flows that take turns, each at its pace. Times are in nanoseconds.
#[derive(Debug)]
pub struct Fq {
    config: FqConfig,
    max_rate: u64,
    flows: Vec<Flow>,
    places: Places,
    bands: Box<[Band; 3]>,
    band: usize,
    /// Packets that arrived while no flow could send.
    fast: VecDeque<Held>,
    /// Flows that must wait, ordered by the time until which they wait, then by the start of the
    /// wait.
    delayed: BTreeMap<(u64, u64), u32>,
    waits: u64,
    /// Earliest time at which a delayed flow may send, when last examined.
    next_delayed: u64,
    /// Number of flows with packets that may send.
    eligible: usize,
    room: Room,
}

impl Fq {
    /// A queue without packets.
    pub fn new(config: &FqConfig) -> Fq {
        Fq {
            config: *config,
            max_rate: config.max_rate.map_or(u64::MAX, |rate| rate.as_bps() / 8),
            flows: Vec::new(),
            places: Places::default(),
            bands: Box::new([9, 3, 1].map(|weight| Band::new(weight << 16))),
            band: 0,
            fast: VecDeque::new(),
            delayed: BTreeMap::new(),
            waits: 0,
            next_delayed: u64::MAX,
            eligible: 0,
            room: Room::new(Capacity::Unlimited, false),
        }
    }

    /// Paces a connection, or a flow's only one, at this rate from now on.
    pub fn pace(&mut self, connection: impl Into<ConnectionId>, rate: Rate) {
        let place = self.place(connection.into(), 0);
        self.flows[place as usize].rate = rate.as_bps() / 8;
    }

    /// The band of a class; band 0 is served first.
    #[inline]
    pub fn band(class: u16) -> u8 {
        BANDS[usize::from(class & 15)]
    }

    /// Number of flows that wait for their time.
    pub fn delayed(&self) -> usize {
        self.delayed.len()
    }

    /// Takes a packet that may request an earliest departure time.
    pub fn arrive_for(
        &mut self,
        now: Time,
        packet: Pending,
        departure: Option<Time>,
    ) -> Result<(), Reason> {
        let now = now.as_ps() / 1000;
        let band = Fq::band(packet.class);
        let is_full = self.bands[usize::from(band)].packets >= self.config.limit;
        if is_full || !self.room.fits(packet.size) {
            return Err(Reason::Full);
        }
        let asked = departure.map(|time| time.as_ps() / 1000);
        let horizon = now + self.config.horizon.as_ps() / 1000;
        if self.config.horizon_drop && asked.is_some_and(|asked| asked > horizon) {
            return Err(Reason::Early);
        }
        let held = Held {
            key: packet.key,
            size: packet.size,
            ecn: packet.ecn,
            due: asked.map_or(now, |asked| asked.min(horizon)),
            is_timed: asked.is_some(),
            band,
        };
        if self.may_pass(packet.connection, held.due, now) {
            self.fast.push_back(held);
        } else {
            self.join(packet.connection, held, now)?;
        }
        self.room.take(packet.size);
        Ok(())
    }

    /// True if a packet may overtake all flows, since none can send.
    fn may_pass(&self, connection: ConnectionId, due: u64, now: u64) -> bool {
        let can_send = self.room.packets() > 0
            && (self.eligible > 0 || self.fast.len() >= FAST || self.next_delayed <= now);
        let place = self.places.get(connection);
        let is_paced = place.is_some_and(|place| self.flows[place as usize].is_paced());
        due <= now && !can_send && !is_paced && self.max_rate == u64::MAX
    }

    fn join(&mut self, connection: ConnectionId, held: Held, now: u64) -> Result<(), Reason> {
        let place = self.place(connection, now);
        let flow = &mut self.flows[place as usize];
        if flow.len() >= self.config.flow_limit {
            return Err(Reason::Full);
        }
        if let Some(since) = flow.detached.take() {
            // Linux counts this time in ticks.
            let delay = ticks(self.config.refill_delay.as_ps() / 1000);
            if since.is_some_and(|since| tick(now) > (tick(since) | 1) + delay) {
                flow.credit = flow.credit.max(i64::from(self.config.quantum));
            }
            self.bands[usize::from(flow.band)].add_new(place);
        }
        // A flow that is in the list of its previous band stays there.
        flow.band = held.band;
        self.bands[usize::from(held.band)].packets += 1;
        if flow.len() == 0 && !flow.is_delayed {
            self.eligible += 1;
        }
        flow.push(held);
        Ok(())
    }

    /// The place of a connection. One for a single transfer is new again once it may be forgotten.
    fn place(&mut self, connection: ConnectionId, now: u64) -> u32 {
        let flows = &self.flows;
        let memory = |place: u32| flows[place as usize].memory(now, FORGETS);
        let place = match self.places.of(connection, memory) {
            Found::Known(place) if connection.call == 0 => return place,
            Found::Known(place) if memory(place) != Memory::Forgot => return place,
            Found::Known(place) | Found::Reused(place) => place,
            Found::Made(place) => {
                self.flows.push(Flow::new(self.config.initial_quantum));
                return place;
            }
        };
        self.flows[place as usize] = Flow::new(self.config.initial_quantum);
        place
    }

    /// Resumes the flows whose time has come.
    fn release(&mut self, now: u64) {
        if self.next_delayed > now {
            return;
        }
        self.next_delayed = u64::MAX;
        while let Some((&(due, number), &place)) = self.delayed.first_key_value() {
            if due > now {
                self.next_delayed = due;
                return;
            }
            self.delayed.remove(&(due, number));
            let flow = &mut self.flows[place as usize];
            flow.is_delayed = false;
            self.eligible += usize::from(flow.len() > 0);
            self.bands[usize::from(flow.band)].add_old(place);
        }
    }

    /// The next band that has a flow to serve, if there is one.
    fn next_band(&mut self) -> Option<usize> {
        if self.bands[self.band].may_send() {
            return Some(self.band);
        }
        let mut tries = 0;
        while tries < self.bands.len() {
            self.band = (self.band + 1) % self.bands.len();
            let band = &mut self.bands[self.band];
            band.refill();
            if !band.has_credit() {
                tries = 0;
                continue;
            }
            if band.may_send() {
                return Some(self.band);
            }
            tries += 1;
        }
        None
    }

    /// Serves flows until one sends a packet.
    fn serve(&mut self, now: u64) -> Option<(Held, Option<Mark>)> {
        while let Some(band) = self.next_band() {
            let (place, is_new) = self.bands[band].first()?;
            let flow = &mut self.flows[place as usize];
            if flow.credit <= 0 {
                flow.credit += i64::from(self.config.quantum);
                self.bands[band].take_first();
                self.bands[usize::from(flow.band)].add_old(place);
                continue;
            }
            let Some(due) = flow.due() else {
                self.bands[band].take_first();
                if is_new {
                    self.bands[usize::from(flow.band)].add_old(place)
                } else {
                    flow.detached = Some(Some(now));
                    self.places.note_idle(place);
                }
                continue;
            };
            if now < due {
                self.bands[band].take_first();
                self.delay(place, due);
                continue;
            }
            return Some(self.send(band, place, now, due));
        }
        None
    }

    /// Makes a flow wait for its time.
    fn delay(&mut self, place: u32, due: u64) {
        let flow = &mut self.flows[place as usize];
        (flow.next, flow.is_delayed) = (due, true);
        self.eligible -= 1;
        self.delayed.insert((due, self.waits), place);
        self.waits += 1;
        self.next_delayed = self.next_delayed.min(due);
    }

    /// Sends the flow's first packet, and sets the time of its next one.
    fn send(&mut self, band: usize, place: u32, now: u64, due: u64) -> (Held, Option<Mark>) {
        let flow = &mut self.flows[place as usize];
        let held = flow.pop().expect("a flow whose time has come has a packet");
        self.eligible -= usize::from(flow.len() == 0);
        self.bands[usize::from(held.band)].packets -= 1;
        flow.credit -= i64::from(held.size);
        self.bands[band].spend(held.size);
        let threshold = self.config.ce_threshold.map(|span| span.as_ps() / 1000);
        let is_late = threshold.is_some_and(|most| now - due > most);
        let mark = (is_late && held.ecn.is_capable()).then_some(Mark::Threshold);
        let low_rate = self.config.low_rate.as_bps() / 8;
        let (quantum, max_rate) = (self.config.quantum, self.max_rate);
        if self.config.paces {
            flow.pace(now, &held, max_rate, (low_rate, quantum));
        }
        (held, mark)
    }
}

/// Linux's ticks of 4 ms, which occur at -2.048 ms and every 4 ms from then on in the recordings.
fn tick(ns: u64) -> u64 {
    (ns + 2_048_000) / 4_000_000
}

fn ticks(ns: u64) -> u64 {
    ns.div_ceil(4_000_000)
}

impl BuiltIn for Fq {
    type Config = FqConfig;
    const NAME: &'static str = "fq";

    /// A capacity in packets is the limit of each band, as in Linux. One in bytes, which Linux lacks,
    /// is that of all bands together.
    fn at(site: Site, config: &Self::Config) -> Fq {
        let limit = match site.capacity {
            Capacity::Packets(limit) => limit,
            Capacity::Bytes(_) => u64::MAX,
            Capacity::Unlimited => config.limit,
        };
        let mut queue = Fq::new(&FqConfig { limit, ..*config });
        if let Capacity::Bytes(_) = site.capacity {
            queue.room = Room::new(site.capacity, site.counts_sending);
        }
        queue
    }

    fn marks(config: &Self::Config) -> bool {
        config.ce_threshold.is_some()
    }

    fn class_of(_: &Self::Config, class: u16, _: Ecn) -> Option<usize> {
        Some(Fq::band(class).into())
    }
}

impl Queue for Fq {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        self.arrive_for(now, packet, None)
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        if line == Line::Busy {
            return Turn::Hold;
        }
        let now = now.as_ps() / 1000;
        let next = match self.fast.pop_front() {
            Some(held) => Some((held, None)),
            None if self.room.packets() == 0 => None,
            None => {
                self.release(now);
                self.serve(now)
            }
        };
        match next {
            None => {
                self.room.rest();
                Turn::Hold
            }
            Some((held, mark)) => {
                self.room.send(held.size);
                let key = held.key;
                Turn::Go { key, mark }
            }
        }
    }

    fn state(&self) -> Option<State> {
        Some(State {
            name: "fq_delayed_flows",
            value: self.delayed() as f64,
        })
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }

    fn next_turn(&self) -> Option<Time> {
        let waits = self.next_delayed < u64::MAX;
        waits.then(|| Time::from_ps(self.next_delayed.saturating_mul(1000)))
    }
}
