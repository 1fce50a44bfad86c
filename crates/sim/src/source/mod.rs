//! Sources of traffic: what sends packets without waiting for an answer.
//!
//! A source says when its next packet comes and how large it is; the world sends it.
//! What draws random numbers owns its stream. One file a source; a new one
//! implements [`Source`] and, to be reached from a scenario file, joins
//! [`AnySource`].

mod cbr;
mod on_off;
mod poisson;
mod recorded;
mod sizes;

pub use cbr::Cbr;
pub use on_off::OnOff;
pub use pacesim_model::source::{Emission, Source};
pub use poisson::Poisson;
pub use recorded::Recorded;
pub use sizes::SizeSampler;

use crate::model::Traffic;
use pacesim_core::random::Streams;

/// The built-in sources, and a door for others.
pub enum AnySource {
    /// Constant bit rate.
    Cbr(Cbr),
    /// Poisson arrivals.
    Poisson(Poisson),
    /// Markov ON-OFF.
    OnOff(OnOff),
    /// Recorded arrivals.
    Recorded(Recorded),
    /// A user's own.
    Custom(Box<dyn Source>),
}

impl AnySource {
    /// The source for a flow's traffic; `name` tells its random streams from others'.
    pub fn new(traffic: &Traffic, streams: &Streams, name: &str) -> AnySource {
        match traffic {
            Traffic::Cbr { rate, size } => AnySource::Cbr(Cbr::new(*rate, *size)),
            Traffic::Poisson { rate, size } => {
                let gaps = streams.stream(name, "gaps");
                let sizes = SizeSampler::new(size, || streams.stream(name, "sizes"));
                AnySource::Poisson(Poisson::new(*rate, sizes, gaps))
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
            Traffic::Recorded(arrivals) => AnySource::Recorded(Recorded::new(arrivals.clone())),
            Traffic::Tcp(_) => panic!("TCP waits for answers: it is no source"),
        }
    }
}

impl Source for AnySource {
    #[inline]
    fn next(&mut self) -> Option<Emission> {
        match self {
            AnySource::Cbr(source) => source.next(),
            AnySource::Poisson(source) => source.next(),
            AnySource::OnOff(source) => source.next(),
            AnySource::Recorded(source) => source.next(),
            AnySource::Custom(source) => source.next(),
        }
    }
}
