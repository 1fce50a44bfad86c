//! The controls of rate and window, behind one interface.

use pacesim_datacentre::dcqcn::Dcqcn;
use pacesim_datacentre::dctcp_rate::DctcpRate;
use pacesim_datacentre::hpcc::{Hop, HpccRate, HpccWindow, IntFormat, MOST_HOPS};
use pacesim_datacentre::swift::{Swift, SwiftHtsim};
use pacesim_datacentre::timely::Timely;
use pacesim_units::telemetry::Telemetry;
use pacesim_units::{Bytes, Rate, Span, Time};

use crate::config::ControlConfig;

/// An answer, as controls see it.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The byte before which all have arrived, and how many of these are new.
    pub acked: u64,
    /// The bytes that it acknowledges for the first time.
    pub new_bytes: u64,
    /// The byte that is to be sent next.
    pub next: u64,
    /// True if it tells of a mark.
    pub is_marked: bool,
    /// The time since the packet that it answers was sent.
    pub round_trip: Span,
    /// Number of links on the way of data.
    pub hops: u32,
    /// Telemetry of the packet that it answers.
    pub telemetry: Option<&'a Telemetry>,
}

/// The state of a control.
#[allow(
    clippy::large_enum_variant,
    reason = "one for each connection, and no indirection on its answers"
)]
#[derive(Clone, Debug)]
pub enum Control {
    /// None: the rate of the line.
    Line(Rate),
    /// DCQCN.
    Dcqcn(Dcqcn),
    /// HPCC's rate, and the format of its telemetry.
    HpccRate(HpccRate, IntFormat),
    /// HPCC's window.
    HpccWindow(HpccWindow),
    /// TIMELY, and the byte after whose answer the next sample counts.
    Timely(Timely, u64),
    /// DCTCP as a rate.
    DctcpRate(DctcpRate),
    /// Swift of its paper, the bytes of a packet, and the rate of the line.
    Swift(Swift, Bytes, Rate),
    /// Swift of htsim, and the rate of the line.
    SwiftHtsim(SwiftHtsim, Rate),
}

impl Control {
    /// A control at its start; a full packet has `payload` bytes of data.
    pub fn new(config: &ControlConfig, payload: Bytes, line: Rate) -> Control {
        match *config {
            ControlConfig::Line => Control::Line(line),
            ControlConfig::Dcqcn(config) => Control::Dcqcn(Dcqcn::new(config)),
            ControlConfig::HpccRate(config) => {
                Control::HpccRate(HpccRate::new(config), config.format)
            }
            ControlConfig::HpccWindow(config) => Control::HpccWindow(HpccWindow::new(config)),
            ControlConfig::Timely(config) => Control::Timely(Timely::new(config), 0),
            ControlConfig::DctcpRate(config) => Control::DctcpRate(DctcpRate::new(config)),
            ControlConfig::Swift(config) => Control::Swift(Swift::new(config), payload, line),
            ControlConfig::SwiftHtsim(config) => Control::SwiftHtsim(SwiftHtsim::new(config), line),
        }
    }

    /// An answer has arrived.
    pub fn answer(&mut self, now: Time, answer: &Answer<'_>) {
        let Answer { acked, next, .. } = *answer;
        match self {
            Control::Line(_) => {}
            Control::Dcqcn(dcqcn) => {
                if answer.is_marked {
                    dcqcn.cnp(now);
                }
            }
            Control::HpccRate(hpcc, format) => {
                let (hops, len) = hops(answer.telemetry, *format);
                hpcc.ack(acked, next, &hops[..len]);
            }
            Control::HpccWindow(hpcc) => {
                let (hops, len) = hops(answer.telemetry, IntFormat::Exact);
                hpcc.ack(acked, next, &hops[..len]);
            }
            Control::Timely(timely, updated_at) => {
                if acked > *updated_at {
                    timely.sample(answer.round_trip);
                    *updated_at = next.max(*updated_at);
                }
            }
            Control::DctcpRate(dctcp) => dctcp.ack(acked, next, answer.is_marked),
            Control::Swift(swift, payload, _) => {
                let packets = answer.new_bytes as f64 / payload.get() as f64;
                let round_trip = answer.round_trip;
                swift.ack(now, round_trip, packets, answer.hops, round_trip);
            }
            Control::SwiftHtsim(swift, _) => {
                let bytes = Bytes(answer.new_bytes);
                swift.ack(now, answer.round_trip, bytes, answer.hops);
            }
        }
    }

    /// A packet of so many bytes with its headers was sent.
    pub fn sent(&mut self, size: Bytes) {
        if let Control::Dcqcn(dcqcn) = self {
            dcqcn.sent(size);
        }
    }

    /// A packet was refused, or the timer expired.
    pub fn lost(&mut self, now: Time, round_trip: Span, by_timer: bool) {
        if let Control::Swift(swift, ..) = self {
            match by_timer {
                true => swift.timed_out(now, round_trip),
                false => swift.lost(now, round_trip),
            }
        }
    }

    /// The time of its next timer.
    pub fn next_wake(&self) -> Option<Time> {
        match self {
            Control::Dcqcn(dcqcn) => dcqcn.next_wake(),
            _ => None,
        }
    }

    /// Time has passed: all timers due take effect.
    pub fn wake(&mut self, now: Time) {
        if let Control::Dcqcn(dcqcn) = self {
            while dcqcn.wake(now).is_some() {}
        }
    }

    /// The rate at which packets follow each other.
    pub fn rate(&self) -> Rate {
        match self {
            Control::Line(line) | Control::Swift(_, _, line) | Control::SwiftHtsim(_, line) => {
                *line
            }
            Control::Dcqcn(dcqcn) => dcqcn.rate(),
            Control::HpccRate(hpcc, _) => hpcc.rate(),
            Control::HpccWindow(hpcc) => hpcc.rate(),
            Control::Timely(timely, _) => timely.rate(),
            Control::DctcpRate(dctcp) => dctcp.rate(),
        }
    }

    /// The time from one packet to the next, if that is not the packet's time at the rate: a window
    /// of less than a packet.
    pub fn gap(&self) -> Option<Span> {
        match self {
            Control::Swift(swift, ..) if swift.window() < 1.0 => {
                Some(Span::from_ps(swift.pacing_ps() as u64))
            }
            Control::SwiftHtsim(swift, _) => Some(swift.pacing()).filter(|gap| !gap.is_zero()),
            _ => None,
        }
    }

    /// The most bytes of data in flight; at least one packet may always be.
    pub fn window(&self) -> Option<u64> {
        match self {
            Control::HpccRate(hpcc, _) => Some(hpcc.window().get()),
            Control::HpccWindow(hpcc) => Some(hpcc.window() as u64),
            Control::Swift(swift, payload, _) => {
                Some((swift.window() * payload.get() as f64) as u64)
            }
            Control::SwiftHtsim(swift, _) => Some(swift.window().get()),
            _ => None,
        }
    }

    /// The rate that it aims at, if it has one beside its rate.
    pub fn target_bps(&self) -> Option<f64> {
        match self {
            Control::Dcqcn(dcqcn) => Some(dcqcn.target_bps()),
            Control::HpccRate(hpcc, _) => Some(hpcc.reference_bps() as f64),
            _ => None,
        }
    }

    /// The estimate of congestion from marks, from 0 to 1.
    pub fn alpha(&self) -> Option<f64> {
        match self {
            Control::Dcqcn(dcqcn) => Some(dcqcn.alpha()),
            Control::DctcpRate(dctcp) => Some(dctcp.alpha()),
            _ => None,
        }
    }

    /// The utilisation of the busiest hop.
    pub fn utilisation(&self) -> Option<f64> {
        match self {
            Control::HpccRate(hpcc, _) => Some(hpcc.utilisation()),
            Control::HpccWindow(hpcc) => Some(hpcc.utilisation()),
            _ => None,
        }
    }

    /// The delay that it aims at.
    pub fn target_delay(&self) -> Option<Span> {
        match self {
            Control::Swift(swift, ..) => Some(Span::from_ps(swift.target_ps() as u64)),
            Control::SwiftHtsim(swift, _) => Some(swift.target()),
            _ => None,
        }
    }
}

/// The records as controls read them.
fn hops(telemetry: Option<&Telemetry>, format: IntFormat) -> ([Hop; MOST_HOPS], usize) {
    let mut hops = [Hop::default(); MOST_HOPS];
    let records = telemetry.into_iter().flat_map(Telemetry::hops);
    let mut len = 0;
    for (place, record) in hops.iter_mut().zip(records) {
        *place = format.carried(Hop {
            at_ns: (record.at.as_ps() / 1000) as i64,
            sent: record.sent,
            queued: record.queued,
            line_bps: record.rate.as_bps(),
        });
        len += 1;
    }
    (hops, len)
}
