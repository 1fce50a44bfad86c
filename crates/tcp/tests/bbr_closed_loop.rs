//! BBR alone on a path against the kernel's on the same path: start-up, losses, searches for the
//! minimum round trip, and the link's utilisation. The kernel's figures were measured in virtual
//! time (`tests/linux/README.md`).

use crate::path::{self, Path, Watch};
use pacesim_tcp::{Control, Sender};
use pacesim_units::{Rate, Span, Time};

/// Notes of a run.
#[derive(Debug, Default)]
struct Notes {
    /// Time at which ssthresh was first set, in milliseconds.
    startup_ends: Option<f64>,
    /// Packets dropped in the first second.
    early_drops: u32,
    /// Start and length of each search for the minimum round trip, in seconds and milliseconds.
    searches: Vec<(f64, f64)>,
    searching: Option<Time>,
    /// Idle time of the link in the first five seconds.
    idle_early: Span,
}

const WARM_UP: Time = Time::from_ps(5_000_000_000_000);

impl Watch for Notes {
    fn event(&mut self, now: Time, sender: &Sender, path: &Path) {
        let state = sender.linux_state().expect("Linux's profile");
        let Some(model) = state.model else { return };
        if state.ssthresh.is_some() && self.startup_ends.is_none() {
            self.startup_ends = Some(now.as_secs_f64() * 1e3);
        }
        if now <= Time::ZERO + Span::from_secs(1) {
            self.early_drops = path.dropped;
        }
        if now <= WARM_UP {
            self.idle_early = path.idle;
        }
        let searches = (model.pacing_gain, model.cwnd_gain) == (256, 256);
        match self.searching {
            None if searches => self.searching = Some(now),
            Some(since) if !searches => {
                let length = now.saturating_since(since).as_secs_f64() * 1e3;
                self.searches.push((since.as_secs_f64(), length));
                self.searching = None;
            }
            _ => {}
        }
    }
}

struct Run {
    notes: Notes,
    utilisation: f64,
}

fn run(control: Control, mbps: u64, rtt_ms: u64, buffer: usize, seconds: u64, seed: u64) -> Run {
    let mut path = Path::new(Rate::from_mbps(mbps), Span::from_ms(rtt_ms), buffer);
    let end = Time::ZERO + Span::from_secs(seconds);
    let mut notes = Notes::default();
    path::run(control, seed, &mut path, end, &mut notes);
    let idle = path.idle.saturating_sub(notes.idle_early).as_secs_f64();
    Run {
        utilisation: 1.0 - idle / (seconds as f64 - 5.0),
        notes,
    }
}

/// The kernel's run: path, length of the run, utilisation after five seconds, end of start-up in
/// milliseconds, drops in the first second, starts of searches in seconds.
struct Kernel {
    control: Control,
    path: (u64, u64, usize),
    seconds: u64,
    utilisation: f64,
    slack: f64,
    startup_ends: Option<f64>,
    early_drops: Option<u32>,
    searches: &'static [f64],
}

fn kernel() -> Vec<Kernel> {
    let case = |control: &Control, path, seconds, utilisation| Kernel {
        control: control.clone(),
        path,
        seconds,
        utilisation,
        slack: 0.003,
        startup_ends: None,
        early_drops: None,
        searches: &[],
    };
    vec![
        Kernel {
            startup_ends: Some(453.796),
            early_drops: Some(74),
            searches: &[10.044, 20.30],
            ..case(&Control::Bbr, (10, 40, 33), 30, 0.9825)
        },
        Kernel {
            startup_ends: Some(529.396),
            early_drops: Some(0),
            ..case(&Control::Bbr, (10, 40, 133), 25, 0.9781)
        },
        case(&Control::Bbr, (10, 40, 8), 20, 0.9842),
        // A search begins with the packets then in flight, and may wait until they drain.
        Kernel {
            slack: 0.005,
            ..case(&Control::Bbr, (20, 100, 167), 25, 0.9672)
        },
        Kernel {
            startup_ends: Some(379.822),
            early_drops: Some(18),
            searches: &[5.04, 10.27, 15.53],
            ..case(&Control::Bbr3, (10, 40, 33), 30, 0.9692)
        },
        Kernel {
            startup_ends: Some(459.022),
            early_drops: Some(0),
            searches: &[5.05, 10.27, 15.53],
            ..case(&Control::Bbr3, (10, 40, 133), 25, 0.9692)
        },
        Kernel {
            searches: &[5.04, 10.28, 15.51],
            ..case(&Control::Bbr3, (10, 40, 8), 20, 0.9682)
        },
        Kernel {
            searches: &[5.10, 10.36, 15.62],
            ..case(&Control::Bbr3, (20, 100, 167), 25, 0.9630)
        },
        Kernel {
            searches: &[5.01, 10.22],
            ..case(&Control::Bbr3, (50, 10, 42), 15, 0.971)
        },
        case(&Control::Bbr3, (2, 200, 33), 25, 0.956),
    ]
}

/// Utilisation to 0.3 %, start-up to an ACK (1.2 ms), searches to 0.1 s in version 1, where they
/// wait in part for a random phase, and 50 ms in version 3, each 200 ms and a round long.
#[test]
fn a_flow_alone_does_what_the_kernel_s_does() {
    for kernel in kernel() {
        let Kernel {
            control,
            path: (mbps, rtt, buffer),
            ..
        } = &kernel;
        for seed in 0..3 {
            let run = run(control.clone(), *mbps, *rtt, *buffer, kernel.seconds, seed);
            let what = format!(
                "{control:?}, {mbps} Mbit/s, {rtt} ms, {buffer}: {:?}",
                run.notes
            );
            let used = (run.utilisation - kernel.utilisation).abs();
            assert!(used <= kernel.slack, "{} used; {what}", run.utilisation);
            if let (Some(theirs), Some(ours)) = (kernel.startup_ends, run.notes.startup_ends) {
                assert!((ours - theirs).abs() <= 1.3, "{what}");
            }
            assert_eq!(
                kernel.early_drops.unwrap_or(run.notes.early_drops),
                run.notes.early_drops,
                "{what}"
            );
            let slack = if *control == Control::Bbr { 0.1 } else { 0.05 };
            let least = 200.0 + *rtt as f64 / 2.0;
            for (theirs, (begin, length)) in kernel.searches.iter().zip(&run.notes.searches) {
                assert!((begin - theirs).abs() <= slack, "at {begin} s; {what}");
                assert!(
                    (least - 20.0..least + 70.0).contains(length),
                    "{length} ms; {what}"
                );
            }
            assert!(run.notes.searches.len() >= kernel.searches.len(), "{what}");
        }
    }
}
