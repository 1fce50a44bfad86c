//! Box plots at the points of an axis.

use pacesim_claims::boxes::{Five, of_bins, of_values};
use pacesim_plot::{BoxPoint, Panel};
use pacesim_study::Boxed;

use super::{Drawing, DrawnLine, Unit};

impl Drawing<'_> {
    /// True if its boxes are of values within runs.
    pub(super) fn is_of_values(&self) -> bool {
        self.plot.keys.boxes == Some(Boxed::Values)
    }

    /// The box of the values within all runs at a point, if the figure has such boxes.
    pub(super) fn five_within(&self, point: u64) -> Option<Five> {
        let bins = || self.samples.curves.all_of(self.plot, point);
        self.is_of_values()
            .then(|| of_bins(&bins()).unwrap_or([f64::NAN; 5]))
    }

    /// One line of boxes.
    pub(super) fn boxes(&self, panel: Panel, line: &DrawnLine, boxed: Boxed, y: &Unit) -> Panel {
        let boxes = line.points.iter().filter_map(|place| {
            // The five numbers of values within runs are their own quartiles and ends.
            let five = of_values(&place.numbers)?;
            let [low, lower, median, upper, high] =
                five.map(|number| number * self.plot.keys.times / y.factor);
            median.is_finite().then_some(BoxPoint {
                x: place.x,
                median,
                quartiles: (lower, upper),
                whiskers: (low, high),
            })
        });
        let whiskers = match (boxed, line.repetitions()) {
            (Boxed::Values, _) => "whiskers: 1 % and 99 %".to_owned(),
            (Boxed::Replications, (least, most)) if least == most => {
                format!("whiskers: least and greatest of n = {most}")
            }
            (Boxed::Replications, (least, most)) => {
                format!("whiskers: least and greatest of n = {least} to {most}")
            }
        };
        panel
            .boxes(line.label.clone(), whiskers, boxes)
            .remarks(line.remarks())
    }
}
