//! A user's own congestion control.

use std::sync::Arc;

use pacesim_tcp::{
    AckSample, Amount, Config, CongestionControl, LossSample, OwnControl, Pacing, Receiver, Sender,
    Setup, Variant,
};
use pacesim_units::{Rate, Span, Time};

/// A window that never changes, and a rate that it requests.
#[derive(Debug)]
struct Constant {
    window: f64,
    rate: Option<Rate>,
}

impl CongestionControl for Constant {
    fn window(&self) -> f64 {
        self.window
    }
    fn ssthresh(&self) -> f64 {
        f64::INFINITY
    }
    fn on_ack(&mut self, _: &AckSample) {}
    fn on_loss(&mut self, _: &LossSample) {}
    fn restart(&mut self, _: f64) {}
    fn pacing_rate(&self) -> Option<Rate> {
        self.rate
    }
}

fn sender(pacing: Pacing, rate: Option<Rate>) -> Sender {
    let mut config = Config::rfc(Variant::Sack);
    config.syn = false;
    config.pacing = pacing;
    let constant = move |_: &Setup| Constant { window: 4.0, rate };
    config.control = OwnControl::new("constant", constant).into();
    let mut sender = Sender::new(&Arc::new(config), Span::ZERO);
    sender.on_data(Time::ZERO, Amount::Endless).expect("data");
    sender
}

#[test]
fn its_window_is_obeyed() {
    let mut sender = sender(Pacing::Off, None);
    let mut receiver = Receiver::new(sender.config());
    let sent: Vec<_> = std::iter::from_fn(|| sender.poll_transmit(Time::ZERO)).collect();
    assert_eq!(sent.len(), 4);
    let now = Time::ZERO + Span::from_ms(10);
    let ack = receiver
        .on_data(now, 0, Time::ZERO)
        .expect("the first is answered at once");
    sender.on_ack(now, &ack);
    let more: Vec<u32> = std::iter::from_fn(|| sender.poll_transmit(now))
        .map(|s| s.seq)
        .collect();
    assert_eq!(more, [4]);
}

#[test]
fn its_rate_is_obeyed() {
    // 1500 B on the wire at 12 Mb/s: one packet a millisecond.
    let mut sender = sender(Pacing::Controller, Some(Rate::from_mbps(12)));
    let mut times = Vec::new();
    let mut now = Time::ZERO;
    while times.len() < 4 {
        sender.on_timer(now);
        while sender.poll_transmit(now).is_some() {
            times.push(now);
        }
        now = sender.next_timeout().expect("a timer");
    }
    let ms = [0, 1, 2, 3].map(|n| Time::ZERO + Span::from_ms(n));
    assert_eq!(times, ms);
}
