//! Runs that are made for a forecast, and stopped when their pace is known.

use std::ops::ControlFlow;
use std::time::Duration;

use pacesim_runs::limits::Exhausted;
use pacesim_runs::run_monitor::{Progress, RunMonitor};
use pacesim_runs::workers::{BatchMonitor, OneOfMany};

/// The length of a trial from when its time begins to pass.
const PATIENCE: Duration = Duration::from_secs(1);
/// The length where it is still getting slower, for flows begin in the course of a run.
const MOST_PATIENCE: Duration = Duration::from_secs(5);
/// The factor by which the second half of a trial may be slower than the first for its pace to be known.
const SETTLED: f64 = 1.1;

/// A run that is stopped when it is known how fast it is.
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

    /// The seconds that the whole run takes.
    pub(crate) fn whole_run(&self) -> f64 {
        self.course.whole_run()
    }
}

/// The cost of a run is the time of its processor, or real time where that is all there is.
fn clock(monitor: &dyn BatchMonitor) -> Duration {
    let processor_time = monitor.processor_time();
    processor_time.unwrap_or_else(|| monitor.elapsed())
}

impl RunMonitor for Trial<'_> {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let share = progress.now.as_secs_f64() / progress.end.as_secs_f64();
        self.course.0.push((self.passed().as_secs_f64(), share));
        match self.course.is_enough() {
            true => ControlFlow::Break(()),
            false => self.run.progress(progress),
        }
    }

    fn exhausted(&mut self, progress: &Progress) -> Option<Exhausted> {
        self.run.exhausted(progress)
    }

    fn elapsed(&self) -> Duration {
        self.run.elapsed()
    }
}

/// Shares of a run that were done after so many seconds. Work before its time begins to pass,
/// such as a model or long noise, is made once, and is no part of its pace.
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

    /// True if it shows the pace of what is left, or has taken long enough.
    fn is_enough(&self) -> bool {
        let Some([begin, half, last]) = self.marks() else {
            return false;
        };
        let long = last.0 - begin.0;
        let is_settled = || pace(half, last) <= SETTLED * pace(begin, half);
        long > MOST_PATIENCE.as_secs_f64() || long > PATIENCE.as_secs_f64() && is_settled()
    }

    /// The seconds that the whole takes, if the rest has the pace of the last half.
    fn whole_run(&self) -> f64 {
        self.marks().map_or(0.0, |[_, half, last]| {
            last.0 + (1.0 - last.1) * pace(half, last)
        })
    }
}

/// The seconds that the whole would take at the pace between two marks.
fn pace(from: (f64, f64), to: (f64, f64)) -> f64 {
    (to.0 - from.0) / (to.1 - from.1).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state of a trial of a run of which this share is done after so many seconds.
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
        // Five seconds of noise, and then a hundredth of the run in a second.
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
        // Flows begin in the first fifth, which takes two seconds; what is left takes sixteen.
        let share = |elapsed: f64| match elapsed {
            ..2.0 => 0.2 * (elapsed / 2.0).sqrt(),
            _ => 0.2 + 0.8 * (elapsed - 2.0) / 16.0,
        };
        let course = tried(share);
        let whole = course.whole_run();
        assert!((whole - 18.0).abs() < 0.1 * 18.0, "{whole}");
        // By the first second it would be seven.
        let early = Course(vec![(0.0, 0.0), (1.0, share(1.0))]);
        assert!(early.whole_run() < 9.0, "{:?}", early.whole_run());
    }
}
