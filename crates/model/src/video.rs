//! Video: frames at a constant rate, with recorded sizes.

use pacesim_tape::Tape;
use pacesim_units::{Bytes, Span};

/// A video, whose frames are cut into packets.
#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    /// Size of each frame; at least one is not zero.
    pub frames: Tape<u32>,
    /// Unit of the frame sizes.
    pub sizes_in: FrameUnit,
    /// Time between two frames.
    pub gap: Span,
    /// Packet size; the last packet of a frame takes the rest.
    pub packet: Bytes,
    /// Frame at which the video starts; the first frame follows the last.
    pub first: FirstFrame,
    /// True if the packets of a frame are spread evenly over the time to the next frame; otherwise
    /// all are sent at once.
    pub spread: bool,
}

/// The unit of frame sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FrameUnit {
    /// Sizes are in bytes.
    #[default]
    Bytes,
    /// Sizes are in bits, rounded up to whole bytes.
    Bits,
}

impl FrameUnit {
    /// Converts a frame size to bytes.
    pub fn bytes(self, size: u32) -> u32 {
        match self {
            FrameUnit::Bytes => size,
            FrameUnit::Bits => size.div_ceil(8),
        }
    }
}

/// The frame at which a video starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FirstFrame {
    /// Any frame, drawn for each flow.
    #[default]
    Random,
    /// The first frame of the recording.
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
