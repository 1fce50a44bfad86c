//! The limit on data beyond the cumulative acknowledgement.

use crate::config::Config;
use crate::control::{CongestionControl, Controller};

/// The congestion window and the receiver's, both in packets.
#[derive(Debug)]
pub(super) struct SendWindow {
    pub(super) control: Controller,
    /// Receiver's window, in packets.
    pub(super) cap: f64,
}

impl SendWindow {
    pub(super) fn new(config: &Config) -> SendWindow {
        SendWindow {
            control: Controller::new(&config.control, &config.setup(first_window(config))),
            cap: config.window_cap,
        }
    }

    /// The congestion window.
    #[inline]
    pub(super) fn size(&self) -> f64 {
        self.control.window()
    }

    /// The usable part of the congestion window, within the receiver's, in whole packets.
    #[inline]
    pub(super) fn usable(&self) -> u32 {
        self.cut_to_cap(self.size())
    }

    /// The usable part with `more` packets added to the congestion window.
    pub(super) fn usable_with(&self, more: u32) -> u32 {
        self.cut_to_cap(self.size() + f64::from(more))
    }

    #[inline]
    fn cut_to_cap(&self, window: f64) -> u32 {
        // A comparison instead of `min`, which also handles NaN.
        let usable = if window < self.cap { window } else { self.cap };
        usable as u32
    }
}

/// The window before the first acknowledgement.
fn first_window(config: &Config) -> f64 {
    if config.syn {
        1.0
    } else {
        config.initial_window
    }
}
