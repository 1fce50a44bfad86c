//! The file format of traces.

use std::path::Path;
use std::sync::Arc;

use pacesim_tcp::{Clock, Config, Pacing, Variant};
use pacesim_units::{Bytes, Rate, Span, Time};
use serde::Deserialize;
use serde_json::{Map, Number, Value};

/// A time in seconds: to the nearest picosecond from its decimal digits, and
/// as the double that ns-2's clock held.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Number")]
pub(crate) struct At(pub(crate) Time, pub(crate) f64);

impl TryFrom<Number> for At {
    type Error = String;
    fn try_from(number: Number) -> Result<At, String> {
        let text = number.to_string();
        let ps = picoseconds(&text).ok_or_else(|| format!("not a time: {text}"))?;
        let seconds = number.as_f64().unwrap_or_default();
        Ok(At(Time::from_ps(ps), seconds))
    }
}

/// The picoseconds in a decimal number of seconds, rounded to the nearest.
fn picoseconds(text: &str) -> Option<u64> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    let power = exponent.parse::<i32>().ok()? - fraction.len() as i32 + 12;
    let scale = 10u128.checked_pow(power.unsigned_abs())?;
    let ps = if power >= 0 {
        digits * scale
    } else {
        (digits + scale / 2) / scale
    };
    u64::try_from(ps).ok()
}

#[derive(Deserialize)]
pub(crate) struct Trace {
    pub(crate) variant: String,
    pub(crate) sink: String,
    pub(crate) topology: Topology,
    pub(crate) npkts: u32,
    /// Times at which the application gave more packets, and their number.
    #[serde(default)]
    pub(crate) more_data: Vec<(At, u32)>,
    /// True for a sender with Wei's pacing patch.
    #[serde(default)]
    pub(crate) paced: bool,
    pub(crate) end: At,
    pub(crate) boot_time: At,
    pub(crate) ack_drops: Vec<(i64, u32)>,
    pub(crate) events: Events,
    tcp_params: Map<String, Value>,
    sink_params: Map<String, Value>,
}

#[derive(Deserialize)]
pub(crate) struct Topology {
    rate1: String,
    delay1: String,
    rate2: String,
    delay2: String,
    /// The rate of the link from the receiver to the router, if not `rate2`.
    rate_back: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Events {
    /// Time, number, whether it is a retransmission.
    pub(crate) data_tx: Vec<(At, u32, u8)>,
    /// Time, highest in order.
    pub(crate) ack_rx: Vec<(At, i64)>,
    pub(crate) sink_rx: Vec<(At, u32)>,
    /// Time, cwnd, ssthresh.
    pub(crate) win: Vec<(At, f64, u32)>,
    /// Time, rtt, 8 srtt, 4 rttvar, back-off.
    pub(crate) rtt: Vec<(At, u64, u64, u64, u32)>,
    pub(crate) rto: Vec<(At, u32)>,
    pub(crate) drop: Vec<(At, u32, String)>,
    /// Time, highest in order, place.
    pub(crate) ack_drop: Vec<(At, i64, String)>,
}

/// A link's rate and delay.
pub(crate) type Link = (Rate, Span);

impl Topology {
    /// From the sender to the router, from there to the receiver.
    pub(crate) fn links(&self) -> [Link; 2] {
        [
            link(&self.rate1, &self.delay1),
            link(&self.rate2, &self.delay2),
        ]
    }

    /// From the receiver to the router, from there to the sender.
    pub(crate) fn links_back(&self) -> [Link; 2] {
        let rate = self.rate_back.as_ref().unwrap_or(&self.rate2);
        [link(rate, &self.delay2), link(&self.rate1, &self.delay1)]
    }
}

fn link(rate: &str, delay: &str) -> Link {
    let rate = rate.replace('b', "bps").parse().expect("a rate");
    (rate, delay.parse().expect("a delay"))
}

impl Trace {
    pub(crate) fn read(path: &Path) -> Trace {
        let fail = |e: &dyn std::fmt::Display| -> ! { panic!("{}: {e}", path.display()) };
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| fail(&e));
        serde_json::from_str(&text).unwrap_or_else(|e| fail(&e))
    }

    /// The flow's configuration, from ns-2's own parameters.
    pub(crate) fn config(&self) -> Arc<Config> {
        let mut config = Config::ns2(self.variant());
        config.window_cap = self.tcp("window_");
        config.initial_window = self.tcp("windowInit_");
        config.syn = self.tcp("syn_") != 0.0;
        config.payload = Bytes(self.tcp("packetSize_") as u64);
        config.header = Bytes(self.tcp("useHeaders_") as u64 * 40);
        config.limited_transmit = self.tcp("singledup_") != 0.0;
        config.dupack_threshold = self.tcp("numdupacks_") as u32;
        config.clock = Clock::Ticks(self.seconds("tcpTick_"));
        config.min_rto = self.seconds("minrto_");
        config.max_rto = self.seconds("maxrto_");
        config.initial_rto = self.seconds("rtxcur_init_");
        let rampdown = self.tcp_params.get("rampdown_").and_then(Value::as_f64);
        config.details.rampdown = rampdown.is_some_and(|on| on != 0.0);
        if self.paced {
            config.pacing = Pacing::Window;
        }
        if self.sink.ends_with("DelAck") {
            let interval = number(&self.sink_params, "interval_");
            config.delayed_ack = Span::from_secs_f64(interval);
        }
        if config.variant.uses_sack() {
            config.max_sack_blocks = number(&self.sink_params, "maxSackBlocks_") as u8;
        }
        assert_eq!(config.validate(), []);
        Arc::new(config)
    }

    fn variant(&self) -> Variant {
        match self.variant.as_str() {
            "tahoe" => Variant::Tahoe,
            "reno" => Variant::Reno,
            "newreno" => Variant::NewReno,
            "sack" => Variant::Sack,
            "fack" => Variant::Fack,
            other => panic!("an unknown variant: {other}"),
        }
    }

    fn tcp(&self, name: &str) -> f64 {
        number(&self.tcp_params, name)
    }

    fn seconds(&self, name: &str) -> Span {
        Span::from_secs_f64(self.tcp(name)).expect("a span")
    }
}

fn number(params: &Map<String, Value>, name: &str) -> f64 {
    params
        .get(name)
        .and_then(Value::as_f64)
        .unwrap_or_else(|| panic!("no {name}"))
}
