//! The settings of a connection.

use pacesim_datacentre::dcqcn;
use pacesim_datacentre::dctcp_rate::DctcpRateConfig;
use pacesim_datacentre::hpcc::{HpccRateConfig, HpccWindowConfig};
use pacesim_datacentre::swift::{SwiftConfig, SwiftHtsimConfig};
use pacesim_datacentre::timely::TimelyConfig;
use pacesim_units::{Bytes, Rate, Span};

/// The settings of both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Data in a full packet.
    pub payload: Bytes,
    /// Headers of each packet, telemetry included.
    pub header: Bytes,
    /// Size of an answer.
    pub answer: Bytes,
    /// Rate of the sender's line.
    pub line: Rate,
    /// Number of links on the way of data.
    pub hops: u32,
    /// True if packets may be marked.
    pub ecn: bool,
    /// The control of rate and window.
    pub control: ControlConfig,
    /// A limit on the data in flight beside that of the control.
    pub window: Option<WindowRule>,
    /// Least time between answers that tell of marks; zero lets each tell of its packet's.
    pub mark_gap: Span,
    /// The packets that are sent again after a loss.
    pub recovery: Recovery,
    /// Time without progress after which a source with data in flight takes a packet for lost.
    pub timeout: Span,
}

/// The packets that are sent again after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// All from the lost one on.
    GoBackN {
        /// Least time between refusals of the same packet.
        refusal_gap: Span,
    },
    /// The lost ones.
    Selective {
        /// The timeout with no more than [`Recovery::FEW`] packets in flight.
        timeout_of_few: Span,
    },
}

impl Recovery {
    /// The most packets in flight that are few: N of IRN's paper.
    pub const FEW: usize = 3;
}

/// A limit on the data in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRule {
    /// So many bytes.
    Fixed(Bytes),
    /// So many bytes at the rate of the line, and in proportion below.
    OfRate(Bytes),
}

/// A control with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ControlConfig {
    /// None: the rate of the line.
    Line,
    /// DCQCN in any variant.
    Dcqcn(dcqcn::Config),
    /// HPCC's rate, as in its authors' code.
    HpccRate(HpccRateConfig),
    /// HPCC's window, as in its paper.
    HpccWindow(HpccWindowConfig),
    /// TIMELY.
    Timely(TimelyConfig),
    /// DCTCP's law for a rate.
    DctcpRate(DctcpRateConfig),
    /// Swift as in its paper.
    Swift(SwiftConfig),
    /// Swift as in htsim.
    SwiftHtsim(SwiftHtsimConfig),
}

impl ControlConfig {
    /// True if the control reads telemetry of the way.
    pub fn reads_telemetry(&self) -> bool {
        matches!(
            self,
            ControlConfig::HpccRate(_) | ControlConfig::HpccWindow(_)
        )
    }
}
