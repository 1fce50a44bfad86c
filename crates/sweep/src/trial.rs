//! Trial runs for a forecast, stopped once their pace is known.

use std::ops::ControlFlow;
use std::time::Duration;

use pacesim_runs::limits::Exhausted;
use pacesim_runs::run_monitor::{Progress, RunMonitor};
use pacesim_runs::workers::{BatchMonitor, OneOfMany};

/// The length of a trial, counted from the time at which simulated time begins to pass.
const PATIENCE: Duration = Duration::from_secs(1);
/// The length for runs that are still slowing down because flows begin during the run.
const MOST_PATIENCE: Duration = Duration::from_secs(5);
/// The pace counts as known if the second half of a trial is slower than the first by at most this
/// factor.
const SETTLED: f64 = 1.1;

/// A run that is stopped once its pace is known.
pub(crate) struct Trial<'a> {
    run: OneOfMany<'a>,
    monitor: &'a dyn BatchMonitor,
    began: Duration,
    course: Course,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(run: OneOfMany<'a>, monitor: &'a dyn BatchMonitor) -> Trial<'a> {
        Trial {
            run,
            monitor,
            began: clock(monitor),
            course: Course::default(),
        }
    }

    /// The cost so far.
    pub(crate) fn passed(&self) -> Duration {
        clock(self.monitor).saturating_sub(self.began)
    }

    /// The estimated seconds of the whole run.
    pub(crate) fn whole_run(&self) -> f64 {
        self.course.whole_run()
    }
}

/// The cost of a run is processor time, or real time if that is all the system reports.
fn clock(monitor: &dyn BatchMonitor) -> Duration {
    let processor_time = monitor.processor_time();
    processor_time.unwrap_or_else(|| monitor.elapsed())
}

impl RunMonitor for Trial<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let share = progress.now.as_secs_f64() / progress.end.as_secs_f64();
        self.course.0.push((self.passed().as_secs_f64(), share));
        if self.course.is_enough() {
            ControlFlow::Break(())
        } else {
            self.run.progress(progress)
        }
    }

    fn exhausted(&mut self, progress: &Progress) -> Option<Exhausted> {
        self.run.exhausted(progress)
    }

    fn elapsed(&self) -> Duration {
        self.run.elapsed()
    }
}

/// Shares of a run done after given seconds. Work before simulated time begins to pass, such as
/// building a model or generating noise, is done once, and does not count towards its pace.
#[derive(Debug, Default)]
struct Course(Vec<(f64, f64)>);

impl Course {
    /// The marks at its beginning, at half its length, and now.
    fn marks(&self) -> Option<[(f64, f64); 3]> {
        let (begin, last) = (*self.0.first()?, *self.0.last()?);
        let middle = (begin.0 + last.0) / 2.0;
        let half = self.0.iter().rfind(|mark| mark.0 <= middle);
        Some([begin, *half?, last])
    }

    /// True if it shows the pace of the rest of the run, or has taken long enough.
    fn is_enough(&self) -> bool {
        let Some([begin, half, last]) = self.marks() else {
            return false;
        };
        let long = last.0 - begin.0;
        let is_settled = || pace(half, last) <= SETTLED * pace(begin, half);
        long > MOST_PATIENCE.as_secs_f64() || long > PATIENCE.as_secs_f64() && is_settled()
    }

    /// The seconds of the whole run, if the rest has the pace of the last half.
    fn whole_run(&self) -> f64 {
        self.marks().map_or(0.0, |[_, half, last]| {
            last.0 + (1.0 - last.1) * pace(half, last)
        })
    }
}

/// The seconds that the whole run would take at the pace between two marks.
fn pace(from: (f64, f64), to: (f64, f64)) -> f64 {
    (to.0 - from.0) / (to.1 - from.1).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The course of a trial of a run with this share done after given seconds.
    fn tried(share: impl Fn(f64) -> f64) -> Course {
        let mut course = Course::default();
        for tenth in 0..1000 {
            let elapsed = f64::from(tenth) / 10.0;
            course.0.push((elapsed, share(elapsed)));
            if course.is_enough() {
                break;
            }
        }
        course
    }

    #[test]
    fn what_is_made_once_is_not_taken_for_the_pace() {
        // Five seconds of noise generation, then a hundredth of the run in a second.
        let course = Course(vec![(5.0, 0.0), (5.5, 0.005), (6.0, 0.01)]);
        let whole = course.whole_run();
        assert!((whole - 105.0).abs() < 1e-6, "{whole}");
    }

    #[test]
    fn an_even_run_is_known_after_a_second() {
        let course = tried(|elapsed| elapsed / 60.0);
        assert!((course.0.len() as i32 - 12).abs() <= 1, "{course:?}");
        assert!(
            (course.whole_run() - 60.0).abs() < 1e-6,
            "{:?}",
            course.whole_run()
        );
    }

    #[test]
    fn a_run_whose_flows_begin_in_its_course_is_tried_until_they_have_begun() {
        // Flows begin in the first fifth, which takes two seconds; the rest takes sixteen.
        let share = |elapsed: f64| match elapsed {
            ..2.0 => 0.2 * (elapsed / 2.0).sqrt(),
            _ => 0.2 + 0.8 * (elapsed - 2.0) / 16.0,
        };
        let course = tried(share);
        let whole = course.whole_run();
        assert!((whole - 18.0).abs() < 0.1 * 18.0, "{whole}");
        // Judged by the first second it would be seven.
        let early = Course(vec![(0.0, 0.0), (1.0, share(1.0))]);
        assert!(early.whole_run() < 9.0, "{:?}", early.whole_run());
    }
}
