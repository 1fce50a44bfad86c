//! The random draws of disciplines that drop or mark packets.

use std::fmt;

use rand_core::Rng;

/// The outcome that a draw decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The packet is dropped.
    Drop,
    /// The packet is marked, or dropped if it cannot be marked.
    Mark,
}

/// The draws of a discipline: random, or prescribed by a recording.
pub trait Chance: fmt::Debug + Send {
    /// True with the probability `part` / `whole`, for the packet of this key.
    fn strikes(&mut self, key: u32, signal: Signal, part: u64, whole: u64) -> bool;
}

/// Draws made from random numbers.
pub struct Draws<R>(R);

impl<R: Rng + Send> Draws<R> {
    /// A source of draws from a stream with no other user.
    pub fn new(stream: R) -> Draws<R> {
        Draws(stream)
    }
}

impl<R> fmt::Debug for Draws<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Draws")
    }
}

impl<R: Rng + Send> Chance for Draws<R> {
    fn strikes(&mut self, _key: u32, _signal: Signal, part: u64, whole: u64) -> bool {
        let drawn = u128::from(self.0.next_u64()) * u128::from(whole);
        ((drawn >> 64) as u64) < part
    }
}

impl<R: Rng + Send + 'static> From<R> for Box<dyn Chance> {
    fn from(stream: R) -> Box<dyn Chance> {
        Box::new(Draws::new(stream))
    }
}
