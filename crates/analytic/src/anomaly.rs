//! The loss anomaly: the reason why UDP may lose more when the buffer grows (zerobuf §3).
//!
//! With more buffer TCP fills the link exponentially faster (eq. 1, 3), so a small open-loop stream
//! finds less room. Two models: the *effective buffer* left to it (eq. 2), and a [bulk
//! chain](crate::bulk) in which a TCP packet is a bulk, with one place per multiple of the UDP
//! packet (eq. 4–9).
//!
//! ```
//! use pacesim_analytic::anomaly::Anomaly;
//! use pacesim_units::Bytes;
//!
//! let buffers: Vec<Bytes> = (1..=50).map(|kb| Bytes(kb * 1000)).collect();
//! let curve = Anomaly::default().curve(&buffers)?;
//! let region = curve.region.expect("the paper's parameters show the anomaly");
//! assert_eq!((region.from, region.to), (Bytes(8_000), Bytes(30_000)));
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

use pacesim_units::Bytes;

use crate::bulk::{Admission, BulkQueue, BulkSolution, ByteClass, ByteQueue, Room};
use crate::{Range, Service, SolveError, numeric};

/// The share of time in which a buffer is empty of TCP, `e^(-B/B*)` (eq. 1);
/// both in one unit.
pub(crate) fn idle_probability(buffer: f64, b_star: f64) -> f64 {
    libm::exp(-buffer / b_star)
}

/// The part of a buffer that a share `udp_share` of open-loop traffic can use (eq. 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EffectiveBuffer {
    udp_share: f64,
    b_star: f64,
}

impl EffectiveBuffer {
    /// A buffer with this share of UDP in its traffic, between 0 and 1, and with the constant B*.
    pub(crate) fn new(udp_share: f64, b_star: f64) -> Result<EffectiveBuffer, SolveError> {
        Ok(EffectiveBuffer {
            udp_share: Range::PROPER_SHARE.check("udp_share", udp_share)?,
            b_star: Range::POSITIVE.check("b_star", b_star)?,
        })
    }

    /// UDP's part of the buffer that it shares with TCP, `f B`.
    pub(crate) fn fair_share(&self, buffer: f64) -> f64 {
        self.udp_share * buffer
    }

    /// The rest of the buffer, while TCP is away, `(1 - f) B e^(-B/B*)`.
    pub(crate) fn time_share(&self, buffer: f64) -> f64 {
        (1.0 - self.udp_share) * buffer * idle_probability(buffer, self.b_star)
    }

    /// The sum of both shares.
    pub(crate) fn total(&self, buffer: f64) -> f64 {
        self.fair_share(buffer) + self.time_share(buffer)
    }

    /// The range of buffers in which more buffer leaves less: from the local maximum of the total
    /// to its local minimum. `None` if the total never falls, as for shares from `1 / (1 + e²)` =
    /// 11.9 % on.
    pub(crate) fn falling(&self) -> Option<(f64, f64)> {
        // The slope is f + (1 - f)(1 - x)e^-x with x = B/B*: zero where
        // (x - 1)e^-x, which rises up to x = 2 and falls after it, is f/(1 - f).
        let level = self.udp_share / (1.0 - self.udp_share);
        let hump = |x: f64| (x - 1.0) * libm::exp(-x);
        if level >= hump(2.0) {
            return None;
        }
        let maximum = numeric::last_where(1.0, 2.0, |x| hump(x) <= level);
        let minimum = numeric::last_where(2.0, 800.0, |x| hump(x) >= level);
        Some((maximum * self.b_star, minimum * self.b_star))
    }
}

/// The chain of zerobuf §3.3; its default is the paper's Fig. 10. The unit of
/// time is the mean transmission time of a UDP packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anomaly {
    /// UDP load, as a share of the link.
    pub(crate) udp_load: f64,
    /// TCP load with a large buffer, as a share of the link.
    pub(crate) tcp_saturation_load: f64,
    /// B* of eq. (1) and (3).
    pub(crate) b_star: Bytes,
    /// Size of a UDP packet.
    pub(crate) udp_packet: Bytes,
    /// Size of a TCP packet.
    pub(crate) tcp_packet: Bytes,
    /// The fate of a TCP packet that does not fit whole.
    pub admission: Admission,
    /// The distribution of service times.
    pub service: Service,
}

impl Default for Anomaly {
    fn default() -> Anomaly {
        Anomaly {
            udp_load: 0.05,
            tcp_saturation_load: 0.94,
            b_star: Bytes(7_000),
            udp_packet: Bytes(200),
            tcp_packet: Bytes(1_000),
            admission: Admission::CompleteRejection,
            service: Service::Exponential,
        }
    }
}

/// One buffer size of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The buffer.
    pub buffer: Bytes,
    /// TCP load offered by eq. (3), as a share of the link.
    pub(crate) tcp_load: f64,
    /// The probability that a UDP packet is lost.
    pub udp_loss: f64,
    /// The probability that a TCP packet loses anything: all of it, or under partial acceptance the
    /// part that does not fit.
    pub(crate) tcp_loss: f64,
    /// The share of TCP's bytes lost: the same under complete rejection, less under partial
    /// acceptance.
    pub(crate) tcp_volume_loss: f64,
    /// The probability that the system is empty.
    pub empty: f64,
}

/// A range of buffers in which more buffer means more loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// The buffer with the least loss before the rise.
    pub from: Bytes,
    /// The buffer at the top of the rise.
    pub to: Bytes,
    /// Loss at the top divided by loss at the foot.
    pub depth: f64,
}

/// UDP loss against buffer.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The points, in the order of the buffers given.
    pub points: Vec<CurvePoint>,
    /// The largest rise among the points, if any.
    pub region: Option<Region>,
}

impl Anomaly {
    /// TCP load at this buffer, as a share of the link (eq. 3).
    pub(crate) fn tcp_load(&self, buffer: Bytes) -> f64 {
        let idle = idle_probability(buffer.get() as f64, self.b_star.get() as f64);
        (1.0 - idle) * self.tcp_saturation_load
    }

    /// The chain of this buffer (eq. 4).
    pub fn queue(&self, buffer: Bytes) -> Result<BulkQueue, SolveError> {
        self.check()?;
        let (udp, tcp) = (self.udp_packet, self.tcp_packet);
        let bytes_per_time = udp.get() as f64;
        let class = |size: Bytes, load: f64| ByteClass {
            rate: load * bytes_per_time / size.get() as f64,
            size,
        };
        let queue = ByteQueue {
            buffer,
            room: Room::System,
            bytes_per_time,
            classes: vec![class(udp, self.udp_load), class(tcp, self.tcp_load(buffer))],
        };
        Ok(BulkQueue {
            admission: self.admission,
            ..queue.in_units()?
        })
    }

    /// The stationary queue at this buffer; class 0 is UDP, class 1 TCP.
    pub fn solve(&self, buffer: Bytes) -> Result<BulkSolution, SolveError> {
        self.service.solve(&self.queue(buffer)?)
    }

    /// Loss against buffer, with the anomalous region; buffers ascending.
    pub fn curve(&self, buffers: &[Bytes]) -> Result<Curve, SolveError> {
        let points: Result<Vec<CurvePoint>, SolveError> =
            buffers.iter().map(|&b| self.point(b)).collect();
        let points = points?;
        Ok(Curve {
            region: largest_rise(&points),
            points,
        })
    }

    fn point(&self, buffer: Bytes) -> Result<CurvePoint, SolveError> {
        let solution = self.solve(buffer)?;
        Ok(CurvePoint {
            buffer,
            tcp_load: self.tcp_load(buffer),
            udp_loss: solution.classes[0].loss_customers,
            tcp_loss: solution.classes[1].loss_bulks,
            tcp_volume_loss: solution.classes[1].loss_customers,
            empty: solution.queue.probabilities()[0],
        })
    }

    fn check(&self) -> Result<(), SolveError> {
        Range::POSITIVE.check("udp_load", self.udp_load)?;
        Range::NON_NEGATIVE.check("tcp_saturation_load", self.tcp_saturation_load)?;
        for (name, size) in [
            ("b_star", self.b_star),
            ("udp_packet", self.udp_packet),
            ("tcp_packet", self.tcp_packet),
        ] {
            Range::at_least(1.0).check(name, size.get() as f64)?;
        }
        Ok(())
    }
}

/// The pair of buffers, smaller first, with the largest ratio of losses.
fn largest_rise(points: &[CurvePoint]) -> Option<Region> {
    let mut foot = points.first()?;
    let mut best: Option<Region> = None;
    for point in points {
        if point.udp_loss < foot.udp_loss {
            foot = point;
        }
        let depth = point.udp_loss / foot.udp_loss;
        if depth > best.map_or(1.0, |r| r.depth) {
            best = Some(Region {
                from: foot.buffer,
                to: point.buffer,
                depth,
            });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kilobytes(range: std::ops::RangeInclusive<u64>) -> Vec<Bytes> {
        range.map(|kb| Bytes(kb * 1000)).collect()
    }

    #[test]
    fn effective_buffer_has_its_extremes_where_computed() {
        let effective = EffectiveBuffer::new(0.05, 7.0).unwrap();
        let (maximum, minimum) = effective.falling().unwrap();
        assert!((maximum / 8.1864477 - 1.0).abs() < 1e-8, "{maximum:?}");
        assert!((minimum / 28.449665 - 1.0).abs() < 1e-8, "{minimum:?}");
        assert!(
            (effective.total(maximum) / 2.8243102 - 1.0).abs() < 1e-7,
            "{:?}",
            effective.total(maximum)
        );
        assert!(
            (effective.total(minimum) / 1.8867041 - 1.0).abs() < 1e-7,
            "{:?}",
            effective.total(minimum)
        );
        assert!(EffectiveBuffer::new(0.12, 7.0).unwrap().falling().is_none());
    }

    #[test]
    fn loss_falls_to_8_kb_and_rises_from_9_to_30_as_in_fig_10() {
        let curve = Anomaly::default().curve(&kilobytes(1..=50)).unwrap();
        let loss: Vec<f64> = curve.points.iter().map(|p| p.udp_loss).collect();
        assert!(loss[..8].is_sorted_by(|a, b| a > b), "1 to 8 KB fall");
        assert!(loss[7..30].is_sorted_by(|a, b| a < b), "8 to 30 KB rise");
        assert!(loss[29..].is_sorted_by(|a, b| a > b), "30 to 50 KB fall");
        let region = curve.region.unwrap();
        assert!(
            (region.depth / (7.2703426e-4 / 1.8551626e-4) - 1.0).abs() < 1e-6,
            "{:?} and {:?}",
            region.depth,
            7.2703426e-4 / 1.8551626e-4
        );
    }

    #[test]
    fn tcp_load_is_the_computed_one() {
        for (kb, load) in [(1, 0.125135), (8, 0.640228), (30, 0.927062), (50, 0.939257)] {
            let ours = Anomaly::default().tcp_load(Bytes(kb * 1000));
            assert!((ours - load).abs() < 5e-7, "{kb}");
        }
    }

    #[test]
    fn tcp_packets_that_lose_a_part_and_tcp_bytes_lost_are_told_apart() {
        let whole = Anomaly::default().curve(&kilobytes(1..=20)).unwrap();
        let same = |p: &CurvePoint| (p.tcp_loss / p.tcp_volume_loss - 1.0).abs() < 1e-9;
        assert!(whole.points.iter().all(same));
        let partial = Anomaly {
            admission: Admission::PartialAcceptance,
            ..Anomaly::default()
        };
        let curve = partial.curve(&kilobytes(1..=20)).unwrap();
        // A packet may lack just one place of five, so the difference is at least a fifth.
        let apart = |p: &CurvePoint| {
            let share = p.tcp_volume_loss / p.tcp_loss;
            (0.2..1.0).contains(&share)
        };
        assert!(curve.points.iter().all(apart));
    }

    #[test]
    fn without_tcp_there_is_no_anomaly() {
        let alone = Anomaly {
            tcp_saturation_load: 0.0,
            ..Anomaly::default()
        };
        let curve = alone.curve(&kilobytes(1..=10)).unwrap();
        assert_eq!(curve.region, None);
    }

    #[test]
    fn the_anomaly_remains_under_deterministic_service() {
        let fixed = Anomaly {
            service: Service::Deterministic,
            ..Anomaly::default()
        };
        let region = fixed.curve(&kilobytes(1..=50)).unwrap().region.unwrap();
        assert!(region.depth > 2.0, "{region:?}");
    }
}
