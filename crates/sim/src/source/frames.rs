//! The frames of a video, each as a burst of packets.

use pacesim_core::random::{Stream, unit_below_one};

use super::{Emission, Source};
use crate::model::{FirstFrame, Video, wire_size};
use pacesim_tape::TapeReader;
use pacesim_units::Span;

/// Plays a video from some frame on, without end.
#[derive(Debug)]
pub struct Frames {
    video: Video,
    packet: u32,
    /// The frames that follow, up to the end of the recording.
    frames: TapeReader<u32>,
    /// The bytes of the frame that have not left.
    left: u32,
}

impl Frames {
    /// A source that begins with a frame at once; the stream is asked for where that is drawn.
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

    /// The bytes of the frame that comes next: behind the last, the first. None where the recording
    /// cannot be read any more.
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
