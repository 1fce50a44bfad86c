//! The frames of a video, each as a burst of packets.

use pacesim_core::random::{Stream, unit_below_one};

use super::{Emission, Source};
use crate::model::{FirstFrame, Video, wire_size};
use pacesim_units::Span;

/// Plays a video from some frame on, without end.
#[derive(Debug)]
pub struct Frames {
    video: Video,
    packet: u32,
    frame: usize,
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
        Frames {
            packet: wire_size(video.packet),
            left: video.frames[frame],
            frame,
            video: video.clone(),
        }
    }
}

impl Source for Frames {
    fn next(&mut self) -> Option<Emission> {
        let mut gap = Span::ZERO;
        while self.left == 0 {
            gap += self.video.gap;
            self.frame = (self.frame + 1) % self.video.frames.len();
            self.left = self.video.frames[self.frame];
        }
        let size = self.left.min(self.packet);
        self.left -= size;
        Some(Emission { gap, size })
    }
}
