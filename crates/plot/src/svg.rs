//! A drawing as SVG.

use std::fmt::Write;

use crate::drawing::{Anchor, Colour, Drawing, Element, OUTLINE, Paint, Spot, Stroke, TINT, Text};
use crate::text::width;

/// The bundled font first, then those of the same widths, then any.
const FAMILY: &str = "Arimo, Arial, Helvetica, Liberation Sans, sans-serif";

/// The text of a picture.
pub(crate) fn svg(drawing: &Drawing) -> String {
    let (w, h) = (number(drawing.width), number(drawing.height));
    let [wide, high] = [drawing.width, drawing.height].map(|of| number(of * drawing.scale));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"0 0 {w} {h}\" font-family=\"{FAMILY}\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n"
    );
    for element in &drawing.elements {
        writeln!(text, "{}", element_text(element)).expect("a String takes every text");
    }
    text + "</svg>\n"
}

fn element_text(element: &Element) -> String {
    match element {
        Element::Line { spots, stroke } => {
            format!("<path d=\"{}\"{}/>", path(spots), stroke_text(stroke))
        }
        Element::Shape { spots, paint } => {
            format!("<path d=\"{}Z\"{}/>", path(spots), paint_text(paint))
        }
        Element::Circle {
            centre,
            radius,
            paint,
        } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>",
            number(centre.0),
            number(centre.1),
            number(*radius),
            paint_text(paint)
        ),
        Element::Text(text) => text_text(text),
    }
}

fn path(spots: &[Spot]) -> String {
    let place = |(i, spot): (usize, &Spot)| {
        let letter = if i == 0 { 'M' } else { 'L' };
        format!("{letter}{} {}", number(spot.0), number(spot.1))
    };
    spots.iter().enumerate().map(place).collect()
}

fn stroke_text(stroke: &Stroke) -> String {
    let lengths: Vec<String> = stroke.lengths().map(number).collect();
    let dashes = if lengths.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{}\"", lengths.join(" "))
    };
    format!(
        " fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dashes}",
        hex(stroke.colour),
        number(stroke.width)
    )
}

fn paint_text(paint: &Paint) -> String {
    match paint {
        Paint::Filled(colour) => format!(" fill=\"{}\"", hex(*colour)),
        Paint::Tinted(colour) => format!(" fill=\"{}\" fill-opacity=\"{TINT}\"", hex(*colour)),
        Paint::Outlined(colour) => format!(
            " fill=\"none\" stroke=\"{}\" stroke-width=\"{OUTLINE}\"",
            hex(*colour)
        ),
    }
}

fn text_text(text: &Text) -> String {
    let (x, y) = (number(text.at.0), number(text.at.1));
    let place = match text.anchor {
        Anchor::Upwards => format!("transform=\"translate({x} {y}) rotate(-90)\""),
        _ => format!("x=\"{x}\" y=\"{y}\""),
    };
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle | Anchor::Upwards => "middle",
        Anchor::End => "end",
    };
    // A viewer without fonts of these widths stretches the text to its layout width: nothing is cut
    // off.
    format!(
        "<text {place} text-anchor=\"{anchor}\" font-size=\"{}\" textLength=\"{}\" \
         lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\">{}</text>",
        number(text.size),
        number(width(&text.text, text.size)),
        hex(text.colour),
        escaped(&text.text)
    )
}

fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A number to a hundredth of a pixel, in as few digits as possible.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    match short {
        "-0" => "0".to_owned(),
        _ => short.to_owned(),
    }
}

/// A text with SVG's special characters escaped, and without characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_fractions_in_few_digits() {
        let texts = [12.0, 12.346, 0.5, -0.001].map(number);
        assert_eq!(texts, ["12", "12.35", "0.5", "0"]);
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; \"c\"");
        assert_eq!(escaped("a\u{1}b\n<"), "a b &lt;");
    }
}
