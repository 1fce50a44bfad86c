//! Forward error correction on real bytes: the codec of bytes beside the simulated coders, fed with the
//! same packets at the same times.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use pacesim::Exits;
use pacesim::fec::{Cover, Decoder, Encoder, Frame, Out, Place, Repair, Symbol};
use pacesim::middlebox::OwnMiddlebox;
use pacesim::model::{Model, Payload, Protection};
use pacesim::net::{Kind, Middlebox, Packet, Step};
use pacesim::units::Time;

/// A packet at a coder of the world.
#[derive(Clone, Copy, Debug)]
struct Seen {
    at: Time,
    pair: usize,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// A packet of this handle and size comes to the encoder.
    Enters(u32, u32),
    /// It comes to the decoder.
    Leaves(u32),
    /// A repair packet of this size comes to the decoder.
    Repair(Cover, u32),
}

/// The packets that coders have seen and the codec of bytes has not.
type Log = Arc<Mutex<Vec<Seen>>>;

/// A middlebox before a coder that notes its packets, and lets them pass.
struct Tap {
    pair: usize,
    is_encoder: bool,
    log: Log,
    steps: VecDeque<Step>,
}

impl Tap {
    fn note(&self, at: Time, what: What) {
        let pair = self.pair;
        let mut log = self.log.lock().expect("notes never panic");
        log.push(Seen { at, pair, what });
    }
}

impl Middlebox for Tap {
    type Payload = Payload;

    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, _: &mut u32) {
        self.steps.push_back(Step::Pass(place));
        if packet.kind() != Kind::Auxiliary {
            let handle = Exits::handle_of(packet);
            self.note(
                now,
                match self.is_encoder {
                    true => What::Enters(handle, packet.size),
                    false => What::Leaves(handle),
                },
            );
        }
    }

    fn arrive_with_payload(
        &mut self,
        now: Time,
        place: u32,
        packet: &Packet,
        payload: &Payload,
        header: &mut u32,
    ) {
        match payload {
            Payload::Repair(repair) if !self.is_encoder && repair.pair as usize == self.pair => {
                self.steps.push_back(Step::Pass(place));
                self.note(now, What::Repair(repair.cover, packet.size));
            }
            _ => self.arrive(now, place, packet, header),
        }
    }

    fn step(&mut self, _: Time) -> Step {
        self.steps.pop_front().unwrap_or(Step::Wait)
    }
}

/// The bytes of a packet, and its handle.
#[derive(Clone, Debug, Default)]
struct Coded {
    frame: Frame,
    handle: u32,
}

impl Symbol for Coded {
    fn xor(&mut self, other: &Coded) {
        self.frame.xor(&other.frame);
        self.handle ^= other.handle;
    }
}

/// Encoder and decoder of a pair.
struct Pair {
    encoder: Encoder<Coded>,
    decoder: Decoder<Coded, u32>,
    /// Repair packets that the encoder has made and the decoder has not seen.
    repairs: VecDeque<Repair<Coded>>,
    /// Places of the packets between both.
    places: BTreeMap<u32, Place>,
}

impl Pair {
    fn of(protection: &Protection) -> Pair {
        Pair {
            encoder: Encoder::new(protection.config),
            decoder: Decoder::new(protection.config.depth, protection.order),
            repairs: VecDeque::new(),
            places: BTreeMap::new(),
        }
    }

    /// Lets the encoder close the blocks whose time-out has come.
    fn wake(&mut self, now: Time) {
        while let Some(wake) = self.encoder.next_wake().filter(|wake| *wake <= now) {
            self.repairs
                .extend(std::iter::from_fn(|| self.encoder.poll(wake)));
        }
    }
}

/// The coders of bytes of all pairs.
pub(crate) struct Coders {
    pairs: Vec<Pair>,
    log: Log,
    /// Bytes of repaired packets that have not been delivered yet.
    repaired: BTreeMap<u32, Vec<u8>>,
    /// Packets whose bytes were repaired.
    pub(crate) repairs: u64,
    /// The first difference from the simulated coders.
    pub(crate) differs: Option<String>,
}

impl Coders {
    /// Coders for the protected flows of a model, which gets taps before its own.
    pub(crate) fn of(model: &mut Model, is_outer: impl Fn(usize) -> bool) -> Coders {
        let log = Log::default();
        for (pair, protection) in model.protections.clone().iter().enumerate() {
            let outer = protection.data.iter().filter(|flow| is_outer(flow.index()));
            let flows: Vec<_> = outer.copied().collect();
            if flows.is_empty() {
                continue;
            }
            for (node, is_encoder) in [(protection.encoder, true), (protection.decoder, false)] {
                let log = log.clone();
                let tap = OwnMiddlebox::new("live tap", move |_| Tap {
                    pair,
                    is_encoder,
                    log: log.clone(),
                    steps: VecDeque::new(),
                });
                model.add_middlebox(node, flows.clone(), tap);
            }
        }
        Coders {
            pairs: model.protections.iter().map(Pair::of).collect(),
            log,
            repaired: BTreeMap::new(),
            repairs: 0,
            differs: None,
        }
    }

    /// Codes the bytes of the packets that the world's coders have seen.
    pub(crate) fn code<'f>(&mut self, frame_of: impl Fn(u32) -> &'f [u8]) {
        if self.pairs.is_empty() {
            return;
        }
        let seen = std::mem::take(&mut *self.log.lock().expect("notes never panic"));
        for Seen { at, pair, what } in seen {
            let of = &mut self.pairs[pair];
            of.wake(at);
            match what {
                What::Enters(handle, size) => {
                    let frame = Frame::of(frame_of(handle));
                    let place = of.encoder.data(at, &Coded { frame, handle }, size);
                    of.places.insert(handle, place);
                    of.repairs
                        .extend(std::iter::from_fn(|| of.encoder.poll(at)));
                }
                What::Leaves(handle) => {
                    let Some(place) = of.places.remove(&handle) else {
                        continue;
                    };
                    let frame = Frame::of(frame_of(handle));
                    of.decoder.data(at, place, handle, &Coded { frame, handle });
                }
                What::Repair(cover, size) => {
                    // Earlier ones were lost.
                    let found = of.repairs.iter().position(|made| made.cover == cover);
                    let made = found.map(|place| of.repairs.drain(..=place).next_back());
                    match made.flatten() {
                        Some(made) if made.size == size => {
                            of.decoder.repair(at, cover, &made.value);
                        }
                        made => {
                            let made = made.map(|made| made.size);
                            let text = format!("at {at} {cover:?} of {size} bytes, and {made:?}");
                            self.differs.get_or_insert(text);
                        }
                    }
                }
            }
            while let Some(out) = of.decoder.poll(at) {
                if let Out::Repaired(coded, _) = out {
                    of.places.remove(&coded.handle);
                    match coded.frame.packet() {
                        Ok(bytes) => _ = self.repaired.insert(coded.handle, bytes.to_vec()),
                        Err(broken) => _ = self.differs.get_or_insert(broken.to_string()),
                    }
                }
            }
        }
    }

    /// The bytes of a repaired packet.
    pub(crate) fn take(&mut self, handle: u32) -> Option<Vec<u8>> {
        let bytes = self.repaired.remove(&handle)?;
        self.repairs += 1;
        Some(bytes)
    }

    /// Notes that the world has delivered a lost packet that was not repaired.
    pub(crate) fn note_missing(&mut self, handle: u32) {
        let text = format!("packet {handle} is repaired, and its bytes are not");
        self.differs.get_or_insert(text);
    }
}
