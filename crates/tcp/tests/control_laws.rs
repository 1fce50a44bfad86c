//! The laws of congestion controls: ours keep them, and each planted fault is caught.

use pacesim_tcp::{AckSample, CongestionControl, Halving, LossSample, Reno, laws};

fn first_violation<C: CongestionControl>(make: impl Fn() -> C) -> Option<laws::Violation> {
    (0..20).find_map(|seed| laws::check(&make, &laws::random_events(seed, 500)).err())
}

#[test]
fn reno_keeps_the_laws_in_both_forms() {
    for halving in [Halving::Window, Halving::Flight] {
        assert_eq!(first_violation(|| Reno::ns2(2.0, 20.0, halving)), None);
        assert_eq!(
            first_violation(|| Reno::rfc(10.0, f64::INFINITY, halving)),
            None
        );
    }
}

/// One packet more for each ACK, half at a loss, and one planted fault of these.
#[derive(Debug)]
struct Faulty {
    window: f64,
    step: f64,
    cut: f64,
    deaf: bool,
}

const SOUND: Faulty = Faulty {
    window: 1.0,
    step: 1.0,
    cut: 0.5,
    deaf: false,
};

impl CongestionControl for Faulty {
    fn window(&self) -> f64 {
        self.window
    }
    fn ssthresh(&self) -> f64 {
        f64::INFINITY
    }
    fn on_ack(&mut self, _: &AckSample) {
        self.window += self.step;
    }
    fn on_loss(&mut self, _: &LossSample) {
        self.window = (self.window * self.cut).max(1.0);
    }
    fn restart(&mut self, window: f64) {
        if !self.deaf {
            self.window = window;
        }
    }
}

fn law_broken(make: impl Fn() -> Faulty) -> Option<&'static str> {
    first_violation(make).map(|violation| violation.law)
}

#[test]
fn each_law_catches_its_fault() {
    assert_eq!(law_broken(|| SOUND), None);
    assert_eq!(
        law_broken(|| Faulty {
            step: -0.25,
            ..SOUND
        }),
        Some("bounds")
    );
    assert_eq!(
        law_broken(|| Faulty {
            step: f64::NAN,
            ..SOUND
        }),
        Some("bounds")
    );
    assert_eq!(
        law_broken(|| Faulty {
            deaf: true,
            ..SOUND
        }),
        Some("start")
    );
    assert_eq!(law_broken(|| Faulty { cut: 1.5, ..SOUND }), Some("loss"));
    let made = std::cell::Cell::new(0.0);
    let unlike = || {
        made.set(made.get() + 0.125);
        Faulty {
            step: 1.0 + made.get(),
            ..SOUND
        }
    };
    assert_eq!(law_broken(unlike), Some("sameness"));
}
