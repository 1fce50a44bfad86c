//! A congestion control: additive increase, multiplicative decrease.
use pacesim_app::field::Probability;
use pacesim_app::tcp::{AckSample, CongestionControl, LossKind, LossSample};
use pacesim_app::{Parts, keys, laws, main_with};

keys! {
    /// Additive increase, multiplicative decrease.
    pub struct Keys "own_control" {
        decrease: f64 as Probability, (= "0.5"), "The share of the window that is left after a loss.", "0.8";
    }
}

#[derive(Debug)]
struct Aimd {
    decrease: f64,
    window: f64,
    ssthresh: f64,
}
impl CongestionControl for Aimd {
    fn window(&self) -> f64 {
        self.window
    }
    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }
    fn on_ack(&mut self, ack: &AckSample) {
        let slow_start = self.window < self.ssthresh;
        self.window += f64::from(ack.acked) / if slow_start { 1.0 } else { self.window };
    }
    fn on_loss(&mut self, loss: &LossSample) {
        self.ssthresh = (self.window * self.decrease).max(2.0);
        let found_by_acks = loss.kind == LossKind::FastRetransmit;
        self.window = if found_by_acks { self.ssthresh } else { 1.0 };
    }
    fn restart(&mut self, window: f64) {
        self.window = window;
    }
}

fn new(keys: &Keys) -> Aimd {
    Aimd {
        decrease: keys.decrease,
        window: 1.0,
        ssthresh: f64::INFINITY,
    }
}

fn main() -> std::process::ExitCode {
    main_with(Parts::new().control(|keys, _sender| new(keys)))
}
laws!(control, new);
