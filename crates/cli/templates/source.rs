//! A source of traffic: bursts of back-to-back packets at exponential intervals.
use pacesim_app::field::Whole;
use pacesim_app::random::{Distribution, Stream, samplers::Exponential};
use pacesim_app::source::{Emission, Feed, Source};
use pacesim_app::units::{Bytes, Span};
use pacesim_app::{Parts, keys, laws, main_with};

keys! {
    /// Bursts of packets at exponential intervals.
    pub struct Keys "own_source" {
        packets: u32 as Whole<u32, 1, 1000>, (= "5"), "The number of packets in a burst.", "10";
        size: Bytes, (= "1KB"), "The size of each packet.", "500B";
        gap: Span, (= "8ms"), "The mean interval between bursts.", "20ms";
    }
}

struct Bursts {
    keys: Keys,
    left: u32,
    random: Stream,
}
impl Source for Bursts {
    fn next(&mut self) -> Option<Emission> {
        let size = self.keys.size.get() as u32;
        let (left, mut gap) = (self.left, Span::ZERO);
        self.left = left.checked_sub(1).unwrap_or(self.keys.packets - 1);
        if left == 0 {
            let gaps = Exponential::with_mean(self.keys.gap.as_ps() as f64).ok()?;
            gap = Span::from_ps_f64(gaps.sample(&mut self.random))?;
        }
        Some(Emission { gap, size })
    }
}

fn new(keys: &Keys, Feed { stream, .. }: Feed) -> Bursts {
    let (keys, left, random) = (keys.clone(), 0, stream);
    Bursts { keys, left, random }
}

fn main() -> std::process::ExitCode {
    main_with(Parts::new().source(new))
}
laws!(source, new);
