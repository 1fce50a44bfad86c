//! The account of a bucket: bytes that run through it at a rate, one after the other.

use pacesim_units::{Rate, Span, Time, Transmitter};

use crate::pacer::Use;

/// A bucket's rate, and the time until which it is busy with the bytes charged so far.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    line: Transmitter,
    until: Time,
    /// Time for which it had nothing to do.
    rested: Span,
}

impl Meter {
    /// A meter without charges.
    pub(crate) fn new(rate: Rate) -> Meter {
        Meter {
            line: Transmitter::new(rate),
            until: Time::ZERO,
            rested: Span::ZERO,
        }
    }

    /// Its rate.
    #[inline]
    pub(crate) fn rate(&self) -> Rate {
        self.line.rate()
    }

    /// The time at which all charges have run through.
    #[inline]
    pub(crate) fn until(&self) -> Time {
        self.until
    }

    /// Notes that nothing ran through it until now.
    #[inline]
    pub(crate) fn rest(&mut self, now: Time) {
        self.rested += now - self.until;
        self.line.rest();
        self.until = now;
    }

    /// Adds the bytes of a packet to the charges.
    #[inline]
    pub(crate) fn charge(&mut self, size: u32) {
        let span: Span = self.line.send(size);
        self.until = self.until.saturating_add(span);
    }

    /// Changes the rate of what has not run through yet.
    pub(crate) fn set_rate(&mut self, now: Time, rate: Rate) {
        let left = self.until.saturating_since(now);
        self.rested += now.saturating_since(self.until);
        self.until = now.saturating_add(self.line.change_rate(rate, left));
    }

    /// The use of its rate so far.
    pub(crate) fn in_use(&self, now: Time) -> Use {
        Use::of_line(now, self.rested, self.until)
    }
}
