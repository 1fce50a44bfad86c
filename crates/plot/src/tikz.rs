//! A drawing as plain TikZ.

use std::fmt::Write;

use crate::drawing::{Anchor, Drawing, Element, OUTLINE, Paint, Spot, Stroke, TINT, Text};
use crate::tex_text::{escaped, number, rgb};

/// Inches per pixel of a page.
const INCH: f64 = 1.0 / 96.0;

/// The text of a file for `\input`.
pub(crate) fn tikz(drawing: &Drawing) -> String {
    let unit = drawing.scale * INCH;
    let mut text = format!(
        "% In the preamble: \\usepackage{{tikz}}\n\\begin{{tikzpicture}}[x={0}in, y=-{0}in]\n\
         \\useasboundingbox (0,0) rectangle ({1},{2});\n",
        number(unit),
        number(drawing.width),
        number(drawing.height)
    );
    for element in &drawing.elements {
        writeln!(text, "{};", command(element, unit)).expect("a String takes every text");
    }
    text + "\\end{tikzpicture}\n"
}

fn command(element: &Element, unit: f64) -> String {
    match element {
        Element::Line { spots, stroke } => {
            format!("\\draw[{}] {}", stroked(stroke, unit), path(spots))
        }
        Element::Shape { spots, paint } => {
            format!("\\path[{}] {} -- cycle", painted(paint, unit), path(spots))
        }
        Element::Circle {
            centre,
            radius,
            paint,
        } => format!(
            "\\path[{}] {} circle[radius={}in]",
            painted(paint, unit),
            spot(*centre),
            number(radius * unit)
        ),
        Element::Text(text) => node(text, unit),
    }
}

fn spot((x, y): Spot) -> String {
    format!("({},{})", number(x), number(y))
}

fn path(spots: &[Spot]) -> String {
    let spots: Vec<String> = spots.iter().map(|at| spot(*at)).collect();
    spots.join(" -- ")
}

fn points(length: f64, unit: f64) -> String {
    format!("{}pt", number(length * unit * 72.27))
}

fn stroked(stroke: &Stroke, unit: f64) -> String {
    let width = points(stroke.width, unit);
    let lengths = stroke.lengths().enumerate().map(|(i, length)| {
        let kind = if i % 2 == 0 { "on" } else { "off" };
        format!("{kind} {}", points(length, unit))
    });
    let lengths: Vec<String> = lengths.collect();
    let dashes = if lengths.is_empty() {
        String::new()
    } else {
        format!(", dash pattern={}", lengths.join(" "))
    };
    format!(
        "draw={}, line width={width}, line join=round{dashes}",
        rgb(stroke.colour)
    )
}

fn painted(paint: &Paint, unit: f64) -> String {
    match paint {
        Paint::Filled(colour) => format!("fill={}", rgb(*colour)),
        Paint::Tinted(colour) => format!("fill={}, fill opacity={TINT}", rgb(*colour)),
        Paint::Outlined(colour) => {
            format!(
                "draw={}, line width={}",
                rgb(*colour),
                points(OUTLINE, unit)
            )
        }
    }
}

fn node(text: &Text, unit: f64) -> String {
    let anchor = match text.anchor {
        Anchor::Start => "base west",
        Anchor::Middle => "base",
        Anchor::End => "base east",
        Anchor::Upwards => "base, rotate=90",
    };
    let size = number(text.size * unit * 72.27);
    format!(
        "\\node[anchor={anchor}, inner sep=0, text={}, font=\\fontsize{{{size}}}{{{size}}}\\selectfont] at {} {{{}}}",
        rgb(text.colour),
        spot(text.at),
        escaped(&text.text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Colour;

    #[test]
    fn a_drawing_keeps_its_places_and_sizes() {
        let mut drawing = Drawing::new(96.0, 48.0);
        drawing.line(
            [(0.0, 0.0), (96.0, 48.0)],
            Stroke::solid(Colour(1, 2, 3), 2.0),
        );
        drawing.text((10.0, 20.0), Anchor::Middle, 10.0, Colour(0, 0, 0), "5 %");
        let text = tikz(&drawing);
        assert!(text.contains("(0,0) -- (96,48);"), "{text}");
        assert!(
            text.contains("{rgb,255:red,1;green,2;blue,3}, line width=1.505625pt"),
            "{text}"
        );
        assert!(text.contains("at (10,23.5) {5 \\%};"), "{text}");
        assert!(text.contains("x=0.010416667in, y=-0.010416667in"), "{text}");
    }
}
