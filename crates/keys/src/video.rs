//! Keys of video from recorded frame sizes.

use pacesim_language::field::{Field, FileName, Number, Reader, Written};
use pacesim_language::form::Form;
use pacesim_language::tree::Item;
use pacesim_language::{table, words};
use pacesim_model::{FirstFrame, FrameUnit, Video};
use pacesim_tape::Tape;
use pacesim_units::{Bytes, Rate, Span};

use pacesim_recordings::frames;

use crate::offered::FilmedRate;

table! {
    /// A video.
    pub struct VideoTraffic "video" {
        file: FrameFile, "The file of frame sizes, relative to the scenario: one per line, optionally preceded by number, type and time as in the verbose files of trace libraries; or a binary trace of ns-2. The file repeats after its last frame.", "frames.txt";
        sizes_in: FrameUnit as FrameUnitWord, (= "bytes"), "The unit of the sizes.", "bits";
        frame_rate: f64 as Number, (else 24.0), "The number of frames in a second.", "24.0";
        rate: Option<Rate> as FilmedRate, "The mean rate.";
        packet_size: Bytes, (= "200B"), "The size of packets on the wire; the last packet of a frame has the rest.", "200B";
        first_frame: FirstFrame as FirstFrameWord, (= "random"), "The frame that it begins with.", "first";
        spread: bool, (= "false"), "True if the packets of a frame are evenly spread over the time to the next frame, so that the peak rate is that of the largest frame; false if they are sent at once, as by ns-2's player, at the rate of the first link.", "true";
    }
}

/// The unit of frame sizes.
struct FrameUnitWord;

words! {
    FrameUnitWord: FrameUnit {
        "bytes" => FrameUnit::Bytes, "bytes";
        "bits" => FrameUnit::Bits, "bits; each frame has a whole number of bytes";
    }
}

/// The frame that a video begins with.
struct FirstFrameWord;

words! {
    FirstFrameWord: FirstFrame {
        "random" => FirstFrame::Random, "any, drawn for each flow, as in ns-2's player";
        "first" => FirstFrame::First, "the first of the file";
    }
}

/// A file of frame sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameFile {
    /// Name of the file, as written in the scenario.
    pub name: String,
    /// Frame sizes, in the file's own unit.
    pub frames: Tape<u32>,
    /// The microseconds from one frame to the next, if the file states them.
    pub gap_us: Option<u32>,
}

impl Field for FrameFile {
    type Value = FrameFile;
    const FORM: &'static Form = FileName::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<FrameFile> {
        let name = FileName::read(item, reader)?;
        let text = reader.files.stream(&name);
        let frames = text.and_then(|text| frames::parse(text, reader.files.stores()));
        let form = "a text file of frame sizes, or a binary trace of ns-2";
        let frames = reader.content(&name, frames, form)?;
        Some(FrameFile {
            name,
            frames: frames.sizes,
            gap_us: frames.gap_us,
        })
    }

    fn write(file: &FrameFile) -> Option<Written> {
        Some(Written::File(file.name.clone()))
    }
}

impl VideoTraffic {
    /// Converts the traffic to the model's.
    pub fn in_model(&self) -> Video {
        let as_recorded = self.as_recorded();
        let Some(rate) = self.rate else {
            return as_recorded;
        };
        let (unit, factor) = (self.sizes_in, rate.as_bps() as f64 / as_recorded.mean_bps());
        Video {
            frames: as_recorded
                .frames
                .map(move |size| multiplied(unit.bytes(size), factor)),
            sizes_in: FrameUnit::Bytes,
            ..as_recorded
        }
    }

    fn as_recorded(&self) -> Video {
        let gap_ps = (1e12 / self.frame_rate).round();
        Video {
            frames: self.file.frames.clone(),
            sizes_in: self.sizes_in,
            gap: Span::from_ps(gap_ps as u64),
            packet: self.packet_size,
            first: self.first_frame,
            spread: self.spread,
        }
    }

    /// The message and the remedy if frames of this rate are too small or too large.
    pub fn refused_rate(&self) -> Option<(String, String)> {
        let rate = self.rate?;
        let frame = rate.as_bps() as f64 / self.frame_rate / 8.0;
        if frame < 1.0 {
            let message = format!("{rate} is less than a byte for each frame");
            return Some((
                message,
                "give a higher rate, or a lower frame_rate".to_owned(),
            ));
        }
        let video = self.in_model();
        let largest = video.frames.iter().max().unwrap_or(0);
        (largest > frames::LARGEST).then(|| {
            let (largest, most) = (Bytes(largest.into()), Bytes(frames::LARGEST.into()));
            let message = format!("the largest frame takes {largest} at {rate}");
            (
                message,
                format!("give a lower rate: frames have at most {most}"),
            )
        })
    }
}

/// A frame's size, multiplied. A frame with data stays one.
fn multiplied(bytes: u32, factor: f64) -> u32 {
    // A cast clamps sizes beyond the maximum.
    let nearest = (f64::from(bytes) * factor + 0.5) as u32;
    nearest.max(bytes.min(1))
}
