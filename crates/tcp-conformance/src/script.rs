//! Scripted cases in JSON: writes of the application and acknowledgements of the peer, the
//! transmissions that must follow, and the state of the sender.
//!
//! ```
//! use pacesim_tcp_conformance::script::Script;
//!
//! let script = Script::parse(
//!     r#"{
//!         "mss_bytes": 1000,
//!         "start": {"peer": {"sack": true}, "handshake_rtt_ms": 100, "window_bytes": 65536},
//!         "events": [
//!             {"t": 0, "app": 30, "sends": [[1, 10]], "cwnd": 10},
//!             {"t": 100, "ack": 2, "sends": [[11, 14]], "cwnd": 12}
//!         ]
//!     }"#,
//! )?;
//! script.play(script.config())?;
//! # Ok::<(), pacesim_tcp_conformance::script::Mismatch>(())
//! ```
//!
//! Segment k is the k-th of the data, times are in milliseconds since the first of them. An event has
//! `app` (segments written), `ack` (the segment acknowledged, 0 for a duplicate of the first) with
//! `sack` (ranges of segments, or of bytes as `["bytes", 4000, 4001]`, the second one excluded, of which
//! whole segments count), `ece` and `wnd` (the receiver's window in bytes), or `acks` (a row of
//! acknowledgements `from` one `to` another by `step`, `every_ms`, and `then` the state); `sends`
//! names the segments that leave at once, or `within` two times after the event before. All other keys
//! of [`STATE`] are compared with [`LinuxState`].

mod drill;
mod keys;

use std::fmt;

use pacesim_tcp::{AfterIdle, Config, Hystart, LinuxState, Pacing, Variant};
use pacesim_units::Bytes;
use serde_json::Value;

/// Keys of a sender's state; `ecn` is the field of the segments that leave.
pub const STATE: [&str; 9] = [
    "cwnd",
    "ssthresh",
    "state",
    "lost",
    "sacked",
    "unacked",
    "retrans",
    "reordering",
    "ecn",
];

/// A scripted case.
#[derive(Clone, Debug)]
pub struct Script {
    case: Value,
}

/// A script that is not valid, or the first event that a sender does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(pub(crate) String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mismatch {}

impl Script {
    /// Reads a case; unknown keys, and values that a key cannot have, are refused.
    pub fn parse(text: &str) -> Result<Script, Mismatch> {
        let case: Value = serde_json::from_str(text).map_err(|why| Mismatch(why.to_string()))?;
        keys::check_case(&case)?;
        if number(&case, "mss_bytes").is_none_or(|bytes| bytes < 1.0) {
            return Err(Mismatch("a case needs mss_bytes".to_owned()));
        }
        let events = case.get("events").and_then(Value::as_array);
        let events = events.ok_or_else(|| Mismatch("a case needs events".to_owned()))?;
        for event in events {
            keys::check_event(event)?;
            if number(event, "t").is_none() {
                return Err(Mismatch(format!("{event} has no time t")));
            }
        }
        Ok(Script { case })
    }

    /// The title, if the case has one.
    pub fn title(&self) -> &str {
        self.case["title"].as_str().unwrap_or("")
    }

    /// Linux's sender with the settings of the case.
    pub fn config(&self) -> Config {
        let start = &self.case["start"];
        let payload = self.payload();
        let settings = self.case["config"].as_str().unwrap_or("");
        let mut config = Config::linux(match keys::is_set(&start["peer"]["sack"]) {
            Some(false) => Variant::NewReno,
            _ => Variant::Sack,
        });
        config.payload = Bytes(payload);
        config.linux.hz = Some(1000);
        config.linux.stamps = false;
        // The recorded cases assume the HyStart of Linux 6.8, and do not hold for later kernels.
        config.linux.hystart = Hystart::Linux68;
        config.linux.ecn = keys::is_set(&start["peer"]["ecn"]).unwrap_or(false);
        if let Some(window) = number(start, "cwnd") {
            config.initial_window = window;
        }
        config.window_cap = match number(start, "window_bytes") {
            Some(bytes) => (bytes / payload as f64).floor(),
            None => 1000.0,
        };
        if !settings.contains("slow_start_after_idle=1") {
            config.after_idle = AfterIdle::Keep;
        }
        if settings.contains("qdisc fq") {
            config.pacing = Pacing::Linux;
        }
        config
    }

    /// Plays the case to a sender.
    pub fn play(&self, config: Config) -> Result<(), Mismatch> {
        let played = drill::play(&self.case, config);
        played.map_err(Mismatch)
    }

    fn payload(&self) -> u64 {
        self.case["mss_bytes"]
            .as_f64()
            .map_or(1, |bytes| bytes as u64)
    }
}

fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key).and_then(Value::as_f64)
}

/// Keys of [`STATE`], each with its value for a sender.
fn values(state: &LinuxState) -> [(&'static str, String); 8] {
    let names = ["open", "disorder", "cwr", "recovery", "loss"];
    let ssthresh = state.ssthresh;
    [
        ("cwnd", state.cwnd.to_string()),
        (
            "ssthresh",
            ssthresh.map_or("infinite".to_owned(), |n| n.to_string()),
        ),
        ("state", names[usize::from(state.state)].to_owned()),
        ("lost", state.lost.to_string()),
        ("sacked", state.sacked.to_string()),
        ("unacked", state.unacked.to_string()),
        ("retrans", state.retrans.to_string()),
        ("reordering", state.reordering.to_string()),
    ]
}
