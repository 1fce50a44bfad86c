//! A first figure, in text: the most loaded link over time.

use pacesim_lab::summary::Timeline;

use crate::numbers::{percent, time};

const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Two lines of bars, load above loss.
pub(crate) fn draw(timeline: &Timeline) -> String {
    let whole = timeline.interval_s * timeline.utilisation.len() as f64;
    let load = &timeline.utilisation;
    let loss = &timeline.loss_ratio;
    let worst = greatest(loss);
    let mut picture = format!(
        "{} over time, from 0 to {}, each bar {}:\n",
        timeline.link,
        time(whole),
        time(timeline.interval_s)
    );
    picture += &format!("  load ▕{}▏ of 100 %\n", bars(load, 1.0));
    if worst > 0.0 {
        picture += &format!("  loss ▕{}▏ of {}\n", bars(loss, worst), percent(worst));
    }
    picture
}

/// One character for each value; full is a full block, and only nothing is blank.
fn bars(values: &[f64], full: f64) -> String {
    let steps = (BLOCKS.len() - 1) as f64;
    let bar = |value: &f64| BLOCKS[((value / full) * steps).ceil().clamp(0.0, steps) as usize];
    values.iter().map(bar).collect()
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
            loss_ratio: vec![0.0, 0.0],
        };
        assert_eq!(draw(&timeline).lines().count(), 2);
        timeline.loss_ratio[1] = 0.02;
        let picture = draw(&timeline);
        assert!(
            picture.contains("from 0 to 2.00 s, each bar 1.00 s"),
            "{picture}"
        );
        assert!(picture.ends_with("  loss ▕ █▏ of 2.00 %\n"), "{picture}");
    }
}
