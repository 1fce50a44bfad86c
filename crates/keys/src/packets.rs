//! Packet sizes and rates permitted by the keys of traffic.

use pacesim_model::Sizes;
use pacesim_model::range::{self, LINE_RATE, Range, SIZE};
use pacesim_tcp::Config;
use pacesim_units::{Bytes, Rate};

use crate::flow::Traffic;
use crate::scenario::Scenario;
use crate::self_similar::{NoiseTraffic, ParetoOnOffTraffic, SessionTraffic};
use crate::tcp::TcpTraffic;

impl Scenario {
    /// The size of the largest packet of all flows; that of Ethernet's if none is known.
    pub fn largest_packet(&self) -> Bytes {
        let flows = self.flows.iter();
        let sizes = flows.flat_map(|flow| flow.traffic.largest_packet());
        sizes.map(|(_, size)| size).max().unwrap_or(Bytes(1500))
    }
}

impl Traffic {
    /// The sizes of all packets, or the largest one of a recording, with their keys.
    pub fn largest_packet(&self) -> Vec<(String, Bytes)> {
        match self {
            Traffic::Cbr { size, .. }
            | Traffic::OnOff { size, .. }
            | Traffic::FractionalNoise(NoiseTraffic { size, .. })
            | Traffic::Sessions(SessionTraffic { size, .. })
            | Traffic::ParetoOnOff(ParetoOnOffTraffic { size, .. })
            | Traffic::Poisson {
                size: Sizes::Constant(size),
                ..
            }
            | Traffic::Bulks {
                size: Sizes::Constant(size),
                ..
            } => vec![("size".to_owned(), *size)],
            Traffic::Video(video) => vec![("packet_size".to_owned(), video.packet_size)],
            Traffic::Poisson { .. } | Traffic::Bulks { .. } => vec![],
            Traffic::Tcp(_) | Traffic::Rdma(_) | Traffic::Ndp(_) | Traffic::Own(_) => {
                let connections = self.connections().into_iter();
                let whole = |c: &Config| Bytes(c.payload.0.saturating_add(c.header.0));
                connections
                    .flat_map(|tcp| tcp.packets("packet_size", whole))
                    .collect()
            }
            Traffic::Recorded(recorded) => {
                let arrivals = &recorded.file.recording.arrivals;
                let largest = arrivals.iter().map(|arrival| arrival.size).max();
                largest
                    .map(|size| ("file".to_owned(), size))
                    .into_iter()
                    .collect()
            }
        }
    }

    /// The valid range of the rates of these sources.
    pub fn source_rate(&self) -> Range<Rate> {
        let mean = |sizes: &Sizes| match sizes {
            Sizes::Constant(size) => *size,
            Sizes::Drawn(distribution) => match distribution.sampler() {
                Ok(sampler) => SIZE.nearest(sampler.mean()),
                // This happens only while a scenario is being checked; the check gives the reason.
                Err(_) => SIZE.least,
            },
        };
        match self {
            Traffic::Cbr { size, .. } | Traffic::OnOff { size, .. } => range::source_rate(*size),
            Traffic::Poisson { size, .. } | Traffic::Bulks { size, .. } => {
                range::source_rate(mean(size))
            }
            _ => LINE_RATE,
        }
    }
}

impl TcpTraffic {
    /// A packet size of a group's TCP, and that of the others if it differs.
    pub fn packets(
        &self,
        key: &'static str,
        size: impl Fn(&Config) -> Bytes,
    ) -> Vec<(String, Bytes)> {
        let of_group = size(&self.tcp.config);
        let others = self.others.as_ref();
        let of_others = others.map(|others| size(&others.tcp.config));
        let others = of_others.filter(|size| *size != of_group);
        let others = others.map(|size| (format!("others.{key}"), size));
        std::iter::once((key.to_owned(), of_group))
            .chain(others)
            .collect()
    }
}
