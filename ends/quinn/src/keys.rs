//! The keys of flows over quinn.

use std::sync::Arc;

use pacesim_app::{PartKeys, Wrong, table, words};
use quinn_proto::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use quinn_proto::{AckFrequencyConfig, TransportConfig};

use crate::guest;

words! {
    /// The congestion control of the sending end.
    pub enum Control {
        Cubic "cubic", "quinn's CUBIC";
        NewReno "newreno", "quinn's NewReno";
        Bbr "bbr", "quinn's BBR, which draws from the system; see irreproducible";
        PacesimCubic "pacesim_cubic", "CUBIC as pacesim's TCP has it in profile rfc (RFC 9438)";
        PacesimReno "pacesim_reno", "Reno as pacesim's TCP has it in profile rfc (RFC 5681)";
    }
}

words! {
    /// The times at which datagrams leave.
    pub enum Pacing {
        Window "window", "when quinn's pacer lets them: bursts of ten, and 1.25 windows per round trip";
        Rate "rate", "besides, no faster than the rate that the control computes, as if the system's queue paced them; of quinn's controls only bbr computes one";
    }
}

table! {
    /// QUIC by quinn: one stream for each transfer, sent in their order. The headers of IPv4 and UDP take
    /// 28 B of packet_size.
    pub struct Keys "quinn" {
        control: Control, (= "cubic"), "The congestion control.", "newreno";
        pacing: Pacing, (= "window"), "The times at which datagrams leave.", "rate";
        mtu_discovery: bool, (= "false"), "Begin with datagrams of 1200 B and search for larger ones, up to packet_size, as quinn does by default; otherwise all have the full size.", "true";
        ack_frequency: bool, (= "false"), "Negotiate the extension by which the sender controls the delay of acknowledgements.", "true";
        irreproducible: bool, (= "false"), "Allow a control whose random numbers no seed reaches: two runs may differ.", "true";
    }
}

impl PartKeys for Keys {
    fn wrong(&self) -> Vec<Wrong> {
        let leaks = self.control == Control::Bbr && !self.irreproducible;
        let wrong = Wrong {
            key: "control",
            reason: "quinn's BBR draws random numbers from the system, which no seed reaches"
                .to_owned(),
            remedy: "give cubic or newreno, or irreproducible = true".to_owned(),
        };
        let has_no_rate = self.pacing == Pacing::Rate && self.control != Control::Bbr;
        let idle = Wrong {
            key: "pacing",
            reason: "this control computes no rate".to_owned(),
            remedy: "leave it out, or give control = \"bbr\"".to_owned(),
        };
        let both = [(leaks, wrong), (has_no_rate, idle)];
        let found = both.into_iter().filter(|(is_wrong, _)| *is_wrong);
        found.map(|(_, wrong)| wrong).collect()
    }
}

impl Keys {
    /// The library's configuration of a connection, for datagrams of at most `mtu` bytes.
    pub(crate) fn transport(&self, mtu: u16) -> TransportConfig {
        let mut config = TransportConfig::default();
        if self.mtu_discovery {
            let mut discovery = quinn_proto::MtuDiscoveryConfig::default();
            discovery.upper_bound(mtu);
            config.mtu_discovery_config(Some(discovery));
        } else {
            config.initial_mtu(mtu).mtu_discovery_config(None);
        }
        if self.ack_frequency {
            config.ack_frequency_config(Some(AckFrequencyConfig::default()));
        }
        // Applications pause, and one datagram a call keeps sizes as they are.
        config
            .max_idle_timeout(None)
            .enable_segmentation_offload(false)
            .send_fairness(false)
            .max_concurrent_uni_streams(10_000_u32.into())
            .congestion_controller_factory(self.control.factory());
        config
    }
}

impl Control {
    fn factory(self) -> Arc<dyn ControllerFactory + Send + Sync> {
        match self {
            Control::Cubic => Arc::new(CubicConfig::default()),
            Control::NewReno => Arc::new(NewRenoConfig::default()),
            Control::Bbr => Arc::new(BbrConfig::default()),
            Control::PacesimCubic => Arc::new(guest::CUBIC),
            Control::PacesimReno => Arc::new(guest::RENO),
        }
    }
}
