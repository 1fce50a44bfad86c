//! A figure as TikZ, drawn by pgfplots: its text is set in the document's own font.

use std::fmt::Write;

use crate::dodge::dodge;
use crate::dodge::half_width;
use crate::drawing::Spot;
use crate::figure::{DataPoint, Figure, Mark, Series, Sign};
use crate::layout::{Layout, Placed};
use crate::style::Look;
use crate::tex_text::{escaped, number, rgb};

/// Opacity of bands and boxes.
const TINT: &str = "fill opacity=0.2, draw=none, forget plot";

/// Entries of legends are a little higher in pgfplots than in the layout.
const NOTE_BELOW: f64 = 4.0;

/// Points for each unit of the layout, in the size of a column.
const POINTS: f64 = 0.5;

/// The text of a file for `\input`, with a picture of the sheet's width.
pub(crate) fn tex(figure: &Figure) -> String {
    let layout = Layout::of(figure);
    let inches = figure.sheet.width_in / layout.width;
    let size = figure.sheet.font_pt;
    let mut text = format!(
        "% {}\n% In the preamble: \\usepackage{{pgfplots}} \\pgfplotsset{{compat=1.16}}\n\
         \\begin{{tikzpicture}}[font=\\fontsize{{{}}}{{{}}}\\selectfont]\n\
         \\useasboundingbox (0,0) rectangle ({}in,{}in);\n",
        figure.title.replace('\n', " "),
        number(size),
        number(1.2 * size),
        number(layout.width * inches),
        number(layout.height * inches),
    );
    if !layout.title.is_empty() {
        let at = (layout.width / 2.0 * inches, (layout.height - 4.0) * inches);
        let title = escaped(&layout.title.join(" "));
        line(
            &mut text,
            &format!("\\node[anchor=north] at {} {{{title}}};", inch(at)),
        );
    }
    for placed in &layout.panels {
        panel(&mut text, placed, &layout, inches);
    }
    text + "\\end{tikzpicture}\n"
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a String takes every text");
}

fn inch((x, y): Spot) -> String {
    format!("({}in,{}in)", number(x), number(y))
}

/// One panel: an axis at the place of its frame, and the series in it.
fn panel(text: &mut String, placed: &Placed<'_>, layout: &Layout<'_>, inches: f64) {
    line(text, "\\begin{axis}[");
    for option in options(placed, layout, inches) {
        line(text, &format!("  {option},"));
    }
    line(text, "]");
    let content = &placed.content;
    let all = content.panel.series.iter().zip(&content.looks);
    // Theory and bands first: data lie above them.
    let (lines, data): (Vec<_>, Vec<_>) = all.partition(|(series, _)| series.mark == Mark::Line);
    for (series, look) in lines.into_iter().chain(data) {
        plot(text, placed, series, *look);
    }
    line(text, "\\end{axis}");
    note(text, placed, layout, inches);
}

/// The meaning of bars and signs, below the legend: each line once.
fn note(text: &mut String, placed: &Placed<'_>, layout: &Layout<'_>, inches: f64) {
    let (Some(spots), legend) = (&placed.legend, &placed.content.legend) else {
        return;
    };
    let mut lines: Vec<String> = Vec::new();
    let of_entries = legend.entries.iter().flat_map(|entry| entry.notes());
    for note in legend.note.iter().chain(of_entries) {
        let note = escaped(note);
        if !lines.contains(&note) {
            lines.push(note);
        }
    }
    if lines.is_empty() {
        return;
    }
    let (x, y) = spots.note;
    let at = inch((x * inches, (layout.height - y - NOTE_BELOW) * inches));
    let note = lines.join("\\\\");
    line(
        text,
        &format!(
            "\\node[anchor=north west, align=left, inner sep=0pt, font=\\scriptsize] at {at} {{{note}}};"
        ),
    );
}

/// The options of an axis: its place, ends, ticks, labels and legend.
fn options(placed: &Placed<'_>, layout: &Layout<'_>, inches: f64) -> Vec<String> {
    let (frame, content) = (&placed.frame, &placed.content);
    let (axes, panel) = (&content.axes, content.panel);
    let place = (frame.left * inches, (layout.height - frame.bottom) * inches);
    let mut options = vec![
        format!("at={{{}}}, anchor=south west, scale only axis", inch(place)),
        format!("width={}in", number((frame.right - frame.left) * inches)),
        format!("height={}in", number((frame.bottom - frame.top) * inches)),
        format!("xlabel={{{}}}", escaped(&panel.x.label)),
        format!("ylabel={{{}}}", escaped(&panel.y.label)),
        "grid=major, grid style={black!13}, clip mode=individual".to_owned(),
        "enlargelimits=false, scaled ticks=false".to_owned(),
    ];
    for (side, axis) in [("x", &axes.x), ("y", &axes.y)] {
        let (low, high) = axis.ends();
        options.push(format!(
            "{side}min={}, {side}max={}",
            number(low),
            number(high)
        ));
        if axis.is_logarithmic() {
            options.push(format!("{side}mode=log"));
        }
        let (values, labels): (Vec<_>, Vec<_>) = axis
            .ticks()
            .map(|(value, text)| (number(value), format!("{{{}}}", escaped(&text))))
            .unzip();
        options.push(format!("{side}tick={{{}}}", values.join(",")));
        options.push(format!("{side}ticklabels={{{}}}", labels.join(",")));
    }
    if !content.title.is_empty() {
        let title = escaped(&content.title.join(" "));
        options.push(format!("title={{{title}}}"));
        options.push(
            "title style={at={(0,1)}, anchor=south west, inner sep=2pt, yshift=0pt}".to_owned(),
        );
    }
    options.extend(legend(placed));
    options
}

/// The place of the legend, which has one column for each entry in its first row.
fn legend(placed: &Placed<'_>) -> Option<String> {
    let (frame, spots) = (&placed.frame, placed.legend.as_ref()?);
    let (left, top) = match spots.cover {
        Some([left, top, ..]) => (left, top),
        None => *spots.entries.first()?,
    };
    let first_row = spots
        .entries
        .iter()
        .filter(|(_, y)| *y == spots.entries[0].1);
    let at = (
        (left - frame.left) / (frame.right - frame.left),
        (frame.bottom - top) / (frame.bottom - frame.top),
    );
    Some(format!(
        "legend style={{at={{({},{})}}, anchor=north west, draw=none}}, legend columns={}, \
         legend cell align=left",
        number(at.0),
        number(at.1),
        first_row.count()
    ))
}

/// A series with its band or boxes, its bars, signs and entry in the legend.
fn plot(text: &mut String, placed: &Placed<'_>, series: &Series, look: Look) {
    let colour = rgb(look.colour);
    if series.mark == Mark::Boxes {
        boxes(text, placed, series, &colour);
    }
    let axes = &placed.content.axes;
    let shown = |point: &&DataPoint| {
        axes.x.holds(point.x) && axes.y.holds(point.y) && !axes.is_beyond(point)
    };
    let drawn: Vec<&DataPoint> = series.points.iter().filter(shown).collect();
    if series.mark == Mark::Line {
        band(text, &drawn, &colour);
    }
    let has_bars = series.mark != Mark::Line && drawn.iter().any(|point| point.interval.is_some());
    let bars = if has_bars && series.mark != Mark::Boxes {
        ", error bars/.cd, y dir=both, y explicit, error bar style={solid}"
    } else {
        ""
    };
    let points = drawn.iter().filter(|point| point.sign != Sign::Beyond);
    let coordinates: Vec<String> = points
        .map(|point| coordinate(point, !bars.is_empty()))
        .collect();
    let aside = dodge(placed.content.panel, series) * POINTS;
    let style = format!(
        "{}, xshift={}pt, legend image post style={{xshift={}pt}}",
        style(series, look, &colour),
        number(aside),
        number(-aside)
    );
    line(
        text,
        &format!(
            "\\addplot+[{style}{bars}] coordinates {{{}}};",
            coordinates.join(" ")
        ),
    );
    if let Some(label) = entry(placed, series) {
        line(text, &format!("\\addlegendentry{{{}}}", escaped(&label)));
    }
    signs(
        text,
        placed,
        series,
        &format!("{colour}, xshift={}pt", number(aside)),
    );
}

/// The name of a series in the legend of its panel, if it has one.
fn entry(placed: &Placed<'_>, series: &Series) -> Option<String> {
    placed.legend.as_ref()?;
    let panel = placed.content.panel;
    let place = panel
        .series
        .iter()
        .position(|other| std::ptr::eq(other, series))?;
    let entry = placed.content.legend.entries.get(place)?;
    Some(entry.label.join(" "))
}

fn style(series: &Series, look: Look, colour: &str) -> String {
    let line = look.line.map(|stroke| {
        let width = number(POINTS * stroke.width);
        let lengths: Vec<String> = stroke
            .lengths()
            .enumerate()
            .map(|(i, length)| {
                let kind = if i % 2 == 0 { "on" } else { "off" };
                format!("{kind} {}pt", number(POINTS * length))
            })
            .collect();
        match lengths.is_empty() {
            true => format!("line width={width}pt, solid"),
            false => format!("line width={width}pt, dash pattern={}", lengths.join(" ")),
        }
    });
    let mark = look.marker.map(|marker| {
        format!(
            "mark={}, mark size=1.8pt, mark options={{solid, rotate={}}}",
            marker.pgf(),
            marker.pgf_angle()
        )
    });
    let parts = [
        Some(format!("color={colour}")),
        line.or_else(|| Some("only marks".to_owned())),
        mark.or_else(|| Some("no marks".to_owned())),
    ];
    let style: Vec<String> = parts.into_iter().flatten().collect();
    match series.mark {
        // The boxes are drawn; their entry shows one.
        Mark::Boxes => format!("color={colour}, only marks, mark=-, mark size=3pt, area legend"),
        _ => style.join(", "),
    }
}

fn coordinate(point: &DataPoint, with_bar: bool) -> String {
    let at = format!("({},{})", number(point.x), number(point.y));
    match point.interval.filter(|_| with_bar) {
        None => at,
        Some((low, high)) => {
            let (down, up) = (number(point.y - low), number(high - point.y));
            format!("{at} += (0,{up}) -= (0,{down})")
        }
    }
}

/// The band around a line.
fn band(text: &mut String, drawn: &[&DataPoint], colour: &str) {
    let with: Vec<_> = drawn
        .iter()
        .filter_map(|point| Some((point.x, point.interval?)))
        .collect();
    if with.len() < 2 {
        return;
    }
    let upper = with.iter().map(|(x, (_, high))| (*x, *high));
    let lower = with.iter().rev().map(|(x, (low, _))| (*x, *low));
    let around: Vec<String> = upper
        .chain(lower)
        .map(|(x, y)| format!("({},{})", number(x), number(y)))
        .collect();
    line(
        text,
        &format!(
            "\\addplot[fill={colour}, {TINT}] coordinates {{{}}} -- cycle;",
            around.join(" ")
        ),
    );
}

fn boxes(text: &mut String, placed: &Placed<'_>, series: &Series, colour: &str) {
    let half = half_width(placed.content.panel);
    let at = |x: f64, y: f64| format!("(axis cs:{},{})", number(x), number(y));
    for (point, (lower, upper)) in series.points.iter().zip(&series.quartiles) {
        let (left, right) = (point.x - half, point.x + half);
        let (low, high) = point.interval.unwrap_or((*lower, *upper));
        line(
            text,
            &format!(
                "\\draw[draw={colour}, fill={colour}, fill opacity=0.2] {} rectangle {};",
                at(left, *lower),
                at(right, *upper)
            ),
        );
        for (from, to) in [(*lower, low), (*upper, high)] {
            line(
                text,
                &format!(
                    "\\draw[{colour}] {} -- {};",
                    at(point.x, from),
                    at(point.x, to)
                ),
            );
        }
        line(
            text,
            &format!(
                "\\draw[{colour}, line width=1.2pt] {} -- {};",
                at(left, point.y),
                at(right, point.y)
            ),
        );
    }
}

/// Rings around points, and arrows where values lie beyond the frame.
fn signs(text: &mut String, placed: &Placed<'_>, series: &Series, look: &str) {
    let axes = &placed.content.axes;
    let mut mark = |of: &str, at: Vec<Spot>| {
        if at.is_empty() {
            return;
        }
        let at: Vec<String> = at
            .iter()
            .map(|(x, y)| format!("({},{})", number(*x), number(*y)))
            .collect();
        line(
            text,
            &format!(
                "\\addplot[only marks, color={look}, {of}, forget plot] coordinates {{{}}};",
                at.join(" ")
            ),
        );
    };
    let of = |sign: Sign| {
        let with = series.points.iter().filter(move |point| point.sign == sign);
        with.map(|point| (point.x, point.y)).collect::<Vec<Spot>>()
    };
    mark("mark=o, mark size=4pt", of(Sign::Ring));
    mark("mark=triangle, mark size=3pt", of(Sign::Beyond));
    let (x_low, y_low) = (axes.x.ends().0, axes.y.ends().0);
    let beyond = |point: &&DataPoint| axes.is_beyond(point);
    let edge = |point: &DataPoint| {
        let x = if axes.x.is_beyond(point.x) {
            x_low
        } else {
            point.x
        };
        let y = if axes.y.is_beyond(point.y) {
            y_low
        } else {
            point.y
        };
        (x, y)
    };
    mark(
        "mark=triangle*, mark size=3pt, mark options={rotate=180}",
        series.points.iter().filter(beyond).map(edge).collect(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoxPoint, Panel, Sheet};

    fn figure() -> Figure {
        let bar = |x: f64, y: f64| DataPoint {
            interval: Some((y - 0.1, y + 0.2)),
            ..DataPoint::new(x, y)
        };
        let panel = Panel::new("core_buffer (KB)", "loss in %")
            .log_y()
            .joined("paced & not", [bar(1.0, 0.5), bar(2.0, 0.4)])
            .intervals(0.95, 5)
            .line("theory", [(1.0, 0.5), (2.0, 0.45)]);
        Figure::new("loss").panel(panel).on(Sheet::ACM)
    }

    #[test]
    fn every_series_has_its_points_bars_and_name() {
        let text = figure().tex();
        assert!(text.contains("(1,0.5) += (0,0.2) -= (0,0.1)"), "{text}");
        assert!(text.contains("\\addlegendentry{paced \\& not}"), "{text}");
        assert!(text.contains("xlabel={core\\_buffer (KB)}"), "{text}");
        assert!(text.contains("ylabel={loss in \\%}") && text.contains("ymode=log"));
        let theory = text.find("\\addlegendentry{theory}");
        assert!(theory < text.find("paced"), "theory lies below data");
    }

    #[test]
    fn ticks_are_as_written_and_notes_stand_below() {
        let text = figure().tex();
        assert!(text.contains("scaled ticks=false"), "{text}");
        assert!(text.contains("{95 \\% intervals, n = 5};"), "{text}");
    }

    #[test]
    fn a_picture_is_as_wide_as_its_sheet() {
        assert!(figure().tex().contains("rectangle (3.33in,"));
    }

    #[test]
    fn braces_and_environments_are_closed() {
        let spread = |x: f64| BoxPoint {
            x,
            median: 3.0,
            quartiles: (2.0, 5.0),
            whiskers: (1.0, 9.0),
        };
        let panel = Panel::new("queue", "delay (µs)")
            .boxes("re{no", "1st and 99th", [0.0, 1.0].map(spread))
            .across(["drop_tail", "50 % of it"]);
        let text = Figure::new("a % of {b").panel(panel).tex();
        // Those that are escaped belong to names.
        let bare = text.replace("\\{", "").replace("\\}", "");
        let body: String = bare.lines().filter(|l| !l.starts_with('%')).collect();
        assert_eq!(
            body.matches('{').count(),
            body.matches('}').count(),
            "{text}"
        );
        assert_eq!(
            text.matches("\\begin").count(),
            text.matches("\\end{").count()
        );
    }

    #[test]
    fn zero_on_a_logarithmic_axis_is_an_arrow_at_the_edge() {
        let panel = Panel::new("x", "loss")
            .log_y()
            .points("a", [(1.0, 0.0), (2.0, 0.1), (3.0, 1.0)]);
        let text = Figure::new("loss").panel(panel).tex();
        assert!(
            text.contains("mark options={rotate=180}, forget plot] coordinates {(1,0.1)};"),
            "{text}"
        );
    }
}
