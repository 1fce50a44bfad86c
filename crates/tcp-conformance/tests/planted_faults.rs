//! Faults planted in a sound control: each is found by the criterion that it concerns.

use std::sync::atomic::{AtomicU32, Ordering};

use pacesim_tcp::{
    AckSample, Config, CongestionControl, LossKind, LossSample, OwnControl, Setup, Variant,
};
use pacesim_tcp_conformance::{Report, check};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// The window never shrinks below this.
    Deaf(f64),
    /// A growth of this many packets for each one acknowledged, without an end.
    Greedy(f64),
    /// The window never grows.
    Still,
    /// Growth in proportion to the window: slow from a small window.
    Proportional,
    /// Losses shrink the window to a fraction of a packet.
    Fraction,
    /// Each loss shrinks the window by a share that depends on a global count.
    Moody,
}

/// Slow start and congestion avoidance with half a window after a loss.
#[derive(Debug)]
struct Halving {
    window: f64,
    ssthresh: f64,
    fault: Fault,
}

static MOOD: AtomicU32 = AtomicU32::new(0);

impl CongestionControl for Halving {
    fn window(&self) -> f64 {
        self.window
    }
    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }
    fn least_window(&self) -> f64 {
        0.1
    }
    fn on_ack(&mut self, ack: &AckSample) {
        let acked = f64::from(ack.acked);
        self.window += match self.fault {
            Fault::Greedy(packets) => packets * acked,
            Fault::Still => 0.0,
            Fault::Proportional => 0.01 * acked,
            _ if ack.window_unused => 0.0,
            _ if self.window < self.ssthresh => acked,
            _ => acked / self.window,
        };
    }
    fn on_loss(&mut self, loss: &LossSample) {
        let share = match self.fault {
            Fault::Moody => 0.3 + 0.05 * f64::from(MOOD.fetch_add(1, Ordering::Relaxed) % 5),
            _ => 0.5,
        };
        self.ssthresh = (f64::from(loss.in_flight) * share).max(2.0);
        let restarts = !matches!(loss.kind, LossKind::FastRetransmit);
        self.window = match self.fault {
            Fault::Deaf(least) => self.window.max(least),
            Fault::Fraction => 0.5,
            _ if restarts => 1.0,
            _ => self.ssthresh,
        };
    }
    fn restart(&mut self, window: f64) {
        self.window = window;
    }
}

fn report(fault: Fault) -> Report {
    let mut config = Config::rfc(Variant::Sack);
    let make = move |setup: &Setup| Halving {
        window: setup.window,
        ssthresh: f64::INFINITY,
        fault,
    };
    config.control = OwnControl::new("halving", make).into();
    check(&config)
}

fn failed(fault: Fault) -> Vec<&'static str> {
    let report = report(fault);
    report.failures().map(|finding| finding.criterion).collect()
}

#[test]
fn a_sound_control_passes() {
    let report = report(Fault::None);
    assert_eq!(report.failures().count(), 0, "{report}");
}

#[test]
fn each_fault_is_found() {
    let cases = [
        (Fault::Deaf(200.0), "short and long flows"),
        (Fault::Greedy(3.0), "protection against congestion collapse"),
        (Fault::Still, "sudden changes in the path"),
        (Fault::Proportional, "transient events"),
        (Fault::Fraction, "protection against high packet loss"),
        (Fault::Moody, "repeatability (not in the RFC)"),
    ];
    for (fault, criterion) in cases {
        let failed = failed(fault);
        assert!(
            failed.contains(&criterion),
            "{fault:?} fails only {failed:?}"
        );
    }
}
