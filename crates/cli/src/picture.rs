//! A figure in text: the most loaded link over time.

use pacesim_lab::summary::Timeline;

use crate::numbers::{percent, time};
use crate::output::result_columns;

const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The columns of a line other than bars.
const BESIDE: usize = 20;

/// Two lines of bars, utilisation above loss.
pub(crate) fn draw(timeline: &Timeline) -> String {
    drawn(timeline, result_columns().unwrap_or(usize::MAX))
}

/// The two lines in this number of columns; if the bars do not fit, each is a mean of several.
fn drawn(timeline: &Timeline, columns: usize) -> String {
    let intervals = timeline.utilisation.len();
    let whole = timeline.interval_s * intervals as f64;
    let together = intervals
        .div_ceil(columns.saturating_sub(BESIDE).max(1))
        .max(1);
    let busy = means(&timeline.utilisation, together);
    let loss: Vec<f64> = timeline
        .loss_ratio
        .iter()
        .map(|loss| loss.unwrap_or(0.0))
        .collect();
    let loss = means(&loss, together);
    let worst = greatest(&loss);
    let mut picture = format!(
        "{} over time, from 0 to {}, each bar {}:\n",
        timeline.link,
        time(whole),
        time(timeline.interval_s * together as f64)
    );
    picture += &format!("  busy ▕{}▏ of 100 %\n", bars(&busy, 1.0));
    if worst > 0.0 {
        picture += &format!("  loss ▕{}▏ of {}\n", bars(&loss, worst), percent(worst));
    }
    picture
}

/// One character for each value: a full block for `full`, a blank only for zero.
fn bars(values: &[f64], full: f64) -> String {
    let steps = (BLOCKS.len() - 1) as f64;
    let bar = |value: &f64| BLOCKS[((value / full) * steps).ceil().clamp(0.0, steps) as usize];
    values.iter().map(bar).collect()
}

/// Means over groups of this many consecutive values.
fn means(values: &[f64], together: usize) -> Vec<f64> {
    let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len() as f64;
    values.chunks(together).map(mean).collect()
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_the_values() {
        assert_eq!(bars(&[0.0, 0.01, 0.5, 1.0], 1.0), " ▁▄█");
    }

    #[test]
    fn loss_is_drawn_only_where_there_is_any() {
        let mut timeline = Timeline {
            link: "core".into(),
            interval_s: 1.0,
            utilisation: vec![0.5, 1.0],
            loss_ratio: vec![None, Some(0.0)],
        };
        assert_eq!(draw(&timeline).lines().count(), 2);
        timeline.loss_ratio[1] = Some(0.02);
        let picture = draw(&timeline);
        assert!(
            picture.contains("from 0 to 2.00 s, each bar 1.00 s"),
            "{picture}"
        );
        assert!(picture.ends_with("  loss ▕ █▏ of 2.00 %\n"), "{picture}");
    }

    #[test]
    fn on_a_narrow_terminal_a_bar_is_the_mean_of_some() {
        let timeline = Timeline {
            link: "core".into(),
            interval_s: 1.0,
            utilisation: [0.5, 1.0].repeat(30),
            loss_ratio: vec![Some(0.0); 60],
        };
        for columns in [80, 60, 40] {
            let picture = drawn(&timeline, columns);
            let bars = picture.lines().nth(1).expect("bars").chars().count();
            assert!((20..=columns).contains(&bars), "{columns}: {picture}");
        }
        let narrow = drawn(&timeline, 50);
        assert!(
            narrow.contains("from 0 to 60.0 s, each bar 2.00 s"),
            "{narrow}"
        );
        assert!(
            narrow.contains(&format!("▕{}▏", "▆".repeat(30))),
            "{narrow}"
        );
    }
}
