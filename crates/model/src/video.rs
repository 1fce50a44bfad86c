//! Video: frames at a steady rate, of sizes that were recorded.

use std::sync::Arc;

use pacesim_units::{Bytes, Span};

/// A video of which each frame leaves at once, cut into packets.
#[derive(Clone, Debug, PartialEq)]
pub struct Video {
    /// The bytes of each frame; at least one frame has some.
    pub frames: Arc<[u32]>,
    /// The time from one frame to the next.
    pub gap: Span,
    /// The size of packets; the last of a frame is what is left.
    pub packet: Bytes,
    /// Where it begins; behind the last frame comes the first.
    pub first: FirstFrame,
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
        let bytes: u64 = self.frames.iter().copied().map(u64::from).sum();
        let seconds = self.gap.as_secs_f64() * self.frames.len() as f64;
        bytes as f64 * 8.0 / seconds
    }
}
