//! What arrives at a port, over time scales.

use pacesim::measure::Burstiness;
use pacesim::model::Model;
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{Bytes, LinkId, Span, Time};

/// A probe of the volume that a port is offered, what it drops included, from the
/// warm-up's end on.
pub(super) struct Offered {
    link: LinkId,
    from: Time,
    volumes: Burstiness,
}

impl Offered {
    /// An observer of a link by name, at n scales from `finest` up, each twice the one before.
    pub(super) fn new(model: &Model, link: &str, finest: Span, scales: u32) -> Offered {
        let from = Time::ZERO + model.warmup;
        Offered {
            link: super::observed::link(model, link),
            from,
            volumes: Burstiness::new(from, finest, scales).expect("scales that fit a run"),
        }
    }

    /// Interval (s) and burstiness at each scale that has some, up to the end of the run.
    pub(super) fn curve(&self, end: Time) -> Vec<(f64, f64)> {
        let scales = self.volumes.scales(end);
        let point = |scale: &pacesim::measure::Scale| {
            (scale.volumes.count() >= 2)
                .then(|| Some((scale.interval.as_secs_f64(), scale.beta()?)))?
        };
        scales.iter().filter_map(point).collect()
    }

    #[inline]
    fn add(&mut self, now: Time, link: LinkId, packet: &Packet) {
        if link == self.link && now >= self.from {
            self.volumes.add(now, Bytes(u64::from(packet.size)));
        }
    }
}

impl Probe for Offered {
    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, _: Passage) {
        self.add(now, link, packet);
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        // What is lost on the wire has been accepted before.
        if cause != DropCause::Wire {
            self.add(now, link, packet);
        }
    }
}
