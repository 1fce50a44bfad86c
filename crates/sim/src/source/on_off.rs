//! A Markov ON-OFF source of packets.

use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Distribution, Stream, unit_below_one};
use pacesim_units::{Bytes, Rate, Span, Transmitter};

use super::{Emission, Source};
use crate::model::{Phase, wire_size};

/// Exponential ON and OFF phases. A packet leaves each time the accumulated ON time reaches a
/// multiple of one packet's transmission time at the peak rate. The residual fraction of a packet
/// at the end of a phase carries over into the next, so the volume stays within one packet of the
/// fluid source.
#[derive(Debug)]
pub struct OnOff {
    packet_time: Transmitter,
    size: u32,
    on_ps: Exponential,
    off_ps: Exponential,
    random: Stream,
    /// Residual time of the current ON phase.
    on_left: Span,
    /// OFF time that precedes the current ON phase.
    off_first: Span,
}

impl OnOff {
    /// A source that sends packets of `size` at `peak` while ON.
    pub fn new(
        peak: Rate,
        size: Bytes,
        mean_on: Span,
        mean_off: Span,
        phase: Phase,
        mut random: Stream,
    ) -> OnOff {
        let exponential = |mean: Span| {
            Exponential::with_mean(mean.as_ps() as f64).expect("a positive mean phase")
        };
        let share_on = mean_on.as_secs_f64() / (mean_on.as_secs_f64() + mean_off.as_secs_f64());
        let starts_on = match phase {
            Phase::Random => unit_below_one(&mut random) < share_on,
            Phase::On => true,
            Phase::Off => false,
        };
        let mut source = OnOff {
            packet_time: Transmitter::new(peak),
            size: wire_size(size),
            on_ps: exponential(mean_on),
            off_ps: exponential(mean_off),
            random,
            on_left: Span::ZERO,
            off_first: Span::ZERO,
        };
        if !starts_on {
            source.off_first = source.draw_off();
        }
        source.on_left = source.draw_on();
        source
    }

    fn draw_on(&mut self) -> Span {
        Span::from_ps_f64(self.on_ps.sample(&mut self.random)).unwrap_or(Span::MAX)
    }

    fn draw_off(&mut self) -> Span {
        Span::from_ps_f64(self.off_ps.sample(&mut self.random)).unwrap_or(Span::MAX)
    }
}

impl Source for OnOff {
    fn next(&mut self) -> Option<Emission> {
        let mut on_needed = self.packet_time.send(self.size);
        let mut gap = std::mem::take(&mut self.off_first);
        while on_needed > self.on_left {
            on_needed -= self.on_left;
            let off = self.draw_off();
            gap =
                Span::from_ps(gap.as_ps().saturating_add(self.on_left.as_ps())).checked_add(off)?;
            self.on_left = self.draw_on();
        }
        self.on_left -= on_needed;
        Some(Emission {
            gap: gap.checked_add(on_needed)?,
            size: self.size,
        })
    }
}
