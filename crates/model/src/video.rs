//! Video: frames at a steady rate, of sizes that were recorded.

use pacesim_tape::Tape;
use pacesim_units::{Bytes, Span};

/// A video of which each frame leaves at once, cut into packets.
#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    /// The size of each frame; at least one frame has some.
    pub frames: Tape<u32>,
    /// What sizes are in.
    pub sizes_in: FrameUnit,
    /// The time from one frame to the next.
    pub gap: Span,
    /// The size of packets; the last of a frame is what is left.
    pub packet: Bytes,
    /// Where it begins; behind the last frame comes the first.
    pub first: FirstFrame,
}

/// What sizes of frames are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FrameUnit {
    /// Bytes.
    #[default]
    Bytes,
    /// Bits; a frame takes as many bytes as hold them.
    Bits,
}

impl FrameUnit {
    /// A size in bytes.
    pub fn bytes(self, size: u32) -> u32 {
        match self {
            FrameUnit::Bytes => size,
            FrameUnit::Bits => size.div_ceil(8),
        }
    }
}

/// The frame that a video begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FirstFrame {
    /// Any, drawn for each flow.
    #[default]
    Random,
    /// The first of the recording.
    First,
}

impl Video {
    /// The mean rate in bits per second.
    pub fn mean_bps(&self) -> f64 {
        let bytes = self.frames.iter().map(|size| self.sizes_in.bytes(size));
        let bytes: u64 = bytes.map(u64::from).sum();
        let seconds = self.gap.as_secs_f64() * self.frames.len() as f64;
        bytes as f64 * 8.0 / seconds
    }
}
