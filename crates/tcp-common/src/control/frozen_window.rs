//! A window that acknowledgements no longer open.

use pacesim_units::{Rate, Time};

use super::{AckSample, CongestionControl, Controller, LossSample, SentSample};

/// Another control, which is notified of everything except acknowledgements of new data.
#[derive(Debug)]
pub(super) struct FrozenWindow(pub(super) Controller);

impl CongestionControl for FrozenWindow {
    fn window(&self) -> f64 {
        self.0.window()
    }
    fn ssthresh(&self) -> f64 {
        self.0.ssthresh()
    }
    fn on_ack(&mut self, _sample: &AckSample) {}
    fn on_loss(&mut self, sample: &LossSample) {
        self.0.on_loss(sample);
    }
    fn restart(&mut self, window: f64) {
        self.0.restart(window);
    }
    fn deflate(&mut self, packets: f64) {
        self.0.deflate(packets);
    }
    fn least_window(&self) -> f64 {
        self.0.least_window()
    }
    fn on_recovered(&mut self, in_flight: u32) {
        self.0.on_recovered(in_flight);
    }
    fn on_recovery_end(&mut self, now: Time) {
        self.0.on_recovery_end(now);
    }
    fn on_sent(&mut self, sample: &SentSample) {
        self.0.on_sent(sample);
    }
    fn pacing_rate(&self) -> Option<Rate> {
        self.0.pacing_rate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Variant};
    use crate::control::Control;
    use crate::control::LossKind;
    use pacesim_units::Time;

    #[test]
    fn a_window_that_stands_still_is_only_cut() {
        let mut control = Controller::new(&Control::Reno, &Config::rfc(Variant::Reno).setup(8.0));
        control.stop_growing();
        control.on_ack(&AckSample::new(Time::ZERO, 1));
        assert_eq!(control.window(), 8.0);
        control.on_loss(&LossSample::new(Time::ZERO, LossKind::FastRetransmit, 8));
        assert_eq!(control.window(), 4.0);
    }
}
