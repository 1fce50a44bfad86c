//! The progress bar: one line, on a terminal only.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use pacesim_lab::{BatchProgress, Progress, StepProgress};

use crate::numbers::{count, time};
use crate::output::{WIDTH, message_columns, report};
use pacesim_front::host::Stopwatch;

/// The shortest time between two updates.
const EVERY: Duration = Duration::from_millis(100);

/// The preferred width of the bar, and the smallest useful one.
const WIDEST: usize = 24;
const NARROWEST: usize = 8;

/// A bar on standard error with simulated time, speed, and remaining time.
pub(crate) struct Bar {
    wanted: bool,
    label: String,
    /// The width of the line on the terminal.
    drawn: usize,
    since: Option<Stopwatch>,
}

impl Bar {
    /// A bar that is shown if wanted and if standard error is a terminal.
    pub(crate) fn new(wanted: bool) -> Bar {
        Bar {
            wanted: wanted && stderr().is_terminal(),
            label: String::new(),
            drawn: 0,
            since: None,
        }
    }

    /// Sets the label, to tell several runs apart.
    pub(crate) fn label(&mut self, text: String) {
        self.label = text;
    }

    /// Draws the bar of one run, unless it was drawn just now.
    pub(crate) fn show(&mut self, progress: &Progress, elapsed: Duration) {
        if self.is_due() {
            let share = progress.now.as_secs_f64() / progress.end.as_secs_f64();
            self.draw_share(share, &messages(progress, share, elapsed));
        }
    }

    /// Draws the bar of many runs, unless it was drawn just now.
    pub(crate) fn show_all(&mut self, progress: &BatchProgress, elapsed: Duration) {
        if self.is_due() {
            self.draw_share(progress.share, &messages_of_all(progress, elapsed));
        }
    }

    /// Draws the bar of work other than runs, unless it was drawn just now.
    pub(crate) fn show_step(&mut self, step: &StepProgress) {
        let StepProgress {
            what,
            verb,
            done,
            all,
        } = step;
        if self.is_due() && *all > 1 {
            let message = format!("{done} of {all} {what} {verb}");
            self.draw_share(*done as f64 / *all as f64, &[message]);
        }
    }

    fn is_due(&self) -> bool {
        let is_new = self.since.is_some_and(|since| since.elapsed() < EVERY);
        self.wanted && !is_new
    }

    fn draw_share(&mut self, share: f64, messages: &[String]) {
        // A line as wide as the terminal would wrap.
        let width = message_columns().unwrap_or(WIDTH).saturating_sub(1);
        self.draw(&line(&self.label, share, messages, width));
        self.since = Some(Stopwatch::start());
    }

    /// Removes the bar; call it before writing anything else to the terminal.
    pub(crate) fn clear(&mut self) {
        if self.drawn > 0 {
            self.draw("");
        }
        self.since = None;
    }

    /// Draws a line over the previous one, with blanks where that was longer.
    fn draw(&mut self, line: &str) {
        let length = line.chars().count();
        let blanks = self.drawn.saturating_sub(length);
        let back = if line.is_empty() { "\r" } else { "" };
        report(&format!("\r{line}{:blanks$}{back}", ""));
        self.drawn = length;
    }
}

/// The label, the bar, and the longest message that fits.
fn line(label: &str, share: f64, messages: &[String], width: usize) -> String {
    let around = |message: &str| label.chars().count() + 1 + message.chars().count();
    let fits = |message: &&String| around(message) + NARROWEST <= width;
    let message = messages.iter().find(fits).map_or("", String::as_str);
    let bar = bar(share, width.saturating_sub(around(message)).min(WIDEST));
    format!("{label}{bar} {message}")
        .chars()
        .take(width)
        .collect()
}

fn bar(share: f64, width: usize) -> String {
    let done = ((share.clamp(0.0, 1.0) * width as f64) as usize).min(width);
    let rest = "─".repeat((width - done).saturating_sub(1));
    let tip = if done < width { "╸" } else { "" };
    "━".repeat(done) + tip + &rest
}

/// Messages on one run, the longest first.
fn messages(progress: &Progress, share: f64, elapsed: Duration) -> [String; 3] {
    let simulated = format!(
        "{} of {}",
        time(progress.now.as_secs_f64()),
        time(progress.end.as_secs_f64())
    );
    with_speed_and_left(simulated, progress.packet_hops, share, elapsed)
}

/// Messages on many runs, the longest first.
fn messages_of_all(progress: &BatchProgress, elapsed: Duration) -> [String; 3] {
    let runs = format!("{} of {} runs", progress.done, progress.all);
    with_speed_and_left(runs, progress.packet_hops, progress.share, elapsed)
}

fn with_speed_and_left(done: String, hops: u64, share: f64, elapsed: Duration) -> [String; 3] {
    let elapsed = elapsed.as_secs_f64().max(1e-9);
    let left = elapsed * (1.0 - share) / share.max(1e-9);
    let speed = count(hops as f64 / elapsed, "packet-hops/s");
    let left = format!("{} left", time(left));
    [
        format!("{done} · {speed} · {left}"),
        format!("{done} · {left}"),
        left,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_lab::Time;

    fn messages_at_a_quarter() -> [String; 3] {
        let seconds = |s: u64| Time::from_ps(s * 1_000_000_000_000);
        let (now, end) = (seconds(25), seconds(100));
        let progress = Progress {
            now,
            end,
            packet_hops: 30_000_000,
            held: 0,
            kept_bytes: 0,
        };
        messages(&progress, 0.25, Duration::from_secs(2))
    }

    #[test]
    fn the_message_has_simulated_time_speed_and_time_left() {
        let [all, ..] = messages_at_a_quarter();
        assert_eq!(all, "25.0 s of 100 s · 15.0 M packet-hops/s · 6.00 s left");
    }

    #[test]
    fn many_runs_are_counted_and_their_time_left_is_that_of_all() {
        let progress = BatchProgress {
            done: 12,
            all: 48,
            share: 0.25,
            packet_hops: 30_000_000,
        };
        let [all, ..] = messages_of_all(&progress, Duration::from_secs(2));
        assert_eq!(all, "12 of 48 runs · 15.0 M packet-hops/s · 6.00 s left");
    }

    #[test]
    fn the_line_fits_every_terminal_and_drops_what_matters_least() {
        let messages = messages_at_a_quarter();
        for width in 0..120 {
            let line = line("3/10 ", 0.25, &messages, width);
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
        let at = |width| line("3/10 ", 0.25, &messages, width);
        assert_eq!(
            at(99),
            "3/10 ━━━━━━╸───────────────── 25.0 s of 100 s · 15.0 M packet-hops/s · 6.00 s left"
        );
        assert_eq!(
            at(59),
            "3/10 ━━━━━━╸───────────────── 25.0 s of 100 s · 6.00 s left"
        );
        assert_eq!(at(44), "3/10 ━━╸────── 25.0 s of 100 s · 6.00 s left");
        assert_eq!(at(39), "3/10 ━━━━━╸──────────────── 6.00 s left");
        assert_eq!(at(12), "3/10 ━╸──── ");
    }

    #[test]
    fn the_bar_is_full_at_the_end_only() {
        assert_eq!(bar(0.0, 4), "╸───");
        assert_eq!(bar(0.99, 4), "━━━╸");
        assert_eq!(bar(1.0, 4), "━━━━");
        assert_eq!(bar(1.0, 0), "");
    }
}
