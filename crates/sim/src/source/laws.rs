//! The laws that every source keeps, as a function.
//!
//! 1. *Sizes*: a packet has at least one byte.
//! 2. *Progress*: time advances; at most [`MOST_AT_ONCE`] packets are sent at one instant.
//! 3. *The end*: a source sends nothing after its end.
//! 4. *Repeatable*: a source made anew from the same random stream sends the same packets, even if
//!    other sources are called in between.
//!
//! Packets are in order by construction: a gap is a [`Span`](pacesim_units::Span), which is never
//! negative.

use pacesim_units::Time;
use thiserror::Error;

use super::{Emission, Source};

/// More packets than this at one instant mean that the source does not let time pass.
pub const MOST_AT_ONCE: usize = 100_000;

/// A broken law, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the law of {law} is broken by packet {packet}: {what}")]
pub struct Violation {
    /// Name of the broken law.
    pub law: &'static str,
    /// Index of the packet that broke it, from zero.
    pub packet: usize,
    /// Evidence, in words.
    pub what: String,
}

/// Asks a source for n packets. Returns them (fewer if the source ends or passes the end of time),
/// or the first law that it broke. `make` has to return the same source each time it is called.
///
/// ```
/// use pacesim::source::{Cbr, laws};
/// use pacesim::units::{Bytes, Rate};
///
/// let make = || Cbr::new(Rate::from_mbps(8), Bytes(1000));
/// let packets = laws::check(make, 1000).unwrap();
/// assert_eq!(packets.len(), 1000);
/// ```
pub fn check<S: Source>(
    mut make: impl FnMut() -> S,
    count: usize,
) -> Result<Vec<Emission>, Violation> {
    let (mut source, mut twin) = (make(), make());
    let mut trial = Trial::default();
    while trial.packets.len() < count {
        let (next, again) = (source.next(), twin.next());
        trial.expect(next == again, "repeatable", || {
            format!("{next:?}, and {again:?} when constructed again")
        })?;
        let Some(emission) = next else {
            trial.check_end(&mut source)?;
            break;
        };
        if !trial.take(emission)? {
            break;
        }
    }
    Ok(trial.packets)
}

/// The packets that a source has sent so far.
#[derive(Default)]
struct Trial {
    packets: Vec<Emission>,
    now: Time,
    at_once: usize,
}

impl Trial {
    /// Takes the next packet; false if it is after the end of time.
    fn take(&mut self, emission: Emission) -> Result<bool, Violation> {
        self.expect(emission.size >= 1, "sizes", || "no bytes".to_owned())?;
        self.now = self.now.saturating_add(emission.gap);
        if self.now == Time::NEVER {
            return Ok(false);
        }
        if emission.gap.is_zero() {
            self.at_once += 1
        } else {
            self.at_once = 1
        }
        self.expect(self.at_once <= MOST_AT_ONCE, "progress", || {
            format!("{} packets at {}", self.at_once, self.now)
        })?;
        self.packets.push(emission);
        Ok(true)
    }

    fn check_end(&self, source: &mut impl Source) -> Result<(), Violation> {
        for _ in 0..3 {
            let more = source.next();
            self.expect(more.is_none(), "the end", || {
                format!("{more:?} after the end")
            })?;
        }
        Ok(())
    }

    fn expect(
        &self,
        holds: bool,
        law: &'static str,
        what: impl FnOnce() -> String,
    ) -> Result<(), Violation> {
        if holds {
            return Ok(());
        }
        Err(Violation {
            law,
            packet: self.packets.len(),
            what: what(),
        })
    }
}
