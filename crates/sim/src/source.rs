//! Open-loop traffic sources, which send packets without waiting for feedback.
//!
//! A source gives the gap before its next packet and the packet's size; the world sends it. A
//! random source owns its stream. Each source has its own file; a new one implements [`Source`],
//! keeps its [`laws`] and joins [`AnySource`] to be reachable from scenario files. A user's source
//! enters a model through [`OwnSource::new`]:
//!
//! ```
//! use pacesim::World;
//! use pacesim::model::{Model, Traffic};
//! use pacesim::source::{Emission, OwnSource, Source};
//! use pacesim::units::{FlowId, Rate, Span};
//!
//! /// Ten packets, each twice as large as the one before.
//! struct Doubling(u32);
//!
//! impl Source for Doubling {
//!     fn next(&mut self) -> Option<Emission> {
//!         self.0 *= 2;
//!         let (gap, size) = (Span::from_ms(1), self.0);
//!         (size <= 1024).then_some(Emission { gap, size })
//!     }
//! }
//!
//! let mut model = Model::new("doubling", Span::from_secs(1));
//! let (a, b) = (model.add_node("a"), model.add_node("b"));
//! model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
//! let doubling = OwnSource::new("doubling", |_feed| Doubling(1));
//! model.add_flow(a, b, Traffic::Own(doubling));
//! let mut world = World::new(model)?;
//! world.run();
//! assert_eq!(world.flow(FlowId(0)).delivered.bytes, 2046);
//! # Ok::<(), pacesim::BuildError>(())
//! ```

mod bulks;
mod cbr;
mod fluid;
mod fractional_noise;
mod frames;
pub mod laws;
mod on_off;
mod poisson;
mod recorded;
mod sizes;
mod switching;

pub use bulks::Bulks;
pub use cbr::Cbr;
pub use fluid::Packetised;
pub use fractional_noise::NoiseFluid;
pub use frames::Frames;
pub use on_off::OnOff;
pub use pacesim_model::source::{Emission, Feed, OwnSource, Source};
pub use poisson::Poisson;
pub use recorded::Recorded;
pub use sizes::SizeSampler;
pub use switching::{OnOffFluid, SessionFluid};

use crate::model::Traffic;
use pacesim_core::random::Streams;

/// Any of the built-in sources, or a user's own in a box.
pub enum AnySource {
    /// Packets at a constant bit rate.
    Cbr(Cbr),
    /// Poisson arrivals.
    Poisson(Poisson),
    /// Poisson arrivals of bulks.
    Bulks(Bulks),
    /// Markov ON-OFF source.
    OnOff(OnOff),
    /// Fractional Gaussian noise, cut into packets.
    FractionalNoise(Packetised<NoiseFluid>),
    /// Superposed sessions: M/G/∞.
    Sessions(Packetised<SessionFluid>),
    /// Superposed Pareto ON-OFF sources.
    ParetoOnOff(Packetised<OnOffFluid>),
    /// Recorded arrivals.
    Recorded(Recorded),
    /// Frames of a video.
    Frames(Frames),
    /// A user's own source.
    Custom(Box<dyn Source>),
}

impl AnySource {
    /// The source for a flow's traffic; `name` separates its random streams from those of other
    /// flows.
    pub fn new(traffic: &Traffic, streams: &Streams, name: &str) -> AnySource {
        match traffic {
            Traffic::Cbr { rate, size } => AnySource::Cbr(Cbr::new(*rate, *size)),
            Traffic::Poisson { rate, size } => {
                let gaps = streams.stream(name, "gaps");
                let sizes = SizeSampler::new(size, || streams.stream(name, "sizes"));
                AnySource::Poisson(Poisson::new(*rate, sizes, gaps))
            }
            Traffic::Bulks { rate, size, count } => {
                let gaps = streams.stream(name, "gaps");
                let sizes = SizeSampler::new(size, || streams.stream(name, "sizes"));
                AnySource::Bulks(Bulks::new(*rate, sizes, *count, gaps))
            }
            Traffic::OnOff {
                peak,
                size,
                mean_on,
                mean_off,
                phase,
            } => {
                let phases = streams.stream(name, "phases");
                AnySource::OnOff(OnOff::new(
                    *peak, *size, *mean_on, *mean_off, *phase, phases,
                ))
            }
            Traffic::FractionalNoise(noise) => {
                let noise = fractional_noise::source(noise, streams.stream(name, "noise"));
                AnySource::FractionalNoise(noise)
            }
            Traffic::Sessions(sessions) => {
                let sessions = switching::sessions(sessions, streams.stream(name, "sessions"));
                AnySource::Sessions(sessions)
            }
            Traffic::ParetoOnOff(sources) => {
                let sources = switching::on_off(sources, streams.stream(name, "phases"));
                AnySource::ParetoOnOff(sources)
            }
            Traffic::Recorded(arrivals) => AnySource::Recorded(Recorded::new(arrivals)),
            Traffic::Video(video) => {
                AnySource::Frames(Frames::new(video, || streams.stream(name, "first frame")))
            }
            Traffic::Own(own) => AnySource::Custom(own.build(Feed {
                flow: name.to_owned(),
                stream: streams.stream(name, "own"),
            })),
            Traffic::Outer => AnySource::Custom(Box::new(Silent)),
            Traffic::Tcp(_) => panic!("TCP waits for answers: it is no source"),
        }
    }
}

/// The source of a flow whose packets come from outside.
struct Silent;

impl Source for Silent {
    fn next(&mut self) -> Option<Emission> {
        None
    }
}

impl Source for AnySource {
    #[inline]
    fn next(&mut self) -> Option<Emission> {
        match self {
            AnySource::Cbr(source) => source.next(),
            AnySource::Poisson(source) => source.next(),
            AnySource::Bulks(source) => source.next(),
            AnySource::OnOff(source) => source.next(),
            AnySource::FractionalNoise(source) => source.next(),
            AnySource::Sessions(source) => source.next(),
            AnySource::ParetoOnOff(source) => source.next(),
            AnySource::Recorded(source) => source.next(),
            AnySource::Frames(source) => source.next(),
            AnySource::Custom(source) => source.next(),
        }
    }

    #[inline]
    fn following(&self) -> u32 {
        match self {
            AnySource::Bulks(source) => source.following(),
            AnySource::Custom(source) => source.following(),
            _ => 0,
        }
    }
}
