//! The arguments of a controller's methods.

use pacesim::tcp::{AckSample, LossKind, LossSample};
use pacesim::units::Span;
use pyo3::prelude::*;

/// An acknowledgement of new data, as the argument of a controller's `on_ack`.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Ack {
    /// The current window, in packets.
    #[pyo3(get)]
    pub(crate) window: f64,
    pub(crate) sample: AckSample,
}

#[pymethods]
impl Ack {
    /// The time, in seconds.
    #[getter]
    fn now_s(&self) -> f64 {
        self.sample.now.as_secs_f64()
    }

    /// Packets newly acknowledged.
    #[getter]
    fn acked(&self) -> u32 {
        self.sample.acked
    }

    /// Packets beyond the acknowledgement, before anything is sent for it.
    #[getter]
    fn in_flight(&self) -> u32 {
        self.sample.in_flight
    }

    /// The round trip that it measured, if any.
    #[getter]
    fn rtt_s(&self) -> Option<f64> {
        self.sample.rtt.map(Span::as_secs_f64)
    }

    /// The smoothed round trip; zero before the first sample.
    #[getter]
    fn srtt_s(&self) -> f64 {
        self.sample.srtt.as_secs_f64()
    }

    /// True if the window was not used up, and so not tested.
    #[getter]
    fn window_unused(&self) -> bool {
        self.sample.window_unused
    }

    /// True while losses are repaired.
    #[getter]
    fn in_recovery(&self) -> bool {
        self.sample.in_recovery
    }

    /// The maximum of the window, in packets.
    #[getter]
    fn max_window(&self) -> f64 {
        self.sample.max_cwnd
    }
}

/// A loss, as the argument of a controller's `on_loss`.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Loss {
    /// The current window, in packets.
    #[pyo3(get)]
    pub(crate) window: f64,
    pub(crate) sample: LossSample,
}

#[pymethods]
impl Loss {
    /// The time, in seconds.
    #[getter]
    fn now_s(&self) -> f64 {
        self.sample.now.as_secs_f64()
    }

    /// "fast_retransmit", "fast_restart", "timeout" or "repeated_timeout".
    #[getter]
    fn kind(&self) -> &'static str {
        match self.sample.kind {
            LossKind::FastRetransmit => "fast_retransmit",
            LossKind::FastRestart => "fast_restart",
            LossKind::Timeout => "timeout",
            LossKind::RepeatedTimeout => "repeated_timeout",
            _ => "other",
        }
    }

    /// Packets sent and not known to have arrived.
    #[getter]
    fn in_flight(&self) -> u32 {
        self.sample.in_flight
    }

    /// The receiver's window, in packets.
    #[getter]
    fn max_window(&self) -> f64 {
        self.sample.window_cap
    }
}

/// The time since the last decision, as the argument of a controller's `on_interval`.
#[pyclass(frozen, get_all, module = "pacesim")]
pub(crate) struct State {
    /// The time, in seconds.
    pub(crate) now_s: f64,
    /// The time since the last decision, in seconds.
    pub(crate) interval_s: f64,
    /// The current window, in packets.
    pub(crate) window: f64,
    /// Packets beyond the last acknowledgement.
    pub(crate) in_flight: u32,
    /// Packets acknowledged since the last decision.
    pub(crate) acked: u64,
    /// Losses detected since then.
    pub(crate) losses: u64,
    /// The mean round trip since then, if any was measured.
    pub(crate) rtt_s: Option<f64>,
    /// The smoothed round trip; zero before the first sample.
    pub(crate) srtt_s: f64,
}
