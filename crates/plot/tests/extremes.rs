//! Figures of extreme values: every file format writes numbers only.

use pacesim_plot::{BoxPoint, DataPoint, Figure, Format, Intervals, Mark, Panel, Series};

/// Finite values near every limit of floats, and usual ones.
const EXTREMES: [f64; 13] = [
    0.0,
    -0.0,
    1.0,
    -3.5,
    1e308,
    -1e308,
    f64::MAX,
    f64::MIN,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1.0 + f64::EPSILON,
    1e-12,
];

/// Draws a figure in all formats if it is one of a few, otherwise in the fastest.
fn assert_of_numbers(figure: &Figure, is_one_of_few: bool, what: &str) {
    let text = String::from_utf8(figure.encode(Format::Svg)).expect("text");
    for wrong in ["NaN", "inf ", "inf\"", "inf,"] {
        assert!(!text.contains(wrong), "{what}: {wrong}\n{text}");
    }
    for format in Format::ALL.iter().filter(|_| is_one_of_few) {
        assert!(!figure.encode(*format).is_empty(), "{what}");
    }
}

/// A panel of one series, on axes of this kind.
fn panel(series: Series, logarithmic: bool) -> Figure {
    let mut panel = Panel::new("x", "y");
    (panel.x.logarithmic, panel.y.logarithmic) = (logarithmic, logarithmic);
    panel.series.push(series);
    Figure::new("extremes").panel(panel)
}

fn point(x: f64, y: f64, interval: (f64, f64)) -> DataPoint {
    DataPoint {
        interval: Some(interval),
        ..DataPoint::new(x, y)
    }
}

#[test]
fn points_of_any_finite_size_are_drawn_as_numbers() {
    for one in EXTREMES {
        for other in EXTREMES {
            for logarithmic in [false, true] {
                let points = vec![
                    point(one, other, (other, one)),
                    point(other, one, (-other, one)),
                ];
                let mut series = Series::new("s", Mark::Joined, 0, points);
                series.intervals = Some(Intervals {
                    level: 0.95,
                    samples: (1, 2),
                });
                let what = format!("{one:e} and {other:e}, logarithmic {logarithmic}");
                assert_of_numbers(&panel(series, logarithmic), one == other, &what);
            }
        }
    }
}

#[test]
fn boxes_of_any_finite_size_are_drawn_as_numbers() {
    for one in EXTREMES {
        for other in EXTREMES {
            let boxed = |x| BoxPoint {
                x,
                median: one,
                quartiles: (other, one),
                whiskers: (other, -other),
            };
            let points = [boxed(0.0), boxed(one)];
            let medians = points.map(|of| point(of.x, of.median, of.whiskers));
            let mut series = Series::new("s", Mark::Boxes, 0, medians.to_vec());
            series.quartiles = points.map(|of| of.quartiles).to_vec();
            let what = format!("{one:e} and {other:e}");
            assert_of_numbers(&panel(series, false), one == other, &what);
        }
    }
}
