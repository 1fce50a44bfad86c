//! The numbers of a figure as CSV, for those who draw it by other means.

use std::fmt::Write;

use crate::figure::{DataPoint, Figure, Mark, Panel, Series};

/// The columns; those that a point lacks are empty.
const COLUMNS: &str = "panel,series,kind,x,y,low,high,lower_quartile,upper_quartile";

/// The numbers of all panels, below comments that say how to draw `file`.
pub(crate) fn values(figure: &Figure, file: &str) -> String {
    let mut text = head(figure, file);
    for (place, panel) in figure.panels.iter().enumerate() {
        let name = match &panel.title {
            Some(title) => title.clone(),
            None => (place + 1).to_string(),
        };
        for series in &panel.series {
            rows(&mut text, &name, panel, series);
        }
    }
    text
}

/// Title, labels, and the lines of matplotlib and of ggplot.
fn head(figure: &Figure, file: &str) -> String {
    let mut text = format!("# {}\n", one_line(&figure.title));
    let mut labels: Vec<String> = Vec::new();
    for panel in &figure.panels {
        let (x, y) = (one_line(&panel.x.label), one_line(&panel.y.label));
        let label = format!("# x: {x}; y: {y}\n");
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    text += &labels.concat();
    let (x, y) = figure.panels.first().map_or(("x", "y"), |panel| {
        (panel.x.label.as_str(), panel.y.label.as_str())
    });
    let (x, y) = (quoted(x), quoted(y));
    let log = |side: fn(&Panel) -> bool| figure.panels.first().is_some_and(side);
    let (log_x, log_y) = (log(|p| p.x.logarithmic), log(|p| p.y.logarithmic));
    let (ax_log, gg_log) = (
        axes_of_matplotlib(log_x, log_y),
        scales_of_ggplot(log_x, log_y),
    );
    write!(
        text,
        "# Python: import pandas as pd, matplotlib.pyplot as plt\n\
         # d = pd.read_csv({file:?}, comment=\"#\")\n\
         # for n, s in d.groupby(\"series\", sort=False): plt.errorbar(s.x, s.y, [s.y - s.low.fillna(s.y), \
         s.high.fillna(s.y) - s.y], label=n, capsize=2)\n\
         # plt.xlabel({x}); plt.ylabel({y}); {ax_log}plt.legend(); plt.show()\n\
         # R: library(ggplot2); d <- read.csv({file:?}, comment.char=\"#\")\n\
         # ggplot(d, aes(x, y, ymin=low, ymax=high, colour=series)) + geom_line() + geom_point() + \
         geom_errorbar() +\n\
         #   labs(x={x}, y={y}){gg_log} + facet_wrap(~panel)\n\
         {COLUMNS}\n"
    )
    .expect("a String takes every text");
    text
}

fn axes_of_matplotlib(log_x: bool, log_y: bool) -> String {
    let side = |of: &str, is_log: bool| {
        if is_log {
            format!("plt.{of}scale(\"log\"); ")
        } else {
            String::new()
        }
    };
    side("x", log_x) + &side("y", log_y)
}

fn scales_of_ggplot(log_x: bool, log_y: bool) -> String {
    let side = |of: &str, is_log: bool| {
        if is_log {
            format!(" + scale_{of}_log10()")
        } else {
            String::new()
        }
    };
    side("x", log_x) + &side("y", log_y)
}

fn rows(text: &mut String, panel_name: &str, panel: &Panel, series: &Series) {
    let kind = match series.mark {
        Mark::Line => "line",
        Mark::Points => "points",
        Mark::Measured => "measured",
        Mark::Joined => "joined",
        Mark::Boxes => "boxes",
    };
    for (place, point) in series.points.iter().enumerate() {
        let x = match named_place(panel, point) {
            Some(name) => field(name),
            None => number(point.x),
        };
        let ends = point.interval.map(|(low, high)| [low, high].map(number));
        let quartiles = series.quartiles.get(place);
        let quartiles = quartiles.map(|(lower, upper)| [lower, upper].map(|y| number(*y)));
        let [low, high] = ends.unwrap_or_default();
        let [lower, upper] = quartiles.unwrap_or_default();
        writeln!(
            text,
            "{},{},{kind},{x},{},{low},{high},{lower},{upper}",
            field(panel_name),
            field(&series.label),
            number(point.y)
        )
        .expect("a String takes every text");
    }
}

/// The name of the place that a point belongs to, beside whose middle it is drawn.
fn named_place<'a>(panel: &'a Panel, point: &DataPoint) -> Option<&'a str> {
    let place = libm::round(point.x);
    let names = &panel.x.names;
    names
        .get(place as usize)
        .filter(|_| place >= 0.0)
        .map(String::as_str)
}

fn number(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        String::new()
    }
}

/// A field of CSV (RFC 4180).
fn field(text: &str) -> String {
    let text = one_line(text);
    if text.contains([',', '"', '#']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// A string of Python and R.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        one_line(text).replace('\\', "\\\\").replace('"', "\\\"")
    )
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoxPoint;

    #[test]
    fn every_point_has_a_row_with_its_interval() {
        let bar = DataPoint {
            interval: Some((1.0, 3.0)),
            ..DataPoint::new(0.5, 2.0)
        };
        let panel = Panel::new("buffer (KB)", "goodput (Mbps)")
            .log_x()
            .joined("paced, by hosts", [bar])
            .line("theory", [(0.5, 2.25), (1.0, f64::NAN)]);
        let text = Figure::new("Goodput").panel(panel).values("goodput.csv");
        let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            rows,
            [
                COLUMNS,
                "1,\"paced, by hosts\",joined,0.5,2,1,3,,",
                "1,theory,line,0.5,2.25,,,,",
                "1,theory,line,1,,,,,",
            ]
        );
        assert!(text.contains("read_csv(\"goodput.csv\""));
        assert!(text.contains("plt.xscale(\"log\")") && text.contains("scale_x_log10()"));
    }

    #[test]
    fn places_have_their_names_and_boxes_their_quartiles() {
        let spread = BoxPoint {
            x: 1.0,
            median: 3.0,
            quartiles: (2.0, 5.0),
            whiskers: (1.0, 9.0),
        };
        let panel = Panel::new("queue", "delay (ms)")
            .boxes("reno", "ends", [spread])
            .boxes("cubic", "ends", [spread])
            .across(["drop tail", "codel"]);
        let text = Figure::new("Delays").panel(panel).values("d.csv");
        assert!(text.contains("1,cubic,boxes,codel,3,1,9,2,5"), "{text}");
    }
}
