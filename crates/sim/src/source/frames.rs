//! Video frames, each sent as a burst of packets.

use pacesim_core::random::{Stream, unit_below_one};

use super::{Emission, Source};
use crate::model::{FirstFrame, Video, wire_size};
use pacesim_tape::TapeReader;
use pacesim_units::Span;

/// Plays a video in an endless loop, starting at a given frame.
#[derive(Debug)]
pub struct Frames {
    video: Video,
    packet: u32,
    /// The frames that follow, up to the end of the recording.
    frames: TapeReader<u32>,
    /// Remaining bytes of the current frame.
    left: u32,
}

impl Frames {
    /// A source that sends its first frame at once; `stream` is called only if that frame is drawn.
    pub fn new(video: &Video, stream: impl FnOnce() -> Stream) -> Frames {
        let frame = match video.first {
            FirstFrame::First => 0,
            FirstFrame::Random => {
                let share = unit_below_one(&mut stream());
                (share * video.frames.len() as f64) as usize
            }
        };
        let mut frames = Frames {
            packet: wire_size(video.packet),
            left: 0,
            frames: video.frames.from(frame),
            video: video.clone(),
        };
        frames.left = frames.next_frame().unwrap_or(0);
        frames
    }

    /// The size of the next frame, which wraps round to the first at the end of the recording.
    /// `None` if the recording can no longer be read.
    fn next_frame(&mut self) -> Option<u32> {
        let size = self.frames.next().or_else(|| {
            self.frames = self.video.frames.iter();
            self.frames.next()
        })?;
        Some(self.video.sizes_in.bytes(size))
    }
}

impl Source for Frames {
    fn next(&mut self) -> Option<Emission> {
        let mut gap = Span::ZERO;
        while self.left == 0 {
            gap += self.video.gap;
            self.left = self.next_frame()?;
        }
        let size = self.left.min(self.packet);
        self.left -= size;
        Some(Emission { gap, size })
    }
}
