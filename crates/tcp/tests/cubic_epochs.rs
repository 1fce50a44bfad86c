//! CUBIC under periodic loss: the mean window of each epoch beside RFC 9438's, integrated from the
//! epoch's own start.

use crate::path::{Drops, Part, Path, Watch, run_with};
use pacesim_tcp::{AckRule, Config, Control, Hystart, Profile, Sender, Variant};
use pacesim_units::{Rate, Span, Time};

/// C and β (RFC 9438 §5.1, §4.6), and the growth of the Reno-friendly window (§4.3).
const C: f64 = 0.4;
const BETA: f64 = 0.7;
const ALPHA: f64 = 3.0 * (1.0 - BETA) / (1.0 + BETA);

/// An epoch, from the detection of a loss to that of the next.
#[derive(Clone, Copy, Debug, Default)]
struct Epoch {
    /// The window when the loss was detected, and when the repair was complete.
    before: f64,
    after: f64,
    /// The maximum that Linux's sender remembers, which its integers decide.
    w_max: Option<f64>,
    /// Lengths of the repair and of congestion avoidance.
    repair: f64,
    avoidance: f64,
    /// The integral of the window over both.
    area: f64,
}

/// Integrates the window epoch by epoch.
struct Integral {
    last: Time,
    window: f64,
    recovering: bool,
    epochs: Vec<Epoch>,
}

impl Watch for Integral {
    fn event(&mut self, now: Time, sender: &Sender, _path: &Path) {
        let passed = now.saturating_since(self.last).as_secs_f64();
        if let Some(epoch) = self.epochs.last_mut() {
            epoch.area += passed * self.window;
            if self.recovering {
                epoch.repair += passed
            } else {
                epoch.avoidance += passed
            }
        }
        let recovering = sender.is_recovering();
        match (self.recovering, recovering) {
            (false, true) => self.epochs.push(Epoch {
                before: self.window,
                ..Epoch::default()
            }),
            (true, false) => {
                let epoch = self.epochs.last_mut().expect("a repair");
                epoch.after = sender.cwnd();
                let curve = sender.linux_state().and_then(|state| state.curve);
                epoch.w_max = curve.map(|curve| f64::from(curve.w_max));
            }
            _ => {}
        }
        (self.last, self.window, self.recovering) = (now, sender.cwnd(), recovering);
    }
}

/// The area under the RFC's window over an epoch with the maximum `w_max`.
fn area(epoch: &Epoch, w_max: f64, rtt: f64, repair: f64) -> f64 {
    let k = libm::cbrt(((w_max - epoch.after) / C).max(0.0));
    let steps = 10_000;
    let step = epoch.avoidance / f64::from(steps);
    let mut reno = epoch.after;
    let mut sum = 0.0;
    for n in 0..steps {
        let t = (f64::from(n) + 0.5) * step;
        let distance = t - k;
        let cubic = C * distance * distance * distance + w_max;
        let alpha = if reno < epoch.before { ALPHA } else { 1.0 };
        let window = cubic.max(reno);
        reno += alpha * step / rtt;
        sum += step * window;
    }
    sum + epoch.repair * repair * epoch.before
}

fn epochs(profile: Profile, loss: f64, rtt: Span) -> Vec<Epoch> {
    let mut config = Config::new(profile, Variant::Sack);
    config.control = Control::Cubic;
    config.delayed_ack = None;
    config.linux.acks = AckRule::EveryPacket;
    config.linux.hystart = Hystart::Off;
    config.initial_ssthresh = Some(20.0);
    let every = (1.0 / loss) as u32;
    let drops = Drops {
        from: Time::ZERO,
        every,
        count: u32::MAX,
        passed: 0,
    };
    let mut path = Path::new(Rate::from_mbps(100_000), rtt, 1_000_000).with(Part::Drops(drops));
    let mut integral = Integral {
        last: Time::ZERO,
        window: 0.0,
        recovering: false,
        epochs: Vec::new(),
    };
    // The mean window (RFC 9438 §5.1), and so the length of twelve epochs.
    let mean = 1.054 * libm::pow(rtt.as_secs_f64() / loss, 0.75);
    let reno = 1.5 / loss.sqrt();
    let length = 14.0 / loss / mean.max(reno) * rtt.as_secs_f64() + 20.0;
    let end = Time::ZERO + Span::from_ms((length * 1000.0) as u64);
    run_with(config, 1, &mut path, end, &mut integral);
    integral.epochs
}

/// The window of each epoch divided by the RFC's, from the second epoch on: the first follows slow start.
fn ratios(profile: Profile, loss: f64, rtt: Span) -> Vec<f64> {
    // The mean of the window in repair: the RFC reduces it at once, PRR in a round trip.
    let repair = match profile {
        Profile::Linux => (1.0 + BETA) / 2.0,
        _ => BETA,
    };
    let epochs = epochs(profile, loss, rtt);
    let mut w_max: f64 = 0.0;
    let ratios = epochs.iter().map(|epoch| {
        // Fast convergence (§4.7).
        let yields = epoch.before < w_max;
        w_max = epoch.before * if yields { (1.0 + BETA) / 2.0 } else { 1.0 };
        w_max = epoch.w_max.unwrap_or(w_max);
        epoch.area / area(epoch, w_max, rtt.as_secs_f64(), repair)
    });
    let ratios: Vec<f64> = ratios.collect();
    // The last is cut short by the end.
    ratios[1..ratios.len() - 1].to_vec()
}

fn check(profile: Profile, loss: f64, ms: u64, most: f64) {
    let ratios = ratios(profile, loss, Span::from_ms(ms));
    assert!(ratios.len() >= 10, "{} epochs", ratios.len());
    let far = ratios.iter().find(|ratio| (*ratio - 1.0).abs() > most);
    assert_eq!(
        far, None,
        "{profile:?} at a loss of {loss} and {ms} ms: {ratios:.4?}"
    );
}

#[test]
fn each_epoch_of_the_rfc_s_control_has_its_mean_window() {
    for (loss, ms) in [
        (1e-3, 100),
        (1e-3, 400),
        (1e-4, 20),
        (1e-4, 100),
        (1e-5, 100),
    ] {
        check(Profile::Rfc, loss, ms, 0.01);
    }
}

#[test]
fn each_epoch_of_linux_s_control_has_it_but_for_its_integers() {
    for (loss, ms) in [(1e-4, 20), (1e-4, 100), (1e-5, 100)] {
        check(Profile::Linux, loss, ms, 0.01);
    }
    // Windows of 40 to 140 whole packets, reduced by whole packets.
    for (loss, ms) in [(1e-3, 100), (1e-3, 400)] {
        check(Profile::Linux, loss, ms, 0.03);
    }
}

/// The curve is flat before its maximum: a cycle that ends less than a packet below it repeats
/// itself in whole packets, and a window that comes from above stays there. In real numbers it
/// continues to the window of the RFC's table, where the curve reaches its maximum as the loss
/// occurs.
#[test]
fn linux_s_window_rests_above_the_one_of_the_rfc_s_table() {
    let (loss, rtt) = (1e-4, Span::from_ms(100));
    let epochs = epochs(Profile::Linux, loss, rtt);
    let last: Vec<f64> = epochs
        .iter()
        .rev()
        .take(5)
        .map(|epoch| epoch.before)
        .collect();
    assert_eq!(last, [last[0]; 5], "it repeats itself");
    // 1/p packets in K seconds, with a mean of (1 - (1 - BETA) / 4) of the maximum.
    let of_table = |w_max: f64| {
        let k = libm::cbrt((1.0 - BETA) * w_max / C);
        (1.0 - (1.0 - BETA) / 4.0) * w_max * k / rtt.as_secs_f64()
    };
    assert!(of_table(202.0) < 1.0 / loss && of_table(203.0) > 1.0 / loss);
    assert!((225.0..240.0).contains(&last[0]), "{}", last[0]);
}
