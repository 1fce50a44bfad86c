//! Video frames, cut into packets.

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
    /// Number of packets of the current frame.
    packets: u32,
    /// Number of those already sent.
    sent: u32,
    /// Time from the start of the current frame to the packet sent last.
    passed: Span,
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
            packets: 0,
            sent: 0,
            passed: Span::ZERO,
            frames: video.frames.from(frame),
            video: video.clone(),
        };
        frames.begin_frame();
        frames
    }

    /// Begins the next frame. `None` if the recording can no longer be read.
    fn begin_frame(&mut self) -> Option<()> {
        self.left = self.next_frame()?;
        self.packets = self.left.div_ceil(self.packet);
        (self.sent, self.passed) = (0, Span::ZERO);
        Some(())
    }

    /// Time from the start of the current frame to its next packet.
    fn offset(&self) -> Span {
        if !self.video.spread {
            return Span::ZERO;
        }
        let gap = u128::from(self.video.gap.as_ps());
        let ps = gap * u128::from(self.sent) / u128::from(self.packets);
        Span::from_ps(ps as u64)
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
            gap += self.video.gap - self.passed;
            self.begin_frame()?;
        }
        let offset = self.offset();
        gap += offset - self.passed;
        let size = self.left.min(self.packet);
        self.left -= size;
        self.sent += 1;
        self.passed = offset;
        Some(Emission { gap, size })
    }
}
