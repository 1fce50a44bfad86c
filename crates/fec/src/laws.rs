//! The laws that every code keeps, as a function that tests them.
//!
//! 1. *XOR*: a symbol added twice vanishes, and the order does not matter.
//! 2. *Blocks*: a block has at most k packets, and its repair packet covers them all.
//! 3. *Identity*: a repaired packet equals the lost one, in every block that misses one packet and has
//!    its repair packet, and in no other.
//! 4. *Once*: each packet is passed on at most once, and at once if nothing may hold it.
//! 5. *Order*: where packets are held, none waits longer than the bound, and while the bound is not
//!    reached they leave in the order in which they were sent.
//! 6. *Patience*: a machine with no more output asks for no further call at the same time.
//! 7. *Repeatable*: made anew and offered the same, it does the same.

use std::fmt::Debug;

pub use pacesim_units::laws::Violation;
use pacesim_units::{Span, Time};

use crate::{Config, Cover, Decoder, Encoder, Order, Out, Symbol};

/// A data packet sent in the test, and its fate in the network.
#[derive(Clone, Debug)]
pub struct Sent<S> {
    /// Time since the previous packet was sent.
    pub gap: Span,
    /// Coded symbol of the packet.
    pub symbol: S,
    /// Size of the packet in bytes.
    pub size: u32,
    /// True if the network loses the packet.
    pub lost: bool,
}

/// Fate of a data packet at the decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The packet arrived, and was passed on.
    Arrived(Time),
    /// The packet was lost, and repaired.
    Repaired(Time),
    /// The packet was lost for good.
    Lost,
}

/// Sends packets from an encoder to a decoder over a network without delay, and returns the fate of
/// each, or the law that was broken. `loses` selects the blocks whose repair packets are lost.
pub fn laws<S: Symbol + PartialEq + Debug>(
    config: Config,
    order: Order,
    packets: &[Sent<S>],
    loses: impl Fn(u32) -> bool,
) -> Result<Vec<Fate>, Violation> {
    xor_is_its_own_inverse(packets)?;
    let trial = || Trial {
        encoder: Encoder::new(config),
        decoder: Decoder::new(config.depth, order),
        config,
        order,
        packets,
        now: Time::ZERO,
        blocks: Vec::new(),
        fates: vec![Fate::Lost; packets.len()],
        last: 0,
    };
    let fates = trial().run(&loses)?;
    if trial().run(&loses)? == fates {
        Ok(fates)
    } else {
        Err(Violation {
            law: "repeatable",
            at: Time::ZERO,
            what: "constructed again it behaves differently".to_owned(),
        })
    }
}

fn xor_is_its_own_inverse<S: Symbol + PartialEq + Debug>(
    packets: &[Sent<S>],
) -> Result<(), Violation> {
    for pair in packets.windows(2) {
        let [a, b] = [&pair[0].symbol, &pair[1].symbol];
        let mut found = S::default();
        [a, b, a].into_iter().for_each(|symbol| found.xor(symbol));
        if found != *b {
            let what = format!("{a:?} + {b:?} + {a:?} is {found:?}");
            let at = Time::ZERO;
            return Err(Violation {
                law: "XOR",
                at,
                what,
            });
        }
    }
    Ok(())
}

struct Trial<'a, S> {
    encoder: Encoder<S>,
    decoder: Decoder<S, usize>,
    config: Config,
    order: Order,
    packets: &'a [Sent<S>],
    now: Time,
    /// Numbers of the packets of each block.
    blocks: Vec<Vec<usize>>,
    fates: Vec<Fate>,
    /// Number of the last packet that was passed on.
    last: usize,
}

impl<S: Symbol + PartialEq + Debug> Trial<'_, S> {
    fn run(mut self, loses: &impl Fn(u32) -> bool) -> Result<Vec<Fate>, Violation> {
        for (i, packet) in self.packets.iter().enumerate() {
            let at = self.now + packet.gap;
            while self.wake(at, loses)? {}
            self.now = at;
            let place = self.encoder.data(at, &packet.symbol, packet.size);
            let block = place.block as usize;
            self.blocks
                .resize(self.blocks.len().max(block + 1), Vec::new());
            if self.blocks[block].len() != usize::from(place.index) {
                return self.broken("blocks", format!("packet {i} is at {place:?}"));
            }
            self.blocks[block].push(i);
            if !packet.lost {
                if !self.decoder.data(at, place, i, &packet.symbol) {
                    return self.broken("once", format!("packet {i} came before it came"));
                }
                self.hand_on(None)?;
            }
            self.repair(loses)?;
        }
        while self.wake(Time::NEVER, loses)? {}
        self.nothing_waits()?;
        Ok(self.fates)
    }

    /// Wakes the machines whose timers are due before `end`.
    fn wake(&mut self, end: Time, loses: &impl Fn(u32) -> bool) -> Result<bool, Violation> {
        let wakes = [self.encoder.next_wake(), self.decoder.next_wake()];
        let Some(at) = wakes.into_iter().flatten().min().filter(|at| *at < end) else {
            return Ok(false);
        };
        if at < self.now {
            return self.broken("patience", format!("it asks to be woken at {at}"));
        }
        self.now = at;
        self.hand_on(None)?;
        self.repair(loses)?;
        let wakes = [self.encoder.next_wake(), self.decoder.next_wake()];
        if wakes.into_iter().flatten().any(|wake| wake <= at) {
            self.broken("patience", "it waits, and is ready".to_owned())
        } else {
            Ok(true)
        }
    }

    /// Sends the pending repair packets.
    fn repair(&mut self, loses: &impl Fn(u32) -> bool) -> Result<(), Violation> {
        while let Some(repair) = self.encoder.poll(self.now) {
            let Cover { block, count } = repair.cover;
            let members = self.blocks[block as usize].clone();
            if members.len() != usize::from(count) || count > self.config.block {
                return self.broken("blocks", format!("{:?} of {members:?}", repair.cover));
            }
            if loses(block) {
                continue;
            }
            self.decoder.repair(self.now, repair.cover, &repair.value);
            let mut missing = members.into_iter().filter(|i| self.packets[*i].lost);
            let only = missing.next().filter(|_| missing.next().is_none());
            self.hand_on(only)?;
            if only.is_some_and(|only| self.fates[only] == Fate::Lost) {
                return self.broken("identity", format!("packet {only:?} is not repaired"));
            }
        }
        Ok(())
    }

    /// Takes the packets that the decoder passes on; `lost` is the only one that may be repaired.
    fn hand_on(&mut self, lost: Option<usize>) -> Result<(), Violation> {
        while let Some(out) = self.decoder.poll(self.now) {
            let (i, fate) = match out {
                Out::Arrived(i) => (i, Fate::Arrived(self.now)),
                Out::Repaired(symbol, _) => match lost {
                    Some(i) if symbol == self.packets[i].symbol => (i, Fate::Repaired(self.now)),
                    _ => return self.broken("identity", format!("{symbol:?} for {lost:?}")),
                },
            };
            if self.fates[i] != Fate::Lost {
                return self.broken("once", format!("packet {i} is handed on again"));
            }
            let is_arrival = matches!(fate, Fate::Arrived(_));
            if self.order != Order::Late && is_arrival && i < self.last {
                return self.broken("order", format!("{i} behind {}", self.last));
            }
            self.last = i;
            self.fates[i] = fate;
        }
        Ok(())
    }

    /// Checks that arrived packets were passed on in time.
    fn nothing_waits(&self) -> Result<(), Violation> {
        let bound = match self.order {
            Order::Late => Span::ZERO,
            Order::Hold(bound) => bound,
        };
        let mut came = Time::ZERO;
        for (i, packet) in self.packets.iter().enumerate() {
            came += packet.gap;
            let in_time = match self.fates[i] {
                Fate::Arrived(at) => at <= came + bound,
                Fate::Repaired(_) | Fate::Lost => packet.lost,
            };
            if !in_time {
                return self.broken("once", format!("packet {i}: {:?}", self.fates[i]));
            }
        }
        Ok(())
    }

    fn broken<T>(&self, law: &'static str, what: String) -> Result<T, Violation> {
        let at = self.now;
        Err(Violation { law, at, what })
    }
}
