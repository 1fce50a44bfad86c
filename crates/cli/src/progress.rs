//! The progress bar: on a terminal only.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pacesim_lab::Progress;

use crate::numbers::{count, time};

/// How fine the bar is.
const STEPS: u64 = 1000;

/// A bar on standard error with simulated time, speed, and time left.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// Shown if wanted and if standard error is a terminal.
    pub(crate) fn new(wanted: bool) -> Bar {
        let target = match wanted && stderr().is_terminal() {
            true => ProgressDrawTarget::stderr_with_hz(10),
            false => ProgressDrawTarget::hidden(),
        };
        let style = ProgressStyle::with_template("{prefix}{bar:24.cyan/dim} {msg}")
            .expect("the template is right");
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        bar.set_style(style.progress_chars("━╸─"));
        Bar(bar)
    }

    /// Says what is running, if there is more than one thing.
    pub(crate) fn label(&self, text: String) {
        self.0.set_prefix(text);
        self.0.set_position(0);
    }

    /// Moves the bar.
    pub(crate) fn show(&self, progress: &Progress, elapsed: Duration) {
        if self.0.is_hidden() {
            return;
        }
        let share = progress.now.as_secs_f64() / progress.end.as_secs_f64();
        self.0.set_position((share * STEPS as f64) as u64);
        self.0.set_message(message(progress, share, elapsed));
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

fn message(progress: &Progress, share: f64, elapsed: Duration) -> String {
    let elapsed = elapsed.as_secs_f64().max(1e-9);
    let left = elapsed * (1.0 - share) / share.max(1e-9);
    format!(
        "{} of {} · {} · {} left",
        time(progress.now.as_secs_f64()),
        time(progress.end.as_secs_f64()),
        count(progress.packet_hops as f64 / elapsed, "packet-hops/s"),
        time(left),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_lab::Time;

    #[test]
    fn the_message_has_simulated_time_speed_and_time_left() {
        let seconds = |s: u64| Time::from_ps(s * 1_000_000_000_000);
        let (now, end) = (seconds(25), seconds(100));
        let progress = Progress {
            now,
            end,
            packet_hops: 30_000_000,
        };
        let text = message(&progress, 0.25, Duration::from_secs(2));
        assert_eq!(text, "25.0 s of 100 s · 15.0 M packet-hops/s · 6.00 s left");
    }
}
